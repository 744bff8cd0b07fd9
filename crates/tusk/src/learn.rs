//! `tusk learn`: weights of an evaluation from games and from positions with scores, and how likely steps are.

mod data;
mod labels;
mod outcome;
mod steps;
mod successors;
mod td;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ::learn::advanced::{
    AdvancedLearner, AdvancedLinear, AdvancedLoss, AdvancedQuadratic, AdvancedState, Generation,
    PlayedTurn,
};
use ::learn::judge::judge;
use ::learn::logistic::{LogisticData, LogisticRegression, LogisticState};
use ::learn::programs::{
    ExpertTurn, LinearProgram, Optimum, QuadraticProgram, QuadraticSums, Solver,
};
use ::learn::report::{LossPoint, fitted_scale};
use ::learn::terms::{GameTerms, terms_of};
use anyhow::{Context, bail};
use arimaa::Game;
use arimaa_ai::drake::FunctionModel;
use engine::{Verdict, read_file};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use workbench::GameName;

use crate::numbers::{positive, share};
use crate::output::{say, standard};
use crate::{Exit, progress};
use data::{DataArguments, Gathered};
use labels::Label;
use outcome::{Learned, checkpoint_of, write};

pub use steps::read_tables;

/// Learns the weights of bot_drake's evaluation from games, by programs or by logistic regression.
///
/// A good evaluation changes little when an expert plays, and finds the expert's turn better than the average one. One game in
/// twenty is left out of learning and validates. Beside the model stands a report with plots. docs/drake.md tells what the
/// methods are.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk learn qp games.txt --out drake.model --cache terms\n  tusk learn lp games.txt --out drake.model --degree 1 --turns 2000\n  tusk learn advanced-lp games.txt --out better.model --from drake.model --cache terms\n  tusk learn logistic shards/ --out drake.model --positions 300000"
)]
pub struct Arguments {
    #[command(subcommand)]
    method: Method,
}

/// How the loss is defined.
#[derive(clap::Subcommand)]
enum Method {
    /// By a quadratic program: a change of the evaluation costs its square, and the scale is that of results
    Qp {
        #[command(flatten)]
        data: DataArguments,
        #[command(flatten)]
        result: ResultArguments,

        /// How much a weight costs
        #[arg(long, value_name = "R", default_value_t = 30_000.0, value_parser = positive::<f64>)]
        regularization: f64,

        /// Who solves the program
        #[arg(long, value_enum, default_value = "interior")]
        solver: SolverName,
    },
    /// By a linear program: a change of the evaluation costs as much as it is, and the scale is that of average turns
    Lp {
        #[command(flatten)]
        data: DataArguments,
        #[command(flatten)]
        result: ResultArguments,

        /// How much a weight costs
        #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = positive::<f64>)]
        regularization: f64,

        /// Who solves the program
        #[arg(long, value_enum, default_value = "interior")]
        solver: SolverName,
    },
    /// By linear programs whose constraints a search generates: no turn should be better than the expert's
    AdvancedLp {
        #[command(flatten)]
        data: DataArguments,
        #[command(flatten)]
        result: ResultArguments,
        #[command(flatten)]
        rounds: RoundArguments,

        /// How much a weight costs
        #[arg(long, value_name = "R", default_value_t = 1.5, value_parser = positive::<f64>)]
        regularization: f64,

        /// How much is won by each unit by which the winner's positions are better
        #[arg(long, value_name = "Q", default_value_t = 0.0)]
        outcome: f64,

        /// How much each unit costs that a position before the winning turn lacks of 1000
        #[arg(long, value_name = "Q", default_value_t = 0.0)]
        known: f64,
    },
    /// By quadratic programs whose constraints a search generates
    AdvancedQp {
        #[command(flatten)]
        data: DataArguments,
        #[command(flatten)]
        result: ResultArguments,
        #[command(flatten)]
        rounds: RoundArguments,

        /// How much a weight costs
        #[arg(long, value_name = "R", default_value_t = 40.0, value_parser = positive::<f64>)]
        regularization: f64,
    },
    /// By logistic regression on the scores and results of shards, tables of positions, or games
    Logistic(LogisticArguments),
    Successors(successors::Arguments),
    Steps(steps::Arguments),
    Td(td::Arguments),
    /// Tells how models rank the turns that were played in games, among turns by chance
    Rank(RankArguments),
}

#[derive(clap::Args)]
struct RankArguments {
    /// Models, as the other methods write them
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,

    /// Games, as for the other methods; those that validate there are ranked
    #[arg(long, required = true, value_name = "FILE")]
    games: Vec<String>,

