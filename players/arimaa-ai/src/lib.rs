//! What Tusk knows about playing Arimaa.
//!
//! What can be won within a turn: [`goal`], [`elimination`] and [`captures`] look at a board as if the
//! given side were to move with some steps left, are exact, and allocate nothing. With them,
//! [`ThreatGenerator`] lists the turns that answer a threat and those that make one, and [`ThreatSearch`]
//! looks for wins by one threat after the other. How it works is told in `docs/tactics.md`. [`Solver`]
//! proves who wins.
//!
//! What the pieces can do: [`TurnMobility`] says exactly what each of them can do and suffer within a turn, [`Distances`] how
//! far it is from each square. [`is_lost_in_two`] recognises goals that no turn prevents, [`frames_in_one_turn`] frames that a
//! turn can make, [`blockade`] how far an elephant is shut in.
//!
//! How good a position is: [`Evaluation`], Tusk's own, which a net can correct: [`NetworkEvaluation`]. [`StepPolicy`] says how
//! likely a strong player takes a step.
//!
//! What a player is tested by: [`suite`], positions with what a turn must achieve in them. Where exactly
//! one turn wins by force, [`PuzzleFinder`] finds a [`Puzzle`].
//!
//! Who plays: [`AlphaBetaEngine`], by alpha-beta with all of this ([`Heuristics`]), and [`MctsEngine`], by Monte-Carlo
//! tree search, after [`choose_setup`].

mod attacker_view;
pub mod blockade;
mod capture;
pub mod combo;
mod distance;
pub mod engines;
pub mod evaluation;
mod evaluation_cache;
mod frame;
mod goal;
mod greedy;
mod heuristics;
mod hunt_heuristics;
mod loss;
pub mod matrix;
mod mcts_engine;
pub mod network_evaluation;
mod network_inputs;
mod played;
mod player;
mod player_options;
mod puzzle;
pub mod reversal;
mod setups;
mod solver;
pub mod step_policy;
pub mod suite;
mod threat_search;
mod threats;
mod turn_mobility;
mod win;

pub use crate::capture::{Capture, Captures, captures};
pub use crate::distance::{Distances, FARTHEST, PieceDistances, minima_of_stronger};
pub use crate::evaluation::Evaluation;
pub use crate::evaluation_cache::EvaluationCache;
pub use crate::frame::{frames_in_one_turn, is_framed};
pub use crate::goal::goal;
pub use crate::greedy::Greedy;
pub use crate::heuristics::{Heuristics, TacticsScratch};
pub use crate::hunt_heuristics::HuntHeuristics;
pub use crate::loss::{Inference, is_lost_in_two};
pub use crate::matrix::Matrix;
pub use crate::mcts_engine::{MctsEngine, MctsOptions, mcts_engine};
pub use crate::network_evaluation::NetworkEvaluation;
pub use crate::network_inputs::NetworkInputs;
pub use crate::player::{AlphaBetaEngine, ThreatsFirst, allows, alpha_beta_engine};
pub use crate::player_options::PlayerOptions;
pub use crate::puzzle::{Puzzle, PuzzleFinder, PuzzleResult};
pub use crate::setups::{choose_setup, setup_library};
pub use crate::solver::{Solver, SolverProgress, SolverResult, SolverTask};
pub use crate::step_policy::{STEP_FEATURES, StepContext, StepPolicy};
pub use crate::threat_search::{Breadth, ForcedWin, ThreatSearch, ThreatTable};
pub use crate::threats::{Threat, ThreatGenerator};
pub use crate::turn_mobility::TurnMobility;
pub use crate::win::{Win, elimination, win};
