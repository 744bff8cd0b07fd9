//! Where events and their games are kept: SQLite in a file, or PostgreSQL for a team.

mod dialect;
mod error;
mod import;
mod lease;
mod row;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sqlx::any::{AnyPoolOptions, AnyRow, install_default_drivers};
use sqlx::migrate::Migrator;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection, Row, Transaction};
use tokio::runtime::{Builder, Runtime};

use crate::{Fixture, Plan, Score};

pub use error::StoreError;
pub use lease::Worker;
pub use row::{Event, GameRow, GameState, Progress};

use dialect::{Address, Dialect};

/// The number of an event in its store.
pub type EventId = i64;

/// A store of events and games.
///
/// Every change is one statement or one transaction: whoever is killed in between has changed
/// nothing. A game that is finished stays so, and a result counts only while its worker has the lease.
pub struct Store {
    name: String,
    runtime: Runtime,
    pool: AnyPool,
    dialect: Dialect,
    /// The file of SQLite, to be locked by whoever plays.
    file: Option<PathBuf>,
    lock: Option<File>,
}

type Result<T> = std::result::Result<T, StoreError>;

static MIGRATIONS: Migrator = sqlx::migrate!();

/// Every thread of a worker may ask at once; more than that only wait in the database.
const MOST_CONNECTIONS: u32 = 4;

/// What of a game is always read; its turns only if they are asked for.
const COLUMNS: &str = "number, pair, first_player, second_player, opening, seed, state, winner, \
                       reason, detail, first_version, second_version, turns, seconds, \
                       first_seconds, second_seconds, finished";

/// How many games with their turns are read at a time: some megabytes.
const PAGE: i64 = 200;

/// What becomes of a store that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absent {
    Make,
    Refuse,
}

impl Store {
    /// Opens a store, and makes it where there is none: a file, or `postgres://…`.
    pub fn open(address: &str) -> Result<Store> {
        Store::connect(address, Absent::Make)
    }

    /// Opens a store that is there, for whoever only wants to read: nothing is made.
    pub fn open_existing(address: &str) -> Result<Store> {
        Store::connect(address, Absent::Refuse)
    }

    fn connect(address: &str, absent: Absent) -> Result<Store> {
        install_default_drivers();
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(StoreError::Runtime)?;
        let Address { url, dialect, file } = Address::read(address)?;
        if absent == Absent::Refuse && file.as_ref().is_some_and(|file| !file.exists()) {
            return Err(StoreError::NoSuchStore(address.to_string()));
        }
        if file.as_ref().is_some_and(|file| is_something_else(file)) {
            return Err(StoreError::NotAStore(address.to_string()));
        }
        let connections = if dialect == Dialect::Sqlite { 1 } else { MOST_CONNECTIONS };
        let options = AnyPoolOptions::new().max_connections(connections).after_connect(
            move |connection, _| {
                Box::pin(async move {
                    sqlx::raw_sql(dialect.on_connect()).execute(connection).await?;
                    Ok(())
                })
            },
        );
        let name = dialect::without_password(address);
        let pool = runtime
            .block_on(async {
                // A pool would try for half a minute, and then not say what is wrong.
                AnyConnection::connect(&url).await?.close().await?;
                let pool = options.connect(&url).await?;
                if absent == Absent::Refuse {
                    sqlx::query("SELECT id FROM event LIMIT 1").fetch_optional(&pool).await?;
                }
                MIGRATIONS.run(&pool).await?;
                Ok(pool)
            })
            .map_err(|error| StoreError::Open { name: name.clone(), error })?;
        Ok(Store { name, runtime, pool, dialect, file, lock: None })
    }

    /// Its address as it may be shown, without a password.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Keeps a new event, with its first games.
    pub fn create(&self, name: &str, plan: &Plan) -> Result<EventId> {
        self.runtime.block_on(async {
            let mut all = self.pool.begin().await?;
            let id = self.add_event(&mut all, name, plan, "open").await?;
            add_games(&mut all, id, &plan.fixtures(&[])).await?;
            all.commit().await?;
            Ok(id)
        })
    }

