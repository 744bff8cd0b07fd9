//! An evaluation by a net: [`NetworkEvaluation`].

use std::sync::{Arc, LazyLock};

use network::{Network, NetworkError};

use crate::{Evaluation, NetworkInputs};

/// The hidden units of a net for each perspective.
pub const HIDDEN: usize = 256;

/// A net for Arimaa.
pub type ArimaaNetwork = Network<HIDDEN>;

/// The net that is part of the program, if there is one.
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("../../../models/arimaa.network"));

/// The net that is part of the program.
pub fn embedded() -> Option<Arc<ArimaaNetwork>> {
    static NETWORK: LazyLock<Option<Arc<ArimaaNetwork>>> = LazyLock::new(|| {
        EMBEDDED.map(|file| Arc::new(parse(file).expect("models/arimaa.network")))
    });
    NETWORK.clone()
}

/// Reads the file of a net for Arimaa.
pub fn parse(bytes: &[u8]) -> Result<ArimaaNetwork, NetworkError> {
    Network::parse_any::<NetworkInputs>(bytes)
}

/// A net, and the hand-written evaluation for what the net does not know.
pub type NetworkEvaluation = search::NetworkEvaluation<Evaluation, NetworkInputs, HIDDEN>;
