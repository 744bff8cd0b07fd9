//! What a study works with: settings, results that are kept, threads, and matches by the arena.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{anyhow, bail};
use arena::{
    Adjudication, Contestant, Format, GameRow, Plan, ScoredGame, Tally, TimeSettings, Unfinished,
    openings_for,
};
use clock::TimeControl;
use engine::Stop;
use guard::share_work;
use linear::fnv1a;
use serde::Serialize;
use serde::de::DeserializeOwned;
use workbench::{Catalogues, GameName, Playing, WrongUse, host};

use crate::journal::Journal;
use crate::study::Study;

/// What a study asks of the program that runs it.
pub trait Program: Sync {
    /// Begins to show how far a part of a study has come: how many pieces of work there are, and how many of them were
    /// done before.
    fn progress(&self, study: &str, what: &str, done: usize, all: usize) -> Box<dyn Progress + '_>;

    /// The games of an event of that name and plan between engines of these catalogues, of which those that are missing are played. An error if a signal came in
    /// between.
    fn play(
        &self,
        catalogues: &Catalogues,
        name: &str,
        plan: &Plan,
    ) -> anyhow::Result<Vec<GameRow>>;
}

/// How far a part of a study has come.
pub trait Progress: Sync {
    /// A piece of work is done, perhaps before this run.
    fn tell(&self, is_new: bool);

    /// All of it is done, or given up.
    fn finish(&self);
}

/// Where a study is run.
pub struct Lab<'a> {
    /// The engines that take part.
    pub catalogues: &'a Catalogues,
    /// Which study.
    pub study: &'a Study,
    /// The seed of positions, games and random choices.
    pub seed: u64,
    /// Its settings, by their names.
    pub values: BTreeMap<&'static str, u64>,
    /// The one game that is asked for, if it is one.
    pub game: Option<GameName>,
    /// Where positions come from, if not from self-play.
    pub positions: Option<&'a str>,
    /// Programs to play against.
    pub against: &'a [String],
    /// What was found before.
    pub journal: Journal,
    /// What plays games and shows how far the work has come.
    pub program: &'a dyn Program,
    /// How much is done at a time.
    pub threads: usize,
    /// Where files that an engine reads are kept.
    pub folder: &'a Path,
    /// A sum over the program: games of another one are not of this run.
    pub program_sum: &'a str,
    /// Ends the run.
    pub stop: Stop,
}

impl Lab<'_> {
    /// A setting of the study.
    pub fn number(&self, name: &str) -> u64 {
        debug_assert!(self.values.contains_key(name), "{name}");
        self.values.get(name).copied().unwrap_or_default()
    }

    /// The same, for counts.
    pub fn count(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    /// Whether a game is asked for, or none in particular.
    pub fn wants(&self, game: GameName) -> bool {
        self.game.is_none_or(|wanted| wanted == game)
    }

    /// Does something for each item, on several threads, and keeps what came of it under the item's key; what was kept
    /// before is not done again. The results are in the order of the items.
    ///
    /// The work must depend on its item alone, so that it comes out the same on every number of threads.
    pub fn each<I, T>(
        &self,
        what: &str,
        items: &[I],
        key: impl Fn(&I) -> String + Sync,
        work: impl Fn(&I) -> anyhow::Result<T> + Sync,
    ) -> anyhow::Result<Vec<T>>
    where
        I: Sync,
        T: Serialize + DeserializeOwned + Send,
    {
        let keys: Vec<String> = items.iter().map(|item| format!("{what}: {}", key(item))).collect();
        let known = keys.iter().filter(|key| self.journal.find(key).is_some()).count();
        let progress = self.program.progress(self.study.name, what, known, items.len());
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<Option<T>>> = Mutex::new(items.iter().map(|_| None).collect());
        let worker = || -> anyhow::Result<()> {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return Ok(()) };
                let (result, is_new) = self.recall(&keys[index], || work(item))?;
                if let Ok(mut results) = results.lock() {
                    results[index] = Some(result);
                }
                progress.tell(is_new);
            }
        };
        let fault = Mutex::new(None);
        share_work("study", self.threads.min(items.len()), || {
            if let (Err(error), Ok(mut fault)) = (worker(), fault.lock()) {
                fault.get_or_insert(error);
            }
        });
        progress.finish();
        fault.into_inner().ok().flatten().map_or(Ok(()), Err)?;
        let results = results.into_inner().unwrap_or_default();
        results
            .into_iter()
            .map(|result| result.ok_or_else(|| anyhow!("{what}: not done")))
            .collect()
    }

    /// What was kept under a key, else what the work brings; and whether it had to be done.
    fn recall<T: Serialize + DeserializeOwned>(
        &self,
        key: &str,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<(T, bool)> {
        if let Some(value) = self.journal.find(key) {
            return Ok((serde_json::from_value(value)?, false));
        }
        self.go_on()?;
        let result = work()?;
        // What a signal has cut short is no result.
        self.go_on()?;
        self.journal.keep(key, serde_json::to_value(&result)?)?;
        Ok((result, true))
    }

    /// Fails if the run is to end.
    fn go_on(&self) -> anyhow::Result<()> {
        if self.stop.is_requested() {
            bail!("interrupted");
        }
        Ok(())
    }

    /// The results of a match, from the store or by playing what is missing of it.
    pub fn play_match<S: Playing>(&self, contest: &Contest) -> anyhow::Result<Played> {
        let catalogues = contest.catalogues.unwrap_or(self.catalogues);
        let contestants: Vec<Contestant> = contest
            .engines
            .iter()
            .map(|(name, text)| contestant::<S>(catalogues, name, text))
            .collect::<Result<_, _>>()?;
        let count = openings_for(contest.games);
        let openings = match contest.openings {
            Some(given) => given.iter().take(count).cloned().collect(),
            None => {
                let usual = S::openings(S::OPENINGS).map_err(WrongUse)?;
                usual.make(count, self.seed, &|| ())?
            }
        };
        let plan = Plan {
            game: S::NAME.word().to_string(),
            contestants,
            format: contest.format,
            games: contest.games,
            openings,
            time: contest.limit.settings(),
            adjudication: Adjudication { turns: contest.turns, ..Adjudication::default() },
            sprt: None,
            unfinished: contest.unfinished,
            seed: self.seed,
        };
        // Games of another program or another plan are not of this run.
        let run =
            fnv1a(format!("{} {}", self.program_sum, serde_json::to_string(&plan)?).as_bytes());
        let name = format!(
            "experiment {}: {} ({}), {} games, {}, seed {}, run {run:016x}",
            self.study.name,
            contest.name,
            S::NAME.word(),
            contest.games,
            contest.limit.words(),
            self.seed
        );
        self.go_on()?;
        let games = self.program.play(catalogues, &name, &plan)?;
        Ok(Played { plan, games })
    }
}

