//! Engines behind the Arimaa Engine Interface: good ones, and a mock that misbehaves in every way.

mod common;

use std::io::{BufRead, BufReader};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use arena::{Player, Reply, Start};
use arimaa::{Action, Army, GOLD, Game, Setup};
use common::{
    GOLD_SETUP, Mock, PATIENCE, SILVER_SETUP, by_the_clock, game, play, pyrimaa, quoted, start,
    text, within,
};
use game::Game as _;
use process::{Failure, Fault, Program, Timeouts};
use workbench::players::{AeiEngine, AeiPlayer, Feed};

/// Short, but only for those who are to be found out by it.
const SHORT: Duration = Duration::from_millis(200);

/// An engine that is given all the time of the world.
fn engine(program: &Program) -> AeiEngine {
    let timeouts = Timeouts {
        greeting: PATIENCE,
        ready: PATIENCE,
        grace: PATIENCE,
        untimed: PATIENCE,
        farewell: PATIENCE,
    };
    AeiEngine { timeouts, ..AeiEngine::new(program.clone()) }
}

/// Something is played, of which a player hears.
fn hear(player: &mut AeiPlayer, game: &mut Game, turn: &str) {
    let action = game.parse_action(turn).unwrap();
    game::Game::play(game, action).unwrap();
    Player::<Game>::played(player, action, turn).unwrap();
}

/// How a mock fails at its second turn, which must be there so soon.
fn failure_of(mock: &Mock, timeouts: Timeouts, latest: Duration) -> Failure {
    let engine = AeiEngine { timeouts, ..engine(&mock.program) };
    let mut player = AeiPlayer::start(engine).unwrap();
    player.begin(&start()).unwrap();
    let mut game = Game::new();
    let thought = player.think(&game, &within(PATIENCE)).unwrap();
    assert_eq!(text(&game, &thought), GOLD_SETUP);
    for setup in [GOLD_SETUP, SILVER_SETUP] {
        hear(&mut player, &mut game, setup);
    }
    let failure = player.think(&game, &within(latest)).unwrap_err();
    // The failure itself has ended it, although the player is still there.
    mock.assert_gone();
    failure
}

/// One of the last lines must begin so.
fn assert_failure(failure: &Failure, fault: Fault, detail: &str, line: &str) {
    assert_eq!(failure.fault, fault, "{failure:?}");
    assert!(failure.detail.contains(detail), "{failure}: no {detail:?}");
    let mut lines = failure.last_lines.iter();
    assert!(lines.any(|last| last.starts_with(line)), "no {line:?} in {failure:?}");
}

#[test]
fn each_mischief_of_an_engine_is_told_apart() {
    let table = [
        ("crash", Fault::Crash, "exit status: 3", "< info sc"),
        ("crash", Fault::Crash, "exit status: 3", "! what a pity"),
        ("signal", Fault::Crash, "signal: 9", "> go"),
        ("garbage", Fault::Protocol, "more than 200 lines", "< uci? "),
        ("empty", Fault::Protocol, "without a move", "> makemove ra8 "),
        ("nonsense", Fault::Protocol, "which is no step", "< bestmove \u{1b}[2JGARBAGE"),
        ("flood", Fault::Protocol, "flooded", "< info nodes 1"),
        ("endless", Fault::Protocol, "a line without an end", "< xxxxx"),
    ];
    for (mode, fault, detail, last_line) in table {
        let mock = Mock::new(mode);
        let failure = failure_of(&mock, engine(&mock.program).timeouts, PATIENCE);
        assert_failure(&failure, fault, detail, last_line);
        assert!(failure.last_lines.iter().all(|line| line.len() < 1000), "{failure:?}");
    }
}

