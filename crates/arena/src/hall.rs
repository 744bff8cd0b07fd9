//! Where games are played: a number of seats, each of which plays one game after the other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use aei::{Failure, Fault};
use game::{BySide, Side};

use crate::{
    Bout, Budget, Contestant, Event, Fixture, Plan, Played, Player, Rules, Start, Store,
    StoreError, Thought, Worker,
};

/// Whoever knows the games and the engines by their names.
pub trait Host: Sync {
    /// The rules of a game.
    fn rules(&self, game: &str) -> Result<&dyn Rules, String>;

    /// An engine of a game, ready to play.
    fn player(&self, game: &str, contestant: &Contestant) -> Result<Box<dyn Player>, Failure>;
}

/// Games in progress, on this machine.
pub struct Hall<'a> {
    /// Who knows the engines.
    pub host: &'a dyn Host,
    /// Where games come from and go to.
    pub store: &'a Store,
    /// In whose name they are leased.
    pub worker: Worker,
    /// How many are played at a time.
    pub seats: usize,
}

/// A game that was played here, and kept.
pub struct News {
    /// Which game.
    pub fixture: Fixture,
    /// What became of it.
    pub played: Played,
}

/// Why no more games are played.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// The store fails, and went on failing.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan cannot be played here.
    #[error("{0}")]
    Plan(String),
}

/// How long the seats without a game wait before they ask again: another worker's game may be free
/// again, or another round of a knock-out begin.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

/// Many workers that wait must not keep their database busy.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// Room for deep recursion: only what is touched takes memory.
const STACK: usize = 64 << 20;

/// A database that is started anew is back by then.
const STORE_RETRIES: u32 = 8;

