//! The arena: matches and tournaments of engines, and what they tell.
//!
//! Nothing here knows which game is played: all of it is generic over [`game::Game`], which is its own
//! referee. A [`Player`] finds what to play; an [`EnginePlayer`] is an engine in this process, and
//! programs are players of another crate. A [`MatchGame`] is one game. A [`Plan`] says who meets
//! whom; its [`Pairing`]s are kept in a [`Store`], from which the [`Runner`]s of any number of
//! workers lease them.
//!
//! An [`Exercise`] is a position with something that a turn must achieve; [`ask`] lets a player answer
//! it, and an [`Attempt`] is what the answer is worth.

mod adjudication;
mod engine_player;
mod engine_spec;
mod match_game;
mod pairing;
mod plan;
mod player;
mod runner;
mod standing;
mod statistics;
mod store;
mod suite;
mod time;

pub use process::{Failure, Fault};

pub use crate::adjudication::{Adjudication, ScoreThreshold};
pub use crate::engine_player::EnginePlayer;
pub use crate::engine_spec::{EngineSpec, EngineSpecError, Interface};
pub use crate::match_game::{GameResult, MatchGame, Ply, Reason};
pub use crate::pairing::{Pairing, Playable, ScoredGame};
pub use crate::plan::{Contestant, Format, Plan, TestTerms, openings_for};
pub use crate::player::{Budget, Player, Reply, Start, Thought};
pub use crate::runner::{FinishedGame, Host, Runner, RunnerError, persistently};
pub use crate::standing::{HeadToHead, Standing, TimeUse, crosstable};
pub use crate::statistics::{
    Anchor, Crosstable, Decision, EloEstimate, Entrant, ExpectedGames, GameScore, Hypotheses,
    HypothesesError, Measured, Pairs, Prior, Rating, Ratings, RatingsError, Risks, RisksError,
    Sample, Scale, Sprt, Tally, Unfinished,
};
pub use crate::store::{
    BlockingStore, Event, EventId, GameRow, GameState, PAGE, Progress, Rows, Store, StoreError,
    Worker,
};
pub use crate::suite::{Attempt, Exercise, PassTable, ask};
pub use crate::time::{Clocks, TimeSettings};
