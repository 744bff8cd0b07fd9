//! Bots of the older interface, as shell scripts of a line.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arena::{Player, Start};
use arimaa::{Army, Game, Picture};
use common::{GOLD_SETUP, PATIENCE, SILVER_SETUP, by_the_clock, game, quoted, start, text, within};
use game::Game as _;
use process::{Failure, Fault, Program, Timeouts};
use workbench::players::GetmovePlayer;

const SHORT: Duration = Duration::from_millis(200);

/// A bot that has begun a game; the names of the three files are `$1`, `$2` and `$3`.
fn bot(script: &str, timeouts: Timeouts) -> GetmovePlayer<Game> {
    let program = Program::new(format!("sh -c {} bot", quoted(script)));
    let mut player = GetmovePlayer::new(program, timeouts).unwrap();
    player.begin(&start()).unwrap();
    player
}

fn patient() -> Timeouts {
    Timeouts { grace: PATIENCE, farewell: PATIENCE, ..Timeouts::default() }
}

fn failure(script: &str, timeouts: Timeouts, latest: Duration) -> Failure {
    bot(script, timeouts).think(&Game::new(), &within(latest)).unwrap_err()
}

#[test]
fn a_bot_prints_its_turn_on_its_last_line() {
    let table = [
        ("echo Ee2n", "Ee2n"),
        ("echo thinking; echo; echo \" Ee2n Ee3n \"; echo; echo hm >&2", "Ee2n Ee3n"),
        ("printf resign", "resign"),
    ];
    for (script, answer) in table {
        let game = game(&[GOLD_SETUP, SILVER_SETUP]);
        let thought = bot(script, patient()).think(&game, &within(PATIENCE)).unwrap();
        assert_eq!(text(&game, &thought), answer, "{script}");
    }
}

#[test]
fn each_mischief_of_a_bot_is_told_apart() {
    let table = [
        ("echo no weights >&2; exit 7", Fault::Crash, "exit status: 7", "! no weights"),
        ("echo Ee2n; kill -KILL $$", Fault::Crash, "signal: 9", "< Ee2n"),
        ("echo", Fault::Protocol, "no turn", "< "),
        ("yes", Fault::Protocol, "flooded", "< y"),
    ];
    for (script, fault, detail, last_line) in table {
        let failure = failure(script, patient(), PATIENCE);
        assert_eq!(failure.fault, fault, "{script}: {failure}");
        assert!(failure.detail.contains(detail), "{script}: {failure}");
        assert!(failure.last_lines.iter().any(|line| line == last_line), "{failure:?}");
    }
    let failure = failure("sleep 1; echo Ee2n", patient(), SHORT);
    assert_eq!(failure.fault, Fault::Late, "{failure}");
    let program = Program::new("no-such-bot");
    let mut player = GetmovePlayer::new(program, patient()).unwrap();
    player.begin(&start()).unwrap();
    assert_eq!(player.think(&Game::new(), &within(PATIENCE)).unwrap_err().fault, Fault::Start);
}

#[test]
fn a_bot_that_hangs_is_ended_with_all_that_it_has_started() {
    let timeouts = Timeouts { grace: SHORT, ..Timeouts::default() };
    let mock = common::Mock::new("mute");
    let script = format!("{} & sleep 1000", mock.program.command.replace('\'', "\""));
    // Time enough for its child to start.
    let failure = failure(&script, timeouts, Duration::from_secs(2));
    assert_eq!(failure.fault, Fault::Hang, "{failure}");
    mock.assert_gone();
}

/// A folder of its own for a test, gone when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_bot_is_told_of_the_game_in_three_files_which_are_gone_afterwards() {
    let folder = Folder::new("getmove");
    let path = folder.0.display();
    let script =
        format!("cp \"$1\" \"$2\" \"$3\" \"{path}\"; dirname \"$1\" > \"{path}/where\"; echo Ee2n");
    let mut player = bot(&script, patient());
    let game = game(&[GOLD_SETUP, SILVER_SETUP, "Ee2n"]);
    player.think(&game, &by_the_clock("30s/1m/50")).unwrap();

    let position = folder.read("position");
    assert!(position.starts_with("2b\n +---"), "{position}");
    let picture: Picture = position.parse().unwrap();
    let record = folder.read("record");
    assert!(record.starts_with("1w Ra1 ") && record.ends_with("2w Ee2n\n2b\n"), "{record}");
    let game = Game::parse(&record, Army::Full).unwrap();
    assert_eq!(*game.position(), picture.position());

    let state = folder.read("state");
    let lines: Vec<&str> = state.lines().collect();
    for line in [
        "turn=b",
        "s=b",
        "wplayer=* me",
        "bplayer=* somebody else",
        "plycount=3",
        "tcmove=30",
        "tcreserve=60",
        "tcpercent=50",
        "tcmax=0",
        "wreserve=59",
        "tcbreserve=48",
        "wused=3",
        "bused=0",
        "rated=0",
    ] {
        assert!(lines.contains(&line), "no {line} in {state}");
    }
    let moves = lines.iter().find(|line| line.starts_with("moves=")).unwrap();
    assert!(moves.ends_with("%132w Ee2n%132b%13"), "{moves}");

    let place = folder.read("where");
    assert!(Path::new(place.trim()).exists());
    drop(player);
    assert!(!Path::new(place.trim()).exists());
}

#[test]
fn a_game_that_began_at_a_position_has_no_record() {
    let folder = Folder::new("getmove-position");
    let path = folder.0.display();
    let mut player = bot(&format!("cp \"$1\" \"$2\" \"{path}\"; echo ee7s"), patient());
    let origin = "s [rrrrrrrrhdcmecdh                                HDCMECDHRRRRRRRR]";
    let (mut game, origin) = Game::begin(origin).unwrap();
    let action = game.parse_action("md7s").unwrap();
    game::Game::play(&mut game, action).unwrap();
    player.begin(&Start { game: game.clone(), origin, ..start() }).unwrap();
    player.think(&game, &within(PATIENCE)).unwrap();
    assert_eq!(folder.read("record"), "");
    let picture: Picture = folder.read("position").parse().unwrap();
    assert_eq!(picture.side, Some(arimaa::GOLD));
}
