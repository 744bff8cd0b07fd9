//! How many forced wins in two turns are recognised without a search once the first turn is played, and what that costs:
//!
//! ```text
//! cargo run --release -p arimaa-ai --example loss_in_two -- win2_engine.tsv win2_puzzles.tsv
//! ```
//!
//! A table is tab-separated, with the columns `position` and `key_move` among others.

use std::time::Instant;
use std::{env, fs};

use anyhow::Context;
use arimaa::{Position, Turn};
use arimaa_ai::ThreatGenerator;
use arimaa_ai::{Inference, TurnMobility, is_lost_in_two};

fn main() -> anyhow::Result<()> {
    for path in env::args().skip(1) {
        let positions = read(&path)?;
        println!("{path}: {} positions after the first turn", positions.len());
        let mobility = measure("mobility alone", &positions, |position| {
            TurnMobility::new(position.board()).captured(game::Steps(4)).is_empty()
        });
        for inference in [Inference::None, Inference::Blockers] {
            let count = measure(&format!("inference: {inference:?}"), &positions, |position| {
                let (board, side) = (position.board(), position.side());
                is_lost_in_two(board, side, &TurnMobility::new(board), inference)
            });
            println!("  {count} recognised");
        }
        let mut threats = ThreatGenerator::new();
        let count = measure("all defences tried", &positions, |position| {
            !threats.has_defence(position.board(), position.side())
        });
        println!("  {count} lost, {mobility} without a capture");
    }
    Ok(())
}

/// Prints how long a look at each position takes, and returns how many have the property.
fn measure(name: &str, positions: &[Position], mut has: impl FnMut(&Position) -> bool) -> usize {
    let begin = Instant::now();
    let count = positions.iter().filter(|position| has(position)).count();
    let each = begin.elapsed().as_secs_f64() * 1e6 / positions.len().max(1) as f64;
    println!("  {name}: {each:.1} microseconds each");
    count
}

fn read(path: &str) -> anyhow::Result<Vec<Position>> {
    let text = fs::read_to_string(path).with_context(|| path.to_string())?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().context("an empty table")?.split('\t').collect();
    let column =
        |name: &str| header.iter().position(|title| *title == name).context("a column is missing");
    let (position, key_move) = (column("position")?, column("key_move")?);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let mut position: Position = cells[position].parse()?;
            let turn = Turn::parse(cells[key_move], &position)?;
            position.play_turn_unchecked(turn);
            Ok(position)
        })
        .collect()
}
