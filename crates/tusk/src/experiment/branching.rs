//! `tusk experiment branching`: how many turns positions of Tzaar have.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};

use engine::{Engine, Limits, Stop};
use game::Position as _;
use indicatif::ProgressBar;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use search::Parameters;
use serde_json::{Value, json};
use tzaar::{Game, Position, branching_factor, distinct_turns};
use tzaar_ai::{Evaluation, TuskEngine};

use crate::output::standard;
use crate::{Exit, progress};

/// Counts the distinct turns in positions of Tzaar, by the number of stacks on the board, beside the figures of Veselý's
/// thesis (2013), Table 1.1.
///
/// Positions are those of games of the engine against itself and of games played by chance, each distinct turn as
/// likely. Every fourth game has the fixed start, the others have random ones; the first turn of each side is
/// chance's. Turns that lead to the same position count once; turns with which a side loses by covering its own last
/// stack of a type do not count, and chance does not play them.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk experiment branching --games 20")]
pub struct Arguments {
    /// How many games the engine plays, and how many chance does
    #[arg(long, value_name = "N", default_value_t = 460, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// How many positions the engine may look at for a turn
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// The seed of starts and random turns
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let progress = progress::bar(2 * arguments.games as usize, "games");
    let sampler = Sampler { arguments, progress: &progress };
    let engine = sampler.sample(&mut Searcher::new(arguments.nodes));
    let chance = sampler.sample(&mut Chance);
    progress.finish_and_clear();
    let mut out = BufWriter::new(standard());
    match arguments.json {
        true => print_json(&engine, &chance, &mut out)?,
        false => print(arguments, &engine, &chance, &mut out)?,
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// How many turns the positions with some number of stacks have.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Figures {
    positions: u32,
    least: u32,
    most: u32,
    average: u32,
}

const fn figures(positions: u32, least: u32, most: u32, average: u32) -> Figures {
    Figures { positions, least, most, average }
}

/// Table 1.1 of Veselý 2013: positions of games played at Boiteajeux.net, by the number of stacks.
const THESIS: [(usize, Figures); 12] = [
    (59, figures(470, 4961, 9933, 7497)),
    (55, figures(464, 3962, 7651, 5965)),
    (49, figures(456, 2732, 6007, 4463)),
    (43, figures(460, 1732, 4235, 2971)),
    (37, figures(446, 906, 2986, 1978)),
    (31, figures(427, 403, 2078, 1117)),
    (25, figures(399, 139, 1073, 562)),
    (19, figures(338, 35, 476, 203)),
    (13, figures(170, 1, 114, 37)),
    (9, figures(61, 1, 21, 7)),
    (7, figures(15, 1, 4, 1)),
    (6, figures(7, 1, 2, 1)),
];

/// One game in so many has the fixed start. The thesis does not tell its share; with this one, the average at 59 stacks is
/// that of its table (fixed starts have 5,355 turns then, random ones some 8,200; 2026-11).
const FIXED: u32 = 4;

/// The branching factors that were met, by the number of stacks.
#[derive(Default)]
struct Samples(BTreeMap<usize, Vec<u32>>);

impl Samples {
    fn figures(&self, stacks: usize) -> Option<Figures> {
        let counts = self.0.get(&stacks)?;
        let sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        Some(Figures {
            positions: counts.len() as u32,
            least: *counts.iter().min()?,
            most: *counts.iter().max()?,
            average: (sum as f64 / counts.len() as f64).round() as u32,
        })
    }
}

/// Whoever plays the games.
trait Playing {
    /// The position after a turn in a game that is not over.
    fn play(&mut self, position: &Position, rng: &mut ChaCha8Rng) -> Option<Position>;
}

/// Each distinct turn that is no suicide is as likely.
struct Chance;

impl Playing for Chance {
    fn play(&mut self, position: &Position, rng: &mut ChaCha8Rng) -> Option<Position> {
        let turns = distinct_turns(position);
        let lost = |end: &Position| end.winner() == Some(!position.side());
        let ends: Vec<Position> =
            turns.into_iter().map(|(_, end)| end).filter(|end| !lost(end)).collect();
        ends.choose(rng).copied()
    }
}

struct Searcher {
    player: TuskEngine,
    limits: Limits,
}

impl Searcher {
    fn new(nodes: u64) -> Searcher {
        let player = TuskEngine::new(Evaluation::default(), Parameters::default(), 16, 1);
        Searcher { player, limits: Limits { nodes: Some(nodes), ..Limits::default() } }
    }
}

impl Playing for Searcher {
    fn play(&mut self, position: &Position, _: &mut ChaCha8Rng) -> Option<Position> {
        let game = Game::new(*position);
        let info = self.player.analyse(&game, &self.limits, &Stop::new(), &mut |_| ())?;
        position.play_turn(*info.best()?).ok()
    }
}

struct Sampler<'a> {
    arguments: &'a Arguments,
    progress: &'a ProgressBar,
}

