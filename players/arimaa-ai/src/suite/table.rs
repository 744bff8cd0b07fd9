//! Tests as rows of a tab-separated table.

use arimaa::{Board, Position, TextError, TextFault, Turn, TurnError, WHOLE_TURN};
use thiserror::Error;

use crate::goal;
use crate::suite::{Criterion, Test};

/// Which columns of a table say what: `position`, and some of `best`, `avoid` (turns, with `|`
/// between alternatives) and `goal` (or `steps_to_goal`: how many steps the shortest one takes).
///
/// ```
/// # use arimaa_ai::suite::Columns;
/// let columns = Columns::of_header("position\tbest\tavoid").unwrap();
/// let position = "g [r                                              R                ]";
/// let row = format!("{position}\tRh3n|Rh3n Rh4w\t-");
/// let test = columns.read(&row).unwrap().unwrap();
/// assert_eq!(test.weigh("Rh3w Rg3n"), Ok(1.0)); // the same board, by another way
/// assert_eq!(test.weigh("Rh3w"), Ok(0.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns {
    position: usize,
    best: Option<usize>,
    avoid: Option<usize>,
    goal: Option<usize>,
}

/// What can be wrong with a row.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RowFault {
    /// The position is none.
    #[error("column position: {0}")]
    Position(TextFault),
    /// The game is over before the turn.
    #[error("column position: the game is over there: no turn can be judged")]
    Over,
    /// A turn is none, or not legal.
    #[error("column {column}: {error}")]
    Turn {
        /// The column's name.
        column: &'static str,
        /// What is wrong with the turn.
        error: TurnError,
    },
    /// Not the shortest goal.
    #[error("column goal: found {found:?}, expected {expected}", expected = steps(*expected))]
    Goal {
        /// What stands there.
        found: String,
        /// How many steps the shortest goal takes, if there is one.
        expected: Option<u8>,
    },
}

fn steps(goal: Option<u8>) -> String {
    goal.map_or("-, since there is none within a turn".to_string(), |goal| goal.to_string())
}

impl Columns {
    /// The columns of a table with this header, if it is one of tests.
    pub fn of_header(line: &str) -> Option<Columns> {
        let column = |name| line.split('\t').position(|column| column.trim() == name);
        let columns = Columns {
            position: column("position")?,
            best: column("best"),
            avoid: column("avoid"),
            goal: column("goal").or(column("steps_to_goal")),
        };
        columns.best.or(columns.avoid).or(columns.goal).map(|_| columns)
    }

    /// Reads a row; none, if it asks for nothing. An empty cell and a dash say nothing.
    pub fn read(&self, row: &str) -> Result<Option<Test>, RowFault> {
        let cell = |column: Option<usize>| {
            let cell = row.split('\t').nth(column?)?;
            Some(cell).filter(|cell| !matches!(cell.trim(), "" | "-"))
        };
        let position = read_position(cell(Some(self.position)).unwrap_or_default())?;
        let best = cell(self.best).map(|cell| boards("best", cell, &position)).transpose()?;
        let avoid = cell(self.avoid).map(|cell| boards("avoid", cell, &position)).transpose()?;
        let goal = cell(self.goal).map(|cell| check_goal(cell, &position)).transpose()?;
        let criteria = [
            best.map(Criterion::Best),
            avoid.map(Criterion::Avoid),
            goal.map(|()| Criterion::ScoreGoal),
        ];
        let criteria: Vec<Criterion> = criteria.into_iter().flatten().collect();
        Ok((!criteria.is_empty()).then_some(Test { position, criteria }))
    }
}

fn read_position(cell: &str) -> Result<Position, RowFault> {
    let position: Position =
        cell.parse().map_err(|error: TextError| RowFault::Position(error.fault))?;
    match position.outcome() {
        Some(_) => Err(RowFault::Over),
        None => Ok(position),
    }
}

/// The boards that the turns of a cell leave.
fn boards(column: &'static str, cell: &str, position: &Position) -> Result<Vec<Board>, RowFault> {
    let board = |turn: &str| {
        let turn = Turn::parse(turn, position);
        let turn = turn.map_err(|error| RowFault::Turn { column, error })?;
        let mut after = *position;
        after.play_turn_unchecked(turn);
        Ok(*after.board())
    };
    cell.split('|').map(board).collect()
}

/// A wrong number would make a test that nobody can pass, or hide a mistake of whoever counted.
fn check_goal(cell: &str, position: &Position) -> Result<(), RowFault> {
    let goal = goal(position.board(), position.side(), WHOLE_TURN);
    let expected = goal.map(|goal| goal.steps.0);
    match cell.trim().parse().ok() == expected && expected.is_some() {
        true => Ok(()),
        false => Err(RowFault::Goal { found: cell.trim().to_string(), expected }),
    }
}
