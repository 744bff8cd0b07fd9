use sqlx::{Any, Transaction};

use super::edit::locked;
use super::row::{side_name, text};
use super::{Event, Result};
use crate::{EventId, GameRow, Plan, Store, StoreError};

impl Store {
    /// Keeps an event that was played elsewhere: all of it, or nothing. It is closed, and its games
    /// are finished.
    pub async fn import(&self, name: &str, plan: &Plan, games: &[GameRow]) -> Result<EventId> {
        let mut all = self.pool.begin().await?;
        let id = self.add_event(&mut all, name, plan, "closed").await?;
        for game in games {
            keep(&mut all, id, game).await?;
        }
        all.commit().await?;
        Ok(id)
    }

    /// Adds games that were played elsewhere to an event, with the plan that they ask for: all of them, or none. Nobody
    /// else may have changed the event since it was read.
    pub async fn append(&self, event: &Event, plan: &Plan, games: &[GameRow]) -> Result<()> {
        let mut all = self.pool.begin().await?;
        if locked(&mut all, event.id).await?.plan != event.plan {
            let fault = "somebody else has changed it meanwhile: try again".to_string();
            return Err(StoreError::Content { what: format!("event {}", event.id), fault });
        }
        let plan = serde_json::to_string(plan).expect("a plan is made of texts and numbers");
        let update = sqlx::query("UPDATE event SET plan = $2 WHERE id = $1");
        update.bind(event.id).bind(plan).execute(&mut *all).await?;
        for game in games {
            keep(&mut all, event.id, game).await?;
        }
        all.commit().await?;
        Ok(())
    }
}

async fn keep(
    all: &mut Transaction<'_, Any>,
    event: EventId,
    game: &GameRow,
) -> std::result::Result<(), sqlx::Error> {
    let plies = serde_json::to_string(&game.plies).expect("turns are texts and numbers");
    sqlx::query(
        "INSERT INTO game \
         (event, number, pair, first_player, second_player, opening, seed, state, winner, reason, \
         detail, first_version, second_version, turns, seconds, first_seconds, second_seconds, \
         finished, plies, source) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'finished', $8, $9, $10, $11, $12, $13, $14, $15, \
         $16, $17, $18, $19)",
    )
    .bind(event)
    .bind(game.pairing.number)
    .bind(game.pairing.pair)
    .bind(game.pairing.players.first as i64)
    .bind(game.pairing.players.second as i64)
    .bind(game.pairing.opening as i64)
    .bind(game.pairing.seed as i64)
    .bind(side_name(game.winner))
    .bind(text(&game.reason))
    .bind(text(&game.detail))
    .bind(text(&game.versions.first))
    .bind(text(&game.versions.second))
    .bind(game.turns)
    .bind(game.seconds)
    .bind(game.thinking.first)
    .bind(game.thinking.second)
    .bind(game.finished)
    .bind(plies)
    .bind(text(&game.source))
    .execute(&mut **all)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use game::{BySide, Side};

    use super::super::plan_of;
    use super::*;
    use crate::{BlockingStore, Contestant, GameState, Pairing, Playable, Ply, Progress};

    fn game(number: i64) -> GameRow {
        let players = BySide { first: 0, second: 1 };
        let ply = Ply {
            turn: "Ee2n".to_string(),
            seconds: 0.1 + 0.2,
            score: Some(-3),
            nodes: Some(u64::MAX),
            ..Ply::default()
        };
        GameRow {
            pairing: Pairing { number, pair: number, players, opening: 0, seed: u64::MAX },
            state: GameState::Finished,
            winner: Some(Side::Second),
            reason: "crash".to_string(),
            detail: "it was\nnot there".to_string(),
            versions: BySide { first: "A 1".to_string(), second: String::new() },
            turns: 1,
            seconds: 1e-7 / 3.0,
            thinking: BySide { first: 0.5, second: 0.0 },
            finished: 1_700_000_000.123,
            plies: vec![ply],
            source: "{\"site\":\"elsewhere\"}".to_string(),
        }
    }

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder")
    }

    fn address(folder: &tempfile::TempDir) -> String {
        folder.path().join("games.sqlite").display().to_string()
    }

    #[test]
    fn what_is_imported_is_read_back_page_by_page() {
        let folder = folder();
        let store = BlockingStore::open(&address(&folder)).unwrap();
        let games: Vec<GameRow> = (1..=super::super::PAGE + 3).map(game).collect();
        let id = store.import("elsewhere", &plan_of(0), &games).unwrap();
        let event = store.event(id).unwrap();
        let read: Vec<GameRow> = store.finished_games(&event).map(Result::unwrap).collect();
        assert!(read == games);
        assert_eq!((event.name.as_str(), event.is_open), ("elsewhere", false));
        assert!(!store.is_in_progress(id, &Playable::All).unwrap());
        let count = games.len() as i64;
        let whole = Progress { scheduled: count, finished: count };
        assert_eq!(store.progress().unwrap()[&id], whole);
    }

    #[test]
    fn games_are_added_to_an_event_that_nobody_has_changed() {
        let folder = folder();
        let store = BlockingStore::open(&address(&folder)).unwrap();
        let id = store.import("elsewhere", &plan_of(0), &[game(1)]).unwrap();
        let event = store.event(id).unwrap();
        let mut larger = plan_of(0);
        larger.contestants.push(Contestant::new("c"));
        store.append(&event, &larger, &[game(2)]).unwrap();
        assert!(store.append(&event, &larger, &[game(3)]).is_err());
        let event = store.event(id).unwrap();
        assert!(store.append(&event, &larger, &[game(3), game(2)]).is_err());
        let numbers: Vec<i64> =
            store.games(&event).unwrap().sound.iter().map(|game| game.pairing.number).collect();
        assert_eq!((numbers, event.plan), (vec![1, 2], larger));
    }

    #[test]
    fn an_import_that_fails_leaves_nothing_behind() {
        let folder = folder();
        let store = BlockingStore::open(&address(&folder)).unwrap();
        assert!(store.import("twice", &plan_of(0), &[game(1), game(2), game(1)]).is_err());
        assert!(store.events().unwrap().sound.is_empty());
        assert!(store.progress().unwrap().is_empty());
    }

    #[test]
    fn whoever_reads_makes_no_store_and_nobody_takes_another_file_for_one() {
        let folder = folder();
        let address = address(&folder);
        let refused = BlockingStore::open_existing(&address).err();
        assert!(matches!(refused, Some(StoreError::NoSuchStore(_))), "{refused:?}");
        std::fs::write(&address, "").unwrap();
        let refused = BlockingStore::open_existing(&address).err();
        assert!(matches!(refused, Some(StoreError::Open { .. })), "{refused:?}");
        std::fs::write(&address, "a letter").unwrap();
        for refused in
            [BlockingStore::open_existing(&address).err(), BlockingStore::open(&address).err()]
        {
            assert!(matches!(refused, Some(StoreError::NotAStore(_))), "{refused:?}");
        }
        std::fs::remove_file(&address).unwrap();
        drop(BlockingStore::open(&address).unwrap());
        assert!(BlockingStore::open_existing(&address).unwrap().events().unwrap().sound.is_empty());
    }
}
