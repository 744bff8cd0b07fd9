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

/// What a frozen piece loses, by its kind. Frozen rabbits are mostly far ahead, where they are of use.
const FROZEN: [i32; 7] = [0, 0, 22, 40, 45, 97, 0];

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

/// For each side, kind and square, what it is worth to stand there. Each kind's table has the rows as its
/// side counts them, and the columns from the edge to the middle; on average over the games that they were
/// fitted to (`docs/evaluation.md`), the pieces of a kind stand on squares worth 0.
static PLACEMENT: [[[i16; 64]; 7]; 2] = {
    const SQUARES: [[[i16; 4]; 8]; 7] = [
        [[0; 4]; 8],
        [
            [2, 5, 3, 4],
            [7, 7, -14, 12],
            [8, -19, -13, -24],
            [18, 20, -16, -3],
            [-9, -2, -48, -25],
            [-18, 23, -17, -63],
            [45, 17, 66, 32],
            [0, 0, 0, 0],
        ],
        [
            [-5, 1, -13, -6],
            [11, 10, -11, 18],
            [22, -13, 22, -15],
            [13, 18, -9, 26],
            [17, 27, -25, 5],
            [-17, 18, 15, -77],
            [-33, -24, 5, -12],
            [10, 6, -12, -42],
        ],
        [
            [-8, -5, -39, 6],
            [34, 20, -11, 16],
            [3, -9, -2, -20],
            [23, 12, -7, 22],
            [-15, 17, -33, 3],
            [-25, 20, 21, -23],
            [-9, -36, 26, -49],
            [-13, 4, -66, -29],
        ],
        [
            [-27, -56, -61, -30],
            [-7, 5, -2, 21],
            [13, 5, 25, -13],
            [15, 15, -4, 6],
            [-16, 12, -30, 0],
            [-31, 25, -4, -56],
            [-44, -45, -1, -43],
            [-47, -100, -3, -68],
        ],
        [
            [-75, -6, -4, -42],
            [16, 25, 6, 29],
            [10, 1, 27, 1],
            [15, 38, 46, 47],
            [-28, -11, -3, 10],
            [-120, -15, 10, -125],
            [-63, -71, -12, -102],
            [-80, -50, -10, -45],
        ],
        [
            [-83, -67, -79, -34],
            [-85, -82, -53, -31],
            [-81, -21, 53, -13],
            [-78, -23, -2, 9],
            [-32, -21, -5, 6],
            [-59, -38, 9, 20],
            [-63, -22, -12, 38],
            [-77, -53, -33, -9],
        ],
    ];
    let mut table = [[[0; 64]; 7]; 2];
    let mut index = 64;
    while index < 7 * 64 {
        let (kind, square) = (index / 64, index % 64);
        let (row, column) = (square / 8, square % 8);
        let from_edge = if column < 4 { column } else { 7 - column };
        let worth = SQUARES[kind][row][from_edge];
        table[Side::First as usize][kind][square] = worth;
        table[Side::Second as usize][kind][square ^ 56] = worth;
        index += 1;
    }
    table
};
