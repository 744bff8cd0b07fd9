use serde::{Deserialize, Serialize};

use super::FromRules;
use crate::train::trainable_units;

/// How generations are made.
///
/// The settings of a folder hold for generations that begin from now on. Each generation keeps those that it began with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The game.
    pub game: String,
    /// The seed of all chance.
    pub seed: u64,
    /// How many generations there shall be.
    pub generations: u16,
    /// Games of self-play in a generation.
    pub games: u64,
    /// Positions that a search of self-play enters, on average.
    pub nodes: u64,
    /// Branches at each turn of self-play.
    pub branches: u32,
    /// How many generations of games a net is trained on.
    pub window: u16,
    /// The first generation whose games count: the shards before it need not be there.
    #[serde(default = "first_generation")]
    pub since: u16,
    /// Whether a training begins with the weights of the best net instead of random ones.
    #[serde(default)]
    pub from_best: bool,
    /// The most positions of each game that a net is trained on, chosen at random; 0: all.
    pub per_game: u32,
    /// Sets of output weights of the net.
    pub buckets: usize,
    /// Hidden units that are trained; the others stay empty.
    pub hidden: usize,
    /// How much a score counts against the result of the game.
    pub lambda: f64,
    /// How much what came after a turn counts in its score, turn by turn to the result; 0: only the search of the turn
    /// does.
    pub decay: f64,
    /// The score at which the odds to win are e to 1.
    pub scale: u16,
    /// The most epochs of a training.
    pub epochs: u32,
    /// After how many epochs without a better validation a training stops.
    pub patience: u32,
    /// Positions of a step of Adam.
    pub batch: u32,
    /// The highest learning rate.
    pub learning_rate: f64,
    /// Positions that a search of the gate enters.
    pub gate_nodes: u64,
    /// The most games of a gate.
    pub gate_games: u32,
    /// H0 of the gate: the candidate is stronger by this at most.
    pub elo0: f64,
    /// H1 of the gate: the candidate is stronger by this at least.
    pub elo1: f64,
    /// Engine parameters, as `name=value`.
    #[serde(rename = "set")]
    pub engine: Vec<String>,
}

/// Folders of earlier versions have no such setting.
fn first_generation() -> u16 {
    1
}

impl Settings {
    /// The usual ones of a game: those that gained most in small lines (2026-11).
    pub fn new<G: FromRules>(seed: u64) -> Settings {
        let buckets = G::BUCKETS.last().copied().unwrap_or_default();
        Settings {
            game: G::NAME.to_string(),
            seed,
            generations: 20,
            games: 20_000,
            nodes: 400,
            branches: 1,
            window: 5,
            since: first_generation(),
            from_best: false,
            per_game: 120,
            buckets,
            hidden: G::HIDDEN.min(128),
            lambda: 1.0,
            decay: 0.9,
            scale: 400,
            epochs: 4,
            patience: 4,
            batch: 8192,
            learning_rate: 0.01,
            gate_nodes: 1000,
            gate_games: 400,
            elo0: 0.0,
            elo1: 30.0,
            engine: G::FAST.iter().map(|set| (*set).to_string()).collect(),
        }
    }

    /// The first generation whose games a generation is trained on.
    pub fn window_begins(&self, generation: u16) -> u16 {
        let begin = generation.saturating_sub(self.window.saturating_sub(1));
        begin.max(self.since.min(generation)).max(1)
    }

    /// Why no net of the game can be trained so, if none can.
    pub fn fault<G: FromRules>(&self) -> Option<String> {
        let listed = |known: &[usize]| {
            let known: Vec<String> = known.iter().map(usize::to_string).collect();
            known.join(" or ")
        };
        if !G::BUCKETS.contains(&self.buckets) {
            return Some(format!("--buckets {}: expected {}", self.buckets, listed(G::BUCKETS)));
        }
        let units = trainable_units(G::HIDDEN);
        let is_right = units.contains(&self.hidden);
        (!is_right).then(|| format!("--hidden {}: expected {}", self.hidden, listed(&units)))
    }
}
