//! Plays the games of an event on this machine: some threads, each of which plays one game after the
//! other.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use engine::Stop;
use game::{BySide, Game, Side};
use guard::{NoThread, spawn_helpers};
use process::{Failure, Fault};

use crate::{
    BlockingStore, Budget, Contestant, Event, GameResult, MatchGame, Pairing, Plan, Playable,
    Player, ScoredGame, Start, StoreError, Thought, Worker,
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
    /// Whether the engine of a contestant may run here. Games of others are left to other workers.
    pub may_play: &'a (dyn Fn(&Contestant) -> bool + Sync),
    /// Asked for when no more are wanted: those in progress are given up, and count for nothing.
    pub stop: Stop,
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
    /// There is no thread to play on.
    #[error(transparent)]
    Thread(#[from] NoThread),
    /// The plan cannot be played here.
    #[error("{0}")]
    Plan(String),
    /// An engine does not start, or fails in every game. To go on would say nothing of strength.
    #[error("{name} {fault}")]
    Engine {
        /// The contestant's name.
        name: String,
        /// What it does.
        fault: String,
    },
}

/// How long the threads without a game wait before they ask again: another worker's game may be free
/// again, or another round of a knock-out begin.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

/// Many workers that wait must not keep their database busy.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// How often it is looked whether somebody has asked to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// How often an engine that does not get ready for a game is started anew.
const STARTS: usize = 3;

/// After so many games an engine is given up that has failed in each: both games of two pairs.
const FIRST_FAILURES: usize = 4;

/// After so many failures in a row an engine is given up that has played before.
const FAILURES_IN_A_ROW: usize = 10;

/// A database that is started anew is back by then.
const STORE_PATIENCE: Duration = Duration::from_secs(25);

impl<G: Game> Runner<'_, G> {
    /// Plays games of the event until there are none, here or elsewhere; each one that is finished here
    /// is told.
    ///
    /// If the store fails for good, `told` returns false or somebody asks to stop, the games in progress are
    /// given up.
    pub fn play(
        &self,
        event: &Event,
        mut told: impl FnMut(&FinishedGame) -> bool,
    ) -> Result<(), RunnerError> {
        self.schedule(event)?;
        let playable = event.plan.playable(self.may_play);
        if self.store.is_in_progress(event.id, &playable)? {
            match self.try_engines(event) {
                // Programs are ended when somebody asks to stop.
                Err(_) if self.stop.is_requested() => return Ok(()),
                tried => tried?,
            }
        }
        let failures = Mutex::new(Failures::of(&event.plan, &self.store.scores(event)?.sound));
        let over = Stop::new();
        let (sender, finished) = channel();
        thread::scope(|scope| {
            let over = &over;
            // The lease stays alive while results are reported.
            let (done, is_done) = channel();
            let live = thread::Builder::new().name("lease".to_string());
            live.spawn_scoped(scope, move || self.live(&is_done, over)).map_err(|_| NoThread)?;
            let started = spawn_helpers(scope, "game", self.concurrency, |_| {
                let sender = sender.clone();
                let thread = GameThread {
                    runner: self,
                    event,
                    over,
                    failures: &failures,
                    playable: &playable,
                    players: HashMap::new(),
                    error: None,
                };
                move || thread.run(&sender)
            });
            drop(sender);
            if started == 0 {
                return Err(NoThread.into());
            }
            let result = listen(&finished, &mut told);
            over.request();
            drop(done);
            result
        })?;
        if self.stop.is_requested() {
            return Ok(());
        }
        self.schedule(event)?;
        if !self.store.is_in_progress(event.id, &event.plan.playable(|_| true))? {
            self.store.close(event.id)?;
        }
        let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        failures.of_all_games().map_or(Ok(()), Err)
    }

    /// Refuses an event of which an engine does not start here: games that were never played are no
    /// games.
    fn try_engines(&self, event: &Event) -> Result<(), RunnerError> {
        for contestant in event.plan.contestants.iter().filter(|one| (self.may_play)(one)) {
            let started = self.host.player(contestant);
            started.map_err(|failure| does_not_start(&contestant.name, &failure.detail))?;
        }
        Ok(())
    }

    /// Lets the store know that this worker is alive, until it is done. A store that does not answer
    /// is told by those who need it. If somebody asks to stop, the engines hear of it.
    fn live(&self, is_done: &Receiver<()>, over: &Stop) {
        let interval = self.worker.lease / 4;
        let mut beaten = Instant::now();
        while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(GLANCE) {
            if self.stop.is_requested() {
                over.request();
            }
            if beaten.elapsed() >= interval {
                let _ = self.store.beat(&self.worker);
                beaten = Instant::now();
            }
        }
    }

    /// Sees to it that the store has all games that are certain to be wanted, and wants none after a
    /// test that is decided; returns whether it is.
    fn schedule(&self, event: &Event) -> Result<bool, StoreError> {
        let scores = self.store.scores(event)?.sound;
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

/// Asks a store, and tries again for a while if that may help: a game that was played is worth some patience.
/// Whoever listens to the store is told ([`BlockingStore::when_waiting`]).
pub fn persistently<T>(
    store: &BlockingStore,
    mut ask: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let begun = Instant::now();
    let mut pause = Duration::from_millis(100);
    loop {
        let error = match ask() {
            Err(error) if error.may_pass() => error,
            done => return done,
        };
        let left = STORE_PATIENCE.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Err(error);
        }
        store.tell_of_waiting(&error, left);
        thread::sleep(pause.min(left));
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

fn does_not_start(name: &str, detail: &str) -> RunnerError {
    let reason = detail.lines().next().unwrap_or_default();
    RunnerError::Engine { name: name.to_string(), fault: format!("does not start: {reason}") }
}

/// Who failed how often.
struct Failures {
    names: Vec<String>,
    of: Vec<Reliability>,
}

/// What is known of a contestant.
#[derive(Clone, Default)]
struct Reliability {
    games: usize,
    failures: usize,
    in_a_row: usize,
    /// What happened last.
    last: String,
}

impl Failures {
    /// What the games say that were played before.
    fn of(plan: &Plan, played: &[ScoredGame]) -> Failures {
        let names: Vec<String> = plan.contestants.iter().map(|one| one.name.clone()).collect();
        let of = vec![Reliability::default(); names.len()];
        let mut failures = Failures { names, of };
        for game in played {
            failures.add(game.players, game.winner.filter(|_| game.by_failure), "before");
        }
        failures
    }

    /// Counts a game, and says who is to be given up. If somebody failed, the winner did not.
    fn add(
        &mut self,
        players: BySide<usize>,
        winner_by_failure: Option<Side>,
        what: &str,
    ) -> Option<RunnerError> {
        for side in Side::ALL {
            let one = &mut self.of[players[side]];
            one.games += 1;
            if winner_by_failure == Some(!side) {
                one.failures += 1;
                one.in_a_row += 1;
                one.last = what.to_string();
            } else {
                one.in_a_row = 0;
            }
        }
        let loser = players[!winner_by_failure?];
        let Reliability { games, failures, in_a_row, .. } = self.of[loser];
        let most = if failures == games { FIRST_FAILURES } else { FAILURES_IN_A_ROW };
        (in_a_row >= most).then(|| self.given_up(loser))
    }

    fn given_up(&self, contestant: usize) -> RunnerError {
        let Reliability { games, failures, in_a_row, last } = &self.of[contestant];
        let often = match failures == games {
            true if *games == 1 => "in its only game".to_string(),
            true => format!("in all {games} games"),
            false => format!("in {in_a_row} games in a row"),
        };
        let fault = format!("failed {often}, the last time by {last}");
        RunnerError::Engine { name: self.names[contestant].clone(), fault }
    }

    /// Somebody who failed in every game of an event, however few there were.
    fn of_all_games(&self) -> Option<RunnerError> {
        let failed = |one: &Reliability| one.games > 0 && one.failures == one.games;
        self.of.iter().position(failed).map(|contestant| self.given_up(contestant))
    }
}

/// What of a failure fits into a sentence.
fn in_short(result: &GameResult) -> String {
    format!("{}: {}", result.reason, result.detail.lines().next().unwrap_or_default())
}

/// A thread that plays one game at a time.
struct GameThread<'a, G: Game> {
    runner: &'a Runner<'a, G>,
    event: &'a Event,
    over: &'a Stop,
    failures: &'a Mutex<Failures>,
    playable: &'a Playable,
    /// Players that are ready for another game.
    players: HashMap<usize, Box<dyn Player<G>>>,
    /// Why nothing is played after the game that was told last.
    error: Option<RunnerError>,
}

impl<G: Game> GameThread<'_, G> {
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
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        loop {
            let Some(pairing) = self.lease()? else { return Ok(None) };
            let result = self.play(&pairing)?;
            if self.is_over() {
                return Ok(None);
            }
            let is_ours = persistently(store, || {
                store.finish(self.event.id, pairing.number, worker, &result)
            })?;
            if is_ours {
                self.error = self.judge(&pairing, &result);
                if self.event.plan.depends_on_results()
                    && persistently(store, || self.runner.schedule(self.event))?
                {
                    // The games of the other threads would not count any more.
                    self.over.request();
                }
                return Ok(Some(FinishedGame { pairing, result }));
            }
        }
    }

    /// A game to be played, for which it may be necessary to wait.
    fn lease(&self) -> Result<Option<Pairing>, StoreError> {
        let Runner { store, worker, .. } = self.runner;
        let mut pause = SHORTEST_PAUSE;
        while !self.is_over() {
            let pairing =
                persistently(store, || store.lease(self.event.id, worker, self.playable))?;
            if pairing.is_some() {
                return Ok(pairing);
            }
            if !persistently(store, || store.is_in_progress(self.event.id, self.playable))? {
                // Whoever finished a round may not have begun the next one.
                persistently(store, || self.runner.schedule(self.event))?;
                if !persistently(store, || store.is_in_progress(self.event.id, self.playable))? {
                    break;
                }
            }
            self.sleep(pause);
            if store.is_shared() {
                pause = (2 * pause).min(LONGEST_PAUSE);
            }
        }
        Ok(None)
    }

    /// Whether nobody wants more games. Programs are ended when somebody asks to stop: what they do then is no
    /// failure of theirs.
    fn is_over(&self) -> bool {
        self.over.is_requested() || self.runner.stop.is_requested()
    }

    /// Sleeps, unless it is over.
    fn sleep(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_over() && Instant::now() < until {
            thread::sleep(GLANCE.min(time));
        }
    }

    /// Who is to be given up after this game.
    fn judge(&self, pairing: &Pairing, result: &GameResult) -> Option<RunnerError> {
        let winner = result.winner.filter(|_| Fault::named(&result.reason).is_some());
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.add(pairing.players, winner, &in_short(result))
    }

    /// Plays a game. One that does not begin, since an engine does not get ready for it, is tried again
    /// and then not kept: nobody has won it.
    fn play(&mut self, pairing: &Pairing) -> Result<GameResult, RunnerError> {
        let mut tries = 0;
        loop {
            let result = self.play_once(pairing).map_err(RunnerError::Plan)?;
            tries += 1;
            let absent = Fault::named(&result.reason) == Some(Fault::Start);
            if !absent || self.is_over() {
                return Ok(result);
            }
            if tries == STARTS {
                let absent =
                    result.winner.map_or(pairing.players.first, |won| pairing.players[!won]);
                let name = &self.event.plan.contestants[absent].name;
                return Err(does_not_start(name, &result.detail));
            }
        }
    }

    fn play_once(&mut self, pairing: &Pairing) -> Result<GameResult, String> {
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
            stop: self.over,
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
