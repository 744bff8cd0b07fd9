use arimaa::{Bitboard, Board, Kind, Side, Step, Turn};

/// The squares that a winning turn of the side relies on: on every board with the same pieces
/// there, it is legal and wins as well.
///
/// These are the read sets of its steps: where they begin and end, the pieces they push or pull, what
/// keeps the moving pieces from being frozen, and what the traps on the way do.
pub(crate) fn relied_on(board: &Board, side: Side, turn: Turn) -> Bitboard {
    let mut board = *board;
    let mut squares = Bitboard::EMPTY;
    for step in turn.steps() {
        squares |= step.from().bit() | step.to().bit() | step.victim().bit();
        squares |= freedom(&board, side, step, squares);
        let stood = board.occupied();
        board.play(step, &mut ());
        // The traps that have taken a piece.
        squares |= (stood | squares) & Bitboard::TRAPS & !board.occupied();
    }
    squares | (squares & Bitboard::TRAPS).neighbours()
}

/// What keeps the moving piece from being frozen: one friend, or else that no stronger enemy is
/// beside it.
fn freedom(board: &Board, side: Side, step: Step, known: Bitboard) -> Bitboard {
    let from = step.from();
    let unfreezable = board.kind(Kind::Elephant).has(from);
    let friends = from.neighbours() & board.of(side);
    // A friend on a trap relies on others; one that is relied on already costs nothing.
    let steady = friends & !Bitboard::TRAPS;
    let friend = [friends & known, steady, friends].into_iter().find_map(Bitboard::first);
    match friend {
        _ if unfreezable => Bitboard::EMPTY,
        Some(friend) => friend.bit(),
        None => from.neighbours(),
    }
}
