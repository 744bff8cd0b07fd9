//! An evaluation by a net: [`NetworkEvaluation`].

use network::{Network, NetworkSource};

use crate::{Evaluation, NetworkInputs};

/// The hidden units of a net for each perspective. A position of Tzaar is searched in half a microsecond: a net
/// must be small to keep up.
pub const HIDDEN: usize = 64;

/// A net for Tzaar.
pub type TzaarNetwork = Network<HIDDEN>;

/// The net that is part of the program, and the nets of files.
pub static NETWORKS: NetworkSource<NetworkInputs, HIDDEN> =
    NetworkSource::new(include_bytes!("../../../models/tzaar.network"));

/// A net, and the hand-written evaluation for what the net does not know.
pub type NetworkEvaluation = search::NetworkEvaluation<Evaluation, NetworkInputs, HIDDEN>;
