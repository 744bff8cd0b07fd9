//! The files of WALTZ (Veselý 2013, A.2): positions as numbers, on one line or many, and what it would play.

use std::fmt;
use std::str::FromStr;

use crate::field::WIDTH;
use crate::picture::Picture;
use crate::side::{BLACK, Side, WHITE};
use crate::text::{TextError, Word, words_before};
use crate::{Board, Field, Kind, Phase, Position, Stack, Step, Turn};

/// The cells of the array.
const CELLS: usize = WIDTH * WIDTH;

/// What stands in a cell that is no field.
const OUTSIDE: i32 = 100;

/// The word before a board that is still being filled: the player and 81 cells follow, but no heights.
const PLACING: &str = "placing";

/// What begins a comment.
const COMMENT: char = '%';

impl FromStr for Position {
    type Err = TextError;

    /// Reads WALTZ's numbers: the player (1 or -1), 81 cells and 81 heights, with any white space between them, and
    /// comments after a `%`. While the board is being filled, that is `placing`, the player and 81 cells. A
    /// [`Picture`] is read as well.
    fn from_str(text: &str) -> Result<Position, TextError> {
        let words: Vec<Word> = words_before(text, COMMENT).collect();
        match split_position(&words)? {
            (Some(position), []) => Ok(position),
            (Some(_), [next, ..]) => {
                Err(next
                    .error(format!("{:?} follows the position, expected nothing more", next.text)))
            }
            (None, _) => text.parse().map(|picture: Picture| picture.0),
        }
    }
}

/// The position whose numbers stand at the beginning of a text, if they do, and the other words.
pub(crate) fn split_position<'a, 'b>(
    words: &'a [Word<'b>],
) -> Result<(Option<Position>, &'a [Word<'b>]), TextError> {
    let Some((first, rest)) = words.split_first() else { return Ok((None, words)) };
    let (phase, words, expected) = match first.text {
        PLACING => (Phase::Placing, rest, 1 + CELLS),
        text if text.parse::<i32>().is_ok() => (Phase::First, words, 1 + 2 * CELLS),
        _ => return Ok((None, words)),
    };
    let count = words.iter().take_while(|word| word.text.parse::<i32>().is_ok()).count();
    if count < expected {
        let heights = if phase == Phase::Placing { "" } else { " and 81 heights" };
        let found = match words.get(count) {
            Some(word) => format!("found {:?}", word.text),
            None => "but the text ends".to_string(),
        };
        let end = words.get(count).or(words.last()).unwrap_or(first);
        let number = count + 1;
        return Err(end.error(format!(
            "expected number {number} of {expected}, {found}: a position is the player (1 or -1), 81 cells{heights}"
        )));
    }
    let (numbers, rest) = words.split_at(expected);
    let position = read(numbers, phase)?;
    Ok((Some(position), rest))
}

/// A number of a position.
#[derive(Clone, Copy)]
struct Number<'a> {
    value: i32,
    /// Which one, from 1.
    number: usize,
    word: Word<'a>,
}

impl Number<'_> {
    fn error(&self, fault: String) -> TextError {
        self.word.error(format!("number {}: {fault}", self.number))
    }
}

fn read(words: &[Word], phase: Phase) -> Result<Position, TextError> {
    let numbers: Vec<Number> = (words.iter().zip(1..))
        .map(|(&word, number)| Number { value: word.text.parse().unwrap_or(0), number, word })
        .collect();
    let side = side(&numbers[0])?;
    let mut stacks = Vec::new();
    for place in 0..CELLS {
        let cell = numbers[1 + place];
        let height = match phase {
            Phase::Placing => {
                Number { value: i32::from(!matches!(cell.value, 0 | OUTSIDE)), ..cell }
            }
            _ => numbers[1 + CELLS + place],
        };
        let field = Field::at(place / WIDTH, place % WIDTH);
        stacks.extend(stack(field, cell, height)?);
    }
    let whole = |fault: String| words[0].error(fault);
    let board = Board::new(stacks).map_err(|error| whole(error.to_string()))?;
    let position = match phase {
        Phase::Placing => Position::placing(board, side),
        _ => Position::new(board, side),
    };
    position.map_err(|error| whole(error.to_string()))
}

