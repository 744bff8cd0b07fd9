//! The one seam between engines and those who use them.
//!
//! An [`Engine`] analyses the position of a [`game::Game`] within [`Limits`], until it is told to
//! [`Stop`], and reports an [`Info`]: lines with their [`Verdict`], depth, nodes, time. A
//! [`Catalogue`] lists the engines of a game by name, each with the [`Parameter`]s that it declares.
//! Nothing here knows a game, a search or a protocol.

mod catalogue;
mod engine;
mod info;
mod limits;
mod parameters;
mod trace;

pub use crate::catalogue::{Catalogue, Configuration, Configured, Entry, Preset, Threads, named};
pub use crate::engine::{Engine, Sink, first_turn, variation};
pub use crate::info::{Info, Line, Verdict};
pub use crate::limits::{Limits, Stop};
pub use crate::parameters::{Kind, Parameter, ParameterError};
pub use crate::trace::EvaluationTrace;
