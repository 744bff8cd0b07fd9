//! What engines have found, kept so that nothing is computed twice: in memory, and as lines of a file.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use guard::{LONGEST_LINE, read_bounded_line};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::drafts::{draft_in, remove_abandoned};

/// The file of the results in the data folder.
const FILE: &str = "analyses.jsonl";

/// A result, as a line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Line {
    key: String,
    /// How long it was searched for.
    seconds: f64,
    result: Value,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Stored {
    /// How long it was searched for.
    pub seconds: f64,
    pub result: Value,
}

impl Stored {
    /// Whether a search of that length has nothing to add.
    pub fn is_enough(&self, seconds: f64) -> bool {
        let is_proved = !self.result["lines"][0]["proof"].is_null();
        self.seconds >= seconds || is_proved
    }
}

/// The results so far.
#[derive(Debug)]
pub struct Results {
    state: Mutex<State>,
}

/// The most results, and the most bytes of their lines. With more, the older half is forgotten.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    results: usize,
    bytes: u64,
}

const BOUNDS: Bounds = Bounds { results: 20_000, bytes: 64 << 20 };

#[derive(Debug)]
struct State {
    bounds: Bounds,
    known: HashMap<String, Known>,
    /// Lines that were added or read since the older half was forgotten, and their bytes: what the file has, if there is one.
    lines: usize,
    bytes: u64,
    /// How many results were ever added.
    added: u64,
    file: Option<ResultsFile>,
}

/// A result in memory.
#[derive(Debug)]
struct Known {
    stored: Stored,
    /// The bytes of its line.
    bytes: u64,
    /// How many were added before it.
    order: u64,
}

/// The file that results are added to.
#[derive(Debug)]
struct ResultsFile {
    path: PathBuf,
    file: File,
    /// Whether the last line has no end: the next result begins a new line.
    is_torn: bool,
}

impl Results {
    /// Opens the results of a data folder, and makes the folder if it is missing. Returns a warning about lines that are
    /// left out. Without a folder, results last as long as the server.
    pub fn open(folder: Option<&Path>) -> anyhow::Result<(Results, Option<String>)> {
        Results::open_bounded(folder, BOUNDS)
    }

    fn open_bounded(
        folder: Option<&Path>,
        bounds: Bounds,
    ) -> anyhow::Result<(Results, Option<String>)> {
        let mut state =
            State { bounds, known: HashMap::new(), lines: 0, bytes: 0, added: 0, file: None };
        let mut warning = None;
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            remove_abandoned(folder);
            let path = folder.join(FILE);
            let damaged = state.read(&path).with_context(|| path.display().to_string())?;
            if damaged > 0 {
                let lines = if damaged == 1 { "line is" } else { "lines are" };
                warning = Some(format!("{}: {damaged} damaged {lines} left out", path.display()));
            }
        }
        Ok((Results { state: Mutex::new(state) }, warning))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known.
    pub fn get(&self, key: &str) -> Option<Stored> {
        self.state().known.get(key).map(|known| known.stored.clone())
    }

    /// Keeps a result, unless a longer search has found one.
    pub fn put(&self, key: &str, seconds: f64, result: &Value) {
        let mut state = self.state();
        if state.known.get(key).is_some_and(|known| known.stored.seconds >= seconds) {
            return;
        }
        let line = Line { key: key.to_string(), seconds, result: result.clone() };
        let Ok(text) = serde_json::to_string(&line) else { return };
        // It could not be read back.
        if text.len() >= LONGEST_LINE {
            return;
        }
        // A full disk costs what is kept, not the answer.
        if let Some(file) = &mut state.file {
            file.append(&text);
        }
        if state.add(line, text.len() as u64 + 1) && state.write_anew().is_err() {
            // Rather no file than one that grows without end.
            state.file = None;
        }
    }
}

