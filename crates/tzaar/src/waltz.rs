//! Positions as numbers: the files of WALTZ (seed 003, A.2.1), on one line or many.

use std::fmt;
use std::str::FromStr;

use crate::field::WIDTH;
use crate::side::{BLACK, Side, WHITE};
use crate::text::{TextError, Word, words};
use crate::{Board, Field, Kind, Phase, Position, Stack};

/// The cells of the array.
const CELLS: usize = WIDTH * WIDTH;

/// What stands in a cell that is no field.
const OUTSIDE: i32 = 100;

/// The word before a board that is still being filled: the player and 81 cells follow, but no heights.
const PLACING: &str = "placing";

impl FromStr for Position {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Position, TextError> {
        let words: Vec<Word> = words(text).collect();
        match words.split_first() {
            Some((first, rest)) if first.text == PLACING => read(rest, Phase::Placing),
            _ => read(&words, Phase::First),
        }
    }
}

fn read(words: &[Word], phase: Phase) -> Result<Position, TextError> {
    let numbers: Vec<i32> = words.iter().map(number).collect::<Result<_, _>>()?;
    let expected = match phase {
        Phase::Placing => 1 + CELLS,
        _ => 1 + 2 * CELLS,
    };
    if numbers.len() != expected {
        let end = words.get(expected).or(words.last());
        let (line, column) = end.map_or((1, 1), |word| (word.line, word.column));
        let heights = if phase == Phase::Placing { "" } else { " and 81 heights" };
        let found = numbers.len();
        let fault = format!(
            "{found} numbers, expected {expected}: the player (1 or -1), 81 cells{heights}"
        );
        return Err(TextError { line, column, fault });
    }
    let side = side(&words[0], numbers[0])?;
    let mut stacks = Vec::new();
    for place in 0..CELLS {
        let (cell, at_cell) = (numbers[1 + place], &words[1 + place]);
        let height = match phase {
            Phase::Placing => (i32::from(!matches!(cell, 0 | OUTSIDE)), at_cell),
            _ => (numbers[1 + CELLS + place], &words[1 + CELLS + place]),
        };
        let field = Field::at(place / WIDTH, place % WIDTH);
        stacks.extend(stack(field, (cell, at_cell), height)?);
    }
    let whole = |fault: String| words[0].error(fault);
    let board = Board::new(stacks).map_err(|error| whole(error.to_string()))?;
    let position = match phase {
        Phase::Placing => Position::placing(board, side),
        _ => Position::new(board, side),
    };
    position.map_err(|error| whole(error.to_string()))
}

fn number(word: &Word) -> Result<i32, TextError> {
    word.text.parse().map_err(|_| word.error(format!("{:?} is no whole number", word.text)))
}

fn side(word: &Word, number: i32) -> Result<Side, TextError> {
    match number {
        1 => Ok(WHITE),
        -1 => Ok(BLACK),
        _ => Err(word.error(format!("the player is {number}, expected 1 (White) or -1 (Black)"))),
    }
}

/// The stack of a cell and its height, if there is one.
fn stack(
    field: Option<Field>,
    (cell, at_cell): (i32, &Word),
    (height, at_height): (i32, &Word),
) -> Result<Option<(Field, Stack)>, TextError> {
    let Some(field) = field else {
        return match (cell, height) {
            (OUTSIDE, 0) => Ok(None),
            (OUTSIDE, _) => {
                Err(at_height.error(format!("a height of {height} outside the board, expected 0")))
            }
            _ => Err(at_cell.error(format!("{cell} outside the board, expected {OUTSIDE}"))),
        };
    };
    let kind = match cell.unsigned_abs() {
        0 if height == 0 => return Ok(None),
        0 => {
            return Err(at_height
                .error(format!("{field}: a height of {height} on an empty field, expected 0")));
        }
        1 => Kind::Tott,
        2 => Kind::Tzarra,
        3 => Kind::Tzaar,
        _ => {
            return Err(at_cell.error(format!(
                "{field}: {cell} is no stack, expected -3 to 3 (1 Tott, 2 Tzarra, 3 Tzaar, \
                 Black's below zero, 0 for none)"
            )));
        }
    };
    let side = if cell > 0 { WHITE } else { BLACK };
    match u8::try_from(height) {
        Ok(height @ 1..=30) => Ok(Some((field, Stack { side, kind, height }))),
        _ => Err(at_height.error(format!("{field}: a height of {height}, expected 1 to 30"))),
    }
}

impl fmt::Display for Position {
    /// WALTZ's numbers on one line. What the second move of a turn is played from reads like a start of
    /// one: inside a turn, a position has no text of its own.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let cells = || (0..CELLS).map(|place| Field::at(place / WIDTH, place % WIDTH));
        if self.phase() == Phase::Placing {
            write!(f, "{PLACING} ")?;
        }
        write!(f, "{}", sign(self.side()))?;
        for field in cells() {
            let stack = field.map(|field| self.board().stack_at(field));
            let cell = match stack {
                None => OUTSIDE,
                Some(None) => 0,
                Some(Some(stack)) => sign(stack.side) * (stack.kind as i32 + 1),
            };
            write!(f, " {cell}")?;
        }
        if self.phase() == Phase::Placing {
            return Ok(());
        }
        for field in cells() {
            let height = field.map_or(0, |field| self.board().height(field));
            write!(f, " {height}")?;
        }
        Ok(())
    }
}

fn sign(side: Side) -> i32 {
    match side {
        WHITE => 1,
        BLACK => -1,
    }
}
