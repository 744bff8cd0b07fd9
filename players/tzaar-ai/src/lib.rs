//! What Tusk knows about playing Tzaar.
//!
//! A [`win`] within the turn is seen without a search; an [`Evaluation`] says how good a position looks. [`Heuristics`]
//! tell both to the searches of `core/search`, with an [order of moves](MoveOrdering).

pub mod engines;
pub mod evaluation;
mod heuristics;
mod mcts_engine;
pub mod network_evaluation;
mod network_inputs;
mod ordering;
mod placement;
mod player;
mod player_options;
mod win;

pub use crate::evaluation::Evaluation;
pub use crate::heuristics::Heuristics;
pub use crate::mcts_engine::{MctsEngine, MctsOptions, mcts_engine};
pub use crate::network_evaluation::NetworkEvaluation;
pub use crate::network_inputs::NetworkInputs;
pub use crate::ordering::MoveOrdering;
pub use crate::placement::place;
pub use crate::player::{
    AlphaBetaEngine, ProofLook, ProofsFirst, alpha_beta_engine, placed, proof_limits,
    proof_parameters, whole_turn, won,
};
pub use crate::player_options::PlayerOptions;
pub use crate::win::{win, wins};
