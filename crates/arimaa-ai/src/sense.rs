use arimaa::{Form, Position, Step};
use game::{Score, Steps};
use search::Knowledge;

use crate::{Evaluation, win};

/// What alpha-beta is told about Arimaa.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sense {
    /// The estimate.
    pub evaluation: Evaluation,
}

const WHOLE_TURN: Steps = Steps(4);

impl Knowledge<Position> for Sense {
    fn evaluate(&self, position: &Position) -> Score {
        self.evaluation.evaluate(position)
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
