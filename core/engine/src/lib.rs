//! The one seam between engines and those who use them.
//!
//! An [`Engine`] analyses the position of a [`game::Game`] within [`Limits`], until it is told to
//! [`Stop`], and reports an [`Info`]: lines with their [`Verdict`], depth, nodes, time. A
//! [`Catalogue`] lists the engines of a game by name, each with the [`Parameter`]s that it declares.
//!
//! An evaluation that is linear in its weights emits features into a [`FeatureSink`]; its weights are
//! read from a model file ([`Weights`]).
//!
//! What everybody else needs who meets the outside is here too: memory that is asked for
//! ([`check_memory`]), threads that the system may refuse ([`spawn_helpers`]), files and lines of others ([`read_file`], [`read_bounded_line`]), and their text on a
//! terminal ([`harmless`]).
//!
//! Nothing here knows a game, a search or a protocol.

mod bounded;
mod catalogue;
mod engine;
mod features;
mod harmless;
mod info;
mod iterations;
mod limits;
mod memory;
mod model;
mod parameters;
mod random;
mod threads;
mod trace;
mod tree_view;

pub use crate::bounded::{
    LONGEST_FILE, LONGEST_LINE, read_all, read_bounded_line, read_file, read_file_within,
    read_text_within,
};
pub use crate::catalogue::{
    Build, Catalogue, Configuration, Configured, EVALUATION_FILES, EngineEntry, MOST_LINES,
    MOST_THREADS, ParameterFile, Preset, Threads, named,
};
pub use crate::engine::{Engine, Sink, StepOf, first_turn, in_turns, variation};
pub use crate::features::{
    Feature, FeatureGroup, FeatureList, FeatureSink, FeatureVector, Group, Sum, Unit, fnv1a,
};
pub use crate::harmless::harmless;
pub use crate::info::{Info, Line, TreeStatistics, Verdict};
pub use crate::iterations::Iterations;
pub use crate::limits::{Limits, Stop};
pub use crate::memory::{MemoryError, check_memory, total_mebibytes};
pub use crate::model::{ModelError, ModelFault, Weights};
pub use crate::parameters::{Kind, Parameter, ParameterError};
pub use crate::random::Random;
pub use crate::threads::{
    NoThread, SEARCH_STACK, search_thread, share_work, spawn_helpers, thread_warning,
};
pub use crate::trace::{EvaluationTrace, Traced};
pub use crate::tree_view::{TreeNode, TreeView};
