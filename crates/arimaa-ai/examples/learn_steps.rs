//! Learns the weights of `models/arimaa-steps.model` from games and turns of strong players:
//!
//! ```text
//! cargo run --release -p arimaa-ai --example learn_steps -- TABLE... > models/arimaa-steps.model
//! ```
//!
//! A table is tab-separated, packed by gzip if its name says so. It has a column `movelist` with whole games, turns
//! separated by `|`, or `position` and `turn` or `best`. Each step of a turn is an example: of all legal steps, this
//! one was played. The weights maximise the likelihood of that (a conditional logit), by AdaGrad. A tenth of the rows is
//! not learned from, and tells how well the steps of the others are predicted.

use std::io::Read;
use std::{env, fs};

use anyhow::Context;
use arimaa::{Army, Game, Position, Setup, Side, Step, Turn};
use arimaa_ai::{STEP_FEATURES, StepContext};
use engine::{FeatureVector, Weights};

const EPOCHS: usize = 6;
const RATE: f32 = 0.15;

/// A step that was played, and the one before it.
struct Example {
    position: Position,
    previous: Option<Step>,
    step: Step,
}

/// What a look at some examples says.
#[derive(Default)]
struct Measure {
    examples: f64,
    /// The sum of the logarithms of the probabilities of the steps that were played.
    likelihood: f64,
    /// How often that step was the likeliest.
    first: f64,
    /// The likelihood of steps by chance.
    by_chance: f64,
}

fn main() -> anyhow::Result<()> {
    let (mut learned, mut held_out) = (Vec::new(), Vec::new());
    for path in env::args().skip(1) {
        for (number, row) in rows(&path)?.into_iter().enumerate() {
            let examples = if number % 10 == 0 { &mut held_out } else { &mut learned };
            row.read(examples).with_context(|| format!("{path}, row {}", number + 1))?;
        }
    }
    eprintln!("{} steps to learn from, {} held out", learned.len(), held_out.len());
    let mut weights = vec![0.0f32; STEP_FEATURES.count()];
    let mut squares = vec![1e-6f32; weights.len()];
    let mut random = fastrand::Rng::with_seed(0);
    for epoch in 1..=EPOCHS {
        random.shuffle(&mut learned);
        for example in &learned {
            let gradient = gradient(example, &weights, &mut Measure::default());
            for (feature, slope) in gradient {
                squares[feature] += slope * slope;
                weights[feature] += RATE * slope / squares[feature].sqrt();
            }
        }
        let mut measure = Measure::default();
        for example in &held_out {
            gradient(example, &weights, &mut measure);
        }
        let Measure { examples, likelihood, first, by_chance } = measure;
        eprintln!(
            "epoch {epoch}: log likelihood {:.3} (by chance {:.3}), first {:.1} %",
            likelihood / examples,
            by_chance / examples,
            100.0 * first / examples
        );
    }
    let limit = Weights::MOST as f32;
    let numbers = weights.iter().map(|weight| (100.0 * weight).round().clamp(-limit, limit) as i32);
    print!("{}", Weights::new(&STEP_FEATURES, numbers.collect()));
    Ok(())
}

/// What a row of a table tells.
enum Row {
    Game(String),
    Turn(Position, String),
}

fn rows(path: &str) -> anyhow::Result<Vec<Row>> {
    let bytes = fs::read(path).with_context(|| path.to_string())?;
    let mut text = String::new();
    match path.ends_with(".gz") {
        true => flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text)?,
        false => (&bytes[..]).read_to_string(&mut text)?,
    };
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().context("an empty table")?.split('\t').collect();
    let column = |name: &str| header.iter().position(|&column| column == name);
    let turn = column("turn").or(column("best"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            match (column("movelist"), column("position"), turn) {
                (Some(game), _, _) => Ok(Row::Game(cells[game].into())),
                (_, Some(position), Some(turn)) => {
                    Ok(Row::Turn(cells[position].parse()?, cells[turn].into()))
                }
                _ => anyhow::bail!("expected a column movelist, or position and turn or best"),
            }
        })
        .collect()
}

impl Row {
    fn read(&self, examples: &mut Vec<Example>) -> anyhow::Result<()> {
        match self {
            Row::Turn(position, turn) => {
                add_turn(position, None, Turn::parse(turn, position)?, examples);
            }
            Row::Game(turns) => {
                let mut turns = turns.split('|');
                let mut game = Game::new();
                for side in Side::ALL {
                    let text = turns.next().context("a game without setups")?;
                    game.set_up(Setup::parse(text, side, Army::Full)?)?;
                }
                let mut previous = None;
                for text in turns {
                    let position = *game.position();
                    let Ok(turn) = Turn::parse(text, &position) else { break };
                    previous = add_turn(&position, previous, turn, examples);
                    game.try_play(turn)?;
                }
            }
        }
        Ok(())
    }
}

/// Adds the steps of a turn, and the pass that ends it if there is one; returns the last step.
fn add_turn(
    start: &Position,
    mut previous: Option<Step>,
    turn: Turn,
    examples: &mut Vec<Example>,
) -> Option<Step> {
    let mut position = *start;
    for step in turn.steps() {
        examples.push(Example { position, previous, step });
        position.play_unchecked(step);
        previous = Some(step);
    }
    if position.side() == start.side() {
        examples.push(Example { position, previous, step: Step::PASS });
    }
    previous
}

/// How the likelihood of the step changes with each weight.
fn gradient(example: &Example, weights: &[f32], measure: &mut Measure) -> Vec<(usize, f32)> {
    let context = StepContext::new(&example.position, example.previous);
    let steps = example.position.steps();
    let Some(played) = steps.iter().position(|&step| step == example.step) else {
        return Vec::new();
    };
    let features = |&step: &Step| {
        let mut vector = FeatureVector::default();
        context.emit(step, &mut vector);
        vector.iter().map(|feature| (feature.number, feature.value as f32)).collect()
    };
    let features: Vec<Vec<(usize, f32)>> = steps.iter().map(features).collect();
    let score = |features: &Vec<(usize, f32)>| -> f32 {
        features.iter().map(|&(feature, value)| weights[feature] * value).sum()
    };
    let scores: Vec<f32> = features.iter().map(score).collect();
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = scores.iter().map(|score| (score - highest).exp()).collect();
    let sum: f32 = odds.iter().sum();
    measure.examples += 1.0;
    measure.likelihood += f64::from((odds[played] / sum).ln());
    measure.first += f64::from(u8::from(scores[played] == highest));
    measure.by_chance -= (steps.len() as f64).ln();
    let mut gradient = Vec::new();
    for (index, features) in features.iter().enumerate() {
        let slope = f32::from(u8::from(index == played)) - odds[index] / sum;
        for &(feature, value) in features {
            gradient.push((feature, slope * value));
        }
    }
    gradient.sort_by_key(|&(feature, _)| feature);
    gradient.dedup_by(|next, one| {
        let same = next.0 == one.0;
        if same {
            one.1 += next.1;
        }
        same
    });
    gradient
}
