use game::{Position as _, Score, Steps};
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

    /// In the order of seed 003 (3.6): high stacks and rare types are captured first.
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

/// Who runs out of captures has lost: a side is the nearer to it the fewer of the other's stacks it can
/// capture. To ask so of both sides solves the positions of seed 003's kind with 3 million positions, of the
/// mover alone with 5 million (2026-11).
fn outlook(position: &Position) -> (u32, u32) {
    let (own, other) = (position.targets(), position.board().capturable() ^ position.targets());
    (1 + other.len() as u32, 1 + own.len() as u32)
}
