//! An evaluation by a net: [`NetworkEvaluation`].

use network::{Network, NetworkSource};

use crate::{Evaluation, NetworkInputs};

/// The hidden units of a net for each perspective.
pub const HIDDEN: usize = 256;

/// A net for Arimaa.
pub type ArimaaNetwork = Network<HIDDEN>;

/// The net that is part of the program, and the nets of files.
pub static NETWORKS: NetworkSource<NetworkInputs, HIDDEN> =
    NetworkSource::new(include_bytes!("../../../models/arimaa.network"));

/// A net, and the hand-written evaluation for what the net does not know.
pub type NetworkEvaluation = search::NetworkEvaluation<Evaluation, NetworkInputs, HIDDEN>;
