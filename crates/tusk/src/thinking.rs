//! The engines that search: alpha-beta with what Tusk knows.

use aei::Thinker;
use arimaa::{Board, Deed, Game, Position, Step};
use arimaa_ai::{Estimate, Manner, Player, choose_setup};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Limits, ParameterError, Parameters, Report, Stop, Verdict};

use crate::engine::Mind;
use crate::moves;
use crate::sheet::Sheet;

/// All that can be set.
#[derive(Clone, Copy)]
pub struct Settings {
    pub estimate: Estimate,
    pub parameters: Parameters,
    pub manner: Manner,
    /// The size of the table.
    pub mebibytes: usize,
    pub threads: usize,
}

impl Settings {
    /// Sets a parameter of the search or of the player by its name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        match self.manner.set(name, value) {
            Err(ParameterError::Unknown) => self.parameters.set(name, value),
            done => done,
        }
    }

    fn player(&self) -> Player {
        let mut player = Player::new(self.estimate, self.parameters, self.mebibytes, self.threads);
        player.manner = self.manner;
        player
    }
}

/// Thinks by alpha-beta, and sets up from the library.
pub struct Tusk {
    settings: Settings,
    player: Player,
    rng: ChaCha8Rng,
    /// What the last search has found.
    found: Option<Report<Step>>,
    /// What it found on the way, line by line.
    iterations: Vec<String>,
}

impl Tusk {
    pub fn new(settings: Settings, seed: u64) -> Tusk {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        Tusk { settings, player: settings.player(), rng, found: None, iterations: Vec::new() }
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
                return Ok(true);
            }
            "hash" => self.settings.mebibytes = number(value, 1, 1 << 20)?,
            "threads" => self.settings.threads = number(value, 1, 256)?,
            _ => match self.settings.set(name, value.trim()) {
                Ok(()) => (),
                Err(ParameterError::Unknown) => return Ok(false),
                Err(error) => return Err(error.to_string()),
            },
        }
        self.player = self.settings.player();
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
        self.found = None;
        self.iterations.clear();
        if let Some(side) = game.setting_up() {
            let opponent: &Board = game.position().board();
            return aei::Choice::Play(Deed::Setup(choose_setup(side, opponent, &mut self.rng)));
        }
        let Tusk { player, rng, iterations, .. } = self;
        let choice = player.choose(game, *limits, stop, rng, |found| {
            iterations.push(iteration(game.position(), found));
            report(found);
        });
        let turn = choice.map(|choice| {
            self.found = Some(choice.report);
            choice.turn
        });
        // Stopped before the first iteration was done: anything legal is better than nothing.
        let turn = turn.or_else(|| game.random_turn(&mut self.rng));
        turn.map_or(aei::Choice::Resign, |turn| aei::Choice::Play(Deed::Turn(turn)))
    }

    fn evaluation(&mut self, game: &Game) -> Option<Vec<String>> {
        let goes_on = game.setting_up().is_none() && game.outcome().is_none();
        goes_on.then(|| Sheet::new(&self.settings.estimate, game.position()).lines())
    }

    /// Alpha-beta keeps no tree; what it keeps is the main line of each iteration.
    fn tree(&mut self) -> Option<Vec<String>> {
        (!self.iterations.is_empty()).then(|| self.iterations.clone())
    }
}

/// What an iteration has found, in a line.
fn iteration(position: &Position, found: &Report<Step>) -> String {
    let verdict = match found.verdict {
        Verdict::Score(score) => score.to_string(),
        Verdict::Proof(proof) => proof.to_string(),
    };
    let line = moves::line(position, &found.line).join(" / ");
    format!("depth {:>2}  {verdict:>9}  {:>10} nodes  {line}", found.depth.0, found.nodes)
}

impl Mind for Tusk {
    fn found(&self) -> Option<&Report<Step>> {
        self.found.as_ref()
    }
}
