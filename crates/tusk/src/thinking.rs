//! The engines that search, with what Tusk knows of the game.

use ::engine::ParameterError;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Limits, Report, Stop, Verdict};

use crate::engine::{Mind, Settings};
use crate::sport::{Course, Player, Sport, Step};

/// Thinks by searching.
pub struct Tusk<S: Sport> {
    settings: Settings<S>,
    player: S::Player,
    rng: ChaCha8Rng,
    /// What the last search has found.
    found: Option<Report<Step<S>>>,
    /// What it found on the way, line by line.
    iterations: Vec<String>,
}

impl<S: Sport> Tusk<S> {
    pub fn new(settings: Settings<S>, seed: u64) -> Tusk<S> {
        let (player, rng) = (S::Player::new(&settings), ChaCha8Rng::seed_from_u64(seed));
        Tusk { settings, player, rng, found: None, iterations: Vec::new() }
    }
}

fn number(value: &str, least: usize, most: usize) -> Result<usize, String> {
    let number = value.trim().parse().ok();
    let expected = || format!("expected a whole number from {least} to {most}, found {value:?}");
    number.filter(|number| (least..=most).contains(number)).ok_or_else(expected)
}

impl<S: Sport> Mind<S> for Tusk<S> {
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
        self.player = S::Player::new(&self.settings);
        Ok(true)
    }

    fn new_game(&mut self) {
        self.player.forget();
    }

    fn think(
        &mut self,
        game: &S::Game,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Report<Step<S>>),
    ) -> Option<S::Action> {
        self.found = None;
        self.iterations.clear();
        if let Some(action) = S::prepare(game, &mut self.rng) {
            return Some(action);
        }
        let Tusk { player, rng, iterations, .. } = self;
        let choice = player.choose(game, limits, stop, rng, &mut |found| {
            iterations.push(iteration::<S>(game.position(), found));
            report(found);
        });
        let action = choice.map(|(action, report)| {
            self.found = Some(report);
            action
        });
        // Stopped before the first iteration was done: anything legal is better than nothing.
        action.or_else(|| S::by_chance(game, &mut self.rng))
    }

    fn found(&self) -> Option<&Report<Step<S>>> {
        self.found.as_ref()
    }

    fn evaluation(&mut self, game: &S::Game) -> Option<Vec<String>> {
        let goes_on = game.awaits().is_none() && game.ending().is_none();
        goes_on.then(|| S::evaluation(&self.settings.estimate, game.position()).lines::<S>())
    }

    /// Alpha-beta keeps no tree; what it keeps is the main line of each iteration.
    fn tree(&mut self) -> Option<Vec<String>> {
        (!self.iterations.is_empty()).then(|| self.iterations.clone())
    }
}

/// What an iteration has found, in a line.
fn iteration<S: Sport>(position: &S::Position, found: &Report<Step<S>>) -> String {
    let verdict = match found.verdict {
        Verdict::Score(score) => score.to_string(),
        Verdict::Proof(proof) => proof.to_string(),
    };
    let line = S::line(position, &found.line).join(" / ");
    format!("depth {:>2}  {verdict:>9}  {:>10} nodes  {line}", found.depth.0, found.nodes)
}
