//! Games counted one by one.

use super::{Estimate, GameScore, Sample, Unfinished};

/// How many games ended how, from A's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that A won.
    pub wins: u64,
    /// Games that A lost.
    pub losses: u64,
    /// Games that nobody won.
    pub unfinished: u64,
}

impl Tally {
    /// Counts one more game.
    pub fn add(&mut self, score: GameScore) {
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Loss => self.losses += 1,
            GameScore::Unfinished => self.unfinished += 1,
        }
    }

    /// Counts the games of another tally as well.
    pub fn add_all(&mut self, other: Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.unfinished += other.unfinished;
    }

    /// The same games from B's view.
    pub fn swapped(self) -> Tally {
        Tally { wins: self.losses, losses: self.wins, unfinished: self.unfinished }
    }

    /// How many games there were.
    pub fn games(self) -> u64 {
        self.wins + self.losses + self.unfinished
    }

    /// A's points: one for a win, half for an unfinished game.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.unfinished as f64 / 2.0
    }

    /// A's points under this rule about unfinished games. What both lose, nobody wins: such points are
    /// for a table, and say nothing of who is stronger.
    pub fn points_under(self, rule: Unfinished) -> f64 {
        match rule {
            Unfinished::Half => self.points(),
            Unfinished::LossForBoth => self.wins as f64,
        }
    }

    /// The games as a sample with three possible scores (the trinomial model).
    pub fn sample(self) -> Sample {
        Sample::new(&[self.losses, self.unfinished, self.wins])
    }

    /// What the games say of A's strength; nothing without games.
    pub fn estimate(self) -> Option<Estimate> {
        Estimate::of(&self.sample())
    }
}
