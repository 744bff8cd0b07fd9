//! A number for each square, one board at a time: as bytes that can be read one by one, and as what is computed with.

use arimaa::{Bitboard, Direction, Square};

/// A number for each square, from 0 to 255.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
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

    /// The numbers of a square's neighbours, 255 where there is none.
    #[inline(always)]
    pub fn beside(&self, square: Square) -> [u8; 4] {
        let (index, row, column) = (square.index(), square.row(), square.column());
        let at = |is_there: bool, index: usize| if is_there { self.0[index & 63] } else { u8::MAX };
        [
            at(row < 7, index + 8),
            at(column < 7, index + 1),
            at(row > 0, index.wrapping_sub(8)),
            at(column > 0, index.wrapping_sub(1)),
        ]
    }

    /// The least number of a square's neighbours, except in one direction.
    #[inline(always)]
    pub fn least_beside(&self, square: Square, except: Option<Direction>) -> u8 {
        let mut beside = self.beside(square);
        if let Some(way) = except {
            beside[way as usize] = u8::MAX;
        }
        let [n, e, s, w] = beside;
        n.min(e).min(s.min(w))
    }
}

/// What is computed with the numbers of all squares at once: [`Matrix`] itself on any processor.
pub trait Numbers: Copy {
    /// The same number everywhere.
    fn filled(value: u8) -> Self;

    /// Those of a matrix.
    fn load(matrix: &Matrix) -> Self;

    /// As a matrix.
    fn store(self) -> Matrix;

    /// The lesser of both.
    fn min(self, other: Self) -> Self;

    /// The greater of both.
    fn max(self, other: Self) -> Self;

    /// The sum, at most 255.
    fn plus(self, other: Self) -> Self;

    /// The difference, at least 0.
    fn minus(self, other: Self) -> Self;

    /// Each number divided by two so often.
    fn halved<const TIMES: u32>(self) -> Self;

    /// The number that a table has for each number, which is at most 15.
    fn mapped(self, table: &[u8; 16]) -> Self;

    /// What `other` has on the squares of a set, and the own numbers elsewhere.
    fn select(self, squares: Bitboard, other: Self) -> Self;

    /// For each square the number of its neighbour in a direction, `outside` where there is none.
    fn of_neighbour(self, direction: Direction, outside: u8) -> Self;

    /// The least number.
    fn least(self) -> u8;

    /// The sum of all numbers.
    fn sum(self) -> u32;

    /// The numbers of 16 squares, by their indices.
    fn gathered(self, squares: &[u8; 64]) -> [u8; 16];

    /// The same with another number on a square.
    #[inline(always)]
    fn with(self, square: Square, value: u8) -> Self {
        self.select(square.bit(), Self::filled(value))
    }

    /// The numbers on the squares of a set, 0 elsewhere.
    #[inline(always)]
    fn masked(self, squares: Bitboard) -> Self {
        Self::filled(0).select(squares, self)
    }
}

impl Matrix {
    #[inline]
    fn zip(&self, other: &Matrix, with: impl Fn(u8, u8) -> u8) -> Matrix {
        let mut result = [0; 64];
        for ((result, one), another) in result.iter_mut().zip(&self.0).zip(&other.0) {
            *result = with(*one, *another);
        }
        Matrix(result)
    }

    /// 255 on the squares of a set, 0 elsewhere.
    #[inline]
    fn mask(squares: Bitboard) -> Matrix {
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
}

/// The loops are such that the compiler does many squares at once.
impl Numbers for Matrix {
    #[inline]
    fn filled(value: u8) -> Matrix {
        Matrix::filled(value)
    }

    #[inline]
    fn load(matrix: &Matrix) -> Matrix {
        *matrix
    }

    #[inline]
    fn store(self) -> Matrix {
        self
    }

    #[inline]
    fn min(self, other: Matrix) -> Matrix {
        self.zip(&other, u8::min)
    }

    #[inline]
    fn max(self, other: Matrix) -> Matrix {
        self.zip(&other, u8::max)
    }

    #[inline]
    fn plus(self, other: Matrix) -> Matrix {
        self.zip(&other, u8::saturating_add)
    }

    #[inline]
    fn minus(self, other: Matrix) -> Matrix {
        self.zip(&other, u8::saturating_sub)
    }

    #[inline]
    fn halved<const TIMES: u32>(self) -> Matrix {
        Matrix(self.0.map(|value| value >> TIMES))
    }

    #[inline]
    fn mapped(self, table: &[u8; 16]) -> Matrix {
        Matrix(self.0.map(|value| table[usize::from(value & 15)]))
    }

    #[inline]
    fn select(self, squares: Bitboard, other: Matrix) -> Matrix {
        let mut result = self.0;
        let mask = Matrix::mask(squares);
        for ((result, mask), other) in result.iter_mut().zip(&mask.0).zip(&other.0) {
            *result = (*result & !mask) | (other & mask);
        }
        Matrix(result)
    }

    #[inline]
    fn of_neighbour(self, direction: Direction, outside: u8) -> Matrix {
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

    #[inline]
    fn least(self) -> u8 {
        self.0.iter().copied().fold(u8::MAX, u8::min)
    }

    #[inline]
    fn sum(self) -> u32 {
        self.0.iter().map(|&value| u32::from(value)).sum()
    }

    #[inline]
    fn gathered(self, squares: &[u8; 64]) -> [u8; 16] {
        std::array::from_fn(|index| self.0[usize::from(squares[index] & 63)])
    }
}

/// The numbers of a board in one register of AVX-512.
#[doc(hidden)]
#[cfg(target_arch = "x86_64")]
pub mod wide {
    use std::arch::x86_64::*;

