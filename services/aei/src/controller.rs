//! The controller's end of a session.

mod found;
mod heard;

use std::fmt::Display;
use std::time::{Duration, Instant};

use process::{Failure, Fault, Line, Process, Program, Silence, Timeouts};

pub use self::found::Found;
use self::heard::Heard;
use crate::Identity;

/// Runs an engine in a process of its own, and asks it for turns.
///
/// Each failure ends the engine at once: nothing more can be asked of it. Dropping the controller
/// sends `quit`, and ends what does not go by itself, with all that it has started (see [`Process`]).
pub struct Controller {
    process: Process,
    identity: Identity,
    version: u32,
    timeouts: Timeouts,
}

/// How many lines that are none of the protocol's are let pass before an answer. Some engines draw
/// boards while they think.
const GARBAGE: u32 = 200;

/// Why no answer was heard.
enum Trouble {
    /// There was none.
    Silence(Silence),
    /// There was too much else.
    Garbage,
}

/// What was said since a question, in place of an answer.
struct Talk {
    /// When the question was asked.
    since: Instant,
    /// How many lines the protocol knows.
    sense: u32,
    /// How many it does not.
    garbage: u32,
}

impl Talk {
    fn begin() -> Talk {
        Talk { since: Instant::now(), sense: 0, garbage: 0 }
    }
}

impl Controller {
    /// Runs an engine, and waits until it is ready. Whatever goes wrong is a [`Fault::Start`].
    pub fn start(program: &Program, timeouts: Timeouts) -> Result<Controller, Failure> {
        let process = Process::start(program, &[])?;
        let identity = Identity {
            name: program.command.clone(),
            author: String::new(),
            version: String::new(),
        };
        // An engine that does not tell speaks the version before the first one.
        let mut controller = Controller { process, identity, version: 0, timeouts };
        let ready = controller.greet().and_then(|()| controller.ready());
        ready.map_err(|failure| Failure { fault: Fault::Start, ..failure })?;
        Ok(controller)
    }

    /// What the engine calls itself; its command line, if it does not say.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The version of the protocol that it speaks: 1, or 0 if it does not say.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Sets an option; one that the engine does not know does no harm.
    pub fn set_option(&mut self, name: &str, value: impl Display) {
        self.process.tell(&format!("setoption name {name} value {value}"));
    }

    /// Begins a game at the very start.
    pub fn new_game(&mut self) {
        self.process.tell("newgame");
    }

    /// Goes on at a position, in one line: `g [64 characters]`.
    pub fn set_position(&mut self, position: &str) {
        let position = position.trim();
        let position = match (self.version, position.split_at_checked(1)) {
            (0, Some(("g", rest))) => format!("w{rest}"),
            (0, Some(("s", rest))) => format!("b{rest}"),
            _ => position.to_string(),
        };
        self.process.tell(&format!("setposition {position}"));
    }

    /// Tells a turn that was played, by whomever.
    pub fn make_move(&mut self, turn: &str) {
        self.process.tell(&format!("makemove {turn}"));
    }

    /// Waits until the engine has done all that it was told.
    pub fn ready(&mut self) -> Result<(), Failure> {
        self.ask("isready", "readyok", self.timeouts.ready, |_, heard| *heard == Heard::ReadyOk)
    }

    /// Asks for a turn, which must arrive within a time if one is given. When that is over,
    /// the engine is told to stop: what it answers then is too late, but tells a slow engine from one
    /// that hangs.
    pub fn go(&mut self, latest: Option<Duration>) -> Result<Found, Failure> {
        let allowed = latest.unwrap_or(self.timeouts.untimed);
        let mut talk = self.question("go");
        let mut found = Found::default();
        let until = talk.since + allowed;
        let mut answer = self.hear_turn(&mut talk, &mut found, until);
        if let Err(Trouble::Silence(Silence::Time)) = answer {
            self.process.tell("stop");
            answer = self.hear_turn(&mut talk, &mut found, until + self.timeouts.grace);
        }
        let line = answer.map_err(|trouble| self.unanswered(trouble, &talk, allowed))?;
        found.time = line.at - talk.since;
        if found.time > allowed {
            let detail =
                format!("it answered after {:.3?}, the latest was {allowed:.3?}", found.time);
            return Err(self.fail(Fault::Late, detail));
        }
        if found.turn.is_empty() {
            return Err(self.fail(Fault::Protocol, "it answered bestmove without a move"));
        }
        if let Some(word) = found.turn.split_whitespace().find(|word| !is_move_word(word)) {
            let detail = format!("it answered bestmove with {word:?}, which is no step");
            return Err(self.fail(Fault::Protocol, detail));
        }
        Ok(found)
    }

    /// A failure of the engine, with the last lines; it is ended.
    pub fn fail(&mut self, fault: Fault, detail: impl Into<String>) -> Failure {
        self.process.end(Duration::ZERO);
        self.process.failure(fault, detail)
    }

