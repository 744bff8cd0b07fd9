//! The games whose nets learn from nothing.

use network::{InputShape, Inputs};
use rand::Rng;

use super::setups::{SetupResults, SetupWeights};
use super::training::{Course, TrainedNet, train};
use super::{GenerationError, Settings, Watcher};
use crate::train::{ArimaaSubject, TzaarSubject, untrained};
use crate::{Learnable, Setups, ShardGame};

/// A game whose nets learn from nothing but its rules.
pub trait FromRules: Learnable {
    /// The numbers of sets of output weights that its nets may have, the usual one first.
    const BUCKETS: &'static [usize];

    /// The hidden units of its nets.
    const HIDDEN: usize;

    /// Engine parameters for fast games with few nodes a turn, as `name=value`.
    const FAST: &'static [&'static str];

    /// The file of a net of random weights.
    fn untrained(settings: &Settings, seed: u64) -> Vec<u8>;

    /// Trains a net, or goes on with it.
    fn train(
        course: &Course,
        watcher: &mut (dyn Watcher + Send),
    ) -> Result<TrainedNet, GenerationError>;

    /// A random first position of a game; setups with a high weight are more frequent.
    fn start(setups: &SetupWeights, rng: &mut impl Rng) -> Self::Position;

    /// Counts a game for what is to be learned of setups.
    fn add_result(results: &mut SetupResults, game: &ShardGame<Self::Position>);
}

impl FromRules for arimaa::Game {
    const BUCKETS: &'static [usize] = arimaa_ai::NetworkInputs::BUCKETS;

    const HIDDEN: usize = arimaa_ai::network_evaluation::HIDDEN;

    /// Looks for forced wins list all turns, which takes longer than a search of some hundred nodes.
    const FAST: &'static [&'static str] = &["threat_search=0", "verification=0"];

    fn untrained(settings: &Settings, seed: u64) -> Vec<u8> {
        let Settings { buckets, scale, .. } = *settings;
        let shape = InputShape { buckets, ..arimaa_ai::NetworkInputs::SHAPE };
        untrained::<{ arimaa::Game::HIDDEN }>(shape, scale.into(), seed).to_bytes()
    }

    fn train(
        course: &Course,
        watcher: &mut (dyn Watcher + Send),
    ) -> Result<TrainedNet, GenerationError> {
        train::<_, { arimaa::Game::HIDDEN }>(&ArimaaSubject, course, watcher)
    }

    fn start(setups: &SetupWeights, rng: &mut impl Rng) -> arimaa::Position {
        setups.start(rng)
    }

    fn add_result(results: &mut SetupResults, game: &ShardGame<arimaa::Position>) {
        if let Some(winner) = game.ending.winner {
            results.add(&game.start, winner);
        }
    }
}

/// Tzaar has no setups to learn: the official start and boards that chance has filled belong to its rules.
impl FromRules for tzaar::Game {
    const BUCKETS: &'static [usize] = tzaar_ai::NetworkInputs::BUCKETS;

    const HIDDEN: usize = tzaar_ai::network_evaluation::HIDDEN;

    const FAST: &'static [&'static str] = &[];

    fn untrained(settings: &Settings, seed: u64) -> Vec<u8> {
        let Settings { buckets, scale, .. } = *settings;
        let shape = InputShape { buckets, ..tzaar_ai::NetworkInputs::SHAPE };
        untrained::<{ tzaar::Game::HIDDEN }>(shape, scale.into(), seed).to_bytes()
    }

    fn train(
        course: &Course,
        watcher: &mut (dyn Watcher + Send),
    ) -> Result<TrainedNet, GenerationError> {
        train::<_, { tzaar::Game::HIDDEN }>(&TzaarSubject, course, watcher)
    }

    fn start(_: &SetupWeights, rng: &mut impl Rng) -> tzaar::Position {
        tzaar::Game::random_opening(Setups::Random, rng)
    }

    fn add_result(_: &mut SetupResults, _: &ShardGame<tzaar::Position>) {}
}
