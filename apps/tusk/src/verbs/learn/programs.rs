//! `tusk learn qp` and `tusk learn lp`: weights by one program.

use std::time::Instant;

use hrebejk_2013::programs::{
    ExpertTurn, LinearProgram, Optimum, QuadraticProgram, QuadraticSums, Solver,
};
use hrebejk_2013::report::LossPoint;
use hrebejk_2013::terms::GameTerms;
use serde_json::{Value, json};

use super::ResultArguments;
use super::data::{DataArguments, Gathered};
use super::outcome::{Learned, joined};
use crate::Exit;

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SolverName {
    /// Our interior-point method with a dense matrix
    Interior,
    /// Clarabel, with a sparse matrix of all rows: much slower here
    #[cfg(feature = "clarabel")]
    Clarabel,
}

impl From<SolverName> for Solver {
    fn from(name: SolverName) -> Solver {
        match name {
            SolverName::Interior => Solver::Interior,
            #[cfg(feature = "clarabel")]
            SolverName::Clarabel => Solver::Clarabel,
        }
    }
}

pub fn quadratic(
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

pub fn linear(
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