/// Who plays whom, and how.
pub struct Contest<'a> {
    pub name: &'a str,
    /// A name, and the engine as `tusk match` takes it.
    pub engines: &'a [(String, String)],
    pub format: Format,
    /// How many games two play.
    pub games: u32,
    pub limit: TurnLimit,
    /// The engines to choose from, if not those of the lab.
    pub catalogues: Option<&'a Catalogues>,
    /// From where, if not from where matches usually begin.
    pub openings: Option<&'a [String]>,
    /// After how many turns of each side nobody has won, if the rules do not decide before.
    pub turns: Option<u32>,
    /// What a game without a winner counts.
    pub unfinished: Unfinished,
}

impl<'a> Contest<'a> {
    /// A match or tournament as they usually are.
    pub fn new(
        name: &'a str,
        engines: &'a [(String, String)],
        games: u64,
        limit: TurnLimit,
    ) -> Contest<'a> {
        Contest {
            name,
            engines,
            format: Format::RoundRobin,
            games: games as u32,
            limit,
            catalogues: None,
            openings: None,
            turns: None,
            unfinished: Unfinished::Half,
        }
    }
}

/// How late an answer may come. Engines of our own keep their time, but other work may keep them from their core; WALTZ was
/// seen to take 8 s for a turn of one.
const MARGIN: Duration = Duration::from_secs(10);

/// How long a turn may be thought about.
#[derive(Clone, Copy)]
pub enum TurnLimit {
    Nodes(u64),
    Milliseconds(u64),
}

impl TurnLimit {
    fn settings(self) -> TimeSettings {
        let none = TimeSettings::default();
        match self {
            TurnLimit::Nodes(nodes) => TimeSettings { nodes: Some(nodes), ..none },
            TurnLimit::Milliseconds(time) => {
                let control = Some(TimeControl::per_turn(Duration::from_millis(time)));
                TimeSettings { control, margin: MARGIN, ..none }
            }
        }
    }

    /// For people.
    pub fn words(self) -> String {
        match self {
            TurnLimit::Nodes(nodes) => format!("{nodes} nodes a turn"),
            TurnLimit::Milliseconds(time) => format!("{} s a turn", time as f64 / 1000.0),
        }
    }
}

/// The games of a match.
pub struct Played {
    pub plan: Plan,
    pub games: Vec<GameRow>,
}

impl Played {
    pub fn scores(&self) -> Vec<ScoredGame> {
        self.games.iter().filter_map(GameRow::score).collect()
    }

    /// How the first of two has done.
    pub fn tally(&self) -> Tally {
        arena::HeadToHead::of(&self.scores(), (0, 1)).tally
    }
}

fn contestant<S: Playing>(
    catalogues: &Catalogues,
    name: &str,
    text: &str,
) -> Result<Contestant, WrongUse> {
    let engine = host::read_spec::<S>(catalogues.get::<S>(), text).map_err(WrongUse)?;
    Ok(Contestant { name: name.to_string(), engine, options: BTreeMap::new() })
}
