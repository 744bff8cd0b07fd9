//! `tusk getmove`: the older interface of Arimaa bots, one process a turn.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aei::Options;
use anyhow::{Context, anyhow, bail};
use arimaa::{Army, Game, Picture, TextError};
use engine::{Engine, Stop, read_file};
use game::Game as _;

use crate::output::{say, standard};
use crate::{Exit, choice};
use workbench::{Arimaa, Catalogues, GameName, is_tzaar};

/// Finds one turn by the older interface of Arimaa bots, and prints it on the last line.
///
/// POSITION is a file with a board picture, RECORD one with a turn a line, STATE one with lines of
/// key=value (% is written %25 and the end of a line %13): turn, tcmove, tcreserve,
/// wreserve, breserve and so on. With a record the engine knows which positions would be repeated; it
/// may also stand in the place of POSITION.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk getmove positions/sample-game.txt --engine random")]
pub struct Arguments {
    /// The file of the position
    position: PathBuf,

    /// The file of the game's record
    record: Option<PathBuf>,

    /// The file of the game's state: its clock
    state: Option<PathBuf>,

    #[command(flatten)]
    engine: choice::EngineArguments,

    /// Accept setups with fewer than sixteen pieces
    #[arg(long)]
    handicap: bool,
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    GameName::only_arimaa("getmove", game)?;
    let began = Instant::now();
    let army = if arguments.handicap { Army::Handicap } else { Army::Full };
    let game = read_game(arguments, army)?;
    if let Some(outcome) = game.outcome() {
        bail!("there is no turn to be found: {outcome}");
    }
    let options = match &arguments.state {
        Some(path) => {
            state_options(&read(path)?).map_err(|fault| anyhow!("{}, {fault}", path.display()))?
        }
        None => Options::default(),
    };
    let answer = answer(catalogues, arguments, &game, &options, began)?;
    writeln!(standard(), "{answer}")?;
    Ok(Exit::Done)
}

/// What the engine plays, as text.
fn answer(
    catalogues: &Catalogues,
    arguments: &Arguments,
    game: &Game,
    options: &Options,
    began: Instant,
) -> anyhow::Result<String> {
    let (_, mut engine) = arguments.engine.start::<Arimaa>(catalogues)?;
    let turn = game.actions().count() as u32 / 2 + 1;
    // The game's length is not told; the clock of this turn began with the process.
    let mut options = options.clone();
    options.move_used += began.elapsed();
    let limits = options.limits(game.position().side(), turn, Duration::ZERO);
    let found = engine.analyse(game, &limits, &Stop::new(), &mut |_| ());
    let action = found.and_then(|info| info.best().copied());
    Ok(action.map_or_else(|| "resign".to_string(), |action| game.notation(action)))
}

fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = read_file(path).with_context(|| path.display().to_string())?;
    // Names of players come in any encoding; what matters is plain ASCII.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The game by its record where there is one, else by its position.
fn read_game(arguments: &Arguments, army: Army) -> anyhow::Result<Game> {
    let at_position = parse_game(&arguments.position, army)?;
    let Some(path) = &arguments.record else { return Ok(at_position) };
    if read(path)?.trim().is_empty() {
        return Ok(at_position);
    }
    let recorded = parse_game(path, army)?;
    let same = recorded.position().repetition_key() == at_position.position().repetition_key();
    if !same {
        // A turn is wanted all the same, and the picture is what the turn will be judged by.
        let (position, record) = (arguments.position.display(), path.display());
        say!("warning: {record} does not end at the position of {position}: going by the position");
        return Ok(at_position);
    }
    Ok(recorded)
}

/// A picture, a compact position, or a record.
fn parse_game(path: &Path, army: Army) -> anyhow::Result<Game> {
    let text = read(path)?;
    if is_tzaar(&text) {
        bail!("{}: this is a position of Tzaar, for which there is `tusk tzaar`", path.display());
    }
    let game = if text.contains('|') {
        let picture = text.parse().map_err(|error: TextError| error.to_string());
        picture.map(|picture: Picture| Game::at(&picture.position()))
    } else if text.contains('[') {
        let position = text.parse().map_err(|error: TextError| error.to_string());
        position.map(|position| Game::at(&position))
    } else {
        Game::parse(&text, army).map_err(|error| error.to_string())
    };
    game.map_err(|fault| anyhow!("{}, {fault}", path.display()))
}

