//! Positions, targets and turns as text, each on one line.

use game::{Key, Notation, Side};

use crate::{Position, Step, TextError, Turn};

/// The only target of a side.
const WIN: &str = "win";

impl Notation for Position {
    const GAME: &'static str = "tzaar";

    fn read(position: &str, target: &str) -> Result<Position, String> {
        match target {
            WIN => read_position(position),
            _ => Err(format!("the target is {target:?}, expected {WIN}")),
        }
    }

    fn position_text(&self) -> String {
        self.to_string()
    }

    fn target_text(&self) -> String {
        WIN.to_string()
    }

    fn past_key(text: &str) -> Result<Key, String> {
        Ok(game::Position::repetition_key(&read_position(text)?))
    }

    /// A pass is a move like any other, so that a turn says by itself whether it is over with its first move.
    fn read_turn(text: &str, _: Side) -> Result<Vec<Step>, String> {
        let turn: Turn = text.parse().map_err(|error: crate::TurnError| error.to_string())?;
        Ok(turn.steps().collect())
    }

    fn turn_text(&self, turn: &[Step]) -> String {
        let words: Vec<String> = turn.iter().map(Step::to_string).collect();
        words.join(" ")
    }

    fn finisher_text(&self, turn: &[Step]) -> String {
        self.turn_text(turn)
    }
}

/// The position stands on one line.
fn read_position(text: &str) -> Result<Position, String> {
    text.parse().map_err(|TextError { column, fault, .. }| format!("column {column}: {fault}"))
}
