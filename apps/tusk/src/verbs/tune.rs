//! `tusk tune`: parameters of an engine, tuned by games.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use ::learn::tune::{Perturbed, Spsa, SpsaSettings, Tuned};
use arena::{
    BlockingStore, Contestant, EngineSpec, Event, Format, GameRow, HeadToHead, Plan, Runner,
    RunnerError, ScoredGame, Standing, Worker, openings_for,
};
use engine::Configuration;
use guard::harmless;
use plot::{Plot, Series};
use serde_json::{Map, Value, json};
use workbench::host::{self, EngineHost};
use workbench::{Catalogues, EngineRequest, GameName, Playing, RequestError, WrongUse, in_game};

use crate::Exit;
use crate::shared::contest::EventArguments;
use crate::shared::output::{say, standard, write_file};
use crate::shared::terms::{Terms, Timing};
use crate::shared::{progress, signals, standings};

/// Tunes parameters of an engine by games of it against itself, by SPSA.
///
/// Each iteration plays the values moved one way against those moved the other way, in pairs of games from the same opening
/// with sides changed, and moves the values towards the side that scored more. At the end the values play those at the start,
/// which tells the gain and its error. All games are kept in the store: interrupted, the same command goes on.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk tune tusk --parameter futility_margin=0..200 --parameter lmr_growth=50..250 --games 4000 --nodes 20000\n  tusk tune \"tusk learned_pruning=50\" --parameter learned_pruning --games 2000 --time 100ms --report tuned.html"
)]
pub struct Arguments {
    /// An engine of this program, with settings: "tusk threads=1"
    engine: String,

    /// A parameter, and its range if that is not the declared one; as often as you like
    #[arg(long = "parameter", required = true, value_name = "NAME[=MIN..MAX]", value_parser = range)]
    parameters: Vec<Range>,

    /// How many games to tune by
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,

    /// How many games an iteration has
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    batch: u32,

    /// How many games the values play against those at the start, at the end
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    final_games: u32,

    /// How far values are moved to each side in the first iteration, as a share of their ranges
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    perturbation: f64,

    /// How far the first step goes if one side wins all games, as a share of the ranges
    #[arg(long, value_name = "SHARE", default_value_t = 0.15, value_parser = share)]
    step: f64,

    #[command(flatten)]
    timing: Timing,

    #[command(flatten)]
    terms: Terms,

    /// Write a page with the way of the values and what came of it
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    playing: EventArguments,
}

/// A parameter, with a range or without.
#[derive(Clone)]
struct Range {
    name: String,
    ends: Option<(i32, i32)>,
}

fn range(text: &str) -> Result<Range, String> {
    let Some((name, ends)) = text.split_once('=') else {
        return Ok(Range { name: text.to_string(), ends: None });
    };
    let ends = ends.split_once("..").and_then(|(least, most)| {
        Some((least.trim().parse().ok()?, most.trim_start_matches('=').trim().parse().ok()?))
    });
    let ends = ends.filter(|(least, most): &(i32, i32)| least < most);
    match ends {
        Some(ends) => Ok(Range { name: name.to_string(), ends: Some(ends) }),
        None => Err(format!("{text:?}: write a range of whole numbers, such as {name}=0..100")),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "expected a number above 0, and 1 at most".to_string())
}

/// The seed, unless one is given: the same command goes on with its games.
const USUAL_SEED: u64 = 1;

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    in_game!(game.unwrap_or_default(), S => tune::<S>(catalogues, arguments))
}

