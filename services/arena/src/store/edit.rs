use sqlx::{Any, Row, Transaction};

use super::row::text;
use super::{Event, Result};
use crate::{EventId, Store, StoreError};

impl Store {
    /// Gives an event another name.
    pub async fn rename_event(&self, event: EventId, name: &str) -> Result<()> {
        let update = sqlx::query("UPDATE event SET name = $2 WHERE id = $1");
        let done = update.bind(event).bind(text(name)).execute(&self.pool).await?;
        if done.rows_affected() == 0 { Err(StoreError::NoSuchEvent(event)) } else { Ok(()) }
    }

    /// Gives a contestant of an event another name; says whether there is such a contestant. Two of one name could
    /// not be told apart any more: a name that is taken is refused.
    pub async fn rename_contestant(&self, event: EventId, old: &str, new: &str) -> Result<bool> {
        let mut all = self.pool.begin().await?;
        let mut plan = locked(&mut all, event).await?.plan;
        let names: Vec<&str> = plan.contestants.iter().map(|one| one.name.as_str()).collect();
        let Some(index) = names.iter().position(|name| *name == old) else { return Ok(false) };
        if old != new && names.contains(&new) {
            return Err(StoreError::NameTaken { event, name: new.to_string() });
        }
        plan.contestants[index].name = text(new);
        let plan = serde_json::to_string(&plan).expect("a plan is made of texts and numbers");
        let update = sqlx::query("UPDATE event SET plan = $2 WHERE id = $1");
        update.bind(event).bind(plan).execute(&mut *all).await?;
        all.commit().await?;
        Ok(true)
    }

    /// Deletes an event with all its games, unless one of them is being played; says how many games there were.
    pub async fn delete_event(&self, event: EventId) -> Result<usize> {
        let mut all = self.pool.begin().await?;
        let is_open = locked(&mut all, event).await?.is_open;
        let leased = format!(
            "SELECT COUNT(*) AS count FROM game \
             WHERE event = $1 AND state = 'leased' AND expires > {}",
            self.dialect.now()
        );
        let leased = sqlx::query(sqlx::AssertSqlSafe(leased)).bind(event);
        let leased: i64 = leased.fetch_one(&mut *all).await?.try_get("count")?;
        if is_open && leased > 0 {
            return Err(StoreError::BeingPlayed(event));
        }
        let games = sqlx::query("DELETE FROM game WHERE event = $1").bind(event);
        let games = games.execute(&mut *all).await?.rows_affected();
        sqlx::query("DELETE FROM event WHERE id = $1").bind(event).execute(&mut *all).await?;
        all.commit().await?;
        Ok(games as usize)
    }

    /// Deletes games of an event. It must be closed: what is missing in an open one is played again.
    pub async fn delete_games(&self, event: EventId, numbers: &[i64]) -> Result<()> {
        let mut all = self.pool.begin().await?;
        if locked(&mut all, event).await?.is_open {
            return Err(StoreError::StillOpen(event));
        }
        for &number in numbers {
            let delete = sqlx::query("DELETE FROM game WHERE event = $1 AND number = $2");
            let done = delete.bind(event).bind(number).execute(&mut *all).await?;
            if done.rows_affected() == 0 {
                return Err(StoreError::NoSuchGame(number));
            }
        }
        all.commit().await?;
        Ok(())
    }
}

/// An event that nobody else changes until the transaction ends: to write it is to lock it, in both databases.
pub(super) async fn locked(all: &mut Transaction<'_, Any>, event: EventId) -> Result<Event> {
    let update = sqlx::query("UPDATE event SET name = name WHERE id = $1").bind(event);
    update.execute(&mut **all).await?;
    let select = sqlx::query("SELECT id, name, plan, state, created FROM event WHERE id = $1");
    let row = select.bind(event).fetch_optional(&mut **all).await?;
    row.map_or(Err(StoreError::NoSuchEvent(event)), |row| Event::read(&row))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::plan_of;
    use super::*;
    use crate::{BlockingStore, Playable, Worker};

    fn store() -> (tempfile::TempDir, BlockingStore) {
        let folder = tempfile::tempdir().expect("a folder");
        let address = folder.path().join("games.sqlite").display().to_string();
        let store = BlockingStore::open(&address).expect("a store");
        (folder, store)
    }

    #[test]
    fn events_and_contestants_get_other_names_that_are_not_taken() {
        let (_folder, store) = store();
        let id = store.create("event", &plan_of(2)).unwrap();
        store.rename_event(id, "other").unwrap();
        assert!(store.rename_contestant(id, "a", "c").unwrap());
        assert!(!store.rename_contestant(id, "a", "d").unwrap());
        let taken = store.rename_contestant(id, "c", "b").err();
        assert!(matches!(taken, Some(StoreError::NameTaken { .. })), "{taken:?}");
        let event = store.event(id).unwrap();
        let names: Vec<&str> = event.plan.contestants.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((event.name.as_str(), names), ("other", vec!["c", "b"]));
        assert!(matches!(store.rename_event(9, "x").err(), Some(StoreError::NoSuchEvent(9))));
    }

    #[test]
    fn games_of_a_closed_event_are_deleted_all_or_none() {
        let (_folder, store) = store();
        let id = store.create("event", &plan_of(2)).unwrap();
        let event = store.event(id).unwrap();
        let numbers: Vec<i64> =
            store.games(&event).unwrap().sound.iter().map(|game| game.pairing.number).collect();
        let open = store.delete_games(id, &numbers[..1]).err();
        assert!(matches!(open, Some(StoreError::StillOpen(_))), "{open:?}");
        store.close(id).unwrap();
        assert!(store.delete_games(id, &[numbers[0], 99]).is_err());
        assert_eq!(store.games(&event).unwrap().sound.len(), 2);
        store.delete_games(id, &numbers[..1]).unwrap();
        assert_eq!(store.games(&event).unwrap().sound.len(), 1);
    }

    #[test]
    fn an_event_is_deleted_unless_somebody_plays_it() {
        let (_folder, store) = store();
        let id = store.create("event", &plan_of(2)).unwrap();
        let worker = Worker::new(Duration::from_secs(60));
        store.lease(id, &worker, &Playable::All).unwrap().expect("a game");
        let played = store.delete_event(id).err();
        assert!(matches!(played, Some(StoreError::BeingPlayed(_))), "{played:?}");
        store.give_back(&worker).unwrap();
        assert_eq!(store.delete_event(id).unwrap(), 2);
        assert!(store.events().unwrap().sound.is_empty());
        assert!(matches!(store.delete_event(id).err(), Some(StoreError::NoSuchEvent(_))));
    }
}
