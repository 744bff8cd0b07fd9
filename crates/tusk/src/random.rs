//! The engine `random`: legal turns by chance, for tests and as the weakest opponent.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Limits, Report, Stop};

use crate::engine::Mind;
use crate::sport::{Sport, Step};

/// Plays by chance; the same seed and the same questions, the same answers.
pub struct Random {
    rng: ChaCha8Rng,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { rng: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl<S: Sport> Mind<S> for Random {
    fn set_option(&mut self, name: &str, value: &str) -> Result<bool, String> {
        if name != "seed" {
            return Ok(false);
        }
        let seed = value.trim().parse();
        let seed = seed.map_err(|_| format!("expected a whole number, found {value:?}"))?;
        *self = Random::new(seed);
        Ok(true)
    }

    fn new_game(&mut self) {}

    fn think(
        &mut self,
        game: &S::Game,
        _limits: &Limits,
        _stop: &Stop,
        _report: &mut dyn FnMut(&Report<Step<S>>),
    ) -> Option<S::Action> {
        S::by_chance(game, &mut self.rng)
    }
}