    /// How many turns are ranked
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,

    /// Among how many others
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    others: u32,

    /// The seed of all choices by chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ResultArguments {
    /// The file of the model; a report stands beside it
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct RoundArguments {
    /// Begin with the weights of this model, such as that of the basic learner [default: learn one]
    #[arg(long, value_name = "MODEL")]
    from: Option<PathBuf>,

    /// How often constraints are added
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// The share of positions for which new turns are tried in a round after the first
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share::<f64>)]
    fraction: f64,

    /// How many turns by chance are tried there
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    candidates: u32,

    /// The evaluation at which a position counts half
    #[arg(long, value_name = "E", default_value_t = 500.0, value_parser = positive::<f64>)]
    win_threshold: f64,

    /// Go on where MODEL.checkpoint is
    #[arg(long)]
    resume: bool,
}

#[derive(clap::Args)]
struct LogisticArguments {
    /// Shards, folders of them, or tables with a column `position` and `score` or `won` or both; they may be gzipped
    #[arg(required = true, value_name = "DATA")]
    data: Vec<String>,

    #[command(flatten)]
    result: ResultArguments,

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

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SolverName {
    /// Our interior-point method with a dense matrix
    Interior,
    /// Clarabel, with a sparse matrix of all rows: much slower here
    Clarabel,
}

impl From<SolverName> for Solver {
    fn from(name: SolverName) -> Solver {
        match name {
            SolverName::Interior => Solver::Interior,
            SolverName::Clarabel => Solver::Clarabel,
        }
    }
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    if game == Some(GameName::Tzaar) {
        bail!("the evaluation is one of Arimaa: give games of Arimaa");
    }
    match &arguments.method {
        Method::Qp { data, result, regularization, solver } => {
            quadratic(data, result, *regularization, *solver)
        }
        Method::Lp { data, result, regularization, solver } => {
            linear(data, result, *regularization, *solver)
        }
        Method::AdvancedLp { data, result, rounds, regularization, outcome, known } => {
            let loss = AdvancedLinear {
                regularization: *regularization,
                outcome: *outcome,
                known: *known,
                ..AdvancedLinear::default()
            };
            advanced(data, result, rounds, AdvancedLoss::Linear(loss))
        }
        Method::AdvancedQp { data, result, rounds, regularization } => {
            let loss = AdvancedQuadratic { regularization: *regularization, ..Default::default() };
            advanced(data, result, rounds, AdvancedLoss::Quadratic(loss))
        }
        Method::Logistic(arguments) => logistic(arguments),
        Method::Successors(arguments) => successors::run(arguments),
        Method::Rank(arguments) => rank(arguments),
        Method::Steps(arguments) => steps::run(arguments),
        Method::Td(arguments) => td::run(arguments),
    }
}

fn quadratic(
    data: &DataArguments,
    result: &ResultArguments,
    regularization: f64,
    solver: SolverName,
) -> anyhow::Result<Exit> {
    let program = QuadraticProgram { regularization, ..Default::default() };
    let begin = Instant::now();
    let mut sums = QuadraticSums::new(data.form().count());
    let gathered = data.gather(|_, terms| terms.turns().for_each(|turn| sums.add(&turn)))?;
    let prepared = begin.elapsed().as_secs_f64();
    let optimum = program.solve(&sums, solver.into())?;
    let options = json!({
        "regularization": regularization,
        "difference": program.difference,
        "scale": program.scale,
    });
    finish_program("qp", data, result, gathered, (begin, prepared), optimum, options)
}

fn linear(
    data: &DataArguments,
    result: &ResultArguments,
    regularization: f64,
    solver: SolverName,
) -> anyhow::Result<Exit> {
    let program = LinearProgram { regularization, ..Default::default() };
    let begin = Instant::now();
    let mut games: Vec<GameTerms> = Vec::new();
    let gathered = data.gather(|_, terms| games.push(terms))?;
    let prepared = begin.elapsed().as_secs_f64();
    let turns: Vec<ExpertTurn> = games.iter().flat_map(GameTerms::turns).collect();
    let optimum = program.solve(&turns, solver.into())?;
    let options = json!({
        "regularization": regularization,
        "consistency": program.consistency,
        "difference": program.difference,
        "scale": program.scale,
        "least_weight": program.least_weight,
    });
    finish_program("lp", data, result, gathered, (begin, prepared), optimum, options)
}

fn finish_program(
    method: &str,
    data: &DataArguments,
    result: &ResultArguments,
    gathered: Gathered,
    (begin, prepared): (Instant, f64),
    optimum: Optimum,
    options: Value,
) -> anyhow::Result<Exit> {
    let curve = optimum.curve.iter().enumerate();
    let point =
        |(step, (loss, _)): (usize, &(f64, f64))| LossPoint { step, loss: *loss, validation: None };
    let solved = begin.elapsed().as_secs_f64() - prepared;
    Learned {
        method,
        data: &data.games,
        degree: data.degree.into(),
        seed: data.seed,
        options: joined(data.options(), options),
        figures: json!({
            "objective": optimum.solution.objective,
            "iterations": optimum.solution.iterations,
            "features_seconds": prepared,
            "solver_seconds": solved,
        }),
        loss: curve.map(point).collect(),
        model: data.form().model.with_weights(&optimum.solution.weights),
    }
    .finish(&result.out, result.json, &gathered)
}

fn joined(mut one: Value, other: Value) -> Value {
    if let (Some(one), Value::Object(other)) = (one.as_object_mut(), other) {
        one.extend(other);
    }
    one
}

fn advanced(
    data: &DataArguments,
    result: &ResultArguments,
    rounds: &RoundArguments,
    loss: AdvancedLoss,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let form = data.form();
    let mut games: Vec<(Game, GameTerms)> = Vec::new();
    let gathered = data.gather(|game, terms| games.push((game, terms)))?;
    let prepared = begin.elapsed().as_secs_f64();
    let turns: Vec<PlayedTurn> =
        games.iter().flat_map(|(game, terms)| PlayedTurn::of_game(game, terms)).collect();
    let checkpoint = checkpoint_of(&result.out);
    let mut state: AdvancedState = match rounds.resume {
        true => read_checkpoint(&checkpoint)?,
        false => {
            let weights = initial_weights(rounds, &form.model, &turns)?;
            AdvancedState { initial: weights.clone(), weights, rounds: Vec::new() }
        }
    };
    if state.weights.len() != form.count() || state.initial.len() != form.count() {
        bail!("{}: it is of another --degree", checkpoint.display());
    }
    let generation = Generation {
        rounds: rounds.rounds,
        fraction: rounds.fraction,
        candidates: rounds.candidates as usize,
        win_threshold: rounds.win_threshold,
        seed: data.seed,
        solver: Solver::Interior,
    };
    let count = turns.len();
    let mut learner =
        AdvancedLearner::new(loss, generation, form.model.clone(), turns, &state.initial);
    while state.rounds.len() < rounds.rounds as usize {
        let bar = progress::bar(count, "turns");
        learner.go_on(&mut state, || bar.inc(1))?;
        bar.finish_and_clear();
        write(&checkpoint, serde_json::to_string(&state)?.as_bytes())?;
        if let (false, Some(round)) = (result.json, state.rounds.last()) {
            let (number, total) = (state.rounds.len(), round.constraints);
            say!(
                "round {number}: {total} constraints, {} of them new, objective {:.6e}",
                round.added,
                round.objective
            );
        }
    }
    let point = |(step, round): (usize, &::learn::advanced::Round)| LossPoint {
        step,
        loss: round.objective,
        validation: None,
    };
    let (method, regularization) = match loss {
        AdvancedLoss::Linear(loss) => ("advanced-lp", loss.regularization),
        AdvancedLoss::Quadratic(loss) => ("advanced-qp", loss.regularization),
    };
    let options = json!({
        "regularization": regularization,
        "loss": format!("{loss:?}"),
        "rounds": rounds.rounds,
        "fraction": rounds.fraction,
        "candidates": rounds.candidates,
        "win_threshold": rounds.win_threshold,
        "from": rounds.from.as_ref().map(|path| path.display().to_string()),
    });
    Learned {
        method,
        data: &data.games,
        degree: data.degree.into(),
        seed: data.seed,
        options: joined(data.options(), options),
        figures: json!({
            "objective": state.rounds.last().map(|round| round.objective),
            "iterations": state.rounds.len(),
            "constraints": state.rounds.last().map(|round| round.constraints),
            "features_seconds": prepared,
            "solver_seconds": begin.elapsed().as_secs_f64() - prepared,
        }),
        loss: state.rounds.iter().enumerate().map(point).collect(),
        model: form.model.with_weights(&state.weights),
    }
    .finish(&result.out, result.json, &gathered)
}

/// The weights of a model that was learned before, or those of the basic linear program.
fn initial_weights(
    rounds: &RoundArguments,
    model: &FunctionModel,
    turns: &[PlayedTurn],
) -> anyhow::Result<Vec<f32>> {
    let Some(path) = &rounds.from else {
        let turns: Vec<ExpertTurn> = turns.iter().map(|played| played.turn).collect();
        let optimum = LinearProgram::default().solve(&turns, Solver::Interior)?;
        return Ok(optimum.solution.weights);
    };
    let from = read_model(path)?;
    let weights: Vec<f32> = from.weights().collect();
    if from.with_weights(&vec![0.0; weights.len()]) != *model {
        bail!("{}: the model has other functions: choose the same --degree", path.display());
    }
    Ok(weights)
}

fn read_model(path: &Path) -> anyhow::Result<FunctionModel> {
    let name = || path.display().to_string();
    let bytes = read_file(path).with_context(name)?;
    FunctionModel::from_bytes(&bytes).with_context(name)
}

fn rank(arguments: &RankArguments) -> anyhow::Result<Exit> {
    let games = data::validating_games(&arguments.games)?;
    if games.is_empty() {
        bail!("none of the games validates: one in twenty does, give more of them");
    }
    let (turns, others) = (arguments.turns as usize, arguments.others as usize);
    let mut out = standard();
    for path in &arguments.models {
        let ranks = judge(&read_model(path)?, &games, turns, others, arguments.seed);
        let name = path.display();
        if arguments.json {
            let row = json!({ "model": name.to_string(), "ranks": ranks });
            writeln!(out, "{row}")?;
            continue;
        }
        let percent = |share: f64| 100.0 * share;
        writeln!(
            out,
            "{name}: better than {:.1} % of the others; among the best 1 % in {:.1} %, 5 % in {:.1} %, 20 % in {:.1} % of {} turns",
            percent(ranks.better_than),
            percent(ranks.among_1),
            percent(ranks.among_5),
            percent(ranks.among_20),
            ranks.turns
        )?;
    }
    Ok(Exit::Done)
}

fn read_checkpoint<T: serde::de::DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let name = || path.display().to_string();
    let bytes = read_file(path).with_context(name)?;
    serde_json::from_slice(&bytes).with_context(|| format!("{}: this is no checkpoint", name()))
}

