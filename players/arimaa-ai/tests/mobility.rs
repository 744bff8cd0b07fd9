//! What each piece can do and suffer within a turn is what a twin finds that plays out everything.
//!
//! The long campaign, with a number of positions and of the campaign of one's choice:
//!
//! ```text
//! TUSK_LONG=1 TUSK_MOBILITY_POSITIONS=5000000 TUSK_MOBILITY_SEED=1 \
//!     cargo test -p arimaa-ai --release --test mobility random -- --nocapture
//! ```

use std::sync::atomic::{AtomicU64, Ordering};

use arimaa::{Board, Position, Square};
use arimaa_ai::TurnMobility;
use game::Steps;
use test_support::{GAMES, for_each_number, long, number, random_board, rng, shared_boards};

/// Compares all outputs for a board.
fn check(board: &Board, source: &str) {
    let found = TurnMobility::new(board);
    assert_eq!(found, TurnMobility::plain(board), "one board at a time, {source}");
    let expected = TurnMobility::by_playing_out(board);
    if found == expected {
        return;
    }
    let position = Position::new(*board, arimaa::GOLD);
    for steps in (1..=4).map(Steps) {
        for (square, piece) in board.pieces() {
            assert_eq!(
                found.reach(square, steps),
                expected.reach(square, steps),
                "{position} ({source})\nreach of the {piece} on {square}, {steps} steps"
            );
            assert_eq!(
                found.displaced(square, steps),
                expected.displaced(square, steps),
                "{position} ({source})\nwhere the {piece} on {square} is moved, {steps} steps"
            );
        }
        assert_eq!(
            found.captured(steps),
            expected.captured(steps),
            "{position} ({source})\ncaptured by {steps} steps"
        );
    }
    panic!("{position} ({source}): squares without a piece have mobility");
}

fn compare(count: u64, board: impl Fn(u64) -> (Board, String) + Sync) {
    let compared = AtomicU64::new(0);
    let work = |_: &mut (), number| {
        let (board, source) = board(number);
        check(&board, &source);
        compared.fetch_add(1, Ordering::Relaxed);
    };
    for_each_number(count, work, || println!("so far: {compared:?} positions"));
    println!("compared: {compared:?} positions");
}

#[test]
fn the_mobility_on_random_boards_is_that_of_all_turns() {
    let positions = if long() { number("TUSK_MOBILITY_POSITIONS", 100_000) } else { 1_500 };
    let first = number("TUSK_MOBILITY_SEED", 0) << 40;
    compare(positions, |number| {
        let seed = first + number;
        (random_board(&mut rng(seed)), format!("seed {seed}"))
    });
}

/// Compares the mobility on one board in `stride`.
fn compare_on(boards: &[Board], stride: usize) {
    let count = boards.len().div_ceil(stride) as u64;
    compare(count, |number| (boards[number as usize * stride], "a game".to_owned()));
}

#[test]
fn the_mobility_in_games_is_that_of_all_turns() {
    compare_on(&GAMES, if long() { 1 } else { 19 });
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_mobility_in_games_is_that_of_all_turns() {
        let stride = if long() { number("TUSK_MOBILITY_STRIDE", 20) as usize } else { 401 };
        compare_on(&shared_boards(), stride);
    }
}

/// Figure 3.3 of Hřebejk's thesis: the cat goes to e2 and back, pulling the rabbit that holds the silver cat on f3,
/// and takes its place.
#[test]
fn a_cat_clears_the_trap_that_it_enters() {
    let board: Board = "
         +-----------------+
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . r c R . |
        2| . . . . . C . . |
        1| . . . . . . . . |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .unwrap();
    check(&board, "figure 3.3");
    let mobility = TurnMobility::new(&board);
    assert!(mobility.reach(Square::F2, Steps(4)).has(Square::F3));
    assert!(!mobility.reach(Square::F2, Steps(3)).has(Square::F3));
    assert!(mobility.captured(Steps(3)).has(Square::F3));
    assert!(!mobility.captured(Steps(2)).has(Square::F3));
}

/// Figure 3.2 of the thesis, as far as it tells what stands there: the camel on f3 falls as soon as the cat moves.
#[test]
fn what_falls_opens_and_closes_ways() {
    let board: Board = "
         +-----------------+
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| R . . . . r . . |
        3| R e x . C M d . |
        2| . D R d . . . . |
        1| R R . . R h . . |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .unwrap();
    check(&board, "figure 3.2");
    let mobility = TurnMobility::new(&board);
    let reach = |square, steps| mobility.reach(square, Steps(steps));
    // The way of the cat over e2 and f2 is clear, but its friend beside f2 has fallen when it comes there.
    assert!(reach(Square::E3, 4).has(Square::F2) && !reach(Square::E3, 4).has(Square::G2));
    // It pushes the rabbit from f4 to the trap.
    assert!(reach(Square::E3, 4).has(Square::G4));
    // The dog moves the cat away, and the camel falls; so it is not in the dog's way.
    assert!(mobility.captured(Steps(4)).has(Square::F3));
    assert!(reach(Square::D2, 4).has(Square::F3) && reach(Square::D2, 4).has(Square::E4));
    // What the elephant pushes from b2 is in its way then.
    assert!(reach(Square::B3, 2).has(Square::B2) && !reach(Square::B3, 4).has(Square::A2));
}

#[test]
fn a_friend_makes_way_on_a_trap_and_holds_it() {
    let board: Board = "
         +-----------------+
        8| . . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . . . . . . . . |
        3| . . x . C M . . |
        2| . . . . . . . . |
        1| . . . . . . . . |
         +-----------------+
           a b c d e f g h
    "
    .parse()
    .unwrap();
    check(&board, "by hand");
    let mobility = TurnMobility::new(&board);
    assert!(mobility.reach(Square::E3, Steps(2)).has(Square::F3));
    assert!(!mobility.reach(Square::E3, Steps(1)).has(Square::F3));
}
