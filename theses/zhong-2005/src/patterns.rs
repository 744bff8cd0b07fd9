//! The patterns around elephants that the evaluation counts.

use arimaa::{Bitboard, Board, GOLD, Kind, Piece, Side, Square, bitboard};

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
/// # use zhong_2005::forked;
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
/// # use zhong_2005::pinned;
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
/// # use zhong_2005::hostages;
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
