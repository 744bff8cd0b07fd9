//! Weights by logistic regression: the evaluation divided by a scale is the logarithm of the odds that Gold wins.
//!
//! Where positions are known to be successors of the same one, their order can count as well: the evaluation divided by a
//! temperature is then the logarithm of how likely each is to be chosen, up to a constant.

use std::ops::Range;

use game::Side;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::matrix::{Condensed, add, cholesky, dot, largest, mirror, product, solve_factored};

/// Why there are no weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LogisticError {
    /// Nothing to learn from.
    #[error("there is no turn to learn from: give games with turns after the setups")]
    Empty,
    /// Newton's method left the numbers that can be computed with.
    #[error(
        "the solver did not come to an optimum: numbers out of range; try another regularization"
    )]
    OutOfRange,
}

/// Positions with what they should be worth.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LogisticData {
    /// What the weights are multiplied with, position by position.
    terms: Vec<f32>,
    /// The chance that Gold wins, from 0 to 1.
    targets: Vec<f32>,
    siblings: Vec<Siblings>,
}

/// Positions after turns of the same one.
#[derive(Clone, PartialEq, Debug)]
struct Siblings {
    /// Their numbers.
    positions: Range<usize>,
    /// Their scores for the side that chooses.
    scores: Vec<f32>,
    /// 1 if Gold chooses, else -1.
    sign: f64,
}

impl LogisticData {
    /// Adds a position.
    pub fn add(&mut self, terms: &[f32], target: f32) {
        self.terms.extend_from_slice(terms);
        self.targets.push(target);
    }

    /// Says that the last positions that were added come after turns of the same one. The scores are those for the side that
    /// chooses among them.
    ///
    /// # Panics
    ///
    /// If there are fewer positions than scores.
    pub fn add_siblings(&mut self, side: Side, scores: &[f32]) {
        let positions = self.len() - scores.len()..self.len();
        let sign = if side == arimaa::GOLD { 1.0 } else { -1.0 };
        self.siblings.push(Siblings { positions, scores: scores.to_vec(), sign });
    }

    /// Whether there are siblings.
    pub fn has_siblings(&self) -> bool {
        !self.siblings.is_empty()
    }

    /// By how much the best score among siblings is better than that of the one that weights make the best, on average.
    pub fn regret(&self, weights: &[f64]) -> f64 {
        let regret = |siblings: &Siblings| {
            let best = siblings.scores.iter().copied().fold(f32::MIN, f32::max);
            let values = self.values(siblings, weights);
            let chosen = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
            chosen.map_or(0.0, |chosen| f64::from(best - siblings.scores[chosen]))
        };
        self.siblings.iter().map(regret).sum::<f64>() / self.siblings.len().max(1) as f64
    }

    /// What siblings are worth to the side that chooses.
    fn values(&self, siblings: &Siblings, weights: &[f64]) -> Vec<f64> {
        let position = |number| siblings.sign * dot(self.terms(number), weights);
        siblings.positions.clone().map(position).collect()
    }

    fn terms(&self, number: usize) -> &[f32] {
        let count = self.terms.len() / self.len().max(1);
        &self.terms[number * count..][..count]
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
    /// How much the order of siblings counts, against the chances of positions.
    pub ranking: f64,
    /// The difference of evaluations at which one sibling is e times as likely to be chosen as another.
    pub temperature: f64,
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

/// How likely each of some is, if these divided by the temperature are the logarithms, up to a constant.
fn shares(values: &[f64], temperature: f64) -> Vec<f64> {
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let odds: Vec<f64> = values.iter().map(|value| ((value - most) / temperature).exp()).collect();
    let sum: f64 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / sum).collect()
}

impl LogisticRegression {
    /// The mean cross entropy of positions, and that of siblings as far as it counts, above the least possible.
    pub fn loss(&self, data: &LogisticData, weights: &[f64]) -> f64 {
        let losses =
            data.iter().map(|(terms, target)| entropy(target, dot(terms, weights) / self.scale));
        let positions = losses.sum::<f64>() / data.len().max(1) as f64;
        if self.ranking == 0.0 || data.siblings.is_empty() {
            return positions;
        }
        let losses = data.siblings.iter().map(|siblings| self.divergence(data, siblings, weights));
        positions + self.ranking * losses.sum::<f64>() / data.siblings.len() as f64
    }

    /// How far the shares of siblings by their evaluations are from those by their scores.
    fn divergence(&self, data: &LogisticData, siblings: &Siblings, weights: &[f64]) -> f64 {
        let [wanted, found] = self.wanted_and_found(data, siblings, weights);
        let terms = wanted.iter().zip(&found);
        let term = |(wanted, found): (&f64, &f64)| match *wanted > 0.0 {
            true => wanted * (wanted / found.max(f64::MIN_POSITIVE)).ln(),
            false => 0.0,
        };
        terms.map(term).sum()
    }

    /// The shares of siblings by their scores and by their evaluations.
    fn wanted_and_found(
        &self,
        data: &LogisticData,
        siblings: &Siblings,
        weights: &[f64],
    ) -> [Vec<f64>; 2] {
        let scores: Vec<f64> = siblings.scores.iter().map(|score| f64::from(*score)).collect();
        let values = data.values(siblings, weights);
        [shares(&scores, self.temperature), shares(&values, self.temperature)]
    }

