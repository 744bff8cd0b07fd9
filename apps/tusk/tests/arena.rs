//! Matches and tournaments as people run them: engines that misbehave, processes that are killed,
//! two databases.
//!
//! `TUSK_LONG` runs the lengths that the figures in the documentation come from.

mod common;

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use common::{Folder, Postgres, TUSK, is_long, json_lines, plain_python, processes_with};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Runs a match to its end, and returns the rows of its games, by number, and its summary.
fn play(store: &Path, arguments: &[&str]) -> (Vec<Value>, Value) {
    let Played { rows, summary, status, errors } = play_whatever_comes(store, arguments);
    assert_eq!(status, Some(0), "{arguments:?}: {errors}");
    (rows, summary)
}

/// What a match said and how it ended.
struct Played {
    rows: Vec<Value>,
    summary: Value,
    status: Option<i32>,
    errors: String,
}

/// Runs a match that may end badly.
fn play_whatever_comes(store: &Path, arguments: &[&str]) -> Played {
    let output = Command::new(TUSK)
        .args(["match", "--json", "--store"])
        .arg(store)
        .args(arguments)
        .output()
        .expect("tusk starts");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut rows = json_lines(&output.stdout);
    let summary = rows.pop().unwrap_or_else(|| panic!("a summary: {errors}"));
    assert_eq!(summary["summary"], true);
    // They are told as they end.
    rows.sort_by_key(|row| row["game"].as_i64());
    Played { rows, summary, status: output.status.code(), errors }
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
];

#[test]
fn each_failure_is_told_apart_and_an_engine_that_always_fails_is_given_up() {
    let python = plain_python();
    let folder = Folder::new("mischief");
    thread::scope(|scope| {
        for (mode, reason) in MISCHIEF {
            let (python, store) = (&python, folder.path(&format!("{mode}.sqlite")));
            scope.spawn(move || {
                let mark = format!("tusk-match-{}-{mode}-", std::process::id());
                let mock = mock(python, mode, &mark);
                // Only what is about time has a clock: on a busy machine, others would be late.
                let clock = match *mode {
                    "hang" => ("--time", "5s"),
                    "late" => ("--time", "500ms"),
                    _ => ("--depth", "1"),
                };
                let arguments =
                    [&mock, "random", "--games", "40", clock.0, clock.1, "--concurrency", "2"];
                let Played { rows, summary, status, errors } =
                    play_whatever_comes(&store, &arguments);
                // Two games are played at a time: one more may end meanwhile.
                assert!((4..=5).contains(&rows.len()), "{mode}: {rows:?}");
                assert_eq!(status, Some(1), "{mode}");
                assert!(errors.contains(&format!("error: {mock} failed in all ")), "{errors}");
                for row in &rows {
                    assert_eq!(row["reason"], *reason, "{mode}: {row}");
                    assert_eq!(row["winner"], "random", "{mode}: {row}");
                }
                assert_eq!(summary["losses"], rows.len(), "{mode}");
                assert_eq!(summary["failures"], rows.len(), "{mode}");
                assert_eq!(processes_with(&mark), Vec::<String>::new(), "{mode}");
            });
        }
    });
}

#[test]
fn engines_that_will_not_end_are_ended() {
    let python = plain_python();
    let folder = Folder::new("stubborn");
    for mode in ["stubborn", "family", "none", "bytes"] {
        let mark = format!("tusk-match-{}-{mode}-", std::process::id());
        let mock = mock(&python, mode, &mark);
        let store = folder.path(&format!("{mode}.sqlite"));
        // Without a clock nobody is late, however busy the machine is.
        let arguments = [&mock, "random", "--games", "2", "--depth", "1", "--turns", "6"];
        let (rows, _) = play(&store, &arguments);
        assert!(rows.iter().all(|row| row["reason"] == "limit"), "{mode}: {rows:?}");
        assert_eq!(processes_with(&mark), Vec::<String>::new(), "{mode}");
    }
}

#[test]
fn an_engine_may_give_up() {
    let python = plain_python();
    let folder = Folder::new("resign");
    let mock = mock(&python, "resign", "tusk-match-resign");
    let arguments = [&mock, "random", "--games", "1", "--depth", "1"];
    let (rows, _) = play(&folder.path("games.sqlite"), &arguments);
    assert_eq!((&rows[0]["reason"], &rows[0]["winner"]), (&"resignation".into(), &"random".into()));
}

/// An engine that plays by chance until its mischief, at the third turn that it is asked for.
fn mock(python: &Path, mode: &str, mark: &str) -> String {
    let (python, script) = (python.display(), test_support::mock_engine());
    let script = script.display();
    format!("aei:'{python}' '{script}' {mode} --at 3 --mark {mark} -- '{TUSK}' aei --engine random")
}

