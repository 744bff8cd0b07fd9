use std::ops::ControlFlow;

use arimaa::{Bitboard, Board, Mobility, Side, Step, Turn};
use game::Steps;

use crate::{captures, goal};

/// A way to win within a turn: the least steps that do it, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Win {
    /// How many steps of the turn it takes, a push or a pull counted as two.
    pub steps: Steps,
    /// Those steps.
    pub turn: Turn,
}

impl Win {
    /// The game is won as it stands.
    pub(crate) const NOW: Win = Win { steps: Steps(0), turn: Turn::EMPTY };
}

/// The shorter one of [`goal`] and [`elimination`]; of equal ones, the goal.
#[inline]
pub fn win(board: &Board, side: Side, steps: Steps) -> Option<Win> {
    let goal = goal(board, side, steps);
    let shorter = goal.map_or(steps, |goal| Steps(goal.steps.0.saturating_sub(1)));
    elimination(board, side, shorter).or(goal)
}

/// The least steps after which the enemy has no rabbit left: none if it has none already.
///
/// Each capture takes a push or a pull, which captures one enemy at most: two rabbits are the most that
/// a turn can take.
#[inline]
pub fn elimination(board: &Board, side: Side, steps: Steps) -> Option<Win> {
    let rabbits = board.rabbits(!side);
    if rabbits.meets(!CAPTURABLE) {
        return None;
    }
    match rabbits.len() {
        0 => Some(Win::NOW),
        1 => last_rabbit(board, side, steps),
        2 => last_two_rabbits(board, side, steps),
        _ => None,
    }
}

/// The squares from which a piece can be captured within a turn: the traps, and two steps around.
pub(crate) const CAPTURABLE: Bitboard = {
    let near = Bitboard(Bitboard::TRAPS.0 | Bitboard::TRAPS.neighbours().0);
    Bitboard(near.0 | near.neighbours().0)
};

fn last_rabbit(board: &Board, side: Side, steps: Steps) -> Option<Win> {
    let rabbits = board.rabbits(!side);
    let captures = captures(board, side, steps);
    let of_rabbit = captures.iter().filter(|capture| rabbits.has(capture.square));
    let best = of_rabbit.min_by_key(|capture| (capture.steps, capture.lost))?;
    Some(Win { steps: best.steps, turn: best.turn })
}

fn last_two_rabbits(board: &Board, side: Side, steps: Steps) -> Option<Win> {
    if steps < Steps(4) {
        return None;
    }
    let mut turn = None;
    let _ = takes_rabbit(board, side, |first, board| {
        takes_rabbit(board, side, |second, _| {
            turn = Some(Turn::EMPTY.then(first).then(second));
            ControlFlow::Break(())
        })
    });
    turn.map(|turn| Win { steps: Steps(4), turn })
}

/// Calls `visit` with each push and pull that captures an enemy rabbit, and the board after it.
fn takes_rabbit(
    board: &Board,
    side: Side,
    mut visit: impl FnMut(Step, &Board) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let rabbits = board.rabbits(!side).len();
    Mobility::new(board, side).for_each_push_and_pull(&mut |step| {
        let after = board.after(step);
        match after.rabbits(!side).len() < rabbits {
            true => visit(step, &after),
            false => ControlFlow::Continue(()),
        }
    })
}
