//! Frames that can be made in one turn, recognised by patterns: what is found is what playing out all turns finds.

use std::time::{Duration, Instant};

use arimaa::{Bitboard, Board, GOLD, Kind, Piece, SILVER, Side, Square, TurnGenerator};
use arimaa_ai::{TurnMobility, frames_in_one_turn, is_framed};
use game::Steps;
use test_support::{GAMES, long, random_board, rng, shared_boards};

/// The traps on which a turn of the side frames an enemy that was not framed there.
fn by_playing_out(board: &Board, side: Side, generator: &mut TurnGenerator) -> Bitboard {
    let mut traps = Bitboard::EMPTY;
    for reached in generator.distinct(board, side) {
        let after = board.try_play_turn(side, reached.turn).unwrap();
        for trap in Bitboard::TRAPS & !traps {
            if is_framed(&after, trap, !side) && !is_framed(board, trap, !side) {
                traps |= trap.bit();
            }
        }
    }
    traps
}

/// Compares both for boards, and prints and returns how many of the frames were found.
fn compare(name: &str, boards: impl Iterator<Item = Board>) -> (usize, usize) {
    let mut generator = TurnGenerator::new();
    let (mut found, mut there, mut turns, mut with_frames) = (0, 0, 0, 0);
    let mut time = Duration::ZERO;
    for board in boards {
        for side in Side::ALL {
            let begin = Instant::now();
            let traps = frames_in_one_turn(&board, side);
            time += begin.elapsed();
            let expected = by_playing_out(&board, side, &mut generator);
            assert!((traps & !expected).is_empty(), "{side:?}\n{board:?}\n{traps:?}");
            (found, there, turns) = (found + traps.len(), there + expected.len(), turns + 1);
            with_frames += usize::from(!expected.is_empty());
        }
    }
    let each = time.as_secs_f64() * 1e6 / f64::from(turns.max(1));
    println!(
        "{name}: {found} of {there} frames found; {with_frames} of {turns} sides can make one; {each:.1} µs each"
    );
    (found, there)
}

#[test]
fn frames_that_are_found_on_random_boards_can_be_made() {
    let seeds = 0..if long() { 5_000 } else { 150 };
    let (found, there) = compare("random boards", seeds.map(|seed| random_board(&mut rng(seed))));
    assert!(4 * found > 3 * there, "{found} of {there}");
}

#[test]
fn frames_that_are_found_in_games_can_be_made() {
    let stride = if long() { 3 } else { 61 };
    let (found, there) = compare("games", GAMES.iter().step_by(stride).copied());
    assert!(4 * found >= 3 * there, "{found} of {there}");
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn frames_that_are_found_in_games_can_be_made() {
        let stride = if long() { 41 } else { 1_201 };
        let (found, there) = compare("games", shared_boards().into_iter().step_by(stride));
        assert!(4 * found >= 3 * there, "{found} of {there}");
    }
}

#[test]
fn a_framed_piece_is_one_that_two_steps_do_not_take_off_its_trap() {
    for seed in 0..20_000 {
        let board = random_board(&mut rng(seed));
        for trap in Bitboard::TRAPS & board.occupied() {
            let Some(piece) = board.piece_at(trap) else { continue };
            let guards = board.of(piece.side) & trap.neighbours();
            let leaves = !TurnMobility::new(&board).reach(trap, Steps(2)).is_empty();
            let expected = guards.is_single() && !leaves;
            assert_eq!(is_framed(&board, trap, piece.side), expected, "{board:?}");
        }
    }
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

#[test]
fn a_piece_is_pushed_onto_the_trap_and_shut_in() {
    let board = board(
        "
         +-----------------+
        8| . . . . . . . . |
        7| . . r . . . . . |
        6| . d x M . x . . |
        5| E . H . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . . . |
         +-----------------+
           a b c d e f g h",
    );
    // The elephant goes to a6, and pushes the dog from b6 to c6.
    assert_eq!(frames_in_one_turn(&board, GOLD), Square::C6.bit());
    assert_eq!(frames_in_one_turn(&board, SILVER), Bitboard::EMPTY);
}

#[test]
fn a_piece_that_can_push_its_way_out_is_not_framed() {
    let framed = board(
        "
         +-----------------+
        8| . . . . . . . . |
        7| . . c . . . . . |
        6| . E h M . x . . |
        5| . . H . . . . . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . . . |
         +-----------------+
           a b c d e f g h",
    );
    assert!(is_framed(&framed, Square::C6, SILVER));
    // It is framed already: nobody makes that frame.
    assert_eq!(frames_in_one_turn(&framed, GOLD), Bitboard::EMPTY);
    let mut weaker = framed;
    weaker.take(Square::C5);
    weaker.put(Piece { side: GOLD, kind: Kind::Dog }, Square::C5);
    assert!(!is_framed(&weaker, Square::C6, SILVER));
}
