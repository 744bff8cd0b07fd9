use std::ops::ControlFlow;

use arimaa::{Position, Side, Step, WHOLE_TURN};
use game::{Key, Score, Steps};
use search::{Evaluator, InitialProofNumbers, StepOrdering, Tactics, TurnList, TurnStructure};

use crate::{Heuristics, TacticsScratch};

/// A position in which steps are given up one by one: lambda vertices (Majerech 2012, 3.3.3).
///
/// A pass uses one step, and other steps may follow it. So the replies to a turn of fewer steps are as deep
/// in the tree as those to a whole turn, and a search does not come to them sooner.
///
/// ```
/// # use arimaa::{Direction, Position, Square, Step};
/// # use arimaa_ai::LambdaPosition;
/// let position: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
/// let (e2, e3) = (Step::single(Square::E2, Direction::North), Step::single(Square::E3, Direction::North));
/// let steps = [e2, Step::PASS, e3, Step::PASS];
/// assert_eq!(LambdaPosition::turn(&steps), [e2, e3, Step::PASS]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LambdaPosition(Position);

impl LambdaPosition {
    /// The same position.
    pub fn new(position: Position) -> LambdaPosition {
        LambdaPosition(position)
    }

    /// The steps of a turn as they are played elsewhere: what was given up is given up at once, in the end.
    pub fn turn(steps: &[Step]) -> Vec<Step> {
        let is_pass = |&&step: &&Step| step == Step::PASS;
        let mut turn: Vec<Step> = steps.iter().filter(|step| !is_pass(step)).copied().collect();
        turn.extend(steps.iter().find(is_pass));
        turn
    }
}

impl game::Position for LambdaPosition {
    type Step = Step;

    #[inline]
    fn side(&self) -> Side {
        self.0.side()
    }

    #[inline]
    fn turn_starts(&self) -> bool {
        self.0.turn_starts()
    }

    /// At the start of a turn no step is given up: it can as well be later.
    fn for_each_step(&self, visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        self.0.for_each_step(visit)
    }

    #[inline]
    fn cost(&self, step: Step) -> Steps {
        if step == Step::PASS { Steps(1) } else { step.cost() }
    }

    fn is_idle(&self) -> bool {
        game::Position::is_idle(&self.0)
    }

    #[inline]
    fn play(&mut self, step: Step) {
        match step {
            Step::PASS => self.0.give_up_step(),
            step => self.0.play_unchecked(step),
        }
    }

    #[inline]
    fn key(&self) -> Key {
        self.0.key()
    }

    #[inline]
    fn winner(&self) -> Option<Side> {
        game::Position::winner(&self.0)
    }
}

impl<E: Evaluator<Position>> Evaluator<LambdaPosition> for Heuristics<E> {
    type State = E::State;
    type Cache = <Heuristics<E> as Evaluator<Position>>::Cache;

    fn state(&self, position: &LambdaPosition) -> E::State {
        self.evaluator.state(&position.0)
    }

    fn evaluate(
        &self,
        position: &LambdaPosition,
        state: &E::State,
        cache: &mut Self::Cache,
    ) -> Score {
        Evaluator::<Position>::evaluate(self, &position.0, state, cache)
    }
}

impl<E: Sync> Tactics<LambdaPosition> for Heuristics<E> {
    type Scratch = TacticsScratch;

    fn winning_steps(&self, position: &LambdaPosition) -> Option<Vec<Step>> {
        self.winning_steps(&position.0)
    }

    fn wins(&self, position: &LambdaPosition) -> bool {
        self.wins(&position.0)
    }

    fn winning_end(&self, position: &LambdaPosition) -> Option<Step> {
        self.winning_end(&position.0)
    }

    fn is_threatened(&self, position: &LambdaPosition) -> bool {
        self.is_threatened(&position.0)
    }

    fn has_defence(&self, position: &LambdaPosition, scratch: &mut TacticsScratch) -> bool {
        self.has_defence(&position.0, scratch)
    }

    /// None are listed: a search by single steps is asked for.
    fn few_defences(&self, _: &LambdaPosition, _: &mut TacticsScratch) -> Option<TurnList<Step>> {
        None
    }
}

impl<E: Sync> StepOrdering<LambdaPosition> for Heuristics<E> {
    fn ordering_score(&self, position: &LambdaPosition, step: Step) -> i32 {
        self.ordering_score(&position.0, step)
    }

    fn endgame_ordering_score(&self, position: &LambdaPosition, step: Step) -> i32 {
        self.endgame_ordering_score(&position.0, step)
    }
}

impl<E: Sync> TurnStructure<LambdaPosition> for Heuristics<E> {
    const WHOLE_TURN: Steps = WHOLE_TURN;
}

impl<E: Sync> InitialProofNumbers<LambdaPosition> for Heuristics<E> {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use game::Position as _;

    use super::*;

    /// The positions after all turns.
    fn ends<P: game::Position<Step = Step>>(position: &P, ends: &mut BTreeSet<Key>) {
        let _ = position.for_each_step(|step| {
            let mut after = position.clone();
            after.play(step);
            match after.turn_starts() {
                true => drop(ends.insert(after.key())),
                false if after.is_idle() => {}
                false => self::ends(&after, ends),
            }
            ControlFlow::Continue(())
        });
    }

    #[test]
    fn turns_end_as_they_do_elsewhere_and_use_four_steps() {
        let text = "g [   r           r        R        E    e          C             R]";
        let position: Position = text.parse().expect("a position");
        let (mut usual, mut by_lambda) = (BTreeSet::new(), BTreeSet::new());
        ends(&position, &mut usual);
        ends(&LambdaPosition::new(position), &mut by_lambda);
        assert!(usual.len() > 100);
        assert_eq!(usual, by_lambda);
        let mut inside = LambdaPosition::new(position);
        inside.play(Step::single(arimaa::Square::H1, arimaa::Direction::North));
        for left in [2, 1] {
            inside.play(Step::PASS);
            assert_eq!(inside.0.steps_left(), Steps(left));
        }
        inside.play(Step::PASS);
        assert!(inside.turn_starts() && inside.side() != position.side());
    }
}
