//! Programs with few weights, many rows, and no zeros to speak of.

use learn::matrix::{dot, product};

use super::{Optimum, ProgramError, Solver};

/// Rows of constraints, by the losses that they belong to. A loss is the greatest of 0 and of its rows: the products with the
/// weights, and a constant.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Losses {
    pub(super) rows: Vec<f32>,
    pub(super) constants: Vec<f64>,
    pub(super) losses: Vec<Loss>,
}

/// What a loss costs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Loss {
    /// Its rows end here.
    pub(super) end: usize,
    pub(super) cost: f64,
    pub(super) square: Option<f64>,
}

impl Losses {
    /// Adds a row to the loss that is ended next.
    pub fn row(&mut self, row: impl IntoIterator<Item = f32>, constant: f64) {
        self.rows.extend(row);
        self.constants.push(constant);
    }

    /// Ends a loss, which costs so much for each unit.
    pub fn end(&mut self, cost: f64) {
        self.losses.push(Loss { end: self.constants.len(), cost, square: None });
    }

    /// Ends a loss which costs `square` times its square as long as the next unit costs less than `cost`, and that for each unit
    /// beyond.
    pub fn end_smooth(&mut self, square: f64, cost: f64) {
        self.losses.push(Loss { end: self.constants.len(), cost, square: Some(square) });
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.constants.len()
    }

    /// How many losses there are.
    pub fn count(&self) -> usize {
        self.losses.len()
    }

    /// The value of a row for these weights.
    pub fn value(&self, row: usize, weights: &[f64]) -> f64 {
        let count = weights.len();
        dot(&self.rows[row * count..][..count], weights) + self.constants[row]
    }

    /// What all losses cost together.
    pub fn cost(&self, weights: &[f64]) -> f64 {
        let mut begin = 0;
        let mut sum = 0.0;
        for loss in &self.losses {
            let values = (begin..loss.end).map(|row| self.value(row, weights));
            sum += loss.cost_of(values.fold(0.0, f64::max));
            begin = loss.end;
        }
        sum
    }
}

impl Loss {
    fn cost_of(&self, loss: f64) -> f64 {
        match self.square {
            None => self.cost * loss,
            Some(square) => {
                let even = loss.min(self.cost / (2.0 * square));
                square * even * even + self.cost * (loss - even)
            }
        }
    }
}

/// What is made least: `linear` times the weights, half of their `quadratic` form, `regularization` times their absolute values, and
/// the losses.
#[derive(Clone, PartialEq, Debug)]
pub struct DenseProgram {
    /// A number for each weight.
    pub linear: Vec<f64>,
    /// A whole symmetric matrix, row by row.
    pub quadratic: Option<Vec<f64>>,
    /// What a weight costs; above 0.
    pub regularization: f64,
    /// No weight is below that, which is below 0.
    pub least_weight: Option<f64>,
    /// Products with the weights, and what they are.
    pub equalities: Vec<(Vec<f64>, f64)>,
    /// The losses.
    pub losses: Losses,
}

impl DenseProgram {
    pub(super) fn count(&self) -> usize {
        self.linear.len()
    }

    /// What the program makes least, for these weights.
    pub fn objective(&self, weights: &[f64]) -> f64 {
        let absolute: f64 = weights.iter().map(|weight| weight.abs()).sum();
        let half =
            self.times_quadratic(weights).map_or(0.0, |times| 0.5 * product(&times, weights));
        product(&self.linear, weights)
            + half
            + self.regularization * absolute
            + self.losses.cost(weights)
    }

    pub(super) fn times_quadratic(&self, weights: &[f64]) -> Option<Vec<f64>> {
        let rows = self.quadratic.as_ref()?.chunks_exact(self.count());
        Some(rows.map(|row| product(row, weights)).collect())
    }

    /// Calls `visit` with each loss, its number, and its rows.
    pub(super) fn for_each_loss(
        &self,
        mut visit: impl FnMut(usize, &Loss, std::ops::Range<usize>),
    ) {
        let mut begin = 0;
        for (number, loss) in self.losses.losses.iter().enumerate() {
            visit(number, loss, begin..loss.end);
            begin = loss.end;
        }
    }

    /// The optimum.
    pub fn solve(&self, solver: Solver) -> Result<Optimum, ProgramError> {
        match solver {
            Solver::Interior => self.solve_by_interior_point(),
            #[cfg(any(test, feature = "clarabel"))]
            Solver::Clarabel => self.solve_by_clarabel(),
        }
    }
}
