//! Whole games as text: `1w E4xF3`, `1b A1xB1 A2+A3` … one turn a line, or several.

use std::fmt;
use std::str::FromStr;

use game::Position as _;
use thiserror::Error;

use crate::game::is_resignation;
use crate::text::{TextError, Word, words_before};
use crate::waltz::split_position;
use crate::{Game, Outcome, Phase, Position, Reason, Step, Turn, TurnFault};

/// What begins a comment.
const COMMENT: char = '#';

impl FromStr for Game {
    type Err = RecordError;

    /// Reads a record: turns with or without their numbers (`12w`, `12b`), one a line or several. `takeback` in
    /// place of a turn takes the last one back, `resigns` gives up. What follows a `#` is skipped, and the last number
    /// may be that of a turn that was not played.
    ///
    /// The position that the game begins with may come first, in the numbers of [`Position`]. Without it, that is the
    /// fixed start, or an empty board if the first turn places a piece.
    fn from_str(text: &str) -> Result<Game, RecordError> {
        let words: Vec<Word> = words_before(text, COMMENT).collect();
        if words.is_empty() {
            let fault = RecordFault::Empty;
            return Err(RecordError { line: 1, column: 1, fault });
        }
        let (start, words) = split_position(&words)?;
        let start = start.unwrap_or_else(|| default_start(words));
        let mut reader = Reader { game: Game::new(start), begun: Vec::new(), label: None };
        for line in words.chunk_by(|one, next| one.line == next.line) {
            line.iter().try_for_each(|word| reader.read(word))?;
            // A turn is not torn apart: who forgets a pass hears of it where it is missing.
            reader.check_complete()?;
        }
        Ok(reader.game)
    }
}

/// Where a record begins that does not say so.
fn default_start(words: &[Word]) -> Position {
    match words.iter().find_map(|word| word.text.parse().ok()) {
        Some(Step::Place { .. }) => Position::tournament_start(),
        _ => Position::fixed_start(),
    }
}

/// Reads a record word by word.
struct Reader<'a> {
    game: Game,
    /// The moves of a turn that is not complete.
    begun: Vec<(Word<'a>, Step)>,
    /// A number that nothing has followed yet.
    label: Option<Word<'a>>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, word: &Word<'a>) -> Result<(), RecordError> {
        if is_label(word.text) {
            return self.read_label(word);
        }
        self.label = None;
        if word.text.eq_ignore_ascii_case("takeback") {
            self.check_complete()?;
            let is_taken = self.game.take_back();
            return is_taken.then_some(()).ok_or(word.record_error(RecordFault::NothingToTakeBack));
        }
        if let Some(outcome) = self.game.outcome() {
            return Err(word.record_error(RecordFault::Over { outcome }));
        }
        if is_resignation(word.text) {
            self.check_complete()?;
            let side = self.game.position().side();
            // It is not over, as was just seen.
            let _ = self.game.resign(side);
            return Ok(());
        }
        self.read_move(word)
    }

    fn read_label(&mut self, word: &Word<'a>) -> Result<(), RecordError> {
        self.check_complete()?;
        if let Some(label) = self.label {
            let fault = RecordFault::NothingPlayed { label: label.text.to_string() };
            return Err(label.record_error(fault));
        }
        let expected = self.game.label();
        if !word.text.eq_ignore_ascii_case(&expected) {
            let found = word.text.to_string();
            return Err(word.record_error(RecordFault::Label { found, expected }));
        }
        self.label = Some(*word);
        Ok(())
    }

    /// Plays a move, and the turn if that completes it.
    fn read_move(&mut self, word: &Word<'a>) -> Result<(), RecordError> {
        let step = word.text.parse().map_err(|fault| self.move_error(word, fault))?;
        let mut inside = *self.game.position();
        self.begun.iter().for_each(|&(_, step)| inside.play(step));
        let after = inside.try_step(step).map_err(|fault| self.move_error(word, fault))?;
        self.begun.push((*word, step));
        if after.turn_starts() {
            let steps: Vec<Step> = self.begun.drain(..).map(|(_, step)| step).collect();
            // Two moves at most end a turn, and each has just been found legal.
            let played = Turn::from_steps(&steps).map(|turn| self.game.play(turn));
            debug_assert_eq!(played, Some(Ok(())));
        }
        Ok(())
    }

    /// Refuses a turn that stops in the middle.
    fn check_complete(&self) -> Result<(), RecordError> {
        match self.begun.last() {
            Some((word, _)) => Err(self.move_error(word, TurnFault::Incomplete)),
            None => Ok(()),
        }
    }

    fn move_error(&self, word: &Word, fault: TurnFault) -> RecordError {
        let (label, text) = (self.game.label(), word.text.to_string());
        word.record_error(RecordFault::Move { label, word: text, fault })
    }
}

impl Word<'_> {
    fn record_error(&self, fault: RecordFault) -> RecordError {
        RecordError { line: self.line, column: self.column, fault }
    }
}

/// Whether a word looks like the number of a turn.
fn is_label(word: &str) -> bool {
    let number = word.strip_suffix(['w', 'b', 'W', 'B']).unwrap_or("");
    !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
}

impl fmt::Display for Game {
    /// The record, one turn a line, which is read as the same game. The position that it begins with comes first,
    /// unless that goes without saying.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let is_told = match self.start().phase() {
            Phase::Opening => *self.start() != Position::fixed_start(),
            Phase::Placing => self.start().board().stacks() > 0 || self.past().is_empty(),
            Phase::First | Phase::Second => true,
        };
        if is_told {
            writeln!(f, "{}", self.start())?;
        }
        for (index, turn) in self.turns().enumerate() {
            writeln!(f, "{} {turn}", self.label_of(index))?;
        }
        match self.outcome() {
            Some(Outcome { reason: Reason::Resignation, .. }) => {
                writeln!(f, "{} resigns", self.label())
            }
            // An empty text is no record: the turn that was not played stands for itself.
            _ if self.past().is_empty() && !is_told => writeln!(f, "{}", self.label()),
            _ => Ok(()),
        }
    }
}

/// Why a text is not the record of a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: RecordFault,
}

/// What can be wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    /// Nothing but white space and comments.
    #[error(
        "there is no turn here: a record begins with 1w and White's first turn, such as 1w E4xF3"
    )]
    Empty,
    /// The position at the beginning is wrong.
    #[error("{0}")]
    Position(String),
    /// The number of another turn.
    #[error("expected turn {expected}, found {found:?}")]
    Label {
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// A number without a turn, and more after it.
    #[error("turn {label} has no moves, but the record goes on")]
    NothingPlayed {
        /// The turn.
        label: String,
    },
    /// A takeback at the beginning.
    #[error("there is no turn to take back")]
    NothingToTakeBack,
    /// A turn after the end.
    #[error("the game is over: {outcome}")]
    Over {
        /// How it ended.
        outcome: Outcome,
    },
    /// A move is wrong.
    #[error("turn {label} ({word}): {fault}")]
    Move {
        /// The turn.
        label: String,
        /// The move.
        word: String,
        /// What is wrong with it.
        fault: TurnFault,
    },
}

impl From<TextError> for RecordError {
    fn from(TextError { line, column, fault }: TextError) -> RecordError {
        RecordError { line, column, fault: RecordFault::Position(fault) }
    }
}
