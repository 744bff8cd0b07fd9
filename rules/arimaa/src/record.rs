//! Whole games as text: one turn a line, `1g Ra1 …`, `1s ra8 …`, `2g Ee2n …`.

use std::fmt;

use thiserror::Error;

use crate::game::Action;
use crate::side;
use crate::{Army, Game, GameError, Reason, Setup, SetupError, Turn, TurnError};

impl Game {
    /// Reads a record: a line for each turn, with its number and side (`12g`, `12s`, or the older
    /// `12w`, `12b`, in small letters or capitals), then the steps. Several turns may share a line. `takeback` in place of a turn takes the last one back,
    /// `resigns` gives up. Blank lines, and what follows a `#`, are skipped; a last line may have
    /// nothing but the number of the turn that was not played.
    ///
    /// Setups must be complete unless `army` allows for a handicap.
    pub fn parse(text: &str, army: Army) -> Result<Game, RecordError> {
        let mut game = Game::new();
        let mut awaited = None;
        let mut empty = true;
        let turns = text.lines().enumerate().flat_map(|(index, line)| {
            let line = line.split('#').next().unwrap_or(line);
            turns_of(line).into_iter().map(move |turn| (index, turn))
        });
        for (index, line) in turns {
            empty = false;
            let refuse = |fault| RecordError { line: index + 1, fault };
            if let Some(label) = awaited {
                return Err(refuse(RecordFault::NothingPlayed { label }));
            }
            let (label, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            if rest.eq_ignore_ascii_case("takeback") {
                game.take_back_labelled(label).map_err(refuse)?;
                continue;
            }
            if let Some(outcome) = game.outcome().filter(|_| !rest.is_empty()) {
                return Err(refuse(GameError::Over { outcome }.into()));
            }
            game.check_label(label).map_err(refuse)?;
            if rest.is_empty() {
                awaited = Some(label.to_string());
            } else {
                game.play_text(rest, army).map_err(|fault| refuse(fault.of_turn(label)))?;
            }
        }
        if empty { Err(RecordError { line: 1, fault: RecordFault::Empty }) } else { Ok(game) }
    }

    /// Plays what a record says after the label: a setup where one is awaited, a turn, or `resigns`.
    /// If it is refused, nothing has changed.
    pub fn play_text(&mut self, text: &str, army: Army) -> Result<(), RecordFault> {
        let side = self.position().side();
        if ["resign", "resigns", "resigned"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Ok(self.resign(side)?);
        }
        if let Some(outcome) = self.outcome() {
            return Err(GameError::Over { outcome }.into());
        }
        if self.setting_up().is_some() {
            let setup = Setup::parse(text, side, army).map_err(RecordFault::Setup)?;
            Ok(self.set_up(setup)?)
        } else {
            let turn = Turn::parse(text, self.position()).map_err(RecordFault::Turn)?;
            Ok(self.try_play(turn)?)
        }
    }

    /// Refuses what is not the label of the turn to be played.
    fn check_label(&self, label: &str) -> Result<(), RecordFault> {
        let expected = self.label();
        let wrong = || RecordFault::Label { found: label.to_string(), expected: expected.clone() };
        let letter = label.chars().next_back().ok_or_else(wrong)?;
        let number = &label[..label.len() - letter.len_utf8()];
        let side = side::from_letter(letter.to_ascii_lowercase()).ok_or_else(wrong)?;
        let right = format!("{number}{}", side::letter(side)) == expected;
        right.then_some(()).ok_or_else(wrong)
    }

    /// `12g takeback` stands where turn 12g would, or has the number of the turn it takes back.
    fn take_back_labelled(&mut self, label: &str) -> Result<(), RecordFault> {
        let named_next = self.check_label(label);
        if !self.take_back() {
            return Err(RecordFault::NothingToTakeBack);
        }
        named_next.or_else(|fault| self.check_label(label).map_err(|_| fault))
    }
}

/// The turns of a line, each with its label.
fn turns_of(line: &str) -> Vec<&str> {
    let mut turns = Vec::new();
    let (mut rest, mut at) = (line.trim(), 0);
    while let Some(blank) = rest[at..].find(char::is_whitespace) {
        let next = at + blank;
        let word = rest[next..].trim_start();
        at = rest.len() - word.len();
        if word.split_whitespace().next().is_some_and(is_label) {
            turns.push(rest[..next].trim_end());
            (rest, at) = (word, 0);
        }
    }
    turns.push(rest);
    turns.retain(|turn| !turn.is_empty());
    turns
}

/// Whether a word is the number of a turn with its side, such as `12g`.
fn is_label(word: &str) -> bool {
    let Some((at, letter)) = word.char_indices().next_back() else { return false };
    let number = &word[..at];
    side::from_letter(letter.to_ascii_lowercase()).is_some()
        && !number.is_empty()
        && number.bytes().all(|digit| digit.is_ascii_digit())
}

impl fmt::Display for Game {
    /// The record, one turn a line, as [`Game::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, (before, action)) in self.actions().enumerate() {
            let label = format!("{}{}", index / 2 + 1, side::letter(before.side()));
            match action {
                Action::Setup(setup) => writeln!(f, "{label} {setup}")?,
                Action::Turn(turn) => writeln!(f, "{label} {}", turn.notation(before.board()))?,
            }
        }
        match self.outcome() {
            Some(outcome) if outcome.reason == Reason::Resignation => {
                writeln!(f, "{} resigns", self.label())
            }
            // An empty text is no record: the turn that was not played stands for itself.
            _ if self.actions().next().is_none() => writeln!(f, "{}", self.label()),
            _ => Ok(()),
        }
    }
}

/// Why a text is not the record of a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: RecordFault,
}

/// What can be wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    /// Nothing but white space and comments.
    #[error("there is no turn here: a record begins with 1g and Gold's setup")]
    Empty,
    /// A line does not begin as it should.
    #[error("expected the line of turn {expected}, found {found:?}")]
    Label {
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// A line without steps, and more lines after it.
    #[error("turn {label} has no steps, but the record goes on")]
    NothingPlayed {
        /// The turn.
        label: String,
    },
    /// A takeback at the beginning.
    #[error("there is no turn to take back")]
    NothingToTakeBack,
    /// A setup is wrong.
    #[error("{0}")]
    Setup(SetupError),
    /// A turn is wrong.
    #[error("{0}")]
    Turn(TurnError),
    /// The game does not allow it.
    #[error("{0}")]
    Game(#[from] GameError),
    /// A fault of a turn, with its label.
    #[error("turn {label}, {fault}")]
    InTurn {
        /// The turn.
        label: String,
        /// What is wrong with it.
        fault: Box<RecordFault>,
    },
}

impl RecordFault {
    fn of_turn(self, label: &str) -> RecordFault {
        RecordFault::InTurn { label: label.to_string(), fault: Box::new(self) }
    }
}
