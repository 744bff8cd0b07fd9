use arimaa::{Bitboard, Board, GOLD, Kind, Piece, Side, Square};

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
