//! Games counted by pairs.

use super::{Estimate, GameScore, Sample};

/// How many pairs of games scored 0, ½, 1, 1½ and 2 points for A.
///
/// The two games of a pair begin alike with the sides exchanged. An opening that favours a side then
/// costs each player a game, and pairs scatter less than independent games would: the same number of
/// games decides more (observed by Kai Laskos, worked out by Michel Van den Bergh).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts one more pair of games, both from A's view.
    pub fn add(&mut self, first: GameScore, second: GameScore) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    /// The same pairs from B's view.
    pub fn swapped(self) -> Pairs {
        let Pairs([a, b, c, d, e]) = self;
        Pairs([e, d, c, b, a])
    }

    /// How many games there were, two in each pair.
    pub fn games(self) -> u64 {
        2 * self.0.iter().sum::<u64>()
    }

    /// The pairs as a sample with five possible scores (the pentanomial model).
    pub fn sample(self) -> Sample {
        Sample::new(&self.0)
    }

    /// What the pairs say of A's strength; nothing without games.
    pub fn estimate(self) -> Option<Estimate> {
        Estimate::of(&self.sample())
    }
}
