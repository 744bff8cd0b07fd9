//! Scores that were observed, and how often.

use super::distribution::Distribution;

/// A count for a score that was never seen, so that no score is held impossible: fishtest's and
/// fastchess's value.
const INSTEAD_OF_NONE: f64 = 1e-3;

/// Scores that were observed: of games (three possible scores) or of pairs of games (five).
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// How often, from no point to all points, in steps of half a point.
    counts: Vec<f64>,
}

impl Sample {
    pub(super) fn new(counts: &[u64]) -> Sample {
        Sample { counts: counts.iter().map(|&count| count as f64).collect() }
    }

    /// How many games were played.
    pub fn games(&self) -> f64 {
        self.observations() * self.games_each()
    }

    /// How many scores were observed: games or pairs of games.
    pub(super) fn observations(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Games in an observation, 1 or 2: each has two steps of half a point.
    pub(super) fn games_each(&self) -> f64 {
        (self.counts.len() - 1) as f64 / 2.0
    }

    /// The shares of the scores; none without games.
    pub(super) fn distribution(&self) -> Option<Distribution> {
        let observations = self.observations();
        (observations > 0.0)
            .then(|| Distribution::new(self.counts.iter().map(|count| count / observations)))
    }

    /// The sample with each score seen at least a little; none without games.
    pub(super) fn regular(&self) -> Option<Sample> {
        let at_least = |&count: &f64| if count > 0.0 { count } else { INSTEAD_OF_NONE };
        let counts = self.counts.iter().map(at_least).collect();
        (self.observations() > 0.0).then_some(Sample { counts })
    }
}
