//! `tusk solve` as a user sees it: proofs that hold, and searches that are kept whatever happens.

mod common;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use common::{Folder, TUSK, is_long, json_lines};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

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

/// Silver wins in three; proof-number search without heuristics does not find that soon.
const WIN_IN_3: &str = "s [    r  rrh C   H    M     Er m    e RH     rR   R  D RdRR     R ]";

/// Gold loses in two.
const LOSS_IN_2: &str = "g [             mH         c      r                     R          ]";

/// A game of Tzaar; the position after its first turns is not solved soon.
const TZAAR: &str = include_str!("../../../positions/tzaar/game.txt");

fn unpacked(file: &Path) -> Vec<u8> {
    let bytes = fs::read(file).expect("a file");
    let mut content = Vec::new();
    GzDecoder::new(bytes.as_slice()).read_to_end(&mut content).expect("a gzipped file");
    content
}

/// The first line of a saved search: what it says about itself.
fn header(file: &Path) -> Value {
    let content = unpacked(file);
    let line = content.split(|&byte| byte == b'\n').next().expect("a line");
    serde_json::from_slice(line).expect("JSON")
}

/// Rewrites the state of a saved search; the checksum is right again.
fn forge(file: &Path, change: impl FnOnce(&mut [u8])) {
    let mut content = unpacked(file);
    let state = content.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    change(&mut content[state..]);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&content).expect("memory");
    fs::write(file, packed.finish().expect("memory")).expect("a file");
}

fn number(state: &[u8], at: usize) -> usize {
    let bytes = state[at..at + 8].try_into().expect("eight bytes");
    u64::from_le_bytes(bytes) as usize
}

/// Where the proofs of a state begin that has two tables, and where they end.
fn proofs(state: &[u8]) -> (usize, usize) {
    let begin = 1 + 8 + 16 * number(state, 1);
    (begin + 8, begin + 8 + 16 * number(state, begin))
}

/// Makes the root of a tree won by a side in three.
fn forge_root(state: &mut [u8], gold_wins: bool) {
    let root = proofs(state).1 + 1 + 16 + 8;
    let (won, lost) = (0u64, (1 << 24) - 1);
    let numbers = if gold_wins { won | lost << 24 } else { lost | won << 24 };
    state[root + 8..root + 16].copy_from_slice(&numbers.to_le_bytes());
    state[root + 24..root + 26].copy_from_slice(&3u16.to_le_bytes());
}

