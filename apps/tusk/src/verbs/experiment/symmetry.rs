//! `tusk experiment symmetry`: whether it pays to know a position of Tzaar however the board is turned.

use std::io::{BufWriter, Write};

use game::Steps;
use studies::symmetry::{Cost, Reach, symmetries};
use workbench::{GameName, Tzaar, WrongUse};

use crate::Exit;
use crate::shared::input;
use crate::shared::output::standard;
use crate::shared::refusal::refuse;

/// Searches positions of Tzaar with tables that know a position by itself, and with tables that know it however the
/// board is turned or mirrored.
///
/// Few stacks are solved by proof numbers, others are searched by alpha-beta. Beside each position stands by how many of the
/// twelve symmetries its board is like itself.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk experiment symmetry positions/tzaar/endgames.txt")]
pub struct Arguments {
    #[command(flatten)]
    input: input::Input,

    /// The depth of alpha-beta, in moves
    #[arg(long, value_name = "STEPS", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: u8,

    /// How many positions a search for a proof may enter
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    let texts = arguments.input.read(game)?;
    if texts.game != GameName::Tzaar {
        let fault = "`tusk experiment symmetry` is for Tzaar: Arimaa has one mirror and no turns";
        return Err(WrongUse(fault.to_string()).into());
    }
    let json = arguments.input.json;
    let reach = Reach { depth: Steps(arguments.depth), nodes: arguments.nodes };
    let mut out = BufWriter::new(standard());
    let (mut sums, mut refused) = ([Cost::default(); 2], 0);
    for entry in &texts.entries::<Tzaar>() {
        let position = match &entry.content {
            Ok(content) if content.game.outcome().is_none() => *content.game.position(),
            Ok(_) => continue,
            Err(error) => {
                refused += 1;
                refuse(entry, error, json, &mut out)?;
                continue;
            }
        };
        let costs = reach.search_both(&position);
        for (sum, cost) in sums.iter_mut().zip(costs) {
            *sum += cost;
        }
        let (stacks, symmetries) = (position.board().stacks(), symmetries(&position));
        row(json, &format!("{stacks} stacks, {symmetries} of 12"), costs, &mut out)?;
    }
    row(json, "all", sums, &mut out)?;
    out.flush()?;
    Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
}

fn row(
    json: bool,
    name: &str,
    [plain, turned]: [Cost; 2],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let seconds = |cost: Cost| cost.time.as_secs_f64();
    match json {
        true => writeln!(
            out,
            "{}",
            serde_json::json!({
                "position": name,
                "nodes": plain.nodes,
                "seconds": seconds(plain),
                "turned_nodes": turned.nodes,
                "turned_seconds": seconds(turned),
            })
        )?,
        false => writeln!(
            out,
            "{name:<22} {:>10} nodes in {:>7.3} s; turned {:>10} nodes in {:>7.3} s",
            plain.nodes,
            seconds(plain),
            turned.nodes,
            seconds(turned)
        )?,
    }
    Ok(())
}
