//! `tusk learn logistic`: weights by logistic regression on scores and results.

use std::time::Instant;

use ::learn::logistic::{LogisticData, LogisticRegression, LogisticState};
use anyhow::bail;
use engine::Verdict;
use hrebejk_2013::FunctionModel;
use hrebejk_2013::report::{LossPoint, fitted_scale};
use hrebejk_2013::terms::terms_of;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::ResultArguments;
use super::labels::{self, Label};
use super::outcome::Learned;
use crate::Exit;
use crate::shared::checkpoint::{checkpoint_of, read_checkpoint};
use crate::shared::numbers::{positive, share};
use crate::shared::output::{say, write_file};
use crate::shared::progress;

/// By logistic regression on the scores and results of shards, tables of positions, or games
#[derive(clap::Args)]
pub struct Arguments {
    /// Shards, folders of them, or tables with a column `position` and `score` or `won` or both; they may be gzipped
    #[arg(required = true, value_name = "DATA")]
    data: Vec<String>,

    #[command(flatten)]
    pub(super) result: ResultArguments,

    /// The degree of the polynomials
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=4))]
    degree: u8,

    /// Learn from so many positions at most, chosen by chance
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,

    /// How much a score counts against the result of the game, from 0 to 1
    #[arg(long, value_name = "L", default_value_t = 0.9, value_parser = share::<f64>)]
    lambda: f64,

    /// The score at which the odds to win are e to 1 [default: as results and scores say]
    #[arg(long, value_name = "SCORE", value_parser = positive::<f64>)]
    scale: Option<f64>,

    /// What a rabbit is worth in the scores of tables
    #[arg(long, value_name = "SCORE", default_value_t = 1000.0, value_parser = positive::<f64>)]
    rabbit: f64,

    /// Leave out positions whose score is further from 0 than this, in hundredths of a rabbit
    #[arg(long, value_name = "SCORE")]
    max_score: Option<i32>,

    /// What the square of a weight costs, for each position
    #[arg(long, value_name = "R", default_value_t = 1e-10, value_parser = positive::<f64>)]
    ridge: f64,

    /// How much the order of positions counts that come after turns of the same one (`tusk learn successors`)
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = share::<f64>)]
    ranking: f64,

    /// The difference of evaluations at which one of them is e times as likely to be chosen as another
    #[arg(long, value_name = "T", default_value_t = 120.0, value_parser = positive::<f64>)]
    temperature: f64,

    /// How often Newton's method goes on, at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,

    /// The seed of all choices by chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Go on where MODEL.checkpoint is
    #[arg(long)]
    resume: bool,
}

/// The positions to learn from, as many as are wanted, by chance.
fn labels_of(arguments: &Arguments) -> anyhow::Result<Vec<Label>> {
    let mut labels: Vec<Label> = Vec::new();
    for path in &arguments.data {
        match labels::has_shards(path) {
            true => labels::of_shards(path, &mut labels)?,
            false => labels::of_table(path, arguments.rabbit, &mut labels)?,
        }
    }
    if let Some(most) = arguments.max_score {
        let is_kept = |label: &Label| match label.verdict {
            Some(Verdict::Score(score)) => score.0.abs() <= most,
            _ => true,
        };
        labels.retain(is_kept);
    }
    // Siblings stay together.
    let mut families: Vec<Vec<Label>> = Vec::new();
    for label in labels {
        match families.last_mut() {
            Some(family) if family[0].is_sibling(&label) => family.push(label),
            _ => families.push(vec![label]),
        }
    }
    families.shuffle(&mut ChaCha8Rng::seed_from_u64(arguments.seed));
    let mut labels: Vec<Label> = families.into_iter().flatten().collect();
    labels.truncate(arguments.positions as usize);
    Ok(labels)
}

/// Among siblings, scores beyond this are alike: the game is decided.
const DECIDED: f32 = 1500.0;

/// What logistic regression learns from, and what it leaves out to validate.
#[derive(Default)]
struct LogisticSets {
    training: LogisticData,
    validation: LogisticData,
    /// Who won the games of the positions that validate: 1 for Gold, -1 for Silver.
    outcomes: Vec<i8>,
}

impl LogisticSets {
    fn new(labels: &[Label], model: &FunctionModel, scale: f64, lambda: f64) -> LogisticSets {
        let (mut sets, count) = (LogisticSets::default(), model.weights().count());
        let bar = progress::bar(labels.len(), "positions");
        for family in labels.chunk_by(Label::is_sibling) {
            bar.inc(family.len() as u64);
            let validates = family[0].validates;
            let mut scores = Vec::new();
            for label in family {
                let Some(target) = label.target(scale, lambda) else { continue };
                let terms = terms_of(model, count, &label.position);
                let data = if validates { &mut sets.validation } else { &mut sets.training };
                data.add(&terms, target as f32);
                scores.extend(label.score_of_chooser(DECIDED));
                if validates {
                    let is_gold = label.position.side() == arimaa::GOLD;
                    sets.outcomes.push(if is_gold { label.result } else { -label.result });
                }
            }
            if family[0].parent.is_some() && scores.len() == family.len() {
                let data = if validates { &mut sets.validation } else { &mut sets.training };
                data.add_siblings(!family[0].position.side(), &scores);
            }
        }
        bar.finish_and_clear();
        sets
    }

