//! Goals that no turn prevents, recognised without a search: what is found is what playing out all turns finds.

use arimaa::{Board, GOLD, Position, SILVER, Side, Turn, WHOLE_TURN};
use arimaa_ai::{Inference, ThreatGenerator, TurnMobility, is_lost_in_two, win};
use test_support::{long, random_board, rng};

fn is_lost(board: &Board, side: Side, inference: Inference) -> bool {
    is_lost_in_two(board, side, &TurnMobility::new(board), inference)
}

/// Figure 3.5 of the thesis, as far as it tells what stands there; Gold is to move.
const FIGURE_5: &str = "
         +-----------------+
        8| r . d . . . . . |
        7| R r H . . . . . |
        6| . H x . . x . r |
        5| . . . . . . . . |
        4| . . . . . E e . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| R R . . . R D R |
         +-----------------+
           a b c d e f g h";

/// The turn that would have won, after which the thesis has Figure 3.6: the rabbit on a8 must stay there, or go to b8, and
/// both are not enough.
#[test]
fn the_only_blocker_does_not_help() {
    let board: Board = FIGURE_5.parse().unwrap();
    let mut position = Position::new(board, GOLD);
    let turn = Turn::parse("dc8e Hc7n rb7e Hb6n", &position).unwrap();
    position.play_turn_unchecked(turn);
    let after = position.board();
    assert!(!ThreatGenerator::new().has_defence(after, SILVER));
    assert!(!is_lost(after, SILVER, Inference::None));
    assert!(is_lost(after, SILVER, Inference::Blockers));
}

#[test]
fn a_goal_that_nobody_can_reach_is_seen_without_inference() {
    let board: Board = "
         +-----------------+
        8| . . . . . . . . |
        7| R H . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . e r |
        1| . . . . . . E H |
         +-----------------+
           a b c d e f g h"
        .parse()
        .unwrap();
    assert!(is_lost(&board, SILVER, Inference::None));
    // Gold has the goal itself.
    assert!(!is_lost(&board, GOLD, Inference::Blockers));
}

#[test]
fn what_is_found_has_no_defence() {
    let mut threats = ThreatGenerator::new();
    let (mut found, mut lost) = (0, 0);
    for seed in 0..if long() { 200_000 } else { 6_000 } {
        let board = random_board(&mut rng(seed));
        for side in Side::ALL {
            let is_decided = win(&board, side, WHOLE_TURN).is_some();
            if is_decided || win(&board, !side, WHOLE_TURN).is_none() {
                continue;
            }
            let has_defence = threats.has_defence(&board, side);
            lost += u32::from(!has_defence);
            if is_lost(&board, side, Inference::Blockers) {
                assert!(!has_defence, "seed {seed}, {side:?}\n{board:?}");
                found += 1;
            }
        }
    }
    println!("{found} of {lost} lost positions are recognised");
    assert!(found > lost / 50, "{found} of {lost}");
}