/// The positions to learn from, as many as are wanted, by chance.
fn labels_of(arguments: &LogisticArguments) -> anyhow::Result<Vec<Label>> {
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

fn logistic(arguments: &LogisticArguments) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let labels = labels_of(arguments)?;
    let scale = arguments.scale.unwrap_or_else(|| scale_of(&labels));
    let model = FunctionModel::polynomials(arguments.degree.into(), || 0.0);
    let count = model.weights().count();
    let sets = LogisticSets::new(&labels, &model, scale, arguments.lambda);
    let LogisticSets { training, validation, .. } = &sets;
    let prepared = begin.elapsed().as_secs_f64();
    let method = LogisticRegression {
        scale,
        ridge: arguments.ridge,
        ranking: arguments.ranking,
        temperature: arguments.temperature,
        iterations: arguments.iterations,
    };
    let checkpoint = checkpoint_of(&arguments.result.out);
    let mut state: LogisticState = match arguments.resume {
        true => read_checkpoint(&checkpoint)?,
        false => LogisticState::new(vec![0.0; count]),
    };
    if state.weights.len() != count {
        bail!("{}: it is of another --degree", checkpoint.display());
    }
    while !state.is_finished {
        method.go_on(training, validation, &mut state)?;
        write(&checkpoint, serde_json::to_string(&state)?.as_bytes())?;
        if let (false, Some((loss, validation))) = (arguments.result.json, state.curve.last()) {
            say!("iteration {}: loss {loss:.6}, validation {validation:.6}", state.curve.len() - 1);
        }
    }
    let point = |(step, (loss, validation)): (usize, &(f64, f64))| LossPoint {
        step,
        loss: *loss,
        validation: Some(*validation),
    };
    let weights: Vec<f32> = state.weights.iter().map(|weight| *weight as f32).collect();
    let last = state.curve.last().copied().unwrap_or_default();
    let regret = validation.has_siblings().then(|| validation.regret(&state.weights));
    if let (false, Some(regret)) = (arguments.result.json, regret) {
        say!("regret of the choice among siblings that validate: {regret:.1}");
    }
    Learned {
        method: "logistic",
        data: &arguments.data,
        degree: arguments.degree.into(),
        seed: arguments.seed,
        options: json!({
            "degree": arguments.degree,
            "positions": arguments.positions,
            "lambda": arguments.lambda,
            "scale": scale,
            "max_score": arguments.max_score,
            "ridge": arguments.ridge,
            "ranking": arguments.ranking,
            "temperature": arguments.temperature,
        }),
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
