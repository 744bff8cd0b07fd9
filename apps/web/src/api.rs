//! Quick questions: a verb and its parameters, answered at once.

use std::io;
use std::path::Path;

use engine::{EngineEntry, Kind, Parameter, Threads};
use game::{Game as _, Side};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use workbench::reading::Source;
use workbench::{Army, Catalogues, GameName, GameSpec, in_game, parameter_json};

use crate::board;
use crate::events::{event, event_game, events};
use crate::games::{GameText, Served, letter};
use crate::insight::insight;
use crate::kept::KeptSearches;
use crate::puzzles::puzzle;
use crate::reports::{report, reports};
use crate::solver::solver_parameters;

/// The version of the API; it changes when a client would have to.
pub const VERSION: u32 = 1;

/// Why a request is refused, for the person who has written it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// As in HTTP.
    pub status: u16,
    pub message: String,
}

impl Refusal {
    /// The request makes no sense.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { status: 400, message: message.into() }
    }

    /// There is too much to do.
    pub fn busy(message: impl Into<String>) -> Refusal {
        Refusal { status: 429, message: message.into() }
    }

    /// A file cannot be written: the disk is full, or fails. What the error says besides its kind stays here, since
    /// libraries add the paths of files to it, and these are the server's own affair.
    pub fn from_io(error: io::Error) -> Refusal {
        let (status, message) = match error.kind() {
            io::ErrorKind::FileTooLarge => (413, "the file is longer than 512 MiB".to_string()),
            kind => (507, format!("the server cannot write its files: {kind}")),
        };
        Refusal { status, message }
    }
}

pub type Answer = Result<Value, Refusal>;

/// Reads the parameters of a verb.
pub fn read_parameters<T: DeserializeOwned>(parameters: Value) -> Result<T, Refusal> {
    serde_json::from_value(parameters).map_err(|error| Refusal::new(error.to_string()))
}

/// Where the server finds what others have written.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The engines.
    pub catalogues: &'a Catalogues,
    /// The store with the games of matches.
    pub store: Option<&'a str>,
    /// Searches for proofs that are kept.
    pub kept: &'a KeptSearches,
    /// The data folder.
    pub data: Option<&'a Path>,
}

