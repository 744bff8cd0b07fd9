use arimaa::{Bitboard, Kind, Side};

use super::Sight;
use super::weights::{BLOCKADE, SHUT_IN};
use crate::zhong::blockade_but;

/// What the blockades of a side's strong pieces cost it: of the elephant by the levels of
/// [`crate::zhong::blockade`], for which a trap that would take it is no way out, of others if they
/// are [`shut_in`].
#[inline(always)]
pub(super) fn blockades(sight: &Sight, side: Side) -> i32 {
    let level = blockade_but(&sight.board, side, deadly(sight, side));
    let mut sum = BLOCKADE[usize::from(level)];
    for square in shut_in(sight, side) {
        sum += SHUT_IN[usize::from(sight.board.kind(Kind::Camel).has(square))];
    }
    sum
}

/// The traps that would take the elephant of a side, since no other friend is beside them.
#[inline(always)]
fn deadly(sight: &Sight, side: Side) -> Bitboard {
    let friends = sight.of[side] & !sight.board.kind(Kind::Elephant);
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
/// # use arimaa_ai::evaluation::{Sight, shut_in};
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
/// assert_eq!(shut_in(&Sight::of_board(&board, GOLD), GOLD), Square::A8.bit());
/// board.take(Square::A6);
/// assert_eq!(shut_in(&Sight::of_board(&board, GOLD), GOLD), Bitboard::EMPTY);
/// ```
#[inline(always)]
pub fn shut_in(sight: &Sight, side: Side) -> Bitboard {
    let Sight { board, empty, .. } = sight;
    let strong = board.kind(Kind::Camel) | board.kind(Kind::Horse);
    let hemmed = strong & sight.free[side] & !(*empty | sight.of[side]).neighbours();
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
        assert_eq!(blockades(&Sight::of_board(&board, GOLD), GOLD), BLOCKADE[5]);
        board.put(Piece { side: GOLD, kind: Kind::Cat }, Square::F5);
        assert_eq!(blockades(&Sight::of_board(&board, GOLD), GOLD), BLOCKADE[1]);
    }
}
