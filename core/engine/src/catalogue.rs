use std::fmt::Display;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use game::Game;
use guard::{check_memory, read_file};

use crate::{Engine, Info, Kind, Limits, Parameter, ParameterError, Sink, StepOf, Stop, TreeView};

/// The engines of a game, the default one first: a value that a program puts together from the lists of its crates.
#[derive(Clone)]
pub struct Catalogue<G: Game>(Vec<&'static EngineEntry<G>>);

impl<G: Game> Catalogue<G> {
    /// The engines of several lists, in their order.
    pub fn new(lists: &[&'static [EngineEntry<G>]]) -> Catalogue<G> {
        Catalogue(lists.iter().copied().flatten().collect())
    }

    /// The same engines, and after them those of another list.
    pub fn with(mut self, list: &'static [EngineEntry<G>]) -> Catalogue<G> {
        self.0.extend(list);
        self
    }

    /// All engines, the default one first.
    pub fn iter(&self) -> impl Iterator<Item = &'static EngineEntry<G>> {
        self.0.iter().copied()
    }

    /// The engine of that name.
    pub fn named(&self, name: &str) -> Option<&'static EngineEntry<G>> {
        named(self.iter(), name)
    }

    /// The default engine: the first one.
    ///
    /// # Panics
    ///
    /// Panics if there are no engines.
    pub fn default_engine(&self) -> &'static EngineEntry<G> {
        self.0[0]
    }

    /// The names of all engines.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.iter().map(|entry| entry.name)
    }
}

/// An engine of a catalogue: its name, what can be set of it, and how it is made.
pub struct EngineEntry<G: Game> {
    /// By which it is asked for.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// What can be set: lists that are declared by the code that reads them.
    pub parameters: &'static [&'static [Parameter]],
    /// Where its defaults are not those that are declared.
    pub settings: &'static [(&'static str, i32)],
    /// Named sets of parameters.
    pub presets: &'static [Preset],
    /// On how many threads it can think.
    pub threads: Threads,
    /// The size of its tables in MiB, if nobody says anything; 0, if it has none.
    pub memory: usize,
    /// Whether it keeps a tree that can be looked at: [`Engine::look`].
    pub keeps_tree: bool,
    /// Makes the engine. An error tells what is wrong with a file that was set.
    pub build: Build<G>,
}

/// How an engine is made of its configuration.
pub type Build<G> = fn(&Configuration<G>) -> Result<Box<dyn Engine<G>>, ParameterError>;

/// On how many threads an engine can think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// On one only.
    Single,
    /// On as many as are asked for, else on one.
    Any,
    /// On as many as are asked for, else on all that the machine has.
    Whole,
}

/// A named set of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// By which it is asked for.
    pub name: &'static str,
    /// What it is for, in a line.
    pub about: &'static str,
    /// What a parameter becomes, if it is not left as it is.
    pub value: fn(&Parameter) -> Option<i32>,
}

impl<G: Game> EngineEntry<G> {
    /// An engine on one thread, without parameters and tables: the least that an engine is. With
    /// the others as they are here, `EngineEntry { about: "…", ..EngineEntry::new(name, build) }` says more.
    pub const fn new(name: &'static str, build: Build<G>) -> EngineEntry<G> {
        EngineEntry {
            name,
            about: "",
            parameters: &[],
            settings: &[],
            presets: &[],
            threads: Threads::Single,
            memory: 0,
            keeps_tree: false,
            build,
        }
    }

    /// What can be set, with the defaults of this engine.
    pub fn parameters(&self) -> impl Iterator<Item = Parameter> {
        self.parameters.iter().copied().flatten().map(|declared| {
            match self.settings.iter().find(|setting| setting.0 == declared.name) {
                Some(&(_, value)) => declared.with_default(value),
                None => *declared,
            }
        })
    }

    /// The parameter of that name, with the default of this engine.
    pub fn parameter(&self, name: &str) -> Option<Parameter> {
        self.parameters().find(|parameter| parameter.name == name)
    }

