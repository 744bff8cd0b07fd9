//! `tusk experiment pruning`: whether what a search leaves out costs anything.

use std::fmt::Display;
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use engine::{Configured, Engine, Info, Limits, Stop, Verdict};
use game::{Game, Position, Proof, Steps};
use serde_json::json;
use workbench::reading::Entries;
use workbench::{Catalogues, GameName, Playing, Reading, in_game};

use crate::output::standard;
use crate::show::refuse;
use crate::{Exit, input, progress};

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

/// What leaves steps out.
const PRUNING: [&str; 3] = ["lmr", "futility", "null_move"];

/// What players look for before they search.
const BEFOREHAND: [&str; 2] = ["threat_search", "proof_stacks"];

/// A proof, in points.
const PROVED: i32 = 2000;

fn compare<S: Reading + Playing>(
    catalogues: &Catalogues,
    arguments: &Arguments,
    entries: &Entries<S>,
) -> anyhow::Result<Exit> {
    let json = arguments.input.json;
    let (mut pruned, mut full) =
        (searcher::<S>(catalogues, &[])?, searcher::<S>(catalogues, &PRUNING)?);
    let mut judge =
        Judge { engine: searcher::<S>(catalogues, &[])?, depth: Steps(arguments.judge) };
    let mut out = BufWriter::new(standard());
    let mut study = Study::default();
    let progress = progress::bar(entries.len(), "positions");
    for entry in entries {
        let game = match &entry.content {
            Ok(content) if content.game.ended().is_none() => &content.game,
            Ok(_) => {
                progress.inc(1);
                continue;
            }
            Err(error) => {
                study.refused += 1;
                progress.suspend(|| refuse(entry, error, json, &mut out))?;
                continue;
            }
        };
        let limits = Limits::depth(Steps(arguments.depth));
        let one = study.pruned.search(&mut pruned, game, limits);
        let other = study.full.search(&mut full, game, limits);
        let (Some(one), Some(other)) = (one, other) else { continue };
        let scores = [judge.score(game, one)?, judge.score(game, other)?];
        let pair = Pair { turns: [one, other].map(|turn| game.notation(turn)), scores };
        study.differences.push(f64::from(pair.difference()));
        progress.suspend(|| pair.print(game.position(), json, &mut out))?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    study.print(json, &mut out)?;
    out.flush()?;
    Ok(if study.refused == 0 { Exit::Done } else { Exit::Refused })
}

/// The turns that both searches choose in a position, the pruned one's first, and what the judge makes of them.
struct Pair {
    turns: [String; 2],
    scores: [i32; 2],
}

impl Pair {
    fn difference(&self) -> i32 {
        self.scores[0] - self.scores[1]
    }

    fn print(
        &self,
        position: &impl Display,
        json: bool,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let Pair { turns: [one, other], scores } = self;
        let difference = self.difference();
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
}

/// What all positions come to.
#[derive(Default)]
struct Study {
    pruned: Total,
    full: Total,
    /// By how much the pruned search's turn is better, for each position.
    differences: Vec<f64>,
    refused: usize,
}

impl Study {
    fn print(&self, json: bool, out: &mut impl Write) -> std::io::Result<()> {
        let Study { pruned, full, differences, refused } = self;
        let (mean, error) = mean_and_error(differences);
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
}

/// The usual engine, with these parameters switched off.
fn searcher<S: Playing>(
    catalogues: &Catalogues,
    off: &[&str],
) -> anyhow::Result<Configured<S::Game>> {
    let mut configuration = catalogues.get::<S>().default_engine().configure();
    for name in off.iter().chain(&BEFOREHAND) {
        // What another game has is not there to be switched off.
        let _ = configuration.set(name, "0");
    }
    Ok(configuration.build()?)
}

/// How much was searched.
#[derive(Clone, Copy, Default)]
struct Total {
    nodes: u64,
    time: Duration,
}

impl Total {
    /// The turn that a search chooses.
    fn search<G: Game>(
        &mut self,
        engine: &mut impl Engine<G>,
        game: &G,
        limits: Limits,
    ) -> Option<G::Action> {
        let begin = Instant::now();
        engine.new_game();
        let info = engine.analyse(game, &limits, &Stop::new(), &mut |_| ());
        self.time += begin.elapsed();
        self.nodes += info.as_ref().map_or(0, |info| info.nodes);
        info?.best().copied()
    }
}

/// Who says what turns are worth.
struct Judge<G: Game> {
    engine: Configured<G>,
    depth: Steps,
}

impl<G: Game> Judge<G> {
    /// What a turn is worth to the side that plays it.
    fn score(&mut self, game: &G, turn: G::Action) -> anyhow::Result<i32> {
        let begin = G::begin(&game.position().to_string());
        let (mut after, _) = begin.map_err(anyhow::Error::msg)?;
        let side = game.position().side();
        after.play(turn).map_err(anyhow::Error::msg)?;
        if let Some(ended) = after.ended() {
            return Ok(if ended.winner == side { PROVED } else { -PROVED });
        }
        self.engine.new_game();
        let limits = Limits::depth(self.depth);
        let info = self.engine.analyse(&after, &limits, &Stop::new(), &mut |_| ());
        let score = match info.as_ref().and_then(Info::verdict) {
            Some(Verdict::Score(score)) => score.0,
            Some(Verdict::Proof(Proof::Win(_))) => PROVED,
            Some(Verdict::Proof(Proof::Loss(_))) => -PROVED,
            None => 0,
        };
        Ok(-score)
    }
}

/// The mean, and 1.96 times its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, 1.96 * (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_shrinks_with_the_root_of_the_number() {
        assert_eq!(mean_and_error(&[]), (0.0, 0.0));
        assert_eq!(mean_and_error(&[5.0, 5.0]), (5.0, 0.0));
        let (mean, error) = mean_and_error(&[1.0, -1.0, 1.0, -1.0]);
        assert!(mean == 0.0 && (error - 0.98).abs() < 1e-9, "{error}");
    }
}
