//! An evaluation by a net: [`NetworkEvaluation`].

use std::sync::{Arc, LazyLock};

use network::{Network, NetworkError};

use crate::{Evaluation, NetworkInputs};

/// The hidden units of a net for each perspective. A position of Tzaar is searched in half a microsecond: a net
/// must be small to keep up.
pub const HIDDEN: usize = 64;

/// A net for Tzaar.
pub type TzaarNetwork = Network<HIDDEN>;

/// The net that is part of the program, if there is one.
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("../../../models/tzaar.network"));

/// The net that is part of the program.
pub fn embedded() -> Option<Arc<TzaarNetwork>> {
    static NETWORK: LazyLock<Option<Arc<TzaarNetwork>>> =
        LazyLock::new(|| EMBEDDED.map(|file| Arc::new(parse(file).expect("models/tzaar.network"))));
    NETWORK.clone()
}

/// Reads the file of a net for Tzaar.
pub fn parse(bytes: &[u8]) -> Result<TzaarNetwork, NetworkError> {
    Network::parse_any::<NetworkInputs>(bytes)
}

/// A net, and the hand-written evaluation for what the net does not know.
pub type NetworkEvaluation = search::NetworkEvaluation<Evaluation, NetworkInputs, HIDDEN>;
