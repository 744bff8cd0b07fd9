//! The tests that are asked for.

use anyhow::Context;
use arena::Exercise;
use arimaa::Side;
use arimaa_ai::suite::{Columns, Test};

use crate::input::{Entry, Place, Source, sources};

/// A test, for the arena.
pub struct Exam {
    pub test: Test,
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

impl Exercise for Exam {
    fn position(&self) -> String {
        self.test.position.to_string()
    }

    fn side(&self) -> Side {
        self.test.position.side()
    }

    fn highest(&self) -> f64 {
        self.test.highest()
    }

    fn weigh(&self, turn: &str) -> Result<f64, String> {
        self.test.weigh(turn).map_err(|error| error.to_string())
    }
}

/// The tests of a file or of a folder, in their order; a row of a table may ask for nothing.
pub fn read(path: &str) -> anyhow::Result<Vec<Entry<Option<Exam>>>> {
    let sources = sources(path)?;
    let sources = sources.with_context(|| format!("{path}: there is no such file or folder"))?;
    Ok(sources.iter().flat_map(exams).collect())
}

fn exams(source: &Source) -> Vec<Entry<Option<Exam>>> {
    let entry =
        |line, content| Entry { place: Place { file: Some(source.file.clone()), line }, content };
    let text = match &source.text {
        Ok(text) => text,
        Err((line, fault)) => return vec![entry(*line, Err(fault.clone()))],
    };
    let is_kept = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| is_kept(line));
    let (first, header) = lines.next().unwrap_or((1, ""));
    if let Some(columns) = Columns::of_header(header) {
        let rows: Vec<_> = lines.map(|(line, row)| entry(line, read_row(&columns, row))).collect();
        let cut = "the table has a header and no rows: is it cut off?".to_string();
        return if rows.is_empty() { vec![entry(first, Err(cut))] } else { rows };
    }
    if header.starts_with('[') {
        let test = Test::parse(text).map(|test| Some(Exam { test, is_row: false }));
        return vec![match test {
            Ok(exam) => entry(first, Ok(exam)),
            Err(error) => entry(error.line, Err(error.fault.to_string())),
        }];
    }
    let fault = "this is no test: expected sections [settings] and [criteria], or a table whose \
                 header has a column position, and best, avoid or goal";
    vec![entry(first, Err(fault.to_string()))]
}

fn read_row(columns: &Columns, row: &str) -> Result<Option<Exam>, String> {
    let test = columns.read(row).map_err(|fault| fault.to_string())?;
    Ok(test.map(|test| Exam { test, is_row: true }))
}
