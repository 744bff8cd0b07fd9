//! Events as a runner plays them: engines that fail, rows that make no sense, engines that may not run.

mod common;

use std::time::Duration;

use arena::{
    Adjudication, BlockingStore, Contestant, EnginePlayer, Event, Failure, Fault, Format, GameRow,
    GameState, Host, Plan, Player, Rows, Runner, RunnerError, TimeSettings, Unfinished, Worker,
};
use common::{Counting, Sayer};
use engine::Stop;

/// All are there but `absent`, and `broken` panics.
struct Engines;

impl Host<Counting> for Engines {
    fn player(&self, contestant: &Contestant) -> Result<Box<dyn Player<Counting>>, Failure> {
        if contestant.name == "absent" {
            return Err(Failure::new(Fault::Start, "there is no such program"));
        }
        let engine = Box::new(Sayer { panics: contestant.name == "broken" });
        Ok(Box::new(EnginePlayer::new(contestant.name.clone(), engine)))
    }
}

fn plan(names: &[&str], games: u32) -> Plan {
    Plan {
        game: "counting".to_string(),
        contestants: names.iter().map(|name| Contestant::new(name)).collect(),
        format: Format::RoundRobin,
        games,
        openings: vec![String::new()],
        time: TimeSettings { depth: Some(1), ..TimeSettings::default() },
        adjudication: Adjudication::default(),
        sprt: None,
        unfinished: Unfinished::Half,
        seed: 1,
    }
}

/// A store with an event of its own.
struct Place {
    store: BlockingStore,
    event: Event,
    folder: tempfile::TempDir,
}

impl Place {
    fn new(names: &[&str], games: u32) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let address = folder.path().join("games.sqlite").display().to_string();
        let store = BlockingStore::open(&address).expect("a store");
        let id = store.create("test", &plan(names, games)).expect("an event");
        let event = store.event(id).expect("it is there");
        Place { store, event, folder }
    }

    /// Does to the store what only somebody else would do.
    fn meddle(&self, sql: &'static str) {
        let path = self.folder.path().join("games.sqlite");
        let url = format!("sqlite://{}", path.display());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            use sqlx::Connection;
            let mut connection = sqlx::AnyConnection::connect(&url).await.expect("the file");
            sqlx::raw_sql(sql).execute(&mut connection).await.expect("it is done");
            connection.close().await.expect("it is closed");
        });
    }

    fn play_some(&self, may_play: impl Fn(&Contestant) -> bool + Sync) -> Result<(), RunnerError> {
        let runner = Runner {
            host: &Engines,
            store: &self.store,
            worker: Worker::new(Duration::from_secs(60)),
            concurrency: 2,
            may_play: &may_play,
            stop: Stop::new(),
        };
        runner.play(&self.event, |_| true)
    }

    fn play(&self) -> Result<(), RunnerError> {
        self.play_some(|_| true)
    }

    fn finished(&self) -> Vec<i64> {
        let rows: Rows<GameRow> = self.store.games(&self.event).expect("the store answers");
        let finished = rows.sound.iter().filter(|row| row.state == GameState::Finished);
        finished.map(|row| row.pairing.number).collect()
    }

    fn is_open(&self) -> bool {
        self.store.event(self.event.id).expect("the store answers").is_open
    }
}

#[test]
fn rows_that_make_no_sense_are_refused_by_name_and_the_others_are_played() {
    let place = Place::new(&["a", "b"], 8);
    place.meddle(
        "UPDATE game SET first_player = 9 WHERE number = 2; \
         UPDATE game SET second_player = first_player WHERE number = 3; \
         UPDATE game SET opening = -1 WHERE number = 5; \
         UPDATE game SET state = 'finished', second_player = -1 WHERE number = 6; \
         UPDATE game SET state = 'lost' WHERE number = 7",
    );
    place.play().expect("the others are played");
    assert_eq!(place.finished(), [1, 4, 8]);
    assert!(!place.is_open(), "nothing is left to be played");
    let refused = place.store.games(&place.event).expect("the store answers").refused;
    let refused: Vec<String> = refused.iter().map(ToString::to_string).collect();
    assert_eq!(
        refused,
        [
            "event 1, game 2: there is no player 9, only 0 to 1",
            "event 1, game 3: player 0 (a) against itself",
            "event 1, game 5: there is no opening -1, only 0 to 0",
            "event 1, game 6: there is no player -1, only 0 to 1",
            "event 1, game 7: there is no state \"lost\"",
        ]
    );
    assert_eq!(place.store.scores(&place.event).expect("the store answers").refused.len(), 1);
    let pages = place.store.finished_games(&place.event);
    assert_eq!(pages.filter(Result::is_ok).count(), 3);
}

#[test]
fn an_event_whose_plan_cannot_be_read_does_not_hide_the_others() {
    let place = Place::new(&["a", "b"], 2);
    place.store.create("broken", &plan(&["a", "b"], 2)).expect("an event");
    place.meddle("UPDATE event SET plan = '{' WHERE id = 2");
    let Rows { sound, refused } = place.store.events().expect("the store answers");
    assert_eq!((sound.len(), refused.len()), (1, 1));
    assert!(refused[0].to_string().starts_with("the plan of event 2: "), "{}", refused[0]);
}

#[test]
fn an_engine_that_does_not_start_is_named_and_no_game_is_kept() {
    let place = Place::new(&["a", "absent"], 8);
    let error = place.play().expect_err("it does not start").to_string();
    assert_eq!(error, "absent does not start: there is no such program");
    assert_eq!(place.finished(), Vec::<i64>::new());
    assert!(place.is_open());
}

#[test]
fn an_engine_that_fails_in_every_game_is_given_up() {
    for (games, told) in [(2, "2"), (40, "4")] {
        let place = Place::new(&["broken", "a"], games);
        let error = place.play().expect_err("it fails").to_string();
        assert!(error.starts_with(&format!("broken failed in all {told} games, ")), "{error}");
        assert!(error.ends_with("the last time by crash: the engine panicked"), "{error}");
        // Two games are played at a time.
        assert!(place.finished().len() <= 5);
    }
}

#[test]
fn games_of_an_engine_that_may_not_run_are_left() {
    let place = Place::new(&["a", "b", "absent"], 2);
    place.play_some(|contestant| contestant.name != "absent").expect("the others play");
    assert_eq!(place.finished(), [1, 2]);
    assert!(place.is_open(), "the others wait for another worker");
}

#[test]
fn whoever_is_asked_to_stop_keeps_no_game_that_it_gave_up() {
    let place = Place::new(&["a", "b"], 2);
    let stop = Stop::new();
    stop.request();
    let runner = Runner {
        host: &Engines,
        store: &place.store,
        worker: Worker::new(Duration::from_secs(60)),
        concurrency: 1,
        may_play: &|_| true,
        stop,
    };
    runner.play(&place.event, |_| true).expect("that is no error");
    assert_eq!(place.finished(), Vec::<i64>::new());
    assert!(place.is_open());
}
