//! How a verb says that an input was refused.

use std::io::Write;

use serde_json::json;
use workbench::reading::{InputEntry, Location};

use crate::shared::output::tell_error;

/// Says that an entry was refused: a row among the others in JSON, else a line of its own.
pub fn refuse<T>(
    entry: &InputEntry<T>,
    error: &str,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    refuse_at(&entry.place, error, json, out)
}

/// The same of what is no position.
pub fn refuse_at(
    place: &Location,
    error: &str,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if json {
        let mut row = json!({ "line": place.line, "error": error });
        if let Some(file) = &place.file {
            row["file"] = json!(file);
        }
        writeln!(out, "{row}")?;
    } else {
        tell_error(&format!("{place}: {error}"));
    }
    Ok(())
}