    async fn add_event(
        &self,
        all: &mut Transaction<'_, Any>,
        name: &str,
        plan: &Plan,
        state: &str,
    ) -> std::result::Result<EventId, sqlx::Error> {
        let plan = serde_json::to_string(plan).expect("a plan is made of texts and numbers");
        let insert = format!(
            "INSERT INTO event (id, name, plan, state, created) \
             SELECT COALESCE(MAX(id), 0) + 1, $1, $2, $3, {} FROM event RETURNING id",
            self.dialect.now()
        );
        let insert = sqlx::query_scalar(AssertSqlSafe(insert));
        insert.bind(row::text(name)).bind(plan).bind(state).fetch_one(&mut **all).await
    }

    /// Adds games to an event, unless they are there.
    pub fn schedule(&self, event: EventId, fixtures: &[Fixture]) -> Result<()> {
        if self.count(event)? == fixtures.len() {
            return Ok(());
        }
        self.runtime.block_on(async {
            let mut all = self.pool.begin().await?;
            add_games(&mut all, event, fixtures).await?;
            all.commit().await
        })?;
        Ok(())
    }

    /// No further game of the event is wanted.
    pub fn close(&self, event: EventId) -> Result<()> {
        let update = sqlx::query("UPDATE event SET state = 'closed' WHERE id = $1").bind(event);
        self.runtime.block_on(update.execute(&self.pool))?;
        Ok(())
    }

    /// An event.
    pub fn event(&self, id: EventId) -> Result<Event> {
        let select = sqlx::query("SELECT id, name, plan, state, created FROM event WHERE id = $1");
        let row = self.runtime.block_on(select.bind(id).fetch_optional(&self.pool))?;
        row.map_or(Err(StoreError::NoSuchEvent(id)), |row| Event::read(&row))
    }

    /// All events, the newest last.
    pub fn events(&self) -> Result<Vec<Event>> {
        let select = sqlx::query("SELECT id, name, plan, state, created FROM event ORDER BY id");
        let rows = self.runtime.block_on(select.fetch_all(&self.pool))?;
        rows.iter().map(Event::read).collect()
    }

    /// How far each event is that has games.
    pub fn progress(&self) -> Result<BTreeMap<EventId, Progress>> {
        let select = "SELECT event, COUNT(*) AS scheduled, \
                      COUNT(CASE WHEN state = 'finished' THEN 1 END) AS finished \
                      FROM game GROUP BY event";
        let rows = self.runtime.block_on(sqlx::query(select).fetch_all(&self.pool))?;
        let read = |row: &AnyRow| {
            let (scheduled, finished) = (row.try_get("scheduled")?, row.try_get("finished")?);
            Ok((row.try_get("event")?, Progress { scheduled, finished }))
        };
        rows.iter().map(read).collect()
    }

    /// The games of an event by their numbers, without their turns.
    pub fn games(&self, event: EventId) -> Result<Vec<GameRow>> {
        let select =
            format!("SELECT {COLUMNS}, '[]' AS plies FROM game WHERE event = $1 ORDER BY number");
        let query = sqlx::query(AssertSqlSafe(select)).bind(event);
        let rows = self.runtime.block_on(query.fetch_all(&self.pool))?;
        rows.iter().map(GameRow::read).collect()
    }

