use std::ops::ControlFlow;

use arimaa::{Position, Side, Step, WHOLE_TURN};
use game::{Key, Score, Steps};
use search::{Knowledge, Turns};

use crate::{Notes, Sense};

/// A position in which steps are given up one by one: what Majerech 2012 (3.3.3) calls lambda vertices.
///
/// A pass uses one step, and others may follow it. The replies to a turn of fewer steps are as deep in the
/// tree as those to a whole one, so that a search does not come to them sooner.
///
/// ```
/// # use arimaa::{Direction, Position, Square, Step};
/// # use arimaa_ai::OneByOne;
/// let position: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
/// let (e2, e3) = (Step::single(Square::E2, Direction::North), Step::single(Square::E3, Direction::North));
/// let steps = [e2, Step::PASS, e3, Step::PASS];
/// assert_eq!(OneByOne::turn(&steps), [e2, e3, Step::PASS]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneByOne(Position);

impl OneByOne {
    /// The same position.
    pub fn new(position: Position) -> OneByOne {
        OneByOne(position)
    }

    /// The steps of a turn as they are played elsewhere: what was given up is given up at once, in the end.
    pub fn turn(steps: &[Step]) -> Vec<Step> {
        let is_pass = |&&step: &&Step| step == Step::PASS;
        let mut turn: Vec<Step> = steps.iter().filter(|step| !is_pass(step)).copied().collect();
        turn.extend(steps.iter().find(is_pass));
        turn
    }
}

impl game::Position for OneByOne {
    type Step = Step;

    fn side(&self) -> Side {
        self.0.side()
    }

    fn turn_starts(&self) -> bool {
        self.0.turn_starts()
    }

    /// At the start of a turn no step is given up: it can as well be later.
    fn for_each_step(&self, visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        self.0.for_each_step(visit)
    }

    fn cost(&self, step: Step) -> Steps {
        if step == Step::PASS { Steps(1) } else { step.cost() }
    }

    fn is_idle(&self) -> bool {
        game::Position::is_idle(&self.0)
    }

    fn play(&mut self, step: Step) {
        match step {
            Step::PASS => self.0.give_up_step(),
            step => self.0.play_unchecked(step),
        }
    }

    fn key(&self) -> Key {
        self.0.key()
    }

    fn winner(&self) -> Option<Side> {
        game::Position::winner(&self.0)
    }
}

impl Knowledge<OneByOne> for Sense {
    type Scratch = Notes;

    const WHOLE_TURN: Steps = WHOLE_TURN;

    fn evaluate(&self, position: &OneByOne, notes: &mut Notes) -> Score {
        Knowledge::<Position>::evaluate(self, &position.0, notes)
    }

    fn winning_steps(&self, position: &OneByOne) -> Option<Vec<Step>> {
        self.winning_steps(&position.0)
    }

    fn wins(&self, position: &OneByOne) -> bool {
        self.wins(&position.0)
    }

    fn is_threatened(&self, position: &OneByOne) -> bool {
        self.is_threatened(&position.0)
    }

    fn has_defence(&self, position: &OneByOne, notes: &mut Notes) -> bool {
        self.has_defence(&position.0, notes)
    }

    /// None are listed: a search by single steps is asked for.
    fn few_defences(&self, _: &OneByOne, _: &mut Notes) -> Option<Turns<Step>> {
        None
    }

    fn promise(&self, position: &OneByOne, step: Step) -> i32 {
        self.promise(&position.0, step)
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
        let (mut usual, mut one_by_one) = (BTreeSet::new(), BTreeSet::new());
        ends(&position, &mut usual);
        ends(&OneByOne::new(position), &mut one_by_one);
        assert!(usual.len() > 100);
        assert_eq!(usual, one_by_one);
        let mut inside = OneByOne::new(position);
        inside.play(Step::single(arimaa::Square::H1, arimaa::Direction::North));
        for left in [2, 1] {
            inside.play(Step::PASS);
            assert_eq!(inside.0.steps_left(), Steps(left));
        }
        inside.play(Step::PASS);
        assert!(inside.turn_starts() && inside.side() != position.side());
    }
}
