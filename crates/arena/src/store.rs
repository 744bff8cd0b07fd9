//! Where events and their games are kept: SQLite in a file, or PostgreSQL for a team.

mod blocking;
mod dialect;
mod edit;
mod error;
mod import;
mod lease;
mod row;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use sqlx::any::{AnyPoolOptions, AnyRow, install_default_drivers};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection, Row, SqlStr, Transaction};

use crate::{Pairing, Plan, ScoredGame};

pub use blocking::BlockingStore;
pub use error::StoreError;
pub use lease::Worker;
pub use row::{Event, GameRow, GameState, Progress};

use dialect::{Address, Dialect};

/// The number of an event in its store.
pub type EventId = i64;

/// A store of events and games. Its methods are asynchronous, for a server; threads use a
/// [`BlockingStore`].
///
/// Every change is one statement or one transaction: whoever is killed in between has changed
/// nothing. A game that is finished stays so, and a result counts only while its worker has the lease.
pub struct Store {
    name: String,
    pool: AnyPool,
    dialect: Dialect,
    /// The file of SQLite, to be locked by whoever plays.
    file: Option<PathBuf>,
    lock: OnceLock<File>,
}

type Result<T> = std::result::Result<T, StoreError>;

/// The schema, step by step. It is listed by hand: the macro of sqlx that lists a folder would build the drivers of
/// both databases a second time.
static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let migration = |version, description: &'static str, sql| {
        let sql = SqlStr::from_static(sql);
        Migration::new(version, description.into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(vec![
        migration(1, "events and games", include_str!("../migrations/0001_events_and_games.sql")),
        migration(2, "source of games", include_str!("../migrations/0002_source_of_games.sql")),
    ])
});

/// Every thread of a worker may ask at once; more than that only wait in the database.
const MOST_CONNECTIONS: u32 = 4;

/// What of a game is always read; its turns only if they are asked for.
const COLUMNS: &str = "number, pair, first_player, second_player, opening, seed, state, winner, \
                       reason, detail, first_version, second_version, turns, seconds, \
                       first_seconds, second_seconds, finished";

/// How many games with their turns are read at a time: some megabytes.
pub const PAGE: i64 = 200;

/// What becomes of a store that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IfMissing {
    Make,
    Refuse,
}

impl Store {
    /// Opens a store, and makes it where there is none: a file, or `postgres://…`.
    pub async fn open(address: &str) -> Result<Store> {
        Store::connect(address, IfMissing::Make).await
    }

    /// Opens a store that is there, for whoever only wants to read: nothing is made.
    pub async fn open_existing(address: &str) -> Result<Store> {
        Store::connect(address, IfMissing::Refuse).await
    }

