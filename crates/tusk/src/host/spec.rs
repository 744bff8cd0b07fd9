//! What an engine of a match is: `tusk`, `mine.toml`, `tusk reach=9`, `aei:COMMAND`.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use aei::{Patience, Program};
use arena::{AeiEngine, AeiPlayer, Failure, Feed, GetmovePlayer, Player};

use super::built_in::BuiltIn;
use super::{ArimaaRules, no_start};
use crate::choice::{known, refusal};
use crate::engine::{Engine, Preset, mind};
use crate::engine_file::EngineFile;
use crate::thinking::Settings;
use crate::units;

/// What an engine of a match is.
#[derive(Clone)]
pub enum Spec {
    /// One of this program's own, in this process.
    BuiltIn(Own),
    /// The same, in a process of its own.
    Process(Own),
    /// A program that speaks the Arimaa Engine Interface.
    Aei { command: String, feed: Feed },
    /// A program of the older interface.
    Getmove { command: String },
}

/// An engine of this program, with what is set differently.
#[derive(Clone)]
pub struct Own {
    /// As it was asked for: the engine and its settings.
    words: String,
    settings: Option<Settings>,
}

impl Spec {
    /// The engine, ready to play; a program is told these options before each game.
    pub fn player(&self, options: &BTreeMap<String, String>) -> Result<Box<dyn Player>, Failure> {
        let options = options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(match self {
            // Each game sets the seed.
            Spec::BuiltIn(own) => Box::new(BuiltIn::new(own.words.clone(), mind(own.settings, 0))),
            Spec::Process(own) => {
                let program = own.program().map_err(no_start)?;
                let engine = AeiEngine { seeded: true, options, ..AeiEngine::new(program) };
                Box::new(AeiPlayer::start(engine)?)
            }
            Spec::Aei { command, feed } => {
                let engine = AeiEngine::new(Program::new(command.clone()));
                Box::new(AeiPlayer::start(AeiEngine { feed: *feed, options, ..engine })?)
            }
            Spec::Getmove { command } => {
                let (program, patience) = (Program::new(command.clone()), Patience::default());
                Box::new(GetmovePlayer::new(program, Arc::new(ArimaaRules), patience)?)
            }
        })
    }

    /// Whether this is the command of a program, not the name of an engine.
    pub fn is_program(text: &str) -> bool {
        text.contains(':')
    }

    /// How many cores it needs when it thinks; of other programs it is not known.
    pub fn threads(&self) -> usize {
        match self {
            Spec::BuiltIn(own) | Spec::Process(own) => {
                own.settings.map_or(1, |settings| settings.threads)
            }
            Spec::Aei { .. } | Spec::Getmove { .. } => 1,
        }
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let Some((kind, rest)) = text.split_once(':') else {
            return text.parse().map(Spec::BuiltIn);
        };
        let command = || match rest.trim() {
            "" => Err(format!("{text}: expected the command of an engine after the colon")),
            command => Ok(command.to_string()),
        };
        match kind {
            "aei" => Ok(Spec::Aei { command: command()?, feed: Feed::Auto }),
            "aei-moves" => Ok(Spec::Aei { command: command()?, feed: Feed::Moves }),
            "getmove" => Ok(Spec::Getmove { command: command()? }),
            "process" => rest.parse().map(Spec::Process),
            _ => Err(format!(
                "{text}: there is no kind of engine {kind:?}; there are: aei:COMMAND, \
                 aei-moves:COMMAND, getmove:COMMAND, process:NAME, and names of `tusk engines`"
            )),
        }
    }
}

impl Own {
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

impl FromStr for Own {
    type Err = String;

    /// A name or a file, then settings: `tusk reach=9 threads=2 memory=128MiB preset=plain`.
    fn from_str(text: &str) -> Result<Own, String> {
        let mut words = text.split_whitespace();
        let name = words.next().ok_or("expected the name of an engine")?;
        known(name).map_err(|fault| format!("{name}: {fault}"))?;
        let EngineFile { engine, mut settings, .. } = match Engine::named(name) {
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

fn set(engine: &Engine, settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
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
