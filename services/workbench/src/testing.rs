//! Testing: positions with something that a turn must achieve.

use arena::Exercise;
use game::Game;

use crate::GameSpec;
use crate::reading::{CUT_OFF, InputEntry, Location, Source, is_kept};

/// What is asked of a position, whichever it is.
pub type BoxedExercise<G> = Box<dyn Exercise<G>>;

/// A text that is one test, or in which line it is none, and why.
pub type WholeTest<G> = Result<BoxedExercise<G>, (usize, String)>;

/// How test positions of a game are read.
pub trait Testing: GameSpec {
    /// What a file of tests should hold, for those who have written something else.
    const NO_TEST: &'static str;

    /// Whether a table with this header is one of tests.
    fn is_table_of_tests(header: &str) -> bool;

    /// Reads a row of such a table; none, if it asks for nothing.
    fn read_test(header: &str, row: &str) -> Result<Option<BoxedExercise<Self::Game>>, String>;

    /// Reads a text that is one test, if its first line says that it is.
    fn read_whole_test(text: &str) -> Option<WholeTest<Self::Game>>;
}

/// A test and where it stands.
pub struct TestCase<G: Game> {
    /// What is asked.
    pub exercise: BoxedExercise<G>,
    /// Whether it is one of many in its file.
    pub is_row: bool,
}

impl<G: Game> TestCase<G> {
    /// What people call it.
    pub fn name(&self, place: &Location) -> String {
        let file = place.file.as_deref().unwrap_or_default();
        if self.is_row { format!("{file}:{}", place.line) } else { file.to_string() }
    }
}

/// The tests of a text, in their order; a row of a table may ask for nothing.
pub fn test_cases<S: Testing>(source: &Source) -> Vec<InputEntry<Option<TestCase<S::Game>>>> {
    let text = match &source.text {
        Ok(text) => text,
        Err((line, fault)) => return vec![source.fault(*line, fault.clone())],
    };
    let entry = |line, content| InputEntry { place: source.place(line), content };
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| is_kept(line));
    let (first, header) = lines.next().unwrap_or((1, ""));
    if S::is_table_of_tests(header) {
        let row = |row| {
            let exercise = S::read_test(header, row)?;
            Ok(exercise.map(|exercise| TestCase { exercise, is_row: true }))
        };
        let rows: Vec<_> = lines.map(|(line, text)| entry(line, row(text))).collect();
        return if rows.is_empty() { vec![source.fault(first, CUT_OFF.to_string())] } else { rows };
    }
    match S::read_whole_test(text) {
        Some(Ok(exercise)) => vec![entry(first, Ok(Some(TestCase { exercise, is_row: false })))],
        Some(Err((line, fault))) => vec![source.fault(line, fault)],
        None => vec![source.fault(first, S::NO_TEST.to_string())],
    }
}
