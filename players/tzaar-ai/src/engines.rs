//! The engines of Tzaar that Tusk ships, by name. What is set here is what the tests of this crate test.

use engine::{
    Configuration, EVALUATION_FILES, Engine, EngineEntry, ParameterError, Random, Threads,
};
use search::{Evaluator, InitialProofNumbers, MctsParameters, Parameters};
use tzaar::{Game, Position};

use crate::evaluation::Model;
use crate::network_evaluation::{NETWORKS, NetworkEvaluation};
use crate::{
    AlphaBetaEngine, Evaluation, MctsEngine, MctsOptions, PlayerOptions, alpha_beta_engine,
    mcts_engine,
};

/// All engines, the usual one first. A new engine is a line here.
pub static ENGINES: &[EngineEntry<Game>] = &[
    EngineEntry {
        about: "proofs where few stacks are left, else alpha-beta with all that Tusk knows",
        ..searching("tusk")
    },
    EngineEntry {
        about: "looks at its own turn alone, and is easily content",
        settings: &[("random_margin", 300), ("max_depth", 2), ("proof_stacks", 0)],
        ..searching("beginner")
    },
    EngineEntry {
        about: "looks at its turn and the first move of the reply, and varies its play",
        settings: &[("random_margin", 60), ("max_depth", 3), ("proof_stacks", 0)],
        ..searching("intermediate")
    },
    EngineEntry {
        about: "looks at its turn and the reply, and takes half of its time",
        settings: &[("max_depth", 5), ("time_percent", 50), ("proof_stacks", 16)],
        ..searching("expert")
    },
    EngineEntry {
        about: "all that Tusk knows, on every core of the machine",
        threads: Threads::Whole,
        memory: 256,
        ..searching("unbeatable")
    },
    EngineEntry {
        about: "Monte-Carlo tree search whose leaves are evaluated as Tusk does",
        parameters: &[MctsOptions::DECLARED, MctsParameters::DECLARED, EVALUATION_FILES],
        settings: &[
            ("selection", 2),
            ("exploration", 500),
            ("maturity", 0),
            ("maturity_depth", 0),
            ("tree_history", 0),
            ("progressive_bias", 0),
            ("child_cache", 0),
            ("child_evaluation", 1),
            ("value_scale", 252),
        ],
        threads: Threads::Any,
        memory: 256,
        keeps_tree: true,
        ..EngineEntry::new("mcts", mcts)
    },
    EngineEntry {
        about: "legal turns by chance",
        ..EngineEntry::new("random", |configuration| {
            Ok(Box::new(Random::new(configuration.seed, Game::random_turn)))
        })
    },
];

/// An engine that searches as Tusk does.
const fn searching(name: &'static str) -> EngineEntry<Game> {
    EngineEntry {
        parameters: &[PlayerOptions::DECLARED, Parameters::DECLARED, EVALUATION_FILES],
        presets: &[search::PLAIN],
        threads: Threads::Any,
        memory: 64,
        ..EngineEntry::new(name, tusk)
    }
}

fn tusk(configuration: &Configuration<Game>) -> Result<Box<dyn Engine<Game>>, ParameterError> {
    let evaluation = evaluation(configuration)?;
    Ok(match configuration.network(|bytes| NETWORKS.parse(bytes), || NETWORKS.embedded())? {
        Some(network) => {
            Box::new(player(NetworkEvaluation::new(evaluation, network), configuration))
        }
        None => Box::new(player(evaluation, configuration)),
    })
}

fn mcts(configuration: &Configuration<Game>) -> Result<Box<dyn Engine<Game>>, ParameterError> {
    let evaluation = evaluation(configuration)?;
    Ok(match configuration.network(|bytes| NETWORKS.parse(bytes), || NETWORKS.embedded())? {
        Some(network) => {
            Box::new(tree_player(NetworkEvaluation::new(evaluation, network), configuration))
        }
        None => Box::new(tree_player(evaluation, configuration)),
    })
}

/// The evaluation with its weights.
fn evaluation(configuration: &Configuration<Game>) -> Result<Evaluation, ParameterError> {
    configuration.model(Model::parse, Model::embedded).map(Evaluation::with_model)
}

/// The engine that searches by alpha-beta with an evaluation, as it was configured.
fn player<E>(evaluator: E, configuration: &Configuration<Game>) -> AlphaBetaEngine<E>
where
    AlphaBetaEngine<E>: Engine<Game>,
    E: Evaluator<Position> + InitialProofNumbers<Position>,
{
    let number = |name| configuration.number(name);
    let Configuration { memory, threads, seed, .. } = *configuration;
    let parameters = Parameters::from_values(number);
    let mut player = alpha_beta_engine(evaluator, parameters, memory, threads);
    player.options = PlayerOptions::from_values(number);
    player.set_seed(seed);
    player
}

/// The engine by Monte-Carlo tree search with an evaluation, as it was configured.
fn tree_player<E>(evaluator: E, configuration: &Configuration<Game>) -> MctsEngine<E>
where
    MctsEngine<E>: Engine<Game>,
    E: Evaluator<Position> + InitialProofNumbers<Position>,
{
    let number = |name| configuration.number(name);
    let parameters = MctsParameters::from_values(number);
    let Configuration { memory, threads, seed, .. } = *configuration;
    let mut player = mcts_engine(evaluator, parameters, memory, threads);
    player.options = MctsOptions::from_values(number);
    player.set_seed(seed);
    player
}
