//! The Bradley–Terry model: the strengths that make results likeliest.

use super::matrix::Matrix;

/// Results of a group, everybody in it compared with everybody through some others.
pub struct Results {
    /// Points of the row's player against the column's.
    points: Matrix,
    size: usize,
}

/// Strengths in natural units, 0 in the mean: who is stronger by x wins with odds of eˣ to one.
pub struct Strengths {
    pub values: Vec<f64>,
    /// The covariance of their errors: the inverse of the Fisher information, within the strengths
    /// whose mean is 0.
    covariance: Matrix,
}

impl Results {
    pub fn new(size: usize, points: impl Fn(usize, usize) -> f64) -> Results {
        let mut matrix = Matrix::filled(size, 0.0);
        for row in 0..size {
            for column in (0..size).filter(|&column| column != row) {
                matrix[(row, column)] = points(row, column);
            }
        }
        Results { points: matrix, size }
    }

    /// The strengths under which the results are likeliest, by Newton's method. The logarithm of the
    /// likelihood is concave: a step that does not make the results likelier was only too long.
    pub fn strengths(&self) -> Strengths {
        let mut values = vec![0.0; self.size];
        let mut likelihood = self.log_likelihood(&values);
        for _ in 0..STEPS {
            let mut step = self.covariance(&values).times(&self.gradient(&values));
            let reached = loop {
                let next: Vec<f64> = values.iter().zip(&step).map(|(a, b)| a + b).collect();
                if self.log_likelihood(&next) >= likelihood || longest(&step) < CLOSE {
                    break next;
                }
                step.iter_mut().for_each(|part| *part /= 2.0);
            };
            values = reached;
            likelihood = self.log_likelihood(&values);
            if longest(&step) < CLOSE {
                break;
            }
        }
        Strengths { covariance: self.covariance(&values), values }
    }

    fn log_likelihood(&self, values: &[f64]) -> f64 {
        // ln (1 / (1 + e⁻ˣ)), without an overflow.
        let log_chance = |x: f64| x.min(0.0) - (-x.abs()).exp().ln_1p();
        self.pairs().map(|(a, b)| self.points[(a, b)] * log_chance(values[a] - values[b])).sum()
    }

    fn gradient(&self, values: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.size];
        for (a, b) in self.pairs() {
            let games = self.points[(a, b)] + self.points[(b, a)];
            gradient[a] += self.points[(a, b)] - games * chance(values[a] - values[b]);
        }
        gradient
    }

    /// The inverse of the information about the strengths. It says nothing of their mean, which is
    /// held at 0 by a term that acts on the mean alone and is taken off again.
    fn covariance(&self, values: &[f64]) -> Matrix {
        let of_mean = 1.0 / self.size as f64;
        let mut information = Matrix::filled(self.size, of_mean);
        for (a, b) in self.pairs() {
            let games = self.points[(a, b)] + self.points[(b, a)];
            let difference = values[a] - values[b];
            let part = games * chance(difference) * chance(-difference);
            information[(a, a)] += part;
            information[(a, b)] -= part;
        }
        let mut covariance = information.inverse();
        for a in 0..self.size {
            for b in 0..self.size {
                covariance[(a, b)] -= of_mean;
            }
        }
        covariance
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.size;
        (0..size).flat_map(move |a| (0..size).filter(move |&b| b != a).map(move |b| (a, b)))
    }
}

impl Strengths {
    /// The variance of a strength, measured from the mean.
    pub fn variance(&self, a: usize) -> f64 {
        self.covariance[(a, a)].max(0.0)
    }

    /// The variance of the difference of two strengths.
    pub fn variance_between(&self, a: usize, b: usize) -> f64 {
        let covariance = &self.covariance;
        (covariance[(a, a)] + covariance[(b, b)] - 2.0 * covariance[(a, b)]).max(0.0)
    }
}

/// More than Newton's method takes.
const STEPS: usize = 100;

/// When a step is too short to matter: a millionth of an Elo is 6e-9.
const CLOSE: f64 = 1e-10;

fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

fn longest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |longest, part| part.abs().max(longest))
}
