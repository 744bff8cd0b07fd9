//! A net that learns from nothing, one generation after the other.
//!
//! Generation 0 is a net of random weights. Each later generation plays games with the best net, trains a net on the
//! games of the last generations, and lets it play against the best one: it becomes the best if it wins. Only the rules,
//! exact tactics and the search are given: no evaluation that a person wrote, no games and no setups of others.
//!
//! A [`Line`] does that in a folder. Its [`journal`] is all that it goes on from.

mod chunks;
mod games;
mod gate;
pub mod journal;
mod line;
mod settings;
mod setups;
mod training;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use self::chunks::{GAMES_OF_A_FILE, Part};
pub use self::games::FromRules;
pub use self::gate::GateStanding;
pub use self::journal::Step;
pub use self::line::{Line, MakeNetEngine};
pub use self::settings::Settings;
pub use self::setups::{SetupResults, SetupWeights};
pub use self::training::{Course, GamesOfGeneration, TrainedNet};
use crate::train::EpochRow;
use crate::{RunError, ShardError};

/// Why a step of a generation ended before it was done.
#[derive(Debug, Error)]
pub enum GenerationError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Shards cannot be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A game cannot be played.
    #[error(transparent)]
    Game(#[from] RunError),
    /// An engine fails.
    #[error("{0}")]
    Engine(String),
    /// Something is missing or does not fit.
    #[error("{0}")]
    Refused(String),
}

impl GenerationError {
    fn file(path: &Path, error: io::Error) -> GenerationError {
        GenerationError::File { path: path.to_path_buf(), error }
    }
}

/// How far the work on a generation has come.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A step begins.
    Begin {
        /// The generation.
        generation: u16,
        /// The step.
        step: Step,
    },
    /// The number of games of self-play.
    Games {
        /// Before this run.
        done: u64,
        /// In all.
        total: u64,
    },
    /// A game of self-play was played.
    Game {
        /// Positions that were searched.
        positions: usize,
    },
    /// An epoch of training begins.
    EpochBegins {
        /// Its batches.
        batches: usize,
    },
    /// A batch is done.
    Batch,
    /// An epoch is done.
    Epoch(&'a EpochRow),
    /// The number of games of the gate.
    GateGames {
        /// Before this run.
        done: u64,
        /// At most.
        most: u64,
    },
    /// A game of the gate was played.
    GateGame(&'a GateStanding),
}

/// Hears how far the work has come.
pub trait Watcher {
    /// Something has happened.
    fn tell(&mut self, event: Event);
}

impl Watcher for () {
    fn tell(&mut self, _: Event) {}
}

/// Puts something in the place of a file, whole or not at all: a process that is killed leaves the old file.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), GenerationError> {
    let write = || -> io::Result<()> {
        // Parts of a generation may be played in the same folder, and all begin with the same net.
        let mut draft = path.as_os_str().to_os_string();
        draft.push(format!(".draft-{}", std::process::id()));
        let mut file = File::create(&draft)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)?;
        // Directories cannot be synced everywhere; where they can, the new name is on the disk as well.
        let folder = path.parent().and_then(|folder| File::open(folder).ok());
        folder.map_or(Ok(()), |folder| folder.sync_all().or(Ok(())))
    };
    write().map_err(|error| GenerationError::file(path, error))
}
