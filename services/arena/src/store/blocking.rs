use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;

use super::{Event, EventId, GameRow, Progress, Result, Rows, Worker};
use crate::{GameResult, Pairing, Plan, Playable, ScoredGame, Store, StoreError};

/// A store for threads that may wait: the runner's and those of the command line.
///
/// Any number of threads can ask it at once, but no task of an asynchronous server: that uses the
/// [`Store`], and lends it to threads by [`BlockingStore::lent`].
pub struct BlockingStore {
    store: Arc<Store>,
    runtime: Where,
    /// Who hears that the store does not answer, and when that was last told.
    listener: Option<Box<Listener>>,
    told: Mutex<Option<Instant>>,
}

type Listener = dyn Fn(&str) + Send + Sync;

/// How often it is told that the store does not answer.
const REMINDER: Duration = Duration::from_secs(5);

/// Where the store works.
enum Where {
    /// In a runtime of its own; none only while it is dropped.
    Own(Option<Runtime>),
    /// In that of a server.
    Server(Handle),
}

/// A method of [`Store`] that is waited for.
macro_rules! blocking {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        impl BlockingStore {
            $(
                #[doc = concat!("[`Store::", stringify!($name), "`], waited for.")]
                pub fn $name(&self, $($argument: $kind),*) -> Result<$result> {
                    self.wait(self.store.$name($($argument),*))
                }
            )*
        }
    };
    ($limit:ident: $($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        impl BlockingStore {
            $(
                #[doc = concat!("[`Store::", stringify!($name), "`], waited for, but not for ever.")]
                pub fn $name(&self, $($argument: $kind),*) -> Result<$result> {
                    let answer = self.store.$name($($argument),*);
                    self.wait(async { timeout($limit, answer).await.unwrap_or(Err(StoreError::Silent)) })
                }
            )*
        }
    };
}

blocking! {
    create(name: &str, plan: &Plan) -> EventId;
    import(name: &str, plan: &Plan, games: &[GameRow]) -> EventId;
    append(event: &Event, plan: &Plan, games: &[GameRow]) -> ();
    schedule(event: EventId, pairings: &[Pairing]) -> ();
    close(event: EventId) -> ();
    rename_event(event: EventId, name: &str) -> ();
    rename_contestant(event: EventId, old: &str, new: &str) -> bool;
    delete_event(event: EventId) -> usize;
    delete_games(event: EventId, numbers: &[i64]) -> ();
    event(id: EventId) -> Event;
    events() -> Rows<Event>;
    progress() -> BTreeMap<EventId, Progress>;
    games(event: &Event) -> Rows<GameRow>;
    scores(event: &Event) -> Rows<ScoredGame>;
    game(event: &Event, number: i64) -> GameRow;
    open_events() -> Vec<EventId>;
    claim() -> ();
}

/// A server that has vanished does not even refuse: questions of one row are answered by then, or never.
const ONE_ROW: Duration = Duration::from_secs(10);

blocking! {
    ONE_ROW:
    is_in_progress(event: EventId, playable: &Playable) -> bool;
    lease(event: EventId, worker: &Worker, playable: &Playable) -> Option<Pairing>;
    beat(worker: &Worker) -> ();
    give_back(worker: &Worker) -> ();
    finish(event: EventId, number: i64, worker: &Worker, result: &GameResult) -> bool;
}

impl BlockingStore {
    /// [`Store::open`], waited for.
    pub fn open(address: &str) -> Result<BlockingStore> {
        BlockingStore::connect(|| Store::open(address))
    }

    /// [`Store::open_existing`], waited for.
    pub fn open_existing(address: &str) -> Result<BlockingStore> {
        BlockingStore::connect(|| Store::open_existing(address))
    }

    /// The store of an asynchronous server, for its threads.
    pub fn lent(store: Arc<Store>, server: Handle) -> BlockingStore {
        BlockingStore::new(store, Where::Server(server))
    }

    fn new(store: Arc<Store>, runtime: Where) -> BlockingStore {
        BlockingStore { store, runtime, listener: None, told: Mutex::new(None) }
    }

    /// Lets somebody hear, now and then, that the store does not answer and is asked again.
    pub fn when_waiting(&mut self, listener: impl Fn(&str) + Send + Sync + 'static) {
        self.listener = Some(Box::new(listener));
    }

    /// Tells that the store does not answer, and for how long it will be asked again.
    pub(crate) fn tell_of_waiting(&self, error: &StoreError, left: Duration) {
        let Some(listener) = &self.listener else { return };
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_none_or(|told| told.elapsed() >= REMINDER) {
            *told = Some(Instant::now());
            let (name, seconds) = (self.name(), left.as_secs_f64());
            listener(&format!("{name}: {error}; trying again for {seconds:.0} s"));
        }
    }

    fn connect<F: Future<Output = Result<Store>>>(
        connect: impl FnOnce() -> F,
    ) -> Result<BlockingStore> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(StoreError::Runtime)?;
        let store = Arc::new(runtime.block_on(async { connect().await })?);
        Ok(BlockingStore::new(store, Where::Own(Some(runtime))))
    }

    fn wait<F: Future>(&self, answer: F) -> F::Output {
        match &self.runtime {
            Where::Own(runtime) => {
                let runtime = runtime.as_ref().expect("it is taken only when this is dropped");
                runtime.block_on(answer)
            }
            Where::Server(server) => server.block_on(answer),
        }
    }

    /// The event of that name, which is made if it is missing. An event of that name with another plan is an error.
    pub fn find_or_create(&self, name: &str, plan: &Plan) -> Result<Event> {
        let known = self.events()?.sound.into_iter().rfind(|event| event.name == name);
        match known {
            Some(event) if event.plan == *plan => Ok(event),
            Some(Event { id: event, name, .. }) => {
                Err(StoreError::PlannedDifferently { event, name })
            }
            None => self.event(self.create(name, plan)?),
        }
    }

    /// The finished games of an event by their numbers, with their turns, read some at a time.
    pub fn finished_games(&self, event: &Event) -> impl Iterator<Item = Result<GameRow>> {
        let mut last = Some(i64::MIN);
        let pages = std::iter::from_fn(move || {
            let page = self.wait(self.store.finished_after(event, last?));
            // After a failure there is no more to be read.
            last = page.as_ref().ok().and_then(|page| page.last()).map(|(number, _)| *number);
            Some(page)
        });
        pages.flat_map(|page| match page {
            Ok(games) => games.into_iter().map(|(_, game)| game).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    /// [`Store::name`].
    pub fn name(&self) -> &str {
        self.store.name()
    }

    /// [`Store::is_shared`].
    pub fn is_shared(&self) -> bool {
        self.store.is_shared()
    }
}

impl Drop for BlockingStore {
    fn drop(&mut self) {
        let Where::Own(runtime) = &mut self.runtime else { return };
        let Some(runtime) = runtime.take() else { return };
        // Inside an asynchronous server nobody may wait: the connections close by themselves.
        if Handle::try_current().is_err() {
            runtime.block_on(self.store.disconnect());
        }
        runtime.shutdown_background();
    }
}
