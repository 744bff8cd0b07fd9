//! What the command line asks of a game, whichever it is.
//!
//! A [`GameSpec`] names a game. What is asked of it is split by who asks: [`Reading`] (positions and
//! records from text), [`Showing`] (what a position says at a glance), [`Playing`] (engines, openings),
//! [`Solving`] (proofs), [`Testing`] (test positions) and [`Interactive`] (boards to be drawn, turns that are entered
//! step by step). The [`host`] tells the arena of the games and
//! of the engines; [`players`] are programs that play.

mod arimaa;
mod engine_file;
mod error;
mod games;
pub mod host;
mod interactive;
mod kept_search;
pub mod players;
mod playing;
pub mod reading;
mod request;
pub mod review;
mod showing;
mod solver_presets;
mod solving;
mod testing;
mod tzaar;
pub mod units;
pub mod verdicts;

pub use crate::arimaa::{Arimaa, piece_square, threats};
pub use crate::engine_file::{line, parse_engine_file};
pub use crate::error::WrongUse;
pub use crate::games::{Army, GameName, GameRecord, GameSpec, Replay, Step, TurnNumber};
pub use crate::interactive::{
    Cell, CellLook, Insight, Interactive, PieceInsight, Threat, TrapGuards,
};
pub use crate::kept_search::SearchHeader;
pub use crate::playing::{
    Catalogues, Openings, Playing, is_file, is_file_parameter, listed, parameter_json,
};
pub use crate::reading::Reading;
pub use crate::request::{EngineRequest, RequestError, refusal_of};
pub use crate::showing::{Facts, Lister, Showing, trace_json};
pub use crate::solver_presets::{MakeMethod, SolverPreset, SolverPresets};
pub use crate::solving::{
    Algorithm, ByNumbers, Found, Method, ProofSearch, Proved, SearchPlan, SolveOptions, Solving,
};
pub use crate::testing::{BoxedExercise, TestCase, Testing, WholeTest, test_cases};
pub use crate::tzaar::{Tzaar, is_tzaar};
