use arimaa::{Bitboard, Kind, Side, Square};

use super::Sight;
use super::hostage::around;
use super::sight::index;
use super::trap::is_home;
use super::weights::CONTACT;

/// What it is worth to a side that pieces of it, not frozen, stand beside weaker enemies.
#[inline(always)]
pub(super) fn contacts(sight: &Sight, side: Side) -> i32 {
    let weights = &CONTACT[sight.role(side) as usize];
    let [home, away] = NEAR_TRAPS[side as usize];
    let mut sum = 0;
    for kind in &Kind::ALL[1..] {
        let strong = sight.board.kind(*kind) & sight.free[side];
        let weaker = sight.of[!side] & !sight.board.above(*kind) & !sight.board.kind(*kind);
        for square in strong.neighbours() & weaker {
            let place = if home.has(square) {
                0
            } else if away.has(square) {
                1
            } else {
                2
            };
            sum += weights[index(*kind)][sight.kind_at(square)][place];
        }
    }
    sum
}

/// For each side, the squares within two steps of its home traps, and those of the others.
static NEAR_TRAPS: [[Bitboard; 2]; 2] = {
    let mut near = [[Bitboard::EMPTY; 2]; 2];
    let mut number = 0;
    while number < Square::TRAPS.len() {
        let trap = Square::TRAPS[number];
        let around = around(trap).0;
        let gold_is_away = !is_home(Side::First, trap) as usize;
        near[Side::First as usize][gold_is_away].0 |= around;
        near[Side::Second as usize][1 - gold_is_away].0 |= around;
        number += 1;
    }
    near
};
