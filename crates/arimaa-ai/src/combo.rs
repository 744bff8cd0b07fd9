//! Step combos (Zhong 2005, 4.3.1): steps of a turn that belong together.

use arimaa::{Bitboard, Form, Position, Step, Turn};

/// Whether a step takes back the one before it, both legal one after the other from the position
/// `before`: the board is the same as if neither had been played.
#[inline]
pub fn undoes(before: &Position, first: Step, second: Step) -> bool {
    let is_back = (first.from(), first.to()) == (second.to(), second.from());
    is_back
        && [first, second].iter().all(|step| step.form() == Form::Single)
        && before.board().after(first).after(second) == *before.board()
}

/// Whether a step needs the one before it, both legal one after the other from the position `before`, or
/// would do something else without. A pass belongs to whatever was played.
///
/// ```
/// # use arimaa::{Direction::*, Position, Square, Step};
/// # use arimaa_ai::combo::{follows, undoes};
/// let before: Position = "
///      +-----------------+
///     8| r . . . . . . . |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| m C x . . x . . |
///     2| . . H . . . . . |
///     1| R . . . . . . R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let horse = Step::single(Square::C2, West);
/// // The cat beside the camel is frozen until the horse stands beside it.
/// assert!(follows(&before, horse, Step::single(Square::B3, North)));
/// // The rabbit far away is not concerned.
/// assert!(!follows(&before, horse, Step::single(Square::H1, North)));
/// assert!(undoes(&before, horse, Step::single(Square::B2, East)));
/// ```
pub fn follows(before: &Position, first: Step, second: Step) -> bool {
    if second == Step::PASS {
        return true;
    }
    // A step changes what happens two squares away at most: it takes the support of a piece on a trap,
    // and so the friend of another one beside that trap.
    let reach = squares(first).neighbours() | squares(first);
    if !(reach.neighbours() | reach).meets(squares(second)) {
        return false;
    }
    let (board, side) = (before.board(), before.side());
    if !board.allows(side, second) {
        return true;
    }
    let without = board.after(second);
    !without.allows(side, first) || without.after(first) != board.after(first).after(second)
}

fn squares(step: Step) -> Bitboard {
    Turn::EMPTY.then(step).squares()
}
