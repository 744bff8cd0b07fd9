//! A net counts alone: a line that learns from nothing is given no evaluation and no likelihood of steps.

use std::sync::Arc;

use arimaa::{Game, Position, Setup};
use arimaa_ai::network_evaluation::HIDDEN;
use arimaa_ai::{NetworkInputs, alpha_beta_engine};
use engine::{Engine, EvaluationTrace, Limits, Stop, Traced};
use game::Score;
use network::{FloatNetwork, Inputs, NetworkHead};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{Evaluator, NetworkEvaluation, Parameters};

/// An evaluation that must not be asked.
struct NotAsked;

impl Evaluator<Position> for NotAsked {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Position) {}

    fn evaluate(&self, position: &Position, (): &(), (): &mut ()) -> Score {
        panic!("the evaluation was asked of {position}")
    }
}

impl Traced<Position> for NotAsked {
    fn trace(&self, position: &Position) -> EvaluationTrace {
        panic!("the evaluation was asked of {position}")
    }
}

#[test]
fn a_search_with_a_net_asks_no_other_evaluation() {
    let (shape, mut rng) = (NetworkInputs::SHAPE, ChaCha8Rng::seed_from_u64(1));
    let next = || rng.random_range(-0.3f32..0.3);
    let net = FloatNetwork::<HIDDEN>::filled(shape.count, shape.buckets, next);
    let head = NetworkHead { shape, scale: 400 };
    let network = Arc::new(net.quantised(head));
    let evaluation = NetworkEvaluation::<_, NetworkInputs, HIDDEN>::new(NotAsked, network);
    // As the engine `tusk` searches.
    let entry = engine::named(arimaa_ai::engines::ENGINES, "tusk").expect("an engine");
    let configuration = entry.configure();
    let parameters = Parameters::from_values(|name| configuration.number(name));
    let mut engine = alpha_beta_engine(evaluation, parameters, 1, 1);
    let mut game = Game::new();
    while let Some(side) = game.setting_up() {
        game.set_up(Setup::random(side, &mut rng)).expect("it is awaited");
    }
    for _ in 0..20 {
        let limits = Limits { nodes: Some(2000), ..Limits::default() };
        let info = engine.analyse(&game, &limits, &Stop::new(), &mut |_| ()).expect("a turn");
        assert!(info.nodes > 500, "{}", info.nodes);
        game::Game::play(&mut game, *info.best().expect("a turn")).expect("a legal turn");
        if game.outcome().is_some() {
            break;
        }
    }
}

#[test]
fn tusk_leaves_the_likelihood_of_steps_out_unless_it_is_asked_for() {
    let entry = engine::named(arimaa_ai::engines::ENGINES, "tusk").expect("an engine");
    let configuration = entry.configure();
    for name in ["learned_ordering", "learned_pruning"] {
        assert_eq!(configuration.number(name), Some(0), "{name}");
    }
}