fn side(number: &Number) -> Result<Side, TextError> {
    match number.value {
        1 => Ok(WHITE),
        -1 => Ok(BLACK),
        other => {
            Err(number.error(format!("the player is {other}, expected 1 (White) or -1 (Black)")))
        }
    }
}

/// The stack of a cell and its height, if there is one.
fn stack(
    field: Option<Field>,
    cell: Number,
    height: Number,
) -> Result<Option<(Field, Stack)>, TextError> {
    let pieces = height.value;
    let Some(field) = field else {
        return match (cell.value, pieces) {
            (OUTSIDE, 0) => Ok(None),
            (OUTSIDE, _) => {
                Err(height.error(format!("a height of {pieces} outside the board, expected 0")))
            }
            (other, _) => Err(cell.error(format!("{other} outside the board, expected {OUTSIDE}"))),
        };
    };
    let kind = match cell.value.unsigned_abs() {
        0 if pieces == 0 => return Ok(None),
        0 => {
            return Err(height
                .error(format!("{field}: a height of {pieces} on an empty field, expected 0")));
        }
        1 => Kind::Tott,
        2 => Kind::Tzarra,
        3 => Kind::Tzaar,
        _ => {
            return Err(cell.error(format!(
                "{field}: {} is no stack, expected -3 to 3 (1 Tott, 2 Tzarra, 3 Tzaar, \
                 Black's below zero, 0 for none)",
                cell.value
            )));
        }
    };
    let side = if cell.value > 0 { WHITE } else { BLACK };
    match u8::try_from(pieces) {
        Ok(pieces @ 1..=30) => Ok(Some((field, Stack { side, kind, height: pieces }))),
        _ => Err(height.error(format!("{field}: a height of {pieces}, expected 1 to 30"))),
    }
}

impl fmt::Display for Position {
    /// WALTZ's numbers on one line; by rows of the array with `{:#}`. What the second move of a turn is played from
    /// reads like a start of one: inside a turn, a position has no text of its own.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let is_placing = self.phase() == Phase::Placing;
        if is_placing {
            write!(f, "{PLACING} ")?;
        }
        write!(f, "{}", sign(self.side()))?;
        write_array(f, |field| match field.map(|field| self.board().stack_at(field)) {
            None => OUTSIDE,
            Some(None) => 0,
            Some(Some(stack)) => sign(stack.side) * (stack.kind as i32 + 1),
        })?;
        if is_placing {
            return Ok(());
        }
        write_array(f, |field| field.map_or(0, |field| self.board().height(field).into()))
    }
}

fn write_array(f: &mut fmt::Formatter, number: impl Fn(Option<Field>) -> i32) -> fmt::Result {
    for place in 0..CELLS {
        let gap = if f.alternate() && place % WIDTH == 0 { "\n" } else { " " };
        write!(f, "{gap}{}", number(Field::at(place / WIDTH, place % WIDTH)))?;
    }
    Ok(())
}

fn sign(side: Side) -> i32 {
    match side {
        WHITE => 1,
        BLACK => -1,
    }
}

/// What WALTZ found, as it writes it into a file (Veselý 2013, A.2.2): the capture, the second move (0 for a stacking, 1 for
/// a capture, -1 for a pass, -2 for none), how long it took and what it came to.
///
/// ```
/// # use tzaar::BestMove;
/// let text = "G4 C6\n0 F2 F1\n33.303 33319\n";
/// let best: BestMove = text.parse().unwrap();
/// assert_eq!(best.turn.to_string(), "G4xC6 F2+F1");
/// assert_eq!(best.to_string(), text);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BestMove {
    /// What it plays.
    pub turn: Turn,
    /// How long the search took, in seconds.
    pub seconds: f64,
    /// What the search came to; 2,000,000,000 is a win.
    pub value: i64,
}

