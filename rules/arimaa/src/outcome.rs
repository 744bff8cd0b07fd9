use std::fmt;

use crate::side::{self, Side};
use crate::{Board, Position};

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
    /// A rabbit of the winner stands on its goal row.
    Goal,
    /// The loser has no rabbit left.
    Elimination,
    /// The loser cannot move any piece.
    Immobilisation,
    /// Every turn of the loser would repeat a position for the third time.
    Repetition,
    /// The loser gave up.
    Resignation,
}

impl Outcome {
    /// What the board says at the start of a turn, in the official order: the goal of the side that
    /// has moved, the goal of the other, the other's rabbits gone, the mover's own gone, and the
    /// other side unable to move.
    pub(crate) fn after_turn(position: &Position) -> Option<Outcome> {
        let next = position.side();
        Outcome::on_board(position.board(), !next).or_else(|| {
            let stuck = Outcome { winner: !next, reason: Reason::Immobilisation };
            (!position.board().can_move(next)).then_some(stuck)
        })
    }

    /// What the board alone says after a turn of `mover`.
    fn on_board(board: &Board, mover: Side) -> Option<Outcome> {
        let other = !mover;
        let gone = |side| board.rabbits(side).is_empty();
        let won = |winner, reason| Some(Outcome { winner, reason });
        if board.has_goal(mover) {
            won(mover, Reason::Goal)
        } else if board.has_goal(other) {
            won(other, Reason::Goal)
        } else if gone(other) {
            won(mover, Reason::Elimination)
        } else if gone(mover) {
            won(other, Reason::Elimination)
        } else {
            None
        }
    }
}

impl Reason {
    /// One word: `goal`, `elimination`, `immobilisation`, `repetition` or `resignation`.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Goal => "goal",
            Reason::Elimination => "elimination",
            Reason::Immobilisation => "immobilisation",
            Reason::Repetition => "repetition",
            Reason::Resignation => "resignation",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (winner, loser) = (side::name(self.winner), side::name(!self.winner));
        match self.reason {
            Reason::Goal => write!(f, "{winner} has won: a rabbit stands on the goal row"),
            Reason::Elimination => write!(f, "{winner} has won: {loser} has no rabbit left"),
            Reason::Immobilisation => write!(f, "{winner} has won: {loser} cannot move"),
            Reason::Repetition => {
                write!(f, "{winner} has won: every turn of {loser} repeats a position a third time")
            }
            Reason::Resignation => write!(f, "{winner} has won: {loser} resigned"),
        }
    }
}
