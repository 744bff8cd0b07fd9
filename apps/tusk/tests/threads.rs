//! Where the system refuses threads, fewer do the work and a warning says so. A library that is preloaded stands for
//! the system: limits such as `ulimit -u` do not bind root.

#![cfg(target_os = "linux")]

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{Folder, TUSK};

const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

const WARNING: &str = "warning: the system started ";

/// The library that refuses threads, built with the C compiler that Rust links with.
fn library(folder: &Folder) -> PathBuf {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/refuse_threads.c");
    let library = folder.path("refuse_threads.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).args([source, "-ldl"]);
    assert!(compiler.status().expect("there is a C compiler").success());
    library
}

/// Runs Tusk with these lines of input, where the system starts a limited number of threads.
fn with_threads(library: &Path, threads: usize, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(TUSK);
    command.args(arguments).env("LD_PRELOAD", library).env("THREADS", threads.to_string());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("tusk runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs Tusk where the system starts a limited number of threads; it succeeds, and warns once.
fn warned(library: &Path, threads: usize, arguments: &[&str], input: &str) -> String {
    let output = with_threads(library, threads, arguments, input);
    let errors = words(&output.stderr);
    assert!(output.status.success(), "{threads} threads, {arguments:?}: {errors}");
    assert_eq!(errors.matches(WARNING).count(), 1, "{threads} threads, {arguments:?}: {errors}");
    words(&output.stdout)
}

#[test]
fn a_search_goes_on_with_the_threads_that_it_gets() {
    let folder = Folder::new("few-threads");
    let library = library(&folder);
    for arguments in [
        &["move", START, "--nodes", "5000"][..],
        &["move", START, "--nodes", "5000", "--set", "parallel=1"],
        &["move", START, "--nodes", "500", "--engine", "mcts"],
        &["move", START, "--nodes", "500", "--engine", "mcts", "--set", "parallel=1"],
        &["move", START, "--nodes", "500", "--engine", "mcts", "--set", "parallel=2"],
        &["move", START, "--nodes", "500", "--engine", "mcts", "--set", "parallel=3"],
        &["solve", START, "--nodes", "5000"],
        &["solve", START, "--nodes", "5000", "--algorithm", "dfpns"],
    ] {
        // The first thread waits for signals.
        for threads in [0, 3] {
            let arguments = [arguments, &["--threads", "9", "--json"]].concat();
            let answer = warned(&library, threads, &arguments, "");
            let expected =
                if arguments[0] == "move" { "\"depth\":" } else { "\"result\":\"unknown\"" };
            assert!(answer.contains(expected), "{arguments:?}: {answer}");
        }
    }
}

#[test]
fn an_aei_engine_tells_its_controller_that_it_has_fewer_threads() {
    let folder = Folder::new("few-aei-threads");
    let library = library(&folder);
    let go =
        format!("aei\nnewgame\nsetposition {START}\nsetoption name depth value 4\ngonothread\n");
    // Signals, input, engine and one that helps.
    let answers = warned(&library, 4, &["aei", "--threads", "9"], &format!("{go}quit\n"));
    assert_eq!(answers.matches("log Warning: the system started 1 of 8").count(), 1, "{answers}");
    assert_eq!(answers.matches("bestmove E").count(), 1, "{answers}");
    // None for the engine itself.
    let output = with_threads(&library, 2, &["aei"], &go);
    assert_eq!(output.status.code(), Some(1));
    let answers = words(&output.stdout);
    assert!(answers.contains("log Error: the system refuses a thread"), "{answers}");
}

#[test]
fn games_and_learners_go_on_with_the_threads_that_they_get() {
    let folder = Folder::new("few-learning-threads");
    let library = library(&folder);
    let (shards, model) = (folder.path("shards"), folder.path("mine.network"));
    let (shards, model) = (text(&shards), text(&model));
    let games = [
        "--game",
        "tzaar",
        "--games",
        "20",
        "--nodes",
        "5",
        "--seed",
        "1",
        "--threads",
        "6",
        "--json",
    ];
    let selfplay = [&["selfplay", "--out", shards][..], &games].concat();
    let played = warned(&library, 2, &selfplay, "");
    assert!(played.contains("\"games\":20"), "{played}");
    let train =
        ["train", "--game", "tzaar", shards, "--out", model, "--epochs", "1", "--threads", "6"];
    warned(&library, 0, &train, "");
    let store = folder.path("games.sqlite");
    let contest = ["match", "random", "random", "--games", "4", "--concurrency", "6", "--json"];
    // Signals, two connections to the store, the lease and one that plays.
    let played = warned(&library, 5, &[&contest[..], &["--store", text(&store)]].concat(), "");
    assert!(played.contains("\"games\":4"), "{played}");
    // None that plays.
    let output = with_threads(&library, 1, &[&selfplay[..], &["--generation", "1"]].concat(), "");
    assert_eq!(output.status.code(), Some(1));
    let errors = words(&output.stderr);
    assert!(errors.contains("error: the system refuses a thread that is needed"), "{errors}");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain letters")
}
