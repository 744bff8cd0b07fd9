use arimaa::{Bitboard, Board, Kind, Piece, Side};

/// The pieces of the side that pin its elephant: framed on a trap, they are lost when it goes.
///
/// Zhong 2005, 3.6: a piece other than the elephant stands on a trap with three enemies around it and
/// the elephant on the fourth side. It is framed if it cannot push its way out: each of the three
/// is at least as strong, or has no empty square beside it.
///
/// The horse holds the elephant on d6. Without the rabbit of b7, it could push the cat there:
///
/// ```
/// # use arimaa::{Bitboard, Board, GOLD, Square};
/// # use arimaa_ai::zhong::pinned;
/// let mut board: Board = "
///      +-----------------+
///     8| r . d r . . . r |
///     7| . r h d . . . . |
///     6| r c H E . x . . |
///     5| h r e . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . D C . . C D . |
///     1| R R R R R R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(pinned(&board, GOLD), Square::C6.bit());
/// board.take(Square::B7);
/// assert_eq!(pinned(&board, GOLD), Bitboard::EMPTY);
/// ```
#[inline(always)]
pub fn pinned(board: &Board, side: Side) -> Bitboard {
    let own = board.of(side);
    let elephant = board.piece(Piece { side, kind: Kind::Elephant });
    // At most one: no square is beside two traps.
    let held = own & Bitboard::TRAPS & elephant.neighbours();
    let Some(trap) = held.first() else { return Bitboard::EMPTY };
    let enemies = trap.neighbours() & board.of(!side);
    let loose = (!board.occupied()).neighbours();
    let weaker = enemies & board.weaker_beside(held);
    if enemies.len() == 3 && !weaker.meets(loose) { held } else { Bitboard::EMPTY }
}