#[test]
fn an_engine_that_does_not_start_ends_the_match_before_any_game() {
    let folder = Folder::new("nothing");
    let mut engines: Vec<String> =
        ["aei:/nowhere/to/be/found", "getmove:/nowhere/to/be/found", "aei:true", "aei:cat"]
            .map(str::to_string)
            .to_vec();
    let python = plain_python();
    engines.extend(["dies", "stranger"].map(|mode| mock(&python, mode, "tusk-match-absent")));
    for engine in &engines {
        let arguments = ["random", engine, "--depth", "1", "--sprt", "0,10"];
        let Played { rows, summary, status, errors } =
            play_whatever_comes(&folder.path("a.sqlite"), &arguments);
        assert_eq!(rows, Vec::<Value>::new(), "{engine}");
        assert_eq!((&summary["games"], &summary["wins"]), (&0.into(), &0.into()), "{engine}");
        assert_ne!(summary["verdict"], "accepts H1");
        assert_eq!(status, Some(1), "{engine}");
        assert!(errors.contains(&format!("error: {engine} does not start: ")), "{errors}");
    }
}

#[test]
fn a_quotation_mark_that_is_not_closed_is_an_error_of_the_command_line() {
    let folder = Folder::new("quote");
    let store = folder.path("games.sqlite");
    let output = Command::new(TUSK)
        .args(["match", "random", "aei:./bot 'my engine", "--depth", "1", "--store"])
        .arg(&store)
        .output()
        .expect("tusk starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("./bot 'my engine") && errors.contains("quote closed"), "{errors}");
    assert!(!store.exists(), "nothing is written");
}

#[test]
fn a_failure_now_and_then_is_told_and_is_no_evidence() {
    let python = plain_python();
    let folder = Folder::new("unreliable");
    // Each process fails at its tenth turn: in every second game, since a game has five for each side.
    let mock = mock(&python, "illegal", "tusk-match-unreliable").replace("--at 3", "--at 10");
    let arguments = ["random", &mock, "--games", "8", "--depth", "1", "--turns", "6"];
    let options = ["--openings", "setups", "--concurrency", "1", "--sprt", "0,100"];
    let play = |store: &str, more: &[&str]| {
        let arguments = [&arguments[..], &options, more].concat();
        let played = play_whatever_comes(&folder.path(store), &arguments);
        assert_eq!(played.status, Some(1), "{}", played.errors);
        played
    };
    let apart = play("apart.sqlite", &[]);
    let reasons: Vec<&Value> = apart.rows.iter().map(|row| &row["reason"]).collect();
    assert_eq!(reasons, ["limit", "illegal"].repeat(4));
    assert_eq!(apart.summary["opponent_failures"], 4);
    assert_eq!(apart.summary["llr"], 0.0, "{}", apart.summary);
    let counted = play("counted.sqlite", &["--count-failures"]);
    assert!(counted.summary["llr"].as_f64() > Some(0.0), "{}", counted.summary);
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

/// Kills a process as soon as it has printed this many games; returns all that it printed.
fn killed_after(mut child: Child, games: usize) -> Vec<Value> {
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut text: Vec<String> =
        lines.by_ref().take(games).map(|line| line.expect("text")).collect();
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
    text.extend(lines.map_while(Result::ok));
    text.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
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
        let games = rng.random_range(0..if is_long() { 15 } else { 4 });
        told.extend(killed_after(start(&arguments), games));
    }
    let last = told_by(start(&arguments));
    assert_eq!(last.last().expect("a summary")["summary"], true);
    told.extend(last);
    assert_all_played_once(&told, &kept(store));
}

#[test]
#[ignore = "needs PostgreSQL"]
fn postgres_workers_that_are_killed_in_turn_lose_no_game_and_play_none_twice() {
    let postgres = Postgres::start();
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
        let killed = std::mem::replace(&mut workers[round % 3], start(&arguments));
        told.extend(killed_after(killed, if is_long() { 10 } else { 2 }));
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
    let games = ["match", "tusk", "zhong", "--time", "10m", "--store", store];
    let mut first =
        Command::new(TUSK).args(games).stderr(Stdio::piped()).spawn().expect("tusk starts");
    // The match has its number as soon as it has the store.
    let mut line = String::new();
    let mut errors = BufReader::new(first.stderr.take().expect("a pipe"));
    errors.read_line(&mut line).expect("a line");
    let second = Command::new(TUSK).args(games).output().expect("tusk starts");
    first.kill().expect("it is ours");
    first.wait().expect("it ends");
    assert!(line.starts_with("match 1;"), "{line}");
    let errors = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(1), "{errors}");
    assert!(errors.contains("is in use by another match"), "{errors}");
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

/// A store with a match in it, as people leave it behind.
fn store_with_a_match(folder: &Folder) -> std::path::PathBuf {
    let store = folder.path("games.sqlite");
    play(&store, &TWO_GAMES);
    store
}

/// What a verb says about a store that it refuses.
fn refusal(verb: &[&str], store: &Path) -> String {
    let output = Command::new(TUSK).args(verb).arg("--store").arg(store).output();
    let output = output.expect("tusk starts");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{verb:?}: {errors}");
    assert!(errors.starts_with("error: ") && !errors.contains("pool timed out"), "{errors}");
    errors
}

const TWO_GAMES: [&str; 8] = ["random", "random", "--games", "2", "--depth", "1", "--seed", "1"];

const MATCH: [&str; 5] = ["match", "random", "random", "--depth", "1"];

#[test]
fn a_store_that_is_cut_off_is_refused_with_its_reason() {
    let folder = Folder::new("cut");
    let store = store_with_a_match(&folder);
    let whole = std::fs::read(&store).expect("the store");
    for length in [50, 100, 3000] {
        std::fs::write(&store, &whole[..length]).expect("it is ours");
        for verb in [&["games"][..], &MATCH] {
            let told = refusal(verb, &store);
            assert!(told.contains("games.sqlite cannot be opened: "), "{length} bytes: {told}");
        }
    }
}

#[test]
fn a_store_that_can_only_be_read_is_read_and_not_written_to() {
    use std::os::unix::fs::PermissionsExt;
    // Root may write everywhere, so that it becomes another user, who must reach folder and program.
    let folder = tempfile::tempdir().expect("a folder");
    let (place, program) = (folder.path(), folder.path().join("tusk"));
    let store = place.join("games.sqlite");
    play(&store, &TWO_GAMES);
    std::fs::copy(TUSK, &program).expect("a copy");
    let mode = |path: &Path, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, permissions).expect("it is ours");
    };
    let tusk = |arguments: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
        if !common::is_root() {
            command = Command::new(&program);
        }
        command.args(arguments).arg("--store").arg(&store).output().expect("tusk starts")
    };
    mode(&store, 0o444);
    for of_folder in [0o555, 0o777] {
        mode(place, of_folder);
        let listed = tusk(&["games", "--json"]);
        let errors = String::from_utf8_lossy(&listed.stderr);
        assert!(listed.status.success(), "{of_folder:o}: {errors}");
        assert_eq!(json_lines(&listed.stdout)[0]["games"], 2);
        assert!(tusk(&["games", "1"]).status.success());
        assert_eq!(json_lines(&tusk(&["games", "1", "--as", "json"]).stdout).len(), 2);
        let refused = tusk(&MATCH);
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{errors}");
        assert!(errors.contains("cannot be opened: ") && !errors.contains("timed out"), "{errors}");
    }
    mode(place, 0o777);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn postgres_a_worker_whose_database_is_gone_says_so_and_gives_up_after_a_while() {
    let postgres = Postgres::start();
    let folder = Folder::new("gone");
    let (file, store) = (tournament(&folder), postgres.url());
    let file = file.to_str().expect("a name");
    let scheduled = ["tournament", file, "--store", &store, "--schedule-only"];
    assert!(Command::new(TUSK).args(scheduled).status().expect("tusk starts").success());
    let mut worker = Command::new(TUSK);
    worker.args(["worker", "--store", &store, "--concurrency", "2", "--json"]);
    let mut worker =
        worker.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tusk starts");
    let mut first = String::new();
    let mut told = BufReader::new(worker.stdout.take().expect("a pipe"));
    told.read_line(&mut first).expect("a game");
    postgres.stop();
    let reader =
        thread::spawn(move || std::io::Read::read_to_string(&mut told, &mut String::new()));
    let output = worker.wait_with_output().expect("it ends");
    let _ = reader.join();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("trying again for 2"), "{errors}");
    assert!(errors.contains("error: "), "{errors}");
}

