//! How likely each score is.

/// Scores from 0 to 1 at equal distances, and how likely each is.
#[derive(Clone, Debug)]
pub struct Distribution {
    probabilities: Vec<f64>,
}

impl Distribution {
    pub fn new(probabilities: impl Iterator<Item = f64>) -> Distribution {
        Distribution { probabilities: probabilities.collect() }
    }

    /// The least and the greatest score alone, with a mean so many standard deviations above ½.
    fn of_extremes(size: usize, deviations: f64) -> Distribution {
        let above_half = deviations / (2.0 * (1.0 + deviations * deviations).sqrt());
        let mut probabilities = vec![0.0; size];
        probabilities[0] = 0.5 - above_half;
        probabilities[size - 1] = 0.5 + above_half;
        Distribution { probabilities }
    }

    pub fn mean(&self) -> f64 {
        self.expect(|score| score)
    }

    pub fn variance(&self) -> f64 {
        self.square_about(self.mean())
    }

    /// The mean square of the distance to a score.
    pub fn square_about(&self, middle: f64) -> f64 {
        self.expect(|score| (score - middle).powi(2))
    }

    /// The mean of a function of the score.
    fn expect(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.weighted_scores().map(|(score, probability)| probability * f(score)).sum()
    }

    fn weighted_scores(&self) -> impl Iterator<Item = (f64, f64)> {
        let most = (self.probabilities.len() - 1) as f64;
        let scores = (0..).map(move |index| f64::from(index) / most);
        scores.zip(self.probabilities.iter().copied())
    }

    /// The mean logarithm of how much likelier `b` holds a score than `a` does.
    pub fn log_ratio(&self, b: &Distribution, a: &Distribution) -> f64 {
        let ratios = b.probabilities.iter().zip(&a.probabilities).map(|(b, a)| (b / a).ln());
        self.probabilities.iter().zip(ratios).map(|(probability, ratio)| probability * ratio).sum()
    }

    /// Among the distributions with this mean, the one under which what was observed is likeliest
    /// (Van den Bergh, cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1).
    pub fn likeliest_with_mean(&self, mean: f64) -> Option<Distribution> {
        self.likeliest_balancing(&self.map_scores(|score| score - mean))
    }

    /// Among the distributions whose mean is `deviations` standard deviations above ½, the one under
    /// which what was observed is likeliest (Van den Bergh, "Comments on normalized Elo", section
    /// 4.1: the condition is not linear; it is made so about the last distribution, again and again).
    /// The first one meets the condition: from a uniform one, as others take, nothing is found if
    /// that is far off.
    pub fn likeliest_with_deviations(&self, deviations: f64) -> Option<Distribution> {
        let mut likeliest = Distribution::of_extremes(self.probabilities.len(), deviations);
        for _ in 0..ROUNDS {
            let mean = likeliest.mean();
            let variance = likeliest.variance();
            let about = |score: f64| (1.0 + (score - mean).powi(2) / variance) / 2.0;
            let excess = |score| score - 0.5 - deviations * variance.sqrt() * about(score);
            let next = self.likeliest_balancing(&self.map_scores(excess))?;
            let change = next.distance(&likeliest);
            likeliest = next;
            if change < CLOSE {
                return Some(likeliest);
            }
        }
        None
    }

    /// Among the distributions under which these values are 0 in the mean, the likeliest: it divides
    /// the observed probabilities by `1 + multiplier · value`. None if all values have one sign.
    fn likeliest_balancing(&self, values: &[f64]) -> Option<Distribution> {
        let multiplier = self.multiplier(values)?;
        let divided = self.probabilities.iter().zip(values);
        Some(Distribution::new(
            divided.map(|(probability, value)| probability / (1.0 + multiplier * value)),
        ))
    }

    /// Solves Σ probability · value / (1 + multiplier · value) = 0, whose left side falls from
    /// infinity to minus infinity between two poles.
    fn multiplier(&self, values: &[f64]) -> Option<f64> {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least >= 0.0 || most <= 0.0 {
            return None;
        }
        let mut low = -INSIDE / most;
        let mut high = -INSIDE / least;
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            let terms = self.probabilities.iter().zip(values);
            let sum: f64 = terms.map(|(p, value)| p * value / (1.0 + middle * value)).sum();
            *(if sum > 0.0 { &mut low } else { &mut high }) = middle;
        }
        Some((low + high) / 2.0)
    }

    fn map_scores(&self, f: impl Fn(f64) -> f64) -> Vec<f64> {
        self.weighted_scores().map(|(score, _)| f(score)).collect()
    }

    fn distance(&self, other: &Distribution) -> f64 {
        let pairs = self.probabilities.iter().zip(&other.probabilities);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }
}

/// Where the hypothesis is far from what was observed, it takes a hundred and more (fishtest stops after 10).
const ROUNDS: usize = 2000;

/// When two distributions count as the same: fishtest's value.
const CLOSE: f64 = 1e-9;

/// How near a pole the multiplier may come, so that no divisor is rounded to nothing.
const INSIDE: f64 = 1.0 - 1e-12;

/// As many as the digits of a number allow.
const HALVINGS: usize = 64;
