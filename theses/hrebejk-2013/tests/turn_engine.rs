//! The engine that looks ahead by whole turns: it finds what playing out all turns finds, within its limits.

use std::time::Duration;

use arimaa::{Action, Game, Picture, Position, Turn, TurnGenerator, WHOLE_TURN};
use arimaa_ai::{Evaluation, choose_setup, win};
use engine::{Engine, Info, Limits, Stop, Verdict};
use game::{Proof, Score, Steps, Turns};
use hrebejk_2013::{ByEvaluator, ENGINES, FunctionModel, TurnEngine};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn analyse(engine: &mut dyn Engine<Game>, game: &Game, limits: &Limits) -> Info<Action> {
    engine.analyse(game, limits, &Stop::new(), &mut |_| ()).expect("a turn")
}

fn first_turn(info: &Info<Action>) -> Turn {
    match info.best() {
        Some(Action::Turn(turn)) => *turn,
        other => panic!("{other:?}"),
    }
}

fn game(picture: &str) -> Game {
    let picture: Picture = picture.parse().expect("a picture");
    Game::from_position(picture.position())
}

/// Few pieces, of which nobody wins within a turn.
fn endgame() -> Game {
    game(
        "2g
         +-----------------+
        8| . . . r . . . . |
        7| . . . . . . . r |
        6| . . x . . x . . |
        5| . . . e . . . . |
        4| . . . . E . . . |
        3| . . x . . x . . |
        2| R . . . . . . . |
        1| . . . . R . . . |
         +-----------------+
           a b c d e f g h",
    )
}

/// A game after its setups.
fn opening(seed: u64) -> Game {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = Game::new();
    while let Some(side) = game.setting_up() {
        let setup = choose_setup(side, game.position().board(), &mut rng);
        game.set_up(setup).expect("a legal setup");
    }
    game
}

/// What the side to move can get within so many turns, by playing out all of them.
fn minimax(evaluation: &Evaluation, position: &Position, turns: usize) -> Score {
    match position.outcome() {
        Some(outcome) if outcome.winner == position.side() => return Score(100_000),
        Some(_) => return Score(-100_000),
        None if win(position.board(), position.side(), WHOLE_TURN).is_some() => {
            return Score(100_000);
        }
        None if turns == 0 => return evaluation.evaluate(position),
        None => {}
    }
    let mut generator = TurnGenerator::new();
    let replies = generator.distinct(position.board(), position.side()).iter().map(|reached| {
        let mut after = *position;
        after.play_turn_unchecked(reached.turn);
        -minimax(evaluation, &after, turns - 1)
    });
    replies.max().expect("a turn")
}

#[test]
fn it_finds_what_playing_out_all_turns_finds() {
    let evaluation = Evaluation::default();
    let game = endgame();
    for turns in 1..=2 {
        let mut engine = TurnEngine::new(Box::new(ByEvaluator(evaluation.clone())), turns);
        let info = analyse(&mut engine, &game, &Limits::default());
        let expected = minimax(&evaluation, game.position(), turns);
        assert_eq!(info.verdict(), Some(Verdict::Score(expected)), "{turns} turns");
        assert_eq!(info.depth, Steps(4 * turns as u8));
        assert_eq!(info.pv().len(), turns);
    }
}

#[test]
fn by_a_model_it_plays_the_turn_after_which_the_other_side_stands_worst() {
    let (model, game) = (FunctionModel::embedded(), endgame());
    let mut engine = TurnEngine::new(Box::new(model.clone()), 1);
    let chosen = first_turn(&analyse(&mut engine, &game, &Limits::default()));
    let value = |turn: Turn| {
        let mut after = *game.position();
        after.play_turn_unchecked(turn);
        let is_lost = win(after.board(), after.side(), WHOLE_TURN).is_some();
        if is_lost { f32::NEG_INFINITY } else { -model.evaluate(&after) }
    };
    let mut generator = TurnGenerator::new();
    let turns = generator.distinct(game.position().board(), game.position().side());
    assert!(turns.iter().all(|reached| value(reached.turn) <= value(chosen)));
}

