use arimaa::{Bitboard, Kind, Side};

use super::Sight;

/// What the squares are worth on which the pieces of a side stand.
#[inline(always)]
pub(super) fn placement(sight: &Sight, side: Side) -> i32 {
    let tables = &PLACEMENT[side as usize];
    let mut sum = 0;
    for kind in Kind::ALL {
        let squares = &tables[kind as usize];
        for square in sight.board.kind(kind) & sight.of[side] {
            sum += i32::from(squares[square.index()]);
        }
    }
    sum
}

/// What a frozen piece loses, by its kind.
const FROZEN: [i32; 7] = [0, 5, 9, 12, 22, 40, 0];

/// What the frozen pieces of a side lose.
#[inline(always)]
pub(super) fn frozen(sight: &Sight, side: Side) -> i32 {
    let frozen = sight.of[side] & !sight.free[side];
    -sum_by_kind(sight, frozen, &FROZEN)
}

/// The sum of what the kinds of the pieces on those squares are worth.
#[inline(always)]
pub(super) fn sum_by_kind(sight: &Sight, squares: Bitboard, weights: &[i32; 7]) -> i32 {
    let mut sum = 0;
    for square in squares {
        sum += sight.board.piece_at(square).map_or(0, |piece| weights[piece.kind as usize]);
    }
    sum
}

/// For each side, kind and square, what it is worth to stand there: a part for the row, as the side
/// counts it, a part for the nearness to the centre, less on a trap.
static PLACEMENT: [[[i16; 64]; 7]; 2] = {
    const ROWS: [[i16; 8]; 7] = [
        [0; 8],
        [3, 3, 0, -5, -6, 8, 35, 0],
        [0, 5, 7, 2, -5, -10, -15, -16],
        [0, 5, 7, 2, -5, -10, -15, -16],
        [0, 3, 7, 12, 14, 12, 5, 0],
        [0, 4, 9, 15, 13, 8, 3, 0],
        [0, 4, 9, 19, 22, 17, 10, 3],
    ];
    const CENTRE: [i16; 7] = [0, -2, 2, 2, 2, 4, 10];
    const ON_TRAP: [i16; 7] = [0, -20, -20, -20, -20, -20, -10];
    let mut table = [[[0; 64]; 7]; 2];
    let mut index = 64;
    while index < 7 * 64 {
        let (kind, square) = (index / 64, index % 64);
        let (row, column) = (square / 8, square % 8);
        let from_edge = if column < 4 { column } else { 7 - column };
        let mut worth = ROWS[kind][row] + CENTRE[kind] * from_edge as i16;
        if Bitboard::TRAPS.0 >> square & 1 != 0 {
            worth += ON_TRAP[kind];
        }
        table[Side::First as usize][kind][square] = worth;
        table[Side::Second as usize][kind][square ^ 56] = worth;
        index += 1;
    }
    table
};