    /// What weights make of the positions that validate, and how their games ended: 1 if Gold won.
    fn calibration(&self, weights: &[f32]) -> Vec<(f64, f64)> {
        let value =
            |terms: &[f32]| terms.iter().zip(weights).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let known =
            self.validation.iter().zip(&self.outcomes).filter(|(_, outcome)| **outcome != 0);
        let pair = |((terms, _), outcome): ((&[f32], f64), &i8)| {
            (value(terms), f64::from(outcome + 1) / 2.0)
        };
        known.map(pair).collect()
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let labels = labels_of(arguments)?;
    let scale = arguments.scale.unwrap_or_else(|| scale_of(&labels));
    let model = FunctionModel::polynomials(arguments.degree.into(), || 0.0);
    let sets = LogisticSets::new(&labels, &model, scale, arguments.lambda);
    let prepared = begin.elapsed().as_secs_f64();
    let state = arguments.fit(&sets, scale, model.weights().count())?;
    let LogisticSets { training, validation, .. } = &sets;
    let regret = validation.has_siblings().then(|| validation.regret(&state.weights));
    if let (false, Some(regret)) = (arguments.result.json, regret) {
        say!("regret of the choice among siblings that validate: {regret:.1}");
    }
    let point = |(step, (loss, validation)): (usize, &(f64, f64))| LossPoint {
        step,
        loss: *loss,
        validation: Some(*validation),
    };
    let weights: Vec<f32> = state.weights.iter().map(|weight| *weight as f32).collect();
    let last = state.curve.last().copied().unwrap_or_default();
    Learned {
        method: "logistic",
        data: &arguments.data,
        degree: arguments.degree.into(),
        seed: arguments.seed,
        options: arguments.options(scale),
        figures: json!({
            "regret": regret,
            "positions": training.len(),
            "validation_positions": validation.len(),
            "objective": last.0,
            "validation": last.1,
            "iterations": state.curve.len().saturating_sub(1),
            "features_seconds": prepared,
            "solver_seconds": begin.elapsed().as_secs_f64() - prepared,
        }),
        loss: state.curve.iter().enumerate().map(point).collect(),
        model: model.with_weights(&weights),
    }
    .finish_positions(&arguments.result.out, arguments.result.json, sets.calibration(&weights))
}

impl Arguments {
    /// Finds the weights, from nothing or from a checkpoint on.
    fn fit(&self, sets: &LogisticSets, scale: f64, count: usize) -> anyhow::Result<LogisticState> {
        let method = LogisticRegression {
            scale,
            ridge: self.ridge,
            ranking: self.ranking,
            temperature: self.temperature,
            iterations: self.iterations,
        };
        let checkpoint = checkpoint_of(&self.result.out);
        let mut state: LogisticState = match self.resume {
            true => read_checkpoint(&checkpoint)?,
            false => LogisticState::new(vec![0.0; count]),
        };
        if state.weights.len() != count {
            bail!("{}: it is of another --degree", checkpoint.display());
        }
        while !state.is_finished {
            method.go_on(&sets.training, &sets.validation, &mut state)?;
            write_file(&checkpoint, serde_json::to_string(&state)?)?;
            if let (false, Some((loss, validation))) = (self.result.json, state.curve.last()) {
                let iteration = state.curve.len() - 1;
                say!("iteration {iteration}: loss {loss:.6}, validation {validation:.6}");
            }
        }
        Ok(state)
    }

    /// For a report.
    fn options(&self, scale: f64) -> Value {
        json!({
            "degree": self.degree,
            "positions": self.positions,
            "lambda": self.lambda,
            "scale": scale,
            "max_score": self.max_score,
            "ridge": self.ridge,
            "ranking": self.ranking,
            "temperature": self.temperature,
        })
    }
}

/// The scale at which scores foretell results best.
fn scale_of(labels: &[Label]) -> f64 {
    let pair = |label: &Label| match label.verdict {
        Some(Verdict::Score(score)) if label.result != 0 => {
            Some((f64::from(score.0), f64::from(label.result + 1) / 2.0))
        }
        _ => None,
    };
    let pairs: Vec<(f64, f64)> = labels.iter().filter_map(pair).take(50_000).collect();
    if pairs.is_empty() { 400.0 } else { fitted_scale(&pairs).round() }
}
