//! Programs with the interface of WALTZ, as shell scripts of a line. They play Arimaa: the arena does not mind.

mod common;

use std::time::Duration;

use arena::{Player, TimeSettings};
use arimaa::Game;
use clock::TimeControl;
use common::{GOLD_SETUP, PATIENCE, by_the_clock, game, quoted, start, text, within};
use process::{Failure, Fault, Program, Timeouts};
use workbench::players::WaltzPlayer;

const SHORT: Duration = Duration::from_millis(200);

/// A program that has begun a game; it is told `--bestmove $2` and, by the clock, `--timelimit $4`.
fn program(script: &str, timeouts: Timeouts) -> WaltzPlayer {
    let program = Program::new(format!("sh -c {} program", quoted(script)));
    let mut player = WaltzPlayer::new(program, timeouts).unwrap();
    player.begin(&start()).unwrap();
    player
}

fn patient() -> Timeouts {
    Timeouts { grace: PATIENCE, farewell: PATIENCE, ..Timeouts::default() }
}

fn failure(script: &str, timeouts: Timeouts, latest: Duration) -> Failure {
    program(script, timeouts).think(&Game::new(), &within(latest)).unwrap_err()
}

#[test]
fn a_program_reads_the_position_and_writes_its_turn_over_it() {
    let script = "test \"$1\" = --bestmove || exit 9; read position < \"$2\"; echo \"$position\" | tr gs GS > \"$2\"";
    let mut player = program(script, patient());
    let mut answer = |game: Game| text(&game, &player.think(&game, &within(PATIENCE)).unwrap());
    let turn = answer(Game::new());
    assert!(turn.starts_with("G ["), "{turn}");
    let turn = answer(game(&[GOLD_SETUP]));
    assert!(turn.starts_with("S [") && turn.contains("HDCMECDH"), "{turn}");
}

#[test]
fn the_time_limit_is_told_in_whole_seconds_where_there_is_a_clock() {
    let answer = |script, budget| {
        let game = Game::new();
        text(&game, &program(script, patient()).think(&game, &budget).unwrap())
    };
    let turn = |budget| answer("echo \"$3 $4\" > \"$2\"", budget);
    assert_eq!(turn(by_the_clock("7s/0/0")), "--timelimit 7");
    // What the clock aims at, and never nothing.
    assert_eq!(turn(by_the_clock("0.2s/1m")), "--timelimit 2");
    assert_eq!(turn(by_the_clock("0.2s/0/0")), "--timelimit 1");
    assert_eq!(answer("echo \"none $3\" > \"$2\"", within(PATIENCE)), "none");
}

#[test]
fn less_than_a_second_cannot_be_told() {
    let program = Program::new("true");
    let mut player = WaltzPlayer::new(program, patient()).unwrap();
    let control = Some(TimeControl::per_turn(SHORT));
    let time = TimeSettings { control, ..TimeSettings::default() };
    let failure = player.begin(&arena::Start { time, ..start() }).unwrap_err();
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
    let mut player = WaltzPlayer::new(program, patient()).unwrap();
    player.begin(&start()).unwrap();
    assert_eq!(player.think(&Game::new(), &within(PATIENCE)).unwrap_err().fault, Fault::Start);
}

#[test]
fn a_program_that_hangs_is_ended_with_all_that_it_has_started() {
    let timeouts = Timeouts { grace: SHORT, ..Timeouts::default() };
    let mock = common::Mock::new("mute");
    let script = format!("{} & sleep 1000", mock.program.command.replace('\'', "\""));
    // Time enough for its child to start.
    let failure = failure(&script, timeouts, Duration::from_secs(2));
    assert_eq!(failure.fault, Fault::Hang, "{failure}");
    mock.assert_gone();
}
