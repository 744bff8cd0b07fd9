use arimaa::{Hunt, Step, Turn, WHOLE_TURN};
use game::{Position as _, Score, Steps};
use search::Knowledge;

use crate::{Sense, captures, win};

/// What a search is told about a [`Hunt`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Chase;

impl Chase {
    /// A turn with which the side to move wins the hunt with so many steps.
    fn winning_turn(hunt: &Hunt, steps: Steps) -> Option<Turn> {
        let (board, side) = (hunt.position().board(), hunt.side());
        if side != hunt.hunter() {
            // It wins the game; the quarry may even fall on the way.
            return Some(win(board, side, steps)?.turn);
        }
        let square = hunt.quarry()?;
        let captures = captures(board, side, steps);
        let captures = captures.iter().filter(|capture| capture.square == square);
        captures.map(|capture| capture.turn).find(|&turn| Chase::is_won_by(hunt, turn))
    }

    /// Whether the hunter has won when the turn is over: it may have lost the game.
    fn is_won_by(hunt: &Hunt, turn: Turn) -> bool {
        let mut after = *hunt;
        turn.steps().for_each(|step| after.play(step));
        if after.side() == hunt.side() {
            after.play(Step::PASS);
        }
        after.winner() == Some(hunt.hunter())
    }
}

impl Knowledge<Hunt> for Chase {
    type Scratch = ();

    const WHOLE_TURN: Steps = WHOLE_TURN;

    fn evaluate(&self, _: &Hunt, _: &mut ()) -> Score {
        Score(0)
    }

    fn winning_steps(&self, hunt: &Hunt) -> Option<Vec<Step>> {
        let turn = Chase::winning_turn(hunt, hunt.position().steps_left())?;
        Some(turn.steps().collect())
    }

    fn promise(&self, hunt: &Hunt, step: Step) -> i32 {
        Sense::default().promise(hunt.position(), step)
    }
}
