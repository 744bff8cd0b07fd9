//! `tusk tournament`: games of many engines, by a file.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use arena::{
    Adjudication, BlockingStore, Contestant, Event, Format, Plan, ScoreThreshold, TimeSettings,
    Unfinished,
};
use engine::read_text_within;
use process::TimeControl;
use serde::Deserialize;
use toml::Spanned;

use crate::contest::EventArguments;
use crate::matches::{self, MOST_GAMES, USUAL_MARGIN, openings_for};
use crate::output::say;
use workbench::{Catalogues, GameName, Playing, in_game};
use workbench::{host, units};

use crate::{Exit, signals};

/// Plays a tournament of many engines, by a file; interrupted or not, it goes on where it was.
///
/// The file is TOML: `games` (between two that meet), `format` ("round-robin", "gauntlet",
/// "knock-out"), one of `time`, `tc`, `depth`, `nodes`, then an `[[engine]]` with `engine` and perhaps
/// `name` and `options` (parameters, or what a program is told by setoption) for each that takes part. Besides: `name` (of the tournament), `game` ("arimaa", "tzaar"), `openings`, `seed`, `turns`,
/// `resign` and `agree` ({ score = 800, turns = 3 }), `unfinished` ("half", "loss-for-both"), `margin`.
/// In a store that is shared (PostgreSQL), `tusk worker` plays along on any machine.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  tusk tournament levels.toml\n\nlevels.toml:\n  games = 20\n  time = \"1s\"\n  [[engine]]\n  engine = \"beginner\"\n  [[engine]]\n  engine = \"tusk max_depth=9\"\n  name = \"short-sighted\""
)]
pub struct Arguments {
    /// The file of the tournament
    file: PathBuf,

    /// Only put the games into the store, for workers to play
    #[arg(long)]
    schedule_only: bool,

    #[command(flatten)]
    playing: EventArguments,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: Option<String>,
    game: Option<Spanned<String>>,
    #[serde(default)]
    format: Format,
    games: Spanned<u32>,
    time: Option<Spanned<String>>,
    tc: Option<Spanned<String>>,
    depth: Option<Spanned<u8>>,
    nodes: Option<Spanned<u64>>,
    margin: Option<Spanned<String>>,
    openings: Option<Spanned<String>>,
    /// The same file means the same games: it is 1 unless told.
    #[serde(default = "first_seed")]
    seed: Spanned<u64>,
    turns: Option<Spanned<u32>>,
    resign: Option<Spanned<ScoreThreshold>>,
    agree: Option<Spanned<ScoreThreshold>>,
    #[serde(default)]
    unfinished: Unfinished,
    #[serde(default)]
    engine: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    engine: Spanned<String>,
    name: Option<Spanned<String>>,
    #[serde(default)]
    options: BTreeMap<String, String>,
}

fn first_seed() -> Spanned<u64> {
    Spanned::new(0..0, 1)
}

/// What is wrong, and where in the text.
type Fault = (Range<usize>, String);

fn at<T>(span: Range<usize>, result: Result<T, String>) -> Result<T, Fault> {
    result.map_err(|what| (span, what))
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    let (name, plan) = read(&arguments.file, game, catalogues)?;
    let store = arguments.playing.open()?;
    if !arguments.schedule_only {
        store.claim()?;
    }
    let event = find_or_create(&store, &name, &plan)?;
    if arguments.schedule_only {
        say!("tournament {}: its games wait for workers", event.id);
        return Ok(Exit::Done);
    }
    say!("tournament {}; if it is interrupted, the same command goes on with it", event.id);
    let played = arguments.playing.play(catalogues, &store, &event);
    let exit = matches::conclude(&store, &event, arguments.playing.json, played);
    if signals::received().is_some() {
        say!("interrupted; the same command goes on with the tournament");
    }
    exit
}

