use arimaa::{Bitboard, GOLD, Kind, Side};

use super::Sight;

/// What a camel and a horse gain by having gone ahead where no stronger enemy is near.
const AT_LARGE: [i32; 2] = [71, 50];

/// What they lose by it where one is.
const EXPOSED: [i32; 2] = [60, -10];

/// The strong pieces that go ahead.
const STRONG: [Kind; 2] = [Kind::Camel, Kind::Horse];

/// What the camel and the horses of a side make of having gone ahead.
#[inline(always)]
pub(super) fn advance(sight: &Sight, side: Side) -> i32 {
    let (ahead, exposed) = (advanced(sight, side), exposed(sight, side));
    let mut sum = 0;
    for ((kind, at_large), risk) in STRONG.into_iter().zip(AT_LARGE).zip(EXPOSED) {
        let pieces = ahead & sight.board.kind(kind);
        sum += at_large * (pieces & !exposed).len() as i32 - risk * (pieces & exposed).len() as i32;
    }
    sum
}

/// The camel and the horses of a side that have left its three rows and are not frozen.
#[inline(always)]
pub fn advanced(sight: &Sight, side: Side) -> Bitboard {
    let strong = sight.board.kind(Kind::Camel) | sight.board.kind(Kind::Horse);
    strong & sight.free[side] & ahead(side)
}

/// Those of them that have a stronger enemy within three steps: it comes beside them with a turn, and has
/// one left to pull them.
///
/// The elephant of e6 is near the camel of d4, the camel of a8 is not near the horse of b5, and the horse
/// of g3 has not gone ahead:
///
/// ```
/// # use arimaa::{Board, GOLD, Square};
/// # use arimaa_ai::evaluation::{Sight, advanced, exposed};
/// let board: Board = "
///      +-----------------+
///     8| m r r . . r r r |
///     7| . . . . . . . . |
///     6| . . x . e x . . |
///     5| . H . . . . . . |
///     4| . . . M . . . . |
///     3| . . x . . x H . |
///     2| . . . . . . . . |
///     1| R R R . . R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let sight = Sight::of_board(&board, GOLD);
/// assert_eq!(advanced(&sight, GOLD), Square::D4.bit() | Square::B5.bit());
/// assert_eq!(exposed(&sight, GOLD), Square::D4.bit());
/// ```
#[inline(always)]
pub fn exposed(sight: &Sight, side: Side) -> Bitboard {
    let ahead = advanced(sight, side);
    let mut exposed = Bitboard::EMPTY;
    for kind in STRONG {
        let pieces = ahead & sight.board.kind(kind);
        if !pieces.is_empty() {
            let stronger = sight.board.above(kind) & sight.of[!side];
            let one = stronger.neighbours();
            let two = one | one.neighbours();
            exposed |= pieces & (two | two.neighbours());
        }
    }
    exposed
}

/// The rows beyond the first three of a side.
const fn ahead(side: Side) -> Bitboard {
    match side {
        GOLD => Bitboard(0xFFFF_FFFF_FF00_0000),
        _ => Bitboard(0x0000_00FF_FFFF_FFFF),
    }
}
