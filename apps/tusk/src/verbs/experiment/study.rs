//! How a study of a thesis is run, and how its report is told.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use arena::{GameRow, Plan};
use indicatif::ProgressBar;
use serde_json::json;
use studies::{Journal, Lab, Program, Progress, Provenance, Report, Study, program_sum};
use workbench::{Catalogues, GameName, WrongUse, listed, units};

use crate::Exit;
use crate::shared::contest::EventArguments;
use crate::shared::output::{say, standard, write_file};
use crate::shared::progress::{self, Teller};
use crate::shared::{choice, settings, signals};

/// How a study is run.
#[derive(clap::Args)]
pub struct StudyArguments {
    /// A part of the work, in minutes instead of hours
    #[arg(long)]
    quick: bool,

    /// The folder for the report, its pictures and what was found so far: a run that was interrupted goes on from there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// The seed of positions, games and random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 62))]
    seed: u64,

    /// How many games are played: the same as --set games=N
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// How many positions may be looked at for a turn: the same as --set nodes=N
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// The time for a turn or a position: the same as --set milliseconds=N
    #[arg(long, value_name = "T", value_parser = units::time)]
    time: Option<Duration>,

    /// Change a setting of the study, as often as you like; the report lists them
    #[arg(long = "set", value_name = "NAME=N", value_parser = choice::setting)]
    settings: Vec<(String, String)>,

    /// Positions to search instead of those that the study makes by self-play
    #[arg(long, value_name = "POS")]
    positions: Option<String>,

    /// A program or engine to play against, as often as you like: aei:COMMAND, getmove:COMMAND, waltz:COMMAND (for `peers`)
    #[arg(long, value_name = "ENGINE")]
    against: Vec<String>,

    #[command(flatten)]
    playing: EventArguments,
}

