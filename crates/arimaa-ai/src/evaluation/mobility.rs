use arimaa::{Bitboard, Kind, Side, Square};

use super::Sight;
use super::weights::MOBILITY;

/// What it is worth how far the elephant, the camels and the horses of a side come that are not frozen.
#[inline(always)]
pub(super) fn mobility(sight: &Sight, side: Side) -> i32 {
    let mut sum = 0;
    for (kind, weights) in [Kind::Elephant, Kind::Camel, Kind::Horse].into_iter().zip(&MOBILITY) {
        for square in sight.board.kind(kind) & sight.free[side] {
            sum += weights[reached(sight, side, kind, square).len().min(weights.len() - 1)];
        }
    }
    sum
}

/// The squares that a piece reaches with three steps if nothing else moves. It does not go where it would be
/// lost, nor on from where it would be frozen.
///
/// The camel would freeze the horse on a3 and b2:
///
/// ```
/// # use arimaa::{Board, GOLD, Kind, Square, bitboard};
/// # use arimaa_ai::evaluation::{Sight, reached};
/// let board: Board = "
///      +-----------------+
///     8| . . . . . . . . |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . m x . . x . . |
///     2| . . . . . . . . |
///     1| H . . . . . . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let sight = Sight::of_board(&board, GOLD);
/// assert_eq!(reached(&sight, GOLD, Kind::Horse, Square::A1), bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     X . . . . . . .
///     X X X . . . . .
///     . X X X . . . .
/// });
/// ```
#[inline(always)]
pub fn reached(sight: &Sight, side: Side, kind: Kind, square: Square) -> Bitboard {
    let stronger = sight.board.above(kind) & sight.of[!side];
    let friends = (sight.of[side] & !square.bit()).neighbours();
    let open = sight.empty & (!Bitboard::TRAPS | friends);
    let held = stronger.neighbours() & !friends;
    let (mut reached, mut front) = (square.bit(), square.bit());
    for _ in 0..3 {
        let next = front.neighbours() & open & !reached;
        reached |= next;
        front = next & !held;
    }
    reached & !square.bit()
}
