//! An interior-point method for the programs of this module.
//!
//! They have few weights, a row for each turn, and no zeros to speak of. Clarabel factors a sparse matrix with all
//! rows, entry by entry; here all rows are condensed into one dense matrix of weights by weights, with the blocked
//! product of [`matrixmultiply`]. Both come to the same optimum; the tests compare them.
//!
//! The method is Mehrotra's predictor and corrector. A loss is at least each of its rows and at least 0, with a slack
//! and a dual for each; the losses are eliminated before the weights.

use learn::matrix::{
    Condensed, add, cholesky, dot, largest, mirror, product, product_of, solve_factored,
};

use super::dense::DenseProgram;
use super::{Optimum, ProgramError, Solution};

/// The relative gap and the relative residuals at the end: those of clarabel.
const TOLERANCE: f64 = 1e-8;
/// What is good enough where rounding allows no more, after so many iterations that brought nothing.
const GOOD_ENOUGH: f64 = 1e-6;
const PATIENCE: u32 = 8;
const MOST_ITERATIONS: u32 = 200;
/// The diagonal is so much larger for the factor; what that spoils, conjugate gradients mend.
const STIFFER: f64 = 1e-12;
const MOST_GRADIENTS: u32 = 25;
/// How far a step goes towards the border.
const STEP: f64 = 0.995;

/// Where the method is: the weights, the duals of the equalities, and a slack and a dual for each inequality. Those are, in
/// this order: a loss is at least each row; at least 0; at least its even part, if it has one; an absolute value is at least the
/// weight and its negative; a weight is at least the least.
struct State {
    weights: Vec<f64>,
    multipliers: Vec<f64>,
    slacks: Vec<f64>,
    duals: Vec<f64>,
}

/// Where the kinds of inequalities begin.
#[derive(Clone, Copy)]
struct Layout {
    zero: usize,
    even: usize,
    up: usize,
    down: usize,
    least: usize,
    end: usize,
}

impl Layout {
    /// The inequality of the even part of a loss, if losses have one.
    fn even_of(self, loss: usize) -> Option<usize> {
        (self.even < self.up).then_some(self.even + loss)
    }
}

/// What a step pulls with, at each inequality and at each loss.
struct Pulls {
    inequalities: Vec<f64>,
    losses: Vec<f64>,
}

/// The matrix of a step, factored, and what the losses were eliminated with.
struct Factored {
    /// What a slack costs its dual: dual divided by slack.
    stiffness: Vec<f64>,
    /// The sum of it for each loss, and what is left of it at the even part.
    of_loss: Vec<f64>,
    soft: Vec<f64>,
    matrix: Vec<f64>,
    factor: Vec<f64>,
    /// The columns of the equalities, solved, and the factor of what they come to.
    equalities: Vec<Vec<f64>>,
    schur: Vec<f64>,
}

impl DenseProgram {
    fn layout(&self) -> Layout {
        let (count, losses) = (self.count(), self.losses.count());
        let zero = self.losses.rows();
        let even = zero + losses;
        let evens = self.losses.losses.iter().any(|loss| loss.square.is_some());
        let up = even + if evens { losses } else { 0 };
        let (down, least) = (up + count, up + 2 * count);
        let bounded = if self.least_weight.is_some() { count } else { 0 };
        Layout { zero, even, up, down, least, end: least + bounded }
    }

