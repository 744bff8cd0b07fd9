//! `tusk experiment ordering`: how early the turn that was played comes, if turns are ordered by likelihood.

use std::io::Write;

use anyhow::{Context, ensure};
use arimaa_ai::StepPolicy;
use learn::steps::{PlayedGame, PlayedTurn, Rank, rank_turn};
use serde_json::json;

use crate::learn::read_tables;
use crate::output::standard;
use crate::{Exit, progress};

/// Ranks the turns of games among all distinct turns, by how likely their steps are.
///
/// The tables are those of `tusk learn steps`, and the games those that it leaves out: one in ten. A turn is as likely as
/// the likeliest order of its steps.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk experiment ordering games.tsv.gz --turns 200")]
pub struct Arguments {
    /// Tables of games or turns
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<String>,

    /// The model, instead of that of the program
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// Rank so many turns, evenly spread
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The shares that are asked about.
const SHARES: [f64; 3] = [0.01, 0.05, 0.20];

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let policy = match &arguments.model {
        None => StepPolicy::default(),
        Some(file) => {
            let bytes = guard::read_file(file).with_context(|| file.clone())?;
            StepPolicy::parse(&bytes).with_context(|| file.clone())?
        }
    };
    let games = read_tables(&arguments.tables)?;
    let held_out: Vec<&PlayedGame> = games.iter().filter(|game| game.is_held_out()).collect();
    let all: Vec<&PlayedTurn> = held_out.iter().flat_map(|game| &game.turns).collect();
    ensure!(!all.is_empty(), "there is no turn to rank: the games that are held out have none");
    let count = all.len().min(arguments.turns as usize);
    let bar = progress::bar(count, "turns");
    let chosen = (0..count).map(|number| all[number * all.len() / count]);
    let ranks: Vec<Rank> = chosen
        .filter_map(|turn| {
            bar.inc(1);
            rank_turn(&policy, turn)
        })
        .collect();
    bar.finish_and_clear();
    print(arguments, held_out.len(), &ranks)?;
    Ok(Exit::Done)
}

fn print(arguments: &Arguments, games: usize, ranks: &[Rank]) -> anyhow::Result<()> {
    let share = |among: f64| {
        ranks.iter().filter(|rank| rank.is_among(among)).count() as f64 / ranks.len().max(1) as f64
    };
    let distinct = ranks.iter().map(|rank| rank.turns).sum::<usize>() / ranks.len().max(1);
    let mut out = standard();
    if arguments.json {
        let [one, five, twenty] = SHARES.map(share);
        let row = json!({
            "summary": true,
            "games": games,
            "turns": ranks.len(),
            "mean_distinct_turns": distinct,
            "first_1_percent": one,
            "first_5_percent": five,
            "first_20_percent": twenty,
        });
        writeln!(out, "{row}")?;
        return Ok(());
    }
    let counted = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    };
    let (turns, games) = (counted(ranks.len(), "turn"), counted(games, "game"));
    writeln!(out, "{turns} of {games}, {distinct} distinct turns on average\n")?;
    writeln!(out, "| among the first | played turns |")?;
    writeln!(out, "| ---: | ---: |")?;
    for among in SHARES {
        writeln!(out, "| {:.0} % | {:.1} % |", 100.0 * among, 100.0 * share(among))?;
    }
    Ok(())
}
