//! What each piece can do and suffer within a turn is what a twin finds that plays out everything.
//!
//! The long campaign, with a number of positions and of the campaign of one's choice:
//!
//! ```text
//! TUSK_LONG=1 TUSK_MOBILITY_POSITIONS=5000000 TUSK_MOBILITY_SEED=1 \
//!     cargo test -p arimaa-ai --release --test mobility random -- --nocapture
//! ```

mod boards;
mod campaign;
#[path = "../../arimaa/tests/common/mod.rs"]
mod common;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use arimaa::{Bitboard, Board, Mobility, Position, Side, Square, Step};
use arimaa_ai::drake::TurnMobility;
use boards::{REAL, random_board};
use campaign::{for_each_number, number};
use common::{long, rng};
use game::Steps;
use rustc_hash::FxHashSet;

/// A board within a turn, and the pieces that have moved: where they stand and where they stood.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    board: Board,
    moved: Vec<(Square, Square)>,
}

impl State {
    fn origin(&self, square: Square) -> Square {
        let found = self.moved.iter().find(|(now, _)| *now == square);
        found.map_or(square, |&(_, origin)| origin)
    }

    /// The state after a step, and the enemies that it took, by their origins.
    fn after(&self, step: Step) -> State {
        let mut moved = self.moved.clone();
        for (from, to) in step.moves() {
            let origin = State { board: self.board, moved: moved.clone() }.origin(from);
            moved.retain(|&(now, _)| now != from);
            moved.push((to, origin));
        }
        let mut board = self.board;
        board.play(step, &mut ());
        moved.retain(|&(now, _)| board.occupied().has(now));
        moved.sort();
        State { board, moved }
    }
}

/// By the steps, less one, and the square of a piece before the turn.
#[derive(Clone, PartialEq, Eq)]
struct Expected {
    reach: [[Bitboard; 64]; 4],
    displaced: [[Bitboard; 64]; 4],
    captured: [Bitboard; 4],
}

impl Expected {
    /// Notes what a step has done, as the last one of so many.
    fn note(&mut self, before: &State, step: Step, side: Side, steps: usize) {
        let mut board = before.board;
        board.play(step, &mut ());
        let (own, enemy) = (board.of(side), board.of(!side));
        for (from, to) in step.moves() {
            let origin = before.origin(from).index();
            if before.board.of(side).has(from) {
                if own.has(to) {
                    self.reach[steps - 1][origin] |= to.bit();
                }
            } else {
                self.displaced[steps - 1][origin] |= to.bit();
            }
        }
        // An enemy is gone from the place where it was, or to which the step brought it.
        for square in before.board.of(!side) {
            let now = step.moves().find(|&(from, _)| from == square).map_or(square, |(_, to)| to);
            if !enemy.has(now) {
                self.captured[steps - 1] |= before.origin(square).bit();
            }
        }
    }

    /// What fewer steps can do, more can.
    fn summed(mut self) -> Expected {
        for steps in 1..4 {
            for square in Square::all() {
                let origin = square.index();
                let fewer = (self.reach[steps - 1][origin], self.displaced[steps - 1][origin]);
                self.reach[steps][origin] |= fewer.0;
                self.displaced[steps][origin] |= fewer.1;
            }
            let fewer = self.captured[steps - 1];
            self.captured[steps] |= fewer;
        }
        self
    }
}

/// Plays out all turns of a side.
fn play_out(board: &Board, side: Side, expected: &mut Expected) {
    let mut layers: [Vec<State>; 5] = Default::default();
    let mut seen = FxHashSet::default();
    layers[0].push(State { board: *board, moved: Vec::new() });
    for used in 0..4 {
        for state in std::mem::take(&mut layers[used]) {
            let mut steps = Vec::new();
            let mut visit = |step: Step| {
                steps.push(step);
                ControlFlow::Continue(())
            };
            let mobility = Mobility::new(&state.board, side);
            let _ = mobility.for_each_single(&mut visit);
            let _ = mobility.for_each_push_and_pull(&mut visit);
            for step in steps {
                let cost = usize::from(step.cost().0);
                if used + cost > 4 {
                    continue;
                }
                expected.note(&state, step, side, used + cost);
                if used + cost < 4 {
                    let after = state.after(step);
                    if seen.insert((used + cost, after.clone())) {
                        layers[used + cost].push(after);
                    }
                }
            }
        }
    }
}

fn expected(board: &Board) -> Expected {
    let none = [Bitboard::EMPTY; 64];
    let mut expected =
        Expected { reach: [none; 4], displaced: [none; 4], captured: [Bitboard::EMPTY; 4] };
    Side::ALL.into_iter().for_each(|side| play_out(board, side, &mut expected));
    expected.summed()
}

/// Compares all outputs for a board.
fn check(board: &Board, source: &str) {
    let found = TurnMobility::new(board);
    assert_eq!(found, TurnMobility::plain(board), "one board at a time, {source}");
    let expected = expected(board);
    let position = Position::new(*board, arimaa::GOLD);
    for steps in 1..=4u8 {
        for (square, piece) in board.pieces() {
            let index = (usize::from(steps) - 1, square.index());
            let reach = expected.reach[index.0][index.1] & !square.bit();
            assert_eq!(
                found.reach(square, Steps(steps)),
                reach,
                "{position} ({source})\nreach of the {piece} on {square}, {steps} steps"
            );
            if steps == 1 {
                continue;
            }
            let displaced = expected.displaced[index.0][index.1] & !square.bit();
            assert_eq!(
                found.displaced(square, Steps(steps)),
                displaced,
                "{position} ({source})\nwhere the {piece} on {square} is moved, {steps} steps"
            );
        }
        if steps > 1 {
            assert_eq!(
                found.captured(Steps(steps)),
                expected.captured[usize::from(steps) - 1],
                "{position} ({source})\ncaptured by {steps} steps"
            );
        }
    }
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

#[test]
fn the_mobility_in_real_games_is_that_of_all_turns() {
    let stride = if long() { number("TUSK_MOBILITY_STRIDE", 20) as usize } else { 401 };
    let count = REAL.len().div_ceil(stride) as u64;
    compare(count, |number| (REAL[number as usize * stride], "a real game".to_owned()));
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
