//! The evaluation by a net: what is kept up is what is there from scratch.

use std::sync::Arc;

use engine::Traced;
use game::{Position as _, Score};
use network::{FloatNetwork, InputShape, Inputs, NetworkHead};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::Evaluator;
use tzaar::{Position, Step};
use tzaar_ai::network_evaluation::{NETWORKS, TzaarNetwork};
use tzaar_ai::{Evaluation, NetworkEvaluation, NetworkInputs};

/// A net by chance.
fn any_network(shape: InputShape) -> TzaarNetwork {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let next = || rng.random_range(-0.3f32..0.3);
    let net = FloatNetwork::filled(shape.count, shape.buckets, next);
    net.quantised(NetworkHead { shape, scale: 250 })
}

fn evaluation() -> NetworkEvaluation {
    let network = any_network(NetworkInputs::SHAPE);
    NetworkEvaluation::new(Evaluation::default(), Arc::new(network))
}

/// Calls `visit` with a step and the position before it, for each step of games by chance. Every other game begins
/// with the placing of pieces.
fn for_each_step(games: u64, mut visit: impl FnMut(&Position, Step)) {
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut position = match seed % 2 {
            0 => Position::random_start(&mut rng),
            _ => Position::tournament_start(),
        };
        while position.outcome().is_none() {
            let steps = position.steps();
            let step = steps[rng.random_range(0..steps.len())];
            visit(&position, step);
            position.play(step);
        }
    }
}

#[test]
fn the_state_that_is_kept_up_is_that_from_scratch() {
    let evaluation = evaluation();
    let (mut steps, mut kept) = (0, None);
    for_each_step(400, |position, step| {
        let mut after = *position;
        // The state of the game so far; from scratch where a game begins.
        let mut state = match kept.take() {
            Some((there, state)) if there == *position => state,
            _ => evaluation.state(position),
        };
        evaluation.play(&mut after, &mut state, step);
        assert_eq!(state, evaluation.state(&after), "{position} {step:?}");
        let score = evaluation.evaluate(&after, &state, &mut ());
        assert_eq!(score, Score(evaluation.output(&after, &state)));
        kept = Some((after, state));
        steps += 1;
    });
    assert!(steps > 20_000, "{steps} steps");
}

#[test]
fn the_trace_has_the_net_as_its_term_and_names_every_stack() {
    let evaluation = evaluation();
    for_each_step(3, |position, _| {
        let (trace, state) = (evaluation.trace(position), evaluation.state(position));
        assert_eq!(trace.score, evaluation.evaluate(position, &state, &mut ()));
        assert_eq!(trace["network"][position.side()], evaluation.output(position, &state));
        assert_eq!(trace.pieces.len(), position.board().stacks());
    });
}

#[test]
fn a_net_for_something_else_is_refused() {
    let fault = |network: TzaarNetwork| {
        NETWORKS.parse(&network.to_bytes()).expect_err("a fault").to_string()
    };
    let shape = NetworkInputs::SHAPE;
    let of_arimaa = InputShape { model: "arimaa", ..shape };
    assert_eq!(fault(any_network(of_arimaa)), "the game of the net is `arimaa`, expected `tzaar`");
    assert!(NETWORKS.parse(&any_network(shape).to_bytes()).is_ok());
}
