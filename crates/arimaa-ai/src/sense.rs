use arimaa::{Form, Position, Step, Turn, WHOLE_TURN};
use game::{Score, Steps};
use search::{Knowledge, Turns};

use crate::memo::Memo;
use crate::zhong::{Tally, Zhong};
use crate::{Evaluation, Tactician, captures, combo, reversal, win};

/// What alpha-beta is told about Arimaa.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sense {
    /// The estimate.
    pub estimate: Estimate,
}

/// Whose evaluation estimates a position.
#[derive(Clone, Copy, Debug)]
pub enum Estimate {
    /// Tusk's own.
    Tusk(Evaluation),
    /// That of Zhong's thesis.
    Zhong(Zhong),
}

impl Default for Estimate {
    fn default() -> Estimate {
        Estimate::Tusk(Evaluation)
    }
}

/// More defences than these are not worth a list.
const FEW: usize = 200;

/// What is kept from one position of a search to the next.
#[derive(Debug, Default)]
pub struct Notes {
    tactician: Tactician,
    memo: Memo,
}

impl Sense {
    /// The estimate of how the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        match &self.estimate {
            Estimate::Tusk(evaluation) => evaluation.evaluate(position),
            Estimate::Zhong(zhong) => {
                let (board, side) = (position.board(), position.side());
                zhong.score(board, &Tally::of(board), side, position.steps_left())
            }
        }
    }
}

impl Knowledge<Position> for Sense {
    type Scratch = Notes;

    const WHOLE_TURN: Steps = WHOLE_TURN;

    fn evaluate(&self, position: &Position, notes: &mut Notes) -> Score {
        notes.memo.recall(position, |position| self.evaluate(position))
    }

    fn winning_steps(&self, position: &Position) -> Option<Vec<Step>> {
        let win = win(position.board(), position.side(), position.steps_left())?;
        Some(win.turn.steps().collect())
    }

    fn wins(&self, position: &Position) -> bool {
        win(position.board(), position.side(), position.steps_left()).is_some()
    }

    fn is_threatened(&self, position: &Position) -> bool {
        win(position.board(), !position.side(), WHOLE_TURN).is_some()
    }

    fn has_defence(&self, position: &Position, notes: &mut Notes) -> bool {
        notes.tactician.has_defence(position.board(), position.side())
    }

    fn few_defences(&self, position: &Position, notes: &mut Notes) -> Option<Turns<Step>> {
        let (board, side) = (position.board(), position.side());
        let defences = notes.tactician.few_defences(board, side, FEW)?;
        let mut turns = Turns::new();
        defences.iter().for_each(|reached| turns.push(whole(reached.turn, WHOLE_TURN)));
        Some(turns)
    }

    /// The captures, those of the strongest pieces first.
    fn loud_turns(&self, position: &Position, _: &mut Notes) -> Turns<Step> {
        let steps = position.steps_left();
        let mut captures = captures(position.board(), position.side(), steps);
        captures.sort_by_key(|capture| (capture.lost, std::cmp::Reverse(capture.piece.kind)));
        let mut turns = Turns::new();
        captures.iter().for_each(|capture| turns.push(whole(capture.turn, steps)));
        turns
    }

    /// Pushes and pulls look better than single steps, a pass worse.
    fn promise(&self, _: &Position, step: Step) -> i32 {
        match step.form() {
            Form::Push | Form::Pull => 500,
            Form::Single => 0,
            Form::Pass => -500,
        }
    }

    fn undoes(&self, before: &Position, first: Step, second: Step) -> bool {
        combo::undoes(before, first, second)
    }

    fn follows(&self, before: &Position, first: Step, second: Step) -> bool {
        combo::follows(before, first, second)
    }

    fn is_reversible(&self, start: &Position, before: &Position, last: Step) -> bool {
        let mut after = *before.board();
        after.play(last, &mut ());
        let used = WHOLE_TURN.0 - before.steps_left().0 + last.cost().0;
        reversal::is_reversible(start.board(), &after, start.side(), Steps(used))
    }

    fn without_turn(&self, position: &Position) -> Option<Position> {
        Some(Position::new(*position.board(), !position.side()))
    }
}

/// The steps of a turn that had so many left, with the pass that ends it where it uses fewer.
fn whole(turn: Turn, left: Steps) -> impl Iterator<Item = Step> {
    turn.steps().chain((turn.cost() < left).then_some(Step::PASS))
}
