//! `tusk learn td`: weights of Tusk's own evaluation by playing against itself.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use ::learn::td::{CurvePoint, TdLearner, TdSettings};
use anyhow::{Context, bail, ensure};
use arimaa_ai::evaluation::FEATURES;
use guard::read_file;
use linear::Weights;
use plot::{Plot, Series};
use serde_json::json;

use crate::Exit;
use crate::shared::checkpoint::{checkpoint_of, read_checkpoint};
use crate::shared::numbers::{positive, share, threads};
use crate::shared::output::{standard, write_file};
use crate::shared::progress;

/// Learns the weights of Tusk's own evaluation by playing against itself: TDLeaf(λ), or TD(λ) with --root.
///
/// Each value of a game is moved towards the values after it, and the last one towards the result. At intervals, the weights play
/// those at the start, with paired openings: the curve of learning. MODEL.checkpoint keeps what --resume needs. docs/learning.md
/// tells more.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk learn td --out td.model --games 5000 --plot td.svg\n  tusk learn td --out td.model --from models/arimaa-evaluation.model --rate 1"
)]
pub struct Arguments {
    /// The file of the model
    #[arg(long, value_name = "MODEL")]
    pub(super) out: PathBuf,

    /// Begin with the weights of this model, instead of material alone
    #[arg(long, value_name = "MODEL", conflicts_with = "resume")]
    from: Option<PathBuf>,

    /// How many games to learn from
    #[arg(long, value_name = "N", default_value_t = 3200, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// How many games are played with the same weights
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// How many nodes a turn is searched
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How much of an error is passed on to the position before, from 0 to 1
    #[arg(long, value_name = "L", default_value_t = 0.7, value_parser = share::<f32>)]
    lambda: f32,

    /// The first change of a weight, in points of the evaluation
    #[arg(long, value_name = "POINTS", default_value_t = 4.0, value_parser = positive::<f32>)]
    rate: f32,

    /// The chance that a turn is random, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.1, value_parser = share::<f32>)]
    explore: f32,

    /// Learn from the positions themselves, not from the leaves of their principal variations
    #[arg(long)]
    root: bool,

    /// Begin all games at the same opening
    #[arg(long)]
    one_opening: bool,

    /// After how many games the weights play those at the start
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,

    /// How many games they play then; each opening is played twice
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    match_games: u32,

    /// How many games are played at a time; the weights do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// The seed of all choices by chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Write the curve of learning as an SVG image
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Go on where MODEL.checkpoint is, with its settings; --games may be more
    #[arg(long)]
    resume: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let threads = threads(arguments.threads);
    let mut learner = arguments.learner()?;
    let bar = progress::bar_from(learner.games, learner.settings.games, "games");
    let begin = Instant::now();
    let mut out = standard();
    if !arguments.json && learner.curve.is_empty() {
        writeln!(out, "|  games | score against the start |   error |")?;
        writeln!(out, "| -----: | ----------------------: | ------: |")?;
    }
    let every = arguments.every as usize;
    while learner.games < learner.settings.games {
        let before = learner.games;
        let error = learner.run_batch(threads);
        bar.set_position(learner.games as u64);
        bar.set_message(format!("error {:.4}", error.sqrt()));
        if before / every < learner.games / every || learner.games == learner.settings.games {
            let point = learner.measure(arguments.match_games.div_ceil(2) as usize, threads);
            arguments.write(&learner)?;
            let row = arguments.row(&point, begin.elapsed().as_secs_f64());
            bar.suspend(|| writeln!(out, "{row}"))?;
        }
    }
    bar.finish_and_clear();
    if arguments.json {
        let last = learner.curve.last();
        let summary = json!({
            "summary": true,
            "games": learner.games,
            "score": last.map(|point| point.score),
            "error": last.map(|point| point.error),
            "seconds": begin.elapsed().as_secs_f64(),
        });
        writeln!(out, "{summary}")?;
    }
    Ok(Exit::Done)
}

impl Arguments {
    /// A learner that begins, or goes on.
    fn learner(&self) -> anyhow::Result<TdLearner> {
        if self.resume {
            let path = checkpoint_of(&self.out);
            let mut learner: TdLearner = read_checkpoint(&path)?;
            ensure!(learner.is_sound(), "{} is of another version", path.display());
            learner.settings.games = learner.settings.games.max(self.games as usize);
            return Ok(learner);
        }
        let start = match &self.from {
            None => TdLearner::material(),
            Some(path) => {
                let bytes = read_file(path).with_context(|| path.display().to_string())?;
                Weights::parse(&FEATURES, &bytes).with_context(|| path.display().to_string())?
            }
        };
        if self.one_opening && self.explore == 0.0 && self.games > self.batch {
            crate::shared::output::tell_error(
                "warning: nothing is left to chance: the games of a batch are all the same",
            );
        }
        if self.every < self.batch {
            bail!("--every {} is less than a batch of {} games", self.every, self.batch);
        }
        let settings = TdSettings {
            games: self.games as usize,
            batch: self.batch as usize,
            lambda: self.lambda,
            rate: self.rate,
            explore: f64::from(self.explore),
            nodes: self.nodes,
            leaf: !self.root,
            one_opening: self.one_opening,
            seed: self.seed,
        };
        Ok(TdLearner::new(settings, &start))
    }

    /// Writes the model, the checkpoint and the plot, each whole or not at all.
    fn write(&self, learner: &TdLearner) -> anyhow::Result<()> {
        write_file(&self.out, learner.weights().to_string())?;
        write_file(&checkpoint_of(&self.out), serde_json::to_string(learner)?)?;
        match &self.plot {
            Some(path) => write_file(path, plot(learner)),
            None => Ok(()),
        }
    }

    fn row(&self, point: &CurvePoint, seconds: f64) -> String {
        let CurvePoint { games, score, error } = *point;
        if self.json {
            let row = json!({ "games": games, "score": score, "error": error, "seconds": seconds });
            return row.to_string();
        }
        let [score, error] = [score, error].map(|share| format!("{:.1} %", 100.0 * share));
        format!("| {games:>6} | {score:>23} | {error:>7} |")
    }
}

/// The curve of learning with its error, as an image.
fn plot(learner: &TdLearner) -> String {
    let line =
        |name: &str, errors: f64| Series {
            name: name.to_string(),
            points: std::iter::once((0.0, 50.0))
                .chain(learner.curve.iter().map(|point| {
                    (point.games as f64, 100.0 * (point.score + errors * point.error))
                }))
                .collect(),
            is_dashed: errors != 0.0,
        };
    let method = if learner.settings.leaf { "TDLeaf(λ)" } else { "TD(λ)" };
    let plot = Plot {
        title: &format!("{method}: learned weights against those at the start"),
        axes: ["games learned from", "score, %"],
        series: vec![
            line("score", 0.0),
            line("two standard errors above", 2.0),
            line("and below", -2.0),
        ],
        ..Plot::default()
    };
    plot.svg()
}
