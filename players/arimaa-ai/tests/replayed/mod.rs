//! Turns that a routine found, played out with a look at each step.
#![allow(dead_code, reason = "each test file uses its own part")]

use arimaa::{Board, Position, Side, Square, Step, Turn};
use arimaa_ai::Win;
use game::Steps;

use test_support::Origins;

/// A board after the steps of a turn.
pub struct Replayed {
    pub board: Board,
    /// What the steps cost.
    pub cost: Steps,
    /// The pieces that the last step took: where they stood before the turn, and the trap.
    pub taken: Vec<(Square, Square)>,
}

/// Plays a turn from its start, with a look at the legality of each step.
pub fn replay(board: &Board, side: Side, turn: Turn) -> Result<Replayed, String> {
    let mut position = Position::new(*board, side);
    let mut origins = Origins::of(board);
    let (mut cost, mut taken) = (0, Vec::new());
    for step in turn.steps() {
        if step == Step::PASS || position.side() != side {
            return Err(format!("{turn:?}: {step:?} is no step of the turn"));
        }
        position.try_play(step).map_err(|error| format!("{turn:?}: {step:?}: {error}"))?;
        cost += step.cost().0;
        let is_there = |square| position.board().occupied().has(square);
        taken = origins.follow(step.moves(), is_there);
    }
    Ok(Replayed { board: *position.board(), cost: Steps(cost), taken })
}

/// The steps of a win, if its turn is legal, costs them, and wins as `is_won` wants it.
pub fn check_win(
    board: &Board,
    side: Side,
    win: Option<Win>,
    is_won: impl Fn(&Board) -> bool,
) -> Result<Option<u8>, String> {
    let Some(win) = win else { return Ok(None) };
    let replayed = replay(board, side, win.turn)?;
    if replayed.cost != win.steps {
        return Err(format!("{win:?} costs {} steps", replayed.cost));
    }
    if !is_won(&replayed.board) {
        return Err(format!("{win:?} does not win"));
    }
    Ok(Some(win.steps.0))
}
