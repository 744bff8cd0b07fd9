//! Tuning of whole numbers by the results of games: SPSA (Spall 1992).
//!
//! Each iteration plays the values moved one way against those moved the other way, all parameters at once and each in a
//! random direction. The values are then moved towards the side that scored more. Perturbations and steps
//! shrink with the iterations.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tuned {
    /// Its name.
    pub name: String,
    /// The least it may become.
    pub least: i32,
    /// The most.
    pub most: i32,
    /// Where it begins.
    pub start: i32,
}

/// How values are moved, in shares of their ranges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpsaSettings {
    /// How far the first perturbation goes to each side.
    pub perturbation: f64,
    /// How far the first step goes if one side wins all games.
    pub step: f64,
    /// How many iterations there are.
    pub iterations: usize,
    /// The seed of the directions.
    pub seed: u64,
}

/// How perturbations and steps shrink, by Spall's advice.
const PERTURBATION_DECAY: f64 = 0.101;
const STEP_DECAY: f64 = 0.602;

/// Steps hardly shrink during this share of the iterations.
const STABLE_SHARE: f64 = 0.1;

/// A run of SPSA.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Tuned>,
    settings: SpsaSettings,
    /// The values, as shares of their ranges.
    values: Vec<f64>,
    iteration: usize,
}

/// The two sides that play each other in an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Perturbed {
    /// The values that are moved in the directions.
    pub plus: Vec<i32>,
    /// Those that are moved against them.
    pub minus: Vec<i32>,
}

impl Spsa {
    /// A run that begins.
    pub fn new(parameters: Vec<Tuned>, settings: SpsaSettings) -> Spsa {
        let share = |tuned: &Tuned| {
            f64::from(tuned.start - tuned.least) / f64::from((tuned.most - tuned.least).max(1))
        };
        let values = parameters.iter().map(share).collect();
        Spsa { parameters, settings, values, iteration: 0 }
    }

    /// The values as they are.
    pub fn values(&self) -> Vec<i32> {
        self.rounded(&self.values)
    }

    /// The same as shares of their ranges.
    pub fn shares(&self) -> &[f64] {
        &self.values
    }

    /// The sides of the next iteration.
    pub fn perturbed(&self) -> Perturbed {
        let directions = self.directions();
        let shrunk = ((self.iteration + 1) as f64).powf(-PERTURBATION_DECAY);
        let moved = |sign: f64| -> Vec<f64> {
            let parameters = self.parameters.iter().zip(&self.values).zip(&directions);
            let moved = parameters.map(|((tuned, value), direction)| {
                // Half a unit, lest both sides be rounded to the same number.
                let unit = 0.5 / f64::from((tuned.most - tuned.least).max(1));
                let by = (self.settings.perturbation * shrunk).max(unit);
                (value + sign * direction * by).clamp(0.0, 1.0)
            });
            moved.collect()
        };
        let [plus, minus] = [1.0, -1.0].map(|sign| self.rounded(&moved(sign)));
        Perturbed { plus, minus }
    }

    /// Moves the values by what the side `plus` has scored, from 0 to 1.
    pub fn learn(&mut self, score: f64) {
        let stable = 1.0 + STABLE_SHARE * self.settings.iterations as f64;
        let shrunk = (stable / (stable + self.iteration as f64)).powf(STEP_DECAY);
        let by = self.settings.step * shrunk * (2.0 * score - 1.0);
        let directions = self.directions();
        for (value, direction) in self.values.iter_mut().zip(directions) {
            *value = (*value + by * direction).clamp(0.0, 1.0);
        }
        self.iteration += 1;
    }

    /// The directions of the iteration, each 1 or −1.
    fn directions(&self) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
        rng.set_stream(self.iteration as u64);
        self.parameters.iter().map(|_| if rng.random_bool(0.5) { 1.0 } else { -1.0 }).collect()
    }

    fn rounded(&self, shares: &[f64]) -> Vec<i32> {
        let number = |(tuned, share): (&Tuned, &f64)| {
            tuned.least + (share * f64::from(tuned.most - tuned.least)).round() as i32
        };
        self.parameters.iter().zip(shares).map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spsa(iterations: usize) -> Spsa {
        let tuned =
            |name: &str, least, most, start| Tuned { name: name.into(), least, most, start };
        let parameters =
            vec![tuned("a", 0, 1000, 900), tuned("b", -50, 50, -40), tuned("c", 0, 1, 0)];
        let settings = SpsaSettings { perturbation: 0.1, step: 0.2, iterations, seed: 7 };
        Spsa::new(parameters, settings)
    }

    #[test]
    fn it_begins_at_the_start_and_stays_within_the_ranges() {
        let mut spsa = spsa(100);
        assert_eq!(spsa.values(), [900, -40, 0]);
        for iteration in 0..100 {
            let Perturbed { plus, minus } = spsa.perturbed();
            assert_ne!(plus, minus);
            for values in [plus, minus, spsa.values()] {
                let ranges = [0..=1000, -50..=50, 0..=1];
                assert!(values.iter().zip(ranges).all(|(value, range)| range.contains(value)));
            }
            spsa.learn(f64::from(iteration % 2));
        }
    }

    #[test]
    fn the_values_go_where_more_is_scored() {
        // The best values are 300 and 20; a side scores the more, the nearer it is.
        let distance = |values: &[i32]| {
            (f64::from(values[0] - 300) / 1000.0).powi(2)
                + (f64::from(values[1] - 20) / 100.0).powi(2)
        };
        let mut spsa = spsa(400);
        let start = distance(&spsa.values());
        for _ in 0..400 {
            let Perturbed { plus, minus } = spsa.perturbed();
            spsa.learn(1.0 / (1.0 + (10.0 * (distance(&plus) - distance(&minus))).exp()));
        }
        assert!(distance(&spsa.values()) < start / 50.0, "{:?}", spsa.values());
    }

    #[test]
    fn the_same_seed_goes_the_same_way() {
        let (mut one, mut other) = (spsa(10), spsa(10));
        for score in [0.2, 0.9, 0.5] {
            assert_eq!(one.perturbed(), other.perturbed());
            one.learn(score);
            other.learn(score);
        }
        assert_eq!(one.shares(), other.shares());
    }
}
