//! `tusk tzaar` in the place of WALTZ's program, and programs with its interface in matches.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{Folder, TUSK, json_lines};
use tzaar::{BestMove, Position};

fn tusk(arguments: &[&str]) -> Output {
    Command::new(TUSK).args(arguments).output().expect("tusk runs")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// A position of a game in which White can win now.
fn position() -> Position {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/tzaar/game.txt");
    let game: tzaar::Game = text(Path::new(game)).parse().expect("a record");
    *game.position()
}

#[test]
fn the_answer_takes_the_place_of_the_position_and_the_position_after_it_is_written() {
    let folder = Folder::new("bestmove");
    let position = position();
    // White space is of no account.
    for (index, numbers) in [position.to_string(), format!("{position:#}\n")].iter().enumerate() {
        let file = folder.write(&format!("position-{index}"), numbers);
        let after = folder.path("after");
        let (file_name, after_name) = (file.to_str().unwrap(), after.to_str().unwrap());
        let done = tusk(&["tzaar", "-b", file_name, "-a", "42", "-t", "5", "-e", after_name]);
        assert!(done.status.success(), "{done:?}");
        let best: BestMove = text(&file).parse().expect("an answer");
        assert_eq!(best.value, 2_000_000_000);
        let reached = position.play_turn(best.turn).expect("a legal turn");
        assert_eq!(text(&after).parse(), Ok(reached));
        assert_eq!(reached.outcome().map(|outcome| outcome.winner), Some(position.side()));
    }
}

#[test]
fn every_algorithm_finds_a_legal_turn() {
    let folder = Folder::new("algorithms");
    let numbers = include_str!("../../../positions/tzaar/endgames.txt");
    let position: Position = numbers.lines().nth(2).unwrap().parse().unwrap();
    for algorithm in vesely_2013::Algorithm::ALL {
        let file = folder.write("position", &position.to_string());
        let number = algorithm.number().to_string();
        let done = tusk(&[
            "tzaar",
            "--bestmove",
            file.to_str().unwrap(),
            "--ai",
            &number,
            "--timelimit",
            "1",
            "--json",
        ]);
        assert!(done.status.success(), "{number}: {done:?}");
        let best: BestMove = text(&file).parse().expect("an answer");
        assert!(position.play_turn(best.turn).is_ok(), "{number}: {}", best.turn);
        assert_eq!(json_lines(&done.stdout)[0]["turn"], best.turn.to_string());
    }
}

#[test]
fn whites_first_turn_is_answered_with_one_move() {
    let folder = Folder::new("first-turn");
    let file = folder.write("position", &Position::fixed_start().to_string());
    let done =
        tusk(&["tzaar", &format!("--bestmove={}", file.display()), "--ai=41", "--timelimit=1"]);
    assert!(done.status.success(), "{done:?}");
    assert_eq!(text(&file).lines().nth(1), Some("-2"));
}

#[test]
fn a_file_that_is_refused_is_left_as_it_is() {
    let folder = Folder::new("refused");
    let numbers = position().to_string();
    let table = [
        ("", "no position"),
        ("G4 C6\n0 F2 F1\n33.303 33319\n", "the answer to a position"),
        (&numbers[..numbers.len() - 2], "expected number 163 of 163"),
        (&numbers.replacen('1', "7", 1), "expected 1 (White) or -1 (Black)"),
        ("hello there", "no position"),
        ("placing 1", "expected number 2 of 82"),
    ];
    for (wrong, fault) in table {
        let file = folder.write("position", wrong);
        let done = tusk(&["tzaar", "--bestmove", file.to_str().unwrap(), "--timelimit", "1"]);
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && told.contains(fault), "{wrong:?}: {told}");
        assert!(told.contains("position"), "the file is named: {told}");
        assert_eq!(text(&file), wrong);
    }
    let missing = tusk(&["tzaar", "--bestmove", "no-such-file"]);
    assert_eq!(missing.status.code(), Some(1));
    for wrong in [["--ai", "10"], ["--timelimit", "0"], ["--timelimit", "soon"]] {
        let done = tusk(&[&["tzaar", "--bestmove", "x"], &wrong[..]].concat());
        assert_eq!(done.status.code(), Some(2), "{wrong:?}");
    }
}

/// A match of Tzaar: a row for each game, and the summary.
fn play(folder: &Folder, name: &str, arguments: &[&str]) -> Vec<serde_json::Value> {
    let store = folder.path(&format!("{name}.sqlite"));
    let base =
        ["match", "--game", "tzaar", "--json", "--seed", "1", "--store", store.to_str().unwrap()];
    let done = tusk(&[&base[..], arguments].concat());
    // A failure is told by the status.
    let rows = json_lines(&done.stdout);
    let has_failures = rows.last().is_none_or(|summary| summary["failures"] != 0);
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(i32::from(has_failures)), "{name}: {told}");
    rows
}

#[test]
fn a_program_with_waltzs_interface_plays_in_a_match() {
    let folder = Folder::new("waltz-program");
    let program = format!("waltz:'{TUSK}' tzaar --ai 40");
    let rows = play(
        &folder,
        "drop-in",
        &[&program, "random", "--games", "2", "--time", "1s", "--margin", "20s"],
    );
    let reasons: Vec<&str> = rows.iter().filter_map(|row| row["reason"].as_str()).collect();
    assert_eq!(reasons.len(), 2);
    assert!(reasons.iter().all(|reason| ["type", "captures"].contains(reason)), "{rows:?}");
}

