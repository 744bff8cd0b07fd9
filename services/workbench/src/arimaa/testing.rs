//! Tests of Arimaa, for the arena.

use arena::Exercise;
use arimaa::{Action, Game};
use arimaa_ai::suite::{Columns, Test};

use super::Arimaa;
use crate::reading::is_kept;
use crate::testing::{BoxedExercise, Testing, WholeTest};

impl Testing for Arimaa {
    const NO_TEST: &'static str = "this is no test: expected sections [settings] and [criteria], or a \
                                   table whose header has a column position, and best, avoid or goal";

    fn is_table_of_tests(header: &str) -> bool {
        Columns::of_header(header).is_some()
    }

    fn read_test(header: &str, row: &str) -> Result<Option<BoxedExercise<Game>>, String> {
        let Some(columns) = Columns::of_header(header) else { return Ok(None) };
        let test = columns.read(row).map_err(|fault| fault.to_string())?;
        Ok(test.map(|test| Box::new(ArimaaTest(test)) as BoxedExercise<Game>))
    }

    /// The format of the Arimaa Test Suite begins with a section.
    fn read_whole_test(text: &str) -> Option<WholeTest<Game>> {
        text.lines().find(|line| is_kept(line)).filter(|line| line.starts_with('['))?;
        Some(match Test::parse(text) {
            Ok(test) => Ok(Box::new(ArimaaTest(test))),
            Err(error) => Err((error.line, error.fault.to_string())),
        })
    }
}

/// A test, for the arena.
struct ArimaaTest(Test);

impl Exercise<Game> for ArimaaTest {
    fn game(&self) -> Game {
        Game::at(&self.0.position)
    }

    fn highest(&self) -> f64 {
        self.0.highest()
    }

    fn weigh(&self, action: Action) -> Result<f64, String> {
        let Action::Turn(turn) = action else { return Err("this is no turn".to_string()) };
        self.0.weigh_turn(turn).map_err(|error| error.to_string())
    }
}
