//! What the tests of players share: a referee, a mock engine, and a look at the processes.

// Each test program uses its own part.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use aei::{Program, TimeControl};
use arena::{Answer, Budget, Clocks, Ending, Pace, Player, Referee, Rules, Start, Thought};
use arimaa::{Army, Game, Picture, Position, Setup, Turn};
use game::{BySide, Side};

/// Longer than anything takes, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub const GOLD_SETUP: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
pub const SILVER_SETUP: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7";

/// A Python that has pyrimaa.
pub fn pyrimaa() -> Option<PathBuf> {
    let python = env::var_os("TUSK_PYTHON").map(PathBuf::from);
    if python.is_none() {
        println!("skipped: TUSK_PYTHON is not set to a Python with pyrimaa; ./check sets it");
    }
    python
}

/// A Python for the mock engine.
pub fn python() -> Option<PathBuf> {
    if let Some(python) = env::var_os("TUSK_PYTHON") {
        return Some(PathBuf::from(python));
    }
    let runs = Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !runs {
        println!("skipped: the mock engine needs python3");
    }
    runs.then(|| PathBuf::from("python3"))
}

/// A mock engine that can be found in the list of processes.
pub struct Mock {
    pub program: Program,
    mark: String,
}

impl Mock {
    /// A mock that misbehaves so; more arguments may follow.
    pub fn new(mode: &str) -> Option<Mock> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("tusk-mock-{}-{number}-", std::process::id());
        Mock::marked(mode, mark)
    }

    pub fn marked(mode: &str, mark: String) -> Option<Mock> {
        let python = python()?;
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mock_engine.py");
        let (python, script) = (quoted(&python.display().to_string()), quoted(script));
        let (mode, more) = mode.split_once(' ').unwrap_or((mode, ""));
        let command = format!("{python} {script} {mode} --mark {mark} {more}");
        Some(Mock { program: Program::new(command), mark })
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
pub fn start() -> Start {
    Start {
        origin: None,
        turns: Vec::new(),
        side: Side::First,
        opponent: "somebody else".to_string(),
        seed: 7,
        pace: Pace::default(),
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
    Budget { pace: Pace::default(), clocks, latest: Some(latest) }
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
    let pace = Pace { control: Some(control), ..Pace::default() };
    Budget { pace, clocks, latest: Some(PATIENCE) }
}

/// The turn of a thought.
pub fn turn(thought: &Thought) -> &str {
    match &thought.answer {
        Answer::Play(turn) => turn,
        Answer::Resign => panic!("it resigned"),
    }
}

/// A player and a referee play so many turns; each must be legal.
pub fn play(player: &mut dyn Player, referee: &mut dyn Referee, turns: u32) {
    for _ in 0..turns {
        let thought = player.think(&within(PATIENCE)).unwrap();
        let turn = referee.play(turn(&thought)).unwrap();
        player.played(&turn).unwrap();
        if referee.ending().is_some() {
            return;
        }
    }
}

/// The rules of Arimaa, as far as tests need them.
pub struct Arimaa;

struct Judge {
    origin: Option<String>,
    game: Game,
    turns: Vec<String>,
}

impl Rules for Arimaa {
    fn name(&self) -> &str {
        "arimaa"
    }

    fn begin(&self, opening: &str) -> Result<Box<dyn Referee>, String> {
        let turns = Vec::new();
        if !opening.contains('[') {
            return Ok(Box::new(Judge { origin: None, game: Game::new(), turns }));
        }
        let position: Position = opening.parse().map_err(|error| format!("{error}"))?;
        let game = Game::at(&position);
        Ok(Box::new(Judge { origin: Some(opening.to_string()), game, turns }))
    }
}

impl Referee for Judge {
    fn origin(&self) -> Option<String> {
        self.origin.clone()
    }

    fn turns(&self) -> Vec<String> {
        self.turns.clone()
    }

    fn position(&self) -> String {
        self.game.position().to_string()
    }

    fn picture(&self) -> String {
        let position = self.game.position();
        let number = Some(self.turns.len() as u32 / 2 + 1);
        Picture { number, side: Some(position.side()), board: *position.board() }.to_string()
    }

    fn side(&self) -> Side {
        self.game.position().side()
    }

    fn label(&self) -> String {
        self.game.label()
    }

    fn play(&mut self, turn: &str) -> Result<String, String> {
        let told = match self.game.setting_up() {
            Some(side) => {
                let setup = Setup::parse(turn, side, Army::Full).map_err(|e| e.to_string())?;
                self.game.set_up(setup).map_err(|e| e.to_string())?;
                setup.to_string()
            }
            None => {
                let position = *self.game.position();
                let turn = Turn::parse(turn, &position).map_err(|e| e.to_string())?;
                self.game.try_play(turn).map_err(|e| e.to_string())?;
                turn.notation(position.board())
            }
        };
        self.turns.push(told.clone());
        Ok(told)
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = self.game.outcome()?;
        Some(Ending { winner: outcome.winner, reason: outcome.to_string() })
    }
}
