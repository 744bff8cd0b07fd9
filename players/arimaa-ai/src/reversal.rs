//! Turns that the enemy takes back (Zhong 2005, 4.4): it has lost nothing, and may have steps to spare.

use std::ops::ControlFlow;

use arimaa::{Board, Mobility, Side, Step};
use game::Steps;

/// Whether the enemy of `side` can bring back the board at the `start` of its turn from the one `after`
/// it, with no more `steps` than the turn has used.
///
/// ```
/// # use arimaa::{GOLD, Position};
/// # use arimaa_ai::reversal::is_reversible;
/// # use game::Steps;
/// let board = |text: &str| *text.parse::<Position>().unwrap().board();
/// let start = board("
///      +-----------------+
///     8| r . . . . . . . |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . E h . . . . . |
///     1| R . . . . . . . |
///      +-----------------+
///        a b c d e f g h
/// ");
/// // The elephant has pushed the horse and gone back, three steps …
/// let after = board("
///      +-----------------+
///     8| r . . . . . . . |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . E . h . . . . |
///     1| R . . . . . . . |
///      +-----------------+
///        a b c d e f g h
/// ");
/// // … and the horse returns with one.
/// assert!(is_reversible(&start, &after, GOLD, Steps(3)));
/// ```
pub fn is_reversible(start: &Board, after: &Board, side: Side, steps: Steps) -> bool {
    let moved = after.differences(start);
    // Each piece of the side that stands elsewhere takes a push or a pull.
    let pushed = (moved & after.of(side)).len();
    let is_possible = start.occupied().len() == after.occupied().len()
        && moved.len() <= 2 * usize::from(steps.0)
        && 2 * pushed <= usize::from(steps.0);
    is_possible && can_become(after, start, !side, steps.0)
}

/// Whether `side` can turn one board into another.
fn can_become(board: &Board, other: &Board, side: Side, steps: u8) -> bool {
    let differences = board.differences(other);
    if differences.is_empty() {
        return true;
    }
    // A step changes two squares, a push or a pull three.
    if differences.len() > 2 * usize::from(steps) {
        return false;
    }
    let mut attempt =
        |step: Step| match can_become(&board.after(step), other, side, steps - step.cost().0) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
    let mobility = Mobility::new(board, side);
    mobility.for_each_single(&mut attempt).is_break()
        || steps >= 2 && mobility.for_each_push_and_pull(&mut attempt).is_break()
}
