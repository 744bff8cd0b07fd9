//! How well an evaluation ranks the turns that experts have played, on games that it was not learned from.

use arimaa::{Game, Position, Turn, TurnGenerator};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::{Features, FunctionModel};

/// The ranks of played turns among turns by chance from the same positions.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Ranks {
    /// How many turns were ranked.
    pub turns: usize,
    /// Which share of the others is worse, on average.
    pub better_than: f64,
    /// In which share of the cases the turn is among the best 1, 5 and 20 percent.
    pub among_1: f64,
    /// Among the best 5 percent.
    pub among_5: f64,
    /// Among the best 20 percent.
    pub among_20: f64,
}

/// How many turns are usually ranked.
pub const RANKED: usize = 200;

/// Among how many others each.
pub const OTHERS: usize = 300;

/// Ranks at most so many turns of games, evenly taken, each among so many others.
pub fn judge(
    model: &FunctionModel,
    games: &[Game],
    turns: usize,
    others: usize,
    seed: u64,
) -> Ranks {
    let played: Vec<(&Position, Turn)> = games.iter().flat_map(Game::played_turns).collect();
    let stride = played.len().div_ceil(turns.max(1)).max(1);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut generator = TurnGenerator::new();
    let mut ranks = Ranks::default();
    for (position, turn) in played.into_iter().step_by(stride) {
        let mut after = *position;
        after.play_turn_unchecked(turn);
        let value = |after: &Position| {
            let value = model.for_gold(&Features::new(after.board(), after.side()));
            if position.side() == arimaa::GOLD { value } else { -value }
        };
        let own = value(&after);
        let all = generator.distinct(position.board(), position.side());
        let mut worse = 0.0;
        for _ in 0..others {
            let mut other = *position;
            other.play_turn_unchecked(all[rng.random_range(0..all.len())].turn);
            let other = if other.board() == after.board() { own } else { value(&other) };
            worse += if other < own {
                1.0
            } else if other == own {
                0.5
            } else {
                0.0
            };
        }
        let share = worse / others.max(1) as f64;
        ranks.turns += 1;
        ranks.better_than += share;
        ranks.among_1 += f64::from(u8::from(share >= 0.99));
        ranks.among_5 += f64::from(u8::from(share >= 0.95));
        ranks.among_20 += f64::from(u8::from(share >= 0.8));
    }
    let count = ranks.turns.max(1) as f64;
    for share in
        [&mut ranks.better_than, &mut ranks.among_1, &mut ranks.among_5, &mut ranks.among_20]
    {
        *share /= count;
    }
    ranks
}
