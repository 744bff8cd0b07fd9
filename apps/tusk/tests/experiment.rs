//! Studies as people run them: a killed one goes on where it was, and comes to the same counts.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

fn study(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tusk"));
    command.args(["experiment", "branching", "--game", "tzaar", "--json", "--concurrency", "1"]);
    command.args(["--games", "12", "--nodes", "2000", "--seed", "7", "--out"]).arg(out);
    command.env("TUSK_CONFIG", "").stderr(Stdio::null());
    command
}

/// What the study says, but for the summary with its times.
fn rows(output: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(output.to_vec()).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row.get("summary").is_none()).collect()
}

#[test]
fn a_killed_study_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let expected = study(&whole).output().unwrap();
    assert!(expected.status.success());

    let mut child = study(&killed).stdout(Stdio::null()).spawn().unwrap();
    let journal = killed.join("branching.jsonl");
    let kept = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while kept() < 3 && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(&journal).unwrap();

    let again = study(&killed).output().unwrap();
    assert!(again.status.success());
    assert_eq!(rows(&again.stdout), rows(&expected.stdout));
    let after = fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&before), "what was kept stays");
    let mut keys: Vec<String> = after
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .map(|row| row["key"].to_string())
        .collect();
    let count = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!((keys.len(), count), (24, 24), "nothing is done twice");
    for name in ["branching.md", "branching-1.svg"] {
        assert!(killed.join(name).is_file(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_study_that_is_interrupted_says_so_and_ends_with_the_status_of_the_signal() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut child = study(&out).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = out.join("branching.jsonl");
    while !journal.is_file() && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(5));
    }
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    if let Some(mut errors) = child.stderr.take() {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut errors, &mut text).unwrap();
        assert!(text.contains("interrupted; the same command goes on with it"), "{text}");
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
