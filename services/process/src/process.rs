//! Other people's programs, run so that they can do no harm.

mod family;
mod group;
mod inbox;
mod transcript;

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub use self::family::{end_all, end_leftovers, is_running};
pub use self::group::End;
use self::group::Group;
use self::inbox::Inbox;
pub use self::inbox::{Line, Silence};
use self::transcript::Transcript;
use crate::{Failure, Fault};
use guard::NoThread;

/// A program that can be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The command line. Blanks and quotes split it as in a shell, but no shell runs it: there are no
    /// variables or patterns in it.
    pub command: String,
    /// The folder to run it in, if not ours; a relative path to the program begins there.
    pub folder: Option<PathBuf>,
}

impl Program {
    /// A program that runs in our folder.
    pub fn new(command: impl Into<String>) -> Program {
        Program { command: command.into(), folder: None }
    }

    /// A program of that name with these arguments, whatever blanks and quotes are in them.
    pub fn of_words(words: &[&str]) -> Program {
        // A word with a zero byte cannot be quoted, and no system takes one.
        Program::new(shlex::try_join(words.iter().copied()).unwrap_or_default())
    }

    /// Whether its command line can be read: every quotation mark is closed, and something is there.
    pub fn check(&self) -> Result<(), Failure> {
        self.words().map(drop)
    }

    /// Whether there is such a program, as far as can be known before it is run.
    pub fn find(&self) -> Result<(), Failure> {
        let words = self.words()?;
        let program = Path::new(&words[0]);
        let folder = self.folder.clone().unwrap_or_default();
        // A name without a folder is looked for in the folders of PATH.
        let places: Vec<PathBuf> = if program.components().count() > 1 {
            vec![folder.join(program)]
        } else {
            let path = env::var_os("PATH").unwrap_or_default();
            env::split_paths(&path).map(|place| place.join(program)).collect()
        };
        // What Windows adds to the name is its own affair: there, the start itself tells.
        if cfg!(windows) || places.iter().any(|place| place.is_file()) {
            return Ok(());
        }
        Err(unstarted(format!("cannot run {:?}: there is no such program", words[0])))
    }

    /// The program's path and its arguments.
    fn words(&self) -> Result<Vec<String>, Failure> {
        let words = shlex::split(&self.command).filter(|words| !words.is_empty());
        words.ok_or_else(|| {
            let fault = "expected a program and its arguments, with each quote closed";
            unstarted(format!("the command line {:?}: {fault}", self.command))
        })
    }
}

/// Starts a thread, if the system has one.
fn start_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    let thread = thread::Builder::new().name(name.to_string());
    thread.spawn(work).map_err(|_| io::Error::other(NoThread))
}

fn unstarted(detail: String) -> Failure {
    Failure::new(Fault::Start, detail)
}

/// A program that runs.
///
/// It leads a process group of its own, all of which ends when this is dropped, in a panic as well. On Linux so
/// does whatever has left the group. If Tusk itself is killed, or aborts, Linux kills the program; what that has
/// started finds its input closed, and the next Tusk ends it ([`end_leftovers`]).
///
/// Talking to it never blocks and never takes much memory: one thread writes what it is told, one
/// reads its lines and notes when each arrived, one reads its standard error, and all three give up at
/// its end.
pub struct Process {
    group: Group,
    input: Option<Sender<String>>,
    inbox: Inbox,
    errors: JoinHandle<()>,
    transcript: Transcript,
}

/// How long the last lines of a program that has ended may be under way.
const SETTLING: Duration = Duration::from_millis(500);

