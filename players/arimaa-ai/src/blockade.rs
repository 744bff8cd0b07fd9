//! How far an elephant is shut in.

use arimaa::{Bitboard, Board, Direction, Kind, Piece, Side, Square};

/// How far the side's elephant is shut in, from 0 for free to 5 for a full blockade; 0 without an
/// elephant.
///
/// Zhong 2005, 3.3, looks at each square beside the elephant: does it lie towards the centre or
/// towards an edge, is it empty, and how many of the squares around it are occupied? It does not
/// say how that makes six levels. Here, each square beside it is worth some freedom:
///
/// | the square is | towards the centre | towards an edge |
/// | --- | --- | --- |
/// | empty | 4 | 2 |
/// | occupied, but an empty square is beside it | 2 | 1 |
/// | occupied and shut in, or the enemy's elephant, or off the board | 0 | 0 |
///
/// The level is 5 less the freedom, and 0 if there is more than that. Of the four directions, the
/// one towards the farther edge of the row and the one towards the farther edge of the column lead
/// to the centre. At level 5 the elephant cannot move: there is no empty square to step or to push
/// to.
///
/// Nine silver pieces hold the gold elephant; without the horse of c6, it could push the dog there:
///
/// ```
/// # use arimaa::{Board, GOLD, SILVER, Square};
/// # use arimaa_ai::blockade::blockade;
/// let mut board: Board = "
///      +-----------------+
///     8| r r c . . . . . |
///     7| r E d m . . . . |
///     6| r e h . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| . . . . . . . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!((blockade(&board, GOLD), blockade(&board, SILVER)), (5, 0));
/// board.take(Square::C6);
/// assert_eq!(blockade(&board, GOLD), 3);
/// ```
#[inline(always)]
pub fn blockade(board: &Board, side: Side) -> u8 {
    blockade_but(board, side, Bitboard::EMPTY)
}

/// [`blockade`], if the elephant does not want to step to some squares.
#[inline(always)]
pub fn blockade_but(board: &Board, side: Side, shunned: Bitboard) -> u8 {
    let elephant = |side| board.piece(Piece { side, kind: Kind::Elephant });
    let Some(square) = elephant(side).first() else { return 0 };
    let around = square.neighbours();
    let empty = !board.occupied();
    let open = around & empty & !shunned;
    // With three ways out, one leads to the centre: that is more freedom than counts.
    if open.into_iter().nth(2).is_some() {
        return 0;
    }
    let loose = around & !empty & !elephant(!side) & empty.neighbours();
    let inward = INWARD[square.index()];
    let freedom = 2 * (open.len() + (open & inward).len()) + loose.len() + (loose & inward).len();
    5u8.saturating_sub(freedom as u8)
}

/// For each square, the two squares beside it that lie towards the centre.
static INWARD: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while let Some(square) = Square::new(index) {
        let along = if square.column() < 4 { Direction::East } else { Direction::West };
        let across = if square.row() < 4 { Direction::North } else { Direction::South };
        table[index] = Bitboard(square.bit().shift(along).0 | square.bit().shift(across).0);
        index += 1;
    }
    table
};
