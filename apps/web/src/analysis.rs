//! Searches by an engine: an analysis with its reports, and a move.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use engine::{Configured, Engine as _, EngineEntry, Info, Kind, Limits, MOST_LINES, Stop};
use game::{Game, Position as _, Side, Steps};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use workbench::verdicts::{chance, line_json, written_line};
use workbench::{Catalogues, EngineRequest, RequestError, refusal_of};

use crate::api::{Answer, Refusal};
use crate::board::trail;
use crate::games::{GameText, Served, letter};
use crate::results::{Results, Stored};

/// What an engine is asked for.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchParameters {
    pub game: GameText,
    /// The engine's name; without one, the game's usual one.
    pub engine: Option<String>,
    pub lines: Option<usize>,
    /// In seconds.
    pub time: Option<f64>,
    pub depth: Option<u8>,
    pub nodes: Option<u64>,
    pub threads: Option<usize>,
    /// In MiB.
    pub memory: Option<usize>,
    #[serde(default)]
    pub seed: u64,
    /// Parameters of the engine.
    #[serde(default)]
    pub set: BTreeMap<String, i64>,
    /// Looks at what the other side would do if this one passed.
    #[serde(default)]
    pub threat: bool,
    /// What was found before by a search of so many seconds is answer enough.
    pub enough: Option<f64>,
}

/// How long an engine thinks if nobody says anything, and at most.
const USUAL_TIME: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(600);

/// The memory of a search in MiB if nobody says anything, and at most: many may run at a time.
const USUAL_MEMORY: usize = 32;
const USUAL_TREE_MEMORY: usize = 128;
const MOST_MEMORY: usize = 512;

/// What was found with more lines than are wanted is looked for up to so many.
const MOST_KNOWN_LINES: usize = 8;

/// The same as [`search`], but what was found before is told first, and is the answer if it was searched for as long.
pub fn search_once<S: Served>(
    catalogues: &Catalogues,
    parameters: &SearchParameters,
    results: &Results,
    stop: &Stop,
    tell: &mut dyn FnMut(Value),
) -> Answer {
    let game = parameters.position::<S>()?;
    let wanted = parameters.wanted()?;
    let enough = parameters.enough.map_or(wanted, |enough| enough.min(wanted));
    let known = parameters.known::<S>(catalogues, &game, results);
    if let Some(mut found) = known.clone() {
        found.result["stored"] = json!(true);
        found.result["searched"] = json!(found.seconds);
        if found.is_enough(enough) {
            return Ok(found.result);
        }
        tell(found.result);
    }
    // What is less deep than what is known already is no news.
    let known_depth = known.map_or(0, |found| depth(&found.result));
    let found = search::<S>(catalogues, parameters, stop, &mut |report| {
        if depth(&report) >= known_depth {
            tell(report);
        }
    })?;
    // An engine that was not stopped has found all that it would find in that time.
    let seconds = found["seconds"].as_f64().unwrap_or(0.0);
    let seconds = if stop.is_requested() { seconds } else { seconds.max(wanted) };
    if depth(&found) >= known_depth {
        results.put(
            &parameters.key::<S>(catalogues, &game, parameters.line_count()),
            seconds,
            &found,
        );
    }
    Ok(found)
}

fn depth(report: &Value) -> u64 {
    report["depth"].as_u64().unwrap_or(0)
}

/// How long an engine looks for several lines before it begins anew, knowing what it has found: it finds one line after
/// the other, and without that a person would wait for the second until the time of the first is over.
const FIRST_SLICE: Duration = Duration::from_millis(400);

