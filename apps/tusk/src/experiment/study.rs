//! A study of a thesis: what it regenerates, its settings, and how it is run and told.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use flate2::Crc;
use jiff::Timestamp;
use serde_json::json;
use workbench::{Catalogues, GameName, WrongUse, listed, units};

use super::journal::Journal;
use super::lab::Lab;
use super::peers;
use super::report::Report;
use crate::contest::EventArguments;
use crate::output::{say, standard, write_file};
use crate::{Exit, choice, config, signals};

/// A study by its name.
pub struct Study {
    pub name: &'static str,
    /// What is studied, in a line.
    pub title: &'static str,
    /// Which tables and figures of which theses it regenerates.
    pub regenerates: &'static str,
    pub settings: &'static [Setting],
    pub run: fn(&Lab) -> anyhow::Result<Report>,
}

/// How much of something a study does.
pub struct Setting {
    pub name: &'static str,
    /// With --quick.
    pub quick: u64,
    /// Without: mostly as much as in the thesis.
    pub full: u64,
    /// The least that makes sense; tests run with it.
    pub least: u64,
    pub about: &'static str,
}

/// How strong the games are that positions of a study come from.
pub const NODES_OF_GAMES: Setting = Setting {
    name: "nodes",
    quick: 1_000,
    full: 3_000,
    least: 100,
    about: "nodes for a turn of the games that the positions are from",
};

/// The studies that search the positions of --positions.
const TAKE_POSITIONS: [&str; 4] = [
    super::alphabeta_tzaar::STUDY.name,
    super::dfpn_tzaar::STUDY.name,
    super::pns_arimaa::STUDY.name,
    super::mobility::STUDY.name,
];

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
        let usual = |setting: &Setting| if self.quick { setting.quick } else { setting.full };
        let mut values: BTreeMap<&'static str, u64> =
            study.settings.iter().map(|setting| (setting.name, usual(setting))).collect();
        let milliseconds = self.time.map(|time| time.as_millis() as u64);
        let options =
            [("games", self.games), ("nodes", self.nodes), ("milliseconds", milliseconds)];
        let mut wanted: Vec<(String, String)> = Vec::new();
        for (name, value) in options {
            wanted.extend(value.map(|value| (name.to_string(), value.to_string())));
        }
        wanted.extend(self.settings.iter().cloned());
        for (name, value) in wanted {
            let refuse = |fault: String| WrongUse(format!("--set {name}={value}: {fault}"));
            let Some(setting) = study.settings.iter().find(|setting| setting.name == name) else {
                let names = listed(study.settings.iter().map(|setting| setting.name));
                return Err(refuse(format!(
                    "{} has no such setting; there are: {names}",
                    study.name
                )));
            };
            let number = value.parse().ok().filter(|&number: &u64| number >= setting.least);
            let number = number.ok_or_else(|| {
                refuse(format!("expected a whole number from {} on", setting.least))
            })?;
            values.insert(setting.name, number);
        }
        Ok(values)
    }

    /// Where games are kept.
    fn store(&self) -> String {
        let usual = || match &self.out {
            Some(folder) => folder.join("games.sqlite").to_string_lossy().into_owned(),
            None => config::settings().store(),
        };
        self.playing.place.store_or(usual)
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
        if !self.against.is_empty() && studies.iter().all(|study| study.name != peers::STUDY.name) {
            return Err(WrongUse("--against is for `tusk experiment peers`".to_string()).into());
        }
        let takes_positions = |study: &&Study| TAKE_POSITIONS.contains(&study.name);
        if self.positions.is_some() && !studies.iter().any(takes_positions) {
            let advice =
                format!("--positions is for the studies {}", listed(TAKE_POSITIONS.into_iter()));
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
        let program = program_sum()?;
        let journal = self.journal(study, &values, game, &program)?;
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
            playing: &self.playing,
            store: self.store(),
            folder: self.out.as_deref().unwrap_or(kept.path()),
            program: &program,
            stop,
        };
        let begin = Instant::now();
        let report = (study.run)(&lab);
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
        program: &str,
    ) -> anyhow::Result<Journal> {
        let Some(folder) = &self.out else { return Ok(Journal::in_memory()) };
        let run = json!([
            program,
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
        let page = self.page(lab, report, time);
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

    /// The report as a page.
    fn page(&self, lab: &Lab, report: &Report, time: Duration) -> String {
        let Study { name, title, regenerates, settings, .. } = lab.study;
        let mut page = format!("# {title}\n\nRegenerates: {regenerates}.\n");
        if self.quick {
            page +=
                "\nThis is a quick run: fewer and shorter searches and games than in the theses.\n";
        }
        page += &format!("\n{}## How it was made\n\n", report.markdown(name));
        page += &format!("```text\n{}\n```\n\n", command());
        let version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("TUSK_COMMIT"), ")");
        let facts = [
            ("program", format!("Tusk {version}; {}", env!("TUSK_BUILD"))),
            ("machine", machine()),
            ("seed", self.seed.to_string()),
            ("date", Timestamp::now().strftime("%Y-%m-%d").to_string()),
            (
                "last run",
                format!(
                    "{:.0} s; what was found before an interruption is not counted",
                    time.as_secs_f64()
                ),
            ),
        ];
        page += "| | |\n| :--- | :--- |\n";
        for (what, value) in facts {
            page += &format!("| {what} | {value} |\n");
        }
        for Setting { name, about, .. } in *settings {
            page += &format!("| `{name}` | {}: {about} |\n", lab.number(name));
        }
        page
    }
}

/// A sum over the program: another one may find something else.
fn program_sum() -> anyhow::Result<String> {
    let program = std::env::current_exe().and_then(fs::read).context("the program itself")?;
    let mut sum = Crc::new();
    sum.update(&program);
    Ok(format!("{:08x}", sum.sum()))
}

/// The command, as a shell takes it.
fn command() -> String {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quoted = shlex::try_join(arguments.iter().map(String::as_str));
    format!("tusk {}", quoted.unwrap_or_else(|_| arguments.join(" ")))
}

/// The processor and its cores, where the system tells.
fn machine() -> String {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unknown processor", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores; {}", std::env::consts::OS)
}
