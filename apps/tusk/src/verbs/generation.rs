//! `tusk generation`: a net that learns from nothing, one generation after the other.

mod ledger;
mod options;
mod watcher;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use engine::Engine;
use learn::generation::{FromRules, Line, Part, Settings, Step};
use serde_json::json;
use workbench::{Catalogues, EngineRequest, GameName, Playing, RequestError, WrongUse, in_game};

use self::ledger::Ledger;
use self::options::Options;
use self::watcher::Progress;
use crate::Exit;
use crate::shared::numbers::threads;
use crate::shared::output::{say, standard, write_file};

/// Lets a net learn from nothing: self-play, training and a match against the best net, again and again.
///
/// Generation 0 is a net of random weights. Each generation plays games of the best net against itself, trains a net on the
/// games of the last generations (--window), and lets it play against the best one at fixed nodes: it becomes the best
/// if it wins. Setups begin random and are learned by results. Nothing but the rules, exact tactics and the search is
/// given: no evaluation that a person wrote, no games of others, no library of setups.
///
/// DIR keeps all of it: settings.toml, journal.jsonl, the nets, the shards, ledger.md and ledger.svg; best.network is the
/// best net. The same command goes on where it was, also after it was killed. Options that were given once need not be
/// given again. An option that differs holds from the next generation that begins; --seed and --game cannot be changed.
///
/// The steps can be run on several machines, each with a copy of DIR: self-play in parts, whose shards are then copied into one DIR.
/// To make the shards of an old generation again, DIR needs the journal and the net that played them.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk generation zero --generations 10 --threads 16\n  tusk generation zero\n  tusk generation zero --step selfplay --part 2/8\n  tusk generation zero --step train\n  tusk generation zero --step gate\n  tusk generation zero --step selfplay --generation 3"
)]
pub struct Arguments {
    /// The folder of the line, which is made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    options: Options,

    /// How many threads play and train; nothing but the time depends on it [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Do only this step of the generation that is in progress
    #[arg(long, value_name = "STEP", value_enum)]
    step: Option<StepName>,

    /// With --step selfplay: play only part I of N, such as 2/8
    #[arg(long, value_name = "I/N", value_parser = part, requires = "step")]
    part: Option<Part>,

    /// With --step: do it for this generation, even if it was done before
    #[arg(long, value_name = "G", requires = "step", value_parser = clap::value_parser!(u16).range(1..))]
    generation: Option<u16>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// The steps by their names.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StepName {
    Selfplay,
    Train,
    Gate,
}

impl From<StepName> for Step {
    fn from(name: StepName) -> Step {
        match name {
            StepName::Selfplay => Step::Selfplay,
            StepName::Train => Step::Train,
            StepName::Gate => Step::Gate,
        }
    }
}

fn part(text: &str) -> Result<Part, String> {
    let numbers = text.split_once('/');
    let numbers = numbers.and_then(|(number, count)| {
        let (number, count) = (number.trim().parse().ok()?, count.trim().parse().ok()?);
        (1..=count).contains(&number).then_some(Part { number, count })
    });
    numbers.ok_or_else(|| "write a part and the number of parts, such as 2/8".to_string())
}

/// The memory of each engine: enough for the nodes of a turn, and it is cleared before each game.
const MEBIBYTES: usize = 8;

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    if arguments.part.is_some() && arguments.step != Some(StepName::Selfplay) {
        return Err(WrongUse("--part: only --step selfplay has parts".to_string()).into());
    }
    let settings = arguments.settings(game, catalogues)?;
    let game = GameName::named(&settings.game).map_err(anyhow::Error::msg)?;
    in_game!(game, S => arguments.go_on::<S>(catalogues, settings))
}

impl Arguments {
    /// The settings of the folder with what the command line changes, which is kept.
    fn settings(
        &self,
        game: Option<GameName>,
        catalogues: &Catalogues,
    ) -> anyhow::Result<Settings> {
        let path = self.folder.join("settings.toml");
        let known = options::read(&path)?;
        let settings = self.options.apply(known.clone(), game)?;
        in_game!(GameName::named(&settings.game).map_err(anyhow::Error::msg)?, S => {
            engine::<S>(catalogues, None, &settings.engine)?;
        });
        if known.as_ref() != Some(&settings) {
            fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
            write_file(&path, toml::to_string(&settings)?)?;
        }
        Ok(settings)
    }

