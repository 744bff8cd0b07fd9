//! The engine `tusk`: alpha-beta with everything that Tusk knows.

use aei::Thinker;
use arimaa::{Board, Deed, Game, Step};
use arimaa_ai::{Player, choose_setup};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Limits, ParameterError, Parameters, Report, Stop};

/// Thinks by alpha-beta, and sets up from the library.
pub struct Tusk {
    parameters: Parameters,
    mebibytes: usize,
    threads: usize,
    player: Player,
    rng: ChaCha8Rng,
}

/// What the table takes if nobody says anything.
const MEBIBYTES: usize = 64;

impl Tusk {
    pub fn new() -> Tusk {
        let parameters = Parameters::default();
        Tusk {
            parameters,
            mebibytes: MEBIBYTES,
            threads: 1,
            player: Player::new(parameters, MEBIBYTES, 1),
            rng: ChaCha8Rng::seed_from_u64(0),
        }
    }

    /// Begins anew with what was set.
    fn restart(&mut self) {
        self.player = Player::new(self.parameters, self.mebibytes, self.threads);
    }
}

fn number(value: &str, least: usize, most: usize) -> Result<usize, String> {
    let number = value.trim().parse().ok();
    let expected = || format!("expected a whole number from {least} to {most}, found {value:?}");
    number.filter(|number| (least..=most).contains(number)).ok_or_else(expected)
}

impl Thinker for Tusk {
    fn set_option(&mut self, name: &str, value: &str) -> Result<bool, String> {
        match name {
            "seed" => {
                let seed = number(value, 0, usize::MAX)? as u64;
                self.rng = ChaCha8Rng::seed_from_u64(seed);
            }
            "hash" => {
                self.mebibytes = number(value, 1, 1 << 20)?;
                self.restart();
            }
            "threads" => {
                self.threads = number(value, 1, 256)?;
                self.restart();
            }
            _ => match self.parameters.set(name, value.trim()) {
                Ok(()) => self.restart(),
                Err(ParameterError::Unknown) => return Ok(false),
                Err(error) => return Err(error.to_string()),
            },
        }
        Ok(true)
    }

    fn new_game(&mut self) {
        self.player.forget();
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Report<Step>),
    ) -> aei::Choice {
        if let Some(side) = game.setting_up() {
            let opponent: &Board = game.position().board();
            return aei::Choice::Play(Deed::Setup(choose_setup(side, opponent, &mut self.rng)));
        }
        let choice = self.player.choose(game, *limits, stop, report);
        let turn = choice.map(|choice| choice.turn);
        // Stopped before the first iteration was done: anything legal is better than nothing.
        let turn = turn.or_else(|| game.random_turn(&mut self.rng));
        turn.map_or(aei::Choice::Resign, |turn| aei::Choice::Play(Deed::Turn(turn)))
    }
}