/// What the state says of the clock, under the names of the older interface and of arimaa.com's
/// server; the rest is not needed.
fn state_options(text: &str) -> Result<Options, String> {
    let mut options = Options::default();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let pairs: Vec<(usize, &str, String)> =
        lines.map(|(number, line)| state_line(number, line)).collect::<Result<_, _>>()?;
    // Whose clock `wused` or `bused` is depends on whose turn it is.
    let turn = pairs.iter().find(|(_, key, _)| *key == "turn").map(|(_, _, value)| value.as_str());
    for (line, key, value) in &pairs {
        let name = match *key {
            "wreserve" | "tcwreserve" | "tcwreserve2" => "greserve",
            "breserve" | "tcbreserve" | "tcbreserve2" => "sreserve",
            "wused" if matches!(turn, Some("w" | "g")) => "moveused",
            "bused" if matches!(turn, Some("b" | "s")) => "moveused",
            "turntime" => "tcturntime",
            "tcmove" | "tcreserve" | "tcpercent" | "tcmax" | "tctotal" | "tcturns"
            | "tcturntime" | "moveused" => key,
            _ => continue,
        };
        // The server leaves empty what it does not know.
        if !value.is_empty() {
            options
                .set(name, Some(value))
                .map_err(|error| format!("line {line}: {key}: {error}"))?;
        }
    }
    Ok(options)
}

/// The number of a line, its key and its value. Names of players have letters of any encoding, but nothing has
/// control characters.
fn state_line(number: usize, line: &str) -> Result<(usize, &str, String), String> {
    let is_key = |key: &str| {
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let pair = line.trim_end_matches('\r').split_once('=');
    let pair = pair.map(|(key, value)| (key.trim(), value.trim()));
    match pair.filter(|(key, value)| is_key(key) && !value.contains(char::is_control)) {
        Some((key, value)) => Ok((number, key, unescaped(value))),
        None => Err(format!(
            "line {number}: this is no state of a game: expected lines of key=value such as tcmove=15"
        )),
    }
}

/// A value as it was before `%` became `%25` and the end of a line `%13`.
fn unescaped(value: &str) -> String {
    value.replace("%13", "\n").replace("%25", "%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_tells_the_clock() {
        let state = "turn=b\ns=abc\nwplayer=50%25 me\ntcmove=15\ntcreserve=90\nwreserve=80\n\
                     breserve=70\nwused=9\nbused=2\ntcmax=\nmoves=1w Ra1%131b ra8%13\n";
        let options = state_options(state).unwrap();
        let seconds = Duration::from_secs;
        assert_eq!(options.control.per_move, seconds(15));
        assert_eq!(options.reserves.second, Some(seconds(70)));
        assert_eq!(options.move_used, seconds(2));
        assert_eq!(
            state_options("turn=w\ntcmove=soon").unwrap_err(),
            "line 2: tcmove: expected a number of seconds such as 30 or 0.2, found \"soon\""
        );
    }

    #[test]
    fn what_is_no_state_is_refused_with_its_line() {
        let place =
            |text: &str| state_options(text).unwrap_err().split(": ").next().unwrap().to_string();
        assert_eq!(place("turn=w\n\n1w Ra1\n"), "line 3");
        assert_eq!(place("\u{7f}ELF=\u{1}\n"), "line 1");
        assert_eq!(place("turn=w\nwplayer=a\u{0}b\n"), "line 2");
        assert_eq!(place("=w\n"), "line 1");
        assert!(state_options("turn=w\r\ntcmove=15\r\n").is_ok());
        assert!(state_options(" \n").is_ok(), "nothing is said");
    }

    #[test]
    fn values_are_unescaped() {
        assert_eq!(unescaped("1w Ra1%131b ra8%13"), "1w Ra1\n1b ra8\n");
        assert_eq!(unescaped("50%25 of 100%2513"), "50% of 100%13");
    }
}