impl Sampler<'_> {
    /// Plays games to their ends and counts the turns of every position but the first, whose turn is a single move.
    fn sample(&self, player: &mut impl Playing) -> Samples {
        let mut samples = Samples::default();
        for game in 0..self.arguments.games {
            // Both kinds of games have the same starts.
            let mut rng = ChaCha8Rng::seed_from_u64(self.arguments.seed);
            rng.set_stream(u64::from(game));
            let mut position = match game % FIXED {
                0 => Position::fixed_start(),
                _ => Position::random_start(&mut rng),
            };
            for turn in 0.. {
                let end = match turn {
                    0 | 1 => Chance.play(&position, &mut rng),
                    _ => player.play(&position, &mut rng),
                };
                match end.filter(|end| end.winner().is_none()) {
                    Some(end) => position = end,
                    None => break,
                }
                let counts = samples.0.entry(position.board().stacks()).or_default();
                counts.push(branching_factor(&position) as u32);
            }
            self.progress.inc(1);
        }
        samples
    }
}

fn print(
    arguments: &Arguments,
    engine: &Samples,
    chance: &Samples,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let Arguments { games, nodes, .. } = arguments;
    writeln!(out, "Distinct turns by the number of stacks, without suicides:")?;
    writeln!(
        out,
        "- thesis: games of people and robots at Boiteajeux.net (Veselý 2013, Table 1.1)"
    )?;
    writeln!(out, "- engine: {games} games of the engine against itself, {nodes} nodes a turn")?;
    writeln!(out, "- chance: {games} games from the same starts, each distinct turn as likely")?;
    writeln!(
        out,
        "One game in {FIXED} has the fixed start, the others have random ones; the first turn of each"
    )?;
    writeln!(out, "side is chance's.\n")?;
    let sources = ["thesis", "engine", "chance"];
    let heads = sources.map(|name| format!("{name}: positions | min | max | average"));
    writeln!(out, "| stacks | {} |", heads.join(" | "))?;
    writeln!(out, "|{}", " ---: |".repeat(1 + 4 * sources.len()))?;
    for (stacks, thesis) in THESIS {
        let rows = [Some(thesis), engine.figures(stacks), chance.figures(stacks)].map(row);
        writeln!(out, "| {stacks} | {} |", rows.join(" | "))?;
    }
    Ok(())
}

fn row(figures: Option<Figures>) -> String {
    match figures {
        Some(Figures { positions, least, most, average }) => {
            format!("{positions} | {least} | {most} | {average}")
        }
        None => "0 | - | - | -".to_string(),
    }
}

/// Every number of stacks that was met, whether or not the thesis has it.
fn print_json(engine: &Samples, chance: &Samples, out: &mut impl Write) -> std::io::Result<()> {
    for stacks in (1..60).rev() {
        let sampled = [engine.figures(stacks), chance.figures(stacks)];
        let thesis = THESIS.iter().find(|&&(known, _)| known == stacks).map(|&(_, known)| known);
        if sampled.iter().chain([&thesis]).any(Option::is_some) {
            let [engine, chance, thesis] = [sampled[0], sampled[1], thesis].map(object);
            let row = json!({
                "stacks": stacks, "thesis": thesis, "engine": engine, "chance": chance,
            });
            writeln!(out, "{row}")?;
        }
    }
    Ok(())
}

fn object(figures: Option<Figures>) -> Value {
    figures.map_or(Value::Null, |Figures { positions, least, most, average }| {
        json!({ "positions": positions, "min": least, "max": most, "average": average })
    })
}
