//! What engines have found, kept so that nothing is computed twice: in memory, and as lines of a file.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// More results are not kept in memory; what comes later is found anew each time.
const MOST: usize = 20_000;

/// A file that has grown beyond this is begun anew, in bytes.
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

/// The results so far.
#[derive(Debug, Default)]
pub struct Results {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    known: HashMap<String, (f64, Value)>,
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

    /// What is known, and how long it was searched for.
    pub fn get(&self, key: &str) -> Option<(f64, Value)> {
        self.state().known.get(key).cloned()
    }

    /// Keeps a result, unless a longer search has found one.
    pub fn put(&self, key: &str, seconds: f64, result: &Value) {
        let mut state = self.state();
        if state.known.get(key).is_some_and(|(known, _)| *known >= seconds) {
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
    /// Reads the lines of a file, and returns it to be written on. Lines that are damaged are left out.
    fn read(&mut self, path: &Path) -> std::io::Result<File> {
        let is_large = fs::metadata(path).is_ok_and(|data| data.len() > LARGEST);
        if !is_large && let Ok(file) = File::open(path) {
            for line in BufReader::new(file).lines() {
                if let Ok(line) = serde_json::from_str(&line?) {
                    self.add(line);
                }
            }
        }
        let mut options = OpenOptions::new();
        options.create(true);
        if is_large {
            options.write(true).truncate(true)
        } else {
            options.append(true)
        };
        options.open(path)
    }

    fn add(&mut self, Line { key, seconds, result }: Line) {
        if self.known.len() < MOST || self.known.contains_key(&key) {
            self.known.insert(key, (seconds, result));
        }
    }
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
        assert_eq!(results.get("a"), Some((2.0, json!(2))));
        assert_eq!(results.get("b"), Some((1.0, json!({ "turn": "Ee2n" }))));
        assert_eq!(results.get("c"), None);
        results.put("a", 3.0, &json!(3));
        assert_eq!(open().get("a"), Some((3.0, json!(3))));
    }
}
