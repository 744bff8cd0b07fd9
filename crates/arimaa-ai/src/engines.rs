//! The engines of Arimaa that Tusk ships, by name. What is set here is what the tests of this crate
//! test.

use std::sync::Arc;

use arimaa::{Action, Game, Position, Setup};
use engine::{
    Build, Catalogue, Configuration, EVALUATION_FILES, Engine, EngineEntry, ParameterError, Random,
    Threads,
};
use rand_chacha::ChaCha8Rng;
use search::{Evaluator, Parameters};

use crate::evaluation::Model;
use crate::greedy::Greedy;
use crate::network_evaluation::{self, NetworkEvaluation};
use crate::zhong::Zhong;
use crate::{AlphaBetaEngine, Evaluation, PlayerOptions};

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
            ("verification", 10),
            $($setting),*
        ]
    };
}

/// All engines, the usual one first. A new engine is a line here.
pub static CATALOGUE: &Catalogue<Game> = &[
    EngineEntry {
        about: "alpha-beta with all that Tusk knows, on one thread",
        settings: tuned![],
        ..searching("tusk", tusk)
    },
    EngineEntry {
        about: "the same search with the evaluation of Zhong's thesis (2005)",
        parameters: &[PlayerOptions::DECLARED, Parameters::DECLARED],
        ..searching("zhong", zhong)
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
        mebibytes: 256,
        ..searching("unbeatable", tusk)
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

/// An engine that searches by alpha-beta.
const fn searching(name: &'static str, build: Build<Game>) -> EngineEntry<Game> {
    EngineEntry {
        parameters: &[PlayerOptions::DECLARED, Parameters::DECLARED, EVALUATION_FILES],
        presets: &[search::PLAIN],
        threads: Threads::Any,
        mebibytes: 64,
        ..EngineEntry::new(name, build)
    }
}

fn tusk(configuration: &Configuration<Game>) -> Result<Box<dyn Engine<Game>>, ParameterError> {
    let evaluation = match configuration.file("model") {
        None => Evaluation::default(),
        Some(file) => Evaluation::with_model(Arc::new(file.parse(Model::parse)?)),
    };
    let network = configuration.network(network_evaluation::parse, network_evaluation::embedded)?;
    Ok(match network {
        Some(network) => {
            Box::new(player(NetworkEvaluation::new(evaluation, network), configuration))
        }
        None => Box::new(player(evaluation, configuration)),
    })
}

fn zhong(configuration: &Configuration<Game>) -> Result<Box<dyn Engine<Game>>, ParameterError> {
    Ok(Box::new(player(Zhong::default(), configuration)))
}

/// A player that is configured so.
fn player<E>(evaluator: E, configuration: &Configuration<Game>) -> AlphaBetaEngine<E>
where
    AlphaBetaEngine<E>: Engine<Game>,
    E: Evaluator<Position>,
{
    let number = |name| configuration.number(name);
    let (parameters, options) =
        (Parameters::from_values(number), PlayerOptions::from_values(number));
    let Configuration { mebibytes, threads, seed, .. } = *configuration;
    let mut player = AlphaBetaEngine::new(evaluator, parameters, mebibytes, threads);
    player.options = options;
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
