use game::{Position as _, Score, Steps};
use search::Knowledge;
use tzaar::{Phase, Position, Step, Symmetry, WHOLE_TURN};

use crate::waltz::Waltz;
use crate::{Evaluation, win, wins};

/// What the searches are told about Tzaar.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sense {
    /// The estimate, and with it the ordering.
    pub estimate: Estimate,
}

/// Whose evaluation estimates a position.
#[derive(Clone, Copy, Debug)]
pub enum Estimate {
    /// Tusk's own.
    Tusk(Evaluation),
    /// That of WALTZ (Veselý 2013).
    Waltz(Waltz),
}

impl Default for Estimate {
    fn default() -> Estimate {
        Estimate::Tusk(Evaluation)
    }
}

impl Sense {
    /// The estimate of how the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        match &self.estimate {
            Estimate::Tusk(evaluation) => evaluation.evaluate(position),
            Estimate::Waltz(waltz) => waltz.evaluate(position),
        }
    }
}

impl Knowledge<Position> for Sense {
    type Scratch = ();

    const WHOLE_TURN: Steps = WHOLE_TURN;

    fn evaluate(&self, position: &Position, _: &mut ()) -> Score {
        self.evaluate(position)
    }

    fn winning_steps(&self, position: &Position) -> Option<Vec<Step>> {
        win(position)
    }

    fn wins(&self, position: &Position) -> bool {
        wins(position)
    }

    /// In the order of Veselý 2013 (3.6): high stacks and rare types are captured first.
    fn promise(&self, position: &Position, step: Step) -> i32 {
        Waltz::default().promise(position, step)
    }

    /// Whether it captures no more than a single piece.
    fn is_quiet(&self, position: &Position, step: Step) -> bool {
        match step {
            Step::Capture { to, .. } => position.board().height(to) == 1,
            _ => true,
        }
    }

    /// Only full boards are asked: later, none is like itself any more (docs/experiments/symmetry.md).
    fn has_twin(&self, position: &Position, step: Step) -> bool {
        position.phase() == Phase::Opening && has_earlier_twin(position, step)
    }

    fn outlook(&self, position: &Position, _: &mut ()) -> (u32, u32) {
        match &self.estimate {
            Estimate::Tusk(_) => outlook(position),
            Estimate::Waltz(waltz) => waltz.outlook(position),
        }
    }

    fn without_turn(&self, position: &Position) -> Option<Position> {
        let after = position.with_other_side();
        after.winner().is_none().then_some(after)
    }
}

/// Whether a symmetry that leaves the board as it is brings the capture to one that comes before it.
fn has_earlier_twin(position: &Position, step: Step) -> bool {
    let Step::Capture { from, to } = step else { return false };
    let board = position.board();
    Symmetry::all().any(|symmetry| {
        (symmetry.of(from), symmetry.of(to)) < (from, to) && board.seen_by(symmetry) == *board
    })
}

/// Who runs out of captures has lost: a side is the nearer to it the fewer of the other's stacks it can
/// capture. To ask so of both sides solves the positions of Veselý 2013's kind with 3 million positions, of the
/// mover alone with 5 million (2026-11).
fn outlook(position: &Position) -> (u32, u32) {
    let (own, other) = (position.targets(), position.board().capturable() ^ position.targets());
    (1 + other.len() as u32, 1 + own.len() as u32)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn a_third_of_the_captures_is_enough_from_the_fixed_start_and_all_from_another() {
        let searched = |position: &Position| {
            let steps = position.steps();
            let kept = steps.iter().filter(|&&step| !Sense::default().has_twin(position, step));
            (kept.count(), steps.len())
        };
        let (kept, all) = searched(&Position::fixed_start());
        assert_eq!(3 * kept, all);
        let (kept, all) = searched(&Position::random_start(&mut ChaCha8Rng::seed_from_u64(1)));
        assert_eq!(kept, all);
    }

    #[test]
    fn whichever_way_a_board_is_turned_it_is_worth_the_same() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let waltz = Sense { estimate: Estimate::Waltz(Waltz::default()) };
        for sense in [Sense::default(), waltz] {
            let position = Position::random_start(&mut rng);
            for symmetry in Symmetry::all() {
                let turned = Position::new(position.board().seen_by(symmetry), position.side());
                let turned = turned.expect("the same stacks");
                assert_eq!(sense.evaluate(&turned), sense.evaluate(&position));
                assert_eq!(turned.common_key(), position.common_key());
                assert_eq!(turned.steps().len(), position.steps().len());
            }
        }
    }
}