/// The event of that name, unless it is of another plan.
pub fn find_or_create(store: &BlockingStore, name: &str, plan: &Plan) -> anyhow::Result<Event> {
    let known = store.events()?.sound.into_iter().rfind(|event| event.name == name);
    match known {
        Some(event) if event.plan == *plan => Ok(event),
        Some(event) => bail!(
            "the store has a tournament {name:?} (event {}) that was planned differently: give this \
             one another name in its file (name = \"…\"), or use another store",
            event.id
        ),
        None => {
            let id = store.create(name, plan)?;
            Ok(store.event(id)?)
        }
    }
}

/// The longest file of a tournament, in bytes.
const LONGEST_PLAN: u64 = 1 << 20;

/// The name of a tournament, and its plan.
fn read(
    path: &Path,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<(String, Plan)> {
    let text = read_text_within(path, LONGEST_PLAN).with_context(|| path.display().to_string())?;
    let place = |(span, what): Fault| {
        anyhow!("{}, line {}: {what}", path.display(), workbench::line(&text, span.start))
    };
    let read: Text = toml::from_str(&text).map_err(|error| {
        place((error.span().unwrap_or(0..0), error.message().trim().replace('\n', ", ")))
    })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = read.name.clone().unwrap_or_else(|| stem.to_string());
    let game = read.game(game).map_err(place)?;
    let (mut plan, openings) = in_game!(game, S => {
        let openings = match &read.openings {
            None => at(0..0, S::openings(S::OPENINGS)),
            Some(openings) => at(openings.span(), S::openings(openings.get_ref())),
        };
        (read.plan::<S>(catalogues).map_err(place)?, openings.map_err(place)?)
    });
    // A knock-out that is tied goes on from other openings.
    let more = if plan.format == Format::KnockOut { 20 } else { 0 };
    plan.openings = openings.make(openings_for(plan.games) + more, plan.seed, &|| ())?;
    Ok((name, plan))
}

fn right(condition: bool, what: &str) -> Result<(), String> {
    condition.then_some(()).ok_or(what.to_string())
}

/// A limit that is one.
fn positive<T: Copy + Default + PartialOrd>(
    limit: &Option<Spanned<T>>,
) -> Result<Option<T>, Fault> {
    let Some(limit) = limit else { return Ok(None) };
    at(limit.span(), right(*limit.get_ref() > T::default(), "expected a number from 1 on"))?;
    Ok(Some(*limit.get_ref()))
}

fn clear(threshold: &Option<Spanned<ScoreThreshold>>) -> Result<Option<ScoreThreshold>, Fault> {
    let Some(threshold) = threshold else { return Ok(None) };
    let ScoreThreshold { score, turns } = *threshold.get_ref();
    let sensible =
        ScoreThreshold::new(score, turns).ok_or("expected a score and turns from 1 on".into());
    at(threshold.span(), sensible).map(Some)
}

impl Text {
    /// The game that it names, unless the command line does.
    fn game(&self, asked: Option<GameName>) -> Result<GameName, Fault> {
        let Some(named) = &self.game else { return Ok(asked.unwrap_or_default()) };
        let game = at(named.span(), GameName::named(named.get_ref()))?;
        match asked {
            Some(asked) if asked != game => {
                let fault = format!("this is a tournament of {game}, and --game asks for {asked}");
                Err((named.span(), fault))
            }
            _ => Ok(game),
        }
    }

    /// The plan, but for its openings.
    fn plan<S: Playing>(&self, catalogues: &Catalogues) -> Result<Plan, Fault> {
        let games = *self.games.get_ref();
        let is_right = (1..=MOST_GAMES).contains(&games);
        at(self.games.span(), right(is_right, "expected a number of games from 1 to 1000000"))?;
        let seed = *self.seed.get_ref();
        at(self.seed.span(), right(seed < 1 << 62, "expected a seed below 2^62"))?;
        Ok(Plan {
            game: S::NAME.word().to_string(),
            contestants: self.contestants::<S>(catalogues)?,
            format: self.format,
            games,
            openings: Vec::new(),
            time: self.time_settings()?,
            adjudication: Adjudication {
                turns: positive(&self.turns)?,
                resign: clear(&self.resign)?,
                agree: clear(&self.agree)?,
            },
            sprt: None,
            unfinished: self.unfinished,
            seed,
        })
    }

    fn contestants<S: Playing>(&self, catalogues: &Catalogues) -> Result<Vec<Contestant>, Fault> {
        if self.engine.len() < 2 {
            let what = "expected at least two engines: add an [[engine]] for each".to_string();
            return Err((0..0, what));
        }
        let mut names = HashSet::new();
        let mut contestants = Vec::new();
        for Entry { engine, name, options } in &self.engine {
            let name = name.as_ref().unwrap_or(engine);
            if !names.insert(name.get_ref()) {
                let what = format!("there are two engines {:?}: give one a name", name.get_ref());
                return Err((name.span(), what));
            }
            let name = name.get_ref().clone();
            let contestant = host::contestant::<S>(
                catalogues.get::<S>(),
                name,
                engine.get_ref(),
                options.clone(),
            );
            contestants.push(at(engine.span(), contestant)?);
        }
        Ok(contestants)
    }

    fn time_settings(&self) -> Result<TimeSettings, Fault> {
        let time = |text: &Option<Spanned<String>>| -> Result<Option<Duration>, Fault> {
            let Some(text) = text else { return Ok(None) };
            at(text.span(), units::time(text.get_ref())).map(Some)
        };
        if let (Some(tc), Some(_)) = (&self.tc, &self.time) {
            return Err((tc.span(), "expected either time or tc, not both".to_string()));
        }
        let control = match &self.tc {
            Some(tc) => {
                let control = tc.get_ref().parse();
                let control = control.map_err(|error: process::TimeControlError| error.to_string());
                Some(at(tc.span(), control)?)
            }
            None => time(&self.time)?.map(TimeControl::per_turn),
        };
        if control.is_none() && self.depth.is_none() && self.nodes.is_none() {
            return Err((0..0, "expected one of time, tc, depth and nodes".to_string()));
        }
        let usual = if self.time.is_some() { USUAL_MARGIN } else { Duration::ZERO };
        let margin = time(&self.margin)?.unwrap_or(usual);
        let (depth, nodes) = (positive(&self.depth)?, positive(&self.nodes)?);
        Ok(TimeSettings { control, margin, depth, nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workbench::Arimaa;

    fn fault(text: &str) -> String {
        let file: Result<Text, _> = toml::from_str(text);
        let plan = match &file {
            Err(error) => Err((error.span().unwrap_or(0..0), error.message().to_string())),
            Ok(file) => file.plan::<Arimaa>(&crate::catalogues::all()),
        };
        match plan {
            Ok(_) => "none".to_string(),
            Err((span, what)) => format!("{}: {what}", workbench::line(text, span.start)),
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told_with_its_line() {
        let two = "[[engine]]\nengine = 'tusk'\n[[engine]]\nengine = 'zhong'\n";
        let with = |lines: &str| fault(&format!("{lines}\n{two}"));
        assert_eq!(with("games = 2\ntime = '1s'"), "none");
        assert_eq!(with("games = 2"), "1: expected one of time, tc, depth and nodes");
        assert_eq!(with("games = 0\nnodes = 5"), "1: expected a number of games from 1 to 1000000");
        assert_eq!(with("games = 2\ntime = '1'"), "2: \"1\" is no time: write 300ms, 5s or 2m");
        assert_eq!(
            with("games = 2\ntime = '1s'\ntc = '1s/0'"),
            "3: expected either time or tc, not both"
        );
        assert!(with("games = 2\nformat = 'swiss'").starts_with("2: unknown variant `swiss`"));
        assert!(
            fault("games = 2\nnodes = 5\n[[engine]]\nengine = 'tusk'\n")
                .starts_with("1: expected at least two")
        );
        let same = "games = 2\nnodes = 5\n[[engine]]\nengine = 'tusk'\n[[engine]]\nengine = 'tusk'";
        assert_eq!(fault(same), "6: there are two engines \"tusk\": give one a name");
        assert!(
            fault("games = 2\nnodes = 5\n[[engine]]\nengine = 'deep'\n[[engine]]\nengine = 'tusk'")
                .starts_with("4: deep: there is no such engine")
        );
    }
}
