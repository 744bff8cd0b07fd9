use arimaa::{Board, Side, Turn};
use game::Steps;

/// A way to win within a turn: the least steps that do it, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Win {
    /// How many steps of the turn it takes, a push or a pull counted as two.
    pub steps: Steps,
    /// Those steps.
    pub turn: Turn,
}

/// The least steps after which the side has captured all rabbits of the enemy.
pub fn elimination(_board: &Board, _side: Side, _steps: Steps) -> Option<Win> {
    None
}

/// The shorter one of [`crate::goal`] and [`elimination`].
pub fn win(board: &Board, side: Side, steps: Steps) -> Option<Win> {
    let goal = crate::goal(board, side, steps);
    let elimination = elimination(board, side, steps);
    match (goal, elimination) {
        (Some(goal), Some(elimination)) if elimination.steps < goal.steps => Some(elimination),
        (None, elimination) => elimination,
        (goal, _) => goal,
    }
}
