//! The engines of Arimaa that Tusk ships, by name. What is set here is what the tests of this crate
//! test.

use arimaa::{Action, Game, Position, Setup};
use engine::{
    Build, Configuration, EVALUATION_FILES, Engine, EngineEntry, ParameterError, Random, Threads,
};
use rand_chacha::ChaCha8Rng;
use search::{Evaluator, MctsParameters, Parameters, Playouts, PolicyAlone, StepKnowledge};

use crate::evaluation::Model;
use crate::greedy::Greedy;
use crate::network_evaluation::{NETWORKS, NetworkEvaluation};
use crate::{
    AlphaBetaEngine, Evaluation, MctsEngine, MctsOptions, PlayerOptions, StepPolicy,
    alpha_beta_engine, mcts_engine,
};

/// How Tusk's own evaluation is searched, and what an engine sets besides. The evaluation knows what
/// the steps are worth that are left, so that little has to be allowed for what they may still bring
/// (`docs/experiments/alphabeta.md`).
macro_rules! tuned {
    ($($setting:expr),*) => {
        &[
            ("lmr_growth", 120),
            ("lmr_history", 10_000),
            ("null_move_reduction", 6),
            ("futility_margin", 40),
            ("futility_depth", 4),
            ("step_combos", 1),
            ("capture_moves", 1),
            ("reverse_futility", 1),
            ("late_move_pruning", 6),
            ("internal_iterative_reduction", 4),
            ("continuation_history", 1),
            ("quiescence", 1),
            ("verification", 20),
            $($setting),*
        ]
    };
}

/// All engines, the usual one first. A new engine is a line here.
pub static ENGINES: &[EngineEntry<Game>] = &[
    EngineEntry {
        about: "alpha-beta with all that Tusk knows, on one thread",
        settings: tuned![],
        ..searching("tusk", tusk)
    },
    EngineEntry {
        about: "looks two steps ahead, not at the reply, and is easily content",
        settings: tuned![("random_margin", 150), ("max_depth", 2), ("threat_search", 0)],
        ..searching("beginner", tusk)
    },
    EngineEntry {
        about: "looks at its whole turn and the first step of the reply, and varies its play",
        settings: tuned![("random_margin", 30), ("max_depth", 5), ("threat_search", 0)],
        ..searching("intermediate", tusk)
    },
    EngineEntry {
        about: "looks two turns ahead and takes half of its time",
        settings: tuned![("max_depth", 9), ("time_percent", 50)],
        ..searching("expert", tusk)
    },
    EngineEntry {
        about: "all that Tusk knows, on every core of the machine",
        settings: tuned![],
        threads: Threads::Whole,
        memory: 256,
        ..searching("unbeatable", tusk)
    },
    EngineEntry {
        about: "Monte-Carlo tree search whose leaves are evaluated as Tusk does",
        settings: &[
            ("selection", 2),
            ("exploration", 120),
            ("maturity", 0),
            ("maturity_depth", 0),
            ("tree_history", 0),
            ("progressive_bias", 1000),
            ("child_cache", 0),
            ("defence_edges", 1),
            ("capture_edges", 1),
            ("forced_win_visits", 10),
            ("child_evaluation", 1),
            ("value_scale", 466),
        ],
        ..tree_searching("mcts", mcts)
    },
    EngineEntry {
        about: "the turn after which its side stands best, without a look at the reply",
        ..EngineEntry::new("greedy", |_| Ok(Box::new(Greedy::default())))
    },
    EngineEntry {
        about: "legal setups and turns by chance",
        ..EngineEntry::new("random", |configuration| {
            Ok(Box::new(Random::new(configuration.seed, random_action)))
        })
    },
];

/// The entry of an engine that searches by alpha-beta, without what it is about.
pub const fn searching(name: &'static str, build: Build<Game>) -> EngineEntry<Game> {
    EngineEntry {
        parameters: &[PlayerOptions::DECLARED, Parameters::DECLARED, EVALUATION_FILES],
        presets: &[search::PLAIN],
        threads: Threads::Any,
        memory: 64,
        ..EngineEntry::new(name, build)
    }
}

/// The entry of an engine that searches by Monte-Carlo tree search, without what it is about.
pub const fn tree_searching(name: &'static str, build: Build<Game>) -> EngineEntry<Game> {
    EngineEntry {
        parameters: &[MctsOptions::DECLARED, MctsParameters::DECLARED, EVALUATION_FILES],
        threads: Threads::Any,
        memory: 256,
        keeps_tree: true,
        ..EngineEntry::new(name, build)
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
    let (evaluation, policy) = (evaluation(configuration)?, PolicyAlone(StepPolicy::default()));
    Ok(match configuration.network(|bytes| NETWORKS.parse(bytes), || NETWORKS.embedded())? {
        Some(network) => {
            let evaluation = NetworkEvaluation::new(evaluation, network);
            Box::new(tree_player(evaluation, policy, configuration))
        }
        None => Box::new(tree_player(evaluation, policy, configuration)),
    })
}

/// The evaluation with its weights.
fn evaluation(configuration: &Configuration<Game>) -> Result<Evaluation, ParameterError> {
    configuration.model(Model::parse, Model::embedded).map(Evaluation::with_model)
}

/// The engine that searches by alpha-beta with an evaluation, as it was configured.
pub fn player<E>(evaluator: E, configuration: &Configuration<Game>) -> AlphaBetaEngine<E>
where
    AlphaBetaEngine<E>: Engine<Game>,
    E: Evaluator<Position>,
{
    let number = |name| configuration.number(name);
    let parameters = Parameters::from_values(number);
    let Configuration { memory, threads, seed, .. } = *configuration;
    let mut player = alpha_beta_engine(evaluator, parameters, memory, threads);
    player.options = PlayerOptions::from_values(number);
    player.set_seed(seed);
    player
}

/// The engine by Monte-Carlo tree search with an evaluation and a leaf policy, as it was configured.
pub fn tree_player<E, L>(
    evaluator: E,
    playouts: L,
    configuration: &Configuration<Game>,
) -> MctsEngine<E, L>
where
    MctsEngine<E, L>: Engine<Game>,
    E: Evaluator<Position>,
    L: Playouts<Position> + StepKnowledge<Position>,
{
    let number = |name| configuration.number(name);
    let parameters = MctsParameters::from_values(number);
    let Configuration { memory, threads, seed, .. } = *configuration;
    let mut player = mcts_engine(evaluator, playouts, parameters, memory, threads);
    player.options = MctsOptions::from_values(number);
    player.set_seed(seed);
    player
}

/// Something legal.
pub(crate) fn random_action(game: &Game, rng: &mut ChaCha8Rng) -> Option<Action> {
    match game.setting_up() {
        Some(side) => Some(Action::Setup(Setup::random(side, rng))),
        None => game.random_turn(rng).map(Action::Turn),
    }
}
