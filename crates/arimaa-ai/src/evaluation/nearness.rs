use arimaa::{Bitboard, Kind, Side};

use super::Sight;
use super::sight::{index, row};
use super::weights::NEARNESS;

/// What it is worth to the cats, dogs, horses and camels of a side how far the nearest stronger enemy is, and
/// how far from home they meet it.
#[inline(always)]
pub(super) fn nearness(sight: &Sight, side: Side) -> i32 {
    let mut sum = 0;
    for kind in [Kind::Cat, Kind::Dog, Kind::Horse, Kind::Camel] {
        let weights = &NEARNESS[index(kind) - 1];
        let mut pieces = sight.board.kind(kind) & sight.of[side];
        let mut reach = sight.board.above(kind) & sight.of[!side];
        if reach.is_empty() {
            continue;
        }
        for (distance, by_part) in weights.iter().enumerate() {
            if pieces.is_empty() {
                break;
            }
            reach = if distance < FARTHEST { reach | reach.neighbours() } else { !Bitboard::EMPTY };
            for square in pieces & reach {
                sum += by_part[PART[row(side, square)]];
            }
            pieces &= !reach;
        }
    }
    sum
}

/// Enemies farther away are all alike.
const FARTHEST: usize = 6;

/// The part of the board that a row belongs to.
const PART: [usize; 8] = [0, 0, 1, 2, 3, 3, 4, 4];
