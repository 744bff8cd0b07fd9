//! Tests of Tzaar, for the arena: rows with turns that are best or to be avoided, or with a win at once.

use arena::Exercise;
use game::Position as _;
use tzaar::{Game, Position, Turn, distinct_turns};

use super::{Tzaar, reading};
use crate::testing::{BoxedExercise, Testing, WholeTest};

impl Testing for Tzaar {
    const NO_TEST: &'static str = "this is no test: expected a table whose header has a column \
                                   position, and best, avoid or win";

    fn is_table_of_tests(header: &str) -> bool {
        is_table(header)
    }

    fn read_test(header: &str, row: &str) -> Result<Option<BoxedExercise<Game>>, String> {
        read_row(header, row)
    }

    fn read_whole_test(_: &str) -> Option<WholeTest<Game>> {
        None
    }
}

/// A position, and where a turn must lead or must not.
struct TzaarTest {
    position: Position,
    best: Option<Vec<Position>>,
    avoid: Option<Vec<Position>>,
    /// Whether it must win at once.
    wins: bool,
}

impl Exercise<Game> for TzaarTest {
    fn game(&self) -> Game {
        Game::new(self.position)
    }

    fn highest(&self) -> f64 {
        1.0
    }

    fn weigh(&self, turn: Turn) -> Result<f64, String> {
        let after = self.position.play_turn(turn).map_err(|error| error.to_string())?;
        let is_in = |positions: &Vec<Position>| positions.contains(&after);
        let is_good = self.best.as_ref().is_none_or(is_in)
            && !self.avoid.as_ref().is_some_and(is_in)
            && (!self.wins || is_won(&self.position, &after));
        Ok(f64::from(is_good))
    }
}

fn after(position: &Position, turn: &str) -> Result<Position, String> {
    let turn = Turn::parse(turn, position).map_err(|error| error.to_string())?;
    position.play_turn(turn).map_err(|error| error.to_string())
}

/// Whether the side to move has won by coming from one position to the other.
fn is_won(position: &Position, after: &Position) -> bool {
    after.winner() == Some(position.side())
}

fn column(header: &str, name: &str) -> Option<usize> {
    header.split('\t').position(|column| column.trim() == name)
}

fn is_table(header: &str) -> bool {
    let has = |name| column(header, name).is_some();
    has("position") && (has("best") || has("avoid") || has("win"))
}

/// Turns have | between them; an empty cell and a dash say nothing.
fn read_row(header: &str, row: &str) -> Result<Option<BoxedExercise<Game>>, String> {
    let cell = |name: &str| {
        let cell = row.split('\t').nth(column(header, name)?)?.trim();
        Some(cell).filter(|cell| !matches!(*cell, "" | "-"))
    };
    let wrong = |name: &str| {
        let name = name.to_string();
        move |fault: String| format!("column {name}: {fault}")
    };
    let game =
        reading::read_line(cell("position").unwrap_or_default()).map_err(wrong("position"))?.game;
    if game.outcome().is_some() {
        let fault = "the game is over there: no turn can be judged".to_string();
        return Err(wrong("position")(fault));
    }
    let position = *game.position();
    let ends = |name: &str| {
        let turns = cell(name).map(|cell| cell.split('|').map(|turn| after(&position, turn)));
        turns.map(Iterator::collect).transpose().map_err(wrong(name))
    };
    let (best, avoid) = (ends("best")?, ends("avoid")?);
    let wins =
        cell("win").map(|cell| check_win(cell, &position)).transpose().map_err(wrong("win"))?;
    let asks = best.is_some() || avoid.is_some() || wins.is_some();
    let test = TzaarTest { position, best, avoid, wins: wins.is_some() };
    Ok(asks.then(|| Box::new(test) as BoxedExercise<Game>))
}

/// A wrong claim would make a test that nobody can pass.
fn check_win(cell: &str, position: &Position) -> Result<(), String> {
    let can_win = distinct_turns(position).iter().any(|(_, after)| is_won(position, after));
    match (cell, can_win) {
        ("1", true) => Ok(()),
        (_, true) => {
            Err(format!("found {cell:?}, expected 1 (the turn must win at once) or nothing"))
        }
        (_, false) => Err(format!("found {cell:?}, expected nothing, since no turn wins at once")),
    }
}
