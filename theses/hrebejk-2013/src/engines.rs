//! The engine `drake`.

use std::sync::Arc;

use arimaa::Game;
use arimaa_ai::Evaluation;
use engine::{Configuration, Engine, EngineEntry, Parameter, ParameterError};

use crate::FunctionModel;
use crate::turn_engine::{ByEvaluator, TurnEngine, TurnEvaluation};

engine::parameters! {
    /// What can be set of an engine that looks ahead by whole turns.
    pub struct TurnOptions {
        depth: 2, 1..=3, "how many whole turns it looks ahead; 1: no reply is looked at";
        evaluation: 0, 0..=3, "how positions are valued: by a learned model (0), by one that was tuned by hand on the same features (1) or as tusk does (3)";
    }
}

/// The engines of the thesis.
pub static ENGINES: &[EngineEntry<Game>] = &[EngineEntry {
    about: "bot_drake (Hřebejk's thesis, 2013): its three-layer evaluation, searched by whole turns",
    parameters: &[TurnOptions::DECLARED, MODEL],
    ..EngineEntry::new("drake", drake)
}];

/// The weights of its evaluation.
const MODEL: &[Parameter] = &[Parameter::file(
    "model",
    "the file with the weights of bot_drake's evaluation; without one, those that are part of the program",
)];

fn drake(configuration: &Configuration<Game>) -> Result<Box<dyn Engine<Game>>, ParameterError> {
    let options = TurnOptions::from_values(|name| configuration.number(name));
    let own = |embedded: fn() -> Arc<FunctionModel>| match configuration.file("model") {
        None => Ok(embedded()),
        Some(file) => file.parse(FunctionModel::from_bytes).map(Arc::new),
    };
    let evaluation: Box<dyn TurnEvaluation> = match options.evaluation {
        0 => Box::new(own(FunctionModel::embedded)?),
        1 => Box::new(own(FunctionModel::tuned_by_hand)?),
        2 => return Err(ParameterError::Gone { name: "evaluation=2", remedy: ZHONG }),
        _ => Box::new(ByEvaluator(Evaluation::default())),
    };
    let mut engine = TurnEngine::new(evaluation, options.depth as usize);
    engine.set_seed(configuration.seed);
    Ok(Box::new(engine))
}

/// What to do instead of `evaluation=2`, which was Zhong's evaluation.
const ZHONG: &str = "Zhong's evaluation belongs to the engine zhong: choose evaluation 0, 1 or 3, or the engine zhong; \
                     `tusk experiment learning` compares both";
