//! Matches, solves and workers that are interrupted or killed: nothing of them is left, and nothing is lost.
//!
//! `TUSK_LONG` kills them more often: about a thousand times in all.

#![cfg(target_os = "linux")]

mod common;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use common::{Folder, TUSK, is_long, json_lines, processes_with, until};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// A position that is not solved soon.
const HARD: &str = "g [rrrrrrrrhdcmecdh                                HDCMECDHRRRRRRRR]";

/// The signals, by their names and numbers.
const SIGNALS: [(&str, i32); 3] = [("INT", 2), ("TERM", 15), ("HUP", 1)];

/// Tusk, with temporary files in a folder of the test's and no signal ignored, whoever runs the tests.
fn tusk(folder: &Folder, arguments: &[&str]) -> Command {
    let temporary = folder.path("temporary");
    fs::create_dir_all(&temporary).expect("a folder");
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", TUSK]).args(arguments);
    command.env("TMPDIR", temporary).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()), "{signal}");
}

/// A text that is in the command line of no other process.
fn mark(name: &str) -> String {
    format!("tusk-signals-{}-{name}-", std::process::id())
}

/// An engine that starts a process in a session of its own, which would sleep for long.
fn engine_with_a_daemon(mark: &str) -> String {
    let daemon = format!("sleep 1000; : {mark}");
    format!("aei:sh -c 'setsid sh -c \"{daemon}\" & exec \"{TUSK}\" aei --engine random'")
}

/// A bot that is run for each turn, with files.
fn bot_with_files() -> String {
    format!("getmove:'{TUSK}' getmove --engine random --seed 1")
}

/// The names of the files in a folder that are not wanted there.
fn left_in(folder: &Path, prefix: &str) -> Vec<String> {
    let names = fs::read_dir(folder).expect("a folder").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(prefix)).collect()
}

#[test]
fn a_match_that_is_interrupted_ends_all_that_its_engines_have_started() {
    for (signal, number) in SIGNALS {
        let folder = Folder::new(&format!("interrupted-{signal}"));
        let (mark, store) = (mark(signal), folder.path("games.sqlite"));
        let engine = engine_with_a_daemon(&mark);
        let bot = bot_with_files();
        let arguments =
            ["match", &engine, &bot, "--games", "100", "--time", "60s", "--json", "--store"];
        let mut command = tusk(&folder, &arguments);
        let child = command.arg(&store).spawn().expect("tusk starts");
        until("the engine runs, and the bot", || {
            !processes_with(&mark).is_empty()
                && !left_in(&folder.path("temporary"), "tusk-getmove-").is_empty()
        });
        send(signal, &child);
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(128 + number), "{signal}: {errors}");
        assert_eq!(processes_with(&mark), Vec::<String>::new(), "{signal}");
        assert_eq!(left_in(&folder.path("temporary"), ""), Vec::<String>::new(), "{signal}");
        assert!(errors.contains("go on with: tusk match --resume 1"), "{signal}: {errors}");
        // The standing is told, and no game that was given up is in it.
        let rows = json_lines(&output.stdout);
        let (summary, games) = rows.split_last().expect("a summary");
        assert_eq!(summary["games"], games.len(), "{signal}");
        assert!(games.iter().all(|row| row["reason"] != "crash"), "{signal}: {games:?}");
    }
}

#[test]
fn the_daemon_of_an_engine_does_not_outlive_its_match() {
    let folder = Folder::new("daemon");
    let (mark, store) = (mark("daemon"), folder.path("games.sqlite"));
    let engine = engine_with_a_daemon(&mark);
    let arguments = ["match", &engine, "random", "--games", "2", "--depth", "1", "--turns", "3"];
    let status = tusk(&folder, &arguments).arg("--store").arg(&store).status();
    assert!(status.expect("tusk starts").success());
    assert_eq!(processes_with(&mark), Vec::<String>::new());
}

#[test]
fn what_a_killed_match_leaves_is_ended_and_removed_by_the_next_one() {
    let folder = Folder::new("leftovers");
    let (mark, store) = (mark("leftovers"), folder.path("games.sqlite"));
    let (engine, bot) = (engine_with_a_daemon(&mark), bot_with_files());
    let arguments = ["match", &engine, &bot, "--games", "100", "--time", "60s", "--store"];
    let mut command = tusk(&folder, &arguments);
    let mut child = command.arg(&store).spawn().expect("tusk starts");
    until("the engine runs, and the bot", || {
        !processes_with(&mark).is_empty()
            && !left_in(&folder.path("temporary"), "tusk-getmove-").is_empty()
    });
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
    let arguments = ["match", "random", "random", "--games", "2", "--depth", "1", "--store"];
    let status = tusk(&folder, &arguments).arg(folder.path("other.sqlite")).status();
    assert!(status.expect("tusk starts").success());
    assert_eq!(processes_with(&mark), Vec::<String>::new());
    assert_eq!(left_in(&folder.path("temporary"), ""), Vec::<String>::new());
}

/// How much processor time a process has used, in ticks.
fn ticks(child: &Child) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    fields.split_whitespace().nth(11).and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}

#[test]
fn a_solve_that_is_interrupted_keeps_its_search() {
    for (signal, number) in SIGNALS {
        let folder = Folder::new(&format!("solve-{signal}"));
        let save = folder.path("hard.search");
        let save = save.to_str().expect("a name");
        let arguments = ["solve", HARD, "--time", "10m", "--memory", "16MiB", "--save", save];
        let child = tusk(&folder, &arguments).spawn().expect("tusk starts");
        until("it searches", || ticks(&child) > 50);
        send(signal, &child);
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(128 + number), "{signal}: {errors}");
        assert!(errors.contains("--continue"), "{signal}: {errors}");
        assert_can_go_on(&folder, save);
    }
}

