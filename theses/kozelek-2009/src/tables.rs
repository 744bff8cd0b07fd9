//! What pieces and squares are worth to Akimot, in hundredths of a rabbit.

use arimaa::{Kind, Side, Square};

/// What a piece is worth, by [`Kind`]; nothing at 0.
pub(crate) const MATERIAL: [i32; 7] = [0, 100, 250, 300, 800, 1100, 1800];

/// What it costs besides to have so many rabbits left.
pub(crate) const RABBITS: [i32; 9] = [-10_000, -500, -400, -200, -150, -50, -20, 0, 0];

/// The left half of a table, the goal row first; the right half is its mirror image.
type Drawn = [[i8; 4]; 8];

const ELEPHANT: Drawn = [
    [0, 1, 1, 2],
    [1, 2, 2, 3],
    [2, 4, -4, 10],
    [3, 8, 12, 12],
    [3, 8, 12, 10],
    [2, 4, -4, 10],
    [1, 2, 2, 3],
    [0, 1, 1, 2],
];

/// Of the camel and the horses.
const STRONG: Drawn = [
    [-2, -1, 0, 1],
    [-1, 0, 1, 2],
    [0, 1, -5, 3],
    [1, 2, 3, 4],
    [2, 3, 4, 5],
    [1, 2, 3, 4],
    [0, 1, 2, 3],
    [-1, 0, 1, 2],
];

/// Of the dogs and the cats.
const WEAK: Drawn = [
    [-4, -6, -6, -6],
    [-7, -8, -10, -9],
    [-9, -10, -12, -11],
    [-6, -8, -9, -9],
    [-3, -5, -6, -6],
    [-1, -1, -2, -3],
    [1, 2, 4, 2],
    [0, 1, 1, 1],
];

const RABBIT: Drawn = [
    [0, 0, 0, 0],
    [-14, -16, -8, -16],
    [-16, -10, -16, -10],
    [-8, -12, -12, -12],
    [-5, -8, -8, -8],
    [-3, -5, -6, -6],
    [-1, -2, -1, -4],
    [0, 0, 0, 0],
];

const LATE_RABBIT: Drawn = [
    [0, 0, 0, 0],
    [25, 25, 25, 25],
    [20, 20, 20, 20],
    [16, 15, 14, 14],
    [8, 7, 6, 6],
    [4, 3, 2, 2],
    [2, 1, 1, 1],
    [0, 0, 0, 0],
];

/// What a square is worth to a piece, by side, kind and square.
pub(crate) type Squares = [[[i8; 64]; 7]; 2];

/// Before the end of a game, and in it, where rabbits go ahead.
pub(crate) static SQUARES: [Squares; 2] = [squares(RABBIT), squares(LATE_RABBIT)];

const fn squares(rabbit: Drawn) -> Squares {
    let mut tables = [[[0; 64]; 7]; 2];
    let mut kind = 0;
    while kind < 6 {
        let drawn = match Kind::ALL[kind] {
            Kind::Rabbit => rabbit,
            Kind::Cat | Kind::Dog => WEAK,
            Kind::Horse | Kind::Camel => STRONG,
            Kind::Elephant => ELEPHANT,
        };
        let mut index = 0;
        while let Some(square) = Square::new(index) {
            let column = if square.column() < 4 { square.column() } else { 7 - square.column() };
            let value = drawn[7 - square.row()][column];
            tables[Side::First as usize][Kind::ALL[kind] as usize][index] = value;
            tables[Side::Second as usize][Kind::ALL[kind] as usize][square.mirrored().index()] =
                value;
            index += 1;
        }
        kind += 1;
    }
    tables
}
