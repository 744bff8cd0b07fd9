//! Blocks of games that are leased from the arena's store: many processes on many machines share a run.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use arena::{
    Adjudication, BlockingStore, Contestant, EngineSpec, Event, EventId, Format, GameResult, Plan,
    Playable, StoreError, TimeSettings, Unfinished, Worker, persistently,
};

use crate::workers::{Block, Blocks};
use crate::{GAMES_OF_A_BLOCK, Header};

/// The blocks of a run, kept in a store as the games of an event.
pub struct LeasedBlocks<'a> {
    /// Where they are.
    pub store: &'a BlockingStore,
    /// Which they are.
    pub event: EventId,
    /// In whose name they are leased.
    pub worker: Worker,
    /// How many games the run has.
    pub games: u64,
}

/// How long a process without a block waits before it asks again: another one may have died.
const PAUSE: Duration = Duration::from_secs(1);

/// The event of a run: the one that another process has made of the same settings, or a new one.
pub fn event_of(store: &BlockingStore, header: &Header, games: u64) -> Result<Event, StoreError> {
    let Header { game, generation, seed, engine } = header;
    let name = format!(
        "self-play of {games} games, {game}, generation {generation}, seed {seed}: {engine}"
    );
    let find = || -> Result<Option<Event>, StoreError> {
        Ok(store.events()?.sound.into_iter().find(|event| event.name == name))
    };
    let engine = EngineSpec::named(engine);
    let learner = Contestant { name: engine.to_string(), engine, options: BTreeMap::new() };
    let plan = Plan {
        game: game.clone(),
        contestants: vec![learner],
        format: Format::SelfPlay,
        games: games.div_ceil(GAMES_OF_A_BLOCK as u64) as u32,
        openings: Vec::new(),
        time: TimeSettings::default(),
        adjudication: Adjudication::default(),
        sprt: None,
        unfinished: Unfinished::default(),
        seed: *seed,
    };
    // Two processes may begin at the same moment. The database may refuse one of them, which then finds the
    // event of the other; or it makes both events, and the first one counts.
    persistently(store, || {
        if let Some(event) = find()? {
            return Ok(event);
        }
        let made = store.create(&name, &plan)?;
        let event = find()?.map_or_else(|| store.event(made), Ok)?;
        if event.id != made {
            store.close(made)?;
        }
        Ok(event)
    })
}

impl LeasedBlocks<'_> {
    /// Says now and then that the worker is alive, until `done` is dropped on the other end.
    pub fn live(&self, done: &Receiver<()>) {
        let interval = self.worker.lease / 4;
        while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(interval) {
            // A store that does not answer is told by those who need it.
            let _ = self.store.beat(&self.worker);
        }
    }
}

impl Blocks for LeasedBlocks<'_> {
    fn next_block(&self, stop: &AtomicBool) -> Result<Option<Block>, StoreError> {
        while !stop.load(Ordering::Relaxed) {
            if let Some(pairing) = persistently(self.store, || {
                self.store.lease(self.event, &self.worker, &Playable::All)
            })? {
                let size = GAMES_OF_A_BLOCK as u64;
                let first = (pairing.number as u64 - 1) * size;
                let games = (first..(first + size).min(self.games)).collect();
                return Ok(Some(Block { number: pairing.number, games }));
            }
            if !persistently(self.store, || self.store.is_in_progress(self.event, &Playable::All))?
            {
                self.store.close(self.event)?;
                break;
            }
            thread::sleep(PAUSE);
        }
        Ok(None)
    }

    /// Without its lease the block is another's: its games are then written twice, and read once.
    fn finish(&self, block: i64) -> Result<(), StoreError> {
        let result = GameResult {
            winner: None,
            reason: "written".to_string(),
            detail: String::new(),
            versions: game::BySide::default(),
            plies: Vec::new(),
            turns: 0,
            time: Duration::ZERO,
            thinking: game::BySide::default(),
        };
        persistently(self.store, || self.store.finish(self.event, block, &self.worker, &result))
            .map(drop)
    }
}
