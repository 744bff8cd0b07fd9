//! Boards drawn with letters.

use std::fmt;
use std::str::FromStr;

use crate::field::WIDTH;
use crate::side::{self, Side};
use crate::text::{TextError, Word, words};
use crate::{Board, Field, Kind, Phase, Position, Stack};

/// A drawn board: the lines A to I from left to right, each with the names of its ends. White's pieces are in
/// upper case: T for Totts, A for Tzarras, Z for Tzaars; the height of a stack follows, if it is above 1.
///
/// ```
/// # use tzaar::{Picture, Position};
/// let drawn = "\
/// White to move
///                 E1
///             D1      F1
///         C1      T       G1
///     B1      T       t       H1
/// A1      T       A       t       I1
///     T       A       a       t
/// t       A       Z       a       t
///     a       Z       z       a
/// t       z       T       z       T
///     a       t       t       A
/// t       z               Z       T
///     a       T       T       A
/// t       Z       t       Z       T
///     A       Z       z       A
/// T       A       z       a       T
///     T       A       a       t
/// A5      T       a       t       I5
///     B6      T       t       H6
///         C7      t       G7
///             D8      F8
///                 E8
/// ";
/// let start = Picture(Position::fixed_start());
/// assert_eq!(start.to_string(), drawn);
/// assert_eq!(drawn.parse(), Ok(start));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picture(pub Position);

/// A field and the next one on a line from A to I are two rows of the picture apart, neighbouring lines one row; two
/// rows more are for the names at each end.
const ROWS: usize = 2 * WIDTH + 3;

/// The half of the board's width.
const HALF: usize = WIDTH / 2;

/// The characters of a column but the gap before it.
const CELL: usize = 4;

/// What stands at a place of the picture.
#[derive(Clone, Copy)]
enum Spot {
    Name(Field),
    Stack(Field),
    Nothing,
}

/// What stands in a row and column of the picture.
fn spot(row: usize, column: usize) -> Spot {
    let margin = column.abs_diff(HALF);
    // Twice the row of the array, where the first field of the column is at 2.
    let Some(down) = (row + column).checked_sub(HALF) else { return Spot::Nothing };
    let at = |row: usize| Field::at(row, column);
    let (top, bottom) = (column.saturating_sub(HALF), (WIDTH - 1).min(column + HALF));
    let name = |row: usize| at(row).map_or(Spot::Nothing, Spot::Name);
    match down {
        _ if down % 2 != 0 => Spot::Nothing,
        _ if row == margin => name(top),
        _ if row == ROWS - 1 - margin => name(bottom),
        0 => Spot::Nothing,
        _ => at(down / 2 - 1).map_or(Spot::Nothing, Spot::Stack),
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Picture(position) = self;
        let task = if position.phase() == Phase::Placing { "place" } else { "move" };
        writeln!(f, "{} to {task}", side::name(position.side()))?;
        for row in 0..ROWS {
            let mut line = String::new();
            for column in 0..WIDTH {
                let text = match spot(row, column) {
                    Spot::Name(field) => field.to_string(),
                    Spot::Stack(field) => {
                        let stack = position.board().stack_at(field);
                        stack.map_or(".".to_string(), |stack| stack.to_string())
                    }
                    Spot::Nothing => String::new(),
                };
                line += &format!("{text:CELL$}");
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

impl FromStr for Picture {
    type Err = TextError;

    /// Reads a picture as it is printed; blank lines and the widths of gaps do not matter.
    fn from_str(text: &str) -> Result<Picture, TextError> {
        let words: Vec<Word> = words(text).collect();
        let mut lines = words.chunk_by(|one, next| one.line == next.line);
        let header = lines.next().ok_or_else(|| TextError {
            line: 1,
            column: 1,
            fault: format!("there is nothing here: {HEADER}"),
        })?;
        let (side, phase) = read_header(header)?;
        let mut stacks = Vec::new();
        let mut last = header;
        for row in 0..ROWS {
            let line = lines.next().ok_or_else(|| {
                let (end, found) = (last[last.len() - 1], row);
                end.error(format!(
                    "the picture has {found} lines after this header, expected {ROWS}"
                ))
            })?;
            read_row(row, line, &mut stacks)?;
            last = line;
        }
        if let Some(next) = lines.next() {
            let fault =
                format!("the picture ends above, after {ROWS} lines: expected nothing more");
            return Err(next[0].error(fault));
        }
        let whole = |fault: String| header[0].error(fault);
        let board = Board::new(stacks).map_err(|error| whole(error.to_string()))?;
        let position = match phase {
            Phase::Placing => Position::placing(board, side),
            _ => Position::new(board, side),
        };
        position.map(Picture).map_err(|error| whole(error.to_string()))
    }
}

const HEADER: &str =
    "a picture begins with White to move, Black to move, White to place or Black to place";

fn read_header(line: &[Word]) -> Result<(Side, Phase), TextError> {
    let is = |word: Option<&Word>, text: &str| {
        word.is_some_and(|word| word.text.eq_ignore_ascii_case(text))
    };
    let side = Side::ALL.into_iter().find(|&known| is(line.first(), side::name(known)));
    let phase = match () {
        _ if is(line.get(2), "move") => Some(Phase::First),
        _ if is(line.get(2), "place") => Some(Phase::Placing),
        _ => None,
    };
    match (side, phase) {
        (Some(side), Some(phase)) if is(line.get(1), "to") && line.len() == 3 => Ok((side, phase)),
        _ => Err(line[0].error(HEADER)),
    }
}

/// Reads the names and stacks of a row of the picture, from left to right.
fn read_row(row: usize, line: &[Word], stacks: &mut Vec<(Field, Stack)>) -> Result<(), TextError> {
    let spots = (0..WIDTH).map(|column| spot(row, column));
    let spots: Vec<Spot> = spots.filter(|spot| !matches!(spot, Spot::Nothing)).collect();
    if line.len() != spots.len() {
        let at = line.get(spots.len()).unwrap_or(&line[line.len() - 1]);
        let (found, expected) = (line.len(), spots.len());
        return Err(at.error(format!(
            "{found} fields and names in row {} of the picture, expected {expected}",
            row + 1
        )));
    }
    for (word, spot) in line.iter().zip(spots) {
        match spot {
            Spot::Name(field) if word.text.eq_ignore_ascii_case(&field.to_string()) => (),
            Spot::Name(field) => {
                return Err(word.error(format!("{:?}, expected the name {field}", word.text)));
            }
            Spot::Stack(field) => stacks.extend(read_stack(field, word)?),
            Spot::Nothing => (),
        }
    }
    Ok(())
}

fn read_stack(field: Field, word: &Word) -> Result<Option<(Field, Stack)>, TextError> {
    if word.text == "." {
        return Ok(None);
    }
    let wrong = || {
        word.error(format!(
            "{field}: {:?} is no stack, expected T, A or Z (Black's in lower case) with its height \
             if that is above 1, such as Z or t3, or . for none",
            word.text
        ))
    };
    let letter = word.text.chars().next().ok_or_else(wrong)?;
    let kind = Kind::from_letter(letter).ok_or_else(wrong)?;
    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
    let height = match &word.text[1..] {
        "" => 1,
        digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            digits.parse().ok().filter(|height| (1..=30).contains(height)).ok_or_else(wrong)?
        }
        _ => return Err(wrong()),
    };
    Ok(Some((field, Stack { side, kind, height })))
}