impl StudyArguments {
    /// What the settings are, after all that the command line says.
    fn values(&self, study: &Study) -> Result<BTreeMap<&'static str, u64>, WrongUse> {
        let milliseconds = self.time.map(|time| time.as_millis() as u64);
        let options =
            [("games", self.games), ("nodes", self.nodes), ("milliseconds", milliseconds)];
        let mut wanted: Vec<(String, String)> = Vec::new();
        for (name, value) in options {
            wanted.extend(value.map(|value| (name.to_string(), value.to_string())));
        }
        wanted.extend(self.settings.iter().cloned());
        let values = study.values(self.quick, &wanted);
        values.map_err(|fault| WrongUse(format!("--set {fault}")))
    }

    /// Where games are kept.
    fn store(&self) -> String {
        let usual = || match &self.out {
            Some(folder) => folder.join("games.sqlite").to_string_lossy().into_owned(),
            None => settings::in_force().store(),
        };
        self.playing.place.store_or(usual)
    }

    /// How much is done at a time.
    fn threads(&self) -> usize {
        let asked = self.playing.concurrency.or(settings::in_force().concurrency());
        let cores = available_parallelism().map_or(1, NonZero::get);
        asked.map_or(cores, usize::from)
    }

    /// Runs studies, one after the other.
    pub fn run(
        &self,
        studies: &[&Study],
        game: Option<GameName>,
        catalogues: &Catalogues,
    ) -> anyhow::Result<Exit> {
        // What is wrong with the command line is told before anything is written.
        for study in studies {
            self.values(study)?;
        }
        if !self.against.is_empty() && !studies.iter().any(|study| study.takes_programs()) {
            return Err(WrongUse("--against is for `tusk experiment peers`".to_string()).into());
        }
        if self.positions.is_some() && !studies.iter().any(|study| study.takes_positions()) {
            let names = listed(Study::that_take_positions());
            let advice = format!("--positions is for the studies {names}");
            return Err(WrongUse(advice).into());
        }
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        for study in studies {
            self.run_one(study, game, catalogues)?;
        }
        Ok(Exit::Done)
    }

    fn run_one(
        &self,
        study: &Study,
        game: Option<GameName>,
        catalogues: &Catalogues,
    ) -> anyhow::Result<()> {
        // A signal counts from here on.
        let stop = signals::graceful_stop();
        let values = self.values(study)?;
        let sum = program_sum()?;
        let journal = self.journal(study, &values, game, &sum)?;
        let program = Runner { playing: &self.playing, store: self.store() };
        // What engines read is beside the report, or is there for this run alone.
        let kept = tempfile::tempdir()?;
        let lab = Lab {
            catalogues,
            study,
            seed: self.seed,
            values,
            game,
            positions: self.positions.as_deref(),
            against: &self.against,
            journal,
            program: &program,
            threads: self.threads(),
            folder: self.out.as_deref().unwrap_or(kept.path()),
            program_sum: &sum,
            stop,
        };
        let begin = Instant::now();
        let report = study.run(&lab);
        if signals::received().is_some() {
            let advice = match self.out {
                Some(_) => "the same command goes on with it",
                None => "with --out FOLDER, the same command would go on with it",
            };
            return Err(anyhow!("{}: interrupted; {advice}", study.name));
        }
        self.tell(&lab, &report?, begin.elapsed())
    }

    /// The journal of the folder. What was found by another program or with other settings is not of this run.
    fn journal(
        &self,
        study: &Study,
        values: &BTreeMap<&'static str, u64>,
        game: Option<GameName>,
        program_sum: &str,
    ) -> anyhow::Result<Journal> {
        let Some(folder) = &self.out else { return Ok(Journal::in_memory()) };
        let run = json!([
            program_sum,
            self.seed,
            values,
            game.map(GameName::word),
            self.positions,
            self.against
        ]);
        Journal::open(&folder.join(format!("{}.jsonl", study.name)), run.to_string())
    }

    fn tell(&self, lab: &Lab, report: &Report, time: Duration) -> anyhow::Result<()> {
        let study = lab.study;
        let version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("TUSK_COMMIT"), ")");
        let program = format!("Tusk {version}; {}", env!("TUSK_BUILD"));
        let (command, is_quick) = (command(), self.quick);
        let made = Provenance { command: &command, program: &program, is_quick, time };
        let page = made.page(lab, report);
        if let Some(folder) = &self.out {
            for (number, svg) in report.pictures() {
                write_file(&folder.join(format!("{}-{number}.svg", study.name)), svg)?;
            }
            let path = folder.join(format!("{}.md", study.name));
            write_file(&path, &page)?;
            say!("{}: {}", study.name, path.display());
        }
        let mut out = standard();
        if self.playing.json {
            for row in report.rows(study.name) {
                writeln!(out, "{row}")?;
            }
            let summary = json!({
                "summary": true,
                "study": study.name,
                "quick": self.quick,
                "seed": self.seed,
                "settings": lab.values,
                "seconds": time.as_secs_f64(),
            });
            writeln!(out, "{summary}")?;
        } else if self.out.is_none() {
            write!(out, "{page}")?;
        }
        Ok(out.flush()?)
    }
}

/// This program, as studies use it.
struct Runner<'a> {
    playing: &'a EventArguments,
    /// Where games are kept.
    store: String,
}

impl Program for Runner<'_> {
    fn progress(&self, study: &str, what: &str, done: usize, all: usize) -> Box<dyn Progress + '_> {
        let bar = progress::bar_from(done, all, &format!("{what} ({study})"));
        let teller = Mutex::new(Teller::new(&bar));
        Box::new(Bar { teller, bar, text: format!("{study}, {what}"), all })
    }

    fn play(
        &self,
        catalogues: &Catalogues,
        name: &str,
        plan: &Plan,
    ) -> anyhow::Result<Vec<GameRow>> {
        let store = self.playing.open_at(&self.store)?;
        store.claim()?;
        let event = store.find_or_create(name, plan)?;
        self.playing.play_silently(catalogues, &store, &event)?;
        if signals::received().is_some() {
            bail!("interrupted");
        }
        Ok(store.games(&event)?.sound)
    }
}

/// A bar on a terminal, a line now and then elsewhere.
struct Bar {
    bar: ProgressBar,
    teller: Mutex<Teller>,
    text: String,
    all: usize,
}

impl Progress for Bar {
    fn tell(&self, is_new: bool) {
        if is_new {
            self.bar.inc(1);
        }
        if self.bar.is_hidden() {
            let text = format!("{}: {} of {}", self.text, self.bar.position(), self.all);
            self.teller.lock().unwrap_or_else(PoisonError::into_inner).tell(text);
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The command, as a shell takes it.
fn command() -> String {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quoted = shlex::try_join(arguments.iter().map(String::as_str));
    format!("tusk {}", quoted.unwrap_or_else(|_| arguments.join(" ")))
}
