//! `tusk bench`: fixed work, a signature that is the same on every machine, and the speed.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Context;
use arimaa::{Position, Side, TurnGenerator, WHOLE_TURN};
use arimaa_ai::Tactician;
use serde_json::json;

use crate::Verdict;

/// Does fixed work: a signature that is the same on every machine, and the speed of each part.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk bench --json")]
pub struct Arguments {
    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// Positions of games that Tusk played, one a line.
const POSITIONS: &str = include_str!("../../../positions/bench.txt");

/// Enough work that a second of it is measured on a slow machine.
const ROUNDS: usize = 20;

/// A part of the work: what was done, how often, and what came of it.
struct Part {
    name: &'static str,
    unit: &'static str,
    nodes: u64,
    time: Duration,
    signature: u64,
}

/// The positions of the bench.
pub fn positions() -> anyhow::Result<Vec<Position>> {
    let lines = POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.parse().with_context(|| format!("positions/bench.txt: {line}"))).collect()
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Verdict> {
    let positions = positions()?;
    let many = many_positions(&positions);
    let parts =
        [turns(&positions), steps(&positions), wins(&many), captures(&many), verdicts(&many)];
    let mut out = std::io::stdout().lock();
    for part in &parts {
        part.print(arguments.json, &mut out)?;
    }
    let nodes: u64 = parts.iter().map(|part| part.nodes).sum();
    let seconds: f64 = parts.iter().map(|part| part.time.as_secs_f64()).sum();
    let signature = parts.iter().fold(0u64, |sum, part| sum.rotate_left(1) ^ part.signature);
    let signature = format!("{signature:016x}");
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
    Ok(Verdict::Done)
}

/// The distinct turns of each position. The signature sums the keys of the boards they leave: it
/// tells whether the same boards were found, in whatever order.
fn turns(positions: &[Position]) -> Part {
    let mut generator = TurnGenerator::new();
    measure("distinct turns", "turns", positions, ROUNDS, |position| {
        let turns = generator.distinct(position.board(), position.side());
        let sum = turns.iter().fold(0u64, |sum, reached| sum.wrapping_add(reached.key.0));
        (turns.len() as u64, sum)
    })
}

/// The steps of each position, and those after each of them, played one by one.
fn steps(positions: &[Position]) -> Part {
    measure("steps", "steps", positions, ROUNDS, |position| {
        let (mut nodes, mut sum) = (0, 0u64);
        let mut visit = |position: &Position| {
            nodes += 1;
            sum = sum.wrapping_add(position.key().0);
        };
        let _ = position.for_each_step(|step| {
            let mut after = *position;
            after.play_unchecked(step);
            visit(&after);
            let _ = after.for_each_step(|step| {
                let mut then = after;
                then.play_unchecked(step);
                visit(&then);
                ControlFlow::Continue(())
            });
            ControlFlow::Continue(())
        });
        (nodes, sum)
    })
}

/// Many different positions: what some of the turns of each lead to. A detector that meets the same
/// ones again and again looks faster than it is, since the processor learns them by heart.
pub fn many_positions(positions: &[Position]) -> Vec<Position> {
    const EVERY: usize = 17;
    let mut generator = TurnGenerator::new();
    let mut many = Vec::new();
    for position in positions {
        let turns = generator.distinct(position.board(), position.side());
        many.extend(turns.iter().step_by(EVERY).map(|reached| {
            let mut after = *position;
            after.play_turn_unchecked(reached.turn);
            after
        }));
    }
    many
}

/// What both sides could win within a turn. The signature sums the steps.
fn wins(positions: &[Position]) -> Part {
    measure("wins", "positions", positions, 1, |position| {
        let win = |side| arimaa_ai::win(position.board(), side, WHOLE_TURN);
        let steps =
            Side::ALL.map(|side| win(side).map_or(0, |win| u64::from(win.steps.0) << 8 | 1));
        (1, steps[0] << 32 | steps[1])
    })
}

/// What both sides could capture within a turn. The signature sums the steps.
fn captures(positions: &[Position]) -> Part {
    measure("captures", "positions", positions, 1, |position| {
        let captures = |side| arimaa_ai::captures(position.board(), side, WHOLE_TURN);
        let steps = |side| captures(side).iter().map(|capture| u64::from(capture.steps.0)).sum();
        (1, Side::ALL.into_iter().map(steps).fold(0, |sum: u64, steps: u64| (sum << 32) + steps))
    })
}

/// Whether the side to move has a defence, where the other threatens to win.
fn verdicts(positions: &[Position]) -> Part {
    let threatened = |position: &&Position| {
        arimaa_ai::win(position.board(), !position.side(), WHOLE_TURN).is_some()
    };
    let threatened: Vec<Position> = positions.iter().filter(threatened).copied().collect();
    let mut tactician = Tactician::new();
    measure("defended or not", "positions", &threatened, 1, |position| {
        (1, tactician.has_defence(position.board(), position.side()).into())
    })
}

fn measure(
    name: &'static str,
    unit: &'static str,
    positions: &[Position],
    rounds: usize,
    mut work: impl FnMut(&Position) -> (u64, u64),
) -> Part {
    let begin = Instant::now();
    let (mut nodes, mut signature) = (0, 0u64);
    for position in (0..rounds).flat_map(|_| positions) {
        let (more, sum) = work(position);
        nodes += more;
        signature = signature.wrapping_add(sum);
    }
    Part { name, unit, nodes, time: begin.elapsed(), signature }
}

impl Part {
    fn print(&self, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let seconds = self.time.as_secs_f64();
        let rate = self.nodes as f64 / seconds;
        if json {
            let row = json!({
                "part": self.name,
                "nodes": self.nodes,
                "seconds": seconds,
                "nodes_per_second": rate,
                "signature": format!("{:016x}", self.signature),
            });
            writeln!(out, "{row}")?;
        } else {
            let (name, unit, nodes) = (self.name, self.unit, self.nodes);
            writeln!(
                out,
                "{name:<16}{nodes:>12} {unit} in {seconds:.3} s, {:.1} million a second",
                rate / 1e6
            )?;
        }
        Ok(())
    }
}