    /// Adds the slope of the loss of siblings to a gradient, and its curvature to a matrix.
    fn add_siblings(
        &self,
        data: &LogisticData,
        weights: &[f64],
        gradient: &mut [f64],
        condensed: &mut Condensed,
    ) {
        let part = self.ranking / data.siblings.len() as f64;
        for siblings in &data.siblings {
            let [wanted, found] = self.wanted_and_found(data, siblings, weights);
            let mut mean = vec![0.0; gradient.len()];
            for (number, (wanted, found)) in
                siblings.positions.clone().zip(wanted.iter().zip(&found))
            {
                let slope = part * siblings.sign * (found - wanted) / self.temperature;
                for ((sum, mean), term) in
                    gradient.iter_mut().zip(&mut mean).zip(data.terms(number))
                {
                    *sum += slope * f64::from(*term);
                    *mean += found * f64::from(*term);
                }
            }
            for (number, found) in siblings.positions.clone().zip(&found) {
                let by = (part * found).sqrt() / self.temperature;
                // What is all but impossible bends nothing.
                if *found > 1e-6 {
                    let terms = data.terms(number).iter().zip(&mean);
                    condensed.add(terms.map(|(term, mean)| by * (f64::from(*term) - mean)));
                }
            }
        }
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
    ) -> Result<(), LogisticError> {
        if data.is_empty() {
            return Err(LogisticError::Empty);
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
        if self.ranking > 0.0 && !data.siblings.is_empty() {
            self.add_siblings(data, &state.weights, &mut gradient, &mut condensed);
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
            return Err(LogisticError::OutOfRange);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn method() -> LogisticRegression {
        LogisticRegression {
            scale: 200.0,
            ridge: 0.1,
            ranking: 0.0,
            temperature: 50.0,
            iterations: 50,
        }
    }

    #[test]
    fn the_weights_that_chances_come_from_are_found() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let weights: Vec<f64> = (0..7).map(|_| rng.random_range(-300.0..300.0)).collect();
        let mut data = LogisticData::default();
        for _ in 0..400 {
            let terms: Vec<f32> = (0..7).map(|_| rng.random_range(-1.0..1.0)).collect();
            data.add(&terms, sigmoid(dot(&terms, &weights) / 200.0) as f32);
        }
        let method = LogisticRegression { ridge: 1e-12, ..method() };
        let mut state = LogisticState::new(vec![0.0; 7]);
        while !state.is_finished {
            method.go_on(&data, &data, &mut state).unwrap();
        }
        for (found, weight) in state.weights.iter().zip(&weights) {
            assert!((found - weight).abs() < 1.0, "{found} {weight}");
        }
        assert!(state.curve.windows(2).all(|pair| pair[1].0 <= pair[0].0));
    }

    /// Three siblings of which the worst one has the most of the second term, which tells nothing of chances.
    fn siblings() -> LogisticData {
        let mut data = LogisticData::default();
        for (side, sign) in [(arimaa::GOLD, 1.0), (arimaa::SILVER, -1.0)] {
            data.add(&[sign, 0.0], 0.5);
            data.add(&[sign, sign], 0.5);
            data.add(&[sign, 2.0 * sign], 0.5);
            data.add_siblings(side, &[30.0, 0.0, -30.0]);
        }
        data
    }

    #[test]
    fn the_order_of_siblings_is_learned() {
        let data = siblings();
        let method = LogisticRegression { ridge: 1e-9, ranking: 1.0, ..method() };
        let mut state = LogisticState::new(vec![0.0, 0.1]);
        assert!(data.regret(&state.weights) > 59.0);
        while !state.is_finished {
            method.go_on(&data, &data, &mut state).unwrap();
        }
        assert_eq!(data.regret(&state.weights), 0.0);
        // The shares are those of the scores if each is 30 less than the one before; chances ask for less.
        assert!((-31.0..-20.0).contains(&state.weights[1]), "{:?}", state.weights);
        assert!(state.curve.windows(2).all(|pair| pair[1].0 <= pair[0].0));
    }

    #[test]
    fn the_slope_of_the_loss_of_siblings_is_that_of_differences() {
        let (data, method) = (siblings(), LogisticRegression { ranking: 0.7, ..method() });
        let weights = [3.0, -7.0];
        let mut gradient = vec![0.0; 2];
        let mut matrix = vec![0.0; 4];
        let mut condensed = Condensed::new(2, &mut matrix);
        method.add_siblings(&data, &weights, &mut gradient, &mut condensed);
        let alone = |weights: &[f64]| {
            let without = LogisticRegression { ranking: 0.0, ..method };
            method.loss(&data, weights) - without.loss(&data, weights)
        };
        for weight in 0..2 {
            let moved = |by: f64| {
                let mut weights = weights;
                weights[weight] += by;
                alone(&weights)
            };
            let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
            assert!((slope - gradient[weight]).abs() < 1e-7, "{slope} {}", gradient[weight]);
        }
    }

    #[test]
    fn nothing_to_learn_from_is_refused() {
        let method = method();
        let mut state = LogisticState::new(vec![0.0; 3]);
        let none = LogisticData::default();
        assert_eq!(method.go_on(&none, &none, &mut state), Err(LogisticError::Empty));
    }
}
