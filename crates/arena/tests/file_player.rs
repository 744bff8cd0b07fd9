//! Programs with the interface of WALTZ, as shell scripts of a line. They play Arimaa: the arena does not mind.

mod common;

use std::sync::Arc;
use std::time::Duration;

use aei::{Patience, Program};
use arena::{Answer, Failure, Fault, FilePlayer, Pace, Player};
use common::{Arimaa, GOLD_SETUP, PATIENCE, by_the_clock, quoted, start, within};

const SHORT: Duration = Duration::from_millis(200);

/// A program that has begun a game; it is told `--bestmove $2` and, by the clock, `--timelimit $4`.
fn program(script: &str, patience: Patience) -> FilePlayer {
    let program = Program::new(format!("sh -c {} program", quoted(script)));
    let mut player = FilePlayer::new(program, Arc::new(Arimaa), patience).unwrap();
    player.begin(&start()).unwrap();
    player
}

fn patient() -> Patience {
    Patience { grace: PATIENCE, farewell: PATIENCE, ..Patience::default() }
}

fn failure(script: &str, patience: Patience, latest: Duration) -> Failure {
    program(script, patience).think(&within(latest)).unwrap_err()
}

#[test]
fn a_program_reads_the_position_and_writes_its_turn_over_it() {
    let script = "test \"$1\" = --bestmove || exit 9; read position < \"$2\"; echo \"$position\" | tr gs GS > \"$2\"";
    let mut player = program(script, patient());
    let Answer::Play(turn) = player.think(&within(PATIENCE)).unwrap().answer else {
        panic!("it has not resigned")
    };
    assert!(turn.starts_with("G ["), "{turn}");
    player.played(GOLD_SETUP).unwrap();
    let Answer::Play(turn) = player.think(&within(PATIENCE)).unwrap().answer else {
        panic!("it has not resigned")
    };
    assert!(turn.starts_with("S [") && turn.contains("HDCMECDH"), "{turn}");
}

#[test]
fn the_time_limit_is_told_in_whole_seconds_where_there_is_a_clock() {
    let turn =
        |budget| program("echo \"$3 $4\" > \"$2\"", patient()).think(&budget).unwrap().answer;
    assert_eq!(turn(by_the_clock("7s/0/0")), Answer::Play("--timelimit 7".to_string()));
    // What the clock aims at, and never nothing.
    assert_eq!(turn(by_the_clock("0.2s/1m")), Answer::Play("--timelimit 2".to_string()));
    assert_eq!(turn(by_the_clock("0.2s/0/0")), Answer::Play("--timelimit 1".to_string()));
    let untold = program("echo \"none $3\" > \"$2\"", patient()).think(&within(PATIENCE)).unwrap();
    assert_eq!(untold.answer, Answer::Play("none".to_string()));
}

#[test]
fn less_than_a_second_cannot_be_told() {
    let program = Program::new("true");
    let mut player = FilePlayer::new(program, Arc::new(Arimaa), patient()).unwrap();
    let pace = Pace { control: Some(Pace::per_turn(SHORT)), ..Pace::default() };
    let failure = player.begin(&arena::Start { pace, ..start() }).unwrap_err();
    assert_eq!(failure.fault, Fault::Start, "{failure}");
    assert!(failure.detail.contains("whole seconds"), "{failure}");
}

#[test]
fn each_mischief_of_a_program_is_told_apart() {
    let table = [
        ("echo no such option >&2; exit 7", Fault::Crash, "exit status: 7"),
        ("echo Ee2n > \"$2\"; kill -KILL $$", Fault::Crash, "signal: 9"),
        ("echo Ee2n", Fault::Protocol, "wrote no turn"),
        ("rm \"$2\"", Fault::Protocol, "cannot be read"),
        ("yes", Fault::Protocol, "flooded"),
    ];
    for (script, fault, detail) in table {
        let failure = failure(script, patient(), PATIENCE);
        assert_eq!(failure.fault, fault, "{script}: {failure}");
        assert!(failure.detail.contains(detail), "{script}: {failure}");
    }
    let late = failure("sleep 1; echo Ee2n > \"$2\"", patient(), SHORT);
    assert_eq!(late.fault, Fault::Late, "{late}");
    let program = Program::new("no-such-program");
    let mut player = FilePlayer::new(program, Arc::new(Arimaa), patient()).unwrap();
    player.begin(&start()).unwrap();
    assert_eq!(player.think(&within(PATIENCE)).unwrap_err().fault, Fault::Start);
}

#[test]
fn a_program_that_hangs_is_ended_with_all_that_it_has_started() {
    let patience = Patience { grace: SHORT, ..Patience::default() };
    let Some(mock) = common::Mock::new("mute") else { return };
    let script = format!("{} & sleep 1000", mock.program.command.replace('\'', "\""));
    // Time enough for its child to start.
    let failure = failure(&script, patience, Duration::from_secs(2));
    assert_eq!(failure.fault, Fault::Hang, "{failure}");
    mock.assert_gone();
}
