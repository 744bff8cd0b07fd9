//! Threads that play games of a run, until none is left.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use arena::StoreError;
use game::Game;
use guard::{NoThread, spawn_helpers};
use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::selfplay::{MakeEngine, StartOpponent};
use crate::{GameId, Learnable, SelfPlay, SelfPlayError, ShardError, ShardGame, Terms};

/// Which games are to be played: block by block.
pub trait Blocks: Sync {
    /// The next block of games; none, if all are played or `stop` is set. It may have to wait.
    fn next_block(&self, stop: &AtomicBool) -> Result<Option<Block>, StoreError>;

    /// All games of the block are written.
    fn finish(&self, block: i64) -> Result<(), StoreError>;
}

/// Some games that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its own number.
    pub number: i64,
    /// The numbers of its games.
    pub games: Vec<u64>,
}

/// All games of a run as one block.
pub struct AllGames(Mutex<Option<Vec<u64>>>);

impl AllGames {
    /// So many games.
    pub fn new(count: u64) -> AllGames {
        AllGames::from_numbers((0..count).collect())
    }

    /// The games of these numbers, in this order.
    pub fn from_numbers(games: Vec<u64>) -> AllGames {
        AllGames(Mutex::new(Some(games)))
    }
}

impl Blocks for AllGames {
    fn next_block(&self, _stop: &AtomicBool) -> Result<Option<Block>, StoreError> {
        let games = self.0.lock().expect("nobody panics with the lock").take();
        Ok(games.map(|games| Block { number: 1, games }))
    }

    fn finish(&self, _block: i64) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Why a run has ended before all games were played.
#[derive(Debug, Error)]
pub enum RunError {
    /// A game cannot be played.
    #[error(transparent)]
    Game(#[from] SelfPlayError),
    /// A game cannot be written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no thread to play on.
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// Where played games are kept.
pub trait GameSink<G: Learnable> {
    /// The games that are there; they are not played again.
    fn take_done(&mut self) -> FxHashSet<GameId>;

    /// Keeps a game.
    fn add(&mut self, game: ShardGame<G::Position>) -> Result<(), ShardError>;

    /// Writes the games that wait, where the sink may write them now.
    fn flush(&mut self) -> Result<(), ShardError>;
}

/// Threads that play.
pub struct Workers<'a, G: Learnable> {
    /// How the games are played.
    pub terms: &'a Terms<G::Position>,
    /// Who learns.
    pub make_engine: &'a MakeEngine<'a, G>,
    /// Who plays against it, if not itself.
    pub start_opponent: Option<&'a StartOpponent<'a, G>>,
    /// How many games are played at a time.
    pub threads: usize,
}

/// A game that was played, the block it belongs to and how many games that has.
type Played<G> = (ShardGame<<G as Game>::Position>, i64, usize);

impl<G: Learnable> Workers<'_, G> {
    /// Plays all games that the blocks have and the shard has not, and writes them; each is told.
    pub fn run(
        &self,
        blocks: &dyn Blocks,
        writer: &mut impl GameSink<G>,
        mut told: impl FnMut(&ShardGame<G::Position>),
    ) -> Result<(), RunError> {
        let stop = AtomicBool::new(false);
        let done = writer.take_done();
        let is_missing = |number: u64| {
            !done.contains(&GameId::new(self.terms.seed, self.terms.generation, number))
        };
        let queue = Queue { blocks, is_missing: &is_missing, waiting: Mutex::default() };
        let (sender, games) = channel();
        thread::scope(|scope| {
            let started = spawn_helpers(scope, "self-play", self.threads, |_| {
                let (sender, queue, stop) = (sender.clone(), &queue, &stop);
                move || {
                    if let Err(error) = self.play(queue, &sender, stop) {
                        // Where nobody listens any more, another error came first.
                        let _ = sender.send(Err(error));
                    }
                }
            });
            drop(sender);
            if started == 0 {
                return Err(NoThread.into());
            }
            let written = write(&games, blocks, writer, &mut told);
            stop.store(true, Ordering::Relaxed);
            // What was played before an error is worth keeping.
            let flushed = writer.flush();
            written.and(flushed.map_err(RunError::from))
        })
    }

    /// Plays one game after the other.
    fn play(
        &self,
        queue: &Queue,
        sender: &Sender<Result<Played<G>, RunError>>,
        stop: &AtomicBool,
    ) -> Result<(), RunError> {
        let mut player = SelfPlay::new(self.terms, self.make_engine, self.start_opponent)?;
        while let Some(next) = queue.next(stop)? {
            let game = player.play(next.game)?;
            if sender.send(Ok((game, next.block, next.size))).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Writes the games that come, and finishes each block with its last game.
fn write<G: Learnable>(
    games: &Receiver<Result<Played<G>, RunError>>,
    blocks: &dyn Blocks,
    writer: &mut impl GameSink<G>,
    told: &mut impl FnMut(&ShardGame<G::Position>),
) -> Result<(), RunError> {
    let mut counts: HashMap<i64, usize> = HashMap::new();
    for played in games {
        let (game, block, size) = played?;
        told(&game);
        writer.add(game)?;
        let count = counts.entry(block).or_default();
        *count += 1;
        if *count == size {
            writer.flush()?;
            blocks.finish(block)?;
            counts.remove(&block);
        }
    }
    Ok(())
}

/// The games that wait for a thread.
struct Queue<'a> {
    blocks: &'a dyn Blocks,
    is_missing: &'a (dyn Fn(u64) -> bool + Sync),
    waiting: Mutex<VecDeque<Next>>,
}

/// A game to be played, of a block of so many games.
struct Next {
    game: u64,
    block: i64,
    size: usize,
}

impl Queue<'_> {
    fn next(&self, stop: &AtomicBool) -> Result<Option<Next>, StoreError> {
        // Who waits for a block holds the lock: the others have nothing to do either.
        let mut waiting = self.waiting.lock().expect("nobody panics with the lock");
        while !stop.load(Ordering::Relaxed) {
            if let Some(next) = waiting.pop_front() {
                return Ok(Some(next));
            }
            let Some(Block { number, mut games }) = self.blocks.next_block(stop)? else { break };
            games.retain(|&game| (self.is_missing)(game));
            if games.is_empty() {
                self.blocks.finish(number)?;
            }
            let size = games.len();
            waiting.extend(games.into_iter().map(|game| Next { game, block: number, size }));
        }
        Ok(None)
    }
}
