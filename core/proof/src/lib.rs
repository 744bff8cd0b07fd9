//! Proofs that a side wins by force: what they consist of, how they are written down and read, and a
//! checker that replays them with nothing but the rules.
//!
//! A [`Strategy`] says what the winner plays against every turn of the loser. [`prove`] makes one
//! from a [`TurnSource`], which gives a winning turn for every position that it is asked about. [`check`]
//! replays it. A [`Document`] is a strategy with the position and the result that it proves, and a
//! text. [`game::Notation`] is how a game writes its positions and turns.
//!
//! Nothing here knows any game, or how a win is found.

mod check;
mod document;
mod prove;
mod reader;
mod strategy;
mod turns;
mod writer;

pub use check::{CheckError, CheckErrorKind, check};
pub use document::{Checked, Document, texts};
pub use prove::{Gap, GapKind, TurnSource, prove};
pub use reader::{Header, ReadError, ReadErrorKind};
pub use strategy::{AnsweredTurn, Cycle, NodeId, Repetition, Strategy, StrategyNode};
