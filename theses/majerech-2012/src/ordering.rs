//! The order of steps of Majerech 2012 (4.3.1): rabbits that advance, captures, and pushes and pulls of strong pieces
//! first.

use arimaa::{Bitboard, Board, Form, Kind, Piece, Side, Square, Step, side};

/// What a captured piece counts for, and one that is pushed or pulled.
const CAPTURE: i32 = 4;
const DISPLACEMENT: i32 = 2;

/// A pass comes last: it is often better to use all steps (3.3.3).
const PASS: i32 = -1000;

/// How good a step of `mover` looks.
pub(crate) fn ordering_score(board: &Board, mover: Side, step: Step) -> i32 {
    if step.form() == Form::Pass {
        return PASS;
    }
    let after = board.after(step);
    let sign = |side: Side| if side == mover { 1 } else { -1 };
    let mut left = Bitboard::EMPTY;
    let mut score = 0;
    for (from, to) in step.moves() {
        left |= from.bit();
        let Some(piece) = board.piece_at(from) else { continue };
        if piece.kind == Kind::Rabbit {
            score += sign(piece.side) * cost(piece, to);
        }
        if piece.side != mover {
            score += DISPLACEMENT * cost(piece, to);
        }
        if after.piece_at(to) != Some(piece) {
            score -= CAPTURE * sign(piece.side) * cost(piece, to);
        }
    }
    // Pieces that stood on a trap and have lost their support.
    let stood = board.occupied() & Bitboard::TRAPS & !left;
    for trap in stood & !after.occupied() {
        let Some(piece) = board.piece_at(trap) else { continue };
        score -= CAPTURE * sign(piece.side) * cost(piece, trap);
    }
    score
}

/// Table 4.1. A rabbit counts the more, the nearer it is to its goal.
fn cost(piece: Piece, square: Square) -> i32 {
    match piece.kind {
        Kind::Elephant => 10,
        Kind::Camel => 7,
        Kind::Horse => 5,
        Kind::Dog => 3,
        Kind::Cat => 2,
        Kind::Rabbit => {
            let row = square.row() as i32;
            let advance = if piece.side == side::GOLD { row } else { 7 - row };
            if advance < 4 { 1 } else { 2 * advance }
        }
    }
}

#[cfg(test)]
mod tests {
    use arimaa::{Direction, Position};

    use super::*;

    fn score(text: &str, step: Step) -> i32 {
        let position: Position = text.parse().expect("a position");
        assert!(position.board().allows(position.side(), step));
        ordering_score(position.board(), position.side(), step)
    }

    #[test]
    fn steps_are_scored_as_in_table_4_1() {
        use Direction::{East, North, South, West};
        // Gold: rabbits a2 and h5, an elephant d3. Silver: a camel e3, a rabbit d4, a horse g7.
        let board = "g [              h                R   r       Em   R               ]";
        assert_eq!(score(board, Step::single(Square::A2, North)), 1);
        assert_eq!(score(board, Step::single(Square::H5, North)), 10);
        assert_eq!(score(board, Step::single(Square::H5, West)), 8);
        // A camel is pushed to f3, a trap without friends of it: 2 · 7 + 4 · 7.
        assert_eq!(score(board, Step::push(Square::D3, East, East)), 42);
        assert_eq!(score(board, Step::push(Square::D3, East, South)), 14);
        // A silver rabbit is pushed forwards or backwards: 2 · cost − cost.
        assert_eq!(score(board, Step::push(Square::D3, North, North)), 1);
        // The dog leaves its support, or stays on the trap without it: −4 · 3.
        let alone = "g [              r                           DE    R               ]";
        assert_eq!(score(alone, Step::single(Square::D3, North)), -12);
        assert_eq!(score(alone, Step::single(Square::D3, East)), -12);
    }
}
