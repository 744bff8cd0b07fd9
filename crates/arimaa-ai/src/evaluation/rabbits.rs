use arimaa::{Bitboard, GOLD, Side, Square, side};

use super::Sight;
use super::sight::row;
use super::weights::{OPEN_COLUMNS, RABBIT};

/// How the rabbits of a side stand.
#[inline(always)]
pub(super) fn rabbits(sight: &Sight, side: Side) -> i32 {
    let mut sum = OPEN_COLUMNS[open_columns(sight, side) as usize];
    for square in sight.board.rabbits(side) & !side::home(side) {
        let guards = guards_ahead(sight, side, square).len().min(5);
        let frozen = usize::from(!sight.free[side].has(square));
        sum += RABBIT[row(side, square)][guards][frozen];
    }
    sum
}

/// The enemies in the way of a rabbit: ahead of it in its own column and those beside it.
///
/// ```
/// # use arimaa::{Board, GOLD, Square, bitboard};
/// # use arimaa_ai::evaluation::{Sight, guards_ahead};
/// let board: Board = "
///      +-----------------+
///     8| r . r . . . . r |
///     7| . . . c . d . . |
///     6| . R x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . e . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| R . . E . . . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(guards_ahead(&Sight::of_board(&board, GOLD), GOLD, Square::B6), bitboard! {
///     X . X . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
#[inline(always)]
pub fn guards_ahead(sight: &Sight, side: Side, rabbit: Square) -> Bitboard {
    sight.of[!side] & AHEAD[side as usize][rabbit.index()]
}

/// How many columns there are in whose first three rows the side has no rabbit.
///
/// ```
/// # use arimaa::{Board, GOLD, SILVER};
/// # use arimaa_ai::evaluation::{Sight, open_columns};
/// let board: Board = "
///      +-----------------+
///     8| r r r . . r r r |
///     7| . . . . . . . . |
///     6| . . x r . x . . |
///     5| . . . . . . . . |
///     4| R . . . . . . . |
///     3| . R x . . x . . |
///     2| . R . . . . . R |
///     1| . . R . R R . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let sight = Sight::of_board(&board, GOLD);
/// // Gold has none at home in the columns a, d and g, Silver none in e.
/// assert_eq!((open_columns(&sight, GOLD), open_columns(&sight, SILVER)), (3, 1));
/// ```
#[inline(always)]
pub fn open_columns(sight: &Sight, side: Side) -> u32 {
    let rabbits = sight.board.rabbits(side).0;
    let [one, two, three, ..] =
        if side == GOLD { rabbits.to_le_bytes() } else { rabbits.to_be_bytes() };
    (one | two | three).count_zeros()
}

/// For each side and square, the squares ahead in the same column and in those beside it.
static AHEAD: [[Bitboard; 64]; 2] = {
    let mut tables = [[Bitboard::EMPTY; 64]; 2];
    let mut index = 0;
    while let Some(square) = Square::new(index) {
        let mut ahead = 0;
        let mut row = square.row() + 1;
        while row < 8 {
            let middle = Square::at(square.column(), row).bit();
            ahead |= middle.0 | (middle.neighbours().0 & Bitboard::row(row).0);
            row += 1;
        }
        tables[0][index] = Bitboard(ahead);
        tables[1][square.mirrored().index()] = Bitboard(ahead.swap_bytes());
        index += 1;
    }
    tables
};
