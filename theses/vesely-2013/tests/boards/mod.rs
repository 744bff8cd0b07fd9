//! Positions for tests: listed stack by stack, or come about by chance.

#![allow(dead_code, reason = "no test needs all of it")]

use game::Position as _;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tzaar::{BLACK, Board, Field, Kind, Position, Side, Stack, Step, WHITE};
use tzaar_ai::wins;

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
        after.play(random_step(&after, rng));
        if after.winner().is_some() {
            return positions;
        }
        positions.push(after);
    }
}

/// The starts of turns of a game whose players look no further than the next turn: they do not lose with it if
/// a few attempts find another one. So it lasts long, and few stacks are left.
pub fn careful_game(rng: &mut impl Rng) -> Vec<Position> {
    let mut starts = vec![Position::random_start(rng)];
    loop {
        let start = starts[starts.len() - 1];
        let attempts: Vec<Position> = (0..40).map(|_| after_random_turn(&start, rng)).collect();
        let is_won = |after: &Position| after.winner() == Some(start.side());
        let is_safe = |after: &Position| after.winner().is_none() && !wins(after);
        let best = attempts.iter().find(|after| is_won(after));
        let after = *best.or(attempts.iter().find(|after| is_safe(after))).unwrap_or(&attempts[0]);
        if after.winner().is_some() {
            return starts;
        }
        starts.push(after);
    }
}

fn after_random_turn(start: &Position, rng: &mut impl Rng) -> Position {
    let mut after = *start;
    while after.side() == start.side() {
        after.play(random_step(&after, rng));
    }
    after
}

fn random_step(position: &Position, rng: &mut impl Rng) -> Step {
    let mut steps = position.steps();
    let is_stacking = |step: &Step| matches!(step, Step::Stacking { .. });
    if steps.iter().any(is_stacking) && rng.random_bool(0.75) {
        steps.retain(is_stacking);
    }
    *steps.choose(rng).expect("a game that goes on")
}

/// The same with the colours exchanged, at the start of a turn or inside.
pub fn with_colours_exchanged(position: &Position) -> Position {
    let stacks = Field::all().filter_map(|field| {
        let stack = position.board().stack_at(field)?;
        Some((field, Stack { side: !stack.side, ..stack }))
    });
    Position::new(Board::new(stacks).unwrap(), !position.side()).unwrap()
}
