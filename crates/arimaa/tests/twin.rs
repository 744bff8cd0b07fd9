//! Every fast routine meets its slow twin, on random positions and on those of real games.

mod common;

use std::collections::HashSet;
use std::ops::ControlFlow;

use arimaa::{Board, Direction, Mobility, Position, Side, Square, Step, StepError, TurnGenerator};
use common::{Twin, long, random_game, rng, scattered, table};
use rand::RngExt;

/// Positions of random games and scattered pieces, both sides to move.
fn positions(games: u64, boards: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        random_game(seed, &mut |game| positions.push(*game.position()));
    }
    let mut rng = rng(99);
    for _ in 0..boards {
        let board = scattered(&mut rng);
        positions.extend(Side::ALL.map(|side| Position::new(board, side)));
    }
    positions
}

/// The moves of a step and the board after it, of all single steps, pushes and pulls.
type Listed = HashSet<(Vec<(Square, Square)>, Twin)>;

fn listed(position: &Position) -> Listed {
    let moves = |step: Step| {
        let mut board = *position.board();
        board.play(step, &mut ());
        (step.moves().collect(), Twin::of(&board))
    };
    let steps = position.steps();
    let listed: Listed =
        steps.iter().copied().filter(|&step| step != Step::PASS).map(moves).collect();
    let passes = steps.iter().filter(|&&step| step == Step::PASS).count();
    assert_eq!(listed.len() + passes, steps.len(), "{position}: a step is listed twice");
    listed
}

#[test]
fn the_listed_steps_are_the_twins() {
    let positions = positions(if long() { 400 } else { 40 }, if long() { 200_000 } else { 10_000 });
    for position in &positions {
        let (singles, doubles) = Twin::of(position.board()).steps(position.side());
        let expected: Listed = singles.into_iter().chain(doubles).collect();
        assert_eq!(listed(position), expected, "{position}");
    }
    println!("{} positions", positions.len());
}

#[test]
fn the_frozen_pieces_are_the_twins() {
    for position in positions(10, 5_000) {
        let twin = Twin::of(position.board());
        for side in Side::ALL {
            let mobility = Mobility::new(position.board(), side);
            for square in mobility.own {
                assert_eq!(!mobility.free.has(square), twin.frozen(square), "{position} {square}");
            }
        }
    }
}

/// Every step that the constructors can make of a square and directions, on the board or off it.
fn conceivable_steps() -> Vec<Step> {
    let mut steps = vec![Step::PASS];
    for from in Square::all() {
        for to in Direction::ALL {
            steps.push(Step::single(from, to));
            for victim in Direction::ALL {
                steps.push(Step::push(from, victim, to));
                steps.push(Step::pull(from, victim, to));
            }
        }
    }
    steps
}

#[test]
fn a_listed_step_is_played_and_any_other_refused() {
    let conceivable = conceivable_steps();
    let mut rng = rng(5);
    for position in positions(3, 150) {
        // Inside the turn as well, until it is over.
        let mut position = position;
        let side = position.side();
        while position.side() == side {
            let steps = position.steps();
            for &step in &conceivable {
                let mut after = position;
                let played = after.try_play(step);
                assert_eq!(played.is_ok(), steps.contains(&step), "{position} {step:?} {played:?}");
                if played.is_err() {
                    assert_eq!(after, position, "a refused step changes nothing");
                }
            }
            let Some(&step) = steps.get(rng.random_range(0..steps.len().max(1))) else { break };
            position.play_unchecked(step);
        }
    }
}

#[test]
fn keys_kept_step_by_step_are_those_computed_anew() {
    let mut rng = rng(6);
    for position in positions(20, 2_000) {
        let mut position = position;
        let (side, start) = (position.side(), *position.board());
        while position.side() == side {
            assert_eq!(position.key(), position.recomputed_key(&start), "{position}");
            let steps = position.steps();
            let Some(&step) = steps.get(rng.random_range(0..steps.len().max(1))) else { break };
            let expected = position.board().key_after(step, position.repetition_key());
            position.play_unchecked(step);
            let fresh = Position::new(*position.board(), side);
            assert_eq!(expected, fresh.repetition_key(), "{position} {step:?}");
        }
        let fresh = Position::new(*position.board(), position.side());
        if position.side() != side {
            assert_eq!(position.key(), fresh.key(), "{position}");
        }
    }
}