    /// Opens the session, and hears who it is.
    fn greet(&mut self) -> Result<(), Failure> {
        self.ask("aei", "aeiok", self.timeouts.greeting, |controller, heard| {
            match *heard {
                Heard::ProtocolVersion(version) => controller.version = version,
                Heard::Id("name", name) => controller.identity.name = name.to_string(),
                Heard::Id("author", author) => controller.identity.author = author.to_string(),
                Heard::Id("version", version) => controller.identity.version = version.to_string(),
                _ => {}
            }
            *heard == Heard::AeiOk
        })
    }

    /// Sends a message, and listens until its answer is heard.
    fn ask(
        &mut self,
        message: &str,
        answer: &str,
        within: Duration,
        mut is_answer: impl FnMut(&mut Controller, &Heard) -> bool,
    ) -> Result<(), Failure> {
        let mut talk = self.question(message);
        let until = talk.since + within;
        loop {
            let line = match self.hear(&mut talk, until) {
                Ok(line) => line,
                Err(Trouble::Silence(Silence::Time)) => {
                    let detail =
                        format!("it did not answer {message} with {answer} within {within:?}");
                    return Err(self.fail(Fault::Start, detail));
                }
                Err(trouble) => return Err(self.unanswered(trouble, &talk, within)),
            };
            if is_answer(self, &Heard::of(&line.text)) {
                return Ok(());
            }
        }
    }

    /// Sends a message that wants an answer.
    fn question(&self, message: &str) -> Talk {
        self.process.renew();
        let talk = Talk::begin();
        self.process.tell(message);
        talk
    }

    /// Listens until the engine answers with a turn, and to what it says of it before.
    fn hear_turn(
        &self,
        talk: &mut Talk,
        found: &mut Found,
        until: Instant,
    ) -> Result<Line, Trouble> {
        loop {
            let line = self.hear(talk, until)?;
            match Heard::of(&line.text) {
                Heard::Info(kind, value) => found.note(kind, value),
                Heard::BestMove(turn) => {
                    found.turn = turn.to_string();
                    return Ok(line);
                }
                _ => {}
            }
        }
    }

    /// The next line since the question, unless it is one piece of garbage too many.
    fn hear(&self, talk: &mut Talk, until: Instant) -> Result<Line, Trouble> {
        let line = loop {
            let line = self.process.hear(until).map_err(Trouble::Silence)?;
            if line.at >= talk.since {
                break line;
            }
        };
        match Heard::of(&line.text) {
            Heard::Garbage => talk.garbage += 1,
            _ => talk.sense += 1,
        }
        if talk.garbage > GARBAGE { Err(Trouble::Garbage) } else { Ok(line) }
    }

    /// What it means that no answer came.
    fn unanswered(&mut self, trouble: Trouble, talk: &Talk, allowed: Duration) -> Failure {
        let (fault, detail) = match trouble {
            Trouble::Silence(Silence::End(_)) => {
                return self.process.crashed(self.timeouts.farewell);
            }
            Trouble::Silence(Silence::Time) if talk.sense == 0 && talk.garbage > 0 => {
                (Fault::Protocol, "it answered with nothing that the protocol knows".to_string())
            }
            Trouble::Silence(Silence::Time) => {
                let grace = self.timeouts.grace;
                (Fault::Hang, format!("it had {allowed:.3?}, and did not answer {grace:?} later"))
            }
            Trouble::Silence(Silence::LongLine) => {
                (Fault::Protocol, "it wrote a line without an end".to_string())
            }
            Trouble::Silence(Silence::Flood) => {
                (Fault::Protocol, "it flooded us with lines".to_string())
            }
            Trouble::Garbage => (
                Fault::Protocol,
                format!("it wrote more than {GARBAGE} lines that the protocol does not know"),
            ),
        };
        self.fail(fault, detail)
    }
}

/// Whether a turn can have such a word: `Ra1`, `Ee2n`, `rc3x`, `pass` or `resign`. What is made of such words
/// and not legal is another thing than garbage.
fn is_move_word(word: &str) -> bool {
    let words = ["pass", "resign", "resigns", "resigned"];
    if words.iter().any(|known| word.eq_ignore_ascii_case(known)) {
        return true;
    }
    let (place, rest) = word.split_at_checked(3).unwrap_or((word, ""));
    let mut letters = place.chars();
    let piece = letters.next().and_then(arimaa::Piece::from_letter);
    let is_square = letters.as_str().parse::<arimaa::Square>().is_ok();
    piece.is_some() && is_square && matches!(rest, "" | "n" | "e" | "s" | "w" | "x")
}

impl Drop for Controller {
    fn drop(&mut self) {
        self.process.tell("quit");
        self.process.end(self.timeouts.farewell);
    }
}
