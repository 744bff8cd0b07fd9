//! Programs that are run for one turn, and remember nothing.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use arena::Budget;
use process::{Failure, Fault, Process, Silence, TemporaryFolder, Timeouts};

/// A program that was run for one turn.
pub(super) struct OneTurn {
    pub(super) process: Process,
    pub(super) began: Instant,
    /// Of it, `grace`, `untimed` and `farewell` are needed.
    pub(super) timeouts: Timeouts,
}

/// A program that has ended as it should, and in time.
pub(super) struct Done {
    pub(super) process: Process,
    /// The last line of what it printed, which may be empty.
    pub(super) last_line: String,
    /// How long it took.
    pub(super) time: Duration,
}

impl OneTurn {
    /// Waits until the program is done.
    pub(super) fn done(mut self, budget: &Budget) -> Result<Done, Failure> {
        let allowed = budget.latest.unwrap_or(self.timeouts.untimed);
        let (last_line, at) = self.last_line(self.began + allowed + self.timeouts.grace)?;
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
        process.ended_well(self.timeouts.farewell)?;
        Ok((last, at))
    }
}

/// A folder for the files of a program; gone when it is dropped.
pub(super) fn folder(kind: &str) -> Result<TemporaryFolder, Failure> {
    TemporaryFolder::new(kind).map_err(|error| refused(format!("a folder for its files: {error}")))
}

/// Not the program's fault, but it does not come to play.
pub(super) fn refused(detail: String) -> Failure {
    Failure::new(Fault::Start, detail)
}

pub(super) fn not_begun() -> Failure {
    refused("no game has begun".to_string())
}

pub(super) fn unwritten(file: &Path, error: &io::Error) -> Failure {
    refused(format!("{}: {error}", file.display()))
}
