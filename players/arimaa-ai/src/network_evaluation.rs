//! A net with Tusk's evaluation as its baseline, or none: [`NetworkEvaluation`].

use network::{Network, NetworkSource};

use crate::{Evaluation, NetworkInputs};

/// The hidden units of a net for each perspective.
pub const HIDDEN: usize = 256;

/// A net for Arimaa.
pub type ArimaaNetwork = Network<HIDDEN>;

/// What a net that corrects [`Evaluation`] calls it.
pub const BASELINE: &str = "arimaa-evaluation";

/// The net that is part of the program, and the nets of files.
pub static NETWORKS: NetworkSource<NetworkInputs, HIDDEN> =
    NetworkSource::new(BASELINE, include_bytes!("../../../models/arimaa.network"));

/// A net, and the hand-written evaluation where the net is added to it.
pub type NetworkEvaluation = search::NetworkEvaluation<Evaluation, NetworkInputs, HIDDEN>;
