use arimaa::{Form, Position, Step, Turn, WHOLE_TURN};
use game::Score;
use search::Knowledge;

use crate::memo::Memo;
use crate::zhong::{Tally, Zhong};
use crate::{Evaluation, Tactician, win};

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

    fn few_defences(&self, position: &Position, notes: &mut Notes) -> Option<Vec<Vec<Step>>> {
        let defences = notes.tactician.defences(position.board(), position.side());
        let whole = |turn: Turn| {
            let pass = (turn.cost() < WHOLE_TURN).then_some(Step::PASS);
            turn.steps().chain(pass).collect()
        };
        (defences.len() <= FEW)
            .then(|| defences.iter().map(|reached| whole(reached.turn)).collect())
    }

    /// Pushes and pulls look better than single steps, a pass worse.
    fn promise(&self, _: &Position, step: Step) -> i32 {
        match step.form() {
            Form::Push | Form::Pull => 500,
            Form::Single => 0,
            Form::Pass => -500,
        }
    }

    fn without_turn(&self, position: &Position) -> Option<Position> {
        Some(Position::new(*position.board(), !position.side()))
    }
}