    async fn connect(address: &str, missing: IfMissing) -> Result<Store> {
        install_default_drivers();
        let Address { url, dialect, file } = Address::read(address)?;
        if missing == IfMissing::Refuse && file.as_ref().is_some_and(|file| !file.exists()) {
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
        let pool = async {
            // A pool would try for half a minute, and then not say what is wrong.
            AnyConnection::connect(&url).await?.close().await?;
            let pool = options.connect(&url).await?;
            if missing == IfMissing::Refuse {
                sqlx::query("SELECT id FROM event LIMIT 1").fetch_optional(&pool).await?;
            }
            MIGRATIONS.run(&pool).await?;
            Ok(pool)
        };
        let pool = pool.await.map_err(|error| StoreError::Open { name: name.clone(), error })?;
        Ok(Store { name, pool, dialect, file, lock: OnceLock::new() })
    }

    /// Closes the connections; SQLite folds its log into the file. A store that is dropped without it
    /// has lost nothing: its connections close by themselves, and the log is read with the file.
    pub async fn disconnect(&self) {
        self.pool.close().await;
    }

    /// Its address as it may be shown, without a password.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Keeps a new event, with its first games.
    pub async fn create(&self, name: &str, plan: &Plan) -> Result<EventId> {
        let mut all = self.pool.begin().await?;
        let id = self.add_event(&mut all, name, plan, "open").await?;
        add_games(&mut all, id, &plan.pairings(&[])).await?;
        all.commit().await?;
        Ok(id)
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
    pub async fn schedule(&self, event: EventId, pairings: &[Pairing]) -> Result<()> {
        if self.count(event).await? == pairings.len() {
            return Ok(());
        }
        let mut all = self.pool.begin().await?;
        add_games(&mut all, event, pairings).await?;
        all.commit().await?;
        Ok(())
    }

    /// No further game of the event is wanted.
    pub async fn close(&self, event: EventId) -> Result<()> {
        let update = sqlx::query("UPDATE event SET state = 'closed' WHERE id = $1").bind(event);
        update.execute(&self.pool).await?;
        Ok(())
    }

    /// An event.
    pub async fn event(&self, id: EventId) -> Result<Event> {
        let select = sqlx::query("SELECT id, name, plan, state, created FROM event WHERE id = $1");
        let row = select.bind(id).fetch_optional(&self.pool).await?;
        row.map_or(Err(StoreError::NoSuchEvent(id)), |row| Event::read(&row))
    }

    /// All events, the newest last.
    pub async fn events(&self) -> Result<Vec<Event>> {
        let select = sqlx::query("SELECT id, name, plan, state, created FROM event ORDER BY id");
        let rows = select.fetch_all(&self.pool).await?;
        rows.iter().map(Event::read).collect()
    }

    /// How far each event is that has games.
    pub async fn progress(&self) -> Result<BTreeMap<EventId, Progress>> {
        let select = "SELECT event, COUNT(*) AS scheduled, \
                      COUNT(CASE WHEN state = 'finished' THEN 1 END) AS finished \
                      FROM game GROUP BY event";
        let rows = sqlx::query(select).fetch_all(&self.pool).await?;
        let read = |row: &AnyRow| {
            let (scheduled, finished) = (row.try_get("scheduled")?, row.try_get("finished")?);
            Ok((row.try_get("event")?, Progress { scheduled, finished }))
        };
        rows.iter().map(read).collect()
    }

    /// The games of an event by their numbers, without their turns.
    pub async fn games(&self, event: EventId) -> Result<Vec<GameRow>> {
        let select = format!(
            "SELECT {COLUMNS}, '[]' AS plies, '' AS source FROM game \
             WHERE event = $1 ORDER BY number"
        );
        let query = sqlx::query(AssertSqlSafe(select)).bind(event);
        let rows = query.fetch_all(&self.pool).await?;
        rows.iter().map(GameRow::read).collect()
    }

    /// The next finished games of an event after a number, with their turns, in the order of their
    /// numbers. At most [`PAGE`] are read at a time, so that an event may be larger than the memory.
    pub async fn finished_after(&self, event: EventId, number: i64) -> Result<Vec<GameRow>> {
        let select = format!(
            "SELECT {COLUMNS}, plies, source FROM game \
             WHERE event = $1 AND state = 'finished' AND number > $2 ORDER BY number LIMIT {PAGE}"
        );
        let query = sqlx::query(AssertSqlSafe(select)).bind(event).bind(number);
        let rows = query.fetch_all(&self.pool).await?;
        rows.iter().map(GameRow::read).collect()
    }

    /// Who played and won the games that are finished.
    pub async fn scores(&self, event: EventId) -> Result<Vec<ScoredGame>> {
        let select = "SELECT number, pair, first_player, second_player, opening, seed, winner \
                      FROM game WHERE event = $1 AND state = 'finished' ORDER BY number";
        let rows = sqlx::query(select).bind(event).fetch_all(&self.pool).await?;
        rows.iter().map(row::score).collect()
    }

    /// One game with its turns.
    pub async fn game(&self, event: EventId, number: i64) -> Result<GameRow> {
        let select =
            format!("SELECT {COLUMNS}, plies, source FROM game WHERE event = $1 AND number = $2");
        let query = sqlx::query(AssertSqlSafe(select)).bind(event).bind(number);
        let row = query.fetch_optional(&self.pool).await?;
        row.map_or(Err(StoreError::NoSuchGame(number)), |row| GameRow::read(&row))
    }

    /// Whether games of an open event are still to be finished, here or elsewhere.
    pub async fn is_in_progress(&self, event: EventId) -> Result<bool> {
        let select = "SELECT number FROM game WHERE event = $1 AND state IN ('waiting', 'leased') \
                      AND EXISTS (SELECT 1 FROM event WHERE id = $1 AND state = 'open') LIMIT 1";
        let query = sqlx::query(select).bind(event).fetch_optional(&self.pool);
        Ok(query.await?.is_some())
    }

    /// The oldest open event whose games are played in the arena, if there is one. Those of
    /// [`crate::Format::SelfPlay`] are not.
    pub async fn next_open(&self) -> Result<Option<EventId>> {
        let select = "SELECT id FROM event WHERE state = 'open' \
                      AND plan NOT LIKE '%\"format\":\"self-play\"%' ORDER BY id LIMIT 1";
        let row = sqlx::query(select).fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.try_get("id")).transpose()?)
    }

    /// How many games an event has.
    async fn count(&self, event: EventId) -> Result<usize> {
        let select = "SELECT COUNT(*) AS count FROM game WHERE event = $1";
        let row = sqlx::query(select).bind(event).fetch_one(&self.pool).await?;
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
    pairings: &[Pairing],
) -> std::result::Result<(), sqlx::Error> {
    for game in pairings {
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