impl Hall<'_> {
    /// Plays games of the event until there are none, here or elsewhere; each one that is finished here
    /// is told.
    ///
    /// If the store fails for good, or `told` returns false, the games in progress are given up.
    pub fn play(
        &self,
        event: &Event,
        mut told: impl FnMut(&News) -> bool,
    ) -> Result<(), HallError> {
        self.host.rules(&event.plan.game).map_err(HallError::Plan)?;
        self.try_engines(event)?;
        self.schedule(event)?;
        let over = AtomicBool::new(false);
        let (sender, news) = channel();
        thread::scope(|scope| {
            for index in 0..self.seats {
                let (sender, over) = (sender.clone(), &over);
                let seat = move || Seat::new(self, event, over).occupy(&sender);
                let thread = thread::Builder::new().name(format!("seat {index}"));
                let spawned = thread.stack_size(STACK).spawn_scoped(scope, seat);
                spawned.expect("the system has room for a thread");
            }
            drop(sender);
            // While somebody is told, nobody may think that we are gone.
            let (done, is_done) = channel();
            scope.spawn(move || self.live(&is_done));
            let result = listen(&news, &mut told);
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
    fn try_engines(&self, event: &Event) -> Result<(), HallError> {
        if !self.store.is_shared() {
            return Ok(());
        }
        for contestant in &event.plan.contestants {
            let started = self.host.player(&event.plan.game, contestant);
            started.map_err(|failure| {
                HallError::Plan(format!("{} does not start here: {failure}", contestant.name))
            })?;
        }
        Ok(())
    }

    /// Lets the store know that this worker is alive, until it is done. A store that does not answer
    /// is told by those who need it.
    fn live(&self, is_done: &Receiver<()>) {
        let interval = self.worker.patience / 4;
        while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(interval) {
            let _ = self.store.beat(&self.worker);
        }
    }

    /// Sees to it that the store has all games that are certain to be wanted, and wants none after a
    /// test that is decided; returns whether it is.
    fn schedule(&self, event: &Event) -> Result<bool, StoreError> {
        let scores = self.store.scores(event.id)?;
        self.store.schedule(event.id, &event.plan.fixtures(&scores))?;
        let is_decided = event.plan.is_decided(&scores);
        if is_decided {
            self.store.close(event.id)?;
        }
        Ok(is_decided)
    }
}

/// Passes on the news.
fn listen(
    news: &Receiver<Result<News, HallError>>,
    told: &mut impl FnMut(&News) -> bool,
) -> Result<(), HallError> {
    for news in news {
        if !told(&news?) {
            break;
        }
    }
    Ok(())
}

/// Tries again for a while, since a game that was played is worth some patience.
fn persistently<T>(mut ask: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
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

/// Where one game at a time is played.
struct Seat<'a> {
    hall: &'a Hall<'a>,
    event: &'a Event,
    over: &'a AtomicBool,
    /// Players that are ready for another game.
    players: HashMap<usize, Box<dyn Player>>,
}

impl<'a> Seat<'a> {
    fn new(hall: &'a Hall<'a>, event: &'a Event, over: &'a AtomicBool) -> Seat<'a> {
        Seat { hall, event, over, players: HashMap::new() }
    }

    /// Plays until there is nothing left to play.
    fn occupy(mut self, news: &Sender<Result<News, HallError>>) {
        loop {
            let (told, failed) = match self.next_game() {
                Ok(Some(game)) => (news.send(Ok(game)), false),
                Ok(None) => return,
                Err(error) => (news.send(Err(error)), true),
            };
            // Where nobody listens any more, the hall is closed; and after an error nothing goes on.
            if told.is_err() || failed {
                return;
            }
        }
    }

    /// Plays a game and keeps it; none if all are played.
    fn next_game(&mut self) -> Result<Option<News>, HallError> {
        let Hall { store, worker, .. } = self.hall;
        loop {
            let Some(fixture) = self.lease()? else { return Ok(None) };
            let played = self.play(&fixture).map_err(HallError::Plan)?;
            if self.over.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let is_ours =
                persistently(|| store.finish(self.event.id, fixture.number, worker, &played))?;
            if is_ours {
                if self.event.plan.depends_on_results()
                    && persistently(|| self.hall.schedule(self.event))?
                {
                    // The games at the other seats would not count any more.
                    self.over.store(true, Ordering::Relaxed);
                }
                return Ok(Some(News { fixture, played }));
            }
        }
    }

    /// A game to be played, for which it may be necessary to wait.
    fn lease(&self) -> Result<Option<Fixture>, StoreError> {
        let Hall { store, worker, .. } = self.hall;
        let mut pause = SHORTEST_PAUSE;
        while !self.over.load(Ordering::Relaxed) {
            let fixture = persistently(|| store.lease(self.event.id, worker))?;
            if fixture.is_some() {
                return Ok(fixture);
            }
            if !persistently(|| store.is_in_progress(self.event.id))? {
                // Whoever finished a round may not have begun the next one.
                persistently(|| self.hall.schedule(self.event))?;
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

    fn play(&mut self, fixture: &Fixture) -> Result<Played, String> {
        let Plan { game, contestants, openings, pace, adjudication, .. } = &self.event.plan;
        let mut first = self.take(fixture.players.first);
        let mut second = self.take(fixture.players.second);
        let name = |side| contestants[fixture.players[side]].name.as_str();
        let bout = Bout {
            rules: self.hall.host.rules(game)?,
            opening: openings.get(fixture.opening).map_or("", String::as_str),
            names: BySide { first: name(Side::First), second: name(Side::Second) },
            pace: *pace,
            adjudication: *adjudication,
            seed: fixture.seed,
            is_off: self.over,
        };
        let played = bout.play(BySide { first: &mut *first, second: &mut *second })?;
        // Whoever failed is not asked again.
        let failed = Fault::named(&played.reason).is_some();
        for (side, player) in [(Side::First, first), (Side::Second, second)] {
            if !failed || played.winner == Some(side) {
                self.players.insert(fixture.players[side], player);
            }
        }
        Ok(played)
    }

    /// The contestant's player, from the last game or a new one.
    fn take(&mut self, contestant: usize) -> Box<dyn Player> {
        let player = self.players.remove(&contestant);
        player.unwrap_or_else(|| {
            let Plan { game, contestants, .. } = &self.event.plan;
            let player = self.hall.host.player(game, &contestants[contestant]);
            player.unwrap_or_else(|failure| Box::new(Absent(failure)))
        })
    }
}

/// A player who could not even take a seat.
struct Absent(Failure);

impl Player for Absent {
    fn identity(&self) -> String {
        "absent".to_string()
    }

    fn begin(&mut self, _start: &Start) -> Result<(), Failure> {
        Err(self.0.clone())
    }

    fn played(&mut self, _turn: &str) -> Result<(), Failure> {
        Err(self.0.clone())
    }

    fn think(&mut self, _budget: &Budget) -> Result<Thought, Failure> {
        Err(self.0.clone())
    }
}
