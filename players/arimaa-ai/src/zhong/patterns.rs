//! The patterns around elephants that the evaluation counts.

use arimaa::{Bitboard, Board, Direction, GOLD, Kind, Piece, Side, Square, bitboard};

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
/// # use arimaa_ai::zhong::blockade;
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
pub(crate) fn blockade_but(board: &Board, side: Side, shunned: Bitboard) -> u8 {
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

/// The enemy that the side's elephant forks, if there is one: it can be captured in either trap of
/// the side's own half.
///
/// Zhong 2005, 3.5, counts the forks of a central elephant, and shows one on d3, but gives no rule.
/// Here, an enemy other than the elephant is forked if
///
/// - it stands between the two traps (for Gold, on d3 or e3), with the elephant beside it;
/// - both traps are empty, and none of its friends is beside one of them;
/// - the other square between them is empty, or the elephant stands there and can step back, up or
///   down the column.
///
/// So the elephant alone can take it: in the nearer trap with two steps, in the farther one with
/// four. The traps of the victim's own half do not count: in the worked example (3.8) a rabbit on
/// e6 stands like that between them, and the thesis finds no fork.
///
/// ```
/// # use arimaa::{Board, GOLD, Square};
/// # use arimaa_ai::zhong::forked;
/// let board: Board = "
///      +-----------------+
///     8| r r r . . r r r |
///     7| . c . . . . c . |
///     6| . h x m . x h . |
///     5| . . . . e . . . |
///     4| . . . E . . . . |
///     3| . H x d . x . . |
///     2| . D C . . C D . |
///     1| R R R R R R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(forked(&board, GOLD), Square::D3.bit());
/// ```
#[inline(always)]
pub fn forked(board: &Board, side: Side) -> Bitboard {
    let elephant = board.piece(Piece { side, kind: Kind::Elephant });
    let enemy = board.of(!side);
    let row = if side == GOLD { Bitboard::row(2) } else { Bitboard::row(5) };
    let between = row & MIDDLE;
    let victim = enemy & between & elephant.neighbours() & !board.kind(Kind::Elephant);
    if victim.is_empty() {
        return victim;
    }
    let (traps, gap) = (row & Bitboard::TRAPS, between & !victim);
    let empty = !board.occupied();
    let shut = traps.meets(!empty) || traps.neighbours().meets(enemy & !victim);
    let room = if gap == elephant { gap.neighbours() & MIDDLE } else { gap };
    if shut || !room.meets(empty) { Bitboard::EMPTY } else { victim }
}

/// The columns between the traps.
const MIDDLE: Bitboard = bitboard! {
    . . . X X . . .
    . . . X X . . .
    . . . X X . . .
    . . . X X . . .
    . . . X X . . .
    . . . X X . . .
    . . . X X . . .
    . . . X X . . .
};

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

/// The enemies that the side's elephant holds hostage.
///
/// Zhong 2005, 3.7: an enemy is frozen by the elephant near a trap of the side's own half, and its
/// own elephant has to stay beside that trap to keep it alive. Here, an enemy is a hostage if
///
/// - it is frozen, and the elephant is beside it;
/// - it stands within two steps of a trap of the side's own half;
/// - beside that trap there is the enemy's elephant, and no other friend of the hostage.
///
/// ```
/// # use arimaa::{Board, GOLD, Square};
/// # use arimaa_ai::zhong::hostages;
/// let board: Board = "
///      +-----------------+
///     8| r r r r r r r r |
///     7| . c d . . d c . |
///     6| . h x . . x h . |
///     5| . . . . . . . . |
///     4| . . e . . . . . |
///     3| m E x . . M . . |
///     2| . D C . . C D . |
///     1| R R R R R R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(hostages(&board, GOLD), Square::A3.bit());
/// ```
///
/// The text of the thesis has the camel on a3 and the elephant that holds it on b2, too far away
/// to freeze it. The book that it cites there has the elephant on b3 (Juhnke, *Arimaa*, "Camel
/// Hostage"): that is how we read it.
#[inline(always)]
pub fn hostages(board: &Board, side: Side) -> Bitboard {
    let elephant = |side| board.piece(Piece { side, kind: Kind::Elephant });
    let enemy = board.of(!side);
    let mut hostages = Bitboard::EMPTY;
    for trap in home_traps(side) {
        let guards = enemy & trap.neighbours();
        if !guards.meets(elephant(!side)) {
            continue;
        }
        for square in enemy & around(trap) & elephant(side).neighbours() & !elephant(!side) {
            let frozen = !enemy.meets(square.neighbours());
            if frozen && guards & !square.bit() == elephant(!side) {
                hostages |= square.bit();
            }
        }
    }
    hostages
}

/// The traps of the side's own half.
#[inline]
const fn home_traps(side: Side) -> [Square; 2] {
    match side {
        GOLD => [Square::C3, Square::F3],
        _ => [Square::C6, Square::F6],
    }
}

/// The squares within two steps.
#[inline]
const fn around(square: Square) -> Bitboard {
    let beside = square.neighbours();
    Bitboard(beside.0 | beside.neighbours().0)
}
