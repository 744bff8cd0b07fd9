//! Playing: the engines of a game by name, by file and with settings; openings; how programs are
//! talked to.

use std::path::Path;

use arena::Interface;
use engine::{
    Catalogue, Configuration, Configured, EngineEntry, Kind, MOST_THREADS, Parameter,
    ParameterError, Threads,
};
use game::Game as _;
use serde_json::{Value, json};

use crate::engine_file::read_engine_file;
use crate::reading::{self, Reading};
use crate::{Army, GameName, GameSpec, in_game, units};

/// Who plays a game, and from where.
pub trait Playing: GameSpec {
    /// From where the games of a match begin, if nobody says anything.
    const OPENINGS: &'static str;

    /// By which interfaces programs that play it can be talked to.
    const INTERFACES: &'static [Interface];

    /// Its engines among those of all games.
    fn engines(catalogues: &Catalogues) -> &Catalogue<Self::Game>;

    /// From where the games of a match begin.
    fn openings(text: &str) -> Result<Box<dyn Openings>, String>;
}

/// The engines of all games: the binary puts them together and passes them on.
#[derive(Clone)]
pub struct Catalogues {
    /// Those that play Arimaa.
    pub arimaa: Catalogue<arimaa::Game>,
    /// Those that play Tzaar.
    pub tzaar: Catalogue<tzaar::Game>,
}

impl Catalogues {
    /// The engines of Tusk alone, without those of the theses.
    pub fn of_players() -> Catalogues {
        Catalogues {
            arimaa: Catalogue::new(&[arimaa_ai::engines::ENGINES]),
            tzaar: Catalogue::new(&[tzaar_ai::engines::ENGINES]),
        }
    }

    /// The engines of a game.
    pub fn get<S: Playing>(&self) -> &Catalogue<S::Game> {
        S::engines(self)
    }
}

/// From where the games of a match begin.
pub trait Openings {
    /// So many openings, or all that there are if these are fewer; `told` hears of each.
    fn make(&self, count: usize, seed: u64, told: &dyn Fn()) -> anyhow::Result<Vec<String>>;
}

/// An engine that was asked for, with all that is set of it.
pub struct Chosen<S: GameSpec> {
    /// What it is called: the engine's name, or what its file says.
    pub name: String,
    /// What it is.
    pub configuration: Configuration<S::Game>,
}

impl<S: Playing> Chosen<S> {
    /// The engine of a name, or of a file such as `mine.toml`.
    pub fn find(catalogue: &Catalogue<S::Game>, name: &str) -> Result<Chosen<S>, String> {
        match catalogue.named(name) {
            Some(entry) => Ok(Chosen { name: name.to_string(), configuration: entry.configure() }),
            None if is_file(name) => {
                read_engine_file(catalogue, Path::new(name)).map_err(|error| format!("{error:#}"))
            }
            None => {
                let names = listed(catalogue.names());
                let own = "and files of your own (mine.toml)";
                Err(format!("there is no such engine; there are: {names}, {own}"))
            }
        }
    }

    /// Sets something by the words of a command line: `threads=2`, `memory=128MiB`, `preset=plain`, or
    /// a parameter of the engine.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Chosen { configuration, .. } = self;
        let entry = configuration.entry();
        if let Some(fault) = refusal_of(entry, name) {
            return Err(fault);
        }
        match name {
            "threads" => {
                let number =
                    value.parse().ok().filter(|number| (1..=MOST_THREADS).contains(number));
                let range = || format!("expected a whole number from 1 to {MOST_THREADS}");
                configuration.threads = number.ok_or_else(range)?;
            }
            "memory" => configuration.mebibytes = units::mebibytes(value)?,
            "preset" => self.apply_preset(value)?,
            _ => self.set_parameter(name, value)?,
        }
        Ok(())
    }

    /// Sets what a preset of the engine names.
    pub fn apply_preset(&mut self, name: &str) -> Result<(), String> {
        let entry = self.configuration.entry();
        let preset = entry.preset(name).ok_or_else(|| {
            let names = entry.presets.iter().map(|preset| preset.name);
            format!("there is no such preset; there are: {}", listed(names))
        })?;
        self.configuration.apply(preset);
        Ok(())
    }

    /// Sets a parameter of the engine.
    pub fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        let entry = self.configuration.entry();
        let set = self.configuration.set(name, value);
        set.map_err(|error| parameter_fault(entry, &error))
    }

    /// Makes the engine.
    pub fn build(self) -> Result<Configured<S::Game>, String> {
        self.configuration.build().map_err(|error| error.to_string())
    }
}

