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
    assign_best(values)
}

/// The same as part of the code around it. The loops are such that the compiler does all columns at once.
#[inline(always)]
pub(super) fn assign_best(values: &[[i32; SIZE]; SIZE]) -> Assignment {
    let mut rows = [0; SIZE];
    for (row, values) in rows.iter_mut().zip(values) {
        *row = values.iter().copied().fold(i32::MIN, i32::max);
    }
    let mut columns = [i32::MIN; SIZE];
    for (row, values) in rows.iter().zip(values) {
        for (column, value) in columns.iter_mut().zip(values) {
            *column = (*column).max(value - row);
        }
    }
    // Who has a value that equals its labels takes it at once, if it is free.
    let mut row_of = [NOBODY; SIZE];
    let mut column_of = [NOBODY; SIZE];
    let mut taken = 0u32;
    for (row, values) in values.iter().enumerate() {
        let mut fits = 0u32;
        for (column, value) in values.iter().enumerate() {
            fits |= u32::from(*value == rows[row] + columns[column]) << column;
        }
        let free = fits & !taken;
        if free != 0 {
            let column = free.trailing_zeros() as usize;
            taken |= 1 << column;
            (row_of[column % SIZE], column_of[row]) = (row as u8, column as u8);
        }
    }
    for start in 0..SIZE {
        if column_of[start] == NOBODY {
            augment(values, start, [&mut rows, &mut columns], &mut row_of, &mut column_of);
        }
    }
    let columns_of_rows = column_of.map(|column| usize::from(column) % SIZE);
    Assignment { columns: columns_of_rows, labels: [rows, columns] }
}

/// The row or column of who has none.
const NOBODY: u8 = u8::MAX;

/// Farther than any column: values are below 2²⁰.
const FAR: i32 = 1 << 26;

/// Gives a column to a row without one, along the shortest path that ends with a free column; others may change theirs.
#[inline(always)]
fn augment(
    values: &[[i32; SIZE]; SIZE],
    start: usize,
    [rows, columns]: [&mut [i32; SIZE]; 2],
    row_of: &mut [u8; SIZE],
    column_of: &mut [u8; SIZE],
) {
    let mut distance = [FAR; SIZE];
    let mut parent = [start as i32; SIZE];
    let (mut row, mut length) = (start, 0);
    let mut closed = 0u32;
    let end = loop {
        let begin = length + rows[row];
        let values = &values[row];
        // The distance and the column in one number, so that the least one is the nearest column.
        let mut nearest = i32::MAX;
        for column in 0..SIZE {
            let further = begin + columns[column] - values[column];
            let is_open = closed >> column & 1 == 0;
            let is_nearer = is_open && further < distance[column];
            distance[column] = if is_nearer { further } else { distance[column] };
            parent[column] = if is_nearer { row as i32 } else { parent[column] };
            let numbered = distance[column] * SIZE as i32 + column as i32;
            nearest = nearest.min(if is_open { numbered } else { i32::MAX });
        }
        let column = nearest as usize % SIZE;
        length = nearest / SIZE as i32;
        closed |= 1 << column;
        match row_of[column] {
            NOBODY => break column,
            next => row = usize::from(next) % SIZE,
        }
    };
    rows[start] -= length;
    closed &= !(1 << end);
    for column in 0..SIZE {
        let less = length - distance[column];
        columns[column] += if closed >> column & 1 == 1 { less } else { 0 };
    }
    while closed != 0 {
        let column = closed.trailing_zeros() as usize % SIZE;
        closed &= closed - 1;
        rows[usize::from(row_of[column]) % SIZE] -= length - distance[column];
    }
    let mut column = end;
    loop {
        let row = parent[column] as usize % SIZE;
        let before = column_of[row];
        (row_of[column], column_of[row]) = (row as u8, column as u8);
        if before == NOBODY || row == start {
            break;
        }
        column = usize::from(before) % SIZE;
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