impl State {
    /// Reads the lines of a file, which is written on from now on. Lines that are damaged are left out, and their number is
    /// returned; of a file that has grown large, the newest are kept.
    fn read(&mut self, path: &Path) -> io::Result<usize> {
        let file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut input = BufReader::new(&file);
        let (mut line, mut damaged, mut has_shrunk, mut is_torn) = (Vec::new(), 0, false, false);
        loop {
            match read_bounded_line(&mut input, &mut line, LONGEST_LINE) {
                Ok(0) => break,
                Ok(length) => {
                    is_torn = !line.ends_with(b"\n");
                    match serde_json::from_slice(&line) {
                        Ok(line) => has_shrunk |= self.add(line, length as u64),
                        Err(_) => damaged += 1,
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => damaged += 1,
                Err(error) => return Err(error),
            }
        }
        self.file = Some(ResultsFile { path: path.to_path_buf(), file, is_torn });
        if has_shrunk {
            self.write_anew()?;
        }
        Ok(damaged)
    }

    /// Adds a result; returns whether the older half was forgotten for it.
    fn add(&mut self, Line { key, seconds, result }: Line, bytes: u64) -> bool {
        self.added += 1;
        self.lines += 1;
        self.bytes += bytes;
        let known = Known { stored: Stored { seconds, result }, bytes, order: self.added };
        self.known.insert(key, known);
        let is_full = self.lines > self.bounds.results || self.bytes > self.bounds.bytes;
        if is_full {
            self.forget_older_half();
        }
        is_full
    }

    /// Keeps the newest results that take up half of the bounds.
    fn forget_older_half(&mut self) {
        let mut ages: Vec<(u64, u64)> =
            self.known.values().map(|known| (known.order, known.bytes)).collect();
        ages.sort_unstable_by(|one, other| other.cmp(one));
        (self.lines, self.bytes) = (0, 0);
        let mut oldest = u64::MAX;
        for (order, bytes) in ages {
            let (lines, sum) = (self.lines + 1, self.bytes + bytes);
            if lines > self.bounds.results / 2 || sum > self.bounds.bytes / 2 {
                break;
            }
            (self.lines, self.bytes, oldest) = (lines, sum, order);
        }
        self.known.retain(|_, known| known.order >= oldest);
    }

    /// Puts what is known in the place of the file.
    fn write_anew(&mut self) -> io::Result<()> {
        let Some(ResultsFile { path, .. }) = &self.file else { return Ok(()) };
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut known: Vec<(&String, &Known)> = self.known.iter().collect();
        known.sort_unstable_by_key(|(_, known)| known.order);
        let mut draft = BufWriter::new(draft_in(folder)?);
        for (key, Known { stored: Stored { seconds, result }, .. }) in known {
            let line = json!({ "key": key, "seconds": seconds, "result": result });
            writeln!(draft, "{line}")?;
        }
        let draft = draft.into_inner().map_err(io::IntoInnerError::into_error)?;
        draft.persist(path).map_err(|error| error.error)?;
        let file = OpenOptions::new().append(true).open(path)?;
        self.file = Some(ResultsFile { path: path.clone(), file, is_torn: false });
        Ok(())
    }
}

impl ResultsFile {
    /// Adds a line. If that fails in the middle, the next one begins on a line of its own.
    fn append(&mut self, line: &str) {
        let end = if self.is_torn { "\n" } else { "" };
        let written = self.file.write_all(format!("{end}{line}\n").as_bytes());
        self.is_torn = written.is_err();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &Path) -> Results {
        Results::open(Some(folder)).unwrap().0
    }

    fn stored(seconds: f64, result: Value) -> Option<Stored> {
        Some(Stored { seconds, result })
    }

    fn append(folder: &Path, bytes: &[u8]) {
        let mut file =
            OpenOptions::new().create(true).append(true).open(folder.join(FILE)).unwrap();
        file.write_all(bytes).unwrap();
    }

    #[test]
    fn the_longer_search_is_kept_across_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let results = open(folder.path());
        results.put("a", 2.0, &json!(2));
        results.put("a", 1.0, &json!(1));
        results.put("b", 1.0, &json!({ "turn": "Ee2n" }));
        fs::write(folder.path().join("other"), "left alone").unwrap();
        let results = open(folder.path());
        assert_eq!(results.get("a"), stored(2.0, json!(2)));
        assert_eq!(results.get("b"), stored(1.0, json!({ "turn": "Ee2n" })));
        results.put("a", 3.0, &json!(3));
        assert_eq!(open(folder.path()).get("a"), stored(3.0, json!(3)));
    }

    #[test]
    fn damaged_lines_are_left_out_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path()).put("a", 1.0, &json!(1));
        append(folder.path(), b"\xff\n{\"key\": 5}\n");
        append(folder.path(), &[b'x'; LONGEST_LINE + 5]);
        append(folder.path(), b"\n");
        open(folder.path()).put("b", 1.0, &json!(2));
        let (results, warning) = Results::open(Some(folder.path())).unwrap();
        assert_eq!(results.get("a"), stored(1.0, json!(1)));
        assert_eq!(results.get("b"), stored(1.0, json!(2)));
        let path = folder.path().join(FILE);
        let expected = format!("{}: 3 damaged lines are left out", path.display());
        assert_eq!(warning, Some(expected));
    }

    #[test]
    fn a_torn_last_line_leaves_the_next_result_whole() {
        let folder = tempfile::tempdir().unwrap();
        append(folder.path(), b"{\"key\": \"c");
        open(folder.path()).put("a", 1.0, &json!(1));
        assert_eq!(open(folder.path()).get("a"), stored(1.0, json!(1)));
    }

    #[test]
    fn of_too_many_results_the_newest_are_kept_while_the_server_runs() {
        let folder = tempfile::tempdir().unwrap();
        let bounds = Bounds { results: 100, bytes: 1 << 20 };
        let open = || Results::open_bounded(Some(folder.path()), bounds).unwrap().0;
        let results = open();
        for key in 0..1000 {
            results.put(&key.to_string(), 1.0, &json!({}));
            assert!(results.state().known.len() <= 100);
        }
        let lines = || fs::read_to_string(folder.path().join(FILE)).unwrap().lines().count();
        assert!((50..=100).contains(&lines()), "{}", lines());
        // A position that is searched longer again and again does not make the file grow either.
        for seconds in 2..1000 {
            results.put("999", f64::from(seconds), &json!({}));
            assert!(lines() <= 100);
        }
        assert_eq!(open().get("999"), stored(999.0, json!({})));
        assert_eq!(open().get("998"), stored(1.0, json!({})));
        assert_eq!(open().get("1"), None);
    }

    #[test]
    fn of_too_many_bytes_the_newest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let bounds = Bounds { results: 1000, bytes: 20_000 };
        let results = Results::open_bounded(Some(folder.path()), bounds).unwrap().0;
        let size = || fs::metadata(folder.path().join(FILE)).unwrap().len();
        for key in 0..100 {
            results.put(&key.to_string(), 1.0, &json!("x".repeat(1000)));
            assert!(size() <= 20_000, "{}", size());
        }
        assert!(results.get("99").is_some() && results.get("50").is_none());
    }
}
