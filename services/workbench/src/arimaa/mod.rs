//! Arimaa, as the workbench serves it.

mod interactive;
mod playing;
mod reading;
mod showing;
mod solving;
mod testing;
pub mod threats;

use arimaa::{Action, Game, Position};
use game::Past;

pub use self::interactive::piece_square;
use crate::{Army, GameName, GameRecord, GameSpec};

/// The game of Arimaa.
#[derive(Clone, Copy, Debug)]
pub struct Arimaa;

impl GameSpec for Arimaa {
    const NAME: GameName = GameName::Arimaa;
    const EXAMPLE: &'static str = "g [64 characters]";
    const LETTERS: [char; 2] = ['g', 's'];
    const SIDES: [&'static str; 2] = ["Gold", "Silver"];
    const SEEN_ENDINGS: &'static [&'static str] = &["goal", "elimination", "immobilisation"];
    const TELLS_ORIGIN: bool = false;

    type Position = Position;
    type Game = Game;
}

impl GameRecord for Game {
    fn parse(record: &str, army: Army) -> Result<Game, (usize, String)> {
        Game::parse(record, army).map_err(|error| (error.line, error.fault.to_string()))
    }

    fn origin(&self) -> Option<Position> {
        None
    }

    fn proof_past(&self) -> Vec<Past> {
        self.repeatable_past()
    }

    fn play_text(&mut self, turn: &str, army: Army) -> Result<(), String> {
        self.play_text(turn, army).map_err(|fault| fault.to_string())
    }

    fn take_back(&mut self) -> bool {
        self.take_back()
    }

    fn actions(&self) -> Vec<Action> {
        self.actions().map(|(_, action)| action).collect()
    }
}
