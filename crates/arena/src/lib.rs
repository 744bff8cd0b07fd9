//! The arena: matches and tournaments of engines, and what they tell.
//!
//! Nothing here knows which game is played: turns and positions are text. A game's [`Rules`] start
//! a [`Referee`] for each game, who says which turns are legal and when it is over; a [`Player`]
//! finds the turns, in this process or in another: an [`AeiPlayer`] behind the Arimaa Engine
//! Interface, a [`GetmovePlayer`] behind the older one, a [`FilePlayer`] behind that of WALTZ. A [`Bout`] is one game. A [`Plan`] says who
//! meets whom; its games are kept in a [`Store`], from which any number of workers lease them.
//!
//! An [`Exercise`] is a position with something that a turn must achieve; [`ask`] lets a player answer it,
//! and an [`Attempt`] is what the answer is worth.

mod adjudication;
mod aei_player;
mod bout;
mod clocks;
mod errand;
mod file_player;
mod getmove_player;
mod hall;
mod pace;
mod plan;
mod player;
mod referee;
mod schedule;
mod standing;
mod statistics;
mod store;
mod suite;

pub use aei::{Failure, Fault};

pub use crate::adjudication::{Adjudication, Clarity};
pub use crate::aei_player::{AeiEngine, AeiPlayer, Feed};
pub use crate::bout::{Bout, Played, Ply, Reason};
pub use crate::clocks::Clocks;
pub use crate::file_player::FilePlayer;
pub use crate::getmove_player::GetmovePlayer;
pub use crate::hall::{Hall, HallError, Host, News};
pub use crate::pace::Pace;
pub use crate::plan::{Contestant, Format, Plan, TestTerms};
pub use crate::player::{Answer, Budget, Player, Start, Thought};
pub use crate::referee::{Ending, Referee, Rules};
pub use crate::schedule::{Fixture, Score};
pub use crate::standing::{Duel, Habits, Standing, crosstable};
pub use crate::statistics::{
    Anchor, Crosstable, Entrant, Estimate, ExpectedGames, GameScore, Hypotheses, HypothesesError,
    Measured, Pairs, Prior, Rating, Ratings, RatingsError, Risks, RisksError, Sample, Scale, Sprt,
    Tally, Unfinished, Verdict,
};
pub use crate::store::{Event, EventId, GameRow, GameState, Progress, Store, StoreError, Worker};
pub use crate::suite::{Attempt, Exercise, PassTable, ask};
