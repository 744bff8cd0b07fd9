//! Reads the games of a file, whatever their format.

use workbench::reading::{self, Location};
use workbench::{Arimaa, Army, Tzaar, is_tzaar};

use crate::record::{Entry, Found};
use crate::{archive, json, plain};

const EXPECTED: &str = "games as lines of arimaa.com (a header with a column `movelist`), as \
                        records (1g Ra1 …) or as JSON (one object a line)";

/// The games of a file, whatever their format.
pub fn read(bytes: &[u8], file: &str, army: Army) -> Vec<Entry> {
    let found = match reading::text_of(bytes, EXPECTED) {
        Ok(text) => read_text(&text, army),
        Err((line, fault)) => vec![(line, Err(fault))],
    };
    let place = |line| Location { file: Some(file.to_string()), line };
    found.into_iter().map(|(line, record)| Entry { place: place(line), record }).collect()
}

/// Recognises the format by the first line that is no comment.
pub(crate) fn read_text(text: &str, army: Army) -> Found {
    let text = &reading::headers_as_comments(text);
    let first = text.lines().find(|line| reading::is_kept(line));
    match first {
        None => vec![(1, Err(format!("there is nothing here: expected {EXPECTED}")))],
        Some(line) if line.trim_start().starts_with('{') => json::read(text, army),
        Some(line) if archive::is_header(line) => archive::read(text, army),
        Some(_) if is_tzaar(text) => plain::read::<Tzaar>(text, army),
        Some(line) if reading::is_record_line(line) => plain::read::<Arimaa>(text, army),
        Some(line) => {
            let index = text.lines().position(|other| other == line).unwrap_or(0);
            vec![(index + 1, Err(format!("this is no game: expected {EXPECTED}")))]
        }
    }
}
