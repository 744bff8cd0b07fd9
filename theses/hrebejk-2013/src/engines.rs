//! The engine `drake`.

use std::sync::Arc;

use arimaa::Game;
use arimaa_ai::Evaluation;
use engine::{Configuration, Engine, EngineEntry, Parameter, ParameterError, choice, parameters};

use crate::FunctionModel;
use crate::turn_engine::{ByEvaluator, TurnEngine, TurnEvaluation};

choice! {
    /// How the engine `drake` values positions.
    pub enum PositionValue {
        /// By a learned model.
        Learned = "learned",
        /// By the model that was tuned by hand, on the same features.
        ByHand = "by-hand",
        /// As Zhong's thesis does: only older versions did.
        Zhong = "zhong",
        /// As Tusk does.
        Tusk = "tusk",
    }
}

parameters! {
    /// What can be set of an engine that looks ahead by whole turns.
    pub struct TurnOptions {
        depth: number(1..=3) = 2, "how many whole turns it looks ahead; 1: no reply is looked at";
        evaluation: PositionValue = PositionValue::Learned, "how positions are valued: by a learned model, by one that was tuned by hand on the same features, or as tusk does; zhong is refused, with what to choose instead";
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
        PositionValue::Learned => Box::new(own(FunctionModel::embedded)?),
        PositionValue::ByHand => Box::new(own(FunctionModel::tuned_by_hand)?),
        PositionValue::Zhong => {
            return Err(ParameterError::Gone { name: "evaluation=zhong", remedy: ZHONG });
        }
        PositionValue::Tusk => Box::new(ByEvaluator(Evaluation::default())),
    };
    let mut engine = TurnEngine::new(evaluation, options.depth as usize);
    engine.set_seed(configuration.seed);
    Ok(Box::new(engine))
}

/// What to set instead of Zhong's evaluation.
const ZHONG: &str = "Zhong's evaluation belongs to the engine zhong: choose that engine, or evaluation=learned, by-hand or \
                     tusk; `tusk experiment learning` compares both";
