//! Vectors and dense matrices.

/// Rows that are multiplied at once.
const CHUNK: usize = 256;
/// Columns of a block of the matrix.
const BLOCK: usize = 192;

/// The product of a row with weights.
pub fn dot(row: &[f32], weights: &[f64]) -> f64 {
    // Eight sums, so that the compiler can use vectors.
    let mut sums = [0.0; 8];
    let (rows, weights) = (row.chunks_exact(8), weights.chunks_exact(8));
    let rest: f64 =
        rows.remainder().iter().zip(weights.remainder()).map(|(a, b)| f64::from(*a) * b).sum();
    for (row, weights) in rows.zip(weights) {
        for lane in 0..8 {
            sums[lane] += f64::from(row[lane]) * weights[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// The product of two vectors.
pub fn product(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Adds a vector times a number.
pub fn add(sum: &mut [f64], by: f64, other: &[f64]) {
    sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += by * other);
}

/// The largest absolute value.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// Adds the squares of rows to a matrix, many at once. Blocks below the diagonal are left out.
pub struct Condensed<'a> {
    count: usize,
    rows: Vec<f64>,
    matrix: &'a mut [f64],
}

impl<'a> Condensed<'a> {
    /// Adds to a matrix of so many columns, row by row.
    pub fn new(count: usize, matrix: &'a mut [f64]) -> Condensed<'a> {
        Condensed { count, rows: Vec::new(), matrix }
    }

    /// Adds the square of a row, now or later.
    pub fn add(&mut self, row: impl Iterator<Item = f64>) {
        self.rows.extend(row);
        if self.rows.len() >= CHUNK * self.count {
            self.flush();
        }
    }

    /// Adds what is left.
    pub fn flush(&mut self) {
        let count = self.count;
        for top in (0..count).step_by(BLOCK) {
            for left in (top..count).step_by(BLOCK) {
                add_block(&self.rows, count, top, left, self.matrix);
            }
        }
        self.rows.clear();
    }
}

/// Adds to a block of a matrix the products of the columns of some rows.
fn add_block(rows: &[f64], count: usize, top: usize, left: usize, matrix: &mut [f64]) {
    let (height, width) = (BLOCK.min(count - top), BLOCK.min(count - left));
    let (stride, depth) = (count as isize, rows.len() / count);
    assert!(rows.len() == depth * count && matrix.len() == count * count);
    if depth == 0 {
        return;
    }
    let (one, other) = (rows[top..].as_ptr(), rows[left..].as_ptr());
    let block = matrix[top * count + left..].as_mut_ptr();
    // SAFETY: the columns from `top` and from `left`, as many as `height` and `width`, are within `count`, the rows within
    // `rows`, and the block within `matrix`, which is borrowed for writing alone.
    unsafe {
        matrixmultiply::dgemm(
            height, depth, width, 1.0, one, 1, stride, other, stride, 1, 1.0, block, stride, 1,
        );
    }
}

/// Copies what is above the diagonal to below it.
pub fn mirror(matrix: &mut [f64], count: usize) {
    for row in 0..count {
        for column in 0..row {
            matrix[row * count + column] = matrix[column * count + row];
        }
    }
}

/// The lower triangle whose square is a symmetric matrix. A pivot that rounding has made too small is made so large that its
/// variable stays where it is.
pub fn cholesky(mut matrix: Vec<f64>, count: usize) -> Vec<f64> {
    for row in 0..count {
        let (above, from) = matrix.split_at_mut(row * count);
        let own = &mut from[..count];
        for column in 0..row {
            let other = &above[column * count..][..count];
            let sum = own[column] - product_of(&own[..column], &other[..column]);
            own[column] = sum / other[column];
        }
        let before = own[row];
        let pivot = before - product_of(&own[..row], &own[..row]);
        own[row] = if pivot > 1e-14 * before.abs() { pivot.sqrt() } else { 1e64 };
    }
    matrix
}

/// The product of two vectors, in eight sums.
pub fn product_of(one: &[f64], other: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (ones, others) = (one.chunks_exact(8), other.chunks_exact(8));
    let rest = product(ones.remainder(), others.remainder());
    for (one, other) in ones.zip(others) {
        for lane in 0..8 {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// Solves with a factor of [`cholesky`].
pub fn solve_factored(factor: &[f64], right: &[f64]) -> Vec<f64> {
    let count = right.len();
    let mut found = right.to_vec();
    for row in 0..count {
        let own = &factor[row * count..][..count];
        found[row] = (found[row] - product_of(&own[..row], &found[..row])) / own[row];
    }
    for row in (0..count).rev() {
        let own = &factor[row * count..][..count];
        let value = found[row] / own[row];
        found[row] = value;
        add(&mut found[..row], -value, &own[..row]);
    }
    found
}
