use std::fs::{File, TryLockError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::AssertSqlSafe;

use super::row::{self, side_name, text};
use super::{Dialect, Result};
use crate::{EventId, GameResult, Pairing, Playable, Store, StoreError};

/// Whoever plays the games of a store.
///
/// It leases one game after the other, says now and then that it is alive, and brings back the
/// results. When it has not been heard of for `lease`, others may lease its games.
#[derive(Clone, Debug)]
pub struct Worker {
    /// Its name, like no other's.
    pub name: String,
    /// How long a worker may be silent.
    pub lease: Duration,
}

impl Worker {
    /// A worker in this process, with a name by which a person finds it.
    pub fn new(lease: Duration) -> Worker {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname");
        let host = host.unwrap_or_else(|_| "somewhere".to_string());
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("{}-{}-{:x}", host.trim(), std::process::id(), since.as_nanos());
        Worker { name, lease }
    }
}

impl Store {
    /// Makes sure that nobody else plays with this file, and takes over what a dead process has
    /// leased. In PostgreSQL any number of workers play, and leases run out by themselves.
    pub async fn claim(&self) -> Result<()> {
        let Some(path) = &self.file else { return Ok(()) };
        let name = path.display().to_string();
        let refuse = |error| StoreError::Lock { name: name.clone(), error };
        let file = File::open(path).map_err(refuse)?;
        match file.try_lock() {
            // Kept until the store is dropped; whoever has it does not get here again.
            Ok(()) => drop(self.lock.set(file)),
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(name)),
            Err(TryLockError::Error(error)) => return Err(refuse(error)),
        }
        let free = sqlx::query("UPDATE game SET state = 'waiting' WHERE state = 'leased'");
        free.execute(&self.pool).await?;
        Ok(())
    }

    /// Leases the next game of an open event: one that waits, or else one whose worker has fallen
    /// silent. Only such games are leased.
    pub async fn lease(
        &self,
        event: EventId,
        worker: &Worker,
        playable: &Playable,
    ) -> Result<Option<Pairing>> {
        let playable = playable.condition();
        let waits = format!("state = 'waiting' AND {playable}");
        if let Some(pairing) = self.lease_where(&waits, event, worker).await? {
            return Ok(Some(pairing));
        }
        let now = self.dialect.now();
        let is_silent = format!("state = 'leased' AND expires < {now} AND {playable}");
        self.lease_where(&is_silent, event, worker).await
    }

    /// Leases the first game of which the condition holds. It names one state, so that the index leads
    /// to that game at once, however many were played.
    async fn lease_where(
        &self,
        condition: &str,
        event: EventId,
        worker: &Worker,
    ) -> Result<Option<Pairing>> {
        let (expiry, skip_locked) = (self.expiry(worker), self.dialect.skip_locked());
        let update = format!(
            "UPDATE game SET state = 'leased', worker = $1, expires = {expiry} \
             WHERE event = $2 AND number = ( \
                 SELECT number FROM game WHERE event = $2 AND {condition} \
                 AND EXISTS (SELECT 1 FROM event WHERE id = $2 AND state = 'open') \
                 ORDER BY number LIMIT 1 {skip_locked}) \
             RETURNING number, pair, first_player, second_player, opening, seed"
        );
        let update = sqlx::query(AssertSqlSafe(update)).bind(&worker.name).bind(event);
        let row = update.fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row::pairing(&row)).transpose()?)
    }

    /// When a lease runs out that begins now.
    fn expiry(&self, worker: &Worker) -> String {
        format!("{} + {}", self.dialect.now(), worker.lease.as_secs_f64())
    }

    /// Says that the worker is alive.
    pub async fn beat(&self, worker: &Worker) -> Result<()> {
        let update = format!(
            "UPDATE game SET expires = {} WHERE state = 'leased' AND worker = $1",
            self.expiry(worker)
        );
        let update = sqlx::query(AssertSqlSafe(update)).bind(&worker.name);
        update.execute(&self.pool).await?;
        Ok(())
    }

    /// Gives back what the worker has leased and not finished.
    pub async fn give_back(&self, worker: &Worker) -> Result<()> {
        let update = "UPDATE game SET state = 'waiting' WHERE state = 'leased' AND worker = $1";
        sqlx::query(update).bind(&worker.name).execute(&self.pool).await?;
        Ok(())
    }

    /// Keeps a game that was played; returns whether the worker still had its lease. Without it the
    /// game is another's, and this result counts for nothing; nor does it when the event was closed
    /// meanwhile. To say it twice does no harm: the first answer may have been lost on its way.
    pub async fn finish(
        &self,
        event: EventId,
        number: i64,
        worker: &Worker,
        played: &GameResult,
    ) -> Result<bool> {
        let plies = serde_json::to_string(&played.plies).expect("turns are texts and numbers");
        let update = format!(
            "UPDATE game SET state = 'finished', finished = {}, winner = $4, reason = $5, \
             detail = $6, first_version = $7, second_version = $8, turns = $9, seconds = $10, \
             first_seconds = $11, second_seconds = $12, plies = $13 \
             WHERE event = $1 AND number = $2 AND worker = $3 AND state <> 'waiting' \
             AND EXISTS (SELECT 1 FROM event WHERE id = $1 AND state = 'open')",
            self.dialect.now()
        );
        let update = sqlx::query(AssertSqlSafe(update))
            .bind(event)
            .bind(number)
            .bind(&worker.name)
            .bind(side_name(played.winner))
            .bind(text(&played.reason))
            .bind(text(&played.detail))
            .bind(text(&played.versions.first))
            .bind(text(&played.versions.second))
            .bind(played.turns as i64)
            .bind(played.time.as_secs_f64())
            .bind(played.thinking.first.as_secs_f64())
            .bind(played.thinking.second.as_secs_f64())
            .bind(plies);
        let done = update.execute(&self.pool).await?;
        Ok(done.rows_affected() == 1)
    }

    /// Whether workers on other machines may play as well.
    pub fn is_shared(&self) -> bool {
        self.dialect == Dialect::Postgres
    }
}
