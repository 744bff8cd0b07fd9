//! `tusk experiment ordering`: how early the turn that was played comes, if turns are ordered by likelihood.

use std::cell::OnceCell;
use std::io::Write;

use anyhow::Context;
use arimaa_ai::StepPolicy;
use indicatif::ProgressBar;
use serde_json::json;
use studies::ordering::Ranking;

use crate::Exit;
use crate::shared::output::standard;
use crate::shared::progress;
use crate::verbs::learn::read_tables;

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
    let bar = OnceCell::new();
    let begin = |count: usize| {
        let _ = bar.set(progress::bar(count, "turns"));
    };
    let told = || bar.get().into_iter().for_each(|bar| bar.inc(1));
    let ranking = Ranking::new(&policy, &games, arguments.turns as usize, begin, told)?;
    bar.get().into_iter().for_each(ProgressBar::finish_and_clear);
    print(arguments, &ranking)?;
    Ok(Exit::Done)
}

fn print(arguments: &Arguments, ranking: &Ranking) -> anyhow::Result<()> {
    let distinct = ranking.distinct();
    let mut out = standard();
    if arguments.json {
        let [one, five, twenty] = SHARES.map(|share| ranking.share_among(share));
        let row = json!({
            "summary": true,
            "games": ranking.games,
            "turns": ranking.turns(),
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
    let (turns, games) = (counted(ranking.turns(), "turn"), counted(ranking.games, "game"));
    writeln!(out, "{turns} of {games}, {distinct} distinct turns on average\n")?;
    writeln!(out, "| among the first | played turns |")?;
    writeln!(out, "| ---: | ---: |")?;
    for among in SHARES {
        let share = 100.0 * ranking.share_among(among);
        writeln!(out, "| {:.0} % | {share:.1} % |", 100.0 * among)?;
    }
    Ok(())
}