/// Lets an engine look at a position. Each report goes to `tell`, the last one is returned.
pub fn search<S: Served>(
    catalogues: &Catalogues,
    parameters: &SearchParameters,
    stop: &Stop,
    tell: &mut dyn FnMut(Value),
) -> Answer {
    let game = parameters.position::<S>()?;
    let limits = parameters.limits()?;
    let (name, mut engine) = parameters.engine::<S>(catalogues)?;
    let begin = Instant::now();
    let time = limits.hard.unwrap_or(USUAL_TIME);
    let is_sliced =
        engine.configuration().lines > 1 && limits.depth.is_none() && limits.nodes.is_none();
    let mut slice = if is_sliced { FIRST_SLICE } else { time };
    let (mut nodes, mut lines, mut depth) = (0, 0, None);
    loop {
        let slice_begin = Instant::now();
        let hard = slice.min(time.saturating_sub(begin.elapsed()));
        let mut sink = |info: &Info<_>| {
            // With all lines, or with as many as there were.
            if info.lines.len() >= lines {
                tell(report::<S>(&game, &name, info, nodes, begin.elapsed()));
            }
        };
        let limits = Limits { hard: Some(hard), ..limits };
        let Some(info) = engine.analyse(&game, &limits, stop, &mut sink) else {
            return Ok(resignation::<S>(&game, &name));
        };
        let found = report::<S>(&game, &name, &info, nodes, begin.elapsed());
        // An engine that needs less than its time is done, if it is no deeper than it was: of a short time, one that looks for
        // several lines may use a part only.
        let is_early = slice_begin.elapsed() < hard / 2;
        let is_done = is_early && (!is_sliced || depth.is_some_and(|depth| info.depth <= depth));
        if is_done || begin.elapsed() >= time || stop.is_requested() {
            return Ok(found);
        }
        tell(found);
        nodes += info.nodes;
        lines = info.lines.len();
        depth = Some(info.depth);
        slice *= 2;
    }
}

/// An engine that gives up.
fn resignation<S: Served>(game: &S::Game, engine: &str) -> Value {
    json!({
        "position": game.position().to_string(),
        "engine": engine,
        "side": letter::<S>(game.position().side()),
        "resigns": true,
        "lines": [],
    })
}

impl SearchParameters {
    /// What a result is known by: the position, whichever way it came about, and all that was asked for but the time. Of the
    /// past, only that counts which forbids a turn: positions that have come about twice.
    pub fn key<S: Served>(&self, catalogues: &Catalogues, game: &S::Game, lines: usize) -> String {
        let asked = SearchParameters {
            game: GameText {
                name: self.game.name.clone(),
                start: game.position().to_string(),
                turns: Vec::new(),
            },
            engine: Some(self.engine_name::<S>(catalogues).to_string()),
            lines: Some(lines),
            time: None,
            enough: None,
            // What was passed is the other side's turn, which the position says.
            threat: false,
            ..self.clone()
        };
        let twice = game.history().iter().filter(|(_, count)| *count >= 2).map(|(key, _)| key.0);
        let mut twice: Vec<u64> = twice.collect();
        twice.sort_unstable();
        let setting_up = game.setting_up().map_or(String::new(), letter::<S>);
        format!("{} {twice:x?} {setting_up}", serde_json::to_string(&asked).unwrap_or_default())
    }

    /// What was found of a position before, with as many lines as are wanted or with more.
    pub fn known<S: Served>(
        &self,
        catalogues: &Catalogues,
        game: &S::Game,
        results: &Results,
    ) -> Option<Stored> {
        let wanted = self.line_count();
        let counts = wanted..=wanted.max(MOST_KNOWN_LINES);
        let mut found = counts
            .filter_map(|lines| results.get(&self.key::<S>(catalogues, game, lines)))
            .max_by(|one, other| one.seconds.total_cmp(&other.seconds))?;
        if let Some(lines) = found.result["lines"].as_array_mut() {
            lines.truncate(wanted);
        }
        Some(found)
    }

    /// How many lines are asked for.
    pub fn line_count(&self) -> usize {
        self.lines.unwrap_or(1)
    }

    /// How long it is to be searched for, in seconds.
    pub fn wanted(&self) -> Result<f64, Refusal> {
        Ok(self.limits()?.hard.unwrap_or(USUAL_TIME).as_secs_f64())
    }

