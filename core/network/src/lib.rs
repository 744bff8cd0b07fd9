//! Nets that evaluate positions, as chess programs have them (NNUE): a first layer that is kept up as
//! steps are played, and an output that is cheap.
//!
//! A position has few active features, the [`Inputs`] of the net, as each side sees it: the mover's
//! perspective and that of the side that waits. The first layer sums a row of weights for each of them
//! into an [`Accumulator`]; a step adds and subtracts some rows. The output layer reads both
//! accumulators and has a set of weights for each bucket, such as the steps left.
//!
//! ```text
//! features of the mover       → accumulator ┐
//!                  (same weights)           ├ SCReLU → output of the bucket
//! features of the other side  → accumulator ┘
//! ```
//!
//! All is done in whole numbers: a [`Network`] is what was trained in floating point and rounded once, by
//! [`FloatNetwork::quantised`].
//! Nothing here knows a certain game or a search.

mod accumulator;
mod file;
mod float;
mod inputs;
mod kernels;
mod network;
mod source;
mod state;

pub use crate::accumulator::Accumulator;
pub use crate::file::NetworkError;
pub use crate::float::FloatNetwork;
pub use crate::inputs::{Features, IncrementalInputs, InputShape, Inputs};
pub use crate::network::{Network, NetworkHead};
pub use crate::source::NetworkSource;
pub use crate::state::NetworkState;

/// An activation of 1 as a whole number: what weights and biases of the first layer are multiplied by.
pub const ACTIVATION_ONE: i32 = 255;

/// No weight is greater, so that sums fit: 1.98, as is usual.
pub const MOST_WEIGHT: f32 = 1.98;

/// No weight and no bias of the first layer is greater as a whole number.
pub const MOST_INPUT_WEIGHT: i16 = (MOST_WEIGHT * ACTIVATION_ONE as f32) as i16 + 1;

/// More features than these are never active at once: a bias and so many weights fit into 16 bits.
pub const MOST_ACTIVE: usize = i16::MAX as usize / MOST_INPUT_WEIGHT as usize - 1;
