//! Where events and their games are kept: SQLite in a file, or PostgreSQL for a team.

mod blocking;
mod dialect;
mod edit;
mod error;
mod import;
mod lease;
mod row;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use sqlx::any::{AnyPoolOptions, AnyRow, install_default_drivers};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection, Row, SqlStr, Transaction};

use crate::{Pairing, Plan, Playable, ScoredGame};

pub use blocking::BlockingStore;
pub use error::StoreError;
pub use lease::Worker;
pub use row::{Event, GameRow, GameState, Progress, Rows};

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
        let name = dialect::without_password(address);
        let pool = match try_to_write(&url, dialect).await {
            Ok(()) => open_pool(&url, dialect, dialect.on_connect(), missing).await,
            Err(error) => match &file {
                Some(file) if missing == IfMissing::Refuse => read_only(file, error).await,
                _ => Err(error),
            },
        };
        let pool = pool.map_err(|error| StoreError::Open { name: name.clone(), error })?;
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
    pub async fn events(&self) -> Result<Rows<Event>> {
        let select = sqlx::query("SELECT id, name, plan, state, created FROM event ORDER BY id");
        let rows = select.fetch_all(&self.pool).await?;
        Rows::of(rows.iter().map(Event::read))
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
    pub async fn games(&self, event: &Event) -> Result<Rows<GameRow>> {
        let select = format!(
            "SELECT {COLUMNS}, '[]' AS plies, '' AS source FROM game \
             WHERE event = $1 ORDER BY number"
        );
        let query = sqlx::query(AssertSqlSafe(select)).bind(event.id);
        let rows = query.fetch_all(&self.pool).await?;
        Rows::of(rows.iter().map(|row| GameRow::read(event, row)))
    }

    /// The next finished games of an event after a number, with their turns, in the order of their
    /// numbers. At most [`PAGE`] are read at a time, so that an event may be larger than the memory.
    pub async fn finished_after(
        &self,
        event: &Event,
        number: i64,
    ) -> Result<Vec<(i64, Result<GameRow>)>> {
        let select = format!(
            "SELECT {COLUMNS}, plies, source FROM game \
             WHERE event = $1 AND state = 'finished' AND number > $2 ORDER BY number LIMIT {PAGE}"
        );
        let query = sqlx::query(AssertSqlSafe(select)).bind(event.id).bind(number);
        let rows = query.fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok((row.try_get("number")?, GameRow::read(event, row)))).collect()
    }

    /// Who played and won the games that are finished.
    pub async fn scores(&self, event: &Event) -> Result<Rows<ScoredGame>> {
        let select = "SELECT number, pair, first_player, second_player, opening, seed, winner, reason \
                      FROM game WHERE event = $1 AND state = 'finished' ORDER BY number";
        let rows = sqlx::query(select).bind(event.id).fetch_all(&self.pool).await?;
        Rows::of(rows.iter().map(|row| row::score(event, row)))
    }

    /// One game with its turns.
    pub async fn game(&self, event: &Event, number: i64) -> Result<GameRow> {
        let select =
            format!("SELECT {COLUMNS}, plies, source FROM game WHERE event = $1 AND number = $2");
        let query = sqlx::query(AssertSqlSafe(select)).bind(event.id).bind(number);
        let row = query.fetch_optional(&self.pool).await?;
        row.map_or(Err(StoreError::NoSuchGame(number)), |row| GameRow::read(event, &row))
    }

    /// Whether such games of an open event are still to be finished, here or elsewhere.
    pub async fn is_in_progress(&self, event: EventId, playable: &Playable) -> Result<bool> {
        let select = format!(
            "SELECT number FROM game WHERE event = $1 AND state IN ('waiting', 'leased') AND {} \
             AND EXISTS (SELECT 1 FROM event WHERE id = $1 AND state = 'open') LIMIT 1",
            playable.condition()
        );
        let query = sqlx::query(AssertSqlSafe(select)).bind(event).fetch_optional(&self.pool);
        Ok(query.await?.is_some())
    }

    /// The open events whose games are played in the arena, the oldest first. Those of
    /// [`crate::Format::SelfPlay`] are not.
    pub async fn open_events(&self) -> Result<Vec<EventId>> {
        let select = "SELECT id FROM event WHERE state = 'open' \
                      AND plan NOT LIKE '%\"format\":\"self-play\"%' ORDER BY id";
        let rows = sqlx::query(select).fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
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

/// Finds out at once what is wrong, if something is: a pool would try for half a minute, and then not say it.
async fn try_to_write(url: &str, dialect: Dialect) -> std::result::Result<(), sqlx::Error> {
    let mut connection = AnyConnection::connect(url).await?;
    sqlx::raw_sql(dialect.on_connect()).execute(&mut connection).await?;
    sqlx::raw_sql(dialect.try_to_write()).execute(&mut connection).await?;
    connection.close().await
}

/// The connections of a store, whose tables are made unless that is not wanted.
async fn open_pool(
    url: &str,
    dialect: Dialect,
    on_connect: &'static str,
    missing: IfMissing,
) -> std::result::Result<AnyPool, sqlx::Error> {
    let connections = if dialect == Dialect::Sqlite { 1 } else { MOST_CONNECTIONS };
    let options = AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(dialect.acquire_timeout())
        .after_connect(move |connection, _| {
            Box::pin(async move {
                sqlx::raw_sql(on_connect).execute(connection).await?;
                Ok(())
            })
        });
    let pool = options.connect(url).await?;
    if missing == IfMissing::Refuse {
        sqlx::query("SELECT id FROM event LIMIT 1").fetch_optional(&pool).await?;
    }
    if on_connect == dialect.on_connect() {
        MIGRATIONS.run(&pool).await?;
    }
    Ok(pool)
}

/// A file that can be read but not written to. The error says why it cannot be written to, and is given back
/// where it cannot be read either.
async fn read_only(file: &Path, error: sqlx::Error) -> std::result::Result<AnyPool, sqlx::Error> {
    // Where SQLite may not even make a file beside it, it must be told that nobody writes. What a log has that
    // is not folded in yet would be missed then.
    let log = PathBuf::from(format!("{}-wal", file.display()));
    let has_log = fs::metadata(log).is_ok_and(|log| log.len() > 0);
    let ways = if has_log { &["mode=ro"][..] } else { &["mode=ro", "mode=ro&immutable=1"] };
    for way in ways {
        let url = dialect::file_url(&file.to_string_lossy(), way);
        let on_connect = Dialect::READ_ONLY;
        if try_to_read(&url).await.is_ok()
            && let Ok(pool) = open_pool(&url, Dialect::Sqlite, on_connect, IfMissing::Refuse).await
        {
            return Ok(pool);
        }
    }
    Err(error)
}

async fn try_to_read(url: &str) -> std::result::Result<(), sqlx::Error> {
    let mut connection = AnyConnection::connect(url).await?;
    sqlx::query("SELECT id FROM event LIMIT 1").fetch_optional(&mut connection).await?;
    connection.close().await
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

/// The plan of an event for tests: so many games between two.
#[cfg(test)]
fn plan_of(games: u32) -> Plan {
    use crate::{Adjudication, Contestant, Format, TimeSettings, Unfinished};
    Plan {
        game: "arimaa".to_string(),
        contestants: vec![Contestant::new("a"), Contestant::new("b")],
        format: Format::RoundRobin,
        games,
        openings: vec![String::new()],
        time: TimeSettings::default(),
        adjudication: Adjudication::default(),
        sprt: None,
        unfinished: Unfinished::Half,
        seed: 0,
    }
}
