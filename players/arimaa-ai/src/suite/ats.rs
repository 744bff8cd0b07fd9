//! Files of the Arimaa Test Suite.

use std::str::FromStr;

use arimaa::{Position, TextError, TextFault};
use thiserror::Error;

use crate::suite::{Atom, Block, Criterion, Test};

impl Test {
    /// Reads a test in the format of the Arimaa Test Suite.
    ///
    /// A condition is `score goal`, `prevent goal` or `piece_position`. For the latter, blocks are
    /// separated by `|`; a block is some [`Atom`]s and, after a colon, its weight, which is 1 where
    /// there is none.
    ///
    /// ```
    /// # use arimaa_ai::suite::Test;
    /// let test = Test::parse("
    /// [settings]
    /// comment =
    ///     The dog holds the trap for the cat; else the cat must leave it.
    /// position =
    ///     2g
    ///      +-----------------+
    ///     8| r . . . . . . . |
    ///     7| . . . . . . . . |
    ///     6| . D C . . x . . |
    ///     5| . . . . . . . . |
    ///     4| . . . . . . . . |
    ///     3| . . x . . x . . |
    ///     2| . . . . . . . . |
    ///     1| R . . . . . . . |
    ///      +-----------------+
    ///        a b c d e f g h
    /// tags = trap
    ///
    /// [criteria]
    /// condition = piece_position
    /// after_piece_position = Db6 Cc6 | !Cc6 : 0.4
    /// ").unwrap();
    /// assert_eq!(test.highest(), 1.0);
    /// assert_eq!(test.weigh("Ra1n"), Ok(1.0));
    /// assert_eq!(test.weigh("Cc6e Cd6e"), Ok(0.4));
    /// assert_eq!(test.weigh("Db6w Cc6x"), Ok(0.4));
    /// assert!(test.weigh("Ra1s").is_err(), "rabbits do not go back");
    /// ```
    pub fn parse(text: &str) -> Result<Test, AtsError> {
        let entries = entries(text)?;
        let last = text.lines().count().max(1);
        let find = |key: &'static str| {
            let entry = entries.iter().find(|entry| entry.key == key);
            entry.ok_or(AtsError { line: last, fault: AtsFault::Missing(key) })
        };
        let position = find("position")?.position()?;
        let criterion = match find("condition")?.condition()? {
            Condition::ScoreGoal => Criterion::ScoreGoal,
            Condition::PreventGoal => Criterion::PreventGoal,
            Condition::PiecePosition => Criterion::Pieces(find(AFTER)?.blocks()?),
        };
        Ok(Test { position, criteria: vec![criterion] })
    }
}

/// The key of the blocks.
const AFTER: &str = "after_piece_position";

/// All keys; those of the first three say nothing that is judged.
const KEYS: [&str; 5] = ["comment", "tags", "position", "condition", AFTER];

/// Why a text is no test, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct AtsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: AtsFault,
}

/// What can be wrong with a test.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AtsFault {
    /// A line that belongs nowhere.
    #[error("expected a section such as [settings] or [criteria], or a line such as key = value")]
    NotAnEntry,
    /// A key that nobody knows.
    #[error("unknown key {0:?}: there are comment, tags, position, condition, {AFTER}")]
    UnknownKey(String),
    /// A key that is missing.
    #[error("the test has no {0}: add a line {0} = …")]
    Missing(&'static str),
    /// A condition that nobody knows.
    #[error("unknown condition {0:?}: there are score goal, prevent goal, piece_position")]
    UnknownCondition(String),
    /// The position is none.
    #[error("{0}")]
    Position(TextFault),
    /// The game is over before the turn.
    #[error("the game is over in this position: no turn can be judged")]
    Over,
    /// A block without atoms.
    #[error("a block is empty: expected such as Eb3 !ce2 Hf6x : 0.8")]
    EmptyBlock,
    /// A word of a block that is no atom.
    #[error(
        "{0:?} is no fact about a piece: expected Eb3 (stands there), !ce2 (does not) or Hf6x \
         (is captured on that trap)"
    )]
    NotAnAtom(String),
    /// A weight that is none.
    #[error(
        "{0:?} is no weight: expected a number that is not below 0, such as 0.8, then | or the end"
    )]
    NotAWeight(String),
}

/// A part of the value of a key, and its line.
#[derive(Clone, Copy)]
struct Part<'a> {
    line: usize,
    text: &'a str,
}

impl Part<'_> {
    fn refuse<T>(&self, fault: impl FnOnce(String) -> AtsFault) -> Result<T, AtsError> {
        Err(AtsError { line: self.line, fault: fault(self.text.to_string()) })
    }
}

/// A key and its value, line by line.
struct Entry<'a> {
    line: usize,
    key: &'static str,
    value: Vec<Part<'a>>,
}

