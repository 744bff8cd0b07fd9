use arimaa::Position;
use game::Score;

/// A cache of evaluations, the newest in each slot.
///
/// The steps of a turn lead to the same board in many orders: of what a search asks, a third was asked
/// before (33 % with this size, 26 % with a quarter and 37 % with four times of it; 100 positions,
/// 200,000 nodes each, 2026-11).
#[derive(Clone, Debug, Default)]
pub struct EvaluationCache {
    /// The upper digits of a position's key above [`SCORE_BITS`] of its score; nothing before the
    /// first question.
    slots: Vec<u64>,
}

/// Half a mebibyte: it stays near the processor.
const SLOT_BITS: u32 = 16;

/// More than any score takes, and no more than the slot tells of a key.
const SCORE_BITS: u32 = 16;

const _: () = assert!(SCORE_BITS <= SLOT_BITS, "a slot and its key are to tell all digits");

const SCORE: u64 = (1 << SCORE_BITS) - 1;

impl EvaluationCache {
    /// Loads the slot of a position into the processor's own cache.
    #[inline]
    pub fn prefetch(&self, position: &Position) {
        if let Some(slot) = self.slots.get(slot_of(key(position))) {
            search::prefetch(slot);
        }
    }

    /// The score of a position: from the cache, or else evaluated and kept.
    #[inline]
    pub fn get_or_evaluate(
        &mut self,
        position: &Position,
        evaluate: impl FnOnce() -> Score,
    ) -> Score {
        if self.slots.is_empty() {
            self.slots = vec![0; 1 << SLOT_BITS];
        }
        let key = key(position);
        let Some(slot) = self.slots.get_mut(slot_of(key)) else {
            return evaluate();
        };
        if *slot & !SCORE == key & !SCORE {
            return Score(i32::from((*slot & SCORE) as i16));
        }
        let score = evaluate();
        // A score that does not fit, of a board that no game comes to, is not kept.
        if let Ok(fits) = i16::try_from(score.0) {
            *slot = key & !SCORE | u64::from(fits as u16);
        }
        score
    }
}

/// What an evaluation depends on: the board, the side to move and the steps left, but not the board that
/// the turn began with.
#[inline]
fn key(position: &Position) -> u64 {
    let steps = u64::from(position.steps_left().0);
    // An odd factor: no two numbers of steps are alike. The golden ratio spreads their digits.
    position.repetition_key().0 ^ steps.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The number of the slot of a key.
#[inline]
fn slot_of(key: u64) -> usize {
    (key & ((1 << SLOT_BITS) - 1)) as usize
}

#[cfg(test)]
mod tests {
    use arimaa::{Direction, GOLD, Square, Step};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{Evaluation, choose_setup};

    #[test]
    fn the_cache_has_what_was_evaluated() {
        let (evaluation, mut cache) = (Evaluation::default(), EvaluationCache::default());
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut asked, mut evaluated) = (0, 0);
        for _ in 0..20 {
            let mut game = arimaa::Game::new();
            while let Some(side) = game.setting_up() {
                let setup = choose_setup(side, game.position().board(), &mut rng);
                game.set_up(setup).expect("a legal setup");
            }
            // The steps of a turn in every order, as a search comes to them.
            for first in game.position().steps() {
                let mut after = *game.position();
                after.play_unchecked(first);
                for second in after.steps() {
                    let mut after = after;
                    after.play_unchecked(second);
                    asked += 1;
                    let score = cache.get_or_evaluate(&after, || {
                        evaluated += 1;
                        evaluation.evaluate(&after)
                    });
                    assert_eq!(score, evaluation.evaluate(&after));
                }
            }
        }
        assert!(evaluated < asked, "nothing was in the cache");
    }

    #[test]
    fn the_steps_left_matter() {
        let text = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let whole: Position = text.parse().expect("a position");
        let mut there_and_back = whole;
        for (from, direction) in [(Square::E2, Direction::North), (Square::E3, Direction::South)] {
            there_and_back.play_unchecked(Step::single(from, direction));
        }
        assert_eq!(there_and_back.side(), GOLD);
        assert_eq!(there_and_back.board(), whole.board());
        let mut cache = EvaluationCache::default();
        assert_eq!(cache.get_or_evaluate(&whole, || Score(1)), Score(1));
        assert_eq!(cache.get_or_evaluate(&there_and_back, || Score(-2)), Score(-2));
        assert_eq!(cache.get_or_evaluate(&there_and_back, || Score(3)), Score(-2));
    }
}
