//! `tusk experiment pruning`: whether what a search leaves out costs anything.

use std::fmt::Display;
use std::io::{BufWriter, Write};

use game::{Game, Steps};
use serde_json::json;
use studies::pruning::{Comparison, Pair};
use workbench::reading::Entries;
use workbench::{Catalogues, GameName, Playing, Reading, in_game};

use crate::Exit;
use crate::shared::output::standard;
use crate::shared::refusal::refuse;
use crate::shared::{input, progress};

/// Searches positions to a depth with and without what prunes (late move reductions, futility, null move), and lets a deeper search judge the turns that both choose.
///
/// The judge searches the position after each turn to a depth of its own, with pruning; what it finds is told for
/// the side that has played the turn, a proof as 2000 points.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  tusk experiment pruning positions/tzaar/game.txt --depth 4 --judge 5"
)]
pub struct Arguments {
    #[command(flatten)]
    input: input::Input,

    /// The depth to search to, in steps
    #[arg(long, value_name = "STEPS", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: u8,

    /// The depth to which the judge searches after the turn, in steps
    #[arg(long, value_name = "STEPS", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=100))]
    judge: u8,
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    let texts = arguments.input.read(game)?;
    in_game!(texts.game, S => compare::<S>(catalogues, arguments, &texts.entries()))
}

fn compare<S: Reading + Playing>(
    catalogues: &Catalogues,
    arguments: &Arguments,
    entries: &Entries<S>,
) -> anyhow::Result<Exit> {
    let json = arguments.input.json;
    let (depth, judge) = (Steps(arguments.depth), Steps(arguments.judge));
    let mut comparison = Comparison::<S>::new(catalogues, depth, judge)?;
    let mut out = BufWriter::new(standard());
    let mut refused = 0;
    let progress = progress::bar(entries.len(), "positions");
    for entry in entries {
        let game = match &entry.content {
            Ok(content) if content.game.ended().is_none() => &content.game,
            Ok(_) => {
                progress.inc(1);
                continue;
            }
            Err(error) => {
                refused += 1;
                progress.suspend(|| refuse(entry, error, json, &mut out))?;
                continue;
            }
        };
        let Some(pair) = comparison.add(game)? else { continue };
        progress.suspend(|| print_pair(&pair, game.position(), json, &mut out))?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    print_all(&comparison, refused, json, &mut out)?;
    out.flush()?;
    Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
}

fn print_pair(
    pair: &Pair,
    position: &impl Display,
    json: bool,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let Pair { turns: [one, other], scores } = pair;
    let difference = pair.difference();
    if json {
        let row = json!({
            "position": position.to_string(),
            "pruned": { "turn": one, "score": scores[0] },
            "full": { "turn": other, "score": scores[1] },
            "difference": difference,
        });
        return writeln!(out, "{row}");
    }
    let [first, second] = scores;
    writeln!(out, "{one:<28} {first:>+6}   {other:<28} {second:>+6}   {difference:>+6}")
}

fn print_all<S: Playing>(
    comparison: &Comparison<S>,
    refused: usize,
    json: bool,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let Comparison { pruned, full, differences, .. } = comparison;
    let (mean, error) = comparison.mean_and_error();
    if json {
        let summary = json!({
            "summary": true,
            "positions": differences.len(),
            "pruned": { "nodes": pruned.nodes, "seconds": pruned.time.as_secs_f64() },
            "full": { "nodes": full.nodes, "seconds": full.time.as_secs_f64() },
            "difference": mean,
            "error": error,
            "refused": refused,
        });
        return writeln!(out, "{summary}");
    }
    for (name, total) in [("pruned", pruned), ("in full", full)] {
        let seconds = total.time.as_secs_f64();
        writeln!(out, "{name:<8} {:>12} nodes in {seconds:.2} s", total.nodes)?;
    }
    writeln!(out, "the turns of the pruned search are better by {mean:+.1} ± {error:.1} points")
}
