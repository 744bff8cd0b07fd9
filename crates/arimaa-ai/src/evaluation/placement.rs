use arimaa::{Kind, Side};

use super::Sight;
use super::sight::{index, row};
use super::weights::{self, FROZEN};

/// What the squares are worth on which the pieces of a side stand: by its kind, and above the rabbits by the
/// number of enemies that are stronger as well.
#[inline(always)]
pub(super) fn placement(sight: &Sight, side: Side) -> i32 {
    let enemies = &sight.worth[!side].counts;
    let mut stronger = 0;
    let mut sum = 0;
    for kind in Kind::ALL.into_iter().rev() {
        let squares = &PLACEMENT[side as usize][index(kind)];
        let ranked = match kind {
            Kind::Rabbit => &NOTHING,
            _ => &RANK[side as usize][CLASS[stronger.min(5)]],
        };
        for square in sight.board.kind(kind) & sight.of[side] {
            sum += i32::from(squares[square.index()]) + i32::from(ranked[square.index()]);
        }
        stronger += enemies[kind as usize];
    }
    sum
}

/// Pieces with so many stronger enemies have a table in common.
const CLASS: [usize; 6] = [0, 1, 2, 3, 3, 4];

/// What the frozen pieces of a side lose.
#[inline(always)]
pub(super) fn frozen(sight: &Sight, side: Side) -> i32 {
    let mut sum = 0;
    for square in sight.of[side] & !sight.free[side] {
        sum += FROZEN[sight.kind_at(square)][row(side, square)];
    }
    sum
}

/// What each square is worth, a1 first.
type Squares = [i16; 64];

const NOTHING: Squares = [0; 64];

static PLACEMENT: [[Squares; 6]; 2] = for_both_sides(&weights::PLACEMENT);

static RANK: [[Squares; 5]; 2] = for_both_sides(&weights::RANK);

/// The tables of both sides for every square, from those of half a board.
const fn for_both_sides<const COUNT: usize>(
    halves: &[[[i16; 4]; 8]; COUNT],
) -> [[Squares; COUNT]; 2] {
    let mut tables = [[NOTHING; COUNT]; 2];
    let mut number = 0;
    while number < COUNT * 64 {
        let (table, square) = (number / 64, number % 64);
        let (row, column) = (square / 8, square % 8);
        let from_edge = if column < 4 { column } else { 7 - column };
        let worth = halves[table][row][from_edge];
        tables[Side::First as usize][table][square] = worth;
        tables[Side::Second as usize][table][square ^ 56] = worth;
        number += 1;
    }
    tables
}
