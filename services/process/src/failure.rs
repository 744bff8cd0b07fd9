use std::fmt;

/// How an engine failed its controller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What kind of failure it is.
    pub fault: Fault,
    /// What happened, in a sentence.
    pub detail: String,
    /// The last lines of what the engine wrote, and of what it was told, the newest last.
    pub last_lines: Vec<String>,
}

/// The kinds of failure, which are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// It did not get ready: there is no such program, it ended, or said nothing in time.
    Start,
    /// It ended while it was needed.
    Crash,
    /// It did not answer, long after its time was over.
    Hang,
    /// It answered, but too late.
    Late,
    /// It answered with what the rules do not allow.
    Illegal,
    /// It said what the protocol does not allow.
    Protocol,
}

impl Failure {
    /// A failure before or beside any talk with the engine.
    pub fn new(fault: Fault, detail: impl Into<String>) -> Failure {
        Failure { fault, detail: detail.into(), last_lines: Vec::new() }
    }
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 6] =
        [Fault::Start, Fault::Crash, Fault::Hang, Fault::Late, Fault::Illegal, Fault::Protocol];

    /// The fault of that name.
    pub fn named(word: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.name() == word)
    }

    /// One word: `start`, `crash`, `hang`, `late`, `illegal` or `protocol`.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Start => "start",
            Fault::Crash => "crash",
            Fault::Hang => "hang",
            Fault::Late => "late",
            Fault::Illegal => "illegal",
            Fault::Protocol => "protocol",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.fault, self.detail)
    }
}

impl std::error::Error for Failure {}
