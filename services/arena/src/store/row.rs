use game::{BySide, Side};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::{EventId, Fault, Pairing, Plan, Ply, ScoredGame, StoreError};

/// An event as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Its number.
    pub id: EventId,
    /// What it is called.
    pub name: String,
    /// Who plays whom, how often and how.
    pub plan: Plan,
    /// Whether games are still wanted.
    pub is_open: bool,
    /// When it was made, in seconds since 1970.
    pub created: f64,
}

/// A game as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    /// Which game it is.
    pub pairing: Pairing,
    /// How far it is.
    pub state: GameState,
    /// Who won, if it is finished and somebody has.
    pub winner: Option<Side>,
    /// How it ended, in a word.
    pub reason: String,
    /// What there is to say besides.
    pub detail: String,
    /// What the players called themselves.
    pub versions: BySide<String>,
    /// How many turns its record has.
    pub turns: i64,
    /// How long it took.
    pub seconds: f64,
    /// What of it each side was thinking.
    pub thinking: BySide<f64>,
    /// When it was finished, in seconds since 1970.
    pub finished: f64,
    /// Its turns after the opening, if they were asked for.
    pub plies: Vec<Ply>,
    /// What else the source of an imported game tells, in the words of whoever imported it, if the turns were
    /// asked for; empty if it was played here.
    pub source: String,
}

/// How far an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// How many games it has so far.
    pub scheduled: i64,
    /// How many of them have been played.
    pub finished: i64,
}

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameState {
    /// Nobody plays it.
    Waiting,
    /// A worker plays it.
    Leased,
    /// It has been played.
    Finished,
}

/// The rows of a store that make sense, and why the others do not.
#[derive(Debug)]
pub struct Rows<T> {
    /// Those that do, in order.
    pub sound: Vec<T>,
    /// What is wrong with the others: each error names its row.
    pub refused: Vec<StoreError>,
}

impl<T> Rows<T> {
    /// Takes each row for itself. What is wrong with the database is wrong with all.
    pub(super) fn of(
        rows: impl Iterator<Item = Result<T, StoreError>>,
    ) -> Result<Rows<T>, StoreError> {
        let mut all = Rows { sound: Vec::new(), refused: Vec::new() };
        for row in rows {
            match row {
                Ok(row) => all.sound.push(row),
                Err(error @ StoreError::Content { .. }) => all.refused.push(error),
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }
}

/// What is wrong with the row of a game.
fn wrong_game(event: &Event, number: i64, fault: impl ToString) -> StoreError {
    let what = format!("event {}, game {number}", event.id);
    StoreError::Content { what, fault: fault.to_string() }
}

impl Event {
    pub(super) fn read(row: &AnyRow) -> Result<Event, StoreError> {
        let id = row.try_get("id")?;
        let plan: String = row.try_get("plan")?;
        let plan = serde_json::from_str(&plan).map_err(|error| StoreError::Content {
            what: format!("the plan of event {id}"),
            fault: error.to_string(),
        })?;
        Ok(Event {
            id,
            name: row.try_get("name")?,
            plan,
            is_open: row.try_get::<String, _>("state")? == "open",
            created: row.try_get("created")?,
        })
    }
}

impl GameRow {
    /// Who played and won, if it is finished.
    pub fn score(&self) -> Option<ScoredGame> {
        let Pairing { number, pair, players, .. } = self.pairing;
        let (winner, by_failure) = (self.winner, Fault::named(&self.reason).is_some());
        let score = ScoredGame { number, pair, players, winner, by_failure };
        (self.state == GameState::Finished).then_some(score)
    }

    pub(super) fn read(event: &Event, row: &AnyRow) -> Result<GameRow, StoreError> {
        let pairing = pairing(row)?;
        let wrong = |fault: String| wrong_game(event, pairing.number, fault);
        event.plan.check(&pairing).map_err(wrong)?;
        let state = match row.try_get::<String, _>("state")?.as_str() {
            "waiting" => GameState::Waiting,
            "leased" => GameState::Leased,
            "finished" => GameState::Finished,
            other => return Err(wrong(format!("there is no state {other:?}"))),
        };
        let winner = winner(row).map_err(wrong)?;
        let plies: String = row.try_get("plies")?;
        Ok(GameRow {
            pairing,
            state,
            winner,
            reason: row.try_get("reason")?,
            detail: row.try_get("detail")?,
            versions: BySide {
                first: row.try_get("first_version")?,
                second: row.try_get("second_version")?,
            },
            turns: row.try_get("turns")?,
            seconds: row.try_get("seconds")?,
            thinking: BySide {
                first: row.try_get("first_seconds")?,
                second: row.try_get("second_seconds")?,
            },
            finished: row.try_get("finished")?,
            plies: serde_json::from_str(&plies).map_err(|error| wrong(error.to_string()))?,
            source: row.try_get("source")?,
        })
    }
}

/// What of a row says who played and won a game that is finished.
pub fn score(event: &Event, row: &AnyRow) -> Result<ScoredGame, StoreError> {
    let pairing = pairing(row)?;
    let Pairing { number, pair, players, .. } = pairing;
    let wrong = |fault: String| wrong_game(event, number, fault);
    event.plan.check(&pairing).map_err(wrong)?;
    let reason: String = row.try_get("reason")?;
    let (winner, by_failure) = (winner(row).map_err(wrong)?, Fault::named(&reason).is_some());
    Ok(ScoredGame { number, pair, players, winner, by_failure })
}

fn winner(row: &AnyRow) -> Result<Option<Side>, String> {
    let side: String = row.try_get("winner").map_err(|error| error.to_string())?;
    match side.as_str() {
        "" => Ok(None),
        "first" => Ok(Some(Side::First)),
        "second" => Ok(Some(Side::Second)),
        other => Err(format!("there is no side {other:?}")),
    }
}

/// A side as it is kept.
pub fn side_name(side: Option<Side>) -> &'static str {
    match side {
        None => "",
        Some(Side::First) => "first",
        Some(Side::Second) => "second",
    }
}

/// What somebody wrote, without what PostgreSQL refuses in a text.
pub fn text(written: &str) -> String {
    written.replace('\0', "\u{fffd}")
}

/// What of a row says which game it is.
pub fn pairing(row: &AnyRow) -> Result<Pairing, sqlx::Error> {
    let index = |column| row.try_get::<i64, _>(column).map(|index| index as usize);
    Ok(Pairing {
        number: row.try_get("number")?,
        pair: row.try_get("pair")?,
        players: BySide { first: index("first_player")?, second: index("second_player")? },
        opening: index("opening")?,
        seed: row.try_get::<i64, _>("seed")? as u64,
    })
}