    /// The preset of that name.
    pub fn preset(&self, name: &str) -> Option<&'static Preset> {
        self.presets.iter().find(|preset| preset.name == name)
    }

    /// The engine as it is, with nothing set.
    pub fn configure(&'static self) -> Configuration<G> {
        let threads = match self.threads {
            Threads::Single | Threads::Any => 1,
            Threads::Whole => available_parallelism().map_or(1, NonZero::get),
        };
        let memory = self.memory;
        Configuration {
            name: self.name.to_string(),
            entry: self,
            set: Vec::new(),
            files: Vec::new(),
            threads,
            memory,
            seed: 0,
            lines: 1,
        }
    }
}

/// The engine of that name in a list.
pub fn named<G: Game>(
    engines: impl IntoIterator<Item = &'static EngineEntry<G>>,
    name: &str,
) -> Option<&'static EngineEntry<G>> {
    engines.into_iter().find(|entry| entry.name == name)
}

/// What can be set of an evaluation whose weights are a model, and which a net may correct.
pub const EVALUATION_FILES: &[Parameter] = &[
    Parameter::file(
        "model",
        "the file with the weights of the evaluation; without one, those that are part of the program",
    ),
    Parameter::file(
        "network",
        "the file of a net whose output is added to the evaluation, or takes its place",
    ),
];

/// An engine of a catalogue, with all that is set of it.
pub struct Configuration<G: Game> {
    /// What it is called: the engine's name, or what its file says.
    pub name: String,
    entry: &'static EngineEntry<G>,
    /// Numbers that are set, the last one of a name counts.
    set: Vec<(&'static str, i32)>,
    /// Files that are set, the last one of a name counts.
    files: Vec<ParameterFile>,
    /// On how many threads it thinks.
    pub threads: usize,
    /// The memory of its tables in MiB.
    pub memory: usize,
    /// The seed of its random choices.
    pub seed: u64,
    /// How many lines an analysis is to find.
    pub lines: usize,
}

impl<G: Game> Clone for Configuration<G> {
    fn clone(&self) -> Configuration<G> {
        Configuration {
            name: self.name.clone(),
            set: self.set.clone(),
            files: self.files.clone(),
            ..*self
        }
    }
}

impl<G: Game> Configuration<G> {
    /// What is configured.
    pub fn entry(&self) -> &'static EngineEntry<G> {
        self.entry
    }

    /// Sets a parameter by its name; a file is read at once.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        let parameter = self.entry.parameter(name).ok_or(ParameterError::Unknown)?;
        match parameter.kind {
            Kind::Switch { .. } | Kind::Choice { .. } | Kind::Number { .. } => {
                self.set.push((parameter.name, parameter.parse_number(value)?));
            }
            Kind::File => {
                let content = read_file(value).map_err(|error| ParameterError::File {
                    name: parameter.name,
                    path: value.to_string(),
                    fault: error.to_string(),
                })?;
                let path = value.to_string();
                let name = parameter.name;
                self.files.push(ParameterFile { name, path, content: content.into() });
            }
        }
        Ok(())
    }

    /// Sets what a preset names.
    pub fn apply(&mut self, preset: &Preset) {
        let values = self.entry.parameters();
        let values =
            values.filter_map(|declared| Some((declared.name, (preset.value)(&declared)?)));
        self.set.extend(values);
    }

    /// What a number is set to; none, if the engine does not declare it.
    pub fn number(&self, name: &str) -> Option<i32> {
        let set = self.set.iter().rev().find(|(set, _)| *set == name).map(|&(_, value)| value);
        set.or_else(|| self.entry.parameter(name)?.default_number())
    }

    /// The file that a parameter is set to, if it is.
    pub fn file(&self, name: &str) -> Option<&ParameterFile> {
        self.files.iter().rev().find(|file| file.name == name)
    }

    /// All files that parameters are set to.
    pub fn files(&self) -> impl Iterator<Item = &ParameterFile> {
        self.entry.parameters().filter_map(|parameter| self.file(parameter.name))
    }

    /// The weights of an engine with [`EVALUATION_FILES`]: those of the file, else those that are part of the program.
    pub fn model<M, E: Display>(
        &self,
        parse: impl FnOnce(&[u8]) -> Result<M, E>,
        embedded: impl FnOnce() -> Arc<M>,
    ) -> Result<Arc<M>, ParameterError> {
        match self.file("model") {
            Some(file) => file.parse(parse).map(Arc::new),
            None => Ok(embedded()),
        }
    }

    /// The net of an engine with [`EVALUATION_FILES`]: that of the file, else the one that is part of the program.
    /// That one corrects the weights that are part of the program, and no others.
    pub fn network<N, E: Display>(
        &self,
        parse: impl FnOnce(&[u8]) -> Result<N, E>,
        embedded: impl FnOnce() -> Arc<N>,
    ) -> Result<Option<Arc<N>>, ParameterError> {
        match (self.file("network"), self.file("model")) {
            (Some(file), _) => Ok(Some(Arc::new(file.parse(parse)?))),
            (None, None) => Ok(Some(embedded())),
            (None, Some(_)) => Ok(None),
        }
    }

    /// Makes the engine, if there is memory for it.
    pub fn build(self) -> Result<Configured<G>, ParameterError> {
        let engine = self.make()?;
        Ok(Configured { configuration: self, engine })
    }

    fn make(&self) -> Result<Box<dyn Engine<G>>, ParameterError> {
        check_memory(self.memory)?;
        let mut engine = (self.entry.build)(self)?;
        engine.set_lines(self.lines);
        Ok(engine)
    }
}

