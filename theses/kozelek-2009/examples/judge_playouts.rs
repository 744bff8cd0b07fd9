//! Judges playouts by positions of which a strong engine has said how good they are, and of which the winner is known:
//!
//! ```text
//! cargo run --release -p kozelek-2009 --example judge_playouts -- labels.tsv.gz "" playout_selection=0
//! ```
//!
//! The table is tab-separated and packed by gzip, with the columns `position`, `won` (1 if the side to move won) and
//! `score` (for the side to move). Each further argument is a setting of playouts: parameters with commas between
//! them, or nothing for the defaults. Each position gets 200 playouts, after a single look of the move advisor. What
//! is printed: how often, of a position that was won and one that was lost, the former has the higher mean (the area under
//! the ROC curve), and the rank correlation with the score.

use std::io::Read;
use std::{env, fs};

use anyhow::Context;
use arimaa::Position;
use arimaa_ai::Evaluation;
use kozelek_2009::{AkimotKnowledge, AkimotPlayouts};
use search::{Evaluator, PlayoutRequest, Playouts, StepHistory};

const PLAYOUTS: usize = 200;

/// Every so many rows.
const EVERY: usize = 7;

struct Row {
    position: Position,
    won: bool,
    score: f64,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = env::args().skip(1);
    let rows = read(&arguments.next().context("a table is missing")?)?;
    println!("{} positions, {PLAYOUTS} playouts each", rows.len());
    let knowledge = AkimotKnowledge::default();
    let akimot = |row: &Row| knowledge.evaluate(&row.position, &(), &mut ()).0;
    report("Akimot's evaluation alone", &rows, akimot);
    let evaluation = Evaluation::default();
    report("Tusk's evaluation alone", &rows, |row| evaluation.evaluate(&row.position).0);
    for setting in arguments {
        let mut playouts = AkimotPlayouts::default();
        for parameter in setting.split(',').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').context("expected name=value")?;
            playouts.parameters.set(name, value)?;
        }
        let (history, mut random) = (StepHistory::default(), fastrand::Rng::with_seed(1));
        report(&setting, &rows, |Row { position, .. }| {
            let request = PlayoutRequest { position, previous: None, history: &history };
            let mut advisor = Default::default();
            playouts.expanded(position, &mut advisor);
            let mut value = || playouts.playout(request, &mut random, &mut advisor, |_, _| {});
            (0..PLAYOUTS).map(|_| value()).sum::<f32>()
        });
    }
    Ok(())
}

fn read(path: &str) -> anyhow::Result<Vec<Row>> {
    let file = fs::File::open(path).with_context(|| path.to_string())?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text)?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().context("an empty table")?.split('\t').collect();
    let row = |line: &str| {
        let cell = |name: &str| {
            let column = header.iter().position(|&column| column == name);
            let cell = column.and_then(|column| line.split('\t').nth(column));
            cell.with_context(|| format!("a column {name} is missing"))
        };
        let (position, score) = (cell("position")?.parse()?, cell("score")?.parse()?);
        Ok(Row { position, won: cell("won")? == "1", score })
    };
    lines.step_by(EVERY).map(row).collect()
}

/// Prints how well some values of the rows agree with what is known of them.
fn report<V: Into<f64>>(name: &str, rows: &[Row], value: impl FnMut(&Row) -> V) {
    let values: Vec<f64> = rows.iter().map(value).map(Into::into).collect();
    let ranks_of_values = ranks(&values);
    let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
    let won = rows.iter().filter(|row| row.won).count() as f64;
    let with_winners = ranks_of_values.iter().zip(rows).filter(|(_, row)| row.won);
    let sum: f64 = with_winners.map(|(rank, _)| rank).sum();
    let area = (sum - won * (won - 1.0) / 2.0) / (won * (rows.len() as f64 - won));
    let correlation = correlation(&ranks_of_values, &ranks(&scores));
    println!("area {area:.4}, correlation {correlation:.4}: {name}");
}

/// The rank of each value, from 0.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let mut ranks = vec![0.0; values.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank as f64;
    }
    ranks
}

/// The correlation of two lists of ranks.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let mean = (one.len() as f64 - 1.0) / 2.0;
    let common: f64 = one.iter().zip(other).map(|(one, other)| (one - mean) * (other - mean)).sum();
    common / one.iter().map(|rank| (rank - mean).powi(2)).sum::<f64>()
}