#[test]
fn a_worker_runs_no_program_that_its_own_command_line_does_not_allow() {
    let folder = Folder::new("allow");
    let proof = folder.path("it-ran");
    let program =
        format!("aei:sh -c 'touch \"{}\"; exec \"{TUSK}\" aei --engine random'", proof.display());
    let text = format!(
        "games = 2\ndepth = 1\nturns = 3\n[[engine]]\nengine = \"random\"\n\
         [[engine]]\nname = \"other\"\nengine = \"random\"\n\
         [[engine]]\nname = \"program\"\nengine = '''{program}'''\n"
    );
    let (file, store) = (folder.write("plan.toml", &text), folder.path("games.sqlite"));
    let (file, store) = (file.to_str().expect("a name"), store.to_str().expect("a name"));
    let scheduled = ["tournament", file, "--store", store, "--schedule-only"];
    assert!(Command::new(TUSK).args(scheduled).status().expect("tusk starts").success());
    let work = |more: &[&str]| {
        let mut worker = Command::new(TUSK);
        let output = worker.args(["worker", "--store", store, "--json"]).args(more).output();
        let output = output.expect("tusk starts");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        let games =
            json_lines(&output.stdout).iter().filter(|row| row["summary"].is_null()).count();
        (games, errors)
    };
    let (games, errors) = work(&["--allow", "aei:sh"]);
    assert_eq!(games, 2, "those without the program are played");
    assert!(errors.contains("may not run here"), "{errors}");
    assert!(!proof.exists());
    let (games, _) = work(&["--allow", &program]);
    assert_eq!(games, 4);
    assert!(proof.exists());
}
