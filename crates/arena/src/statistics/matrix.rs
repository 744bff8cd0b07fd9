//! Square matrices.

use std::ops::{Index, IndexMut};

/// A square matrix.
#[derive(Clone, Debug)]
pub struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix all of whose entries are this.
    pub fn filled(size: usize, entry: f64) -> Matrix {
        Matrix { size, entries: vec![entry; size * size] }
    }

    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.entries.chunks(self.size);
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }

    /// The inverse of a symmetric and positive definite matrix, by Gauss and Jordan; such a matrix
    /// needs no exchange of rows.
    pub fn inverse(mut self) -> Matrix {
        for pivot in 0..self.size {
            let divisor = self[(pivot, pivot)];
            self[(pivot, pivot)] = 1.0;
            for column in 0..self.size {
                self[(pivot, column)] /= divisor;
            }
            for row in (0..self.size).filter(|&row| row != pivot) {
                let factor = std::mem::take(&mut self[(row, pivot)]);
                for column in 0..self.size {
                    self[(row, column)] -= factor * self[(pivot, column)];
                }
            }
        }
        self
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.entries[row * self.size + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let mut matrix = Matrix::filled(3, 1.0);
        for (place, entry) in [((0, 0), 4.0), ((1, 1), 3.0), ((2, 2), 2.0)] {
            matrix[place] = entry;
        }
        let vector = [1.0, -2.0, 5.0];
        let back = matrix.clone().inverse().times(&matrix.times(&vector));
        assert!(back.iter().zip(vector).all(|(a, b)| (a - b).abs() < 1e-12), "{back:?}");
    }
}