    fn go_on<S: Playing<Game: FromRules>>(
        &self,
        catalogues: &Catalogues,
        settings: Settings,
    ) -> anyhow::Result<Exit> {
        let wanted = settings.generations;
        let make = |net: &Path, set: &[String]| {
            let engine =
                engine::<S>(catalogues, Some(net), set).map_err(|error| format!("{error:#}"))?;
            Ok(engine)
        };
        let part = self.part.unwrap_or(Part::WHOLE);
        let threads = threads(self.threads);
        let sum = MEBIBYTES.saturating_mul(2 * threads);
        guard::check_memory(sum).map_err(|error| WrongUse(error.to_string()))?;
        let mut line =
            Line::<S::Game>::open(&self.folder, settings, &make, threads, self.part.is_some())?;
        let mut progress = Progress::new(self.json);
        if let Some(step) = self.step {
            let generation = self.generation.unwrap_or_else(|| line.current());
            line.run(generation, step.into(), part, &mut progress)?;
        } else {
            while line.current() <= wanted
                && let Some(step) = line.next_step(line.current())
            {
                let generation = line.current();
                line.run(generation, step, part, &mut progress)?;
                self.record(&line, (step == Step::Gate).then_some(generation))?;
            }
        }
        drop(progress);
        if self.part.is_none() {
            self.record(&line, None)?;
        }
        self.conclude(&Ledger::new(line.journal()))?;
        Ok(Exit::Done)
    }

    /// Writes the ledger, and prints the row of a generation that is done.
    fn record<G: FromRules>(&self, line: &Line<G>, done: Option<u16>) -> anyhow::Result<()> {
        let ledger = Ledger::new(line.journal());
        write_file(&self.folder.join("ledger.md"), ledger.markdown())?;
        write_file(&self.folder.join("ledger.svg"), ledger.svg())?;
        let row = done.and_then(|generation| ledger.row(generation));
        if let Some(row) = row.filter(|_| !self.json) {
            writeln!(standard(), "{}", row.sentence())?;
        }
        Ok(())
    }

    fn conclude(&self, ledger: &Ledger) -> anyhow::Result<()> {
        let mut out = standard();
        if self.json {
            for row in ledger.rows() {
                writeln!(out, "{}", row.json())?;
            }
            let (generations, best) = (ledger.done(), ledger.best());
            writeln!(
                out,
                "{}",
                json!({"summary": true, "generations": generations, "best": best})
            )?;
        } else if self.part.is_none() {
            say!("{}", self.folder.join("ledger.md").display());
        }
        Ok(())
    }
}

/// Parameters that a net from the rules alone must not have, and the reason.
const REFUSED: [(&str, &str); 5] = [
    ("network", "the net is what is learned"),
    (
        "model",
        "the weights of an evaluation by hand are not given to a net that learns from nothing",
    ),
    ("learned_ordering", "what was learned from games of others is not given"),
    ("learned_pruning", "what was learned from games of others is not given"),
    ("threads", "each game has one thread; --threads says how many games are played at a time"),
];

/// The engine with a net and settings. Without a net, it is only tried whether the settings are right.
fn engine<S: Playing>(
    catalogues: &Catalogues,
    net: Option<&Path>,
    settings: &[String],
) -> anyhow::Result<Box<dyn Engine<S::Game>>> {
    let mut request = EngineRequest::new("tusk");
    (request.threads, request.memory) = (Some(1), Some(MEBIBYTES));
    let mut words: Vec<(&str, &str)> = Vec::new();
    for setting in settings {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            return Err(WrongUse(format!("--set {setting}: {why}")).into());
        }
        words.push((name, value));
    }
    let net = net.map(Path::to_string_lossy);
    words.extend(net.as_deref().map(|path| ("network", path)));
    let wrong = |error: RequestError| WrongUse(format!("--set {error}"));
    for (name, value) in words {
        request.add(name, value).map_err(wrong)?;
    }
    let configuration = request.resolve::<S>(catalogues.get::<S>()).map_err(wrong)?;
    let engine = configuration.build()?;
    Ok(Box::new(engine))
}
