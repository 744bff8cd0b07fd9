//! `tusk learn rank`: how models rank the turns that were played.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use hrebejk_2013::judge::{OTHERS, RANKED, judge};
use serde_json::json;

use super::{data, read_model};
use crate::Exit;
use crate::shared::output::standard;

/// Tells how models rank the turns that were played in games, among turns by chance
#[derive(clap::Args)]
pub struct Arguments {
    /// Models, as the other methods write them
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,

    /// Games, as for the other methods; those that validate there are ranked
    #[arg(long, required = true, value_name = "FILE")]
    games: Vec<String>,

    /// How many turns are ranked
    #[arg(long, value_name = "N", default_value_t = RANKED as u32, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,

    /// Among how many others
    #[arg(long, value_name = "N", default_value_t = OTHERS as u32, value_parser = clap::value_parser!(u32).range(1..))]
    others: u32,

    /// The seed of all choices by chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let games = data::validating_games(&arguments.games)?;
    if games.is_empty() {
        bail!("none of the games validates: one in twenty does, give more of them");
    }
    let (turns, others) = (arguments.turns as usize, arguments.others as usize);
    let mut out = standard();
    for path in &arguments.models {
        let ranks = judge(&read_model(path)?, &games, turns, others, arguments.seed);
        let name = path.display();
        if arguments.json {
            let row = json!({ "model": name.to_string(), "ranks": ranks });
            writeln!(out, "{row}")?;
            continue;
        }
        let percent = |share: f64| 100.0 * share;
        writeln!(
            out,
            "{name}: better than {:.1} % of the others; among the best 1 % in {:.1} %, 5 % in {:.1} %, 20 % in {:.1} % of {} turns",
            percent(ranks.better_than),
            percent(ranks.among_1),
            percent(ranks.among_5),
            percent(ranks.among_20),
            ranks.turns
        )?;
    }
    Ok(Exit::Done)
}
