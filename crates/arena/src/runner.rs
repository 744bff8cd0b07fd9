//! Plays the games of an event on this machine: some threads, each of which plays one game after the
//! other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use game::{BySide, Game, Side};
use process::{Failure, Fault};

use crate::{
    BlockingStore, Budget, Contestant, Event, GameResult, MatchGame, Pairing, Plan, Player, Start,
    StoreError, Thought, Worker,
};

/// Whoever knows the engines of a game.
pub trait Host<G: Game>: Sync {
    /// The engine of a contestant, ready to play.
    fn player(&self, contestant: &Contestant) -> Result<Box<dyn Player<G>>, Failure>;
}

/// Plays games of an event, on this machine.
pub struct Runner<'a, G: Game> {
    /// Who knows the engines.
    pub host: &'a dyn Host<G>,
    /// Where games come from and go to.
    pub store: &'a BlockingStore,
    /// In whose name they are leased.
    pub worker: Worker,
    /// How many are played at a time.
    pub concurrency: usize,
}

/// A game that was played here, and kept.
pub struct FinishedGame {
    /// Which game.
    pub pairing: Pairing,
    /// What became of it.
    pub result: GameResult,
}

/// Why no more games are played.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The store fails, and went on failing.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan cannot be played here.
    #[error("{0}")]
    Plan(String),
}

/// How long the threads without a game wait before they ask again: another worker's game may be free
/// again, or another round of a knock-out begin.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

/// Many workers that wait must not keep their database busy.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// Room for deep recursion: only what is touched takes memory.
const STACK: usize = 64 << 20;

/// A database that is started anew is back by then.
const STORE_RETRIES: u32 = 8;

impl<G: Game> Runner<'_, G> {
    /// Plays games of the event until there are none, here or elsewhere; each one that is finished here
    /// is told.
    ///
    /// If the store fails for good, or `told` returns false, the games in progress are given up.
    pub fn play(
        &self,
        event: &Event,
        mut told: impl FnMut(&FinishedGame) -> bool,
    ) -> Result<(), RunnerError> {
        self.try_engines(event)?;
        self.schedule(event)?;
        let over = AtomicBool::new(false);
        let (sender, finished) = channel();
        thread::scope(|scope| {
            for index in 0..self.concurrency {
                let (sender, over) = (sender.clone(), &over);
                let games = move || GameThread::new(self, event, over).run(&sender);
                let thread = thread::Builder::new().name(format!("game {index}"));
                let spawned = thread.stack_size(STACK).spawn_scoped(scope, games);
                spawned.expect("the system has room for a thread");
            }
            drop(sender);
            // While somebody is told, nobody may think that we are gone.
            let (done, is_done) = channel();
            scope.spawn(move || self.live(&is_done));
            let result = listen(&finished, &mut told);
            over.store(true, Ordering::Relaxed);
            drop(done);
            result
        })?;
        self.schedule(event)?;
        if !self.store.is_in_progress(event.id)? {
            self.store.close(event.id)?;
        }
        Ok(())
    }

    /// Refuses an event of which an engine does not start here, if others could play it: it would lose
    /// its games as fast as they can be leased.
    fn try_engines(&self, event: &Event) -> Result<(), RunnerError> {
        if !self.store.is_shared() {
            return Ok(());
        }
        for contestant in &event.plan.contestants {
            let started = self.host.player(contestant);
            started.map_err(|failure| {
                RunnerError::Plan(format!("{} does not start here: {failure}", contestant.name))
            })?;
        }
        Ok(())
    }

    /// Lets the store know that this worker is alive, until it is done. A store that does not answer
    /// is told by those who need it.
    fn live(&self, is_done: &Receiver<()>) {
        let interval = self.worker.lease / 4;
        while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(interval) {
            let _ = self.store.beat(&self.worker);
        }
    }

    /// Sees to it that the store has all games that are certain to be wanted, and wants none after a
    /// test that is decided; returns whether it is.
    fn schedule(&self, event: &Event) -> Result<bool, StoreError> {
        let scores = self.store.scores(event.id)?;
        self.store.schedule(event.id, &event.plan.pairings(&scores))?;
        let is_decided = event.plan.is_decided(&scores);
        if is_decided {
            self.store.close(event.id)?;
        }
        Ok(is_decided)
    }
}

/// Passes on the games that are finished.
fn listen(
    finished: &Receiver<Result<FinishedGame, RunnerError>>,
    told: &mut impl FnMut(&FinishedGame) -> bool,
) -> Result<(), RunnerError> {
    for game in finished {
        if !told(&game?) {
            break;
        }
    }
    Ok(())
}

