//! What is asked of an engine, and the one place where it is applied.

use std::path::Path;

use engine::{Catalogue, Configuration, EngineEntry, MOST_THREADS, ParameterError};
use thiserror::Error;

use crate::engine_file::read_engine_file;
use crate::playing::{Playing, is_file, listed};
use crate::units;

/// An engine and all that is set of it, as a command line, a plan, an engine file or the page asks for it. What is left
/// open is as the engine's entry has it.
///
/// ```
/// # use workbench::{Arimaa, Catalogues, EngineRequest};
/// let words = [("threads", "2"), ("max_depth", "9")].map(|(a, b)| (a.to_string(), b.to_string()));
/// let request = EngineRequest::from_words("tusk", &words)?;
/// assert_eq!((request.threads, request.settings.len()), (Some(2), 1));
/// let configuration = request.resolve::<Arimaa>(&Catalogues::of_players().arimaa)?;
/// assert_eq!((configuration.threads, configuration.number("max_depth")), (2, Some(9)));
/// # Ok::<(), workbench::RequestError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineRequest {
    /// A name of the catalogue, or a file such as `mine.toml`.
    pub name: String,
    /// A named set of parameters, which `settings` override.
    pub preset: Option<String>,
    /// Parameters and their values; of one name the last one counts.
    pub settings: Vec<(String, String)>,
    /// The number of threads.
    pub threads: Option<usize>,
    /// The memory of the engine's tables, in MiB.
    pub memory: Option<usize>,
    /// The seed of random choices.
    pub seed: Option<u64>,
    /// The number of lines of an analysis.
    pub lines: Option<usize>,
}

/// Why a request cannot be met.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RequestError {
    /// The engine is unknown, or its file cannot be read.
    #[error("{0}")]
    Engine(String),
    /// The engine does not have threads, memory or presets.
    #[error("{fault}")]
    Unavailable {
        /// `threads`, `memory` or `preset`.
        option: &'static str,
        /// The reason.
        fault: String,
    },
    /// The engine has no such preset.
    #[error("preset={name}: {fault}")]
    Preset {
        /// The name.
        name: String,
        /// The presets there are.
        fault: String,
    },
    /// A value cannot be set.
    #[error("{name}={value}: {fault}")]
    Setting {
        /// The parameter.
        name: String,
        /// The value.
        value: String,
        /// The reason.
        fault: String,
        /// Whether the engine has a parameter of that name.
        is_known: bool,
    },
}

impl EngineRequest {
    /// The engine of a name or a file as it is.
    pub fn new(name: &str) -> EngineRequest {
        EngineRequest { name: name.to_string(), ..EngineRequest::default() }
    }

    /// An engine with settings as words: `threads=2`, `memory=128MiB`, `preset=plain` or a parameter.
    pub fn from_words(
        name: &str,
        words: &[(String, String)],
    ) -> Result<EngineRequest, RequestError> {
        let mut request = EngineRequest::new(name);
        for (name, value) in words {
            request.add(name, value)?;
        }
        Ok(request)
    }

    /// Adds a setting by its word.
    pub fn add(&mut self, name: &str, value: &str) -> Result<(), RequestError> {
        let fault = |fault: String| RequestError::Setting {
            name: name.to_string(),
            value: value.to_string(),
            fault,
            is_known: true,
        };
        match name {
            "threads" => {
                let number =
                    value.parse().ok().filter(|number| (1..=MOST_THREADS).contains(number));
                let range = || fault(format!("expected a whole number from 1 to {MOST_THREADS}"));
                self.threads = Some(number.ok_or_else(range)?);
            }
            "memory" => self.memory = Some(units::mebibytes(value).map_err(fault)?),
            "preset" => self.preset = Some(value.to_string()),
            _ => self.settings.push((name.to_string(), value.to_string())),
        }
        Ok(())
    }

    /// The engine with all that is set of it.
    pub fn resolve<S: Playing>(
        &self,
        catalogue: &Catalogue<S::Game>,
    ) -> Result<Configuration<S::Game>, RequestError> {
        let mut configuration = match catalogue.named(&self.name) {
            Some(entry) => entry.configure(),
            None if is_file(&self.name) => read_engine_file::<S>(catalogue, Path::new(&self.name))
                .map_err(|error| RequestError::Engine(format!("{error:#}")))?,
            None => {
                let names = listed(catalogue.names());
                let own = "and files of your own (mine.toml)";
                let fault = format!("there is no such engine; there are: {names}, {own}");
                return Err(RequestError::Engine(fault));
            }
        };
        self.apply(&mut configuration)?;
        Ok(configuration)
    }

    /// Sets what is asked for.
    pub(crate) fn apply<G: game::Game>(
        &self,
        configuration: &mut Configuration<G>,
    ) -> Result<(), RequestError> {
        let entry = configuration.entry();
        let wanted = [
            ("preset", self.preset.is_some()),
            ("threads", self.threads.is_some()),
            ("memory", self.memory.is_some()),
        ];
        for (option, _) in wanted.into_iter().filter(|&(_, is_wanted)| is_wanted) {
            if let Some(fault) = refusal_of(entry, option) {
                return Err(RequestError::Unavailable { option, fault });
            }
        }
        if let Some(name) = &self.preset {
            let preset = entry.preset(name).ok_or_else(|| {
                let names = listed(entry.presets.iter().map(|preset| preset.name));
                let fault = format!("there is no such preset; there are: {names}");
                RequestError::Preset { name: name.clone(), fault }
            })?;
            configuration.apply(preset);
        }
        for (name, value) in &self.settings {
            configuration.set(name, value).map_err(|error| RequestError::Setting {
                name: name.clone(),
                value: value.clone(),
                fault: parameter_fault(entry, &error),
                is_known: error != ParameterError::Unknown,
            })?;
        }
        configuration.threads = self.threads.unwrap_or(configuration.threads);
        configuration.memory = self.memory.unwrap_or(configuration.memory);
        configuration.seed = self.seed.unwrap_or(configuration.seed);
        configuration.lines = self.lines.unwrap_or(configuration.lines);
        Ok(())
    }
}

/// Why an engine does not take an option that engines usually have, if it does not.
pub fn refusal_of<G: game::Game>(entry: &EngineEntry<G>, option: &str) -> Option<String> {
    let EngineEntry { name, parameters, threads, presets, memory, .. } = entry;
    let is_refused = match option {
        "threads" => *threads == engine::Threads::Single,
        "preset" => presets.is_empty(),
        "memory" => *memory == 0,
        _ => return None,
    };
    is_refused.then(|| match parameters.is_empty() {
        true => format!("{name} has no {option}"),
        false => format!("{name} searches in its own way and has no {option}"),
    })
}

/// Why a parameter of the engine was not set, with what there is.
fn parameter_fault<G: game::Game>(entry: &EngineEntry<G>, error: &ParameterError) -> String {
    match error {
        ParameterError::Unknown if entry.parameters.is_empty() => {
            format!("{} has no parameters", entry.name)
        }
        ParameterError::Unknown => {
            let names: Vec<&str> = entry.parameters().map(|parameter| parameter.name).collect();
            let names = listed(names.into_iter());
            format!("{} has no such parameter; there are: {names}", entry.name)
        }
        _ => error.to_string(),
    }
}
