use arimaa_ai::Matrix;
use arimaa_ai::matrix::Numbers;

/// How many rows and columns: the pieces of a side, and the squares beside traps.
pub const SIZE: usize = 16;

/// An assignment of each row to a column of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// The column of each row.
    pub columns: [usize; SIZE],
    /// Labels of rows and columns. No value is above the sum of its two labels, and those of the assignment are equal to it:
    /// so no other assignment has a greater sum.
    pub labels: [[i32; SIZE]; 2],
}

/// The assignment with the greatest sum of values, by shortest augmenting paths (4.5).
pub fn assign(values: &[[i32; SIZE]; SIZE]) -> Assignment {
    assign_best::<[i32; SIZE]>(values)
}

/// A number for each column, and a bit for each where they are compared: plain numbers on any processor.
pub(crate) trait Columns: Copy {
    fn load(numbers: &[i32; SIZE]) -> Self;

    fn store(self) -> [i32; SIZE];

    /// The same for all columns.
    fn splat(number: i32) -> Self;

    fn plus(self, other: Self) -> Self;

    fn minus(self, other: Self) -> Self;

    /// The greater of both.
    fn max(self, other: Self) -> Self;

    /// The columns in which both are equal.
    fn equal(self, other: Self) -> u16;

    /// The columns in which these numbers are less.
    fn less(self, other: Self) -> u16;

    /// What `other` has in some columns, and the own numbers in the others.
    fn select(self, columns: u16, other: Self) -> Self;

    /// The greatest number of all columns.
    fn greatest(self) -> i32;

    /// The least number of some columns, and the first column that has it. The numbers are below 2²⁷.
    fn nearest(self, columns: u16) -> (i32, usize);
}

/// Numbers of squares with what assignments are computed with on the same processor.
pub(crate) trait Assigning: Numbers {
    /// The numbers of all columns.
    type Columns: Columns;
}

impl Assigning for Matrix {
    type Columns = [i32; SIZE];
}

#[cfg(target_arch = "x86_64")]
impl Assigning for arimaa_ai::matrix::wide::Wide {
    type Columns = wide::Wide;
}

/// The same as [`assign`] as part of the code around it.
#[inline(always)]
pub(crate) fn assign_best<C: Columns>(values: &[[i32; SIZE]; SIZE]) -> Assignment {
    let mut rows = [0; SIZE];
    let mut columns = C::splat(i32::MIN);
    for (row, values) in rows.iter_mut().zip(values) {
        let values = C::load(values);
        *row = values.greatest();
        columns = columns.max(values.minus(C::splat(*row)));
    }
    // Who has a value that equals its labels takes it at once, if it is free. Rows without a value come last, and get what is
    // left: then their labels are 0, and so are those of the columns that are left.
    let mut pairing = Pairing { row_of: [NOBODY; SIZE], column_of: [NOBODY; SIZE] };
    let (mut waiting, mut taken) = (0u32, 0u16);
    for (row, values) in values.iter().enumerate().filter(|(row, _)| rows[*row] > 0) {
        let fitting = C::load(values).equal(columns.plus(C::splat(rows[row]))) & !taken;
        if fitting == 0 {
            waiting |= 1 << row;
        } else {
            let column = fitting.trailing_zeros() as usize % SIZE;
            taken |= 1 << column;
            pairing.join(row, column);
        }
    }
    while waiting != 0 {
        let start = waiting.trailing_zeros() as usize % SIZE;
        waiting &= waiting - 1;
        columns = pairing.augment(values, start, &mut rows, columns);
    }
    let mut left = (0..SIZE).filter(|&column| pairing.row_of[column] == NOBODY);
    let columns_of_rows = pairing.column_of.map(|column| match column {
        NOBODY => left.next().unwrap_or(0),
        column => usize::from(column) % SIZE,
    });
    Assignment { columns: columns_of_rows, labels: [rows, columns.store()] }
}

/// The row or column of who has none.
const NOBODY: u8 = u8::MAX;

/// Farther than any column: values are below 2²⁰.
const FAR: i32 = 1 << 26;

/// Who has which column so far.
struct Pairing {
    row_of: [u8; SIZE],
    column_of: [u8; SIZE],
}

impl Pairing {
    #[inline(always)]
    fn join(&mut self, row: usize, column: usize) {
        (self.row_of[column], self.column_of[row]) = (row as u8, column as u8);
    }

