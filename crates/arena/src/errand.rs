//! Programs that are run for one turn, and remember nothing.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aei::{End, Failure, Fault, Patience, Process, Silence};
use tempfile::TempDir;

use crate::{Budget, Referee, Rules, Start};

/// The game as it stands, for a program that does not know.
pub(crate) struct Watched {
    rules: Arc<dyn Rules>,
    game: Option<(Start, Box<dyn Referee>)>,
}

impl Watched {
    pub(crate) fn new(rules: Arc<dyn Rules>) -> Watched {
        Watched { rules, game: None }
    }

    pub(crate) fn rules(&self) -> &dyn Rules {
        self.rules.as_ref()
    }

    /// How the game began, and where it is now.
    pub(crate) fn now(&self) -> Result<(&Start, &dyn Referee), Failure> {
        let game = self.game.as_ref().ok_or_else(|| refused("no game has begun".to_string()))?;
        Ok((&game.0, game.1.as_ref()))
    }

    pub(crate) fn begin(&mut self, start: &Start) -> Result<(), Failure> {
        let mut referee =
            self.rules.begin(start.origin.as_deref().unwrap_or("")).map_err(refused)?;
        for turn in &start.turns {
            referee.play(turn).map_err(refused)?;
        }
        self.game = Some((start.clone(), referee));
        Ok(())
    }

    pub(crate) fn played(&mut self, turn: &str) -> Result<(), Failure> {
        match &mut self.game {
            Some((_, referee)) => referee.play(turn).map(|_| ()).map_err(refused),
            None => Err(refused("no game has begun".to_string())),
        }
    }
}

/// A program that was run for one turn.
pub(crate) struct Errand {
    pub(crate) process: Process,
    pub(crate) began: Instant,
    /// Of it, `grace`, `untimed` and `farewell` are needed.
    pub(crate) patience: Patience,
}

/// A program that has ended as it should, and in time.
pub(crate) struct Done {
    pub(crate) process: Process,
    /// The last line of what it printed, which may be empty.
    pub(crate) last_line: String,
    /// How long it took.
    pub(crate) time: Duration,
}

impl Errand {
    /// Waits until the program is done.
    pub(crate) fn done(mut self, budget: &Budget) -> Result<Done, Failure> {
        let allowed = budget.latest.unwrap_or(self.patience.untimed);
        let (last_line, at) = self.last_line(self.began + allowed + self.patience.grace)?;
        let (process, time) = (self.process, at - self.began);
        if time > allowed {
            let detail = format!("it answered after {time:.3?}, the latest was {allowed:.3?}");
            return Err(process.failure(Fault::Late, detail));
        }
        Ok(Done { process, last_line, time })
    }

    /// The last line of what the program prints, and when it was done.
    fn last_line(&mut self, until: Instant) -> Result<(String, Instant), Failure> {
        let process = &mut self.process;
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
            _ => Ok((last, at)),
        }
    }
}

/// A folder for the files of a program; gone when it is dropped.
pub(crate) fn folder(prefix: &str) -> Result<TempDir, Failure> {
    let folder = tempfile::Builder::new().prefix(prefix).tempdir();
    folder.map_err(|error| refused(format!("a folder for its files: {error}")))
}

/// Not the program's fault, but it does not come to play.
pub(crate) fn refused(detail: String) -> Failure {
    Failure::new(Fault::Start, detail)
}

pub(crate) fn unwritten(file: &Path, error: &io::Error) -> Failure {
    refused(format!("{}: {error}", file.display()))
}
