//! What engines have found, kept so that nothing is computed twice: in memory, and as lines of a file.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// More results are not kept in memory; what comes later is found anew each time.
const MOST: usize = 20_000;

/// Of a file that has grown beyond this, only the newest half is kept, in bytes.
const LARGEST: u64 = 64 << 20;

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

impl Line {
    /// About how many bytes it takes.
    fn length(&self) -> u64 {
        (self.key.len() + self.result.to_string().len()) as u64
    }
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
#[derive(Debug, Default)]
pub struct Results {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    known: HashMap<String, Stored>,
    file: Option<File>,
}

impl Results {
    /// Those of a data folder, which is made if it is not there; without one, they last as long as the server.
    pub fn open(folder: Option<&Path>) -> anyhow::Result<Results> {
        let mut state = State::default();
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            let path = folder.join(FILE);
            state.file = Some(state.read(&path).with_context(|| path.display().to_string())?);
        }
        Ok(Results { state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known.
    pub fn get(&self, key: &str) -> Option<Stored> {
        self.state().known.get(key).cloned()
    }

    /// Keeps a result, unless a longer search has found one.
    pub fn put(&self, key: &str, seconds: f64, result: &Value) {
        let mut state = self.state();
        if state.known.get(key).is_some_and(|known| known.seconds >= seconds) {
            return;
        }
        let line = Line { key: key.to_string(), seconds, result: result.clone() };
        if let (Some(file), Ok(text)) = (&mut state.file, serde_json::to_string(&line)) {
            // A full disk costs what is kept, not the answer.
            let _ = writeln!(file, "{text}");
        }
        state.add(line);
    }
}

impl State {
    /// Reads the lines of a file, and returns it to be written on. Lines that are damaged are left out; of a file that has
    /// grown large, the newest are kept.
    fn read(&mut self, path: &Path) -> io::Result<File> {
        let mut lines: Vec<Line> = Vec::new();
        let mut length = 0;
        if let Ok(file) = File::open(path) {
            for line in BufReader::new(file).lines() {
                let line = line?;
                length += line.len() as u64 + 1;
                lines.extend(serde_json::from_str::<Line>(&line).ok());
            }
        }
        if length > LARGEST || lines.len() > MOST {
            lines = newest(lines);
            write_anew(path, &lines)?;
        }
        lines.into_iter().for_each(|line| self.add(line));
        OpenOptions::new().create(true).append(true).open(path)
    }

    fn add(&mut self, Line { key, seconds, result }: Line) {
        if self.known.len() < MOST || self.known.contains_key(&key) {
            self.known.insert(key, Stored { seconds, result });
        }
    }
}

/// The last line of each key, and of those the newest half of what there is room for.
fn newest(mut lines: Vec<Line>) -> Vec<Line> {
    let mut seen = HashSet::new();
    let (mut count, mut bytes) = (0, 0);
    lines.reverse();
    lines.retain(|line| {
        let is_last = seen.insert(line.key.clone());
        if is_last {
            count += 1;
            bytes += line.length();
        }
        is_last && count <= MOST / 2 && bytes <= LARGEST / 2
    });
    lines.reverse();
    lines
}

/// Puts these lines in the place of a file.
fn write_anew(path: &Path, lines: &[Line]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut draft = tempfile::NamedTempFile::new_in(folder)?;
    for line in lines {
        writeln!(draft, "{}", serde_json::to_string(line)?)?;
    }
    draft.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_longer_search_is_kept_across_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Results::open(Some(folder.path())).unwrap();
        let results = open();
        results.put("a", 2.0, &json!(2));
        results.put("a", 1.0, &json!(1));
        results.put("b", 1.0, &json!({ "turn": "Ee2n" }));
        fs::write(folder.path().join("other"), "left alone").unwrap();
        drop(results);
        let mut file = OpenOptions::new().append(true).open(folder.path().join(FILE)).unwrap();
        writeln!(file, "{{\"key\": \"c").unwrap();
        let results = open();
        let stored = |seconds, result| Some(Stored { seconds, result });
        assert_eq!(results.get("a"), stored(2.0, json!(2)));
        assert_eq!(results.get("b"), stored(1.0, json!({ "turn": "Ee2n" })));
        assert_eq!(results.get("c"), None);
        results.put("a", 3.0, &json!(3));
        assert_eq!(open().get("a"), stored(3.0, json!(3)));
    }

    #[test]
    fn of_too_many_lines_the_newest_are_kept() {
        let line = |key: usize, seconds| Line { key: key.to_string(), seconds, result: json!({}) };
        let mut lines: Vec<Line> = (0..MOST).map(|key| line(key, 1.0)).collect();
        lines.push(line(MOST - 1, 2.0));
        let kept = newest(lines);
        assert_eq!(kept.len(), MOST / 2);
        assert_eq!(kept.last(), Some(&line(MOST - 1, 2.0)));
        assert_eq!(kept[0], line(MOST / 2, 1.0));
    }
}
