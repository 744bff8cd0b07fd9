use game::Game;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{Engine, Info, Limits, Sink, Stop};

/// The engine `random`: legal actions by chance, for tests and as the weakest opponent.
pub struct Random<G: Game> {
    rng: ChaCha8Rng,
    choose: fn(&G, &mut ChaCha8Rng) -> Option<G::Action>,
}

impl<G: Game> Random<G> {
    /// Plays what `choose` makes of a seed; the same seed and the same questions, the same answers.
    pub fn new(seed: u64, choose: fn(&G, &mut ChaCha8Rng) -> Option<G::Action>) -> Random<G> {
        Random { rng: ChaCha8Rng::seed_from_u64(seed), choose }
    }
}

impl<G: Game> Engine<G> for Random<G> {
    fn analyse(
        &mut self,
        game: &G,
        _limits: &Limits,
        _stop: &Stop,
        _sink: &mut Sink<G>,
    ) -> Option<Info<G::Action>> {
        let action = (self.choose)(game, &mut self.rng)?;
        Some(Info::without_search(None, vec![action]))
    }

    fn set_seed(&mut self, seed: u64) {
        self.rng = ChaCha8Rng::seed_from_u64(seed);
    }
}
