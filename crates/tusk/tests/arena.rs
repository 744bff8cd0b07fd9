//! Matches and tournaments as people run them: engines that misbehave, processes that are killed,
//! two databases.
//!
//! `TUSK_LONG` runs the lengths that the figures in the documentation come from.

mod common;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{Folder, Postgres, TUSK, is_long, json_lines, processes_with, python};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Runs a match to its end, and returns the rows of its games, by number, and its summary.
fn play(store: &Path, arguments: &[&str]) -> (Vec<Value>, Value) {
    let output = Command::new(TUSK)
        .args(["match", "--json", "--store"])
        .arg(store)
        .args(arguments)
        .output()
        .expect("tusk starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    let mut rows = json_lines(&output.stdout);
    let summary = rows.pop().expect("a summary");
    assert_eq!(summary["summary"], true);
    // They are told as they end.
    rows.sort_by_key(|row| row["game"].as_i64());
    (rows, summary)
}

/// What a mock engine does, and what it must be called.
const MISCHIEF: &[(&str, &str)] = &[
    ("crash", "crash"),
    ("signal", "crash"),
    ("closes", "crash"),
    ("hang", "hang"),
    ("late", "late"),
    ("illegal", "illegal"),
    ("empty", "protocol"),
    ("garbage", "protocol"),
    ("flood", "protocol"),
    ("endless", "protocol"),
    ("dies", "start"),
    ("stranger", "start"),
];

#[test]
fn each_failure_is_told_apart_and_the_match_goes_on() {
    let Some(python) = python() else { return };
    let folder = Folder::new("mischief");
    thread::scope(|scope| {
        for (mode, reason) in MISCHIEF {
            let (python, store) = (&python, folder.path(&format!("{mode}.sqlite")));
            scope.spawn(move || {
                let mark = format!("tusk-match-{}-{mode}-", std::process::id());
                let mock = mock(python, mode, &mark);
                let arguments =
                    [&mock, "random", "--games", "4", "--time", "500ms", "--concurrency", "2"];
                let (rows, summary) = play(&store, &arguments);
                assert_eq!(rows.len(), 4, "{mode}");
                for row in &rows {
                    assert_eq!(row["reason"], *reason, "{mode}: {row}");
                    assert_eq!(row["winner"], "random", "{mode}: {row}");
                }
                assert_eq!(summary["losses"], 4, "{mode}");
                assert_eq!(processes_with(&mark), Vec::<String>::new(), "{mode}");
            });
        }
    });
}

#[test]
fn engines_that_will_not_end_are_ended() {
    let Some(python) = python() else { return };
    let folder = Folder::new("stubborn");
    for mode in ["stubborn", "family", "none", "bytes"] {
        let mark = format!("tusk-match-{}-{mode}-", std::process::id());
        let mock = mock(&python, mode, &mark);
        let store = folder.path(&format!("{mode}.sqlite"));
        let arguments = [&mock, "random", "--games", "2", "--time", "2s", "--turns", "6"];
        let (rows, _) = play(&store, &arguments);
        assert!(rows.iter().all(|row| row["reason"] == "limit"), "{mode}: {rows:?}");
        assert_eq!(processes_with(&mark), Vec::<String>::new(), "{mode}");
    }
}

#[test]
fn an_engine_may_give_up() {
    let Some(python) = python() else { return };
    let folder = Folder::new("resign");
    let mock = mock(&python, "resign", "tusk-match-resign");
    let arguments = [&mock, "random", "--games", "1", "--time", "2s"];
    let (rows, _) = play(&folder.path("games.sqlite"), &arguments);
    assert_eq!((&rows[0]["reason"], &rows[0]["winner"]), (&"resignation".into(), &"random".into()));
}

/// An engine that plays by chance until its mischief, at the third turn that it is asked for.
fn mock(python: &Path, mode: &str, mark: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../workbench/tests/mock_engine.py");
    let python = python.display();
    format!("aei:'{python}' '{script}' {mode} --at 3 --mark {mark} -- '{TUSK}' aei --engine random")
}

#[test]
fn a_program_that_is_not_there_loses_by_its_start() {
    let folder = Folder::new("nothing");
    for command in ["aei:/nowhere/to/be/found", "getmove:/nowhere/to/be/found"] {
        let (rows, _) =
            play(&folder.path("a.sqlite"), &[command, "random", "--games", "2", "--depth", "1"]);
        assert!(rows.iter().all(|row| row["reason"] == "start"), "{command}: {rows:?}");
    }
}

#[test]
fn an_engine_plays_the_same_in_this_process_in_another_and_by_the_older_interface() {
    let folder = Folder::new("processes");
    let games = |engine: &str, name: &str| {
        let limits = ["--games", "2", "--nodes", "300", "--seed", "5", "--openings", "setups"];
        let arguments = [&[engine, "beginner random_margin=0"][..], &limits].concat();
        let (rows, _) = play(&folder.path(name), &arguments);
        rows.iter().map(|row| (row["turns"].clone(), row["reason"].clone())).collect::<Vec<_>>()
    };
    let inside = games("tusk threads=1", "inside.sqlite");
    assert_eq!(games("process:tusk threads=1", "process.sqlite"), inside);
    let getmove = format!("getmove:'{TUSK}' getmove --engine random --seed 1");
    assert!(games(&getmove, "getmove.sqlite").iter().all(|(_, reason)| reason != "protocol"));
}

/// A tournament whose games take some tenths of a second.
const TOURNAMENT: &str = r#"
name = "killed"
nodes = 1500
seed = 3
openings = "setups"
[[engine]]
engine = "tusk"
[[engine]]
engine = "zhong"
[[engine]]
engine = "beginner"
[[engine]]
engine = "random"
"#;

/// Games that two play who meet: six meetings make 200 games or so at full length.
fn games_each() -> u32 {
    if is_long() { 34 } else { 8 }
}

fn tournament(folder: &Folder) -> std::path::PathBuf {
    folder.write("killed.toml", &format!("games = {}\n{TOURNAMENT}", games_each()))
}

/// What was printed before a process was killed: its last line may be cut.
fn told_by(child: Child) -> Vec<Value> {
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(TUSK);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().expect("tusk starts")
}

/// Checks that every game was finished once, and that nothing that was told has changed.
fn assert_all_played_once(told: &[Value], kept: &[Value]) {
    let count = 6 * games_each() as usize;
    let kept: BTreeMap<i64, &Value> =
        kept.iter().map(|row| (row["game"].as_i64().expect("a number"), row)).collect();
    assert_eq!(kept.keys().copied().collect::<Vec<_>>(), (1..=count as i64).collect::<Vec<_>>());
    let mut seen = HashMap::new();
    for row in told.iter().filter(|row| row["summary"].is_null()) {
        let number = row["game"].as_i64().expect("a number");
        assert_eq!(seen.insert(number, row), None, "game {number} was played twice");
        // A game that was played again would have taken another time.
        assert_eq!(row["seconds"], kept[&number]["seconds"], "game {number}");
        assert_eq!(row["winner"], kept[&number]["winner"], "game {number}");
    }
    assert!(seen.len() >= count / 2, "most games are told: {}", seen.len());
}

/// The games of the only event of a store.
fn kept(store: &str) -> Vec<Value> {
    let output = Command::new(TUSK)
        .args(["games", "1", "--as", "json", "--store", store])
        .output()
        .expect("tusk starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    json_lines(&output.stdout)
}

#[test]
fn a_tournament_that_is_killed_ten_times_ends_with_each_game_played_once() {
    let folder = Folder::new("killed");
    let (file, store) = (tournament(&folder), folder.path("games.sqlite"));
    let (file, store) = (file.to_str().expect("a name"), store.to_str().expect("a name"));
    let arguments = ["tournament", file, "--store", store, "--concurrency", "2", "--json"];
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut told = Vec::new();
    for _ in 0..10 {
        let mut child = start(&arguments);
        let longest = if is_long() { 3000 } else { 600 };
        thread::sleep(Duration::from_millis(rng.random_range(5..longest)));
        child.kill().expect("it is ours");
        told.extend(told_by(child));
    }
    let last = told_by(start(&arguments));
    assert_eq!(last.last().expect("a summary")["summary"], true);
    told.extend(last);
    assert_all_played_once(&told, &kept(store));
}

#[test]
fn workers_that_are_killed_in_turn_lose_no_game_and_play_none_twice() {
    let Some(postgres) = Postgres::start() else { return };
    let folder = Folder::new("workers");
    let (file, store) = (tournament(&folder), postgres.url());
    let file = file.to_str().expect("a name");
    let scheduled = Command::new(TUSK)
        .args(["tournament", file, "--store", &store, "--schedule-only"])
        .status()
        .expect("tusk starts");
    assert!(scheduled.success());
    let arguments = ["worker", "--store", &store, "--concurrency", "1", "--lease", "2s", "--json"];
    let mut workers: Vec<Child> = (0..3).map(|_| start(&arguments)).collect();
    let mut told = Vec::new();
    for round in 0..6 {
        thread::sleep(Duration::from_millis(if is_long() { 3000 } else { 400 }));
        let mut killed = std::mem::replace(&mut workers[round % 3], start(&arguments));
        killed.kill().expect("it is ours");
        told.extend(told_by(killed));
    }
    // They bear with the database, too.
    postgres.restart();
    for worker in workers {
        told.extend(told_by(worker));
    }
    assert_all_played_once(&told, &kept(&store));
}

#[test]
fn a_store_that_is_played_with_is_not_played_with_by_another() {
    let folder = Folder::new("in-use");
    let store = folder.path("games.sqlite");
    let store = store.to_str().expect("a name");
    let games = ["match", "tusk", "zhong", "--time", "2s", "--store", store];
    let mut first = start(&games);
    let refused = || {
        let second = Command::new(TUSK).args(games).output().expect("tusk starts");
        let told = String::from_utf8_lossy(&second.stderr).into_owned();
        (second.status.code() == Some(1) && told.contains("is in use by another match"))
            .then_some(())
    };
    // Until the first one has the store, the second one may get it: it is then the first that is refused.
    thread::sleep(Duration::from_secs(2));
    let refused = refused();
    first.kill().expect("it is ours");
    first.wait().expect("it ends");
    assert_eq!(refused, Some(()));
}

#[test]
fn a_test_ends_a_match_as_soon_as_it_is_decided() {
    let folder = Folder::new("sprt");
    let arguments = ["tusk", "random", "--nodes", "200", "--sprt", "0,200", "--seed", "1"];
    let (rows, summary) = play(&folder.path("games.sqlite"), &arguments);
    assert_eq!(summary["verdict"], "accepts H1");
    assert!(summary["llr"].as_f64().expect("a number") > 2.94);
    assert!(rows.len() < 200, "{}", rows.len());
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let folder = Folder::new("seed");
    let games = |name: &str| {
        let arguments = [
            "tusk",
            "beginner",
            "--nodes",
            "400",
            "--games",
            "4",
            "--seed",
            "9",
            "--openings",
            "random:2",
        ];
        let (rows, _) = play(&folder.path(name), &arguments);
        let facts =
            |row: &Value| ["game", "opening", "winner", "turns"].map(|name| row[name].clone());
        rows.iter().map(facts).collect::<Vec<_>>()
    };
    assert_eq!(games("one.sqlite"), games("two.sqlite"));
}
