use arimaa::{Bitboard, Kind, Side};

use super::Sight;
use super::placement::sum_by_kind;

/// What a framed piece loses, by its kind.
const FRAMED: [i32; 7] = [0, 50, 70, 120, 150, 180, 0];

/// What is lost because the only friend beside it has to stay, by the kind of that friend. An elephant
/// that cannot go is a big handicap, a weaker piece will be driven off (seed 004, 4.8).
const PINNED: [i32; 7] = [0, 66, 66, 66, 10, 15, 100];

/// What the framed pieces of a side and those that keep them alive lose.
#[inline(always)]
pub(super) fn frames(sight: &Sight, side: Side) -> i32 {
    let framed = framed(sight, side);
    if framed.is_empty() {
        return 0;
    }
    let pinned = framed.neighbours() & sight.of[side];
    -sum_by_kind(sight, framed, &FRAMED) - sum_by_kind(sight, pinned, &PINNED)
}

/// The pieces of a side, other than the elephant, that are framed: each stands on a trap with one friend
/// beside it, cannot leave, and is lost when the friend goes (seed 001, 3.6; seed 004, 4.8). It
/// cannot leave if enemies are on its other sides, each at least as strong or with no empty square
/// beside it to be pushed to.
///
/// The dog of f3 keeps the cat in place. On c6 the horse could push the dog of b6 to a6, and would take
/// itself off the trap:
///
/// ```
/// # use arimaa::{Board, GOLD, Square};
/// # use arimaa_ai::evaluation::{Sight, framed};
/// let board: Board = "
///      +-----------------+
///     8| r r r . . r r r |
///     7| . . h . . . . . |
///     6| . d H E . x . . |
///     5| . . e . . . . . |
///     4| . . . . . h . . |
///     3| . . x . m D d . |
///     2| . . . . . C . . |
///     1| R R R . . R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(framed(&Sight::of_board(&board, GOLD), GOLD), Square::F3.bit());
/// ```
#[inline(always)]
pub fn framed(sight: &Sight, side: Side) -> Bitboard {
    let trapped = sight.of[side] & Bitboard::TRAPS & !sight.board.kind(Kind::Elephant);
    let mut framed = Bitboard::EMPTY;
    for trap in trapped {
        let around = trap.neighbours();
        let enemies = around & sight.of[!side];
        let stuck = !around.meets(sight.empty) && (around & sight.of[side]).is_single();
        let weaker = enemies & sight.board.weaker_beside(trap.bit());
        if stuck && !weaker.meets(sight.empty.neighbours()) {
            framed |= trap.bit();
        }
    }
    framed
}