fn tune<S: Playing>(catalogues: &Catalogues, arguments: &Arguments) -> anyhow::Result<Exit> {
    let tuned = arguments.tuned::<S>(catalogues)?;
    let iterations = arguments.games.div_ceil(arguments.batch) as usize;
    let store = arguments.playing.open()?;
    store.claim()?;
    let tuner = Tuner::<S> {
        catalogues,
        arguments,
        store: &store,
        tuned: &tuned,
        game: std::marker::PhantomData,
    };
    let mut spsa = Spsa::new(
        tuned.clone(),
        SpsaSettings {
            perturbation: arguments.perturbation,
            step: arguments.step,
            iterations,
            seed: arguments.terms.seed.unwrap_or(USUAL_SEED),
        },
    );
    let bar = progress::bar(iterations, "iterations");
    let mut way = vec![spsa.shares().to_vec()];
    for number in 0..iterations {
        let Perturbed { plus, minus } = spsa.perturbed();
        let event = tuner.event(&format!("iteration {}", number + 1), number, [&plus, &minus])?;
        let Some(results) = tuner.play(&event)? else { return Ok(interrupted()) };
        let score = tuner.score(&event, &results);
        spsa.learn(score);
        way.push(spsa.shares().to_vec());
        let row = tuner.row(number + 1, score, &spsa.values());
        bar.suspend(|| writeln!(standard(), "{row}"))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (values, start) = (spsa.values(), tuned.iter().map(|one| one.start).collect::<Vec<i32>>());
    let event = tuner.event("final", iterations, [&values, &start])?;
    if !arguments.playing.json {
        say!("the tuned values play those at the start");
    }
    let Some(results) = tuner.play(&event)? else { return Ok(interrupted()) };
    tuner.conclude(&event, &results, &values, &way)?;
    Ok(Exit::Done)
}

fn interrupted() -> Exit {
    say!("interrupted; the same command goes on with it");
    Exit::Done
}

impl Arguments {
    /// The parameters, with their ranges and where they begin.
    fn tuned<S: Playing>(&self, catalogues: &Catalogues) -> anyhow::Result<Vec<Tuned>> {
        let spec = host::read_spec::<S>(catalogues.get::<S>(), &self.engine).map_err(WrongUse)?;
        let EngineSpec::BuiltIn { name, settings } = spec else {
            let fault =
                format!("{}: only engines of this program have declared parameters", self.engine);
            return Err(WrongUse(fault).into());
        };
        let wrong = |error: RequestError| WrongUse(error.to_string());
        let request = EngineRequest::from_words(&name, &settings).map_err(wrong)?;
        let configuration = request.resolve::<S>(catalogues.get::<S>()).map_err(wrong)?;
        for (index, range) in self.parameters.iter().enumerate() {
            if self.parameters[..index].iter().any(|other| other.name == range.name) {
                let fault =
                    format!("--parameter {}: it is named twice; once is enough", range.name);
                return Err(WrongUse(fault).into());
            }
        }
        self.parameters.iter().map(|range| Ok(tuned_in(range, &configuration)?)).collect()
    }
}

/// A parameter of a configured engine, with the range that is asked for.
fn tuned_in<G: game::Game>(range: &Range, engine: &Configuration<G>) -> Result<Tuned, WrongUse> {
    let wrong = |fault: &str| WrongUse(format!("--parameter {}: {fault}", range.name));
    let declared = engine.entry().parameter(&range.name);
    let declared =
        declared.ok_or_else(|| wrong("there is no such parameter; see `tusk engines`"))?;
    let Some((least, most)) = declared.range() else {
        return Err(wrong("a file cannot be tuned, only a number can"));
    };
    let ends = range.ends.unwrap_or((least, most));
    if ends.0 < least || ends.1 > most {
        return Err(wrong(&format!("the declared range is {least}..{most}")));
    }
    let start = engine.number(&range.name).unwrap_or(ends.0).clamp(ends.0, ends.1);
    Ok(Tuned { name: range.name.clone(), least: ends.0, most: ends.1, start })
}

/// Who plays the games of a run.
struct Tuner<'a, S> {
    catalogues: &'a Catalogues,
    arguments: &'a Arguments,
    store: &'a BlockingStore,
    tuned: &'a [Tuned],
    game: std::marker::PhantomData<S>,
}