    /// The game whose position is meant: that after a pass, if a threat is asked for.
    pub fn position<S: Served>(&self) -> Result<S::Game, Refusal> {
        let game = self.game.open::<S>()?.game;
        if let Some(ended) = game.ended() {
            return Err(Refusal::new(format!("the game is over: {}", ended.sentence)));
        }
        if !self.threat {
            return Ok(game);
        }
        let passed = S::passed(game.position()).filter(|_| game.setting_up().is_none());
        let passed = passed.ok_or_else(|| Refusal::new("nobody can pass here"))?;
        let (game, _) = S::Game::begin(&passed.to_string()).map_err(Refusal::new)?;
        match game.ended() {
            Some(ended) => Err(Refusal::new(format!("after a pass, {}", ended.sentence))),
            None => Ok(game),
        }
    }

    /// When the search ends.
    pub fn limits(&self) -> Result<Limits, Refusal> {
        let time = match self.time {
            None => USUAL_TIME,
            Some(seconds) => Duration::try_from_secs_f64(seconds)
                .map_err(|_| Refusal::new("time: expected a number of seconds from 0 to 600"))?,
        };
        if self.depth == Some(0) || self.nodes == Some(0) {
            return Err(Refusal::new("depth, nodes: expected at least 1"));
        }
        Ok(Limits {
            depth: self.depth.map(Steps),
            nodes: self.nodes,
            soft: None,
            hard: Some(time.min(LONGEST)),
        })
    }

    fn engine_name<S: Served>(&self, catalogues: &Catalogues) -> &str {
        self.engine.as_deref().unwrap_or(catalogues.get::<S>().default_engine().name)
    }

    /// The memory of the engine in MiB; 0, if it needs none, or if there is no such engine.
    pub fn mebibytes<S: Served>(&self, catalogues: &Catalogues) -> Result<usize, Refusal> {
        let entry = catalogues.get::<S>().named(self.engine_name::<S>(catalogues));
        match (entry.map_or(0, |entry| entry.memory), self.memory) {
            (0, _) => Ok(0),
            (_, Some(memory)) => within("memory", memory, MOST_MEMORY),
            (usual, None) => Ok(usual.min(USUAL_MEMORY)),
        }
    }

    /// The memory of an engine whose tree is looked at, in MiB.
    pub fn tree_mebibytes(&self) -> usize {
        self.memory.unwrap_or(USUAL_TREE_MEMORY)
    }

    /// An engine whose tree is looked at while it grows: the same tree for as long as it is asked, and several lines, since for
    /// one alone it may find a win without its tree.
    pub fn tree_engine<S: Served>(
        &self,
        catalogues: &Catalogues,
    ) -> Result<(String, Configured<S::Game>), Refusal> {
        let keepers = || catalogues.get::<S>().iter().filter(|entry| entry.keeps_tree);
        let usual = || keepers().map(|entry| entry.name).next().unwrap_or_default();
        let name = self.engine.as_deref().unwrap_or_else(usual);
        let entry = keepers().find(|entry| entry.name == name).ok_or_else(|| {
            let names = workbench::listed(keepers().map(|entry| entry.name));
            Refusal::new(format!("{name} is no engine that keeps a tree; there are: {names}"))
        })?;
        let mut set = self.set.clone();
        for (parameter, value) in [("keep_tree", 1), ("early_stop", 0)] {
            if entry.parameter(parameter).is_some() {
                set.entry(parameter.to_string()).or_insert(value);
            }
        }
        let parameters = SearchParameters {
            engine: Some(name.to_string()),
            lines: Some(self.line_count().max(2)),
            memory: Some(self.tree_mebibytes()),
            set,
            ..self.clone()
        };
        parameters.engine::<S>(catalogues)
    }

