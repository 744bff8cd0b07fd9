use arimaa::{Bitboard, Kind, Side};

use super::Sight;
use super::placement::sum_by_kind;
use crate::zhong::blockade;

/// What the blockade of an elephant costs, by its level: the figures of the appendix of seed 001.
const ELEPHANT: [i32; 6] = [0, 5, 10, 30, 50, 80];

/// What it costs another piece to be shut in, by its kind.
const SHUT_IN: [i32; 7] = [0, 0, 0, 0, 10, 20, 0];

/// What the blockades of a side's strong pieces cost it: of the elephant by the levels of
/// [`blockade`], of others if they are [`shut_in`].
#[inline(always)]
pub(super) fn blockades(sight: &Sight, side: Side) -> i32 {
    let level = blockade(&sight.board, side);
    -ELEPHANT[usize::from(level)] - sum_by_kind(sight, shut_in(sight, side), &SHUT_IN)
}

/// The camel and the horses of a side that are not frozen and yet have nowhere to go: no empty square is
/// beside them, no friend that could make room, and no weaker enemy with an empty square beside it
/// to be pushed to.
///
/// Silver's rabbits shut the camel in; if the one of a6 went, it could push the one of a7:
///
/// ```
/// # use arimaa::{Bitboard, Board, GOLD, Square};
/// # use arimaa_ai::evaluation::{Sight, shut_in};
/// let mut board: Board = "
///      +-----------------+
///     8| M r r . . . . . |
///     7| r r . . . . . . |
///     6| r . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| R . . . . . . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(shut_in(&Sight::of_board(&board, GOLD), GOLD), Square::A8.bit());
/// board.take(Square::A6);
/// assert_eq!(shut_in(&Sight::of_board(&board, GOLD), GOLD), Bitboard::EMPTY);
/// ```
#[inline(always)]
pub fn shut_in(sight: &Sight, side: Side) -> Bitboard {
    let Sight { board, empty, .. } = sight;
    let strong = board.kind(Kind::Camel) | board.kind(Kind::Horse);
    let hemmed = strong & sight.free[side] & !(*empty | sight.of[side]).neighbours();
    let mut shut_in = Bitboard::EMPTY;
    for square in hemmed {
        let weaker = square.neighbours() & board.weaker_beside(square.bit());
        if !weaker.meets(empty.neighbours()) {
            shut_in |= square.bit();
        }
    }
    shut_in
}
