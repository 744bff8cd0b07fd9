//! A position on the first line, and any text as a turn that begins there.

#![no_main]

use arimaa::{Position, Turn};
use libfuzzer_sys::fuzz_target;

/// Where pushes, pulls, captures and frozen pieces are a word away: it stands in for a first line
/// that is no position.
const CROWDED: &str = "
     +-----------------+
    8| r . r . . r . r |
    7| . h . . d . r . |
    6| . E c . . x m . |
    5| . . r D . . M . |
    4| . R . h . e . . |
    3| . d R . . C r . |
    2| . H C . . H . . |
    1| R . . R D . R R |
     +-----------------+
";

fuzz_target!(|input: &str| {
    let (first, rest) = input.split_once('\n').unwrap_or(("", input));
    let (position, text) = match first.parse::<Position>() {
        Ok(position) => (position, rest),
        Err(_) => (CROWDED.parse().expect("it is a position"), input),
    };
    match Turn::parse(text, &position) {
        Ok(turn) => {
            let after = played(turn, position);
            let notation = turn.notation(position.board());
            let again = Turn::parse(&notation, &position).expect("what was printed is read");
            assert_eq!(played(again, position), after, "{notation}");
            assert_eq!(again.notation(position.board()), notation);
        }
        Err(error) => drop(error.to_string()),
    }
});

fn played(turn: Turn, mut position: Position) -> Position {
    position.try_play_turn(turn).expect("what was read is legal");
    position
}
