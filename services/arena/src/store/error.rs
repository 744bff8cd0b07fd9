use thiserror::Error;

use crate::EventId;

/// Why a store does not do what it should.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The address is none.
    #[error(
        "{0:?} is no store: write the name of a file, or postgres://USER:PASSWORD@HOST/DATABASE"
    )]
    Address(String),
    /// It cannot be opened, or is none of ours.
    #[error("the store {name} cannot be opened: {error}")]
    Open {
        /// Which store, without its password.
        name: String,
        /// What the database says.
        error: sqlx::Error,
    },
    /// There is none.
    #[error("there is no store {0}: `tusk match` or `tusk games --import` make one (--store)")]
    NoSuchStore(String),
    /// The file holds something else.
    #[error("{0} is no store but a file of another kind: choose another name (--store)")]
    NotAStore(String),
    /// Another process plays with this file.
    #[error(
        "{0} is in use by another match: wait for it, use another file (--store), or a PostgreSQL \
         database if several shall play at once"
    )]
    InUse(String),
    /// The file of a store cannot be locked.
    #[error("{name} cannot be locked: {error}")]
    Lock {
        /// The file.
        name: String,
        /// Why.
        error: std::io::Error,
    },
    /// There is no event of that number.
    #[error("the store has no event {0}: `tusk games` lists what there is")]
    NoSuchEvent(EventId),
    /// There is no game of that number.
    #[error("the event has no game {0}")]
    NoSuchGame(i64),
    /// Two contestants would have the same name.
    #[error("event {event} has a player {name} already: choose another name")]
    NameTaken {
        /// The event.
        event: EventId,
        /// The name.
        name: String,
    },
    /// There is an event of that name with another plan.
    #[error(
        "the store has a tournament {name:?} (event {event}) that was planned differently: give this \
         one another name in its file (name = \"…\"), or use another store"
    )]
    PlannedDifferently {
        /// The event.
        event: EventId,
        /// Its name.
        name: String,
    },
    /// Somebody plays a game of the event.
    #[error("event {0} is being played: stop that first, or wait for its end")]
    BeingPlayed(EventId),
    /// Games of an open event cannot be taken out.
    #[error(
        "event {0} is open, and a game that is missing is played again: finish it first, or delete \
         the whole event"
    )]
    StillOpen(EventId),
    /// What is kept does not make sense.
    #[error("{what}: {fault}")]
    Content {
        /// Of which row.
        what: String,
        /// What is wrong.
        fault: String,
    },
    /// The database refuses or fails.
    #[error("the store fails: {0}")]
    Database(sqlx::Error),
    /// The database takes too long to answer.
    #[error("the store does not answer")]
    Silent,
    /// The system has no room for the runtime.
    #[error("the store cannot be used here: {0}")]
    Runtime(std::io::Error),
}

/// What the database says is part of the sentence: whoever tells all causes must not hear it twice.
impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Database(error)
    }
}

impl StoreError {
    /// Whether it may pass: the database is out of reach, is started anew, or is busy. What is wrong with a
    /// file stays wrong.
    pub fn may_pass(&self) -> bool {
        match self {
            StoreError::Silent => true,
            StoreError::Database(sqlx::Error::Database(error)) => {
                let code = error.code().unwrap_or_default();
                match code.len() {
                    // PostgreSQL: no connection, in conflict with another, out of something, shut down. Two may
                    // also have begun the same at once.
                    5 => ["08", "23", "40", "53", "55", "57"]
                        .iter()
                        .any(|kind| code.starts_with(kind)),
                    // SQLite: busy or locked.
                    _ => code.parse().is_ok_and(|code: u32| matches!(code & 0xff, 5 | 6)),
                }
            }
            StoreError::Database(error) => {
                use sqlx::Error::{Io, PoolTimedOut, Protocol, Tls, WorkerCrashed};
                matches!(error, Io(_) | PoolTimedOut | Protocol(_) | Tls(_) | WorkerCrashed)
            }
            _ => false,
        }
    }
}
