//! How far the strong pieces come, and whether they are blocked.

use arimaa::{Bitboard, Kind, Side, Square};
use linear::FeatureSink;

use super::EvaluationContext;
use super::model::{BLOCKADE, MOBILITY, SHUT_IN};
use crate::blockade::blockade_but;

/// Emits how far the elephant, the camels and the horses of a side come that are not frozen.
#[inline(always)]
pub(super) fn mobility(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    for (number, kind) in [Kind::Elephant, Kind::Camel, Kind::Horse].into_iter().enumerate() {
        for square in context.board.kind(kind) & context.free[side] {
            let squares = reached(context, side, kind, square).len();
            sink.add(MOBILITY, [number, squares.min(MOST_SQUARES)], 1);
        }
    }
}

/// More squares are all alike.
const MOST_SQUARES: usize = 15;

/// The squares that a piece reaches with three steps if nothing else moves. It does not go where it would be
/// lost, nor on from where it would be frozen.
///
/// The camel would freeze the horse on a3 and b2:
///
/// ```
/// # use arimaa::{Board, GOLD, Kind, Square, bitboard};
/// # use arimaa_ai::evaluation::{EvaluationContext, reached};
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
/// let context = EvaluationContext::of_board(&board, GOLD);
/// assert_eq!(reached(&context, GOLD, Kind::Horse, Square::A1), bitboard! {
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
pub fn reached(context: &EvaluationContext, side: Side, kind: Kind, square: Square) -> Bitboard {
    let stronger = context.board.above(kind) & context.of[!side];
    let friends = (context.of[side] & !square.bit()).neighbours();
    let open = context.empty & (!Bitboard::TRAPS | friends);
    let held = stronger.neighbours() & !friends;
    let (mut reached, mut front) = (square.bit(), square.bit());
    for _ in 0..3 {
        let next = front.neighbours() & open & !reached;
        reached |= next;
        front = next & !held;
    }
    reached & !square.bit()
}

/// Emits the blockades of a side's strong pieces: the elephant by the levels of
/// [`crate::blockade::blockade`], for which a trap that would take it is no way out, others if they are
/// [`shut_in`].
#[inline(always)]
pub(super) fn blockades(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let level = blockade_but(&context.board, side, deadly(context, side));
    sink.add(BLOCKADE, [usize::from(level)], 1);
    for square in shut_in(context, side) {
        sink.add(SHUT_IN, [usize::from(context.board.kind(Kind::Camel).has(square))], 1);
    }
}

/// The traps that would take the elephant of a side, since no other friend is beside them.
#[inline(always)]
fn deadly(context: &EvaluationContext, side: Side) -> Bitboard {
    let friends = context.of[side] & !context.board.kind(Kind::Elephant);
    Bitboard::TRAPS & !friends.neighbours()
}

/// The camel and the horses of a side that are not frozen and yet have nowhere to go: no empty square is
/// beside them, no friend that could make room, and no weaker enemy with an empty square beside it
/// to be pushed to.
///
/// Silver's rabbits shut the camel in; if the one of a6 went, it could push the one of a7:
///
/// ```
/// # use arimaa::{Bitboard, Board, GOLD, Square};
/// # use arimaa_ai::evaluation::{EvaluationContext, shut_in};
/// let mut board: Board = "
///      +-----------------+
///     8| M r r . . . . . |
///     7| r r . . . . . . |
///     6| r . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| R . . . . . . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(shut_in(&EvaluationContext::of_board(&board, GOLD), GOLD), Square::A8.bit());
/// board.take(Square::A6);
/// assert_eq!(shut_in(&EvaluationContext::of_board(&board, GOLD), GOLD), Bitboard::EMPTY);
/// ```
#[inline(always)]
pub fn shut_in(context: &EvaluationContext, side: Side) -> Bitboard {
    let EvaluationContext { board, empty, .. } = context;
    let strong = board.kind(Kind::Camel) | board.kind(Kind::Horse);
    let hemmed = strong & context.free[side] & !(*empty | context.of[side]).neighbours();
    let mut shut_in = Bitboard::EMPTY;
    for square in hemmed {
        let weaker = square.neighbours() & board.weaker_beside(square.bit());
        if !weaker.meets(empty.neighbours()) {
            shut_in |= square.bit();
        }
    }
    shut_in
}

#[cfg(test)]
mod tests {
    use arimaa::{Board, GOLD, Kind, Piece, Square};
    use linear::FeatureVector;

    use super::super::model::FEATURES;
    use super::*;

    /// A suicide is no way out: the elephant of f7 is shut in, unless a friend holds the trap for it.
    #[test]
    fn a_trap_that_would_take_the_elephant_is_no_way_out() {
        let mut board: Board = "
             +-----------------+
            8| . . . . r c r . |
            7| . . . c r E h r |
            6| . . x . m x d . |
            5| . . . . . r . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . . . . . |
            1| R . . . . . . . |
             +-----------------+
               a b c d e f g h
        "
        .parse()
        .unwrap();
        let emitted = |board: &Board| {
            let mut vector = FeatureVector::default();
            blockades(&EvaluationContext::of_board(board, GOLD), GOLD, &mut vector);
            vector.iter().map(|feature| FEATURES.name_of(feature.number)).collect::<Vec<_>>()
        };
        assert_eq!(emitted(&board), ["blockade[5]"]);
        board.put(Piece { side: GOLD, kind: Kind::Cat }, Square::F5);
        assert_eq!(emitted(&board), ["blockade[1]"]);
    }
}
