use arimaa::{Outcome, RecordFault};
use engine::ParameterError;
use thiserror::Error;

use crate::{MessageError, OptionError};

/// Why a message was not obeyed; it is logged, and nothing else changes.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Refusal {
    /// The line is no message.
    #[error("{0}")]
    Message(#[from] MessageError),
    /// Before the session is open.
    #[error("{0}: send aei first")]
    NotOpen(String),
    /// `aei` a second time.
    #[error("aei: the session is open already")]
    AlreadyOpen,
    /// While an answer is awaited.
    #[error("{0}: a search is in progress, send stop first")]
    Thinking(String),
    /// Nothing to be stopped.
    #[error("stop: no search is in progress, send go first")]
    NotThinking,
    /// Nothing to think about.
    #[error("{message}: the game is over: {outcome}")]
    Over {
        /// The message.
        message: String,
        /// How it ended.
        outcome: Outcome,
    },
    /// An option's value is wrong.
    #[error("setoption name {name}: {error}")]
    Option {
        /// Its name.
        name: String,
        /// What is wrong.
        error: OptionError,
    },
    /// The engine refuses an option's value.
    #[error("setoption name {name}: {fault}")]
    EngineOption {
        /// Its name.
        name: String,
        /// What is wrong.
        fault: ParameterError,
    },
    /// A setup or a turn is wrong, or the game does not allow it.
    #[error("makemove: {0}")]
    Move(#[from] RecordFault),
    /// No search has found anything here.
    #[error("makemoverec: no search has found a move in this position, send go first")]
    NothingFound,
    /// The engine has no such thing, or not in this position: before both setups nothing is evaluated, and
    /// without a search there is no tree.
    #[error("{0}: this engine has nothing to show here, or shows no such thing")]
    NotOffered(String),
    /// A file cannot be read.
    #[error("setpositionfile: {name}: {fault}")]
    File {
        /// Its name.
        name: String,
        /// What is wrong.
        fault: String,
    },
}
