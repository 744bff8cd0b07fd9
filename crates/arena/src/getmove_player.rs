//! Bots of the older interface: a process for each turn.

mod files;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io};

use aei::{End, Failure, Fault, Patience, Process, Program, Silence};
use tempfile::TempDir;

use self::files::Scene;
use crate::{Answer, Budget, Player, Referee, Rules, Start, Thought};

/// A player behind the older interface of Arimaa bots.
///
/// For each turn the program is run with the names of three files, and prints the turn on its last
/// line (seed 002, A.5): the position is a picture; the record has a turn a line; the state has
/// lines of `key=value`, among them the clocks. Such a bot cannot be told a depth or a number of
/// nodes. The time of a turn is that of the whole process.
pub struct GetmovePlayer {
    program: Program,
    rules: Arc<dyn Rules>,
    patience: Patience,
    /// Where the files are; gone when this is dropped.
    folder: TempDir,
    game: Option<Game>,
}

/// The game as it stands: the bot itself remembers nothing.
struct Game {
    start: Start,
    referee: Box<dyn Referee>,
}

impl GetmovePlayer {
    /// A bot that plays by these rules; of the patience, it needs `grace`, `untimed` and `farewell`.
    pub fn new(
        program: Program,
        rules: Arc<dyn Rules>,
        patience: Patience,
    ) -> Result<GetmovePlayer, Failure> {
        let folder = tempfile::Builder::new().prefix("tusk-getmove-").tempdir();
        let folder = folder.map_err(|error| refused(format!("a folder for its files: {error}")))?;
        Ok(GetmovePlayer { program, rules, patience, folder, game: None })
    }

    /// Runs the bot with the files that tell of this moment.
    fn run(&self, budget: &Budget) -> Result<Process, Failure> {
        let Some(Game { start, referee }) = &self.game else {
            return Err(refused("no game has begun".to_string()));
        };
        let scene = Scene { start, referee: referee.as_ref(), budget };
        let names = ["position", "record", "state"].map(|name| self.folder.path().join(name));
        let texts = [scene.picture(), scene.record(), scene.state()];
        for (name, text) in names.iter().zip(texts) {
            fs::write(name, text).map_err(|error| unwritten(name, &error))?;
        }
        let mut process = Process::start(&self.program, &[&names[0], &names[1], &names[2]])?;
        process.close_input();
        Ok(process)
    }

    /// The last line of what the bot prints, and when it was done.
    fn last_line(
        &self,
        process: &mut Process,
        until: Instant,
    ) -> Result<(String, Instant), Failure> {
        let mut last = String::new();
        let silence = loop {
            match process.hear(until) {
                Ok(line) if line.text.trim().is_empty() => {}
                Ok(line) => last = line.text.trim().to_string(),
                Err(silence) => break silence,
            }
        };
        let Silence::End(at) = silence else {
            process.end(Duration::ZERO);
            let (fault, detail) = match silence {
                Silence::Time => (Fault::Hang, "it did not answer, long after its time was over"),
                Silence::LongLine => (Fault::Protocol, "it printed a line without an end"),
                _ => (Fault::Protocol, "it flooded us with lines"),
            };
            return Err(process.failure(fault, detail));
        };
        match process.end(self.patience.farewell) {
            End::Own(status) if !status.success() => {
                Err(process.failure(Fault::Crash, format!("it ended badly ({status})")))
            }
            _ if last.is_empty() => Err(process.failure(Fault::Protocol, "it printed no turn")),
            _ => Ok((last, at)),
        }
    }
}

/// Not the bot's fault, but it does not come to play.
fn refused(detail: String) -> Failure {
    Failure::new(Fault::Start, detail)
}

fn unwritten(file: &Path, error: &io::Error) -> Failure {
    refused(format!("{}: {error}", file.display()))
}

impl Player for GetmovePlayer {
    /// Its command line: such a bot does not say what it is called.
    fn identity(&self) -> String {
        self.program.command.clone()
    }

    fn begin(&mut self, start: &Start) -> Result<(), Failure> {
        let mut referee =
            self.rules.begin(start.origin.as_deref().unwrap_or("")).map_err(refused)?;
        for turn in &start.turns {
            referee.play(turn).map_err(refused)?;
        }
        self.game = Some(Game { start: start.clone(), referee });
        Ok(())
    }

    fn played(&mut self, turn: &str) -> Result<(), Failure> {
        match &mut self.game {
            Some(game) => game.referee.play(turn).map(|_| ()).map_err(refused),
            None => Err(refused("no game has begun".to_string())),
        }
    }

    fn think(&mut self, budget: &Budget) -> Result<Thought, Failure> {
        let began = Instant::now();
        let allowed = budget.latest.unwrap_or(self.patience.untimed);
        let mut process = self.run(budget)?;
        let until = began + allowed + self.patience.grace;
        let (turn, at) = self.last_line(&mut process, until)?;
        let time = at - began;
        if time > allowed {
            let detail = format!("it answered after {time:.3?}, the latest was {allowed:.3?}");
            return Err(process.failure(Fault::Late, detail));
        }
        Ok(Thought { answer: Answer::of(&turn), time, score: None, depth: None, nodes: None })
    }
}