#[test]
fn a_saved_search_goes_on_with_its_own_parameters() {
    let folder = Folder::new("solve-parameters");
    let (file, again) = (folder.path("mx"), folder.path("again"));
    let begun =
        tusk(&["solve", WIN_IN_3, "--preset", "apns", "--nodes", "30000", "--save", text(&file)]);
    assert!(begun.status.success(), "{}", stderr(&begun));
    let on = ["solve", WIN_IN_3, "--nodes", "300000", "--json", "--continue", text(&file)];
    let named = [&on[..], &["--algorithm", "pns", "--save", text(&again)]].concat();
    for arguments in [&on[..], &named] {
        let output = tusk(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        // There is no win in fewer turns than three, and this search does not find that one so soon.
        assert_eq!(json_lines(&output.stdout)[0]["result"], "unknown");
    }
    let kept = |file: &Path| header(file)["parameters"].clone();
    assert_eq!(kept(&again), kept(&file));
    assert_eq!((&kept(&file)["lambda"], &kept(&file)["gc_high"]), (&1.into(), &2_000_000.into()));
}

#[test]
fn parameters_that_the_saved_tree_does_not_fit_are_refused_by_name() {
    let folder = Folder::new("solve-misfit");
    let opening: Vec<&str> = TZAAR.lines().take(9).collect();
    let tzaar = folder.write("tzaar.txt", &opening.join("\n"));
    for position in [WIN_IN_3, text(&tzaar)] {
        let file = folder.path("tree");
        let begin = ["--algorithm", "pns", "--nodes", "30000", "--save", text(&file)];
        let begun = tusk(&[&["solve", position], &begin[..]].concat());
        assert!(begun.status.success(), "{}", stderr(&begun));
        let on = |more: &[&str]| {
            let begin = ["solve", position, "--nodes", "1000", "--continue", text(&file)];
            tusk(&[&begin, more].concat())
        };
        for (more, name) in [
            (&["--set", "lambda=1"][..], "lambda=1"),
            (&["--set", "merge=0"], "merge=0"),
            (&["--set", "whole_turns=1"], "whole_turns=1"),
            (&["--preset", "apns"], "lambda=1"),
            (&["--algorithm", "dfpns"], "--algorithm dfpns"),
        ] {
            let output = on(more);
            assert_eq!(output.status.code(), Some(2), "{more:?}: {}", stderr(&output));
            assert!(stderr(&output).contains(name), "{more:?}: {}", stderr(&output));
            assert!(output.stdout.is_empty(), "{more:?}");
        }
        // The tree has no room in so little memory.
        let output = on(&["--memory", "1MiB"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains("more memory"), "{}", stderr(&output));
        // What changes neither vertices nor edges may change.
        let others = ["--memory", "512MiB", "--threads", "2", "--set", "gc_high=100000"];
        let output = on(&[&others[..], &["--set", "sum=0", "--set", "epsilon=5"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    }
}

#[test]
fn a_forged_search_gives_no_result() {
    let folder = Folder::new("solve-forged");
    for (position, nodes) in [(LOSS_IN_2, "500"), (WIN_IN_2, "500"), (START, "5000")] {
        for gold_wins in [true, false] {
            let file = folder.path("forged");
            let begin = ["solve", position, "--algorithm", "pns", "--nodes", nodes, "--json"];
            let slow = ["--set", "wins=0", "--set", "defences=0", "--save", text(&file)];
            let begun = tusk(&[&begin[..], &slow].concat());
            assert_eq!(json_lines(&begun.stdout)[0]["result"], "unknown", "{}", stderr(&begun));
            forge(&file, |state| forge_root(state, gold_wins));
            let output = tusk(&["solve", position, "--time", "2s", "--continue", text(&file)]);
            let told = String::from_utf8_lossy(&output.stdout);
            let is_true = match position {
                WIN_IN_2 => gold_wins,
                LOSS_IN_2 => !gold_wins,
                _ => false,
            };
            if is_true {
                // The file lies about the number of turns alone: a proof, if there is time for one, says how many.
                assert!(!told.contains("in 3"), "{position}: {told}");
            } else {
                assert_eq!(output.status.code(), Some(1), "{position}: {told}");
                assert!(!told.contains("win in") && !told.contains("loss in"), "{told}");
                assert!(stderr(&output).contains("damaged"), "{}", stderr(&output));
            }
        }
    }
}

#[test]
fn proofs_that_were_turned_round_in_a_file_are_not_believed() {
    let folder = Folder::new("solve-turned");
    let file = folder.path("turned");
    let begin = ["solve", WIN_IN_2, "--algorithm", "dfpns", "--save", text(&file)];
    assert!(tusk(&begin).status.success());
    forge(&file, |state| {
        let (begin, end) = proofs(state);
        assert!(begin < end, "a solved search knows proofs");
        // The winner is the bit 16 of the second word of an entry.
        state[begin..end].chunks_mut(16).for_each(|entry| entry[10] ^= 1);
    });
    let output = tusk(&["solve", WIN_IN_2, "--time", "2s", "--continue", text(&file)]);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(!told.contains("loss"), "{told}");
    assert!(told.contains("win in 2") || stderr(&output).contains("damaged"), "{told}");
}

#[test]
#[cfg(unix)]
fn the_first_signal_ends_the_writing_of_a_proof() {
    let folder = Folder::new("solve-stopped");
    let (file, saved) = (folder.path("forged"), folder.path("saved"));
    let begin = ["solve", START, "--algorithm", "pns", "--nodes", "5000", "--save", text(&file)];
    assert!(tusk(&begin).status.success());
    forge(&file, |state| forge_root(state, false));
    let mut command = Command::new(TUSK);
    command.args(["solve", START, "--time", "10m", "--continue", text(&file)]);
    command.args(["--save", text(&saved)]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let search = command.spawn().expect("tusk runs");
    // The search is saved before its proof is written, and this proof has no end.
    while !saved.exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").arg(search.id().to_string()).status();
    assert!(kill.expect("kill runs").success());
    let output = search.wait_with_output().expect("it ends");
    assert!(stderr(&output).contains("interrupted"), "{}", stderr(&output));
    assert!(!String::from_utf8_lossy(&output.stdout).contains("loss"));
}
