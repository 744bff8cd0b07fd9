//! The same programs for clarabel, which keeps all rows as a sparse matrix: the second opinion.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};

use super::dense::DenseProgram;
use super::{Optimum, ProgramError, Solution};

/// A sparse matrix and the right side, entry by entry.
#[derive(Default)]
struct Rows {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    right: Vec<f64>,
}

impl Rows {
    fn entry(&mut self, column: usize, value: f64) {
        if value != 0.0 {
            self.rows.push(self.right.len());
            self.columns.push(column);
            self.values.push(value);
        }
    }

    /// Ends a row: its sum is at most that, or is that if it is an equality.
    fn end(&mut self, right: f64) {
        self.right.push(right);
    }

    /// Adds a row that says that one variable is at most another one.
    fn at_most(&mut self, one: usize, other: usize) {
        self.entry(one, 1.0);
        self.entry(other, -1.0);
        self.end(0.0);
    }
}

impl DenseProgram {
    /// The optimum, by clarabel.
    pub(super) fn solve_by_clarabel(&self) -> Result<Optimum, ProgramError> {
        let (count, losses) = (self.count(), self.losses.count());
        // The variables: weights, their absolute values, losses, and the even parts of losses.
        let (absolute, loss_at, even_at) = (count, 2 * count, 2 * count + losses);
        let mut linear = self.linear.clone();
        linear.resize(loss_at, self.regularization);
        linear.resize(even_at + losses, 0.0);
        let mut rows = Rows::default();
        for (row, right) in &self.equalities {
            row.iter().enumerate().for_each(|(column, value)| rows.entry(column, *value));
            rows.end(*right);
        }
        self.for_each_loss(|number, _, own| {
            for row in own {
                let values = self.losses.rows[row * count..][..count].iter().enumerate();
                values.for_each(|(column, value)| rows.entry(column, f64::from(*value)));
                rows.entry(loss_at + number, -1.0);
                rows.end(-self.losses.constants[row]);
            }
        });
        let mut quadratic = self.upper_triangle();
        self.for_each_loss(|number, loss, _| {
            let (value, even) = (loss_at + number, even_at + number);
            linear[value] = loss.cost;
            rows.entry(value, -1.0);
            rows.end(0.0);
            if let Some(square) = loss.square {
                linear[even] = -loss.cost;
                quadratic.rows.push(even);
                quadratic.columns.push(even);
                quadratic.values.push(2.0 * square);
            }
            rows.at_most(even, value);
        });
        for weight in 0..count {
            rows.at_most(weight, absolute + weight);
            rows.entry(weight, -1.0);
            rows.entry(absolute + weight, -1.0);
            rows.end(0.0);
            if let Some(least) = self.least_weight {
                rows.entry(weight, -1.0);
                rows.end(-least);
            }
        }
        self.ask(linear, quadratic, rows)
    }

    fn upper_triangle(&self) -> Rows {
        let mut triangle = Rows::default();
        let Some(quadratic) = &self.quadratic else { return triangle };
        for column in 0..self.count() {
            for row in 0..=column {
                triangle.rows.push(row);
                triangle.columns.push(column);
                triangle.values.push(quadratic[row * self.count() + column]);
            }
        }
        triangle
    }

    fn ask(&self, linear: Vec<f64>, quadratic: Rows, rows: Rows) -> Result<Optimum, ProgramError> {
        let (size, height) = (linear.len(), rows.right.len());
        let Rows { rows: at, columns, values, .. } = quadratic;
        let quadratic = CscMatrix::new_from_triplets(size, size, at, columns, values);
        let Rows { rows: at, columns, values, right } = rows;
        let matrix = CscMatrix::new_from_triplets(height, size, at, columns, values);
        let equalities = self.equalities.len();
        let cones: [SupportedConeT<f64>; 2] =
            [ZeroConeT(equalities), NonnegativeConeT(height - equalities)];
        let settings = DefaultSettingsBuilder::default().verbose(false).build();
        let settings = settings.map_err(|error| ProgramError::Unsolved(error.to_string()))?;
        let solver = DefaultSolver::new(&quadratic, &linear, &matrix, &right, &cones, settings);
        let mut solver = solver.map_err(|error| ProgramError::Unsolved(error.to_string()))?;
        solver.solve();
        let found = solver.solution;
        if found.status != SolverStatus::Solved {
            return Err(ProgramError::Unsolved(found.status.to_string()));
        }
        let weights = &found.x[..self.count()];
        let objective = self.objective(weights);
        let gap = (found.obj_val - found.obj_val_dual).abs();
        let solution = Solution {
            weights: weights.iter().map(|weight| *weight as f32).collect(),
            objective,
            iterations: found.iterations,
        };
        let duals = found.z[equalities..][..self.losses.rows()].to_vec();
        Ok(Optimum { solution, duals, curve: vec![(objective, gap)] })
    }
}
