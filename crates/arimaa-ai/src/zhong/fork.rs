use arimaa::{Bitboard, Board, GOLD, Kind, Piece, Side, bitboard};

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
