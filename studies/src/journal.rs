//! What an experiment has found so far, a line each, so that a killed run goes on where it was.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use learn::json_lines::JsonLines;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Results by their keys, in a file or, without one, in memory.
pub struct Journal {
    /// What the results depend on: rows of other runs do not count.
    run: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: HashMap<String, Value>,
    file: Option<JsonLines>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    run: String,
    key: String,
    value: Value,
}

impl Journal {
    /// A journal that ends with the program.
    pub fn in_memory() -> Journal {
        Journal { run: String::new(), state: Mutex::default() }
    }

    /// The journal of a file, which is made if it is missing. A last line that was cut off is left out.
    pub fn open(path: &Path, run: String) -> anyhow::Result<Journal> {
        let (file, rows) =
            JsonLines::open::<Row>(path).with_context(|| path.display().to_string())?;
        let rows = rows.into_iter();
        let known = rows.filter(|row| row.run == run).map(|row| (row.key, row.value)).collect();
        Ok(Journal { run, state: Mutex::new(State { known, file: Some(file) }) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known under a key.
    pub fn find(&self, key: &str) -> Option<Value> {
        self.state().known.get(key).cloned()
    }

    /// Keeps a result.
    pub fn keep(&self, key: &str, value: Value) -> anyhow::Result<()> {
        let mut state = self.state();
        if let Some(file) = &mut state.file {
            let row = Row { run: self.run.clone(), key: key.to_string(), value: value.clone() };
            file.append(&row).context("the journal of the experiment")?;
        }
        state.known.insert(key.to_string(), value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write as _;

    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_kept_is_found_again_but_not_by_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let open = |run: &str| Journal::open(&path, run.to_string()).unwrap();
        open("one").keep("a", json!([1, 2.5])).unwrap();
        open("two").keep("b", json!("c")).unwrap();
        assert_eq!(open("one").find("a"), Some(json!([1, 2.5])));
        assert_eq!(open("one").find("b"), None);
        assert_eq!(open("two").find("b"), Some(json!("c")));
    }

    #[test]
    fn a_line_that_was_cut_off_is_left_out_and_the_next_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let open = || Journal::open(&path, "run".to_string()).unwrap();
        open().keep("a", json!(1)).unwrap();
        let mut file = File::options().append(true).open(&path).unwrap();
        write!(file, "{{\"run\":\"run\",\"key\":\"b\"").unwrap();
        open().keep("c", json!(3)).unwrap();
        let found = ["a", "b", "c"].map(|key| open().find(key));
        assert_eq!(found, [Some(json!(1)), None, Some(json!(3))]);
    }
}
