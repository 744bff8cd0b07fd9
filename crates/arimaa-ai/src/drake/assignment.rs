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
    let mut rows: [i32; SIZE] =
        std::array::from_fn(|row| values[row].iter().copied().max().unwrap_or(0));
    let mut columns: [i32; SIZE] = std::array::from_fn(|column| {
        (0..SIZE).map(|row| values[row][column] - rows[row]).max().unwrap_or(0)
    });
    // Who has a value that equals its labels takes it at once, if it is free.
    let mut row_of = [None; SIZE];
    let mut column_of = [None; SIZE];
    for row in 0..SIZE {
        let fits = |&column: &usize| {
            row_of[column].is_none() && values[row][column] == rows[row] + columns[column]
        };
        if let Some(column) = (0..SIZE).find(fits) {
            (row_of[column], column_of[row]) = (Some(row), Some(column));
        }
    }
    for start in 0..SIZE {
        if column_of[start].is_none() {
            augment(values, start, [&mut rows, &mut columns], &mut row_of, &mut column_of);
        }
    }
    let columns_of_rows = column_of.map(|column| column.unwrap_or(0));
    Assignment { columns: columns_of_rows, labels: [rows, columns] }
}

/// Gives a column to a row without one, along the shortest path that ends with a free column; others may change theirs.
fn augment(
    values: &[[i32; SIZE]; SIZE],
    start: usize,
    [rows, columns]: [&mut [i32; SIZE]; 2],
    row_of: &mut [Option<usize>; SIZE],
    column_of: &mut [Option<usize>; SIZE],
) {
    let mut distance = [i32::MAX; SIZE];
    let mut parent = [start; SIZE];
    let mut closed = [false; SIZE];
    let (mut row, mut length) = (start, 0);
    let end = loop {
        for column in 0..SIZE {
            let further = length + rows[row] + columns[column] - values[row][column];
            if !closed[column] && further < distance[column] {
                (distance[column], parent[column]) = (further, row);
            }
        }
        let open = (0..SIZE).filter(|&column| !closed[column]);
        let nearest = open.min_by_key(|&column| distance[column]).unwrap_or(0);
        (closed[nearest], length) = (true, distance[nearest]);
        match row_of[nearest] {
            None => break nearest,
            Some(next) => row = next,
        }
    };
    rows[start] -= length;
    for column in (0..SIZE).filter(|&column| closed[column] && column != end) {
        let less = length - distance[column];
        columns[column] += less;
        if let Some(row) = row_of[column] {
            rows[row] -= less;
        }
    }
    let mut column = end;
    loop {
        let row = parent[column];
        let before = column_of[row];
        (row_of[column], column_of[row]) = (Some(row), Some(column));
        match before {
            Some(next) if row != start => column = next,
            _ => break,
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