/// Answers a quick question; none, if there is no such verb.
pub fn answer(verb: &str, parameters: Value, places: Places) -> Option<Answer> {
    let Places { catalogues, store, kept, data } = places;
    Some(match verb {
        "about" => read_parameters(parameters).map(|Nothing {}| about(catalogues)),
        "position" => read_parameters(parameters).and_then(position),
        "explain" => read_parameters(parameters).and_then(explain),
        "threats" => read_parameters(parameters).and_then(threats),
        "insight" => read_parameters(parameters).and_then(insight),
        "searches" => read_parameters(parameters).and_then(|Nothing {}| kept.list()),
        "forget_search" => {
            read_parameters(parameters).and_then(|Named { name }| kept.remove(&name))
        }
        "start" => read_parameters(parameters).and_then(start),
        "read" => read_parameters(parameters).and_then(read),
        "write" => read_parameters(parameters).and_then(write),
        "reports" => read_parameters(parameters).and_then(|Nothing {}| reports(data)),
        "report" => read_parameters(parameters).and_then(|parameters| report(data, parameters)),
        "puzzle" => read_parameters(parameters).and_then(puzzle),
        "events" => read_parameters(parameters).and_then(|Nothing {}| events(store)),
        "event" => read_parameters(parameters).and_then(|parameters| event(store, parameters)),
        "event_game" => {
            read_parameters(parameters).and_then(|parameters| event_game(store, parameters))
        }
        _ => return None,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

/// The games there are, and who plays them.
fn about(catalogues: &Catalogues) -> Value {
    let games = GameName::ALL.map(|name| in_game!(name, S => game_json::<S>(catalogues)));
    json!({
        "api": VERSION,
        "version": env!("CARGO_PKG_VERSION"),
        "games": games,
        "solver": solver_parameters().filter_map(settable_json).collect::<Vec<Value>>(),
    })
}

fn game_json<S: Served>(catalogues: &Catalogues) -> Value {
    let side = |side: Side| {
        json!({
            "letter": letter::<S>(side),
            "name": S::SIDES[side as usize],
            "setups": S::setups(side),
        })
    };
    json!({
        "name": S::NAME.word(),
        "title": S::NAME.title(),
        "sides": Side::ALL.map(side),
        "openings": openings(S::NAME),
        "engines": catalogues.get::<S>().iter().map(engine_json).collect::<Vec<Value>>(),
    })
}

/// An engine and what can be set of it. Files cannot be: the server reads none that a request names.
fn engine_json<G: game::Game>(entry: &EngineEntry<G>) -> Value {
    json!({
        "name": entry.name,
        "about": entry.about,
        "threads": entry.threads != Threads::Single,
        "tree": entry.keeps_tree,
        "parameters": entry.parameters().filter_map(settable_json).collect::<Vec<Value>>(),
    })
}

/// A parameter that a request can set: all but files.
fn settable_json(parameter: Parameter) -> Option<Value> {
    (parameter.kind != Kind::File).then(|| parameter_json(&parameter))
}

/// From where a game can begin. Those that read a file or search for long are left out.
fn openings(game: GameName) -> &'static [&'static str] {
    match game {
        GameName::Arimaa => &["empty", "setups"],
        GameName::Tzaar => &["random", "fixed", "tournament"],
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionParameters {
    game: GameText,
    /// The steps of the turn as far as it is entered.
    #[serde(default)]
    steps: String,
}

fn position(PositionParameters { game, steps }: PositionParameters) -> Answer {
    in_game!(game.game_name()?, S => {
        let opened = game.open::<S>()?;
        board::state::<S>(&game.start, &opened, &steps)
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExplainParameters {
    game: GameText,
    #[serde(default)]
    steps: String,
    from: String,
    to: String,
}

/// Why a step cannot be played.
fn explain(parameters: ExplainParameters) -> Answer {
    let ExplainParameters { game, steps, from, to } = parameters;
    in_game!(game.game_name()?, S => {
        let opened = game.open::<S>()?;
        Ok(json!({ "why": board::explain::<S>(&opened.game, &steps, &from, &to)? }))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameParameters {
    game: GameText,
}

/// What both sides could win or capture.
fn threats(GameParameters { game }: GameParameters) -> Answer {
    in_game!(game.game_name()?, S => {
        use workbench::Interactive as _;
        let opened = game.open::<S>()?;
        Ok(json!({ "threats": S::tactics(&opened.game) }))
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StartParameters {
    /// The name of the game.
    game: String,
    opening: Option<String>,
    #[serde(default)]
    seed: u64,
}

/// A game that begins.
fn start(StartParameters { game, opening, seed }: StartParameters) -> Answer {
    let name = GameName::named(&game).map_err(Refusal::new)?;
    let known = openings(name);
    let opening = opening.as_deref().unwrap_or(known[0]);
    if !known.contains(&opening) {
        let known = known.join(", ");
        return Err(Refusal::new(format!("there is no opening {opening:?}; there are: {known}")));
    }
    in_game!(name, S => begin::<S>(opening, seed))
}

fn begin<S: Served>(opening: &str, seed: u64) -> Answer {
    let made = S::openings(opening).map_err(Refusal::new)?.make(1, seed, &|| ());
    let made = made.map_err(|error| Refusal::new(format!("{error:#}")))?;
    let text = made.first().map_or("", String::as_str);
    let (game, _) = S::Game::begin(text).map_err(Refusal::new)?;
    Ok(json!({ "game": GameText::from_game::<S>(&game)? }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadParameters {
    text: String,
    /// The name of the game, if the text leaves a doubt.
    game: Option<String>,
}

/// More games of one text are not read.
const MOST_READ: usize = 200;

/// The games and positions of a text in any notation.
fn read(ReadParameters { text, game }: ReadParameters) -> Answer {
    let name = match game {
        Some(game) => GameName::named(&game).map_err(Refusal::new)?,
        None => GameName::of_text(&text),
    };
    let source = Source { file: None, text: Ok(text) };
    let mut games = Vec::new();
    in_game!(name, S => {
        for entry in source.entries::<S>(Army::Handicap).into_iter().take(MOST_READ) {
            let content = entry.content.map_err(|fault| {
                Refusal::new(format!("{}: {fault}", entry.place))
            })?;
            games.push(GameText::from_game::<S>(&content.game)?);
        }
    });
    Ok(json!({ "games": games }))
}

/// A game in every notation.
fn write(GameParameters { game }: GameParameters) -> Answer {
    in_game!(game.game_name()?, S => {
        let opened = game.open::<S>()?;
        Ok(texts::<S>(&game, &opened.game))
    })
}

fn texts<S: Served>(text: &GameText, game: &S::Game) -> Value {
    // A record of Arimaa cannot begin at a position.
    let is_told = text.start.is_empty() || <S as GameSpec>::TELLS_ORIGIN;
    json!({
        "position": game.position().to_string(),
        "picture": game.picture(),
        "record": is_told.then(|| game.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_of_the_server_stay_in_the_server() {
        let error = tempfile::NamedTempFile::new_in("/a/secret/folder").unwrap_err();
        assert!(error.to_string().contains("secret"), "{error}");
        let Refusal { status, message } = Refusal::from_io(error);
        assert_eq!(
            (status, message.as_str()),
            (507, "the server cannot write its files: entity not found")
        );
        let full = io::Error::new(io::ErrorKind::StorageFull, "/a/secret/folder: full");
        let Refusal { message, .. } = Refusal::from_io(full);
        assert_eq!(message, "the server cannot write its files: no storage space");
        let long = Refusal::from_io(io::ErrorKind::FileTooLarge.into());
        assert_eq!(long.status, 413);
    }
}
