use std::ops::ControlFlow;

use arimaa::{Position, Side, Step};
use game::{Key, Steps};

/// A position in which steps are given up one by one: lambda vertices (Majerech 2012, 3.3.3).
///
/// A pass uses one step, and other steps may follow it. So the replies to a turn of fewer steps are as deep
/// in the tree as those to a whole turn, and a search does not come to them sooner.
///
/// ```
/// # use arimaa::{Direction, Position, Square, Step};
/// # use majerech_2012::LambdaPosition;
/// let position: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
/// let (e2, e3) = (Step::single(Square::E2, Direction::North), Step::single(Square::E3, Direction::North));
/// let steps = [e2, Step::PASS, e3, Step::PASS];
/// assert_eq!(LambdaPosition::turn(&steps), [e2, e3, Step::PASS]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LambdaPosition(Position);

impl AsRef<Position> for LambdaPosition {
    fn as_ref(&self) -> &Position {
        &self.0
    }
}

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
