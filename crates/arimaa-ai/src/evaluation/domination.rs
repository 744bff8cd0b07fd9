use arimaa::{Bitboard, Kind, Side};

use super::Sight;
use super::sight::row;
use super::weights::DOMINATED;

/// What the dominated pieces of a side lose.
#[inline(always)]
pub(super) fn domination(sight: &Sight, side: Side) -> i32 {
    let weights = &DOMINATED[sight.role(side) as usize];
    let mut sum = 0;
    for square in dominated(sight, side) {
        sum += weights[sight.kind_at(square)][row(side, square)];
    }
    sum
}

/// The pieces of a side above the rabbits that a stronger enemy dominates: they are not frozen yet, but with one step the
/// enemy comes beside them, and no friend is beside them to keep them moving.
///
/// How strong a piece is depends on who is near (Hřebejk 2013, 4.2). The camel of d5 fears the elephant of
/// f5. The horse of b3 does not fear the one of b5, which is no stronger, and the dog of g2, that a
/// horse could come beside, has a cat to rely on:
///
/// ```
/// # use arimaa::{Board, GOLD, Square};
/// # use arimaa_ai::evaluation::{Sight, dominated};
/// let board: Board = "
///      +-----------------+
///     8| r r r . . r r r |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . h . M . e . . |
///     4| . . . . . . h . |
///     3| . H x . . x . . |
///     2| . . . . . . D C |
///     1| R R R . . R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(dominated(&Sight::of_board(&board, GOLD), GOLD), Square::D5.bit());
/// ```
#[inline(always)]
pub fn dominated(sight: &Sight, side: Side) -> Bitboard {
    let Sight { board, empty, .. } = sight;
    let alone = sight.free[side] & !sight.beside[side];
    let mut dominated = Bitboard::EMPTY;
    for kind in [Kind::Cat, Kind::Dog, Kind::Horse, Kind::Camel] {
        let pieces = alone & board.kind(kind);
        if !pieces.is_empty() {
            let reach = (board.above(kind) & sight.free[!side]).neighbours() & *empty;
            dominated |= pieces & reach.neighbours();
        }
    }
    dominated
}