    /// Gives a column to a row without one, along the shortest path that ends with a free column; others may change theirs.
    /// Changes the labels of rows, and returns those of columns.
    #[inline(always)]
    fn augment<C: Columns>(
        &mut self,
        values: &[[i32; SIZE]; SIZE],
        start: usize,
        rows: &mut [i32; SIZE],
        columns: C,
    ) -> C {
        let mut distances = C::splat(FAR);
        let mut parents = C::splat(start as i32);
        let (mut row, mut length) = (start, 0);
        let mut open = u16::MAX;
        let end = loop {
            let begin = C::splat(length + rows[row]);
            let further = begin.plus(columns).minus(C::load(&values[row]));
            let nearer = further.less(distances) & open;
            distances = distances.select(nearer, further);
            parents = parents.select(nearer, C::splat(row as i32));
            let (distance, column) = distances.nearest(open);
            length = distance;
            match self.row_of[column] {
                NOBODY => break column,
                next => row = usize::from(next) % SIZE,
            }
            open &= !(1 << column);
        };
        let less = C::splat(length).minus(distances);
        let labels = columns.select(!open, columns.plus(less));
        rows[start] -= length;
        let (less, parents) = (less.store(), parents.store());
        let mut closed = !open;
        while closed != 0 {
            let column = closed.trailing_zeros() as usize % SIZE;
            closed &= closed - 1;
            rows[usize::from(self.row_of[column]) % SIZE] -= less[column];
        }
        let mut column = end;
        loop {
            let row = parents[column] as usize % SIZE;
            let before = self.column_of[row];
            self.join(row, column);
            if before == NOBODY || row == start {
                return labels;
            }
            column = usize::from(before) % SIZE;
        }
    }
}

impl Columns for [i32; SIZE] {
    #[inline]
    fn load(numbers: &[i32; SIZE]) -> [i32; SIZE] {
        *numbers
    }

    #[inline]
    fn store(self) -> [i32; SIZE] {
        self
    }

    #[inline]
    fn splat(number: i32) -> [i32; SIZE] {
        [number; SIZE]
    }

    #[inline]
    fn plus(self, other: [i32; SIZE]) -> [i32; SIZE] {
        std::array::from_fn(|column| self[column] + other[column])
    }

    #[inline]
    fn minus(self, other: [i32; SIZE]) -> [i32; SIZE] {
        std::array::from_fn(|column| self[column] - other[column])
    }

    #[inline]
    fn max(self, other: [i32; SIZE]) -> [i32; SIZE] {
        std::array::from_fn(|column| self[column].max(other[column]))
    }

    #[inline]
    fn equal(self, other: [i32; SIZE]) -> u16 {
        (0..SIZE).fold(0, |bits, column| bits | u16::from(self[column] == other[column]) << column)
    }

    #[inline]
    fn less(self, other: [i32; SIZE]) -> u16 {
        (0..SIZE).fold(0, |bits, column| bits | u16::from(self[column] < other[column]) << column)
    }

    #[inline]
    fn select(self, columns: u16, other: [i32; SIZE]) -> [i32; SIZE] {
        let of = |column: usize| if columns >> column & 1 == 1 { other } else { self }[column];
        std::array::from_fn(of)
    }

    #[inline]
    fn greatest(self) -> i32 {
        self.into_iter().fold(i32::MIN, i32::max)
    }

