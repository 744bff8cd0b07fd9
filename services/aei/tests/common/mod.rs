//! An engine whose answers are known beforehand, and a controller to talk to it.

// Each test program uses its own part.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use aei::{Ending, Identity, Session, SessionError};
use arimaa::{Action, Army, GOLD, Game, Setup};
use engine::{Configured, Engine, EngineEntry, Info, Limits, Parameter, Sink, Stop, Verdict};
use game::{Score, Steps};

/// Longer than anything takes, even on a busy machine: what lasts longer, hangs.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub const GOLD_SETUP: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
pub const SILVER_SETUP: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

/// Plays the usual setup or the first turn of one step that is legal, and thinks until it is told to
/// stop or its time is up, unless the option `hasty` is 1 or there is a limit of depth.
pub struct Patient {
    is_hasty: bool,
    searches: u64,
}

static PATIENT: EngineEntry<Game> = EngineEntry {
    parameters: &[&[Parameter::number("hasty", 0, (0, 1), "whether it does not wait")]],
    ..EngineEntry::new("patient", |configuration| {
        Ok(Box::new(Patient { is_hasty: configuration.number("hasty") == Some(1), searches: 0 }))
    })
};

impl Patient {
    pub fn engine() -> Configured<Game> {
        PATIENT.configure().build().expect("an engine")
    }

    /// What it plays.
    pub fn choose(game: &Game) -> Action {
        match game.setting_up() {
            Some(side) => {
                let text = if side == GOLD { GOLD_SETUP } else { SILVER_SETUP };
                Action::Setup(Setup::parse(text, side, Army::Full).expect("a setup"))
            }
            None => Action::Turn(first_turn(game)),
        }
    }
}

/// The first step that makes a legal turn.
pub fn first_turn(game: &Game) -> arimaa::Turn {
    let turns = game.position().steps().into_iter().map(|step| arimaa::Turn::EMPTY.then(step));
    let mut legal = turns.filter(|&turn| game.clone().try_play(turn).is_ok());
    legal.next().expect("a turn of one step")
}

impl Engine<Game> for Patient {
    fn analyse(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<Game>,
    ) -> Option<Info<Action>> {
        let began = Instant::now();
        self.searches += 1;
        let action = Patient::choose(game);
        let info = Info {
            depth: Steps(1),
            nodes: self.searches,
            ..Info::without_search(Some(Verdict::Score(Score(7))), vec![action])
        };
        if let Action::Turn(_) = action {
            sink(&info);
        }
        let is_time_up = || limits.hard.is_some_and(|hard| began.elapsed() >= hard);
        let is_done = self.is_hasty || limits.depth.is_some();
        while !is_done && !stop.is_requested() && !is_time_up() {
            thread::sleep(Duration::from_micros(100));
        }
        Some(info)
    }

    fn new_game(&mut self) {
        self.searches = 0;
    }

    fn tree(&self) -> Option<Vec<String>> {
        Some(vec!["a tree".to_string(), "of two lines".to_string()])
    }
}

/// The controller's end of a session on another thread.
pub struct Controller {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    ending: Receiver<Result<Ending, SessionError>>,
}

impl Controller {
    pub fn new(engine: Configured<Game>) -> Controller {
        let (from_controller, input) = std::io::pipe().expect("a pipe");
        let (output, to_controller) = std::io::pipe().expect("a pipe");
        let (done, ending) = mpsc::channel();
        let identity = Identity {
            name: "Patient".to_string(),
            author: "a test".to_string(),
            version: "1".to_string(),
        };
        let session = Session::new(engine, identity, Army::Full, to_controller);
        thread::spawn(move || done.send(session.run(BufReader::new(from_controller))));
        Controller { input: Some(input), lines: lines(output), ending }
    }

    /// A session that has answered `aei`.
    pub fn opened(engine: Configured<Game>) -> Controller {
        let mut controller = Controller::new(engine);
        controller.send("aei");
        while controller.line() != "aeiok" {}
        controller
    }

    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open input");
        // A session that has ended reads nothing more.
        let _ = writeln!(input, "{line}");
    }

    /// The next line that the engine sends.
    pub fn line(&self) -> String {
        self.line_within(PATIENCE).expect("a line in time")
    }

    /// The next line, if there is one so soon.
    pub fn line_within(&self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    /// The next line that is no info.
    pub fn answer(&self) -> String {
        loop {
            let line = self.line();
            if !line.starts_with("info ") {
                return line;
            }
        }
    }

    /// Closes the input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Closes the input; returns how the session ended, and what it sent before.
    pub fn finish(mut self) -> (Result<Ending, SessionError>, Vec<String>) {
        self.hang_up();
        let ending = self.ending.recv_timeout(PATIENCE).expect("the session ends in time");
        (ending, self.lines.iter().collect())
    }
}

fn lines(output: PipeReader) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if sender.send(line.expect("a line in UTF-8")).is_err() {
                return;
            }
        }
    });
    lines
}