#[test]
fn the_key_tells_the_steps_left_and_the_board_the_turn_began_with() {
    let start: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let play = |steps: &[Step]| {
        let mut position = start;
        steps.iter().for_each(|&step| position.try_play(step).unwrap());
        position
    };
    let (north, south) = (Direction::North, Direction::South);
    let (up, down) = (Step::single(Square::E2, north), Step::single(Square::E3, south));
    let (one, three) = (play(&[up]), play(&[up, down, up]));
    assert_eq!(one.board(), three.board());
    assert_ne!(one.key(), three.key());
    assert_eq!(one.repetition_key(), three.repetition_key());

    // The same board after one step, in a turn that began elsewhere.
    let mut other = Position::new(*play(&[Step::single(Square::D2, north)]).board(), start.side());
    other.try_play(Step::single(Square::D3, south)).unwrap();
    other.try_play(up).unwrap();
    let mut same = start;
    same.try_play(Step::single(Square::D2, north)).unwrap();
    same.try_play(Step::single(Square::D3, south)).unwrap();
    assert_eq!((same.board(), same.key()), (start.board(), same.key()));
    same.try_play(up).unwrap();
    assert_eq!(other.board(), same.board());
    assert_ne!(other.key(), same.key());
}

/// The boards that the generator reaches, each checked to be reached by its steps and its key.
fn reached(generator: &mut TurnGenerator, board: &Board, side: Side) -> HashSet<Twin> {
    let start = Position::new(*board, side);
    let mut boards = HashSet::new();
    let mut cost = 0;
    for reached in generator.distinct(board, side) {
        let mut after = start;
        after.try_play_turn(reached.turn).unwrap_or_else(|e| panic!("{start} {reached:?}: {e}"));
        assert_eq!(after.repetition_key(), reached.key, "{start} {reached:?}");
        assert!(boards.insert(Twin::of(after.board())), "{start} {reached:?}: twice");
        let steps = reached.turn.steps().map(|step| step.cost().0).sum();
        assert!(steps >= cost, "{start}: the shorter turns come first");
        cost = steps;
    }
    boards
}

#[test]
fn the_distinct_turns_are_the_twins() {
    let mut generator = TurnGenerator::new();
    let stride = if long() { 40 } else { 400 };
    let mut compared = 0;
    for position in positions(30, 4_000).iter().step_by(stride) {
        let expected = Twin::of(position.board()).turns(position.side());
        let found = reached(&mut generator, position.board(), position.side());
        assert_eq!(found, expected, "{position}");
        compared += found.len();
    }
    assert!(compared > 0);
    println!("{compared} turns");
}

#[test]
fn each_distinct_turn_is_one_of_the_fewest_steps() {
    let mut generator = TurnGenerator::new();
    for position in positions(4, 200).iter().step_by(60) {
        let layers = Twin::of(position.board()).layers(position.side(), 3);
        for reached in generator.distinct(position.board(), position.side()) {
            let mut after = *position;
            after.play_turn_unchecked(reached.turn);
            let least = layers.iter().position(|layer| layer.contains(&Twin::of(after.board())));
            let cost: usize = reached.turn.steps().map(|step| step.cost().0 as usize).sum();
            assert_eq!(cost, least.unwrap_or(4), "{position} {reached:?}");
        }
    }
}

#[test]
fn the_counts_of_distinct_turns_are_those_of_the_table() {
    let mut generator = TurnGenerator::new();
    for (position, row) in table("arimaa/turns.tsv") {
        let count = generator.distinct(position.board(), position.side()).len();
        assert_eq!(count.to_string(), row[0], "{position}");
    }
}

#[test]
fn every_turn_of_the_tables_positions_is_reached_by_its_steps() {
    let mut generator = TurnGenerator::new();
    let stride = if long() { 1 } else { 20 };
    for (position, row) in table("arimaa/turns.tsv").iter().step_by(stride) {
        let found = reached(&mut generator, position.board(), position.side());
        assert_eq!(found.len().to_string(), row[0], "{position}");
    }
}

#[test]
fn steps_stop_when_the_visitor_asks() {
    let position: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let mut seen = 0;
    let flow = position.for_each_step(|_| {
        seen += 1;
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(flow.is_break());
    assert_eq!(seen, 3);
}

#[test]
fn random_turns_are_legal() {
    let mut rng = rng(8);
    for position in positions(2, 500) {
        let mut after = position;
        if let Some(turn) = after.play_random_turn(&mut rng) {
            let mut checked = position;
            checked.try_play_turn(turn).unwrap();
            assert_eq!(checked, after);
        } else {
            assert!(!position.can_move());
        }
    }
}

#[test]
fn a_turn_of_more_than_four_steps_is_refused() {
    let start: Position =
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
    let mut position = start;
    for square in [Square::E2, Square::E3, Square::E4] {
        position.try_play(Step::single(square, Direction::North)).unwrap();
    }
    let push = Step::push(Square::E5, Direction::North, Direction::West);
    assert_eq!(position.try_play(push), Err(StepError::Empty { square: Square::E6 }));
    position.try_play(Step::single(Square::E5, Direction::North)).unwrap();
    assert_ne!(position.side(), start.side());
}
