//! What an engine of a match is: `tusk`, `mine.toml`, `tusk reach=9`, `aei:COMMAND`.

use std::path::Path;
use std::str::FromStr;

use arena::{Failure, Player};

use super::built_in::BuiltIn;
use crate::choice::{is_file, known, refusal};
use crate::engine::{Engine, Preset, mind};
use crate::engine_file::EngineFile;
use crate::thinking::Settings;
use crate::units;

/// What an engine of a match is.
#[derive(Clone)]
pub enum Spec {
    /// One of this program's own, in this process.
    BuiltIn(Own),
}

/// An engine of this program, with what is set differently.
#[derive(Clone)]
pub struct Own {
    /// As it was asked for: the engine and its settings.
    words: String,
    settings: Option<Settings>,
}

impl Spec {
    /// The engine, ready to play.
    pub fn player(&self) -> Result<Box<dyn Player>, Failure> {
        match self {
            Spec::BuiltIn(own) => {
                // Each game sets the seed.
                Ok(Box::new(BuiltIn::new(own.words.clone(), mind(own.settings, 0))))
            }
        }
    }

    /// How many cores it needs when it thinks.
    pub fn threads(&self) -> usize {
        match self {
            Spec::BuiltIn(own) => own.settings.map_or(1, |settings| settings.threads),
        }
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        text.parse().map(Spec::BuiltIn)
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

/// Whether the engine is read from a file.
pub fn is_engine_file(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(is_file)
}
