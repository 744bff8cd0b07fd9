//! Proofs that a side wins by force: what they consist of, how they are written down and read, and a
//! checker that replays them with nothing but the rules.
//!
//! A [`Strategy`] says what the winner plays against every turn of the loser. [`prove`] writes one
//! out from a [`Prover`], which knows a winning turn wherever it is asked; [`check`] believes
//! nobody. A [`Document`] is a strategy with the position and the result that it proves, and a
//! text. What the text of positions and turns is, only the game knows: [`Notation`].
//!
//! Nothing here knows any game, or how a win is found.

mod check;
mod document;
mod fault;
mod notation;
mod prove;
mod reader;
mod repetition;
mod strategy;
mod turns;
mod writer;

pub use check::check;
pub use document::{Document, Past, texts};
pub use fault::{Fault, FaultKind};
pub use notation::Notation;
pub use prove::{Gap, GapKind, Prover, prove};
pub use reader::{Header, ReadError, ReadFault};
pub use repetition::Repetition;
pub use strategy::{Answer, Circle, Node, NodeId, Strategy};
