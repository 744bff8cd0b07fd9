//! The steps of some pieces only, for playouts.

use arimaa::{Bitboard, Direction, Kind, Mobility, Position, Square, Step, side};
use fastrand::Rng;
use game::Steps;

/// So many of the pieces, by chance; all of them, if there are no more.
#[inline(always)]
pub(crate) fn some_of(mut pieces: Bitboard, count: i32, random: &mut Rng) -> Bitboard {
    let mut left = pieces.len();
    let mut chosen = Bitboard::EMPTY;
    for _ in 0..count {
        if left == 0 {
            break;
        }
        let piece = nth(pieces, random.usize(0..left));
        chosen |= piece;
        pieces ^= piece;
        left -= 1;
    }
    chosen
}

/// The square with that number in a set, counted from 0.
#[inline(always)]
fn nth(mut set: Bitboard, number: usize) -> Bitboard {
    for _ in 0..number {
        set.0 &= set.0.wrapping_sub(1);
    }
    Bitboard(set.0 & set.0.wrapping_neg())
}

/// The pieces of the side to move that have a step.
#[inline(always)]
pub(crate) fn movable(position: &Position) -> Bitboard {
    let mobility = Mobility::new(position.board(), position.side());
    let [north, east, south, west] = mobility.singles;
    let mut movable = north | east | south | west;
    if position.steps_left() >= Steps(2) {
        // Who cannot go anywhere can push, where there is room behind the victim.
        let room = mobility.empty.neighbours();
        for victim in Direction::ALL {
            let pushers = mobility.stronger[victim as usize] & mobility.free;
            movable |= pushers & room.shift(victim.opposite());
        }
    }
    movable
}

/// Calls `visit` with the steps of some pieces of the side to move, without a look at how the turn began.
#[inline(always)]
pub(crate) fn for_each_step_of(position: &Position, movers: Bitboard, mut visit: impl FnMut(Step)) {
    let (board, side) = (position.board(), position.side());
    let own = board.of(side);
    let empty = !board.occupied();
    let enemy = !(own | empty);
    let rabbits = board.kind(Kind::Rabbit);
    for from in movers {
        let around = from.neighbours();
        let enemies = around & enemy;
        if !enemies.is_empty() {
            let stronger = enemies & board.stronger_than(from);
            if !stronger.is_empty() && !around.meets(own) {
                continue;
            }
            if position.steps_left() >= Steps(2) {
                let weaker = |victim: &Square| board.stronger_than(*victim).has(from);
                for victim in (enemies & !stronger).into_iter().filter(weaker) {
                    for_each_displacement(from, victim, empty, &mut visit);
                }
            }
        }
        let back = from.bit().shift(side::backward(side));
        let ways = if rabbits.has(from) { around & !back } else { around };
        for to in ways & empty {
            visit(Step::single(from, from.direction_to_neighbour(to)));
        }
    }
}

/// Calls `visit` with the pushes and pulls of a weaker enemy beside a piece.
#[inline(always)]
fn for_each_displacement(
    from: Square,
    victim: Square,
    empty: Bitboard,
    visit: &mut impl FnMut(Step),
) {
    let towards = from.direction_to_neighbour(victim);
    for to in victim.neighbours() & empty {
        visit(Step::push(from, towards, victim.direction_to_neighbour(to)));
    }
    for to in from.neighbours() & empty {
        visit(Step::pull(from, towards, from.direction_to_neighbour(to)));
    }
}