#[test]
fn what_a_program_does_wrong_is_told_apart() {
    let folder = Folder::new("waltz-wrong");
    let table = [
        ("waltz:sh -c 'exit 3' x", "crash"),
        ("waltz:true", "protocol"),
        ("waltz:sh -c 'echo nonsense > \"$2\"' x", "protocol"),
        ("waltz:sh -c 'printf \"A1 A1\\\\n-2\\\\n0.1 5\\\\n\" > \"$2\"' x", "illegal"),
    ];
    for (index, (program, reason)) in table.into_iter().enumerate() {
        let rows = play(
            &folder,
            &index.to_string(),
            &[program, "random", "--games", "2", "--time", "1s", "--margin", "20s"],
        );
        let found: Vec<&str> = rows.iter().filter_map(|row| row["reason"].as_str()).collect();
        assert_eq!(found, [reason, reason], "{program}: {rows:?}");
        assert_eq!(rows.last().map(|summary| &summary["losses"]), Some(&2.into()), "{program}");
    }
}

#[test]
fn games_of_a_match_leave_the_store_and_come_back() {
    let folder = Folder::new("tzaar-records");
    for openings in ["random", "fixed", "tournament"] {
        play(
            &folder,
            openings,
            &["random", "random", "--games", "4", "--nodes", "1", "--openings", openings],
        );
        let store = folder.path(&format!("{openings}.sqlite"));
        for format in ["records", "json"] {
            let export = |store: &Path| {
                let done =
                    tusk(&["games", "1", "--as", format, "--store", store.to_str().unwrap()]);
                assert!(done.status.success(), "{openings}, {format}: {done:?}");
                String::from_utf8(done.stdout).unwrap()
            };
            let written = export(&store);
            let file = folder.write("games", &written);
            let copy = folder.path(&format!("{openings}-{format}.sqlite"));
            let read = tusk(&[
                "games",
                "--import",
                file.to_str().unwrap(),
                "--store",
                copy.to_str().unwrap(),
            ]);
            assert!(read.status.success(), "{openings}, {format}: {read:?}");
            assert_eq!(export(&copy), written, "{openings}, {format}");
        }
        let archive = tusk(&["games", "1", "--as", "archive", "--store", store.to_str().unwrap()]);
        assert_eq!(archive.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&archive.stderr).contains("not for Tzaar"));
    }
}

#[test]
fn a_tournament_of_tzaar_goes_on_where_it_was() {
    let folder = Folder::new("tzaar-tournament");
    let file = folder.write(
        "three.toml",
        "game = \"tzaar\"\ngames = 2\nnodes = 50\n[[engine]]\nengine = \"random\"\n\
         [[engine]]\nengine = \"beginner\"\n[[engine]]\nengine = \"waltz ai=40\"\n",
    );
    let store = folder.path("three.sqlite");
    let run = || {
        tusk(&["tournament", file.to_str().unwrap(), "--json", "--store", store.to_str().unwrap()])
    };
    let first = json_lines(&run().stdout);
    assert_eq!(first.len(), 7, "six games and a summary: {first:?}");
    assert_eq!(json_lines(&run().stdout).len(), 1, "nothing is left to be played");
    let wrong = tusk(&["tournament", file.to_str().unwrap(), "--game", "arimaa"]);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("a tournament of Tzaar"), "{wrong:?}");
}

#[test]
fn what_is_proved_is_checked_and_a_search_goes_on() {
    let folder = Folder::new("tzaar-proof");
    let (proof, kept) = (folder.path("proof.txt"), folder.path("kept"));
    let endgames = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/tzaar/endgames.txt");
    for algorithm in ["auto", "pns", "dfpns"] {
        let solved = tusk(&[
            "solve",
            endgames,
            "--algorithm",
            algorithm,
            "--json",
            "--memory",
            "64MiB",
            "--time",
            "60s",
            "--proof",
            proof.to_str().unwrap(),
        ]);
        let rows = json_lines(&solved.stdout);
        let results: Vec<&str> = rows.iter().filter_map(|row| row["result"].as_str()).collect();
        assert_eq!(results, ["win", "loss", "win", "win"], "{algorithm}");
        let checked = tusk(&["check-proof", proof.to_str().unwrap(), "--json"]);
        assert!(checked.status.success(), "{algorithm}: {checked:?}");
        assert_eq!(json_lines(&checked.stdout).last().unwrap()["valid"], 4, "{algorithm}");
    }
    let hard = folder.write(
        "hard.txt",
        include_str!("../../../positions/tzaar/endgames.txt").lines().nth(1).unwrap(),
    );
    let solve = |more: &[&str]| {
        let kept = kept.to_str().unwrap();
        let base = ["solve", hard.to_str().unwrap(), "--json", "--memory", "64MiB", "--save", kept];
        let done = tusk(&[&base[..], more].concat());
        json_lines(&done.stdout)[0]["result"].as_str().map(str::to_string)
    };
    assert_eq!(solve(&["--nodes", "500"]).as_deref(), Some("unknown"));
    assert_eq!(
        solve(&["--time", "60s", "--continue", kept.to_str().unwrap()]).as_deref(),
        Some("win")
    );
}
