use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Bitboard, Direction};

/// One of the 64 squares, a1 to h8.
///
/// ```
/// # use arimaa::{Direction, Square};
/// let c3: Square = "c3".parse().unwrap();
/// assert_eq!(c3, Square::C3);
/// assert_eq!(c3.step(Direction::North), Some(Square::C4));
/// assert_eq!(Square::A1.step(Direction::West), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! name_squares {
    ($($name:ident)*) => { name_squares!(@ 0, $($name)*); };
    (@ $index:expr, $name:ident $($rest:ident)*) => {
        #[allow(missing_docs, reason = "the name says all")]
        impl Square { pub const $name: Square = Square($index); }
        name_squares!(@ $index + 1, $($rest)*);
    };
    (@ $index:expr,) => {};
}

name_squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// The four traps.
    pub const TRAPS: [Square; 4] = [Square::C3, Square::F3, Square::C6, Square::F6];

    /// The square with that number: a1 is 0, b1 is 1, h8 is 63.
    #[inline]
    pub const fn new(index: usize) -> Option<Square> {
        if index < 64 { Some(Square(index as u8)) } else { None }
    }

    /// The square whose number the six lowest bits hold.
    #[inline]
    pub(crate) const fn from_bits(bits: u16) -> Square {
        Square((bits & 63) as u8)
    }

    /// The square in that column and row, both counted from 0.
    ///
    /// # Panics
    ///
    /// If either is above 7.
    #[inline]
    pub const fn at(column: usize, row: usize) -> Square {
        assert!(column < 8 && row < 8);
        Square((row * 8 + column) as u8)
    }

    /// All squares, a1 first, then along the rows.
    #[inline]
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// All squares in the order of a drawn board: a8 first, h1 last.
    #[inline]
    pub fn drawn() -> impl Iterator<Item = Square> {
        (0..8).rev().flat_map(|row| (0..8).map(move |column| Square::at(column, row)))
    }

    /// The number of the square, below 64.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the type promises.
        (self.0 & 63) as usize
    }

    /// The column, from 0 for a.
    #[inline]
    pub const fn column(self) -> usize {
        self.index() % 8
    }

    /// The row, from 0 for row 1.
    #[inline]
    pub const fn row(self) -> usize {
        self.index() / 8
    }

    /// The neighbour in that direction, if the board goes on there.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Square> {
        self.bit().shift(direction).first()
    }

    /// The neighbour in a direction in which there is known to be one.
    #[inline]
    pub(crate) const fn towards(self, direction: Direction) -> Square {
        const OFFSETS: [u8; 4] = [8, 1, 8u8.wrapping_neg(), 1u8.wrapping_neg()];
        debug_assert!(self.step(direction).is_some());
        Square(self.0.wrapping_add(OFFSETS[direction as usize]) & 63)
    }

    /// The square as the other side sees it: row 1 becomes row 8.
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The direction in which an adjacent square lies.
    #[inline]
    pub fn direction_to(self, other: Square) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.step(direction) == Some(other))
    }

    /// The direction in which a square lies that is known to be beside this one.
    #[inline]
    pub const fn direction_to_neighbour(self, neighbour: Square) -> Direction {
        let offset = neighbour.0 as i8 - self.0 as i8;
        let sideways = (offset & 7 != 0) as u8;
        let back = (offset < 0) as u8;
        Direction::from_bits(back << 1 | sideways)
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.index())
    }

    /// The squares beside it.
    #[inline]
    pub const fn neighbours(self) -> Bitboard {
        const NEIGHBOURS: [Bitboard; 64] = {
            let mut table = [Bitboard::EMPTY; 64];
            let mut index = 0;
            while index < 64 {
                table[index] = Bitboard(1 << index).neighbours();
                index += 1;
            }
            table
        };
        NEIGHBOURS[self.index()]
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let column = (b'a' + self.column() as u8) as char;
        write!(f, "{column}{}", self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a square is a letter from a to h and a digit from 1 to 8, such as e4")]
pub struct SquareError;

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match text.as_bytes() {
            [column @ b'a'..=b'h', row @ b'1'..=b'8'] => {
                Ok(Square::at((column - b'a') as usize, (row - b'1') as usize))
            }
            _ => Err(SquareError),
        }
    }
}
