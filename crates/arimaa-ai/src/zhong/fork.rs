use arimaa::{Bitboard, Board, Kind, Piece, Side, Square, bitboard};

/// The enemies that the side's elephant forks: it stands in the centre and can capture them in either
/// of two traps.
///
/// Seed 001, 3.5, counts the forks of "a central elephant" and shows one, but gives no rule. Here, an
/// enemy other than the elephant is forked if
///
/// - it stands between two traps (d3, e3, d6, e6, c4, c5, f4 or f5), and the elephant beside it on
///   one of the twelve squares c3 to f6 that are not traps;
/// - both traps are empty, as is the square between it and the farther one;
/// - none of its friends is beside either trap.
///
/// So the elephant alone can take it: in the nearer trap with two steps, in the farther one with
/// four.
///
/// ```
/// # use arimaa::{Bitboard, Board, GOLD, Square};
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
#[inline]
pub fn forked(board: &Board, side: Side) -> Bitboard {
    let elephant = board.piece(Piece { side, kind: Kind::Elephant }) & CENTRE;
    let enemy = board.of(!side);
    let threatened = elephant.neighbours() & enemy & BETWEEN & !board.kind(Kind::Elephant);
    let mut forked = Bitboard::EMPTY;
    for square in threatened {
        let Ways { traps, gap } = ways(square);
        let friends = enemy & !square.bit();
        if !(traps | gap).meets(board.occupied()) && !friends.meets(traps.neighbours()) {
            forked |= square.bit();
        }
    }
    forked
}

const CENTRE: Bitboard = bitboard! {
    . . . . . . . .
    . . . . . . . .
    . . . X X . . .
    . . X X X X . .
    . . X X X X . .
    . . . X X . . .
    . . . . . . . .
    . . . . . . . .
};

/// The squares beside one trap and two steps from another.
const BETWEEN: Bitboard = bitboard! {
    . . . . . . . .
    . . . . . . . .
    . . . X X . . .
    . . X . . X . .
    . . X . . X . .
    . . . X X . . .
    . . . . . . . .
    . . . . . . . .
};

/// Where a piece between two traps may be brought.
struct Ways {
    traps: Bitboard,
    /// The square between it and the farther trap.
    gap: Bitboard,
}

#[inline]
fn ways(square: Square) -> Ways {
    let beside = square.neighbours();
    let gap = beside & BETWEEN;
    Ways { traps: Bitboard::TRAPS & (beside | gap.neighbours()), gap }
}