    /// A beginning inside all inequalities, with duals that add up to what each loss costs.
    fn begin(&self) -> State {
        let (layout, count) = (self.layout(), self.count());
        let mut slacks = vec![0.0; layout.end];
        let mut duals = vec![1.0; layout.end];
        self.for_each_loss(|number, loss, rows| {
            let constants = &self.losses.constants[rows.clone()];
            let greatest = constants.iter().fold(0.0, |most: f64, value| most.max(*value));
            let even = loss.square.map_or(0.0, |square| loss.cost / (4.0 * square));
            let room = 1.0 + largest(constants);
            let value = greatest.max(even) + room;
            let hard = if loss.square.is_some() { 0.5 * loss.cost } else { loss.cost };
            let share = hard / (rows.len() + 1) as f64;
            for (row, constant) in rows.zip(constants) {
                (slacks[row], duals[row]) = (value - constant, share);
            }
            (slacks[layout.zero + number], duals[layout.zero + number]) = (value, share);
            if layout.even < layout.up {
                // Without an even part the inequality says nothing.
                (slacks[layout.even + number], duals[layout.even + number]) =
                    if loss.square.is_some() {
                        (value - even, 0.5 * loss.cost)
                    } else {
                        (1.0, 0.0)
                    };
            }
        });
        slacks[layout.up..layout.least].fill(1.0);
        duals[layout.up..layout.least].fill(0.5 * self.regularization);
        if let Some(least) = self.least_weight {
            slacks[layout.least..].fill(-least);
            duals[layout.least..].fill(self.regularization / -least);
        }
        State {
            weights: vec![0.0; count],
            multipliers: vec![0.0; self.equalities.len()],
            slacks,
            duals,
        }
    }

