//! Tests of Arimaa, for the arena.

use arena::Exercise;
use arimaa::Side;
use arimaa_ai::suite::{Columns, Test};

use crate::input::is_kept;

/// A test, for the arena.
struct Exam(Test);

impl Exercise for Exam {
    fn position(&self) -> String {
        self.0.position.to_string()
    }

    fn side(&self) -> Side {
        self.0.position.side()
    }

    fn highest(&self) -> f64 {
        self.0.highest()
    }

    fn weigh(&self, turn: &str) -> Result<f64, String> {
        self.0.weigh(turn).map_err(|error| error.to_string())
    }
}

pub fn is_table(header: &str) -> bool {
    Columns::of_header(header).is_some()
}

pub fn read_row(header: &str, row: &str) -> Result<Option<Box<dyn Exercise>>, String> {
    let Some(columns) = Columns::of_header(header) else { return Ok(None) };
    let test = columns.read(row).map_err(|fault| fault.to_string())?;
    Ok(test.map(|test| Box::new(Exam(test)) as Box<dyn Exercise>))
}

/// The format of the Arimaa Test Suite begins with a section.
pub fn read_whole(text: &str) -> Option<Result<Box<dyn Exercise>, (usize, String)>> {
    text.lines().find(|line| is_kept(line)).filter(|line| line.starts_with('['))?;
    Some(match Test::parse(text) {
        Ok(test) => Ok(Box::new(Exam(test))),
        Err(error) => Err((error.line, error.fault.to_string())),
    })
}