impl<S: Playing> Tuner<'_, S> {
    /// The event of two sides with these values, begun or new.
    fn event(&self, what: &str, number: usize, sides: [&[i32]; 2]) -> anyhow::Result<Event> {
        let Arguments { engine, terms, timing, .. } = self.arguments;
        let seed = terms.seed.unwrap_or(USUAL_SEED);
        let is_final = what == "final";
        let games = if is_final { self.arguments.final_games } else { self.arguments.batch };
        // Each iteration has its own openings.
        let openings_seed = (seed << 20).wrapping_add(number as u64) & ((1 << 62) - 1);
        let names = if is_final { ["tuned", "start"] } else { ["plus", "minus"] };
        let contestant = |(name, values): (&str, &[i32])| self.contestant(name, values);
        let contestants: Result<Vec<Contestant>, WrongUse> =
            names.into_iter().zip(sides).map(contestant).collect();
        let plan = Plan {
            game: S::NAME.word().to_string(),
            contestants: contestants?,
            format: Format::RoundRobin,
            games,
            openings: terms.openings::<S>(openings_for(games), openings_seed)?,
            time: timing.time_settings(),
            adjudication: terms.adjudication(),
            sprt: None,
            unfinished: terms.unfinished(),
            seed: openings_seed,
        };
        let name = format!("tune {engine}, seed {seed}, {what}");
        let events = self.store.events()?.sound.into_iter();
        let mut known = events.filter(|event| event.name == name && event.plan == plan);
        match known.next() {
            Some(event) => Ok(event),
            None => Ok(self.store.event(self.store.create(&name, &plan)?)?),
        }
    }

    fn contestant(&self, name: &str, values: &[i32]) -> Result<Contestant, WrongUse> {
        let pairs = self.tuned.iter().zip(values);
        let options: BTreeMap<String, String> =
            pairs.map(|(tuned, value)| (tuned.name.clone(), value.to_string())).collect();
        host::contestant::<S>(
            self.catalogues.get::<S>(),
            name.to_string(),
            &self.arguments.engine,
            options,
        )
        .map_err(WrongUse)
    }

    /// Plays what is left of an event; nothing, if that was interrupted.
    fn play(&self, event: &Event) -> anyhow::Result<Option<Vec<GameRow>>> {
        let EventArguments { lease, .. } = self.arguments.playing;
        let worker = Worker::new(lease);
        let runner = Runner {
            host: &EngineHost::<S>(self.catalogues.get::<S>()),
            store: self.store,
            worker: worker.clone(),
            concurrency: self.arguments.playing.games_at_a_time(
                self.catalogues,
                &event.plan,
                &|_| true,
            ),
            may_play: &|_| true,
            stop: signals::graceful_stop(),
        };
        let played = runner.play(event, |_| true);
        if !matches!(played, Err(RunnerError::Store(_))) {
            self.store.give_back(&worker)?;
        }
        played?;
        let games = self.store.games(event)?.sound;
        Ok(signals::received().is_none().then_some(games))
    }

    /// What the first side has scored, from 0 to 1.
    fn score(&self, event: &Event, games: &[GameRow]) -> f64 {
        let scores: Vec<ScoredGame> = games.iter().filter_map(GameRow::score).collect();
        let tally = HeadToHead::of(&scores, (0, 1)).tally;
        match tally.games() {
            0 => 0.5,
            games => tally.points_under(event.plan.unfinished) / games as f64,
        }
    }

    /// The values by their names.
    fn named(&self, values: &[i32]) -> Map<String, Value> {
        let pairs = self.tuned.iter().zip(values);
        pairs.map(|(tuned, &value)| (tuned.name.clone(), value.into())).collect()
    }

    fn words(&self, values: &[i32]) -> String {
        let pairs = self.tuned.iter().zip(values);
        let words: Vec<String> =
            pairs.map(|(tuned, value)| format!("{}={value}", tuned.name)).collect();
        words.join(" ")
    }

    fn row(&self, iteration: usize, score: f64, values: &[i32]) -> String {
        if self.arguments.playing.json {
            let values = self.named(values);
            return json!({ "iteration": iteration, "score": score, "values": values }).to_string();
        }
        format!("iteration {iteration}: {:.1} %, {}", 100.0 * score, self.words(values))
    }

    /// Tells what came of it, and writes the report.
    fn conclude(
        &self,
        event: &Event,
        games: &[GameRow],
        values: &[i32],
        way: &[Vec<f64>],
    ) -> anyhow::Result<()> {
        let scores: Vec<ScoredGame> = games.iter().filter_map(GameRow::score).collect();
        let standing = Standing::of(&event.plan, games);
        let start: Vec<i32> = self.tuned.iter().map(|tuned| tuned.start).collect();
        let result = standings::report(&event.plan, &scores, &standing);
        let mut out = standard();
        if self.arguments.playing.json {
            let mut summary = standings::match_json(&event.plan, &scores, &standing);
            summary["start"] = self.named(&start).into();
            summary["values"] = self.named(values).into();
            writeln!(out, "{summary}")?;
        } else {
            writeln!(
                out,
                "\nstart: {}\ntuned: {}\n\n{result}",
                self.words(&start),
                self.words(values)
            )?;
        }
        let Some(path) = &self.arguments.report else { return Ok(()) };
        write_file(path, self.page(&[&start, values], &result, way))
    }

    /// The report: the values before and after, the way between, and the match at the end.
    fn page(&self, [start, values]: &[&[i32]; 2], result: &str, way: &[Vec<f64>]) -> String {
        let mut rows = String::new();
        for ((tuned, start), value) in self.tuned.iter().zip(*start).zip(*values) {
            let Tuned { name, least, most, .. } = tuned;
            let _ = writeln!(
                rows,
                "<tr><td>{name}</td><td>{least}..{most}</td><td>{start}</td><td>{value}</td></tr>"
            );
        }
        let line = |(index, tuned): (usize, &Tuned)| Series {
            name: tuned.name.clone(),
            points: way.iter().enumerate().map(|(at, shares)| (at as f64, shares[index])).collect(),
            is_dashed: false,
        };
        let plot = Plot {
            title: "values, as shares of their ranges",
            axes: ["iterations", "share"],
            series: self.tuned.iter().enumerate().map(line).collect(),
            ..Plot::default()
        };
        let escaped = |text: &str| {
            harmless(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Tuning</title>\n\
             <h1>Tuning of {}</h1>\n<table>\n<tr><th>parameter</th><th>range</th><th>start</th>\
             <th>tuned</th></tr>\n{rows}</table>\n{}<h2>The tuned values against those at the \
             start</h2>\n<pre>{}</pre>\n</html>\n",
            escaped(&self.arguments.engine),
            plot.svg(),
            escaped(result)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_two_numbers_in_their_order() {
        let ends = |text| range(text).map(|range| range.ends);
        assert_eq!(ends("lmr_growth"), Ok(None));
        assert_eq!(ends("lmr_growth=50..250"), Ok(Some((50, 250))));
        assert_eq!(ends("lmr_growth=50..=250"), Ok(Some((50, 250))));
        for wrong in ["lmr_growth=250..50", "lmr_growth=50", "lmr_growth=a..b", "lmr_growth=5..5"] {
            assert!(ends(wrong).is_err(), "{wrong}");
        }
    }
}