/// The entries of a text. A value goes on in the lines that are indented or have no `=`; sections
/// and their names make no difference, since no key is in two of them.
fn entries(text: &str) -> Result<Vec<Entry<'_>>, AtsError> {
    let mut entries: Vec<Entry> = Vec::new();
    let lines = text.lines().enumerate().map(|(index, text)| Part { line: index + 1, text });
    for line in lines {
        let text = line.text.trim();
        let is_section = line.text.starts_with('[') && text.ends_with(']');
        if text.is_empty() || is_section || text.starts_with(['#', ';']) {
            continue;
        }
        let is_indented = line.text.starts_with(char::is_whitespace) && !entries.is_empty();
        match (line.text.split_once('=').filter(|_| !is_indented), entries.last_mut()) {
            (Some((key, value)), _) => {
                let key = Part { text: key.trim(), ..line };
                let value = vec![Part { text: value, ..line }];
                entries.push(Entry { line: line.line, key: known(key)?, value });
            }
            (None, Some(entry)) => entry.value.push(line),
            (None, None) => return line.refuse(|_| AtsFault::NotAnEntry),
        }
    }
    Ok(entries)
}

fn known(key: Part) -> Result<&'static str, AtsError> {
    let found = KEYS.iter().find(|known| known.eq_ignore_ascii_case(key.text));
    found.map_or_else(|| key.refuse(AtsFault::UnknownKey), |known| Ok(*known))
}

enum Condition {
    ScoreGoal,
    PreventGoal,
    PiecePosition,
}

impl Entry<'_> {
    fn refuse<T>(&self, fault: AtsFault) -> Result<T, AtsError> {
        Err(AtsError { line: self.line, fault })
    }

    fn position(&self) -> Result<Position, AtsError> {
        let lines: Vec<String> = self.value.iter().map(|part| straightened(part.text)).collect();
        let position = Position::from_str(&lines.join("\n")).map_err(|error: TextError| {
            let line = self.value.get(error.line - 1).map_or(self.line, |part| part.line);
            AtsError { line, fault: AtsFault::Position(error.fault) }
        })?;
        match position.outcome() {
            Some(_) => self.refuse(AtsFault::Over),
            None => Ok(position),
        }
    }

    fn condition(&self) -> Result<Condition, AtsError> {
        let words = self.value.iter().flat_map(|part| part.text.split_whitespace());
        let name = words.collect::<Vec<_>>().join(" ");
        match name.to_ascii_lowercase().replace('_', " ").as_str() {
            "score goal" => Ok(Condition::ScoreGoal),
            "prevent goal" => Ok(Condition::PreventGoal),
            "piece position" => Ok(Condition::PiecePosition),
            _ => self.refuse(AtsFault::UnknownCondition(name)),
        }
    }

    fn blocks(&self) -> Result<Vec<Block>, AtsError> {
        let words: Vec<Part> = self.value.iter().flat_map(words).collect();
        words.split(|word| word.text == "|").map(|words| self.block(words)).collect()
    }

    fn block(&self, words: &[Part]) -> Result<Block, AtsError> {
        let mut halves = words.splitn(2, |word| word.text == ":");
        let atoms = halves.next().unwrap_or_default();
        let weight = halves.next().map_or(Ok(1.0), |words| self.weight(words))?;
        if atoms.is_empty() {
            let line = words.first().map_or(self.line, |word| word.line);
            return Err(AtsError { line, fault: AtsFault::EmptyBlock });
        }
        let atom = |word: &Part| {
            Atom::parse(word.text).map_or_else(|| word.refuse(AtsFault::NotAnAtom), Ok)
        };
        Ok(Block { atoms: atoms.iter().map(atom).collect::<Result<_, _>>()?, weight })
    }

    fn weight(&self, words: &[Part]) -> Result<f64, AtsError> {
        let Some((first, rest)) = words.split_first() else {
            return self.refuse(AtsFault::NotAWeight(String::new()));
        };
        let weight =
            first.text.parse().ok().filter(|&weight| (0.0..f64::INFINITY).contains(&weight));
        match (weight, rest.first()) {
            (Some(weight), None) => Ok(weight),
            (None, _) => first.refuse(AtsFault::NotAWeight),
            (_, Some(second)) => second.refuse(AtsFault::NotAWeight),
        }
    }
}

/// The words of a line, bars and colons being words of their own.
fn words<'a>(part: &Part<'a>) -> Vec<Part<'a>> {
    let Part { line, text } = *part;
    let pieces = text.split_inclusive(['|', ':']).flat_map(|piece| {
        let mark = piece.len() - usize::from(piece.ends_with(['|', ':']));
        let (words, mark) = piece.split_at(mark);
        words.split_whitespace().chain((!mark.is_empty()).then_some(mark))
    });
    pieces.map(|text| Part { line, text }).collect()
}

/// Some drawings are careless: a piece between two squares is meant to stand on the right one, as the rest of
/// its rank shows.
fn straightened(line: &str) -> String {
    let mut marks: Vec<char> = line.chars().collect();
    let Some(bar) = marks.iter().position(|&mark| mark == '|') else { return line.to_string() };
    for pair in marks[bar + 1..].chunks_exact_mut(2) {
        if pair[0].is_alphabetic() && pair[1] == ' ' {
            pair.swap(0, 1);
        }
    }
    marks.into_iter().collect()
}
