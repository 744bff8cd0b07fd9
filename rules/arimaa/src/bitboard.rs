use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Direction, Square};

/// A set of squares, one bit each.
///
/// ```
/// # use arimaa::{bitboard, Bitboard, Square};
/// assert_eq!(Square::C3.neighbours(), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . X . . . . .
///     . X . X . . . .
///     . . X . . . . .
///     . . . . . . . .
/// });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

/// A drawn [`Bitboard`](crate::Bitboard), checked at compile time: row 8 at the top, `X` for a
/// square of the set and `.` for any other.
#[macro_export]
macro_rules! bitboard {
    ($($drawing:tt)*) => {
        const { $crate::Bitboard::from_drawing(stringify!($($drawing)*)) }
    };
}

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);

    /// All squares.
    pub const ALL: Bitboard = Bitboard(!0);

    /// The traps: c3, f3, c6 and f6.
    pub const TRAPS: Bitboard = bitboard! {
        . . . . . . . .
        . . . . . . . .
        . . X . . X . .
        . . . . . . . .
        . . . . . . . .
        . . X . . X . .
        . . . . . . . .
        . . . . . . . .
    };

    const COLUMN_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    const COLUMN_H: Bitboard = Bitboard(0x8080_8080_8080_8080);

    /// The set that [`bitboard!`](crate::bitboard) draws.
    ///
    /// # Panics
    ///
    /// If there are not 64 marks.
    #[doc(hidden)]
    #[inline]
    pub const fn from_drawing(drawing: &str) -> Bitboard {
        let drawing = drawing.as_bytes();
        let mut bits = 0u64;
        let mut marks = 0;
        let mut at = 0;
        while at < drawing.len() {
            if matches!(drawing[at], b'X' | b'.') {
                assert!(marks < 64, "a drawn bitboard has 64 marks");
                // The first mark is a8, the eighth h8, the last h1.
                let square = (7 - marks / 8) * 8 + marks % 8;
                bits |= ((drawing[at] == b'X') as u64) << square;
                marks += 1;
            } else {
                assert!(drawing[at].is_ascii_whitespace(), "a bitboard is drawn with X and .");
            }
            at += 1;
        }
        assert!(marks == 64, "a drawn bitboard has 64 marks");
        Bitboard(bits)
    }

    /// The squares of a row, counted from 0.
    #[inline]
    pub const fn row(row: usize) -> Bitboard {
        Bitboard(0xFF << (8 * row))
    }

    /// Every square moved one step; those that would leave the board are dropped.
    #[inline]
    pub const fn shift(self, direction: Direction) -> Bitboard {
        Bitboard(match direction {
            Direction::North => self.0 << 8,
            Direction::East => (self.0 & !Bitboard::COLUMN_H.0) << 1,
            Direction::South => self.0 >> 8,
            Direction::West => (self.0 & !Bitboard::COLUMN_A.0) >> 1,
        })
    }

    /// Every square beside one of the set.
    #[inline]
    pub const fn neighbours(self) -> Bitboard {
        Bitboard(
            self.shift(Direction::North).0
                | self.shift(Direction::East).0
                | self.shift(Direction::South).0
                | self.shift(Direction::West).0,
        )
    }

    /// Every square that is beside one of the set, except in that direction from it.
    #[inline]
    pub const fn neighbours_but(self, direction: Direction) -> Bitboard {
        let mut beside = Bitboard::EMPTY;
        let mut index = 0;
        while index < 4 {
            if Direction::ALL[index] as u8 != direction as u8 {
                beside.0 |= self.shift(Direction::ALL[index]).0;
            }
            index += 1;
        }
        beside
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the sets share a square.
    #[inline]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The square with the lowest number.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        Square::new(self.0.trailing_zeros() as usize)
    }

    /// Whether there is exactly one square in the set.
    #[inline]
    pub const fn is_single(self) -> bool {
        self.0 != 0 && self.0 & (self.0 - 1) == 0
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], from a1 along the rows.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bit())
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Bitboard {
    /// Draws the set as [`bitboard!`](crate::bitboard) reads it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for square in Square::drawn() {
            let mark = if self.has(square) { 'X' } else { '.' };
            let end = if square.column() == 7 { '\n' } else { ' ' };
            write!(f, "{mark}{end}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "bitboard! {{\n{self}}}")
    }
}
