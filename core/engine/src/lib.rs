//! The one seam between engines and those who use them.
//!
//! An [`Engine`] analyses the position of a [`game::Game`] within [`Limits`], until it is told to
//! [`Stop`], and reports an [`Info`]: lines with their [`Verdict`], depth, nodes, time. A
//! [`Catalogue`] lists the engines of a game by name, each with the [`Parameter`]s that it declares.
//!
//! Nothing here knows a game, a search or a protocol.

mod catalogue;
mod engine;
mod info;
mod iterations;
mod limits;
mod parameters;
mod random;
mod trace;
mod tree_view;

pub use crate::catalogue::{
    Build, Catalogue, Configuration, Configured, EVALUATION_FILES, EngineEntry, MOST_LINES,
    MOST_THREADS, ParameterFile, Preset, Threads, named,
};
pub use crate::engine::{Engine, Sink, StepOf, first_turn, in_turns, variation};
pub use crate::info::{Info, Line, TreeStatistics, Verdict};
pub use crate::iterations::Iterations;
pub use crate::limits::{Limits, Stop};
pub use crate::parameters::{Kind, Parameter, ParameterError};
pub use crate::random::Random;
pub use crate::trace::{EvaluationTrace, Traced};
pub use crate::tree_view::{TreeNode, TreeView};
