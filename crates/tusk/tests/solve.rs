//! `tusk solve` as a user sees it: proofs that hold, and searches that are kept whatever happens.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use common::{Folder, TUSK, is_long, json_lines};

/// A win in two: the rabbit of b2 runs, and the horse keeps the way open.
const WIN_IN_2: &str = "g [         H                  cr       m           R              ]";

/// Nobody wins soon.
const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

fn tusk(arguments: &[&str]) -> Output {
    Command::new(TUSK).args(arguments).output().expect("tusk runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain letters")
}

/// Whether the proofs of a file are all found valid.
fn are_valid(path: &Path) -> bool {
    tusk(&["check-proof", text(path)]).status.success()
}

#[test]
fn a_proof_holds_until_an_answer_is_altered_or_a_defence_removed() {
    let folder = Folder::new("solve-proof");
    let path = folder.path("proof.txt");
    for algorithm in ["auto", "dfpns", "pns"] {
        let arguments =
            ["solve", WIN_IN_2, "--algorithm", algorithm, "--proof", text(&path), "--json"];
        let output = tusk(&arguments);
        let rows = json_lines(&output.stdout);
        assert_eq!(rows[0]["result"], "win", "{algorithm}: {}", stderr(&output));
        assert!(are_valid(&path), "{algorithm}");
        let proof = fs::read_to_string(&path).expect("a proof");
        let body = proof.lines().position(|line| line.starts_with('>')).expect("a first turn");
        for (index, line) in proof.lines().enumerate().skip(body) {
            if line == "end" {
                continue;
            }
            let without = |other: &str| {
                let lines = proof.lines().enumerate();
                let kept = lines.map(|(at, line)| if at == index { other } else { line });
                kept.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n") + "\n"
            };
            fs::write(&path, without("")).expect("a file");
            assert!(!are_valid(&path), "{algorithm}: valid without {line:?}:\n{proof}");
            // The answer goes nowhere near the goal.
            let mark = &line[..line.find(char::is_alphabetic).expect("a turn")];
            let altered = if line.trim_start().starts_with('<') { "Hb7e" } else { "Hb7s" };
            fs::write(&path, without(&format!("{mark}{altered}"))).expect("a file");
            assert!(!are_valid(&path), "{algorithm}: valid with {altered} for {line:?}:\n{proof}");
        }
    }
}

#[test]
fn every_row_of_a_table_is_told_in_its_order() {
    let folder = Folder::new("solve-rows");
    let table = format!("position\n{WIN_IN_2}\nnothing\n{START}\n");
    let path = folder.write("table.tsv", &table);
    let output = tusk(&["solve", text(&path), "--nodes", "20000", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let rows = json_lines(&output.stdout);
    assert_eq!(rows.len(), 4, "{rows:?}");
    assert_eq!((&rows[0]["result"], &rows[0]["turns"]), (&"win".into(), &2.into()));
    assert_eq!(rows[1]["line"], 3);
    assert_eq!((&rows[2]["result"], rows[2]["turn"].is_null()), (&"unknown".into(), true));
    assert_eq!((&rows[3]["win"], &rows[3]["unknown"]), (&1.into(), &1.into()));
}

#[test]
fn one_thread_looks_at_the_same_boards_each_time() {
    let boards = || {
        let rows = json_lines(&tusk(&["solve", START, "--nodes", "300000", "--json"]).stdout);
        rows[0]["nodes"].as_u64().expect("a number")
    };
    assert_eq!(boards(), boards());
}

fn solving(file: &Path, time: &str) -> Command {
    let mut command = Command::new(TUSK);
    command.args(["solve", START, "--memory", "16MiB", "--time", time]);
    command.args(["--save", text(file)]);
    if file.exists() {
        command.args(["--continue", text(file)]);
    }
    command.stdout(Stdio::null());
    command
}

#[test]
fn a_search_that_is_killed_leaves_the_file_of_the_one_before() {
    let folder = Folder::new("solve-save");
    let file = folder.path("start.search");
    assert!(solving(&file, "200ms").status().expect("tusk runs").success());
    for round in 0..if is_long() { 100 } else { 12 } {
        let before = fs::read(&file).expect("the file is there");
        let mut search: Child = solving(&file, "100ms").spawn().expect("tusk runs");
        // It loads, searches and saves in about twice that time: some are killed while they write.
        thread::sleep(Duration::from_millis(20 + 37 * round % 400));
        let _ = search.kill();
        let _ = search.wait();
        let after = fs::read(&file).expect("the file is still there");
        if after != before {
            assert!(after.len() > 100, "a new file is whole");
        }
    }
    let output = solving(&file, "50ms").output().expect("tusk runs");
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn a_file_that_is_cut_off_altered_or_of_another_search_is_refused() {
    let folder = Folder::new("solve-damage");
    let file = folder.path("start.search");
    assert!(solving(&file, "100ms").status().expect("tusk runs").success());
    let sound = fs::read(&file).expect("the file is there");
    let refused = |bytes: &[u8], expected: &str| {
        fs::write(&file, bytes).expect("a file");
        let output = solving(&file, "50ms").output().expect("tusk runs");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let error = stderr(&output);
        assert!(error.contains(expected) && error.contains("start.search"), "{error}");
        assert_eq!(fs::read(&file).expect("the file is still there"), bytes);
    };
    for length in [0, 1, 10, sound.len() / 2, sound.len() - 1] {
        refused(&sound[..length], "cut off");
    }
    for at in [0, 12, sound.len() / 3, sound.len() - 2] {
        let mut altered = sound.clone();
        altered[at] ^= 0x10;
        refused(&altered, "altered");
    }
    fs::write(&file, &sound).expect("a file");
    let output = tusk(&["solve", WIN_IN_2, "--continue", text(&file), "--time", "1s"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("asked for is"), "{}", stderr(&output));
}

#[test]
fn what_was_kept_is_not_searched_again() {
    let folder = Folder::new("solve-continue");
    let file = folder.path("start.search");
    let solve = |option: &str| {
        let arguments = ["solve", START, "--turns", "2", "--json", option, text(&file)];
        json_lines(&tusk(&arguments).stdout)[0]["nodes"].as_u64().expect("a number")
    };
    let (first, again) = (solve("--save"), solve("--continue"));
    assert!(again < first / 100, "{first} boards, and then {again}");
}