/// A file that a parameter is set to.
#[derive(Clone, Debug)]
pub struct ParameterFile {
    name: &'static str,
    path: String,
    content: Arc<[u8]>,
}

impl ParameterFile {
    /// What the file holds, as `parse` reads it; else an error that names the file.
    pub fn parse<T, E: Display>(
        &self,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<T, ParameterError> {
        parse(&self.content).map_err(|fault| ParameterError::File {
            name: self.name,
            path: self.path.clone(),
            fault: fault.to_string(),
        })
    }
}

/// An engine that is ready, and can be set to something else.
pub struct Configured<G: Game> {
    configuration: Configuration<G>,
    engine: Box<dyn Engine<G>>,
}

impl<G: Game> Configured<G> {
    /// What it is set to.
    pub fn configuration(&self) -> &Configuration<G> {
        &self.configuration
    }

    /// Sets an option as protocols name it: `hash` in MiB, `threads`, `seed`, `multipv` for the number of lines, or a
    /// parameter. What the engine does not know is [`ParameterError::Unknown`]. All but the seed and the lines make a
    /// new engine, which knows nothing of the game before; where that fails, the old one stays as it is.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        if name == "seed" {
            let seed = value.trim().parse();
            self.set_seed(seed.map_err(|_| ParameterError::Seed)?);
            return Ok(());
        }
        if name == "multipv" {
            self.set_lines(number("multipv", value, MOST_LINES as i32)? as usize);
            return Ok(());
        }
        let entry = self.configuration.entry;
        let mut changed = self.configuration.clone();
        match name {
            "hash" if entry.memory > 0 => {
                changed.memory = number("hash", value, MOST_MEBIBYTES)? as usize;
            }
            "threads" if entry.threads != Threads::Single => {
                changed.threads = number("threads", value, MOST_THREADS as i32)? as usize;
            }
            _ => changed.set(name, value)?,
        }
        self.engine = changed.make()?;
        self.configuration = changed;
        Ok(())
    }
}

/// More memory than that is not asked for.
const MOST_MEBIBYTES: i32 = 1 << 20;

/// More threads than that are not asked for.
pub const MOST_THREADS: usize = 256;

/// More lines than that are not asked for.
pub const MOST_LINES: usize = 100;

fn number(name: &'static str, value: &str, most: i32) -> Result<i32, ParameterError> {
    Parameter::number(name, 1, (1, most), "").parse_number(value)
}

impl<G: Game> Engine<G> for Configured<G> {
    fn analyse(
        &mut self,
        game: &G,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<G>,
    ) -> Option<Info<G::Action>> {
        self.engine.analyse(game, limits, stop, sink)
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn set_seed(&mut self, seed: u64) {
        self.configuration.seed = seed;
        self.engine.set_seed(seed);
    }

    fn set_lines(&mut self, lines: usize) {
        self.configuration.lines = lines;
        self.engine.set_lines(lines);
    }

    fn trace(&self, game: &G) -> Option<crate::EvaluationTrace> {
        self.engine.trace(game)
    }

    fn tree(&self) -> Option<Vec<String>> {
        self.engine.tree()
    }

    fn look(
        &self,
        path: &[Vec<StepOf<G>>],
        from: usize,
        count: usize,
    ) -> Option<TreeView<StepOf<G>>> {
        self.engine.look(path, from, count)
    }
}
