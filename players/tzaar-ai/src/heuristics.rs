use engine::{EvaluationTrace, Traced};
use game::{Position as _, Score, Steps};
use search::{
    Evaluator, InitialProofNumbers, PlayedMove, StepKnowledge, StepOrdering, Tactics, TurnStructure,
};
use tzaar::{Phase, Position, Step, Symmetry, WHOLE_TURN};

use crate::{Evaluation, MoveOrdering, win, wins};

/// What the searches are told about Tzaar: tactics, the order of moves, the structure of a turn, and an
/// evaluation with its first proof numbers.
#[derive(Clone, Debug)]
pub struct Heuristics<E = Evaluation> {
    /// The evaluation.
    pub evaluator: E,
    /// In which order moves are tried.
    pub ordering: MoveOrdering,
}

/// What a score of the ordering is divided by: the best captures count about as much as one good step.
const ORDERING_SCALE: f32 = 1000.0;

impl StepKnowledge<Position> for MoveOrdering {
    #[inline]
    fn step_knowledge(&self, position: &Position, step: Step, _: Option<Step>) -> f32 {
        self.score(position, step) as f32 / ORDERING_SCALE
    }
}

impl<E> Heuristics<E> {
    /// With that evaluation.
    pub fn new(evaluator: E) -> Heuristics<E> {
        Heuristics { evaluator, ordering: MoveOrdering::default() }
    }
}

impl Default for Heuristics {
    fn default() -> Heuristics {
        Heuristics::new(Evaluation::default())
    }
}

impl Evaluator<Position> for Evaluation {
    type State = ();
    type Cache = ();

    #[inline]
    fn state(&self, _: &Position) {}

    #[inline]
    fn evaluate(&self, position: &Position, (): &(), (): &mut ()) -> Score {
        self.evaluate(position)
    }
}

impl Traced<Position> for Evaluation {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        self.trace(position)
    }
}

/// Who runs out of captures has lost: a side is the nearer to it the fewer of the other's stacks it can
/// capture. To ask so of both sides solves the positions of Veselý 2013's kind with 3 million positions, of the
/// mover alone with 5 million (2026-11).
impl InitialProofNumbers<Position> for Evaluation {
    fn initial_numbers(&self, position: &Position) -> (u32, u32) {
        let (own, other) = (position.targets(), position.board().capturable() ^ position.targets());
        (1 + other.len() as u32, 1 + own.len() as u32)
    }
}

impl<E: Traced<Position>> Traced<Position> for Heuristics<E> {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        self.evaluator.trace(position)
    }
}

impl<E: Evaluator<Position>> Evaluator<Position> for Heuristics<E> {
    type State = E::State;
    type Cache = E::Cache;

    #[inline]
    fn state(&self, position: &Position) -> E::State {
        self.evaluator.state(position)
    }

    #[inline]
    fn advance(&self, played: PlayedMove<Position>, state: &E::State, next: &mut E::State) {
        self.evaluator.advance(played, state, next);
    }

    #[inline]
    fn evaluate(&self, position: &Position, state: &E::State, cache: &mut E::Cache) -> Score {
        self.evaluator.evaluate(position, state, cache)
    }
}

impl<E: InitialProofNumbers<Position>> InitialProofNumbers<Position> for Heuristics<E> {
    fn initial_numbers(&self, position: &Position) -> (u32, u32) {
        self.evaluator.initial_numbers(position)
    }
}

impl<E: Sync> Tactics<Position> for Heuristics<E> {
    type Scratch = ();

    #[inline]
    fn winning_steps(&self, position: &Position) -> Option<Vec<Step>> {
        win(position)
    }

    #[inline]
    fn wins(&self, position: &Position) -> bool {
        wins(position)
    }
}

impl<E: Sync> StepOrdering<Position> for Heuristics<E> {
    /// In the order of Veselý 2013 (3.6): high stacks and rare types are captured first.
    #[inline]
    fn ordering_score(&self, position: &Position, step: Step) -> i32 {
        self.ordering.score(position, step)
    }

    /// Whether it captures no more than a single piece.
    fn is_quiet(&self, position: &Position, step: Step) -> bool {
        match step {
            Step::Capture { to, .. } => position.board().height(to) == 1,
            _ => true,
        }
    }
}

impl<E: Sync> TurnStructure<Position> for Heuristics<E> {
    const WHOLE_TURN: Steps = WHOLE_TURN;

    /// Only full boards are asked: later, none is like itself any more (docs/experiments/symmetry.md).
    fn has_twin(&self, position: &Position, step: Step) -> bool {
        position.phase() == Phase::Opening && has_earlier_twin(position, step)
    }

    fn null_move(&self, position: &Position) -> Option<Position> {
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

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn a_third_of_the_captures_is_enough_from_the_fixed_start_and_all_from_another() {
        let searched = |position: &Position| {
            let steps = position.steps();
            let kept =
                steps.iter().filter(|&&step| !Heuristics::default().has_twin(position, step));
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
        let evaluation = Evaluation::default();
        let position = Position::random_start(&mut rng);
        for symmetry in Symmetry::all() {
            let turned = Position::new(position.board().seen_by(symmetry), position.side());
            let turned = turned.expect("the same stacks");
            assert_eq!(evaluation.evaluate(&turned), evaluation.evaluate(&position));
            assert_eq!(turned.common_key(), position.common_key());
            assert_eq!(turned.steps().len(), position.steps().len());
        }
    }
}
