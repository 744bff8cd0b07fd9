//! WALTZ, the program of Veselý's thesis (2013): its evaluation, and the searches that it numbers. Where the thesis shows a curve or names a range, the numbers are those of the program itself.

mod algorithm;
pub mod curves;
mod engines;
mod evaluation;
mod parameters;
mod player;
mod proof_numbers;
mod schedule;

use engine::EvaluationTrace;
use game::{BySide, Score, Side};
use search::{Evaluator, InitialProofNumbers};
use tzaar::Position;

pub use crate::algorithm::{Algorithm, LEVELS, Level};
pub use crate::engines::ENGINES;
pub use crate::parameters::WaltzParameters;
pub use crate::player::{WaltzEngine, value};
pub use crate::proof_numbers::FirstNumbers;

/// The evaluation of WALTZ, and its first proof numbers (Veselý 2013, 3.5 and 2.2.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Waltz {
    /// Only what the stacks are worth, with the numbers of the beginner.
    pub is_beginner: bool,
    /// How proof-number search begins with a position.
    pub first_numbers: FirstNumbers,
}

impl Waltz {
    /// That of the beginner.
    pub fn beginner() -> Waltz {
        Waltz { is_beginner: true, ..Waltz::default() }
    }

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

    /// Every term for both sides, for people to read. The score is [`Waltz::value`]: great values are not
    /// brought nearer.
    pub fn trace(&self, position: &Position) -> EvaluationTrace {
        let of = |side| match self.is_beginner {
            true => evaluation::terms_of_beginner(position, side).to_vec(),
            false => evaluation::terms_of_expert(position, side).to_vec(),
        };
        let pairs = of(Side::First).into_iter().zip(of(Side::Second));
        let terms = pairs.map(|((term, first), (_, second))| (term, BySide { first, second }));
        EvaluationTrace::of_terms("waltz", "points of WALTZ", terms.collect(), position.side())
    }

    /// The first proof number and disproof number of a position, for the side to move.
    pub fn initial_numbers(&self, position: &Position) -> (u32, u32) {
        self.first_numbers.of(position, self.value(position))
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

impl Evaluator<Position> for Waltz {
    type State = ();
    type Cache = ();

    #[inline]
    fn state(&self, _: &Position) {}

    #[inline]
    fn evaluate(&self, position: &Position, (): &(), (): &mut ()) -> Score {
        self.evaluate(position)
    }
}

impl InitialProofNumbers<Position> for Waltz {
    fn initial_numbers(&self, position: &Position) -> (u32, u32) {
        self.initial_numbers(position)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use tzaar::Symmetry;

    use super::*;

    #[test]
    fn whichever_way_a_board_is_turned_it_is_worth_the_same() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let position = Position::random_start(&mut rng);
        for symmetry in Symmetry::all() {
            let turned = Position::new(position.board().seen_by(symmetry), position.side());
            let turned = turned.expect("the same stacks");
            assert_eq!(Waltz::default().evaluate(&turned), Waltz::default().evaluate(&position));
        }
    }
}
