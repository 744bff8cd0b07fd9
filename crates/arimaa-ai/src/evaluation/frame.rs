use arimaa::{Bitboard, Kind, Side};

use super::Sight;
use super::weights::{FRAMED, PINNED};

/// What the framed pieces of a side and those that keep them alive lose.
#[inline(always)]
pub(super) fn frames(sight: &Sight, side: Side) -> i32 {
    let framed = framed(sight, side);
    if framed.is_empty() {
        return 0;
    }
    let pinned = framed.neighbours() & sight.of[side];
    let mut sum = 0;
    framed.into_iter().for_each(|square| sum += FRAMED[sight.kind_at(square)]);
    pinned.into_iter().for_each(|square| sum += PINNED[sight.kind_at(square)]);
    sum
}

/// The pieces of a side, other than the elephant, that are framed: each stands on a trap with one friend
/// beside it, cannot leave, and is lost when the friend goes (Zhong 2005, 3.6; Hřebejk 2013, 4.8). It
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
