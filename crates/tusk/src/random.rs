//! The engine `random`: legal setups and turns by chance, for tests and as the weakest opponent.

use aei::Thinker;
use arimaa::{Deed, Game, Setup, Step};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Limits, Report, Stop};

use crate::engine::Mind;

/// Plays by chance; the same seed and the same questions, the same answers.
pub struct Random {
    rng: ChaCha8Rng,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { rng: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl Thinker for Random {
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
        game: &Game,
        _limits: &Limits,
        _stop: &Stop,
        _report: &mut dyn FnMut(&Report<Step>),
    ) -> aei::Choice {
        let deed = match game.setting_up() {
            Some(side) => Some(Deed::Setup(Setup::random(side, &mut self.rng))),
            None => game.random_turn(&mut self.rng).map(Deed::Turn),
        };
        deed.map_or(aei::Choice::Resign, aei::Choice::Play)
    }
}

impl Mind for Random {
    fn found(&self) -> Option<&Report<Step>> {
        None
    }
}
