//! The game as proofs tell it: cells have names, and a turn is one or two of them.

use game::{Key, Notation, Position as _, Side};

use super::rules::{Grid, Mark};

const WIN: &str = "win";

impl Notation for Grid {
    const GAME: &'static str = "tictactoe";

    fn read(position: &str, target: &str) -> Result<Grid, String> {
        match target {
            WIN => position.parse(),
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
        Ok(text.parse::<Grid>()?.repetition_key())
    }

    fn read_turn(text: &str, _: Side) -> Result<Vec<Mark>, String> {
        let cells: Result<Vec<Mark>, String> = text.split_whitespace().map(read_cell).collect();
        let mut turn = cells?;
        match turn.len() {
            1 => turn.push(Mark::None),
            2 => (),
            count => return Err(format!("a turn marks one or two cells, not {count}")),
        }
        Ok(turn)
    }

    fn turn_text(&self, turn: &[Mark]) -> String {
        let names = turn.iter().filter_map(|&mark| match mark {
            Mark::Cell(cell) => Some(name(cell)),
            Mark::None => None,
        });
        names.collect::<Vec<String>>().join(" ")
    }

    fn finisher_text(&self, turn: &[Mark]) -> String {
        self.turn_text(turn)
    }
}

fn name(cell: u8) -> String {
    format!("{}{}", char::from(b'a' + cell % 4), cell / 4 + 1)
}

fn read_cell(word: &str) -> Result<Mark, String> {
    let cell = (0..12).find(|&cell| name(cell) == word);
    cell.map(Mark::Cell).ok_or_else(|| format!("expected a cell from a1 to d3, found {word:?}"))
}
