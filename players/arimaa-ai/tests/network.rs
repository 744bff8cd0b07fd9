//! The evaluation by a net: what is kept up is what is there from scratch.

use std::sync::Arc;

use arimaa::{GOLD, Game, Position};
use arimaa_ai::network_evaluation::{ArimaaNetwork, NETWORKS};
use arimaa_ai::{Evaluation, NetworkEvaluation, NetworkInputs, choose_setup};
use engine::Traced;
use game::Score;
use network::{FloatNetwork, InputShape, Inputs, NetworkHead};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{Evaluator, PlayedMove};

/// A net by chance.
fn any_network(scale: i32) -> ArimaaNetwork {
    network_with(NetworkInputs::SHAPE, scale)
}

fn network_with(shape: InputShape, scale: i32) -> ArimaaNetwork {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let next = || rng.random_range(-0.3f32..0.3);
    let net = FloatNetwork::filled(shape.count, shape.buckets, next);
    net.quantised(NetworkHead { shape, scale })
}

/// Calls `visit` with a step and the position before it, for each step of games by chance.
fn for_each_step(games: u64, mut visit: impl FnMut(&Position, arimaa::Step)) {
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new();
        while let Some(side) = game.setting_up() {
            let setup = choose_setup(side, game.position().board(), &mut rng);
            game.set_up(setup).expect("a legal setup");
        }
        let mut position = *game.position();
        for _ in 0..2000 {
            let steps = position.steps();
            if position.outcome().is_some() || steps.is_empty() {
                break;
            }
            let step = steps[rng.random_range(0..steps.len())];
            visit(&position, step);
            position.play_unchecked(step);
        }
    }
}

#[test]
fn the_state_that_is_kept_up_is_that_from_scratch() {
    let network = Arc::new(any_network(300));
    let evaluation = NetworkEvaluation::new(Evaluation::default(), network);
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
    assert!(steps > 100_000, "{steps} steps");
}

#[test]
fn the_state_after_a_move_of_several_steps_is_that_from_scratch() {
    let evaluation = NetworkEvaluation::new(Evaluation::default(), Arc::new(any_network(300)));
    let (mut turns, mut begun) = (0, None);
    for_each_step(100, |position, step| {
        let (start, mut steps) = begun.take().unwrap_or((*position, Vec::new()));
        let mut after = *position;
        after.play_unchecked(step);
        steps.push(step);
        let before = evaluation.state(&start);
        let mut next = before.clone();
        let played = PlayedMove { before: &start, steps: &steps, after: &after };
        evaluation.advance(played, &before, &mut next);
        assert_eq!(next, evaluation.state(&after), "{start} {steps:?}");
        turns += usize::from(after.turn_starts());
        let goes_on = !after.turn_starts() && !after.steps().is_empty();
        begun = goes_on.then_some((start, steps));
    });
    assert!(turns > 5_000, "{turns} turns");
}

#[test]
fn both_sides_see_the_same_from_their_homes() {
    let network = Arc::new(any_network(300));
    let evaluation = NetworkEvaluation::new(Evaluation::default(), network);
    for_each_step(5, |position, _| {
        if position.turn_starts() {
            let flipped = Position::new(position.board().mirrored(), !position.side());
            let score = |position: &Position| {
                evaluation.evaluate(position, &evaluation.state(position), &mut ())
            };
            assert_eq!(score(position), score(&flipped), "{position}");
        }
    });
}

#[test]
fn the_trace_has_the_net_as_its_term_and_names_every_piece() {
    let network = Arc::new(any_network(300));
    let evaluation = NetworkEvaluation::new(Evaluation::default(), network);
    for_each_step(3, |position, _| {
        let (trace, state) = (evaluation.trace(position), evaluation.state(position));
        assert_eq!(trace.score, evaluation.evaluate(position, &state, &mut ()));
        assert_eq!(trace["network"][position.side()], evaluation.output(position, &state));
        assert_eq!(trace.pieces.len(), position.board().occupied().len());
        let sign = if position.side() == GOLD { 1 } else { -1 };
        assert_eq!(trace.balance, sign * trace.score.0);
    });
}

#[test]
fn estimates_stay_below_proofs() {
    let evaluation =
        NetworkEvaluation::new(Evaluation::default(), Arc::new(any_network(1_000_000)));
    let position: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let score = evaluation.evaluate(&position, &evaluation.state(&position), &mut ());
    assert_eq!(score.0.abs(), 30_000);
}

#[test]
fn a_net_with_another_baseline_is_refused() {
    let mut bytes = any_network(300).to_bytes();
    assert!(NETWORKS.parse(&bytes).is_ok());
    let at = bytes.windows(4).position(|bytes| bytes == b"none").expect("its place");
    bytes[at..at + 4].copy_from_slice(b"hand");
    let fault = NETWORKS.parse(&bytes).expect_err("another baseline").to_string();
    assert!(fault.starts_with("the net corrects `hand`, but a net counts alone"), "{fault}");
}

#[test]
fn a_net_with_buckets_by_goals_is_read_and_uses_all_of_them() {
    let shape = InputShape { buckets: 16, ..NetworkInputs::SHAPE };
    let network = network_with(shape, 300);
    let network = NETWORKS.parse(&network.to_bytes()).expect("a net with 16 buckets");
    assert_eq!(network.head().shape, shape);
    let mut used = [0; 16];
    for_each_step(100, |position, _| {
        let bucket = NetworkInputs::bucket(position, 16);
        used[bucket] += 1;
        let state = network.state::<NetworkInputs>(position);
        let [mover, other] = [position.side(), !position.side()].map(|side| {
            let mut features = Vec::new();
            NetworkInputs::for_each_feature(&Position::new(*position.board(), side), |it| {
                features.push(it);
            });
            network.accumulator(&features)
        });
        let score = network.output::<NetworkInputs>(position, &state);
        assert_eq!(score, network.evaluate(&mover, &other, bucket), "{position}");
    });
    assert!(used.iter().all(|&count| count > 0), "{used:?}");
}
