//! Turns as text: `G4xC6 F2+F1` is a capture and a stacking, `G4xC6 -` a capture and a pass, `G4xC6` White's first
//! turn or a win at once, and `Z@E4` puts a Tzaar on the board.

use std::fmt;
use std::str::FromStr;

use crate::text::{Word, words};
use crate::{Field, Kind, Position, Step, Turn, TurnError, TurnFault};

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Step::Capture { from, to } => write!(f, "{from}x{to}"),
            Step::Stacking { from, to } => write!(f, "{from}+{to}"),
            Step::Pass => write!(f, "-"),
            Step::Place { kind, field } => {
                write!(f, "{}@{field}", kind.letter().to_ascii_uppercase())
            }
        }
    }
}

impl FromStr for Step {
    type Err = TurnFault;

    /// Letters may be upper or lower case; a pass may be written out.
    fn from_str(word: &str) -> Result<Step, TurnFault> {
        read_step(word).ok_or(TurnFault::NotAMove)
    }
}

fn read_step(word: &str) -> Option<Step> {
    if word == "-" || word.eq_ignore_ascii_case("pass") {
        return Some(Step::Pass);
    }
    let field = |text: &str| text.parse::<Field>().ok();
    let (first, mark) =
        word.char_indices().find(|(_, letter)| matches!(letter, 'x' | 'X' | '+' | '@'))?;
    let (before, after) = (&word[..first], &word[first + 1..]);
    Some(match mark {
        '+' => Step::Stacking { from: field(before)?, to: field(after)? },
        '@' => {
            let mut letters = before.chars();
            let kind = Kind::from_letter(letters.next()?)?;
            letters.next().is_none().then_some(Step::Place { kind, field: field(after)? })?
        }
        _ => Step::Capture { from: field(before)?, to: field(after)? },
    })
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let words: Vec<String> = self.steps().map(|step| step.to_string()).collect();
        write!(f, "{}", words.join(" "))
    }
}

impl FromStr for Turn {
    type Err = TurnError;

    /// Reads a turn without the position that it begins in: whether it is legal is not looked at.
    fn from_str(text: &str) -> Result<Turn, TurnError> {
        let moves = read_moves(text)?;
        let steps: Vec<Step> = moves.iter().map(|&(_, step)| step).collect();
        let too_many = |(word, _): &(Word, Step)| word.turn_error(TurnFault::TooMany);
        let nothing =
            || TurnError { column: 1, word: "nothing".to_string(), fault: TurnFault::NotAMove };
        Turn::from_steps(&steps).ok_or_else(|| moves.get(2).map_or_else(nothing, too_many))
    }
}

impl Turn {
    /// Reads a turn that begins in that position, and must be legal there.
    pub fn parse(text: &str, position: &Position) -> Result<Turn, TurnError> {
        let moves = read_moves(text)?;
        position.play_moves(moves.iter().map(|&(word, step)| (word.column, word.text, step)))?;
        text.parse()
    }
}

/// The words of a turn, each with its move.
fn read_moves(text: &str) -> Result<Vec<(Word<'_>, Step)>, TurnError> {
    words(text).map(read_move).collect()
}

fn read_move(word: Word<'_>) -> Result<(Word<'_>, Step), TurnError> {
    match word.text.parse() {
        Ok(step) => Ok((word, step)),
        Err(fault) => Err(word.turn_error(fault)),
    }
}

impl Word<'_> {
    pub(crate) fn turn_error(&self, fault: TurnFault) -> TurnError {
        TurnError { column: self.column, word: self.text.to_string(), fault }
    }
}
