//! What the tests of players share: a game, a mock engine, and a look at the processes.

// Each test program uses its own part.
#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use arena::{Budget, Clocks, Player, Reply, Start, Thought, TimeSettings};
use arimaa::{Action, Game};
use clock::TimeControl;
use engine::Stop;
use game::{BySide, Game as _, Side};
use process::Program;

/// Longer than anything takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub const GOLD_SETUP: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
pub const SILVER_SETUP: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";

/// A Python that has pyrimaa. Only tests that are ignored unless `./check` asks for them call this.
pub fn pyrimaa() -> PathBuf {
    env::var_os("TUSK_PYTHON").expect("TUSK_PYTHON names a Python with pyrimaa").into()
}

/// A Python for the mock engine.
pub fn python() -> PathBuf {
    env::var_os("TUSK_PYTHON").map_or_else(|| PathBuf::from("python3"), PathBuf::from)
}

/// A mock engine that can be found in the list of processes.
pub struct Mock {
    pub program: Program,
    mark: String,
}

impl Mock {
    /// A mock that misbehaves so; more arguments may follow.
    pub fn new(mode: &str) -> Mock {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("tusk-mock-{}-{number}-", std::process::id());
        Mock::marked(mode, mark)
    }

    pub fn marked(mode: &str, mark: String) -> Mock {
        let python = python();
        let script = test_support::mock_engine().display().to_string();
        let (python, script) = (quoted(&python.display().to_string()), quoted(&script));
        let (mode, more) = mode.split_once(' ').unwrap_or((mode, ""));
        let command = format!("{python} {script} {mode} --mark {mark} {more}");
        Mock { program: Program::new(command), mark }
    }

    /// Fails unless all its processes are gone, or go at once.
    pub fn assert_gone(&self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = running(&self.mark);
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "left behind: {left:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether any of its processes is there.
    pub fn is_there(&self) -> bool {
        !running(&self.mark).is_empty()
    }
}

pub fn quoted(word: &str) -> String {
    format!("'{word}'")
}

/// The command lines of the processes that have a mark in theirs; there is no /proc but on Linux.
fn running(mark: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let lines = entries.filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(mark)).collect()
}

/// A game that begins at the very start.
pub fn start() -> Start<Game> {
    Start {
        game: Game::new(),
        origin: None,
        side: Side::First,
        opponent: "somebody else".to_string(),
        seed: 7,
        time: TimeSettings::default(),
        stop: Stop::new(),
    }
}

/// A turn that must be there so soon.
pub fn within(latest: Duration) -> Budget {
    let clocks = Clocks {
        side: Side::First,
        turn: 1,
        reserves: BySide::default(),
        used: BySide::default(),
        game: Duration::ZERO,
    };
    Budget { time: TimeSettings::default(), clocks, latest: Some(latest) }
}

/// A turn in the middle of a game with a clock.
pub fn by_the_clock(control: &str) -> Budget {
    let control: TimeControl = control.parse().unwrap();
    let seconds = Duration::from_secs_f64;
    let clocks = Clocks {
        side: Side::Second,
        turn: 2,
        reserves: BySide { first: seconds(59.9), second: seconds(48.2) },
        used: BySide { first: seconds(3.5), second: seconds(2.7) },
        game: seconds(100.1),
    };
    let time = TimeSettings { control: Some(control), ..TimeSettings::default() };
    Budget { time, clocks, latest: Some(PATIENCE) }
}

/// What was answered, as the program wrote it.
pub fn text(game: &Game, thought: &Thought<Action>) -> String {
    match &thought.reply {
        Reply::Play(action) => game.notation(*action),
        Reply::Illegal { text, .. } => text.clone(),
        Reply::Resign => "resign".to_string(),
    }
}

/// A game in which this was played.
pub fn game(turns: &[&str]) -> Game {
    let mut game = Game::new();
    for turn in turns {
        let action = game.parse_action(turn).unwrap();
        game::Game::play(&mut game, action).unwrap();
    }
    game
}

/// A player plays so many turns of a game; each must be legal.
pub fn play(player: &mut dyn Player<Game>, game: &mut Game, turns: u32) {
    for _ in 0..turns {
        let thought = player.think(game, &within(PATIENCE)).unwrap();
        let Reply::Play(action) = thought.reply else { panic!("not legal: {thought:?}") };
        let text = game.notation(action);
        game::Game::play(game, action).unwrap();
        player.played(action, &text).unwrap();
        if game.ended().is_some() {
            return;
        }
    }
}
