//! WALTZ, the program of Veselý's thesis (2013): its evaluation, its ordering of moves, and the searches that it
//! numbers. Where the thesis shows a curve or names a range, the numbers are those of the program itself.

mod algorithm;
mod evaluation;
mod ordering;
mod outlook;
mod player;
mod schedule;

use game::Score;
use tzaar::{Position, Step};

pub use self::algorithm::{Algorithm, LEVELS, Level};
pub use self::player::{Player, value};

/// The evaluation and the ordering of WALTZ (Veselý 2013, 3.5 and 3.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waltz {
    /// Only what the stacks are worth, with the numbers of the beginner.
    pub is_beginner: bool,
}

impl Waltz {
    /// WALTZ's value of a position, for the side to move.
    pub fn value(&self, position: &Position) -> i32 {
        match self.is_beginner {
            true => evaluation::of_beginner(position),
            false => evaluation::of_expert(position),
        }
    }

    /// An estimate of how the side to move stands: [`Waltz::value`], with great values brought
    /// [nearer](Waltz::brought_nearer).
    pub fn evaluate(&self, position: &Position) -> Score {
        Waltz::brought_nearer(self.value(position))
    }

    /// How promising a move looks.
    pub fn promise(&self, position: &Position, step: Step) -> i32 {
        ordering::promise(position, step)
    }

    /// How much is to be done before the side to move has won, and before the other has.
    pub fn outlook(&self, position: &Position) -> (u32, u32) {
        outlook::outlook(position, self.value(position))
    }

    /// A value as a score. An immediate threat is worth tens of millions to WALTZ, more than fits an entry of
    /// the searches' tables: what lies beyond five millions counts for a 64th, and the order remains.
    pub fn brought_nearer(value: i32) -> Score {
        let far = value - value.clamp(-NEAR, NEAR);
        Score(value - far + far / FAR_SHARE)
    }

    /// The value that was brought nearer, but for what was lost by rounding.
    pub fn taken_back(Score(score): Score) -> i32 {
        let far = score - score.clamp(-NEAR, NEAR);
        score - far + far * FAR_SHARE
    }
}

/// All that is no immediate threat is worth less.
const NEAR: i32 = 5_000_000;

const FAR_SHARE: i32 = 64;
