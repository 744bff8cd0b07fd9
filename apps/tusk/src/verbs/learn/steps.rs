//! `tusk learn steps`: how likely each step is, from games.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use ::learn::steps::{PlayedGame, StepLearner, read_table};
use anyhow::{anyhow, ensure};
use serde_json::json;
use workbench::reading;

use crate::Exit;
use crate::shared::input::bytes_of;
use crate::shared::output::{standard, write_file};
use crate::shared::progress;

/// Learns how likely each step is from games, for the order of steps in alpha-beta and the prior of the tree search.
///
/// A table is tab-separated and may be gzipped. It has a column movelist with whole games, turns separated by |, or position
/// and turn or best, with game where several rows are of one game. One game in ten is left out of learning and says how well
/// steps are predicted. models/arimaa-steps.md tells how the model of the program was made.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk learn steps games.tsv.gz --out steps.model")]
pub struct Arguments {
    /// Tables of games or turns
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<String>,

    /// The file of the model
    #[arg(long, value_name = "MODEL")]
    pub(super) out: PathBuf,

    /// How often each step is learned from
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,

    /// The seed of the order in which steps are learned from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let games = read_tables(&arguments.tables)?;
    let mut learner = StepLearner::new(&games, arguments.seed);
    let [learned, held_out] = learner.steps();
    ensure!(learned > 0, "there is no step to learn from: give tables with more than one game");
    let mut out = standard();
    if !arguments.json {
        writeln!(out, "{learned} steps to learn from, {held_out} held out")?;
    }
    let bar = progress::bar(arguments.epochs as usize, "epochs");
    let begin = Instant::now();
    for epoch in 1..=arguments.epochs {
        let held = learner.run_epoch();
        let (likelihood, by_chance) = (held.log_likelihood(), held.by_chance());
        let seconds = begin.elapsed().as_secs_f64();
        let row = match arguments.json {
            true => json!({
                "epoch": epoch,
                "log_likelihood": likelihood,
                "by_chance": by_chance,
                "first": held.first(),
                "seconds": seconds,
            })
            .to_string(),
            false => format!(
                "epoch {epoch}: log likelihood {likelihood:.3} (by chance {by_chance:.3}), likeliest {:.1} %, {seconds:.1} s",
                100.0 * held.first()
            ),
        };
        bar.suspend(|| writeln!(out, "{row}"))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    write_file(&arguments.out, learner.weights().to_string())?;
    if arguments.json {
        let summary = json!({ "summary": true, "steps": learned, "held_out": held_out });
        writeln!(out, "{summary}")?;
    }
    Ok(Exit::Done)
}

/// The games of some tables. Those of each are numbered anew.
pub fn read_tables(tables: &[String]) -> anyhow::Result<Vec<PlayedGame>> {
    let mut games = Vec::new();
    for table in tables {
        let (bytes, name) = bytes_of(table)?;
        let text = reading::text_of(&bytes, "a table of games or turns")
            .map_err(|(line, fault)| anyhow!("{name}, line {line}: {fault}"))?;
        games.extend(read_table(&text).map_err(|error| anyhow!("{name}: {error}"))?);
    }
    Ok(games)
}