    use arimaa::{Bitboard, Direction};

    use super::{Matrix, Numbers};

    /// Whether the processor has the instructions that [`Wide`] is made of, and those that the code around it is compiled for.
    pub fn is_available() -> bool {
        crate::turn_mobility::words::wide::is_available()
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vbmi")
    }

    /// The numbers of all squares in one register. Only for code that runs if [`is_available`]: every `unsafe` below is sound
    /// because of that.
    #[derive(Clone, Copy)]
    pub struct Wide(__m512i);

    macro_rules! instruction {
        ($name:ident, $instruction:ident) => {
            #[inline(always)]
            fn $name(self, other: Wide) -> Wide {
                // SAFETY: the processor has AVX-512.
                Wide(unsafe { $instruction(self.0, other.0) })
            }
        };
    }

    impl Numbers for Wide {
        instruction!(min, _mm512_min_epu8);
        instruction!(max, _mm512_max_epu8);
        instruction!(plus, _mm512_adds_epu8);
        instruction!(minus, _mm512_subs_epu8);

        #[inline(always)]
        fn filled(value: u8) -> Wide {
            // SAFETY: the processor has AVX-512.
            Wide(unsafe { _mm512_set1_epi8(value as i8) })
        }

        #[inline(always)]
        fn load(matrix: &Matrix) -> Wide {
            // SAFETY: there are 64 bytes to be read, and the processor has AVX-512.
            Wide(unsafe { _mm512_loadu_si512(matrix.0.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self) -> Matrix {
            let mut matrix = Matrix([0; 64]);
            // SAFETY: there is room for 64 bytes, and the processor has AVX-512.
            unsafe { _mm512_storeu_si512(matrix.0.as_mut_ptr().cast(), self.0) };
            matrix
        }

        #[inline(always)]
        fn halved<const TIMES: u32>(self) -> Wide {
            // SAFETY: the processor has AVX-512.
            let shifted = unsafe { _mm512_srli_epi16::<TIMES>(self.0) };
            // SAFETY: the same.
            Wide(unsafe { _mm512_and_si512(shifted, Wide::filled(255 >> TIMES).0) })
        }

        #[inline(always)]
        fn mapped(self, table: &[u8; 16]) -> Wide {
            // SAFETY: there are 16 bytes to be read.
            let table = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
            // SAFETY: the processor has AVX-512.
            let tables = unsafe { _mm512_broadcast_i32x4(table) };
            // SAFETY: the same.
            Wide(unsafe { _mm512_shuffle_epi8(tables, self.0) })
        }

        #[inline(always)]
        fn select(self, squares: Bitboard, other: Wide) -> Wide {
            // SAFETY: the processor has AVX-512.
            Wide(unsafe { _mm512_mask_blend_epi8(squares.0, self.0, other.0) })
        }

        #[inline(always)]
        fn of_neighbour(self, direction: Direction, outside: u8) -> Wide {
            // SAFETY: the processor has AVX-512.
            Wide(unsafe { of_neighbour(self.0, direction, Wide::filled(outside).0) })
        }

        #[inline(always)]
        fn least(self) -> u8 {
            // SAFETY: the processor has AVX-512.
            unsafe { least(self.0) }
        }

        #[inline(always)]
        fn sum(self) -> u32 {
            // SAFETY: the processor has AVX-512.
            let sums = unsafe { _mm512_sad_epu8(self.0, Wide::filled(0).0) };
            // SAFETY: the same.
            unsafe { _mm512_reduce_add_epi64(sums) as u32 }
        }

        #[inline(always)]
        fn gathered(self, squares: &[u8; 64]) -> [u8; 16] {
            // SAFETY: there are 64 bytes to be read.
            let squares = unsafe { _mm512_loadu_si512(squares.as_ptr().cast()) };
            // SAFETY: the processor has AVX-512 VBMI.
            let gathered = unsafe { _mm512_permutexvar_epi8(squares, self.0) };
            // SAFETY: the processor has AVX-512.
            let first = unsafe { _mm512_castsi512_si128(gathered) };
            let mut numbers = [0; 16];
            // SAFETY: there is room for 16 bytes.
            unsafe { _mm_storeu_si128(numbers.as_mut_ptr().cast(), first) };
            numbers
        }
    }

    /// A row is eight bytes, and so is what the instructions shift by or in.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn of_neighbour(numbers: __m512i, direction: Direction, beyond: __m512i) -> __m512i {
        match direction {
            Direction::North => _mm512_alignr_epi64::<1>(beyond, numbers),
            Direction::South => _mm512_alignr_epi64::<7>(numbers, beyond),
            Direction::East => {
                let edge = _mm512_slli_epi64::<56>(beyond);
                _mm512_or_si512(_mm512_srli_epi64::<8>(numbers), edge)
            }
            Direction::West => {
                let edge = _mm512_srli_epi64::<56>(beyond);
                _mm512_or_si512(_mm512_slli_epi64::<8>(numbers), edge)
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn least(numbers: __m512i) -> u8 {
        let halves = (_mm512_castsi512_si256(numbers), _mm512_extracti64x4_epi64::<1>(numbers));
        let half = _mm256_min_epu8(halves.0, halves.1);
        let quarters = (_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
        let quarter = _mm_min_epu8(quarters.0, quarters.1);
        // The lesser of each two bytes, in the lower one of them.
        let pairs = _mm_min_epu8(quarter, _mm_srli_epi16::<8>(quarter));
        _mm_extract_epi8::<0>(_mm_minpos_epu16(pairs)) as u8
    }
}
