//! How a command line asks for an engine, and for its settings.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use arena::{EnginePlayer, Player};
use engine::{Configuration, Configured};
use workbench::host::{self, is_program};
use workbench::{Catalogues, EngineRequest, Playing, RequestError, WrongUse, refusal_of, units};

use crate::shared::settings;

/// What a verb that plays takes.
#[derive(clap::Args)]
pub struct EngineArguments {
    /// The engine that plays: a name of `tusk engines`, or a file such as mine.toml [default: that of
    /// `tusk config`, mostly tusk]
    #[arg(long = "engine", value_name = "E")]
    engine: Option<String>,

    /// The seed of its random choices [default: another one each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Set a parameter of the engine, as often as you like
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,

    /// Set a named set of parameters; --set overrides it
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// How many threads think [default: that of `tusk config`, else the engine's, mostly 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// The memory of the table [default: that of `tusk config`, else the engine's, mostly 64MiB]
    #[arg(long, value_name = "M", value_parser = units::mebibytes)]
    memory: Option<usize>,
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

impl EngineArguments {
    /// The seed that was asked for, else another one each time.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(any_seed)
    }

    /// Asks for this engine instead.
    pub fn choose(&mut self, engine: String) {
        self.engine = Some(engine);
    }

    /// What the command line says, else the default in force.
    fn engine<S: Playing>(&self) -> String {
        self.engine.clone().unwrap_or_else(|| settings::in_force().engine(S::NAME))
    }

    /// The engine as a player, which may be another program.
    pub fn player<S: Playing>(
        &self,
        catalogues: &Catalogues,
    ) -> anyhow::Result<Box<dyn Player<S::Game>>> {
        let engine = self.engine::<S>();
        if is_program(&engine) {
            let spec = host::read_spec::<S>(catalogues.get::<S>(), &engine).map_err(WrongUse)?;
            return Ok(host::player::<S>(catalogues.get::<S>(), &spec, &BTreeMap::new())?);
        }
        let (name, engine) = self.start::<S>(catalogues)?;
        let identity = format!("Tusk {name} {}", env!("CARGO_PKG_VERSION"));
        Ok(Box::new(EnginePlayer::new(identity, Box::new(engine))))
    }

    /// The engine, ready to play, and its name.
    pub fn start<S: Playing>(
        &self,
        catalogues: &Catalogues,
    ) -> anyhow::Result<(String, Configured<S::Game>)> {
        let configuration = self.configure::<S>(catalogues)?;
        let name = configuration.name.clone();
        let engine = configuration.build().map_err(|error| WrongUse(error.to_string()))?;
        Ok((name, engine))
    }

    /// The engine with all that is set of it.
    fn configure<S: Playing>(
        &self,
        catalogues: &Catalogues,
    ) -> anyhow::Result<Configuration<S::Game>> {
        let engine = self.engine::<S>();
        if is_program(&engine) {
            let fault = "other programs play in `tusk match` and answer in `tusk suite`";
            return Err(WrongUse(format!("--engine {engine}: {fault}")).into());
        }
        let request = EngineRequest {
            name: engine,
            preset: self.preset.clone(),
            settings: self.settings.clone(),
            threads: self.threads.map(usize::from),
            memory: self.memory,
            seed: Some(self.seed()),
            lines: None,
        };
        let resolved = request.resolve::<S>(catalogues.get::<S>());
        let mut configuration = resolved.map_err(|error| refused(&request.name, error))?;
        // A default is for the engines that have something to set; only a wish is refused.
        let (settings, entry) = (settings::in_force(), configuration.entry());
        let can_set = |option: &str| refusal_of(entry, option).is_none();
        if let Some(threads) = settings.threads().filter(|_| self.threads.is_none())
            && can_set("threads")
        {
            configuration.threads = threads.into();
        }
        if let Some(memory) = settings.memory().filter(|_| self.memory.is_none())
            && can_set("memory")
        {
            configuration.memory = memory;
        }
        Ok(configuration)
    }
}

/// Why a command line does not get its engine, in the words of its options.
fn refused(engine: &str, error: RequestError) -> anyhow::Error {
    match error {
        RequestError::Engine(fault) if workbench::is_file(engine) => anyhow::Error::msg(fault),
        RequestError::Engine(fault) => WrongUse::value("--engine <E>", engine, &fault).into(),
        RequestError::Unavailable { option, fault } => {
            WrongUse(format!("--{option}: {fault}")).into()
        }
        RequestError::Preset { name, fault } => {
            WrongUse::value("--preset <NAME>", &name, &fault).into()
        }
        error @ RequestError::Setting { .. } => WrongUse(format!("--set {error}")).into(),
    }
}