#[test]
fn an_engine_that_does_not_answer_hangs_and_one_that_answers_after_its_time_is_late() {
    let mock = Mock::new("hang");
    let timeouts = Timeouts { grace: SHORT, ..engine(&mock.program).timeouts };
    let failure = failure_of(&mock, timeouts, SHORT);
    assert_failure(&failure, Fault::Hang, "it had 200.000ms", "> stop");

    let mock = Mock::new("late");
    let failure = failure_of(&mock, engine(&mock.program).timeouts, SHORT);
    assert_failure(&failure, Fault::Late, "the latest was 200.000ms", "< bestmove Ee2n");

    // A few lines of garbage in place of an answer are more than silence.
    let mock = Mock::new("mumble");
    let timeouts = Timeouts { grace: Duration::from_secs(2), ..engine(&mock.program).timeouts };
    let failure = failure_of(&mock, timeouts, SHORT);
    assert_failure(&failure, Fault::Protocol, "nothing that the protocol knows", "< uci? 2");

    let mock = Mock::new("closes");
    let timeouts = Timeouts { farewell: SHORT, ..engine(&mock.program).timeouts };
    let failure = failure_of(&mock, timeouts, PATIENCE);
    assert_failure(&failure, Fault::Crash, "closed its output", "> go");
}

#[test]
fn an_engine_that_does_not_get_ready_does_not_start() {
    let table = [
        ("dies", PATIENCE, "exit status: 7", "! no weights found"),
        ("mute", SHORT, "did not answer aei with aeiok within 200ms", "> aei"),
        ("stranger", Duration::from_secs(5), "did not answer aei", "< uciok"),
        ("unready", Duration::from_secs(2), "did not answer isready", "> isready"),
    ];
    for (mode, time, detail, last_line) in table {
        let mock = Mock::new(mode);
        let mut engine = engine(&mock.program);
        engine.timeouts.greeting = if mode == "unready" { PATIENCE } else { time };
        engine.timeouts.ready = time;
        let failure = AeiPlayer::start(engine).err().unwrap();
        assert_failure(&failure, Fault::Start, detail, last_line);
        mock.assert_gone();
    }
    let failure = AeiPlayer::start(engine(&Program::new("no-such-engine"))).err().unwrap();
    assert_eq!(failure.fault, Fault::Start);
    // It ends without a word.
    let failure = AeiPlayer::start(engine(&Program::new("true"))).err().unwrap();
    assert_failure(&failure, Fault::Start, "exit status: 0", "> aei");
}

#[test]
fn after_a_failure_a_fresh_player_plays() {
    let mock = Mock::new("crash --at 2");
    failure_of(&mock, engine(&mock.program).timeouts, PATIENCE);
    let mock = Mock::new("none");
    let mut player = AeiPlayer::start(engine(&mock.program)).unwrap();
    assert_eq!(Player::<Game>::identity(&player), "Mock 1");
    // And a second game with the same.
    for _ in 0..2 {
        player.begin(&start()).unwrap();
        let mut game = Game::new();
        play(&mut player, &mut game, 12);
        let thought = player.think(&game, &within(PATIENCE)).unwrap();
        assert_eq!((thought.score, thought.depth, thought.nodes), (Some(12), Some(4), Some(100)));
    }
    drop(player);
    mock.assert_gone();
}

#[test]
fn answers_are_passed_on_be_they_illegal_or_a_resignation() {
    let setup = Setup::parse(GOLD_SETUP, GOLD, Army::Full);
    let table = [
        ("illegal", None),
        ("resign", Some(Reply::Resign)),
        ("bytes", Some(Reply::Play(Action::Setup(setup.unwrap())))),
    ];
    for (mode, answer) in table {
        let mock = Mock::new(&format!("{mode} --at 1"));
        let mut player = AeiPlayer::start(engine(&mock.program)).unwrap();
        player.begin(&start()).unwrap();
        let reply = player.think(&Game::new(), &within(PATIENCE)).unwrap().reply;
        match answer {
            Some(answer) => assert_eq!(reply, answer, "{mode}"),
            None => {
                let Reply::Illegal { text, why } = reply else { panic!("{mode}: {reply:?}") };
                assert_eq!(text, "Ra1s");
                assert!(!why.is_empty());
            }
        }
    }
}