#[test]
fn several_lines_come_in_the_order_of_their_values() {
    let mut engine = TurnEngine::new(Box::new(ByEvaluator(Evaluation::default())), 2);
    let best = analyse(&mut engine, &endgame(), &Limits::default());
    engine.set_lines(3);
    let lines = analyse(&mut engine, &endgame(), &Limits::default()).lines;
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], best.lines[0]);
    let values: Vec<Score> = lines.iter().map(|line| line.verdict.unwrap().as_score()).collect();
    assert!(values.is_sorted_by(|one, other| one >= other), "{values:?}");
    assert!(lines[0].pv[0] != lines[1].pv[0] && lines[1].pv[0] != lines[2].pv[0]);
}

#[test]
fn a_win_is_played_and_a_loss_is_seen() {
    let won = game(
        "2g
         +-----------------+
        8| . . . . . . . . |
        7| R . . . . . . . |
        6| . . x . . x . . |
        5| . r . e . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . . . |
         +-----------------+
           a b c d e f g h",
    );
    let mut engine = TurnEngine::new(Box::new(FunctionModel::embedded()), 1);
    let info = analyse(&mut engine, &won, &Limits::default());
    assert_eq!(info.verdict(), Some(Verdict::Proof(Proof::Win(Turns(1)))));
    let mut after = won.clone();
    after.try_play(first_turn(&info)).expect("a legal turn");
    assert!(after.outcome().is_some());

    let lost = game(
        "2s
         +-----------------+
        8| . . . . . . . . |
        7| R . . . . . . . |
        6| . . x . . x . r |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . E . |
         +-----------------+
           a b c d e f g h",
    );
    let info = analyse(&mut engine, &lost, &Limits::default());
    assert_eq!(info.verdict(), Some(Verdict::Proof(Proof::Loss(Turns(1)))));
}

#[test]
fn inside_a_turn_it_finds_how_to_end_it() {
    let start = opening(3);
    let position = start.position();
    let steps = position.steps();
    let inside = start.inside(&steps[..1]).expect("a legal step");
    let mut engine = TurnEngine::new(Box::new(ByEvaluator(Evaluation::default())), 1);
    let turn = first_turn(&analyse(&mut engine, &inside, &Limits::default()));
    assert!(turn.cost() <= inside.position().steps_left());
    let mut after = *inside.position();
    after.try_play_turn(turn).expect("a legal end of the turn");
}

#[test]
fn every_evaluation_plays_legal_games_within_few_nodes_and_the_same_ones_again() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let entry = engine::named(ENGINES, "drake").expect("the engine");
    for evaluation in ["learned", "by-hand", "tusk"] {
        let nodes = rng.random_range(1..=60);
        let play = || {
            let mut configuration = entry.configure();
            configuration.set("evaluation", evaluation).expect("an evaluation");
            configuration.set("depth", "3").expect("a depth");
            configuration.seed = 9;
            let mut engine = configuration.build().expect("an engine");
            let mut game = Game::new();
            for _ in 0..24 {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                match analyse(&mut engine, &game, &limits).best().expect("an action") {
                    Action::Setup(setup) => game.set_up(*setup).expect("a legal setup"),
                    Action::Turn(turn) => game.try_play(*turn).expect("a legal turn"),
                }
            }
            *game.position()
        };
        assert_eq!(play(), play(), "evaluation {evaluation}");
    }
}

#[test]
fn without_time_it_plays_a_turn_and_ends() {
    // Three turns of an opening have some 10^12 ends: a search that overlooks its limit does not end.
    let mut engine = TurnEngine::new(Box::new(FunctionModel::embedded()), 3);
    for time in [Duration::ZERO, Duration::from_millis(30)] {
        let info = analyse(&mut engine, &opening(1), &Limits::time(time));
        assert!(info.best().is_some());
    }
}

#[test]
fn the_evaluation_of_another_thesis_is_refused_with_what_to_choose_instead() {
    let entry = engine::named(ENGINES, "drake").expect("the engine");
    let mut configuration = entry.configure();
    configuration.set("evaluation", "2").expect("a number of old files");
    let error = configuration.build().err().expect("a refusal").to_string();
    assert!(error.starts_with("evaluation=zhong is no longer there"), "{error}");
    assert!(error.contains("the engine zhong"), "{error}");
}