impl BestMove {
    /// The turn in this position. WALTZ computes what it calls the second move on the board before the turn: a stacking
    /// onto the piece that has just captured is then called a capture. What a move is follows from the board after the
    /// first one.
    pub fn turn_on(&self, position: &Position) -> Turn {
        let mut steps = self.turn.steps();
        let (first, second) = (steps.next(), steps.next());
        let Some(Step::Capture { from: left, to: taken }) = first else { return self.turn };
        let second = match second {
            Some(Step::Capture { from, to } | Step::Stacking { from, to }) => {
                let (board, side) = (position.board(), position.side());
                let owner = |field| board.stack_at(field).map(|stack| stack.side);
                match if to == taken { Some(side) } else { owner(to) } {
                    Some(owner) if owner == side && to != left => Some(Step::Stacking { from, to }),
                    Some(owner) if owner != side => Some(Step::Capture { from, to }),
                    // Nobody is there: whatever it is called, it is not legal.
                    _ => second,
                }
            }
            other => other,
        };
        Turn::new(Step::Capture { from: left, to: taken }, second)
    }
}

impl fmt::Display for BestMove {
    /// A turn that places a piece has no form in these files, and is written as one line in usual notation.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut steps = self.turn.steps();
        match steps.next() {
            Some(Step::Capture { from, to }) => writeln!(f, "{from} {to}")?,
            _ => writeln!(f, "{}", self.turn)?,
        }
        match steps.next() {
            Some(Step::Stacking { from, to }) => writeln!(f, "0 {from} {to}")?,
            Some(Step::Capture { from, to }) => writeln!(f, "1 {from} {to}")?,
            Some(_) => writeln!(f, "-1")?,
            None => writeln!(f, "-2")?,
        }
        writeln!(f, "{:.3} {}", self.seconds, self.value)
    }
}

impl FromStr for BestMove {
    type Err = TextError;

    fn from_str(text: &str) -> Result<BestMove, TextError> {
        let words: Vec<Word> = words_before(text, COMMENT).collect();
        let mut words = Words { rest: &words, last: None };
        let first = Step::Capture { from: words.field()?, to: words.field()? };
        let form = words.next("what the second move is: 0, 1, -1 or -2")?;
        let second = match form.text {
            "-2" => None,
            "-1" => Some(Step::Pass),
            "0" => Some(Step::Stacking { from: words.field()?, to: words.field()? }),
            "1" => Some(Step::Capture { from: words.field()?, to: words.field()? }),
            other => {
                return Err(form.error(format!(
                    "the second move is {other:?}, expected 0 (a stacking), 1 (a capture), -1 (a pass) or -2 (none)"
                )));
            }
        };
        let turn = Turn::new(first, second);
        let time = words.next("the seconds that the search took")?;
        let seconds = time.text.parse().ok().filter(|seconds: &f64| seconds.is_finite());
        let seconds = seconds.ok_or_else(|| {
            time.error(format!(
                "{:?} is no number of seconds, expected one such as 33.303",
                time.text
            ))
        })?;
        let value = words.next("the value that the search came to")?;
        let value = value.text.parse().map_err(|_| {
            value.error(format!("{:?} is no value, expected a whole number", value.text))
        })?;
        match words.rest {
            [] => Ok(BestMove { turn, seconds, value }),
            [next, ..] => {
                Err(next.error(format!("{:?} follows, expected nothing more", next.text)))
            }
        }
    }
}

/// The words of a text, one after the other.
struct Words<'a, 'b> {
    rest: &'a [Word<'b>],
    last: Option<Word<'b>>,
}

impl<'b> Words<'_, 'b> {
    fn next(&mut self, expected: &str) -> Result<Word<'b>, TextError> {
        match self.rest.split_first() {
            Some((&first, rest)) => {
                (self.rest, self.last) = (rest, Some(first));
                Ok(first)
            }
            None => {
                let fault = format!("the text ends here, expected {expected}");
                let (line, column) = self.last.map_or((1, 1), |last| (last.line, last.column));
                Err(TextError { line, column, fault })
            }
        }
    }

    fn field(&mut self) -> Result<Field, TextError> {
        let word = self.next("a field such as G4")?;
        word.text.parse().map_err(|error: crate::FieldError| {
            word.error(format!("{:?} is no field: {error}", word.text))
        })
    }
}