#[test]
fn no_process_is_left_whatever_it_ignores_and_whatever_it_has_started() {
    for mode in ["stubborn", "family"] {
        let mock = Mock::new(mode);
        let mut engine = engine(&mock.program);
        engine.timeouts.farewell = SHORT;
        let mut player = AeiPlayer::start(engine).unwrap();
        player.begin(&start()).unwrap();
        player.think(&Game::new(), &within(PATIENCE)).unwrap();
        assert!(mock.is_there() || cfg!(not(target_os = "linux")));
        drop(player);
        mock.assert_gone();
    }
}

#[test]
fn no_process_is_left_by_a_panic() {
    let mock = Mock::new("family");
    let result = panic::catch_unwind(AssertUnwindSafe(|| {
        let _player = AeiPlayer::start(engine(&mock.program)).unwrap();
        panic!("on purpose: a player must not outlive it");
    }));
    assert!(result.is_err());
    mock.assert_gone();
}

/// The test runs itself as the program that is killed.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_ends_when_its_controller_is_killed() {
    const NAME: &str = "an_engine_ends_when_its_controller_is_killed";
    let mark = format!("tusk-mock-orphan-{}-", std::process::id());
    let mark = env::var("TUSK_TEST_ORPHAN").unwrap_or(mark);
    let mock = Mock::marked("stubborn", mark.clone());
    if env::var_os("TUSK_TEST_ORPHAN").is_some() {
        // The thread that starts it ends long before it: that must not matter.
        let starter = thread::spawn(move || AeiPlayer::start(engine(&mock.program)).unwrap());
        let mut player = starter.join().unwrap();
        player.begin(&start()).unwrap();
        let game = Game::new();
        let thought = player.think(&game, &within(PATIENCE)).unwrap();
        println!("\n{} is ready", text(&game, &thought));
        thread::sleep(PATIENCE);
        return;
    }
    let mut controller = Command::new(env::current_exe().unwrap())
        .args([NAME, "--exact", "--nocapture"])
        .env("TUSK_TEST_ORPHAN", &mark)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(controller.stdout.take().unwrap()).lines();
    let ready = lines.map(|line| line.unwrap()).find(|line| line.ends_with(" is ready"));
    assert_eq!(ready.unwrap(), format!("{GOLD_SETUP} is ready"));
    assert!(mock.is_there());
    controller.kill().unwrap();
    controller.wait().unwrap();
    mock.assert_gone();
}

/// An engine of a few lines, which writes down what it is told.
fn scribe(name: &str, greeting: &str) -> (Program, PathBuf) {
    let file =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.txt", std::process::id()));
    let _ = fs::remove_file(&file);
    let script = format!(
        "while read -r line; do echo \"$line\" >> \"$0\"; case \"$line\" in \
         aei) echo \"{greeting}\"; echo aeiok;; isready) echo readyok;; \
         go) echo bestmove Ee2n;; quit) exit;; esac; done"
    );
    let file_word = quoted(&file.display().to_string());
    (Program::new(format!("sh -c {} {file_word}", quoted(&script))), file)
}

/// What a scribe was told between two lines.
fn told(file: &Path, from: &str, to: &str) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().skip_while(|line| *line != from).skip(1);
    lines.take_while(|line| *line != to).map(str::to_string).collect()
}

fn options(lines: &[(&str, &str)]) -> Vec<String> {
    lines.iter().map(|(name, value)| format!("setoption name {name} value {value}")).collect()
}

