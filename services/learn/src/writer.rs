use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use crate::shard::{self, EXTENSION};
use crate::{
    GameId, GameSink, Header, Learnable, Shard, ShardError, ShardFault, ShardGame, shard_files,
};

/// So many games are compressed together. Larger blocks are hardly smaller for each game, and whoever is
/// killed loses more of them.
pub const GAMES_OF_A_BLOCK: usize = 64;

/// Slow games are written sooner: nobody loses more than the games of this time.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Writes games into a shard, block by block.
///
/// A process that is killed leaves whole frames and at most one that is cut off; whoever opens the shard
/// again cuts off the rest of it. A writer holds a lock on its file.
pub struct ShardWriter<G: Learnable> {
    path: PathBuf,
    file: File,
    block: Vec<ShardGame<G::Position>>,
    written: Instant,
    /// The games that were there before.
    pub done: FxHashSet<GameId>,
}

/// Whether several processes may make games of the same seed, each into a shard of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// Only one: a shard that is in use is an error.
    Alone,
    /// Any number of them.
    Shared,
}

impl<G: Learnable> ShardWriter<G> {
    /// Goes on with a shard of this seed and generation in a folder, or begins one.
    pub fn open(
        folder: &Path,
        header: &Header,
        sharing: Sharing,
    ) -> Result<ShardWriter<G>, ShardError> {
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| ShardFault::Io(error).at(folder, 0))?;
        let stem = format!("{}-g{}-s{}", header.game, header.generation, header.seed);
        let name = |number: usize| folder.join(format!("{stem}-{number}.{EXTENSION}"));
        let mut number = 1;
        let mut writer = loop {
            let path = name(number);
            match Self::open_file(&path, header) {
                Err(ShardError { fault: ShardFault::InUse, .. }) if sharing == Sharing::Shared => {
                    number += 1;
                }
                taken => break taken?,
            }
        };
        let is_sibling = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            *path != writer.path && name.is_some_and(|name| name.starts_with(&format!("{stem}-")))
        };
        for path in shard_files(folder)?.iter().filter(|path| is_sibling(path)) {
            writer.done.extend(ids::<G>(path)?);
        }
        Ok(writer)
    }

    /// Goes on with the shard of that name, or begins it. No other process may have it open.
    pub fn open_file(path: &Path, header: &Header) -> Result<ShardWriter<G>, ShardError> {
        let at = |fault: ShardFault| fault.at(path, 0);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(|error| at(error.into()))?;
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => return Err(at(ShardFault::InUse)),
            Err(TryLockError::Error(error)) => return Err(at(error.into())),
        }
        let (done, written) = (FxHashSet::default(), Instant::now());
        let path = path.to_path_buf();
        let mut writer = ShardWriter { path, file, block: Vec::new(), written, done };
        writer.repair(header)?;
        Ok(writer)
    }

    /// Reads what is there, and cuts off a frame that was not written to its end.
    fn repair(&mut self, header: &Header) -> Result<(), ShardError> {
        let path = self.path.clone();
        let at = |error: std::io::Error| ShardFault::from(error).at(&path, 0);
        let file = self.file.try_clone().map_err(at)?;
        let end = match Shard::of_file(file, &path) {
            Ok(mut shard) => {
                if shard.header != *header {
                    let (found, expected) = (shard.header.engine.clone(), header.engine.clone());
                    return Err(ShardFault::OtherEngine { found, expected }.at(&path, 0));
                }
                loop {
                    match shard.next_block::<G>() {
                        Ok(Some(games)) => self.done.extend(games.iter().map(|game| game.id)),
                        Ok(None) => break shard.offset(),
                        Err(ShardError { fault: ShardFault::CutOff, offset, .. }) => break offset,
                        Err(error) => return Err(error),
                    }
                }
            }
            Err(ShardError { fault: ShardFault::CutOff, .. }) => 0,
            Err(error) => return Err(error),
        };
        self.file.set_len(end).map_err(at)?;
        self.file.seek(SeekFrom::Start(end)).map_err(at)?;
        if end == 0 {
            self.file.write_all(&header.to_bytes()).map_err(at)?;
        }
        Ok(())
    }

    /// Adds a game; it is written with its block.
    pub fn add(&mut self, game: ShardGame<G::Position>) -> Result<(), ShardError> {
        self.push(game);
        let is_due = self.block.len() >= GAMES_OF_A_BLOCK || self.written.elapsed() >= LONGEST_WAIT;
        if is_due { self.flush() } else { Ok(()) }
    }

    /// Adds a game to the block; [`ShardWriter::flush`] writes it.
    pub(crate) fn push(&mut self, game: ShardGame<G::Position>) {
        self.block.push(game);
    }

    /// Writes the games that wait for their block to be full.
    pub fn flush(&mut self) -> Result<(), ShardError> {
        self.written = Instant::now();
        if self.block.is_empty() {
            return Ok(());
        }
        let frame = shard::frame::<G>(&self.block);
        let written = frame.and_then(|frame| {
            self.file.write_all(&frame)?;
            self.file.sync_data()
        });
        written.map_err(|error| ShardFault::from(error).at(&self.path, 0))?;
        self.block.clear();
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl<G: Learnable> GameSink<G> for ShardWriter<G> {
    fn take_done(&mut self) -> FxHashSet<GameId> {
        std::mem::take(&mut self.done)
    }

    fn add(&mut self, game: ShardGame<G::Position>) -> Result<(), ShardError> {
        self.add(game)
    }

    fn flush(&mut self) -> Result<(), ShardError> {
        self.flush()
    }
}

/// The games of a shard that another process may be writing.
fn ids<G: Learnable>(path: &Path) -> Result<Vec<GameId>, ShardError> {
    let read = || {
        let mut shard = Shard::open(path)?;
        let mut ids = Vec::new();
        loop {
            match shard.next_block::<G>() {
                Ok(Some(games)) => ids.extend(games.iter().map(|game| game.id)),
                Ok(None) | Err(ShardError { fault: ShardFault::CutOff, .. }) => return Ok(ids),
                Err(error) => return Err(error),
            }
        }
    };
    match read() {
        Err(ShardError { fault: ShardFault::CutOff, .. }) => Ok(Vec::new()),
        Err(ShardError { fault: ShardFault::Io(error), .. })
            if error.kind() == ErrorKind::NotFound =>
        {
            Ok(Vec::new())
        }
        ids => ids,
    }
}