impl Process {
    /// Runs a program, with more arguments after its own.
    pub fn start(program: &Program, arguments: &[&Path]) -> Result<Process, Failure> {
        let words = program.words()?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut place = String::new();
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
            place = format!(" in {}", folder.display());
        }
        let group = Group::spawn(command);
        let mut group = group
            .map_err(|error| unstarted(format!("cannot run {:?}{place}: {error}", words[0])))?;
        let child = group.child();
        let piped = "all three are pipes";
        let (stdin, stdout) = (child.stdin.take().expect(piped), child.stdout.take().expect(piped));
        let stderr = child.stderr.take().expect(piped);
        let transcript = Transcript::default();
        let (input, lines) = mpsc::channel();
        let refused = |error: io::Error| unstarted(error.to_string());
        start_thread("input", move || write_lines(stdin, &lines)).map_err(refused)?;
        let inbox = Inbox::open(stdout, transcript.clone()).map_err(refused)?;
        let complaints = transcript.clone();
        let errors = start_thread("errors", move || inbox::keep_complaints(stderr, &complaints));
        let errors = errors.map_err(refused)?;
        Ok(Process { group, input: Some(input), inbox, errors, transcript })
    }

    /// Writes a line to the program; line ends inside it become blanks. Whether it reads it, its
    /// answers will show.
    pub fn tell(&self, line: &str) {
        let line = line.replace(['\n', '\r'], " ");
        self.transcript.told(&line);
        if let Some(input) = &self.input {
            let _ = input.send(line + "\n");
        }
    }

    /// Closes the program's input, once it has read what it was told.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// A new question is asked: what the program wrote before does not count towards a flood.
    pub fn renew(&self) {
        self.inbox.renew();
    }

    /// The next line, be it older than the moment until which it is waited for.
    pub fn hear(&self, until: Instant) -> Result<Line, Silence> {
        self.inbox.next(until)
    }

    /// Closes the program's input, gives it so much time to end by itself, then ends all of its group.
    pub fn end(&mut self, wait: Duration) -> End {
        self.close_input();
        let end = self.group.end(wait);
        let deadline = Instant::now() + SETTLING;
        while !self.errors.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        end
    }

    /// Its crash: it has closed its output or ended while an answer was awaited. It gets so much time
    /// to end by itself.
    ///
    /// Here and in [`Process::ended_well`] it is decided that a program has crashed, and nowhere else.
    pub fn crashed(&mut self, wait: Duration) -> Failure {
        let detail = match self.end(wait) {
            End::Own(status) => format!("it ended while it was needed ({status})"),
            End::Killed => "it closed its output while it was needed".to_string(),
        };
        self.failure(Fault::Crash, detail)
    }

    /// Awaits the end of a program that was run for one answer, and has closed its output. A status
    /// other than success is a crash.
    pub fn ended_well(&mut self, wait: Duration) -> Result<(), Failure> {
        match self.end(wait) {
            End::Own(status) if !status.success() => {
                Err(self.failure(Fault::Crash, format!("it ended badly ({status})")))
            }
            _ => Ok(()),
        }
    }

    /// Its failure, with the last lines.
    pub fn failure(&self, fault: Fault, detail: impl Into<String>) -> Failure {
        Failure { fault, detail: detail.into(), last_lines: self.transcript.last_lines() }
    }
}

/// A program that does not read makes this thread wait, not us.
fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_by_blanks_and_quotes() {
        let program = Program::new("'my engine' --name \"a b\" c\\ d");
        assert_eq!(program.words().unwrap(), ["my engine", "--name", "a b", "c d"]);
        for command in ["", "  ", "engine 'open"] {
            let failure = Program::new(command).words().unwrap_err();
            assert_eq!(failure.fault, Fault::Start);
            assert!(failure.detail.contains("each quote closed"), "{failure}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_does_not_start() {
        let mut program = Program::new("/no/such/engine --fast");
        let failure = Process::start(&program, &[]).err().unwrap();
        assert_eq!(failure.fault, Fault::Start);
        assert!(failure.detail.starts_with("cannot run \"/no/such/engine\": "), "{failure}");
        assert_eq!(program.find().unwrap_err().fault, Fault::Start);
        assert!(Program::new("no-such-engine-anywhere").find().is_err());
        assert!(Program::new("sh -c 'exit 0'").find().is_ok());
        program = Program { command: "true".to_string(), folder: Some("/no/such/folder".into()) };
        let failure = Process::start(&program, &[]).err().unwrap();
        assert!(failure.detail.contains("in /no/such/folder"), "{failure}");
    }
}
