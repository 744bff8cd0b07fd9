//! Who plays Tzaar: Tusk's own player, and WALTZ.

use ::engine::{Parameter, ParameterError};
use rand_chacha::ChaCha8Rng;
use search::{Limits, Report, Stop};
use tzaar::{Game, Step, Turn};
use tzaar_ai::waltz::{self, Algorithm};
use tzaar_ai::{Estimate, Manner, Player};

use super::Tzaar;
use crate::engine::Settings;
use crate::sport;

/// What a player makes of its search: Tusk's, and which of its algorithms WALTZ plays by.
#[derive(Clone, Copy, Default)]
pub struct TzaarManner {
    own: Manner,
    algorithm: Algorithm,
}

/// What can be set of WALTZ.
pub const WALTZ: &[Parameter] = &[Parameter::number(
    AI,
    42,
    (1, 42),
    "the number of its algorithm: 1 to 9, 20 to 25, 40 to 42; tusk tzaar --help lists them",
)];

const AI: &str = "ai";

impl TzaarManner {
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        if name != AI {
            return self.own.set(name, value);
        }
        let known = value.parse().ok().and_then(Algorithm::from_number);
        self.algorithm =
            known.ok_or(ParameterError::OutOfRange { name: AI, least: 1, most: 42 })?;
        Ok(())
    }
}

/// Who plays by searching.
pub enum TzaarPlayer {
    Tusk(Box<Player>),
    Waltz(Box<waltz::Player>),
}

impl sport::Player<Tzaar> for TzaarPlayer {
    fn new(settings: &Settings<Tzaar>) -> TzaarPlayer {
        let Settings { estimate, parameters, manner, mebibytes, threads, .. } = *settings;
        match estimate {
            Estimate::Tusk(_) => {
                let mut player = Player::new(estimate, parameters, mebibytes, threads);
                player.manner = manner.own;
                TzaarPlayer::Tusk(Box::new(player))
            }
            Estimate::Waltz(_) => {
                let player = waltz::Player::new(manner.algorithm, Some(mebibytes));
                TzaarPlayer::Waltz(Box::new(player))
            }
        }
    }

    fn forget(&mut self) {
        match self {
            TzaarPlayer::Tusk(player) => player.forget(),
            TzaarPlayer::Waltz(player) => player.forget(),
        }
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        rng: &mut ChaCha8Rng,
        tell: &mut dyn FnMut(&Report<Step>),
    ) -> Option<(Turn, Report<Step>)> {
        let position = game.position();
        let choice = match self {
            TzaarPlayer::Tusk(player) => player.choose(position, *limits, stop, rng, tell),
            TzaarPlayer::Waltz(player) => player.choose(position, *limits, stop, rng, tell),
        }?;
        Some((Turn::from_steps(&choice.turn)?, choice.report))
    }
}
