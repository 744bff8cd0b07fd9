use arimaa::{Bitboard, Board, Form, Kind, Side, Square, Step, Turn};

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
        let before = board;
        board.play(step, &mut ());
        squares |= taken(&before, &board, step);
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

/// The traps that have taken a piece in a step.
fn taken(before: &Board, after: &Board, step: Step) -> Bitboard {
    let came: Bitboard = moved_to(step).into_iter().collect();
    (before.occupied() | came) & Bitboard::TRAPS & !after.occupied() & !left(step)
}

/// Where the step puts pieces.
fn moved_to(step: Step) -> [Square; 2] {
    match step.form() {
        Form::Push => [step.to(), step.victim()],
        Form::Pull => [step.to(), step.from()],
        Form::Single | Form::Pass => [step.to(); 2],
    }
}

/// The square that the step leaves empty.
fn left(step: Step) -> Bitboard {
    match step.form() {
        Form::Push | Form::Single => step.from().bit(),
        Form::Pull => step.victim().bit(),
        Form::Pass => Bitboard::EMPTY,
    }
}