    /// The finished games of an event by their numbers, with their turns. They are read some at a
    /// time, so that an event may be larger than the memory.
    pub fn finished_games(&self, event: EventId) -> impl Iterator<Item = Result<GameRow>> {
        let mut last = Some(i64::MIN);
        let pages = std::iter::from_fn(move || {
            let page = self.finished_after(event, last?);
            // After a failure there is no more to be read.
            last = page.as_ref().ok().and_then(|page| page.last()).map(|game| game.fixture.number);
            Some(page)
        });
        pages.flat_map(|page| match page {
            Ok(games) => games.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    fn finished_after(&self, event: EventId, number: i64) -> Result<Vec<GameRow>> {
        let select = format!(
            "SELECT {COLUMNS}, plies FROM game \
             WHERE event = $1 AND state = 'finished' AND number > $2 ORDER BY number LIMIT {PAGE}"
        );
        let query = sqlx::query(AssertSqlSafe(select)).bind(event).bind(number);
        let rows = self.runtime.block_on(query.fetch_all(&self.pool))?;
        rows.iter().map(GameRow::read).collect()
    }

    /// Who played and won the games that are finished.
    pub fn scores(&self, event: EventId) -> Result<Vec<Score>> {
        let select = "SELECT number, pair, first_player, second_player, opening, seed, winner \
                      FROM game WHERE event = $1 AND state = 'finished' ORDER BY number";
        let rows = self.runtime.block_on(sqlx::query(select).bind(event).fetch_all(&self.pool))?;
        rows.iter().map(row::score).collect()
    }

    /// One game with its turns.
    pub fn game(&self, event: EventId, number: i64) -> Result<GameRow> {
        let select = format!("SELECT {COLUMNS}, plies FROM game WHERE event = $1 AND number = $2");
        let query = sqlx::query(AssertSqlSafe(select)).bind(event).bind(number);
        let row = self.runtime.block_on(query.fetch_optional(&self.pool))?;
        row.map_or(Err(StoreError::NoSuchGame(number)), |row| GameRow::read(&row))
    }

    /// Whether games of an open event are still to be finished, here or elsewhere.
    pub fn is_in_progress(&self, event: EventId) -> Result<bool> {
        let select = "SELECT number FROM game WHERE event = $1 AND state IN ('waiting', 'leased') \
                      AND EXISTS (SELECT 1 FROM event WHERE id = $1 AND state = 'open') LIMIT 1";
        let query = sqlx::query(select).bind(event).fetch_optional(&self.pool);
        Ok(self.runtime.block_on(query)?.is_some())
    }

    /// The oldest event that is open, if there is one.
    pub fn next_open(&self) -> Result<Option<EventId>> {
        let select = "SELECT id FROM event WHERE state = 'open' ORDER BY id LIMIT 1";
        let row = self.runtime.block_on(sqlx::query(select).fetch_optional(&self.pool))?;
        Ok(row.map(|row| row.try_get("id")).transpose()?)
    }

    /// How many games an event has.
    fn count(&self, event: EventId) -> Result<usize> {
        let select = "SELECT COUNT(*) AS count FROM game WHERE event = $1";
        let row = self.runtime.block_on(sqlx::query(select).bind(event).fetch_one(&self.pool))?;
        Ok(row.try_get::<i64, _>("count")? as usize)
    }
}

/// Whether there is a file that SQLite would not read; its driver takes half a minute to say so.
fn is_something_else(path: &Path) -> bool {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    let mut begin = Vec::new();
    let file = File::open(path).map(|file| file.take(MAGIC.len() as u64));
    file.and_then(|mut file| file.read_to_end(&mut begin)).is_ok()
        && !begin.is_empty()
        && begin != MAGIC
}

async fn add_games(
    all: &mut Transaction<'_, Any>,
    event: EventId,
    fixtures: &[Fixture],
) -> std::result::Result<(), sqlx::Error> {
    for game in fixtures {
        sqlx::query(
            "INSERT INTO game \
             (event, number, pair, first_player, second_player, opening, seed, state) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting') ON CONFLICT DO NOTHING",
        )
        .bind(event)
        .bind(game.number)
        .bind(game.pair)
        .bind(game.players.first as i64)
        .bind(game.players.second as i64)
        .bind(game.opening as i64)
        .bind(game.seed as i64)
        .execute(&mut **all)
        .await?;
    }
    Ok(())
}

impl Drop for Store {
    fn drop(&mut self) {
        // SQLite folds its log into the file.
        self.runtime.block_on(self.pool.close());
    }
}
