//! `tusk learn`: weights of an evaluation from games and from positions with scores, and how likely steps are.

mod advanced;
mod data;
mod labels;
mod logistic;
mod outcome;
mod programs;
mod rank;
mod steps;
mod successors;
mod td;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use guard::read_file;
use hrebejk_2013::FunctionModel;
use hrebejk_2013::advanced::{AdvancedLinear, AdvancedLoss, AdvancedQuadratic};
use workbench::{Catalogues, GameName};

use crate::Exit;
use crate::shared::numbers::positive;
use crate::shared::output::Claim;
use advanced::RoundArguments;
use data::DataArguments;
use programs::SolverName;

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
    Logistic(logistic::Arguments),
    Successors(successors::Arguments),
    Steps(steps::Arguments),
    Td(td::Arguments),
    Rank(rank::Arguments),
}

impl Method {
    /// The file that it makes, if it makes one.
    fn out(&self) -> Option<&Path> {
        match self {
            Method::Qp { result, .. }
            | Method::Lp { result, .. }
            | Method::AdvancedLp { result, .. }
            | Method::AdvancedQp { result, .. } => Some(&result.out),
            Method::Logistic(arguments) => Some(&arguments.result.out),
            Method::Successors(arguments) => Some(&arguments.out),
            Method::Steps(arguments) => Some(&arguments.out),
            Method::Td(arguments) => Some(&arguments.out),
            Method::Rank(_) => None,
        }
    }
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

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    if game == Some(GameName::Tzaar) {
        bail!("the evaluation is one of Arimaa: give games of Arimaa");
    }
    let _claim = arguments.method.out().map(Claim::on).transpose()?;
    match &arguments.method {
        Method::Qp { data, result, regularization, solver } => {
            programs::quadratic(data, result, *regularization, *solver)
        }
        Method::Lp { data, result, regularization, solver } => {
            programs::linear(data, result, *regularization, *solver)
        }
        Method::AdvancedLp { data, result, rounds, regularization, outcome, known } => {
            let loss = AdvancedLinear {
                regularization: *regularization,
                outcome: *outcome,
                known: *known,
                ..AdvancedLinear::default()
            };
            advanced::run(data, result, rounds, AdvancedLoss::Linear(loss))
        }
        Method::AdvancedQp { data, result, rounds, regularization } => {
            let loss = AdvancedQuadratic { regularization: *regularization, ..Default::default() };
            advanced::run(data, result, rounds, AdvancedLoss::Quadratic(loss))
        }
        Method::Logistic(arguments) => logistic::run(arguments),
        Method::Successors(arguments) => successors::run(arguments, catalogues),
        Method::Rank(arguments) => rank::run(arguments),
        Method::Steps(arguments) => steps::run(arguments),
        Method::Td(arguments) => td::run(arguments),
    }
}

fn read_model(path: &Path) -> anyhow::Result<FunctionModel> {
    let name = || path.display().to_string();
    let bytes = read_file(path).with_context(name)?;
    FunctionModel::from_bytes(&bytes).with_context(name)
}