/// Whether this is the name of a file, not of an engine.
pub fn is_file(engine: &str) -> bool {
    engine.ends_with(".toml")
}

/// Whether an engine of some game has a parameter of that name whose value is the name of a file.
pub fn is_file_parameter(catalogues: &Catalogues, name: &str) -> bool {
    fn has<S: Playing>(catalogues: &Catalogues, name: &str) -> bool {
        let found = catalogues.get::<S>().iter().filter_map(|entry| entry.parameter(name));
        found.into_iter().any(|parameter| matches!(parameter.kind, Kind::File))
    }
    GameName::ALL.into_iter().any(|game| in_game!(game, S => has::<S>(catalogues, name)))
}

/// A parameter for programs: its name, type, default, range and purpose.
pub fn parameter_json(parameter: &Parameter) -> Value {
    let Parameter { name, kind, about, needs } = parameter;
    let text = |default| parameter.value_text(default);
    let (type_name, default, range) = match *kind {
        Kind::Switch { default } => ("switch", json!(default), None),
        Kind::Choice { default, .. } => ("choice", json!(text(default)), None),
        Kind::Number { default, least, most, .. } => {
            ("number", json!(default), Some((least, most)))
        }
        Kind::File => ("file", Value::Null, None),
    };
    let (least, most) = range.unzip();
    let mut row = json!({
        "name": name, "type": type_name, "default": default, "least": least, "most": most,
    });
    match *kind {
        Kind::Choice { names, .. } => row["names"] = json!(names),
        Kind::Number { unit, .. } if !unit.is_empty() => row["unit"] = json!(unit),
        _ => (),
    }
    if !needs.is_empty() {
        row["needs"] =
            needs.iter().map(|&(name, value)| (name.to_string(), json!(value))).collect();
    }
    row["about"] = json!(about);
    row
}

/// Names with commas between them.
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// Why an engine does not take an option that engines usually have, if it does not.
pub fn refusal_of<G: game::Game>(entry: &EngineEntry<G>, option: &str) -> Option<String> {
    let EngineEntry { name, parameters, threads, presets, mebibytes, .. } = entry;
    let is_refused = match option {
        "threads" => *threads == Threads::Single,
        "preset" => presets.is_empty(),
        "memory" => *mebibytes == 0,
        _ => return None,
    };
    is_refused.then(|| match parameters.is_empty() {
        true => format!("{name} has no {option}"),
        false => format!("{name} searches in its own way and has no {option}"),
    })
}

/// Why a parameter of the engine was not set, with what there is.
pub(crate) fn parameter_fault<G: game::Game>(
    entry: &EngineEntry<G>,
    error: &ParameterError,
) -> String {
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

/// So many positions or games that POS stands for, or all if these are fewer.
pub fn read_openings<S: Reading>(pos: &str, count: usize) -> anyhow::Result<Vec<String>> {
    let entries = reading::read::<S>(pos, Army::Handicap)?;
    let openings = entries.into_iter().take(count).map(|entry| {
        let refuse = |fault: &str| anyhow::anyhow!("--openings {pos}: {}: {fault}", entry.place);
        let game = &entry.content.as_ref().map_err(|fault| refuse(fault))?.game;
        match game.ended() {
            Some(ended) => Err(refuse(&format!("the game is over: {}", ended.sentence))),
            None if game.turns().is_empty() => Ok(game.position().to_string()),
            None => Ok(game.to_string()),
        }
    });
    openings.collect()
}
