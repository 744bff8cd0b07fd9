use std::fmt;

use crate::side::{self, Side};
use crate::{Kind, Position};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won.
    pub winner: Side,
    /// By what.
    pub reason: Reason,
}

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// No stack of the loser shows this type any more.
    Missing(Kind),
    /// The loser begins a turn and cannot capture.
    NoCapture,
    /// The loser gave up.
    Resignation,
}

impl Outcome {
    /// What the position says.
    pub(crate) fn of(position: &Position) -> Option<Outcome> {
        let winner = game::Position::winner(position)?;
        let is_gone = |kind: &Kind| position.board().of_kind(!winner, *kind).is_empty();
        let reason = Kind::ALL.into_iter().find(is_gone).map_or(Reason::NoCapture, Reason::Missing);
        Some(Outcome { winner, reason })
    }
}

impl Reason {
    /// One word: `type`, `captures` or `resignation`.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Missing(_) => "type",
            Reason::NoCapture => "captures",
            Reason::Resignation => "resignation",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (winner, loser) = (side::name(self.winner), side::name(!self.winner));
        match self.reason {
            Reason::Missing(kind) => {
                write!(f, "{winner} has won: {loser} has no {} in sight", kind.name())
            }
            Reason::NoCapture => write!(f, "{winner} has won: {loser} cannot capture"),
            Reason::Resignation => write!(f, "{winner} has won: {loser} resigned"),
        }
    }
}