/// Asks a store, and tries again for a while: a game that was played is worth some patience.
pub fn persistently<T>(mut ask: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let mut pause = Duration::from_millis(100);
    for _ in 0..STORE_RETRIES {
        match ask() {
            Err(StoreError::Database(_)) => thread::sleep(pause),
            done => return done,
        }
        pause *= 2;
    }
    ask()
}

/// A thread that plays one game at a time.
struct GameThread<'a, G: Game> {
    runner: &'a Runner<'a, G>,
    event: &'a Event,
    over: &'a AtomicBool,
    /// Players that are ready for another game.
    players: HashMap<usize, Box<dyn Player<G>>>,
}

impl<'a, G: Game> GameThread<'a, G> {
    fn new(runner: &'a Runner<'a, G>, event: &'a Event, over: &'a AtomicBool) -> GameThread<'a, G> {
        GameThread { runner, event, over, players: HashMap::new() }
    }

    /// Plays until there is nothing left to play.
    fn run(mut self, finished: &Sender<Result<FinishedGame, RunnerError>>) {
        loop {
            let (told, failed) = match self.next_game() {
                Ok(Some(game)) => (finished.send(Ok(game)), false),
                Ok(None) => return,
                Err(error) => (finished.send(Err(error)), true),
            };
            // Where nobody listens any more, the runner is done; and after an error nothing goes on.
            if told.is_err() || failed {
                return;
            }
        }
    }

    /// Plays a game and keeps it; none if all are played.
    fn next_game(&mut self) -> Result<Option<FinishedGame>, RunnerError> {
        let Runner { store, worker, .. } = self.runner;
        loop {
            let Some(pairing) = self.lease()? else { return Ok(None) };
            let result = self.play(&pairing).map_err(RunnerError::Plan)?;
            if self.over.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let is_ours =
                persistently(|| store.finish(self.event.id, pairing.number, worker, &result))?;
            if is_ours {
                if self.event.plan.depends_on_results()
                    && persistently(|| self.runner.schedule(self.event))?
                {
                    // The games of the other threads would not count any more.
                    self.over.store(true, Ordering::Relaxed);
                }
                return Ok(Some(FinishedGame { pairing, result }));
            }
        }
    }

    /// A game to be played, for which it may be necessary to wait.
    fn lease(&self) -> Result<Option<Pairing>, StoreError> {
        let Runner { store, worker, .. } = self.runner;
        let mut pause = SHORTEST_PAUSE;
        while !self.over.load(Ordering::Relaxed) {
            let pairing = persistently(|| store.lease(self.event.id, worker))?;
            if pairing.is_some() {
                return Ok(pairing);
            }
            if !persistently(|| store.is_in_progress(self.event.id))? {
                // Whoever finished a round may not have begun the next one.
                persistently(|| self.runner.schedule(self.event))?;
                if !persistently(|| store.is_in_progress(self.event.id))? {
                    break;
                }
            }
            thread::sleep(pause);
            if store.is_shared() {
                pause = (2 * pause).min(LONGEST_PAUSE);
            }
        }
        Ok(None)
    }

    fn play(&mut self, pairing: &Pairing) -> Result<GameResult, String> {
        let Plan { contestants, openings, time, adjudication, .. } = &self.event.plan;
        let mut first = self.take(pairing.players.first);
        let mut second = self.take(pairing.players.second);
        let name = |side| contestants[pairing.players[side]].name.as_str();
        let game = MatchGame {
            opening: openings.get(pairing.opening).map_or("", String::as_str),
            names: BySide { first: name(Side::First), second: name(Side::Second) },
            time: *time,
            adjudication: *adjudication,
            seed: pairing.seed,
            is_off: self.over,
        };
        let result = game.play(BySide { first: &mut *first, second: &mut *second })?;
        // Whoever failed is not asked again.
        let failed = Fault::named(&result.reason).is_some();
        for (side, player) in [(Side::First, first), (Side::Second, second)] {
            if !failed || result.winner == Some(side) {
                self.players.insert(pairing.players[side], player);
            }
        }
        Ok(result)
    }

    /// The contestant's player, from the last game or a new one.
    fn take(&mut self, contestant: usize) -> Box<dyn Player<G>> {
        let player = self.players.remove(&contestant);
        player.unwrap_or_else(|| {
            let player = self.runner.host.player(&self.event.plan.contestants[contestant]);
            player.unwrap_or_else(|failure| Box::new(Unstarted(failure)))
        })
    }
}

/// A player whose engine did not start: it loses its game by that.
struct Unstarted(Failure);

impl<G: Game> Player<G> for Unstarted {
    fn identity(&self) -> String {
        "absent".to_string()
    }

    fn begin(&mut self, _start: &Start<G>) -> Result<(), Failure> {
        Err(self.0.clone())
    }

    fn think(&mut self, _game: &G, _budget: &Budget) -> Result<Thought<G::Action>, Failure> {
        Err(self.0.clone())
    }
}