    #[inline]
    fn nearest(self, columns: u16) -> (i32, usize) {
        let chosen = (0..SIZE).filter(|column| columns >> column & 1 == 1);
        let nearest = chosen.map(|column| (self[column], column)).min();
        nearest.unwrap_or((FAR, 0))
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod wide {
    use std::arch::x86_64::*;

    use super::{Columns, SIZE};

    /// The numbers of all columns in one register. Only for code that runs if the processor has AVX-512: every `unsafe` below is
    /// sound because of that.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide(__m512i);

    const COLUMNS: [i32; SIZE] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

    impl Columns for Wide {
        #[inline(always)]
        fn load(numbers: &[i32; SIZE]) -> Wide {
            // SAFETY: there are 16 numbers to be read, and the processor has AVX-512.
            Wide(unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self) -> [i32; SIZE] {
            let mut numbers = [0; SIZE];
            // SAFETY: there is room for 16 numbers, and the processor has AVX-512.
            unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), self.0) };
            numbers
        }

        #[inline(always)]
        fn splat(number: i32) -> Wide {
            // SAFETY: the processor has AVX-512.
            Wide(unsafe { _mm512_set1_epi32(number) })
        }

        #[inline(always)]
        fn plus(self, other: Wide) -> Wide {
            // SAFETY: the processor has AVX-512.
            Wide(unsafe { _mm512_add_epi32(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Wide) -> Wide {
            // SAFETY: the processor has AVX-512.
            Wide(unsafe { _mm512_sub_epi32(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Wide) -> Wide {
            // SAFETY: the processor has AVX-512.
            Wide(unsafe { _mm512_max_epi32(self.0, other.0) })
        }

        #[inline(always)]
        fn equal(self, other: Wide) -> u16 {
            // SAFETY: the processor has AVX-512.
            unsafe { _mm512_cmpeq_epi32_mask(self.0, other.0) }
        }

        #[inline(always)]
        fn less(self, other: Wide) -> u16 {
            // SAFETY: the processor has AVX-512.
            unsafe { _mm512_cmplt_epi32_mask(self.0, other.0) }
        }

        #[inline(always)]
        fn select(self, columns: u16, other: Wide) -> Wide {
            // SAFETY: the processor has AVX-512.
            Wide(unsafe { _mm512_mask_blend_epi32(columns, self.0, other.0) })
        }

        #[inline(always)]
        fn greatest(self) -> i32 {
            // SAFETY: the processor has AVX-512.
            unsafe { _mm512_reduce_max_epi32(self.0) }
        }

        #[inline(always)]
        fn nearest(self, columns: u16) -> (i32, usize) {
            // The number and the column in one, so that the least of all tells both.
            // SAFETY: the processor has AVX-512.
            let shifted = unsafe { _mm512_slli_epi32::<4>(self.0) };
            // SAFETY: the same.
            let numbered = unsafe { _mm512_or_si512(shifted, Wide::load(&COLUMNS).0) };
            // SAFETY: the same.
            let least = unsafe { _mm512_mask_reduce_min_epi32(columns, numbered) };
            (least >> 4, least as usize % SIZE)
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn random(rng: &mut ChaCha8Rng, greatest: i32) -> [[i32; SIZE]; SIZE] {
        std::array::from_fn(|_| std::array::from_fn(|_| rng.random_range(0..=greatest)))
    }

    #[test]
    fn the_labels_prove_that_no_assignment_is_better() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..3_000 {
            let values = random(&mut rng, [3, 100, 32_385][round % 3]);
            let Assignment { columns, labels: [rows, of_columns] } = assign(&values);
            let mut taken = columns;
            taken.sort_unstable();
            assert!(taken.iter().enumerate().all(|(index, &column)| index == column));
            for row in 0..SIZE {
                for column in 0..SIZE {
                    assert!(values[row][column] <= rows[row] + of_columns[column]);
                }
                let column = columns[row];
                assert_eq!(values[row][column], rows[row] + of_columns[column]);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    #[ignore = "needs AVX-512"]
    fn avx512_comes_to_the_same_assignment() {
        assert!(is_x86_feature_detected!("avx512f"), "the processor has no AVX-512");
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for round in 0..3_000 {
            let values = random(&mut rng, [3, 100, 32_385][round % 3]);
            assert_eq!(assign_best::<wide::Wide>(&values), assign(&values));
        }
    }

    /// The greatest sum by trying all ways to give the rows from `row` on a free column.
    fn best(values: &[[i32; SIZE]; SIZE], row: usize, size: usize, taken: u32) -> i32 {
        if row == size {
            return 0;
        }
        let free = (0..size).filter(|column| taken >> column & 1 == 0);
        free.map(|column| values[row][column] + best(values, row + 1, size, taken | 1 << column))
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn few_pieces_are_assigned_as_by_trying_everything() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..200 {
            let (mut values, size) = (random(&mut rng, 50), 6);
            for (row, values) in values.iter_mut().enumerate() {
                for (column, value) in values.iter_mut().enumerate() {
                    if row >= size || column >= size {
                        *value = 0;
                    }
                }
            }
            let found = assign(&values).columns;
            let sum: i32 = (0..SIZE).map(|row| values[row][found[row]]).sum();
            assert_eq!(sum, best(&values, 0, size, 0));
        }
    }
}
