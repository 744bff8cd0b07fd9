//! Tzaar, as the workbench serves it.

mod interactive;
mod playing;
mod reading;
mod showing;
mod solving;
mod testing;

use game::Past;
use tzaar::{Game, Position, RecordError, Turn};

pub use self::reading::is_tzaar;

use crate::{Army, GameName, GameRecord, GameSpec};

/// The game of Tzaar.
#[derive(Clone, Copy, Debug)]
pub struct Tzaar;

impl GameSpec for Tzaar {
    const NAME: GameName = GameName::Tzaar;
    const EXAMPLE: &'static str = "1 0 -1 0 … (163 numbers)";
    const LETTERS: [char; 2] = ['w', 'b'];
    const SIDES: [&'static str; 2] = ["White", "Black"];
    const SEEN_ENDINGS: &'static [&'static str] = &["type", "captures"];
    const TELLS_ORIGIN: bool = true;

    type Position = Position;
    type Game = Game;
}

impl GameRecord for Game {
    fn parse(record: &str, _: Army) -> Result<Game, (usize, String)> {
        record.parse().map_err(|error: RecordError| {
            (error.line, format!("column {}: {}", error.column, error.fault))
        })
    }

    fn origin(&self) -> Option<Position> {
        self.origin()
    }

    fn proof_past(&self) -> Vec<Past> {
        Vec::new()
    }

    fn play_text(&mut self, turn: &str, _: Army) -> Result<(), String> {
        self.play_text(turn).map_err(|error| error.to_string())
    }

    fn take_back(&mut self) -> bool {
        self.take_back()
    }

    fn actions(&self) -> Vec<Turn> {
        self.turns().collect()
    }
}
