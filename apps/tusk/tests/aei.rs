//! `tusk aei` as controllers see it: a process on pipes, on a socket, and under pyrimaa's own tools.
//!
//! `TUSK_PYTHON` names an interpreter that has pyrimaa; without it, its tools are not asked.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use std::{env, fs};

use arimaa::{Army, Game};
use common::{Folder, TUSK, is_long, python};

/// Longer than anything takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a session with this input, and returns what it printed.
fn session(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(TUSK)
        .arg("aei")
        .args(["--engine", "random", "--seed", "1"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tusk starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn quit_and_the_end_of_the_input_are_good_ends_and_unknown_messages_bad_ones() {
    for (input, status) in [("aei\nquit\n", 0), ("aei\n", 0), ("", 0), ("quit\n", 0), ("aie\n", 1)]
    {
        assert_eq!(session(&[], input).status.code(), Some(status), "{input:?}");
    }
}

#[test]
fn an_engine_connects_to_a_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let mut child = Command::new(TUSK)
        .args(["aei", "--engine", "random", "--server", "127.0.0.1", "--port", &port])
        .stdin(Stdio::null())
        .spawn()
        .expect("tusk starts");
    let (mut stream, _) = listener.accept().expect("it connects");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream.write_all(b"aei\r\nnewgame\r\ngo\r\n").expect("it reads");
    let lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
    let last =
        lines.map(|line| line.expect("a line in time")).find(|line| line.starts_with("bestmove"));
    assert!(last.is_some());
    stream.write_all(b"quit\r\n").expect("it reads");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_script_comes_before_the_input() {
    let folder = Folder::new("script");
    let script =
        folder.write("start.txt", "aei # opens\n\n# a comment\nnewgame\ngonothread\nmakemoverec");
    let script = script.to_str().expect("a name in UTF-8");
    let output = text(&session(&["--script", script], "isready\nboarddump\n").stdout);
    let words: Vec<&str> = output.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words[..7], ["protocol-version", "id", "id", "id", "aeiok", "bestmove", "readyok"]);
    assert_eq!(output.lines().nth(7), Some("log 1s"));
}

#[test]
#[ignore = "needs pyrimaa"]
fn pyrimaas_roundrobin_plays_with_us() {
    let python = python();
    let folder = Folder::new("roundrobin");
    // The second engine is on a socket.
    let config = format!(
        "[global]\nrounds = 2\ntimecontrol = 10s/1m\nstrict_setup = true\nbots = one two\n\
         [one]\ncmdline = {TUSK} aei --seed 1\nbot_hash = 16\nbot_depth = 4\n\
         [two]\ncmdline = {TUSK} aei --engine random --seed 2\ncommunication_method = socket\n"
    );
    let config = folder.write("roundrobin.cfg", &config);
    let games = folder.path("games.pgn");
    let output = Command::new(&python)
        .args(["-m", "pyrimaa.roundrobin", "--config"])
        .arg(&config)
        .arg("--pgn")
        .arg(&games)
        .output()
        .expect("TUSK_PYTHON starts");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let results: Vec<&str> = out.lines().filter(|line| line.contains(" beat ")).collect();
    assert_eq!(results.len(), 2, "{out}{err}");
    // Goal, elimination, immobilisation: not time, not an illegal move, not a resignation.
    for result in results {
        let by = result.split("because of ").nth(1).and_then(|rest| rest.chars().next());
        assert!(matches!(by, Some('g' | 'e' | 'm')), "{result}\n{out}{err}");
    }
    let games = fs::read_to_string(games).expect("the games");
    assert_eq!(replayed(&games), 2, "{games}");
}

/// How many games of the file our own rules accept, to their ends.
fn replayed(games: &str) -> usize {
    let is_turn =
        |line: &&str| line.starts_with(|first: char| first.is_ascii_digit()) && !line.contains("-");
    let records = games.split("[White").skip(1).map(|game| {
        let turns: Vec<&str> = game.lines().filter(is_turn).collect();
        Game::parse(&turns.join("\n"), Army::Full).unwrap_or_else(|error| panic!("{error}\n{game}"))
    });
    records.filter(|game| game.outcome().is_some()).count()
}

#[test]
#[ignore = "needs pyrimaa"]
fn pyrimaa_sees_no_game_lost_on_a_clock_of_split_seconds() {
    let python = python();
    let games = if is_long() { "100" } else { "1" };
    let command = |seed: u32| format!("{TUSK} aei --seed {seed}");
    play(&python, [games, "0.2", "1"], [&command(3), &command(4)]);
}

#[test]
#[ignore = "needs pyrimaa"]
fn every_game_against_pyrimaas_simple_engine_is_won() {
    let python = python();
    let simple = format!("{} -m pyrimaa.simple_engine", python.display());
    let (games, time) = if is_long() { (20, "1") } else { (1, "0.2") };
    let command = format!("{TUSK} aei --seed 5");
    let wins = play(&python, [&games.to_string(), time, "1"], [&command, &simple]);
    assert_eq!(wins, format!("wins {games} 0"));
}

#[test]
#[ignore = "takes minutes, and needs pyrimaa"]
fn long_each_level_beats_the_one_below() {
    let python = python();
    let levels = ["random", "beginner", "intermediate", "expert"];
    for pair in levels.windows(2) {
        let command = |level: &str| format!("{TUSK} aei --engine {level} --seed 6");
        let wins = play(&python, ["10", "1", "1"], [&command(pair[1]), &command(pair[0])]);
        let won = wins.split(' ').nth(1).and_then(|number| number.parse().ok());
        assert!(won >= Some(9), "{} against {}: {wins}", pair[1], pair[0]);
    }
}

/// Plays games with so many seconds a move and in reserve, and returns the line that tells the wins. None
/// may end by time, an illegal move or a crash.
fn play(python: &Path, games_move_reserve: [&str; 3], engines: [&str; 2]) -> String {
    let output = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pyrimaa_games.py"))
        .args(games_move_reserve)
        .args(engines)
        .output()
        .expect("TUSK_PYTHON starts");
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}{}", text(&output.stderr));
    out.lines().last().unwrap_or_default().to_string()
}

#[test]
#[ignore = "needs pyrimaa"]
fn pyrimaas_analyze_asks_us() {
    let python = python();
    let folder = Folder::new("analyze");
    let config = format!(
        "[global]\ndefault_engine = tusk\nstrict_checks = true\n\
         [tusk]\ncmdline = {TUSK} aei --seed 1\nbot_depth = 4\npost_pos_moveused = 0\n"
    );
    let config = folder.write("analyze.cfg", &config);
    let record = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/sample-game.txt");
    let picture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/aei.in/position.txt");
    for (file, turn) in [(record, Some("12s")), (picture, None)] {
        let output = Command::new(&python)
            .args(["-m", "pyrimaa.analyze", "--config"])
            .arg(&config)
            .arg(file)
            .args(turn)
            .output()
            .expect("TUSK_PYTHON starts");
        let out = text(&output.stdout);
        assert!(out.contains("bestmove: "), "{file}: {out}{}", text(&output.stderr));
        assert!(!out.contains("log: "), "{file}: {out}");
    }
}
