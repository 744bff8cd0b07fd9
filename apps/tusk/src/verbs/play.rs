//! `tusk play`: a game in the terminal against an engine.

mod plain;
mod screen;
mod session;

use std::io::{BufReader, IsTerminal as _, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use game::{Game as _, Side};
use guard::{LONGEST_FILE, read_text_within};
use workbench::{Army, Catalogues, GameName, Interactive, Playing, WrongUse, in_game, units};

use self::session::{Opponent, Session};
use crate::Exit;
use crate::shared::choice;
use crate::shared::thinking::Thinking;

/// Plays a game against you in the terminal.
///
/// In a terminal there is a board for keys and mouse; where there is none, or with --plain, plain lines do. Turns are
/// entered step by step, and `done` ends them. `help` lists what else can be typed. The record is kept in a file
/// after every turn, and a game that is there already is taken up.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk play --level beginner\n  tusk play --game tzaar --side b --time 5s --record game.txt"
)]
pub struct Arguments {
    /// How strong the engine is: beginner, intermediate, expert or unbeatable; the same as --engine
    #[arg(long, value_name = "L", conflicts_with = "engine")]
    level: Option<String>,

    /// The side that you play: g or s in Arimaa, w or b in Tzaar
    #[arg(long, value_name = "SIDE", value_parser = side, default_value = "g", hide_default_value = true)]
    side: Side,

    /// From where the game begins, as in `tusk match` [default: empty in Arimaa, random in Tzaar]
    #[arg(long, value_name = "O")]
    opening: Option<String>,

    /// Where the record is kept; a game that is there already is taken up [default: a new file in this folder]
    #[arg(long, value_name = "FILE", visible_alias = "resume")]
    record: Option<PathBuf>,

    /// Plain lines instead of a board for keys and mouse
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    thinking: Thinking,

    #[command(flatten)]
    engine: choice::EngineArguments,
}

fn side(text: &str) -> Result<Side, String> {
    match text {
        "g" | "w" => Ok(Side::First),
        "s" | "b" => Ok(Side::Second),
        _ => Err("expected g or s in Arimaa, w or b in Tzaar".to_string()),
    }
}

pub fn run(
    mut arguments: Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    if let Some(level) = arguments.level.take() {
        arguments.engine.choose(level);
    }
    let saved = arguments.saved()?;
    let told = saved.as_deref().map(GameName::of_text);
    let game = game.or(told).unwrap_or_default();
    in_game!(game, S => arguments.play::<S>(catalogues, saved.as_deref()))
}

impl Arguments {
    /// The record that is there already, if one is.
    fn saved(&self) -> anyhow::Result<Option<String>> {
        let Some(path) = self.record.as_deref().filter(|path| path.exists()) else {
            return Ok(None);
        };
        let text =
            read_text_within(path, LONGEST_FILE).with_context(|| path.display().to_string())?;
        Ok(Some(text).filter(|text| !text.trim().is_empty()))
    }

    fn play<S: Playing + Interactive>(
        &self,
        catalogues: &Catalogues,
        saved: Option<&str>,
    ) -> anyhow::Result<Exit> {
        let game = match (saved, &self.record) {
            (Some(text), Some(path)) => taken_up::<S>(text, path)?,
            _ => self.begin::<S>()?,
        };
        let path = self.record.clone().unwrap_or_else(|| new_file(S::NAME));
        let (name, engine) = self.engine.start::<S>(catalogues)?;
        let hints = catalogues.get::<S>().default_engine().configure().build()?;
        let opponent = Opponent { name, engine, hints, limits: self.thinking.limits() };
        let mut session = Session::<S>::new(game, self.side, path);
        let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let is_terminal = stdin().is_terminal() && stdout().is_terminal();
        match is_terminal && !self.plain {
            true => screen::run(&mut session, opponent, colour)?,
            false => {
                let colour = colour && stdout().is_terminal();
                plain::run(&mut session, opponent, BufReader::new(stdin()), &mut stdout(), colour)?;
            }
        }
        Ok(Exit::Done)
    }

    /// A game that begins where it was asked to.
    fn begin<S: Playing + Interactive>(&self) -> anyhow::Result<S::Game> {
        let opening = self.opening.as_deref().unwrap_or(S::USUAL_OPENING);
        let wrong = |fault: String| WrongUse::value("--opening <O>", opening, &fault);
        let made = S::openings(opening).map_err(wrong)?.make(1, self.engine.seed(), &|| ())?;
        let text = made.first().map_or("", String::as_str);
        let (game, origin) = S::Game::begin(text).map_err(anyhow::Error::msg)?;
        if origin.is_some() && !S::TELLS_ORIGIN {
            let fault =
                format!("a record of {} begins with the setups, not with a position", S::NAME);
            return Err(wrong(fault).into());
        }
        Ok(game)
    }
}

/// The game of a record that is there already.
fn taken_up<S: Playing>(text: &str, path: &Path) -> anyhow::Result<S::Game> {
    let game = <S::Game as workbench::GameRecord>::parse(text, Army::Handicap)
        .map_err(|(line, fault)| anyhow::anyhow!("{}, line {line}: {fault}", path.display()))?;
    match game.ended() {
        Some(ended) => anyhow::bail!("{}: the game is over. {}", path.display(), ended.sentence),
        None => Ok(game),
    }
}

/// A file for the record of a game that begins now.
fn new_file(game: GameName) -> PathBuf {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = units::timestamp(now.map_or(0, |now| now.as_secs() as i64));
    PathBuf::from(format!("tusk-{}-{}.txt", game.word(), now.strftime("%Y%m%d-%H%M%S")))
}
