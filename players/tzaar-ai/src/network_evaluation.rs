//! Tusk's evaluation, corrected by a net: [`NetworkEvaluation`].

use network::{Network, NetworkSource};

use crate::{Evaluation, NetworkInputs};

/// The hidden units of a net for each perspective. A position of Tzaar is searched in half a microsecond: a net
/// must be small to keep up.
pub const HIDDEN: usize = 64;

/// A net for Tzaar.
pub type TzaarNetwork = Network<HIDDEN>;

/// What a net that corrects [`Evaluation`] calls it.
pub const BASELINE: &str = "tzaar-evaluation";

/// The net that is part of the program, and the nets of files.
pub static NETWORKS: NetworkSource<NetworkInputs, HIDDEN> =
    NetworkSource::new(BASELINE, include_bytes!("../../../models/tzaar.network"));

/// The hand-written evaluation and what a net adds to it.
pub type NetworkEvaluation = search::NetworkEvaluation<Evaluation, NetworkInputs, HIDDEN>;
