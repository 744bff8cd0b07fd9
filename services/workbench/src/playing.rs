//! Playing: the engines of a game by name, by file and with settings; openings; how programs are
//! talked to.

use arena::Interface;
use engine::{Catalogue, Kind, Parameter};
use game::Game as _;
use serde_json::{Value, json};

use crate::reading::{self, Reading};
use crate::{Army, GameName, GameSpec, SolverPresets, in_game};

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

/// The engines of all games, and the presets of the solver: the binary puts them together and passes them on.
#[derive(Clone)]
pub struct Catalogues {
    /// Those that play Arimaa.
    pub arimaa: Catalogue<arimaa::Game>,
    /// Those that play Tzaar.
    pub tzaar: Catalogue<tzaar::Game>,
    /// The presets of the solver.
    pub solver_presets: SolverPresets,
}

impl Catalogues {
    /// The engines of Tusk alone, without those of the theses.
    pub fn of_players() -> Catalogues {
        Catalogues {
            arimaa: Catalogue::new(&[arimaa_ai::engines::ENGINES]),
            tzaar: Catalogue::new(&[tzaar_ai::engines::ENGINES]),
            solver_presets: SolverPresets::default(),
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
