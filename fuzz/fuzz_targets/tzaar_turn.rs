//! Any text as a turn of Tzaar, on some boards and on none, and as one of WALTZ's files.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tzaar::{BestMove, Position, Turn};

/// High stacks and low ones, with captures, stackings and wins a word away.
const OPEN: &str = "1
    1 0 -1 0 -2 100 100 100 100
    0 2 0 0 0 0 100 100 100
    -1 0 3 0 -3 0 0 100 100
    0 0 0 1 0 0 0 -1 100
    0 -2 0 0 100 0 2 0 0
    100 0 1 0 0 0 0 0 -1
    100 100 0 0 0 0 0 1 0
    100 100 100 0 -1 0 0 0 0
    100 100 100 100 0 0 0 0 1
    1 0 1 0 2 0 0 0 0
    0 1 0 0 0 0 0 0 0
    1 0 3 0 1 0 0 0 0
    0 0 0 1 0 0 0 1 0
    0 1 0 0 0 0 2 0 0
    0 0 1 0 0 0 0 0 4
    0 0 0 0 0 0 0 5 0
    0 0 0 0 1 0 0 0 0
    0 0 0 0 0 0 0 0 1";

fuzz_target!(|text: &str| {
    match text.parse::<Turn>() {
        Ok(turn) => assert_eq!(turn.to_string().parse(), Ok(turn)),
        Err(error) => drop(error.to_string()),
    }
    let open = OPEN.parse().expect("it is a position");
    for position in [open, Position::fixed_start(), Position::tournament_start()] {
        match Turn::parse(text, &position) {
            Ok(turn) => {
                let after = position.play_turn(turn).expect("what was read is legal");
                assert_ne!(after, position);
                assert_eq!(Turn::parse(&turn.to_string(), &position), Ok(turn));
            }
            Err(error) => drop(error.to_string()),
        }
    }
    match text.parse::<BestMove>() {
        Ok(best) => {
            let again: BestMove = best.to_string().parse().expect("what was printed is read");
            assert_eq!((again.turn, again.value), (best.turn, best.value));
        }
        Err(error) => drop(error.to_string()),
    }
});
