//! Files of JSON objects, one a line, that survive a process that is killed.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file to which lines are appended.
#[derive(Debug)]
pub struct JsonLines(File);

impl JsonLines {
    /// The file and its lines; it is made if it is missing. A line that is no `Row` is left out: the last one may have been
    /// cut off when its writer was killed.
    pub fn open<Row: DeserializeOwned>(path: &Path) -> io::Result<(JsonLines, Vec<Row>)> {
        let text = text_of(path)?;
        let rows = rows_of(&text);
        let mut file = File::options().append(true).create(true).open(path)?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file)?;
        }
        Ok((JsonLines(file), rows))
    }

    /// The lines of a file, which is not changed; none, if it is missing.
    pub fn read<Row: DeserializeOwned>(path: &Path) -> io::Result<Vec<Row>> {
        Ok(rows_of(&text_of(path)?))
    }

    /// Adds a line. It is on the disk when this returns.
    pub fn append(&mut self, row: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(row)? + "\n";
        self.0.write_all(line.as_bytes())?;
        self.0.sync_data()
    }
}

fn text_of(path: &Path) -> io::Result<String> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

fn rows_of<Row: DeserializeOwned>(text: &str) -> Vec<Row> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_off_is_left_out_and_the_next_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.jsonl");
        let open = || JsonLines::open::<Vec<u32>>(&path).unwrap();
        open().0.append(&[1, 2]).unwrap();
        fs::write(&path, "[1,2]\n[3,").unwrap();
        let (mut file, rows) = open();
        assert_eq!(rows, [[1, 2]]);
        file.append(&[4]).unwrap();
        assert_eq!(open().1, [vec![1, 2], vec![4]]);
    }
}
