//! WALTZ, the program of Veselý's thesis (2013): its evaluation, its ordering of moves, and the searches that it
//! numbers.

use game::Score;
use tzaar::{Position, Step};

/// The evaluation and the ordering of WALTZ (seed 003, 3.5 and 3.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waltz {
    /// Only what the stacks are worth, with the numbers of the beginner.
    pub is_beginner: bool,
}

impl Waltz {
    /// An estimate of how the side to move stands.
    pub fn evaluate(&self, _position: &Position) -> Score {
        Score(0)
    }

    /// How promising a move looks.
    pub fn promise(&self, _position: &Position, _step: Step) -> i32 {
        0
    }

    /// How much is to be done before the side to move has won, and before the other has.
    pub fn outlook(&self, _position: &Position) -> (u32, u32) {
        (1, 1)
    }
}