    /// Adds to `sum` the rows, each times a factor.
    fn add_rows(&self, factors: &[f64], sum: &mut [f64]) {
        for (row, factor) in self.losses.rows.chunks_exact(self.count()).zip(factors) {
            if *factor != 0.0 {
                sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * f64::from(*value));
            }
        }
    }

    /// What is left of the condition that no weight can be made better.
    fn dual_residual(&self, state: &State) -> Vec<f64> {
        let layout = self.layout();
        let mut residual = self.linear.clone();
        if let Some(times) = self.times_quadratic(&state.weights) {
            add(&mut residual, 1.0, &times);
        }
        self.add_rows(&state.duals[..layout.zero], &mut residual);
        add(&mut residual, 1.0, &state.duals[layout.up..layout.down]);
        add(&mut residual, -1.0, &state.duals[layout.down..layout.least]);
        if layout.least < layout.end {
            add(&mut residual, -1.0, &state.duals[layout.least..]);
        }
        for ((row, _), multiplier) in self.equalities.iter().zip(&state.multipliers) {
            add(&mut residual, *multiplier, row);
        }
        residual
    }

    /// What is missing of the equalities.
    fn equality_residual(&self, state: &State) -> Vec<f64> {
        let missing = |(row, right): &(Vec<f64>, f64)| right - product(row, &state.weights);
        self.equalities.iter().map(missing).collect()
    }

    /// Condenses everything into a matrix of weights by weights, and factors it.
    fn factor(&self, state: &State) -> Factored {
        let (layout, count) = (self.layout(), self.count());
        let stiffness: Vec<f64> =
            state.duals.iter().zip(&state.slacks).map(|(dual, slack)| dual / slack).collect();
        let mut of_loss = vec![0.0; self.losses.count()];
        let mut soft = vec![0.0; self.losses.count()];
        let mut matrix = self.quadratic.clone().unwrap_or_else(|| vec![0.0; count * count]);
        let mut condensed = Condensed::new(count, &mut matrix);
        self.for_each_loss(|number, loss, rows| {
            let own = &stiffness[rows.clone()];
            let zero = stiffness[layout.zero + number];
            if let Some(square) = loss.square {
                soft[number] = 1.0 / (1.0 + stiffness[layout.even + number] / (2.0 * square));
            }
            let even = match loss.square {
                Some(_) => soft[number] * stiffness[layout.even + number],
                None => 0.0,
            };
            let sum: f64 = own.iter().sum::<f64>() + zero + even;
            of_loss[number] = sum;
            let row = |row: usize| &self.losses.rows[row * count..][..count];
            if let [only] = own {
                let by = (only * (zero + even) / sum).sqrt();
                condensed.add(row(rows.start).iter().map(|value| by * f64::from(*value)));
                return;
            }
            // Each row less the mean of all, with 0 as the row of what is not one.
            let mut mean = vec![0.0; count];
            for (index, by) in rows.clone().zip(own) {
                mean.iter_mut()
                    .zip(row(index))
                    .for_each(|(mean, value)| *mean += by / sum * f64::from(*value));
            }
            for (index, by) in rows.clone().zip(own) {
                let by = by.sqrt();
                let values = row(index).iter().zip(&mean);
                condensed.add(values.map(|(value, mean)| by * (f64::from(*value) - mean)));
            }
            if !own.is_empty() {
                let by = (zero + even).sqrt();
                condensed.add(mean.iter().map(|mean| by * mean));
            }
        });
        condensed.flush();
        for weight in 0..count {
            let (up, down) = (stiffness[layout.up + weight], stiffness[layout.down + weight]);
            let least = stiffness.get(layout.least + weight).copied().unwrap_or(0.0);
            matrix[weight * count + weight] += 4.0 * up * down / (up + down) + least;
        }
        mirror(&mut matrix, count);
        let mut stiffer = matrix.clone();
        (0..count).for_each(|weight| stiffer[weight * count + weight] *= 1.0 + STIFFER);
        let factor = cholesky(stiffer, count);
        let mut factored = Factored {
            stiffness,
            of_loss,
            soft,
            matrix,
            factor,
            equalities: Vec::new(),
            schur: Vec::new(),
        };
        let solved: Vec<Vec<f64>> =
            self.equalities.iter().map(|(row, _)| factored.solve(row)).collect();
        let rows = self.equalities.iter();
        let schur: Vec<f64> =
            rows.flat_map(|(row, _)| solved.iter().map(|column| product(row, column))).collect();
        factored.schur = cholesky(schur, solved.len());
        factored.equalities = solved;
        factored
    }

    /// The step by which each slack times its dual comes to what it is now plus `targets`.
    fn step(
        &self,
        state: &State,
        factored: &Factored,
        dual_residual: &[f64],
        equality_residual: &[f64],
        targets: &[f64],
    ) -> State {
        let inequalities =
            targets.iter().zip(&state.slacks).map(|(target, slack)| target / slack).collect();
        let pulls = self.pulls(factored, inequalities);
        let right = self.right_side(factored, dual_residual, &pulls);
        let (weights, multipliers) =
            factored.solve_both(&right, equality_residual, &self.equalities);
        let (slacks, duals) = self.slacks_and_duals(factored, &pulls, &weights);
        State { weights, multipliers, slacks, duals }
    }

    /// What pulls at the losses, given what pulls at the inequalities.
    fn pulls(&self, factored: &Factored, inequalities: Vec<f64>) -> Pulls {
        let layout = self.layout();
        let mut losses = vec![0.0; self.losses.count()];
        self.for_each_loss(|number, _, rows| {
            let own: f64 = inequalities[rows].iter().sum();
            let even = layout
                .even_of(number)
                .map_or(0.0, |index| factored.soft[number] * inequalities[index]);
            losses[number] = own + inequalities[layout.zero + number] + even;
        });
        Pulls { inequalities, losses }
    }

    /// The right side of the system that is left for the weights.
    fn right_side(&self, factored: &Factored, dual_residual: &[f64], pulls: &Pulls) -> Vec<f64> {
        let layout = self.layout();
        let Factored { stiffness, of_loss, .. } = factored;
        let Pulls { inequalities: pulls, losses } = pulls;
        let mut factors = vec![0.0; layout.zero];
        self.for_each_loss(|number, _, rows| {
            for row in rows {
                factors[row] = pulls[row] - losses[number] / of_loss[number] * stiffness[row];
            }
        });
        let mut right: Vec<f64> = dual_residual.iter().map(|value| -value).collect();
        let mut pulled = vec![0.0; self.count()];
        self.add_rows(&factors, &mut pulled);
        add(&mut right, -1.0, &pulled);
        for (weight, right) in right.iter_mut().enumerate() {
            let (up, down) = (layout.up + weight, layout.down + weight);
            let share = (pulls[up] + pulls[down]) / (stiffness[up] + stiffness[down]);
            *right -= pulls[up] - share * stiffness[up];
            *right += pulls[down] - share * stiffness[down];
            *right += pulls.get(layout.least + weight).copied().unwrap_or(0.0);
        }
        right
    }

    /// How slacks and duals change with the weights.
    fn slacks_and_duals(
        &self,
        factored: &Factored,
        pulls: &Pulls,
        weights: &[f64],
    ) -> (Vec<f64>, Vec<f64>) {
        let (layout, count) = (self.layout(), self.count());
        let Factored { stiffness, of_loss, soft, .. } = factored;
        let Pulls { inequalities: pulls, losses } = pulls;
        let mut slacks = vec![0.0; layout.end];
        let mut duals = vec![0.0; layout.end];
        self.for_each_loss(|number, loss, rows| {
            let moves: Vec<f64> = rows
                .clone()
                .map(|row| dot(&self.losses.rows[row * count..][..count], weights))
                .collect();
            let pushed: f64 =
                moves.iter().zip(&stiffness[rows.clone()]).map(|(one, by)| one * by).sum();
            let value = (losses[number] + pushed) / of_loss[number];
            for (row, moved) in rows.zip(&moves) {
                slacks[row] = value - moved;
            }
            slacks[layout.zero + number] = value;
            if let (Some(index), Some(square)) = (layout.even_of(number), loss.square) {
                duals[index] = soft[number] * (pulls[index] - stiffness[index] * value);
                slacks[index] = value + duals[index] / (2.0 * square);
            }
        });
        for (weight, value) in weights.iter().enumerate() {
            let (up, down) = (layout.up + weight, layout.down + weight);
            let sum = stiffness[up] + stiffness[down];
            let moved = (pulls[up] + pulls[down] + (stiffness[up] - stiffness[down]) * value) / sum;
            slacks[up] = moved - value;
            slacks[down] = moved + value;
            if layout.least < layout.end {
                slacks[layout.least + weight] = *value;
            }
        }
        for index in 0..layout.end {
            if !(layout.even..layout.up).contains(&index) {
                duals[index] = pulls[index] - stiffness[index] * slacks[index];
            }
        }
        (slacks, duals)
    }

    /// The optimum, by this method.
    pub(super) fn solve_by_interior_point(&self) -> Result<Optimum, ProgramError> {
        let layout = self.layout();
        let mut state = self.begin();
        let is_linear = self.quadratic.is_none() && layout.even == layout.up;
        let right = self.equalities.iter().fold(0.0, |most: f64, (_, right)| most.max(right.abs()));
        let pairs = layout.end as f64;
        let mut curve = Vec::new();
        let mut best: Option<(f64, Solution, Vec<f64>)> = None;
        for iteration in 0..MOST_ITERATIONS {
            let dual_residual = self.dual_residual(&state);
            let equality_residual = self.equality_residual(&state);
            let gap = product(&state.slacks, &state.duals);
            let objective = self.objective(&state.weights);
            // Residuals are relative to what they are differences of, as clarabel has it.
            let weight = largest(&state.weights);
            let costs = largest(&self.linear).max(self.regularization);
            let dual_scale = 1.0 + costs + weight + largest(&state.duals);
            let error = (gap / (1.0 + objective.abs()))
                .max(largest(&dual_residual) / dual_scale)
                .max(largest(&equality_residual) / (1.0 + right + weight));
            if !(gap.is_finite() && objective.is_finite()) {
                return Err(ProgramError::Unsolved("numbers out of range".to_string()));
            }
            curve.push((objective, gap));
            if best.as_ref().is_none_or(|(least, _, _)| error < *least) {
                let weights = state.weights.iter().map(|weight| *weight as f32).collect();
                let solution = Solution { weights, objective, iterations: iteration };
                best = Some((error, solution, state.duals[..layout.zero].to_vec()));
            }
            let since = best.as_ref().map_or(0, |(_, best, _)| iteration - best.iterations);
            if error <= TOLERANCE || since >= PATIENCE {
                break;
            }
            let factored = self.factor(&state);
            let targets: Vec<f64> =
                state.slacks.iter().zip(&state.duals).map(|(slack, dual)| -slack * dual).collect();
            let step = |targets: &[f64]| {
                self.step(&state, &factored, &dual_residual, &equality_residual, targets)
            };
            let predictor = step(&targets);
            let (primal, dual) = lengths(&state, &predictor, 1.0, is_linear);
            let after: f64 = (0..layout.end)
                .map(|index| {
                    (state.slacks[index] + primal * predictor.slacks[index])
                        * (state.duals[index] + dual * predictor.duals[index])
                })
                .sum();
            let centre = (after / gap).powi(3) * gap / pairs;
            let corrected: Vec<f64> = (0..layout.end)
                .map(|index| {
                    targets[index] + centre - predictor.slacks[index] * predictor.duals[index]
                })
                .collect();
            let corrector = step(&corrected);
            let (primal, dual) = lengths(&state, &corrector, STEP, is_linear);
            add(&mut state.weights, primal, &corrector.weights);
            add(&mut state.slacks, primal, &corrector.slacks);
            add(&mut state.multipliers, dual, &corrector.multipliers);
            add(&mut state.duals, dual, &corrector.duals);
        }
        match best {
            Some((error, solution, duals)) if error <= GOOD_ENOUGH => {
                curve.truncate(solution.iterations as usize + 1);
                Ok(Optimum { solution, duals, curve })
            }
            _ => Err(ProgramError::Unsolved("rounding allows no better weights".to_string())),
        }
    }
}

