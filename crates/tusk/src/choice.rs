//! How a command line asks for an engine, and for its settings.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use ::engine::ParameterError;
use arena::Player;

use crate::engine::{Engine, Mind, PRESETS, Preset, mind};
use crate::engine_file::EngineFile;
use crate::host::{BuiltIn, Spec, is_program};
use crate::sport::Sport;
use crate::{WrongUse, units};

/// What a verb that plays takes.
#[derive(clap::Args)]
pub struct Choice {
    /// The engine that plays: a name of `tusk engines`, or a file such as mine.toml
    #[arg(long = "engine", value_name = "E", default_value = "tusk")]
    engine: String,

    /// The seed of its random choices [default: another one each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Set a parameter of the engine, as often as you like
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,

    /// Set a named set of parameters; --set comes after it
    #[arg(long, value_name = "NAME", value_parser = known_preset)]
    preset: Option<String>,

    /// How many threads think [default: the engine's, mostly 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// The memory of the table [default: the engine's, mostly 64MiB]
    #[arg(long, value_name = "M", value_parser = units::mebibytes)]
    memory: Option<usize>,
}

/// Whether this is the name of a file, not of an engine.
fn is_file(engine: &str) -> bool {
    engine.ends_with(".toml")
}

/// Refuses what is neither an engine nor a file.
pub fn check_name<S: Sport>(name: &str) -> Result<(), String> {
    match is_file(name) || Engine::<S>::named(name).is_some() {
        true => Ok(()),
        false => Err(format!("{}, and files of your own (mine.toml)", no_such_engine::<S>())),
    }
}

/// That an engine's name is wrong, and which there are.
pub fn no_such_engine<S: Sport>() -> String {
    let names = listed(S::ENGINES.iter().map(|engine| engine.name));
    format!("there is no such engine; there are: {names}")
}

pub fn known_preset(name: &str) -> Result<String, String> {
    match Preset::named(name) {
        Some(_) => Ok(name.to_string()),
        None => Err(format!(
            "there is no such preset; there are: {}",
            listed(PRESETS.iter().map(|preset| preset.name))
        )),
    }
}

pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write name=value")?;
    Ok((name.to_string(), value.to_string()))
}

/// A seed that is another one each time; stores keep signed numbers.
pub fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 >> 2
}

/// Names with commas between them.
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// Why a parameter of the engine was not set, with what there is.
pub fn refusal<S: Sport>(engine: &Engine<S>, error: &ParameterError) -> String {
    let parameters = engine.parameters();
    match error {
        ParameterError::Unknown if parameters.is_empty() => {
            format!("{} has no parameters", engine.name)
        }
        ParameterError::Unknown => format!(
            "{} has no such parameter; there are: {}",
            engine.name,
            listed(parameters.iter().map(|parameter| parameter.name))
        ),
        ParameterError::OutOfRange { .. } | ParameterError::File { .. } => error.to_string(),
    }
}

impl Choice {
    /// The seed that was asked for, else another one each time.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(any_seed)
    }

    /// The engine as a player, which may be another program.
    pub fn player<S: Sport>(&self) -> anyhow::Result<Box<dyn Player>> {
        if is_program(&self.engine) {
            let spec: Spec<S> = self.engine.parse().map_err(WrongUse)?;
            return Ok(spec.player(&BTreeMap::new())?);
        }
        let (name, mind) = self.start::<S>()?;
        Ok(Box::new(BuiltIn::new(name, mind)))
    }

    /// The engine, ready to play, and its name.
    pub fn start<S: Sport>(&self) -> anyhow::Result<(String, Box<dyn Mind<S>>)> {
        if is_program(&self.engine) {
            let fault = "other programs play in `tusk match` and answer in `tusk suite`";
            return Err(WrongUse(format!("--engine {}: {fault}", self.engine)).into());
        }
        check_name::<S>(&self.engine)
            .map_err(|fault| WrongUse::value("--engine <E>", &self.engine, &fault))?;
        let seed = self.seed();
        let EngineFile { name, engine, mut settings } = match Engine::<S>::named(&self.engine) {
            Some(engine) => EngineFile::only(engine),
            None => EngineFile::read(Path::new(&self.engine))?,
        };
        let Some(settings) = &mut settings else {
            self.refuse_settings(engine)?;
            return Ok((name, mind(None, seed)));
        };
        for (option, is_wanted) in
            [("preset", self.preset.is_some()), ("threads", self.threads.is_some())]
        {
            if let Some(fault) = engine.refusal_of(option).filter(|_| is_wanted) {
                return Err(WrongUse(format!("--{option}: {fault}")).into());
            }
        }
        if let Some(preset) = self.preset.as_deref().and_then(Preset::named) {
            preset.apply(settings);
        }
        for (parameter, value) in &self.settings {
            settings.set(parameter, value).map_err(|error| {
                WrongUse(format!("--set {parameter}={value}: {}", refusal(engine, &error)))
            })?;
        }
        settings.threads = self.threads.map_or(settings.threads, usize::from);
        settings.mebibytes = self.memory.unwrap_or(settings.mebibytes);
        Ok((name, mind(Some(*settings), seed)))
    }

    /// Of an engine that has nothing to set, nothing can be wanted.
    fn refuse_settings<S: Sport>(&self, engine: &Engine<S>) -> Result<(), WrongUse> {
        let wanted = [
            ("--set", !self.settings.is_empty()),
            ("--preset", self.preset.is_some()),
            ("--threads", self.threads.is_some()),
            ("--memory", self.memory.is_some()),
        ];
        match wanted.iter().find(|(_, is_wanted)| *is_wanted) {
            Some((option, _)) => Err(WrongUse(format!(
                "{option}: {} does not search and has no parameters",
                engine.name
            ))),
            None => Ok(()),
        }
    }
}
