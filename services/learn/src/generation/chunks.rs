//! The shards of a generation: files whose bytes depend neither on the machine nor on the number of threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::shard::EXTENSION;
use crate::{
    GAMES_OF_A_BLOCK, GameId, GameSink, Header, Learnable, Shard, ShardError, ShardFault,
    ShardGame, ShardWriter, checksum,
};

/// The games of a file. A game takes some kilobytes: a file stays far below 16 MiB.
pub const GAMES_OF_A_FILE: u64 = 256;

/// A share of the files of a generation: each `count`th of them, from `number` on, which begins at 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Which share.
    pub number: u64,
    /// Of how many.
    pub count: u64,
}

impl Part {
    /// All files.
    pub const WHOLE: Part = Part { number: 1, count: 1 };
}

/// All shards of a generation.
#[derive(Clone, Debug)]
pub struct Chunks {
    /// Where they are.
    pub folder: PathBuf,
    /// The header of each shard.
    pub header: Header,
    /// How many games there are.
    pub games: u64,
}

/// What the shards of a generation hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Positions that were searched.
    pub positions: u64,
    /// A sum over all bytes.
    pub checksum: u32,
}

impl Chunks {
    /// How many files there are.
    fn files(&self) -> u64 {
        self.games.div_ceil(GAMES_OF_A_FILE)
    }

    /// The file of a number from 0.
    fn path(&self, file: u64) -> PathBuf {
        let Header { game, generation, seed, .. } = &self.header;
        self.folder.join(format!("{game}-g{generation}-s{seed}-{}.{EXTENSION}", file + 1))
    }

    /// The games of a file.
    fn games_of(&self, file: u64) -> std::ops::Range<u64> {
        let first = file * GAMES_OF_A_FILE;
        first..(first + GAMES_OF_A_FILE).min(self.games)
    }

    fn id(&self, game: u64) -> GameId {
        GameId::new(self.header.seed, self.header.generation, game)
    }

    /// Opens the files of a part, to play what is missing.
    pub(super) fn open<G: Learnable>(&self, part: Part) -> Result<OrderedGames<G>, ShardError> {
        let made = fs::create_dir_all(&self.folder);
        made.map_err(|error| ShardFault::Io(error).at(&self.folder, 0))?;
        let mut missing = Vec::new();
        let mut done = 0;
        for file in (part.number - 1..self.files()).step_by(part.count as usize) {
            let games = self.games_of(file);
            let count = match self.path(file).exists() {
                true => {
                    let writer = ShardWriter::<G>::open_file(&self.path(file), &self.header)?;
                    self.check(file, &writer.done)?
                }
                false => 0,
            };
            done += count;
            missing.extend(games.skip(count as usize));
        }
        let numbers = missing.iter().map(|&game| (self.id(game), game)).collect();
        Ok(OrderedGames {
            chunks: self.clone(),
            next: missing.clone().into_iter().peekable(),
            missing,
            done,
            numbers,
            waiting: BTreeMap::new(),
            writer: None,
        })
    }

    /// Checks that a file has the first games of its range, and says how many.
    fn check(&self, file: u64, ids: &FxHashSet<GameId>) -> Result<u64, ShardError> {
        let expected =
            self.games_of(file).take(ids.len()).filter(|&game| ids.contains(&self.id(game)));
        let count = expected.count();
        if count != ids.len() {
            let fault = "these are not the games that belong into this file: remove it";
            return Err(ShardFault::Damaged(fault.to_string()).at(&self.path(file), 0));
        }
        Ok(count as u64)
    }

    /// What the shards hold, once all are there; else the first file that is missing or not complete.
    pub(super) fn held<G: Learnable>(&self) -> Result<Result<Held, PathBuf>, ShardError> {
        let mut held = Held::default();
        for file in 0..self.files() {
            let path = self.path(file);
            if !path.exists() {
                return Ok(Err(path));
            }
            let (ids, positions) = read::<G>(&path, &self.header)?;
            if self.check(file, &ids)? < self.games_of(file).count() as u64 {
                return Ok(Err(path));
            }
            let bytes = fs::read(&path).map_err(|error| ShardFault::Io(error).at(&path, 0))?;
            held.positions += positions;
            held.checksum = held.checksum.rotate_left(1) ^ checksum(&bytes);
        }
        Ok(Ok(held))
    }
}

/// The games of a shard, and how many positions of them were searched. What was cut off does not count.
fn read<G: Learnable>(
    path: &Path,
    header: &Header,
) -> Result<(FxHashSet<GameId>, u64), ShardError> {
    let mut shard = Shard::open(path)?;
    if shard.header != *header {
        let (found, expected) = (shard.header.engine.clone(), header.engine.clone());
        return Err(ShardFault::OtherEngine { found, expected }.at(path, 0));
    }
    let (mut ids, mut positions) = (FxHashSet::default(), 0);
    loop {
        match shard.next_block::<G>() {
            Ok(Some(games)) => {
                ids.extend(games.iter().map(|game| game.id));
                let turns = games.iter().flat_map(|game| &game.turns);
                positions += turns.filter(|turn| turn.searched.is_some()).count() as u64;
            }
            Ok(None) | Err(ShardError { fault: ShardFault::CutOff, .. }) => {
                return Ok((ids, positions));
            }
            Err(error) => return Err(error),
        }
    }
}

/// The games of a part on their way into their files: each waits until all games before it are there.
///
/// So a file has the same bytes in whatever order the games are finished, and a file that was not finished has the first
/// games of its range in whole blocks.
pub(super) struct OrderedGames<G: Learnable> {
    chunks: Chunks,
    /// The games to be played, in order.
    pub(super) missing: Vec<u64>,
    /// How many games of the part were there before.
    pub(super) done: u64,
    /// The games that are to be written, in order.
    next: std::iter::Peekable<std::vec::IntoIter<u64>>,
    numbers: FxHashMap<GameId, u64>,
    waiting: BTreeMap<u64, ShardGame<G::Position>>,
    /// The file that is being written, and its number.
    writer: Option<(u64, ShardWriter<G>)>,
}

impl<G: Learnable> OrderedGames<G> {
    fn write(&mut self, number: u64, game: ShardGame<G::Position>) -> Result<(), ShardError> {
        let file = number / GAMES_OF_A_FILE;
        if self.writer.as_ref().is_none_or(|(open, _)| *open != file) {
            let path = self.chunks.path(file);
            self.writer = Some((file, ShardWriter::open_file(&path, &self.chunks.header)?));
        }
        if let Some((_, writer)) = &mut self.writer {
            writer.push(game);
            let is_last = number + 1 == self.chunks.games_of(file).end;
            if is_last || (number + 1).is_multiple_of(GAMES_OF_A_BLOCK as u64) {
                writer.flush()?;
            }
        }
        Ok(())
    }
}

impl<G: Learnable> GameSink<G> for OrderedGames<G> {
    /// Only missing games are asked for.
    fn take_done(&mut self) -> FxHashSet<GameId> {
        FxHashSet::default()
    }

    fn add(&mut self, game: ShardGame<G::Position>) -> Result<(), ShardError> {
        if let Some(&number) = self.numbers.get(&game.id) {
            self.waiting.insert(number, game);
        }
        while let Some(&number) = self.next.peek()
            && let Some(game) = self.waiting.remove(&number)
        {
            self.next.next();
            self.write(number, game)?;
        }
        Ok(())
    }

    /// Blocks are written when they are full: a smaller one would make another file.
    fn flush(&mut self) -> Result<(), ShardError> {
        Ok(())
    }
}
