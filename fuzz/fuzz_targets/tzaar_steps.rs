//! A walk over a board of Tzaar: each byte chooses a move.

#![no_main]

use game::Position as _;
use libfuzzer_sys::fuzz_target;
use tzaar::{Board, Field, Position, Step};

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let mut position =
        if first % 2 == 0 { Position::fixed_start() } else { Position::tournament_start() };
    for &byte in rest {
        let steps = position.steps();
        if steps.is_empty() {
            assert!(position.outcome().is_some());
            return;
        }
        let step = steps[usize::from(byte) % steps.len()];
        assert_eq!(step.to_string().parse::<Step>(), Ok(step));
        let tried = position.try_step(step);
        position.play(step);
        assert_eq!(tried, Ok(position));
        check(&position);
    }
});

/// What is kept up is what follows from the stacks at once.
fn check(position: &Position) {
    let board = position.board();
    let stacks = Field::all().filter_map(|field| Some((field, board.stack_at(field)?)));
    let anew = Board::new(stacks).expect("the same stacks");
    assert_eq!(anew.key(), board.key());
    assert_eq!(anew.capturable(), board.capturable());
    if position.turn_starts() && position.winner().is_none() {
        assert_eq!(position.to_string().parse(), Ok(*position));
    }
}
