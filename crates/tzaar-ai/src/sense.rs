use game::{Score, Steps};
use search::Knowledge;
use tzaar::{Position, Step, WHOLE_TURN};

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
    /// That of WALTZ (seed 003).
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

    fn promise(&self, position: &Position, step: Step) -> i32 {
        match &self.estimate {
            Estimate::Tusk(_) => 0,
            Estimate::Waltz(waltz) => waltz.promise(position, step),
        }
    }

    fn outlook(&self, position: &Position, _: &mut ()) -> (u32, u32) {
        match &self.estimate {
            Estimate::Tusk(_) => (1, 1 + position.targets().len() as u32),
            Estimate::Waltz(waltz) => waltz.outlook(position),
        }
    }

    fn without_turn(&self, position: &Position) -> Option<Position> {
        Some(position.with_other_side())
    }
}
