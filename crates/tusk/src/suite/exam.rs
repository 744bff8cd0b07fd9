//! The tests that are asked for.

use arena::Exercise;

use crate::input::{CUT_OFF, Entry, Place, Source, is_kept};
use crate::sport::Sport;

/// A test and where it stands.
pub struct Exam {
    pub exercise: Box<dyn Exercise>,
    /// Whether it is one of many in its file.
    pub is_row: bool,
}

impl Exam {
    /// What people call it.
    pub fn name(&self, place: &Place) -> String {
        let file = place.file.as_deref().unwrap_or_default();
        if self.is_row { format!("{file}:{}", place.line) } else { file.to_string() }
    }
}

/// The tests of a text, in their order; a row of a table may ask for nothing.
pub fn exams<S: Sport>(source: &Source) -> Vec<Entry<Option<Exam>>> {
    let text = match &source.text {
        Ok(text) => text,
        Err((line, fault)) => return vec![source.fault(*line, fault.clone())],
    };
    let entry = |line, content| Entry { place: source.place(line), content };
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| is_kept(line));
    let (first, header) = lines.next().unwrap_or((1, ""));
    if S::is_table_of_tests(header) {
        let row = |row| {
            let exercise = S::read_test(header, row)?;
            Ok(exercise.map(|exercise| Exam { exercise, is_row: true }))
        };
        let rows: Vec<_> = lines.map(|(line, text)| entry(line, row(text))).collect();
        return if rows.is_empty() { vec![source.fault(first, CUT_OFF.to_string())] } else { rows };
    }
    match S::read_whole_test(text) {
        Some(Ok(exercise)) => vec![entry(first, Ok(Some(Exam { exercise, is_row: false })))],
        Some(Err((line, fault))) => vec![source.fault(line, fault)],
        None => vec![source.fault(first, S::NO_TEST.to_string())],
    }
}
