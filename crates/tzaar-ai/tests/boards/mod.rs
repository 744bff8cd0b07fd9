//! Positions for tests: listed stack by stack, or come about by chance.

#![allow(dead_code, reason = "no test needs all of it")]

use game::Position as _;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tzaar::{BLACK, Board, Field, Kind, Position, Side, Stack, WHITE};

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// The start of a turn with stacks such as `E4:Z3`: White's in upper case, the height if it is not one.
pub fn position(side: Side, stacks: &str) -> Position {
    let stack = |text: &str| -> Option<(Field, Stack)> {
        let (field, stack) = text.split_once(':')?;
        let letter = stack.chars().next()?;
        let side = if letter.is_ascii_uppercase() { WHITE } else { BLACK };
        let height = stack[1..].parse().unwrap_or(1);
        Some((field.parse().ok()?, Stack { side, kind: Kind::from_letter(letter)?, height }))
    };
    let stacks = stacks.split_whitespace().map(|text| stack(text).expect(text));
    Position::new(Board::new(stacks).unwrap(), side).unwrap()
}

/// The positions of a random game, from its start to before its end. Turns stack rather often, or no stack
/// would become high.
pub fn random_game(rng: &mut impl Rng) -> Vec<Position> {
    let mut positions = vec![Position::random_start(rng)];
    loop {
        let mut after = positions[positions.len() - 1];
        after.play(*after.steps().choose(rng).expect("a game that goes on"));
        if after.winner().is_some() {
            return positions;
        }
        positions.push(after);
    }
}

/// The same with the colours exchanged, at the start of a turn or inside.
pub fn with_colours_exchanged(position: &Position) -> Position {
    let stacks = Field::all().filter_map(|field| {
        let stack = position.board().stack_at(field)?;
        Some((field, Stack { side: !stack.side, ..stack }))
    });
    Position::new(Board::new(stacks).unwrap(), !position.side()).unwrap()
}
