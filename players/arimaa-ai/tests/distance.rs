//! The distances of pieces beside a twin that goes edge by edge.

mod slow_distance;

use arimaa::Square;
use arimaa_ai::{Distances, TurnMobility};
use game::Steps;
use test_support::{long, random_board, rng};

#[test]
fn the_distances_are_those_of_relaxing_edge_by_edge() {
    let count = if long() { 20_000 } else { 1_000 };
    for seed in 0..count {
        let board = random_board(&mut rng(seed));
        let mobility = TurnMobility::new(&board);
        let (found, expected) =
            (Distances::new(&board, &mobility), slow_distance::Distances::new(&board, &mobility));
        for expected in expected.iter() {
            let found = found.at(expected.square);
            assert_eq!((found.square, found.piece), (expected.square, expected.piece));
            assert_eq!(
                found.matrix, expected.matrix,
                "seed {seed}, {} on {}\n{board:?}",
                expected.piece, expected.square
            );
        }
    }
}

#[test]
fn a_distance_is_exact_within_a_turn_and_a_guess_from_5_to_15_beyond() {
    for seed in 0..300 {
        let board = random_board(&mut rng(seed));
        let mobility = TurnMobility::new(&board);
        for one in Distances::new(&board, &mobility).iter() {
            for to in Square::all().filter(|&to| to != one.square) {
                let exact = (1..=4).find(|&steps| mobility.reach(one.square, Steps(steps)).has(to));
                let found = one.matrix.at(to);
                assert!(exact.map_or((5..=15).contains(&found), |steps| steps == found));
            }
        }
    }
}