#[test]
fn an_engine_is_told_the_time_control_the_game_and_the_clocks() {
    let (program, file) = scribe("modern", "protocol-version 1");
    let mut engine = engine(&program);
    engine.options = vec![("hash".to_string(), "16".to_string())];
    engine.seeded = true;
    let mut player = AeiPlayer::start(engine).unwrap();
    let budget = by_the_clock("0.2s/1m/50/2m/80t/90s");
    let mut start = start();
    start.time = budget.time;
    start.time.depth = Some(8);
    start.time.nodes = Some(5000);
    start.game = game(&[GOLD_SETUP]);
    player.begin(&start).unwrap();
    let mut game = start.game;
    hear(&mut player, &mut game, SILVER_SETUP);
    let thought = player.think(&game, &budget).unwrap();
    let turn = text(&game, &thought);
    hear(&mut player, &mut game, &turn);
    drop(player);

    let mut expected = options(&[
        ("tcmove", "0.2"),
        ("tcreserve", "60"),
        ("tcmax", "120"),
        ("tctotal", "0"),
        ("tcturntime", "90"),
        ("tcpercent", "50"),
        ("tcturns", "80"),
        ("depth", "8"),
        ("nodes", "5000"),
        ("seed", "7"),
        ("opponent", "somebody else"),
        ("rated", "0"),
        ("hash", "16"),
    ]);
    expected.extend(["newgame".to_string(), format!("makemove {GOLD_SETUP}")]);
    expected.extend(["isready".to_string(), format!("makemove {SILVER_SETUP}")]);
    expected.extend(options(&[
        ("greserve", "59"),
        ("sreserve", "48"),
        ("gused", "3"),
        ("sused", "2"),
        ("lastmoveused", "3"),
        ("moveused", "0"),
    ]));
    assert_eq!(told(&file, "isready", "go"), expected);
    assert_eq!(told(&file, "go", "quit"), ["makemove Ee2n"]);
    fs::remove_file(file).unwrap();
}

const OPENING: &str = "s [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

#[test]
fn an_engine_before_the_first_version_is_told_older_names_and_letters() {
    let (program, file) = scribe("old", "id name Old");
    let mut player = AeiPlayer::start(engine(&program)).unwrap();
    assert_eq!(Player::<Game>::identity(&player), "Old");
    let (game, origin) = Game::begin(OPENING).unwrap();
    player.begin(&Start { game: game.clone(), origin, ..start() }).unwrap();
    player.think(&game, &by_the_clock("30s/1m")).unwrap();
    drop(player);
    let lines = told(&file, "newgame", "go");
    assert_eq!(lines[0], format!("setposition {}", OPENING.replacen('s', "b", 1)));
    assert_eq!(lines[2..4], options(&[("wreserve", "59"), ("greserve", "59")]));
    fs::remove_file(file).unwrap();
}

#[test]
fn an_engine_that_is_fed_by_moves_cannot_begin_at_a_position() {
    let (program, file) = scribe("moves", "protocol-version 1");
    let engine = AeiEngine { feed: Feed::Moves, ..engine(&program) };
    let mut player = AeiPlayer::start(engine).unwrap();
    player.begin(&start()).unwrap();
    let (game, origin) = Game::begin(OPENING).unwrap();
    let failure = player.begin(&Start { game, origin, ..start() }).unwrap_err();
    assert_failure(&failure, Fault::Start, "begin it with turns from the very start", "> newgame");
    fs::remove_file(file).unwrap();
}

#[test]
#[ignore = "needs pyrimaa"]
fn pyrimaas_simple_engine_plays_and_a_mock_around_it_fails() {
    let python = pyrimaa();
    let simple = format!("{} -m pyrimaa.simple_engine", quoted(&python.display().to_string()));
    let mut player = AeiPlayer::start(engine(&Program::new(&simple))).unwrap();
    assert_eq!(Player::<Game>::identity(&player), "Sample Engine");
    for opening in ["", OPENING] {
        let (mut game, origin) = Game::begin(opening).unwrap();
        player.begin(&Start { game: game.clone(), origin, ..start() }).unwrap();
        play(&mut player, &mut game, 20);
    }

    for (mode, fault) in [("crash", Fault::Crash), ("late", Fault::Late)] {
        let mock = Mock::new(&format!("{mode} --at 5 -- {simple}"));
        let mut player = AeiPlayer::start(engine(&mock.program)).unwrap();
        player.begin(&start()).unwrap();
        let mut game = Game::new();
        play(&mut player, &mut game, 4);
        let failure = player.think(&game, &within(Duration::from_secs(2))).unwrap_err();
        assert_eq!(failure.fault, fault, "{failure}");
        mock.assert_gone();
    }
}
