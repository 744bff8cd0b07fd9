//! How early the turn that was played comes, if turns are ordered by likelihood.

use anyhow::ensure;
use arimaa_ai::StepPolicy;
use learn::steps::{PlayedGame, PlayedTurn, Rank, rank_turn};

/// The places of played turns among all distinct turns.
pub struct Ranking {
    /// How many games were held out.
    pub games: usize,
    ranks: Vec<Rank>,
}

impl Ranking {
    /// Ranks as many turns of the games that learning leaves out, evenly spread. Hears how many turns there are, then
    /// of each turn.
    pub fn new(
        policy: &StepPolicy,
        games: &[PlayedGame],
        turns: usize,
        begin: impl FnOnce(usize),
        told: impl Fn(),
    ) -> anyhow::Result<Ranking> {
        let held_out: Vec<&PlayedGame> = games.iter().filter(|game| game.is_held_out()).collect();
        let all: Vec<&PlayedTurn> = held_out.iter().flat_map(|game| &game.turns).collect();
        ensure!(!all.is_empty(), "there is no turn to rank: the games that are held out have none");
        let count = all.len().min(turns);
        begin(count);
        let chosen = (0..count).map(|number| all[number * all.len() / count]);
        let ranks = chosen
            .filter_map(|turn| {
                told();
                rank_turn(policy, turn)
            })
            .collect();
        Ok(Ranking { games: held_out.len(), ranks })
    }

    /// How many turns have a rank.
    pub fn turns(&self) -> usize {
        self.ranks.len()
    }

    /// How many distinct turns there were to choose from, on average.
    pub fn distinct(&self) -> usize {
        self.ranks.iter().map(|rank| rank.turns).sum::<usize>() / self.ranks.len().max(1)
    }

    /// The share of the turns that are among that share of the likeliest.
    pub fn share_among(&self, likeliest: f64) -> f64 {
        let among = self.ranks.iter().filter(|rank| rank.is_among(likeliest)).count();
        among as f64 / self.ranks.len().max(1) as f64
    }
}
