//! What an engine of a match is: `tusk`, `mine.toml`, `tusk reach=9`, `aei:COMMAND`.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use aei::{Patience, Program};
use arena::{AeiEngine, AeiPlayer, Failure, Feed, FilePlayer, GetmovePlayer, Player};

use super::built_in::BuiltIn;
use super::{RulesOf, no_start};
use crate::choice::{check_name, refusal};
use crate::engine::{Engine, Preset, Settings, mind};
use crate::engine_file::EngineFile;
use crate::sport::Sport;
use crate::units;

/// What an engine of a match is.
#[derive(Clone)]
pub enum Spec<S: Sport> {
    /// One of this program's own, in this process.
    BuiltIn(Own<S>),
    /// The same, in a process of its own.
    Process(Own<S>),
    /// Another program.
    Program { interface: Interface, command: String },
}

/// How another process is talked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    /// By the Arimaa Engine Interface.
    Aei,
    /// By the same, and told turns alone.
    AeiMoves,
    /// By the older interface of Arimaa's bots.
    Getmove,
    /// By the files of WALTZ.
    Waltz,
    /// An engine of this program in a process of its own.
    Process,
}

impl Interface {
    /// What stands before the colon.
    fn word(self) -> &'static str {
        match self {
            Interface::Aei => "aei",
            Interface::AeiMoves => "aei-moves",
            Interface::Getmove => "getmove",
            Interface::Waltz => "waltz",
            Interface::Process => "process",
        }
    }

    /// How to ask for it.
    fn form(self) -> String {
        let rest = if self == Interface::Process { "NAME" } else { "COMMAND" };
        format!("{}:{rest}", self.word())
    }
}

/// An engine of this program, with what is set differently.
#[derive(Clone)]
pub struct Own<S: Sport> {
    /// As it was asked for: the engine and its settings.
    words: String,
    settings: Option<Settings<S>>,
}

/// Whether this is the command of a program, not the name of an engine.
pub fn is_program(text: &str) -> bool {
    text.contains(':')
}

impl<S: Sport> Spec<S> {
    /// The engine, ready to play; a program is told these options before each game.
    pub fn player(&self, options: &BTreeMap<String, String>) -> Result<Box<dyn Player>, Failure> {
        let options = options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        match self {
            // Each game sets the seed.
            Spec::BuiltIn(own) => {
                Ok(Box::new(BuiltIn::new(own.words.clone(), mind(own.settings, 0))))
            }
            Spec::Process(own) => {
                let program = own.program().map_err(no_start)?;
                let engine = AeiEngine { seeded: true, options, ..AeiEngine::new(program) };
                Ok(Box::new(AeiPlayer::start(engine)?))
            }
            Spec::Program { interface, command } => {
                interface.player::<S>(Program::new(command.clone()), options)
            }
        }
    }

    /// How many cores it needs when it thinks; of other programs it is not known.
    pub fn threads(&self) -> usize {
        match self {
            Spec::BuiltIn(own) | Spec::Process(own) => {
                own.settings.map_or(1, |settings| settings.threads)
            }
            Spec::Program { .. } => 1,
        }
    }
}

impl Interface {
    /// A program that is talked to so.
    fn player<S: Sport>(
        self,
        program: Program,
        options: Vec<(String, String)>,
    ) -> Result<Box<dyn Player>, Failure> {
        let feed = if self == Interface::AeiMoves { Feed::Moves } else { Feed::Auto };
        let rules = Arc::new(RulesOf::<S>::NEW);
        Ok(match self {
            Interface::Aei | Interface::AeiMoves | Interface::Process => {
                Box::new(AeiPlayer::start(AeiEngine { feed, options, ..AeiEngine::new(program) })?)
            }
            Interface::Getmove => {
                Box::new(GetmovePlayer::new(program, rules, Patience::default())?)
            }
            Interface::Waltz => Box::new(FilePlayer::new(program, rules, Patience::default())?),
        })
    }
}

impl<S: Sport> FromStr for Spec<S> {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec<S>, String> {
        let Some((kind, rest)) = text.split_once(':') else {
            return text.parse().map(Spec::BuiltIn);
        };
        let known = S::INTERFACES.iter().find(|interface| interface.word() == kind);
        let Some(&interface) = known else {
            let forms: Vec<String> = S::INTERFACES.iter().map(|known| known.form()).collect();
            return Err(format!(
                "{text}: there is no kind of engine {kind:?}; there are: {}, and names of `tusk \
                 engines`",
                forms.join(", ")
            ));
        };
        match (interface, rest.trim()) {
            (Interface::Process, _) => rest.parse().map(Spec::Process),
            (_, "") => Err(format!("{text}: expected the command of an engine after the colon")),
            (_, command) => Ok(Spec::Program { interface, command: command.to_string() }),
        }
    }
}

impl<S: Sport> Own<S> {
    /// The program by which this one plays so.
    fn program(&self) -> Result<Program, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let program = program.to_str().ok_or("the path of this program is no text")?;
        let mut words = self.words.split(' ');
        let mut line = vec![program, "aei", "--engine", words.next().unwrap_or_default()];
        for word in words {
            match word.split_once('=') {
                Some(("threads", value)) => line.extend(["--threads", value]),
                Some(("memory", value)) => line.extend(["--memory", value]),
                Some(("preset", value)) => line.extend(["--preset", value]),
                _ => line.extend(["--set", word]),
            }
        }
        Ok(Program::of_words(&line))
    }
}

impl<S: Sport> FromStr for Own<S> {
    type Err = String;

    /// A name or a file, then settings: `tusk reach=9 threads=2 memory=128MiB preset=plain`.
    fn from_str(text: &str) -> Result<Own<S>, String> {
        let mut words = text.split_whitespace();
        let name = words.next().ok_or("expected the name of an engine")?;
        check_name::<S>(name).map_err(|fault| format!("{name}: {fault}"))?;
        let EngineFile { engine, mut settings, .. } = match Engine::<S>::named(name) {
            Some(engine) => EngineFile::only(engine),
            None => EngineFile::read(Path::new(name)).map_err(|error| format!("{error:#}"))?,
        };
        for word in words {
            let (parameter, value) = word.split_once('=').ok_or_else(|| {
                format!("{name}: expected settings such as reach=9, found {word:?}")
            })?;
            let settings =
                settings.as_mut().ok_or_else(|| format!("{word}: {name} has nothing to set"))?;
            set(engine, settings, parameter, value).map_err(|fault| format!("{word}: {fault}"))?;
        }
        Ok(Own { words: text.split_whitespace().collect::<Vec<_>>().join(" "), settings })
    }
}

fn set<S: Sport>(
    engine: &Engine<S>,
    settings: &mut Settings<S>,
    name: &str,
    value: &str,
) -> Result<(), String> {
    if let Some(fault) = engine.refusal_of(name) {
        return Err(fault);
    }
    match name {
        "threads" => {
            let number = value.parse().ok().filter(|number| (1..=256).contains(number));
            settings.threads = number.ok_or("expected a whole number from 1 to 256")?;
        }
        "memory" => settings.mebibytes = units::mebibytes(value)?,
        "preset" => {
            crate::choice::known_preset(value)?;
            if let Some(preset) = Preset::named(value) {
                preset.apply(settings);
            }
        }
        _ => settings.set(name, value).map_err(|error| refusal(engine, &error))?,
    }
    Ok(())
}
