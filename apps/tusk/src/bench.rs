//! `tusk bench`: fixed work, a signature that is the same on every machine, and the speed.

use std::io::Write;

use benchmark::Part;
use serde_json::json;
use workbench::{Catalogues, GameName};

use crate::Exit;
use crate::output::standard;

/// Does fixed work: a signature that is the same on every machine, and the speed of each part.
///
/// With --game, only that of one game.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk bench --json")]
pub struct Arguments {
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    let parts = benchmark::parts(game, catalogues)?;
    let mut out = standard();
    for part in &parts {
        print(part, arguments.json, &mut out)?;
    }
    let counted = || parts.iter().filter(|part| part.is_counted);
    let nodes: u64 = counted().map(|part| part.nodes).sum();
    let seconds: f64 = counted().map(|part| part.time.as_secs_f64()).sum();
    let signature = format!("{:016x}", benchmark::signature(&parts));
    if arguments.json {
        let summary = json!({
            "summary": true,
            "signature": signature,
            "nodes": nodes,
            "seconds": seconds,
            "nodes_per_second": nodes as f64 / seconds,
        });
        writeln!(out, "{summary}")?;
    } else {
        writeln!(out, "signature {signature}, {nodes} nodes in {seconds:.3} s")?;
    }
    Ok(Exit::Done)
}

fn print(part: &Part, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let seconds = part.time.as_secs_f64();
    let rate = part.nodes as f64 / seconds;
    if json {
        let row = json!({
            "part": part.name,
            "nodes": part.nodes,
            "seconds": seconds,
            "nodes_per_second": rate,
            "signature": format!("{:016x}", part.signature),
        });
        writeln!(out, "{row}")?;
    } else {
        let (name, unit, nodes) = (part.name, part.unit, part.nodes);
        let rate = match rate < 1e6 {
            true => format!("{:.0} thousand", rate / 1e3),
            false => format!("{:.1} million", rate / 1e6),
        };
        writeln!(out, "{name:<17}{nodes:>11} {unit} in {seconds:.3} s, {rate} a second")?;
    }
    Ok(())
}