    /// The engine as it is asked for, with its name.
    pub fn engine<S: Served>(
        &self,
        catalogues: &Catalogues,
    ) -> Result<(String, Configured<S::Game>), Refusal> {
        let wanted = self.engine_name::<S>(catalogues);
        // Only those of the catalogue: others are files.
        let entry = catalogues.get::<S>().named(wanted).ok_or_else(|| {
            let names = workbench::listed(catalogues.get::<S>().names());
            Refusal::new(format!("there is no engine {wanted:?}; there are: {names}"))
        })?;
        let files = self.set.keys().filter(|&name| is_file(entry, name));
        if let Some(name) = files.into_iter().next() {
            return Err(Refusal::new(format!("set {name}: files cannot be set from the page")));
        }
        let cores = available_parallelism().map_or(1, NonZero::get);
        let threads = match self.threads {
            Some(1) if refusal_of(entry, "threads").is_some() => None,
            Some(threads) => Some(within("threads", threads, cores)?),
            None => None,
        };
        let memory = match entry.memory {
            0 => None,
            _ => Some(self.mebibytes::<S>(catalogues)?),
        };
        let settings = self.set.iter().map(|(name, value)| (name.clone(), value.to_string()));
        let request = EngineRequest {
            name: entry.name.to_string(),
            preset: None,
            settings: settings.collect(),
            threads,
            memory,
            seed: Some(self.seed),
            lines: Some(within("lines", self.line_count(), MOST_LINES)?),
        };
        let resolved = request.resolve::<S>(catalogues.get::<S>());
        let mut configuration = resolved.map_err(|error| match error {
            RequestError::Setting { name, fault, .. } => {
                Refusal::new(format!("set {name}: {fault}"))
            }
            RequestError::Unavailable { option, fault } => {
                Refusal::new(format!("{option}: {fault}"))
            }
            error => Refusal::new(error.to_string()),
        })?;
        configuration.threads = configuration.threads.min(cores);
        let name = configuration.name.clone();
        let engine = configuration.build().map_err(|error| Refusal::new(error.to_string()))?;
        Ok((name, engine))
    }
}

/// Whether a parameter of an engine is a file.
fn is_file<G: Game>(entry: &EngineEntry<G>, name: &str) -> bool {
    entry.parameter(name).is_some_and(|parameter| parameter.kind == Kind::File)
}

fn within(name: &str, value: usize, most: usize) -> Result<usize, Refusal> {
    match (1..=most).contains(&value) {
        true => Ok(value),
        false => Err(Refusal::new(format!("{name}: expected a number from 1 to {most}"))),
    }
}

/// What is known of a position so far.
pub fn report<S: Served>(
    game: &S::Game,
    engine: &str,
    info: &Info<<S::Game as Game>::Action>,
    nodes_before: u64,
    time: Duration,
) -> Value {
    let side = game.position().side();
    let lines = info.lines.iter().map(|line| {
        let mut row = line_json(&written_line(game, line));
        let turn = row["turn"].as_str().unwrap_or_default();
        row["trail"] = trail::<S>(game.position(), turn).into();
        row["visits"] = json!(line.visits);
        row["chance"] = json!(line.verdict.map(|verdict| for_first(side, chance::<S>(verdict))));
        row
    });
    json!({
        "position": game.position().to_string(),
        "engine": engine,
        "side": letter::<S>(side),
        "lines": lines.collect::<Vec<Value>>(),
        "depth": info.depth.0,
        "nodes": nodes_before + info.nodes,
        "visits": info.visits,
        "hash_full": info.hash_full,
        "seconds": time.as_secs_f64(),
    })
}

/// A chance of the side to move, as one of the side that has begun.
pub fn for_first(side: Side, chance: f64) -> f64 {
    if side == Side::First { chance } else { 1.0 - chance }
}

/// What an engine plays.
pub fn move_json(report: &Value) -> Value {
    json!({
        "turn": report["lines"][0]["turn"],
        "score": report["lines"][0]["score"],
        "proof": report["lines"][0]["proof"],
        "pv": report["lines"][0]["pv"],
        "engine": report["engine"],
        "seconds": report["seconds"],
        "nodes": report["nodes"],
        "depth": report["depth"],
    })
}
