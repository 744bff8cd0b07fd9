//! Files of positions and games, and what the environment asks of the tests.

use std::io::Read;
use std::path::{Path, PathBuf};

use arimaa::Position;

/// A file of the repository's own positions and games.
pub fn own_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../positions").join(name)
}

/// A file of the shared data. Only the tests of a module `shared_data` read it, and those are ignored unless they are
/// asked for: `./check` runs them where `TUSK_DATA` names the folder.
pub fn shared_file(name: &str) -> PathBuf {
    let folder =
        std::env::var_os("TUSK_DATA").expect("TUSK_DATA names the folder of the shared data");
    let path = Path::new(&folder).join(name);
    assert!(path.exists(), "{} is missing; TUSK_DATA is an absolute path", path.display());
    path
}

/// The long version of the tests was asked for.
pub fn long() -> bool {
    std::env::var_os("TUSK_LONG").is_some()
}

/// The rows of a tab-separated file, by column name.
pub struct Rows {
    header: Vec<String>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
}

impl Rows {
    /// Reads a file, gzipped or not.
    pub fn read(path: &Path) -> Rows {
        let mut bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut text = Vec::new();
            flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap();
            bytes = text;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let split = |line: &str| line.split('\t').map(str::to_string).collect();
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let header = split(lines.next().expect("a header"));
        let rows: Vec<_> = lines.map(split).collect();
        assert!(!rows.is_empty(), "{} has no rows", path.display());
        Rows { header, rows }
    }

    /// Reads a file of the repository.
    pub fn own(name: &str) -> Rows {
        Rows::read(&own_file(name))
    }

    /// Reads a file of the shared data.
    pub fn shared(name: &str) -> Rows {
        Rows::read(&shared_file(name))
    }

    /// The cell of a row in a column.
    pub fn cell<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        let index = self.header.iter().position(|name| name == column);
        &row[index.unwrap_or_else(|| panic!("no column {column}"))]
    }

    /// The cells of one column.
    pub fn column(&self, column: &str) -> impl Iterator<Item = &str> {
        self.rows.iter().map(move |row| self.cell(row, column))
    }

    /// The positions of the column `position`, with their rows.
    pub fn positions(&self) -> impl Iterator<Item = (Position, &[String])> {
        self.rows.iter().map(|row| (self.cell(row, "position").parse().unwrap(), &row[..]))
    }

    /// The records of an archive in arimaa.com's format.
    pub fn archived_records(&self) -> impl Iterator<Item = String> {
        self.column("movelist").map(|movelist| movelist.replace("\\n", "\n"))
    }
}

/// The record of a game as the engine's table has it: the turns with bars between them.
pub fn engine_record(movelist: &str) -> String {
    let turns = movelist.split('|').enumerate();
    turns
        .map(|(turn, steps)| format!("{}{} {steps}\n", turn / 2 + 1, ['g', 's'][turn % 2]))
        .collect()
}
