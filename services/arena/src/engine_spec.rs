use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// Which engine plays, as command lines and plans name it.
///
/// ```
/// # use arena::{EngineSpec, Interface};
/// let spec: EngineSpec = "tusk max_depth=9 threads=2".parse().unwrap();
/// let settings = vec![("max_depth".into(), "9".into()), ("threads".into(), "2".into())];
/// assert_eq!(spec, EngineSpec::BuiltIn { name: "tusk".into(), settings });
/// let spec: EngineSpec = "aei:./bot --fast".parse().unwrap();
/// let command = "./bot --fast".to_string();
/// assert_eq!(spec, EngineSpec::Program { interface: Interface::Aei, command });
/// assert_eq!(spec.to_string(), "aei:./bot --fast");
/// ```
///
/// Which names and interfaces a game has is not known here: it is checked where a command line or a
/// file is read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EngineSpec {
    /// One of Tusk's own engines in this process: `tusk max_depth=9`.
    BuiltIn {
        /// A name of the catalogue, or a file such as `mine.toml`.
        name: String,
        /// What is set differently, in order.
        settings: Vec<(String, String)>,
    },
    /// The same in a process of its own: `process:tusk max_depth=9`.
    Process {
        /// A name of the catalogue, or a file such as `mine.toml`.
        name: String,
        /// What is set differently, in order.
        settings: Vec<(String, String)>,
    },
    /// Another program: `aei:COMMAND`.
    Program {
        /// How it is talked to.
        interface: Interface,
        /// Its command line.
        command: String,
    },
}

/// How another program is talked to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Interface {
    /// By the Arimaa Engine Interface.
    Aei,
    /// By the same, and told turns alone.
    AeiMoves,
    /// By the older interface of Arimaa's bots: a process for each turn, with three files.
    Getmove,
    /// By the files of WALTZ: a process for each turn, which writes its turn over the position.
    Waltz,
}

impl Interface {
    /// All of them.
    pub const ALL: [Interface; 4] =
        [Interface::Aei, Interface::AeiMoves, Interface::Getmove, Interface::Waltz];

    /// What stands before the colon.
    pub const fn word(self) -> &'static str {
        match self {
            Interface::Aei => "aei",
            Interface::AeiMoves => "aei-moves",
            Interface::Getmove => "getmove",
            Interface::Waltz => "waltz",
        }
    }
}

/// Why a text names no engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineSpecError {
    /// The word before the colon is no interface.
    #[error("there is no kind of engine {0:?}")]
    Interface(String),
    /// There is nothing after the colon.
    #[error("expected the command of an engine after the colon")]
    NoCommand,
    /// There is no name.
    #[error("expected the name of an engine")]
    NoName,
    /// A word after the name is no setting.
    #[error("{name}: expected settings such as max_depth=9, found {word:?}")]
    Setting {
        /// The engine.
        name: String,
        /// The word.
        word: String,
    },
}

/// What stands before the colon of an engine in a process of its own.
const PROCESS: &str = "process";

impl EngineSpec {
    /// What is not read as anything else: somebody's name. Imported games have players that are no
    /// engines of ours.
    pub fn named(name: &str) -> EngineSpec {
        let unread = |_| EngineSpec::BuiltIn { name: name.to_string(), settings: Vec::new() };
        name.parse().unwrap_or_else(unread)
    }
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    fn from_str(text: &str) -> Result<EngineSpec, EngineSpecError> {
        let Some((kind, rest)) = text.split_once(':') else {
            let (name, settings) = words(text)?;
            return Ok(EngineSpec::BuiltIn { name, settings });
        };
        if kind == PROCESS {
            let (name, settings) = words(rest)?;
            return Ok(EngineSpec::Process { name, settings });
        }
        let interface = Interface::ALL.into_iter().find(|interface| interface.word() == kind);
        let interface = interface.ok_or_else(|| EngineSpecError::Interface(kind.to_string()))?;
        match rest.trim() {
            "" => Err(EngineSpecError::NoCommand),
            command => Ok(EngineSpec::Program { interface, command: command.to_string() }),
        }
    }
}

/// A name and its settings: `tusk max_depth=9 threads=2`.
fn words(text: &str) -> Result<(String, Vec<(String, String)>), EngineSpecError> {
    let mut words = text.split_whitespace();
    let name = words.next().ok_or(EngineSpecError::NoName)?.to_string();
    let setting = |word: &str| match word.split_once('=') {
        Some((parameter, value)) => Ok((parameter.to_string(), value.to_string())),
        None => Err(EngineSpecError::Setting { name: name.clone(), word: word.to_string() }),
    };
    let settings = words.map(setting).collect::<Result<_, _>>()?;
    Ok((name, settings))
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (name, settings) = match self {
            EngineSpec::Program { interface, command } => {
                return write!(f, "{}:{command}", interface.word());
            }
            EngineSpec::BuiltIn { name, settings } => (name, settings),
            EngineSpec::Process { name, settings } => {
                write!(f, "{PROCESS}:")?;
                (name, settings)
            }
        };
        f.write_str(name)?;
        settings.iter().try_for_each(|(parameter, value)| write!(f, " {parameter}={value}"))
    }
}

/// As text, as it is in plans that were kept before.
impl Serialize for EngineSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EngineSpec {
    /// A plan that is kept can always be read: see [`EngineSpec::named`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EngineSpec, D::Error> {
        String::deserialize(deserializer).map(|text| EngineSpec::named(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let texts = [
            "tusk",
            "mine.toml",
            "tusk max_depth=9 preset=plain set=a=b",
            "process:tusk threads=1",
            "aei:./bot --name 'a: b'",
            "aei-moves:bot",
            "getmove:bot",
            "waltz:./tzaar --ai 42",
        ];
        for text in texts {
            let spec: EngineSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(json, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<EngineSpec>(&json).unwrap(), spec);
        }
    }

    #[test]
    fn what_names_no_engine_is_refused_with_its_reason() {
        let table = [
            ("uci:bot", EngineSpecError::Interface("uci".to_string())),
            ("aei: ", EngineSpecError::NoCommand),
            ("", EngineSpecError::NoName),
            ("process:", EngineSpecError::NoName),
            (
                "tusk fast",
                EngineSpecError::Setting { name: "tusk".to_string(), word: "fast".to_string() },
            ),
        ];
        for (text, error) in table {
            assert_eq!(text.parse::<EngineSpec>(), Err(error), "{text:?}");
        }
    }

    #[test]
    fn a_plan_with_people_in_it_is_read_and_keeps_their_names() {
        for name in ["Jean Daligault", "a: b", ""] {
            let spec: EngineSpec = serde_json::from_str(&format!("{name:?}")).unwrap();
            assert_eq!(spec.to_string(), name);
        }
    }
}
