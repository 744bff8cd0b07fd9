use arimaa::{Bitboard, Direction, Square};

/// A number for each square, from 0 to 255. The loops are such that the compiler does many squares at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matrix(pub [u8; 64]);

impl Matrix {
    /// The same number everywhere.
    #[inline]
    pub const fn filled(value: u8) -> Matrix {
        Matrix([value; 64])
    }

    /// The number of a square.
    #[inline]
    pub const fn at(&self, square: Square) -> u8 {
        self.0[square.index()]
    }

    /// Sets the number of a square.
    #[inline]
    pub fn set(&mut self, square: Square, value: u8) {
        self.0[square.index()] = value;
    }

    #[inline]
    fn zip(&self, other: &Matrix, with: impl Fn(u8, u8) -> u8) -> Matrix {
        let mut result = [0; 64];
        for ((result, one), another) in result.iter_mut().zip(&self.0).zip(&other.0) {
            *result = with(*one, *another);
        }
        Matrix(result)
    }

    /// The lesser of both.
    #[inline]
    pub fn min(&self, other: &Matrix) -> Matrix {
        self.zip(other, u8::min)
    }

    /// The greater of both.
    #[inline]
    pub fn max(&self, other: &Matrix) -> Matrix {
        self.zip(other, u8::max)
    }

    /// The sum, at most 255.
    #[inline]
    pub fn plus(&self, other: &Matrix) -> Matrix {
        self.zip(other, u8::saturating_add)
    }

    /// The difference, at least 0.
    #[inline]
    pub fn minus(&self, other: &Matrix) -> Matrix {
        self.zip(other, u8::saturating_sub)
    }

    /// Each number divided.
    #[inline]
    pub fn divided<const BY: u8>(&self) -> Matrix {
        Matrix(self.0.map(|value| value / BY))
    }

    /// The number that a table has for each number, which is at most 15.
    #[inline]
    pub fn mapped(&self, table: &[u8; 16]) -> Matrix {
        let mut result = [0; 64];
        for (result, value) in result.iter_mut().zip(&self.0) {
            *result = table[usize::from(*value & 15)];
        }
        Matrix(result)
    }

    /// 255 on the squares of a set, 0 elsewhere.
    #[inline]
    pub fn mask(squares: Bitboard) -> Matrix {
        const ROWS: [[u8; 8]; 256] = {
            let mut rows = [[0; 8]; 256];
            let mut index = 0;
            while index < 256 * 8 {
                rows[index / 8][index % 8] =
                    if (index / 8) >> (index % 8) & 1 == 1 { 255 } else { 0 };
                index += 1;
            }
            rows
        };
        let mut result = [0; 64];
        for (row, squares) in result.chunks_exact_mut(8).zip(squares.0.to_le_bytes()) {
            row.copy_from_slice(&ROWS[usize::from(squares)]);
        }
        Matrix(result)
    }

    /// The bits that both have.
    #[inline]
    pub fn and(&self, other: &Matrix) -> Matrix {
        self.zip(other, |one, another| one & another)
    }

    /// What `other` has where the mask is 255, and the own numbers where it is 0.
    #[inline]
    pub fn select(&self, mask: &Matrix, other: &Matrix) -> Matrix {
        let mut result = self.0;
        for ((result, mask), other) in result.iter_mut().zip(&mask.0).zip(&other.0) {
            *result = (*result & !mask) | (other & mask);
        }
        Matrix(result)
    }

    /// For each square the number of its neighbour in a direction, `outside` where there is none.
    #[inline]
    pub fn of_neighbour(&self, direction: Direction, outside: u8) -> Matrix {
        let mut result = [outside; 64];
        match direction {
            Direction::North => result[..56].copy_from_slice(&self.0[8..]),
            Direction::South => result[8..].copy_from_slice(&self.0[..56]),
            Direction::East => {
                result[..63].copy_from_slice(&self.0[1..]);
                result.iter_mut().skip(7).step_by(8).for_each(|value| *value = outside);
            }
            Direction::West => {
                result[1..].copy_from_slice(&self.0[..63]);
                result.iter_mut().step_by(8).for_each(|value| *value = outside);
            }
        }
        Matrix(result)
    }

    /// The least number.
    #[inline]
    pub fn least(&self) -> u8 {
        self.0.iter().copied().fold(u8::MAX, u8::min)
    }

    /// The least number of a square's neighbours, except in one direction.
    #[inline]
    pub fn least_beside(&self, square: Square, except: Option<Direction>) -> u8 {
        let ways = Direction::ALL.into_iter().filter(|&way| Some(way) != except);
        let beside = ways.filter_map(|way| square.step(way));
        beside.map(|neighbour| self.at(neighbour)).min().unwrap_or(u8::MAX)
    }

    /// The sum of all numbers.
    #[inline]
    pub fn sum(&self) -> u32 {
        self.0.iter().map(|&value| u32::from(value)).sum()
    }
}
