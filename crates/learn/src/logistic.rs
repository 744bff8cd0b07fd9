//! Weights by logistic regression: the evaluation divided by a scale is the logarithm of the odds that Gold wins.

use serde::{Deserialize, Serialize};

use crate::programs::ProgramError;
use crate::programs::matrix::{
    Condensed, add, cholesky, dot, largest, mirror, product, solve_factored,
};

/// Positions with what they should be worth.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LogisticData {
    /// What the weights are multiplied with, position by position.
    terms: Vec<f32>,
    /// The chance that Gold wins, from 0 to 1.
    targets: Vec<f32>,
}

impl LogisticData {
    /// Adds a position.
    pub fn add(&mut self, terms: &[f32], target: f32) {
        self.terms.extend_from_slice(terms);
        self.targets.push(target);
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The terms of each position and its target.
    pub fn iter(&self) -> impl Iterator<Item = (&[f32], f64)> {
        let count = self.terms.len() / self.len().max(1);
        let targets = self.targets.iter().map(|target| f64::from(*target));
        self.terms.chunks_exact(count.max(1)).zip(targets)
    }
}

/// How the weights are found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LogisticRegression {
    /// The evaluation at which the odds are e to 1.
    pub scale: f64,
    /// What the square of a weight costs, for each position.
    pub ridge: f64,
    /// How often Newton's method goes on, at most.
    pub iterations: u32,
}

/// Weights on their way, with what it takes to go on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LogisticState {
    /// The weights.
    pub weights: Vec<f64>,
    /// The loss of training and of validation before each iteration.
    pub curve: Vec<(f64, f64)>,
    /// Whether no better weights are to be found.
    pub is_finished: bool,
}

impl LogisticState {
    /// The beginning.
    pub fn new(weights: Vec<f64>) -> LogisticState {
        LogisticState { weights, curve: Vec::new(), is_finished: false }
    }
}

fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// The cross entropy of a chance to win and the logarithm of odds, without overflow.
fn entropy(target: f64, odds: f64) -> f64 {
    odds.max(0.0) - target * odds + (-odds.abs()).exp().ln_1p()
}

impl LogisticRegression {
    /// The mean cross entropy of positions.
    pub fn loss(&self, data: &LogisticData, weights: &[f64]) -> f64 {
        let losses =
            data.iter().map(|(terms, target)| entropy(target, dot(terms, weights) / self.scale));
        losses.sum::<f64>() / data.len().max(1) as f64
    }

    fn cost(&self, data: &LogisticData, weights: &[f64]) -> f64 {
        self.loss(data, weights) + 0.5 * self.ridge * product(weights, weights)
    }

    /// Goes on by a step of Newton's method, shortened until the loss is less.
    pub fn go_on(
        &self,
        data: &LogisticData,
        validation: &LogisticData,
        state: &mut LogisticState,
    ) -> Result<(), ProgramError> {
        if data.is_empty() {
            return Err(ProgramError::Empty);
        }
        let (count, positions) = (state.weights.len(), data.len() as f64);
        if state.curve.is_empty() {
            let losses = (self.loss(data, &state.weights), self.loss(validation, &state.weights));
            state.curve.push(losses);
        }
        let mut gradient: Vec<f64> =
            state.weights.iter().map(|weight| self.ridge * weight).collect();
        let mut matrix = vec![0.0; count * count];
        let mut condensed = Condensed::new(count, &mut matrix);
        for (terms, target) in data.iter() {
            let chance = sigmoid(dot(terms, &state.weights) / self.scale);
            let slope = (chance - target) / self.scale / positions;
            gradient.iter_mut().zip(terms).for_each(|(sum, term)| *sum += slope * f64::from(*term));
            let by = (chance * (1.0 - chance) / positions).sqrt() / self.scale;
            condensed.add(terms.iter().map(|term| by * f64::from(*term)));
        }
        condensed.flush();
        (0..count).for_each(|weight| matrix[weight * count + weight] += self.ridge);
        mirror(&mut matrix, count);
        let step = solve_factored(&cholesky(matrix, count), &gradient);
        let before = self.cost(data, &state.weights);
        let mut by = 1.0;
        let after = loop {
            let mut weights = state.weights.clone();
            add(&mut weights, -by, &step);
            let cost = self.cost(data, &weights);
            if cost < before {
                state.weights = weights;
                break cost;
            }
            by /= 2.0;
            if by < 1e-4 {
                state.is_finished = true;
                return Ok(());
            }
        };
        let losses = (self.loss(data, &state.weights), self.loss(validation, &state.weights));
        state.curve.push(losses);
        let is_small = largest(&step) < 1e-6 * (1.0 + largest(&state.weights));
        let is_settled = before - after < 1e-9 * before;
        state.is_finished = is_small || is_settled || state.curve.len() > self.iterations as usize;
        if !after.is_finite() {
            return Err(ProgramError::Unsolved("numbers out of range".to_string()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn the_weights_that_chances_come_from_are_found() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let weights: Vec<f64> = (0..7).map(|_| rng.random_range(-300.0..300.0)).collect();
        let mut data = LogisticData::default();
        for _ in 0..400 {
            let terms: Vec<f32> = (0..7).map(|_| rng.random_range(-1.0..1.0)).collect();
            data.add(&terms, sigmoid(dot(&terms, &weights) / 200.0) as f32);
        }
        let method = LogisticRegression { scale: 200.0, ridge: 1e-12, iterations: 50 };
        let mut state = LogisticState::new(vec![0.0; 7]);
        while !state.is_finished {
            method.go_on(&data, &data, &mut state).unwrap();
        }
        for (found, weight) in state.weights.iter().zip(&weights) {
            assert!((found - weight).abs() < 1.0, "{found} {weight}");
        }
        assert!(state.curve.windows(2).all(|pair| pair[1].0 <= pair[0].0));
    }

    #[test]
    fn nothing_to_learn_from_is_refused() {
        let method = LogisticRegression { scale: 200.0, ridge: 0.1, iterations: 50 };
        let mut state = LogisticState::new(vec![0.0; 3]);
        let none = LogisticData::default();
        assert_eq!(method.go_on(&none, &none, &mut state), Err(ProgramError::Empty));
    }
}