/// How far a step can go until a slack and until a dual is 0, times `share`; both the same unless the program is linear.
fn lengths(state: &State, step: &State, share: f64, is_linear: bool) -> (f64, f64) {
    let most = |values: &[f64], steps: &[f64]| {
        let ends = values.iter().zip(steps).filter(|(_, step)| **step < 0.0);
        let ends = ends.map(|(value, step)| -share * value / step);
        ends.fold(1.0, f64::min)
    };
    let (primal, dual) = (most(&state.slacks, &step.slacks), most(&state.duals, &step.duals));
    if is_linear { (primal, dual) } else { (primal.min(dual), primal.min(dual)) }
}

impl Factored {
    /// Solves with the matrix, by conjugate gradients with the factor.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; right.len()];
        let mut rest = right.to_vec();
        let mut way = solve_factored(&self.factor, &rest);
        let mut square = product(&rest, &way);
        for _ in 0..MOST_GRADIENTS {
            let times: Vec<f64> =
                self.matrix.chunks_exact(right.len()).map(|row| product_of(row, &way)).collect();
            let length = square / product(&way, &times);
            if !length.is_finite() {
                break;
            }
            add(&mut found, length, &way);
            add(&mut rest, -length, &times);
            let next = solve_factored(&self.factor, &rest);
            let next_square = product(&rest, &next);
            if largest(&rest) <= 1e-14 * largest(right) || next_square <= 0.0 {
                break;
            }
            let share = next_square / square;
            square = next_square;
            way.iter_mut().zip(&next).for_each(|(way, next)| *way = next + share * *way);
        }
        found
    }

    /// Solves with the matrix bordered by the equalities.
    fn solve_both(
        &self,
        right: &[f64],
        equality: &[f64],
        equalities: &[(Vec<f64>, f64)],
    ) -> (Vec<f64>, Vec<f64>) {
        let mut weights = self.solve(right);
        let rest = equalities.iter().zip(equality);
        let rest: Vec<f64> = rest.map(|((row, _), right)| product(row, &weights) - right).collect();
        let multipliers = solve_factored(&self.schur, &rest);
        for (column, multiplier) in self.equalities.iter().zip(&multipliers) {
            add(&mut weights, -multiplier, column);
        }
        (weights, multipliers)
    }
}
