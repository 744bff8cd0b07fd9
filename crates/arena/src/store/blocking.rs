use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::runtime::{Builder, Handle, Runtime};

use super::{Event, EventId, GameRow, Progress, Result, Worker};
use crate::{GameResult, Pairing, Plan, ScoredGame, Store, StoreError};

/// A store for threads that may wait: the runner's and those of the command line.
///
/// Any number of threads can ask it at once, but no task of an asynchronous server: that uses the
/// [`Store`], and lends it to threads by [`BlockingStore::lent`].
pub struct BlockingStore {
    store: Arc<Store>,
    runtime: Where,
}

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
    events() -> Vec<Event>;
    progress() -> BTreeMap<EventId, Progress>;
    games(event: EventId) -> Vec<GameRow>;
    scores(event: EventId) -> Vec<ScoredGame>;
    game(event: EventId, number: i64) -> GameRow;
    is_in_progress(event: EventId) -> bool;
    next_open() -> Option<EventId>;
    lease(event: EventId, worker: &Worker) -> Option<Pairing>;
    claim() -> ();
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
        BlockingStore { store, runtime: Where::Server(server) }
    }

    fn connect<F: Future<Output = Result<Store>>>(
        connect: impl FnOnce() -> F,
    ) -> Result<BlockingStore> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(StoreError::Runtime)?;
        let store = Arc::new(runtime.block_on(async { connect().await })?);
        Ok(BlockingStore { store, runtime: Where::Own(Some(runtime)) })
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

    /// The finished games of an event by their numbers, with their turns, read some at a time.
    pub fn finished_games(&self, event: EventId) -> impl Iterator<Item = Result<GameRow>> {
        let mut last = Some(i64::MIN);
        let pages = std::iter::from_fn(move || {
            let page = self.wait(self.store.finished_after(event, last?));
            // After a failure there is no more to be read.
            last = page.as_ref().ok().and_then(|page| page.last()).map(|game| game.pairing.number);
            Some(page)
        });
        pages.flat_map(|page| match page {
            Ok(games) => games.into_iter().map(Ok).collect(),
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