/// Checks that a search that was kept is whole.
fn assert_can_go_on(folder: &Folder, save: &str) {
    let arguments = ["solve", HARD, "--nodes", "1", "--memory", "16MiB", "--continue", save];
    let output = tusk(folder, &arguments).output().expect("tusk starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

fn rounds() -> usize {
    if is_long() { 340 } else { 5 }
}

/// Any moment of the first while, and any signal.
fn interrupt_by_chance(child: Child, longest: u64, rng: &mut ChaCha8Rng) -> (Vec<Value>, bool) {
    thread::sleep(Duration::from_millis(rng.random_range(1..longest)));
    let signal = ["INT", "TERM", "KILL"][rng.random_range(0..3)];
    send(signal, &child);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    let rows = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    (rows, signal == "KILL")
}

/// A tournament of programs, all of whose games were played when this returns. It is run again and again, and each run
/// but the last one is interrupted.
fn play_with_interruptions(name: &str, arguments: impl Fn(&str, &str) -> Vec<String>) {
    const GAMES: usize = 6;
    let folder = Folder::new(name);
    let mark = mark(name);
    let (engine, bot) = (engine_with_a_daemon(&mark), bot_with_files());
    let file = folder.write(
        "tournament.toml",
        &format!(
            "games = {GAMES}\ndepth = 1\nturns = 6\n\
             [[engine]]\nname = \"a\"\nengine = '''{engine}'''\n\
             [[engine]]\nname = \"b\"\nengine = '''{bot}'''\n"
        ),
    );
    let store = folder.path("games.sqlite");
    let (file, store) = (file.to_str().expect("a name"), store.to_str().expect("a name"));
    let scheduled = ["tournament", file, "--store", store, "--schedule-only"];
    assert!(tusk(&folder, &scheduled).status().expect("tusk starts").success());
    let arguments = arguments(file, store);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut told: Vec<Value> = Vec::new();
    let mut was_killed = false;
    for _ in 0..rounds() {
        let child = tusk(&folder, &arguments).spawn().expect("tusk starts");
        let (rows, is_killed) = interrupt_by_chance(child, 1500, &mut rng);
        told.extend(rows);
        if !was_killed && !is_killed {
            assert_eq!(processes_with(&mark), Vec::<String>::new());
        }
        was_killed = is_killed;
    }
    let last = tusk(&folder, &arguments).output().expect("tusk starts");
    let errors = String::from_utf8_lossy(&last.stderr);
    assert!(last.status.success(), "{errors}");
    told.extend(json_lines(&last.stdout));
    // Where all was played before, the last run had nothing to do.
    let one_more = ["match", "random", "random", "--games", "1", "--depth", "1", "--store"];
    let other = tusk(&folder, &one_more).arg(folder.path("other.sqlite")).status();
    assert!(other.expect("tusk starts").success());
    assert_eq!(processes_with(&mark), Vec::<String>::new());
    assert_eq!(left_in(&folder.path("temporary"), ""), Vec::<String>::new());
    let kept = ["games", "1", "--as", "json", "--store", store];
    let kept = tusk(&folder, &kept).output().expect("tusk starts");
    let kept = json_lines(&kept.stdout);
    assert_eq!(kept.len(), GAMES);
    assert!(kept.iter().all(|row| row["reason"] == "limit"), "{kept:?}");
    for row in told.iter().filter(|row| row["summary"].is_null()) {
        let same = kept.iter().find(|other| other["game"] == row["game"]).expect("it is kept");
        assert_eq!(same["seconds"], row["seconds"], "a game that was told stays");
    }
}

#[test]
fn a_tournament_that_is_interrupted_by_chance_loses_no_game_and_leaves_nothing() {
    play_with_interruptions("chance", |file, store| {
        ["tournament", file, "--store", store, "--json", "--concurrency", "2"]
            .map(str::to_string)
            .to_vec()
    });
}

#[test]
fn workers_that_are_interrupted_by_chance_lose_no_game_and_leave_nothing() {
    play_with_interruptions("worker", |_, store| {
        let allowed = [engine_with_a_daemon(&mark("worker")), bot_with_files()];
        let mut arguments = ["worker", "--store", store, "--json", "--concurrency", "2"]
            .map(str::to_string)
            .to_vec();
        arguments.extend(allowed.iter().flat_map(|engine| ["--allow".to_string(), engine.clone()]));
        arguments
    });
}

#[test]
fn solves_that_are_interrupted_by_chance_leave_a_whole_search_or_none() {
    let folder = Folder::new("solves");
    let save = folder.path("hard.search");
    let name = save.to_str().expect("a name");
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..rounds() {
        // It ends by itself after a while and writes its file then, or a little later.
        let mut arguments =
            vec!["solve", HARD, "--time", "300ms", "--memory", "16MiB", "--save", name];
        if save.exists() {
            arguments.extend(["--continue", name]);
        }
        let child = tusk(&folder, &arguments).spawn().expect("tusk starts");
        interrupt_by_chance(child, 900, &mut rng);
        if save.exists() {
            assert_can_go_on(&folder, name);
        }
    }
    let arguments = ["solve", HARD, "--time", "10ms", "--memory", "16MiB", "--save", name];
    assert!(tusk(&folder, &arguments).status().expect("tusk starts").success());
    assert_can_go_on(&folder, name);
    let place = save.parent().expect("a folder");
    assert_eq!(left_in(place, ".tusk-"), Vec::<String>::new());
}
