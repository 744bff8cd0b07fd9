//! `tusk learn advanced-lp` and `advanced-qp`: weights by programs whose constraints a search generates.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use arimaa::Game;
use hrebejk_2013::FunctionModel;
use hrebejk_2013::advanced::{
    AdvancedLearner, AdvancedLoss, AdvancedState, Generation, PlayedTurn, Round,
};
use hrebejk_2013::programs::{ExpertTurn, LinearProgram, Solver};
use hrebejk_2013::report::LossPoint;
use hrebejk_2013::terms::{GameTerms, TermsForm};
use serde_json::{Value, json};

use super::data::DataArguments;
use super::outcome::{Learned, joined};
use super::{ResultArguments, read_model};
use crate::Exit;
use crate::shared::checkpoint::{checkpoint_of, read_checkpoint};
use crate::shared::numbers::{positive, share};
use crate::shared::output::{say, write_file};
use crate::shared::progress;

#[derive(clap::Args)]
pub struct RoundArguments {
    /// Begin with the weights of this model, such as that of the basic learner [default: learn one]
    #[arg(long, value_name = "MODEL")]
    from: Option<PathBuf>,

    /// How often constraints are added
    #[arg(long, value_name = "N", default_value_t = Generation::default().rounds, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// The share of positions for which new turns are tried in a round after the first
    #[arg(long, value_name = "SHARE", default_value_t = Generation::default().fraction, value_parser = share::<f64>)]
    fraction: f64,

    /// How many turns by chance are tried there
    #[arg(long, value_name = "N", default_value_t = Generation::default().candidates as u32, value_parser = clap::value_parser!(u32).range(1..))]
    candidates: u32,

    /// The evaluation at which a position counts half
    #[arg(long, value_name = "E", default_value_t = Generation::default().win_threshold, value_parser = positive::<f64>)]
    win_threshold: f64,

    /// Go on where MODEL.checkpoint is
    #[arg(long)]
    resume: bool,
}

pub fn run(
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
    let mut state = rounds.begin(&checkpoint, &form, &turns)?;
    let count = turns.len();
    let generation = rounds.generation(data.seed);
    let mut learner = AdvancedLearner::new(loss, generation, form.model.clone(), turns, &state)
        .with_context(|| checkpoint.display().to_string())?;
    while state.rounds.len() < rounds.rounds as usize {
        let bar = progress::bar(count, "turns");
        learner.go_on(&mut state, || bar.inc(1))?;
        bar.finish_and_clear();
        write_file(&checkpoint, serde_json::to_string(&state)?)?;
        if let (false, Some(round)) = (result.json, state.rounds.last()) {
            let Round { constraints, added, objective } = round;
            let number = state.rounds.len();
            say!(
                "round {number}: {constraints} constraints, {added} of them new, objective {objective:.6e}"
            );
        }
    }
    let last = state.rounds.last();
    let point = |(step, round): (usize, &Round)| LossPoint {
        step,
        loss: round.objective,
        validation: None,
    };
    Learned {
        method: match loss {
            AdvancedLoss::Linear(_) => "advanced-lp",
            AdvancedLoss::Quadratic(_) => "advanced-qp",
        },
        data: &data.games,
        degree: data.degree.into(),
        seed: data.seed,
        options: joined(data.options(), rounds.options(&loss)),
        figures: json!({
            "objective": last.map(|round| round.objective),
            "iterations": state.rounds.len(),
            "constraints": last.map(|round| round.constraints),
            "features_seconds": prepared,
            "solver_seconds": begin.elapsed().as_secs_f64() - prepared,
        }),
        loss: state.rounds.iter().enumerate().map(point).collect(),
        model: form.model.with_weights(&state.weights),
    }
    .finish(&result.out, result.json, &gathered)
}

impl RoundArguments {
    /// Where learning begins, or where it was.
    fn begin(
        &self,
        checkpoint: &Path,
        form: &TermsForm,
        turns: &[PlayedTurn],
    ) -> anyhow::Result<AdvancedState> {
        let state: AdvancedState = match self.resume {
            true => read_checkpoint(checkpoint)?,
            false => AdvancedState::new(initial_weights(self, &form.model, turns)?),
        };
        if state.weights.len() != form.count() || state.initial.len() != form.count() {
            bail!("{}: it is of another --degree", checkpoint.display());
        }
        Ok(state)
    }

    fn generation(&self, seed: u64) -> Generation {
        Generation {
            rounds: self.rounds,
            fraction: self.fraction,
            candidates: self.candidates as usize,
            win_threshold: self.win_threshold,
            seed,
            solver: Solver::Interior,
        }
    }

    /// For a report.
    fn options(&self, loss: &AdvancedLoss) -> Value {
        let regularization = match loss {
            AdvancedLoss::Linear(loss) => loss.regularization,
            AdvancedLoss::Quadratic(loss) => loss.regularization,
        };
        json!({
            "regularization": regularization,
            "loss": format!("{loss:?}"),
            "rounds": self.rounds,
            "fraction": self.fraction,
            "candidates": self.candidates,
            "win_threshold": self.win_threshold,
            "from": self.from.as_ref().map(|path| path.display().to_string()),
        })
    }
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
