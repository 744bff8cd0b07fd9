use arimaa::{Bitboard, Board, Kind, Position, Side, Square, side};
use game::{Score, Steps};

use crate::captures;

/// Tusk's own estimate of a position, in centi-rabbits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

/// What a piece is worth, from the rabbit up; the last rabbits are worth more, see [`RABBITS`].
const MATERIAL: [i32; 7] = [0, 0, 280, 400, 700, 1100, 2000];

/// What all rabbits of a side are worth together, by their number.
const RABBITS: [i32; 9] = [0, 900, 1300, 1600, 1850, 2050, 2200, 2320, 2420];

/// How much of what can be captured at once is counted.
const CAPTURE_PERCENT: i32 = 70;
const THREATENED_PERCENT: i32 = 15;

impl Evaluation {
    /// How the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        let (board, mover) = (position.board(), position.side());
        let standing = standing(board, mover) - standing(board, !mover);
        let gain = best_capture(board, mover, position.steps_left()) * CAPTURE_PERCENT;
        let loss = best_capture(board, !mover, Steps(4)) * THREATENED_PERCENT;
        Score(standing + (gain - loss) / 100)
    }
}

/// What a side has: its pieces, and where and how they stand.
fn standing(board: &Board, side: Side) -> i32 {
    let own = board.of(side);
    let free = board.free(side);
    let mut sum = RABBITS[board.rabbits(side).len().min(8)];
    for kind in Kind::ALL {
        let pieces = board.kind(kind) & own;
        sum += MATERIAL[kind as usize] * pieces.len() as i32;
        for square in pieces {
            sum += placement(kind, square, side);
        }
        sum -= FROZEN[kind as usize] * (pieces & !free).len() as i32;
    }
    sum + traps(board, side)
}

/// What a frozen piece loses.
const FROZEN: [i32; 7] = [0, 6, 12, 16, 30, 50, 0];

/// What a square is worth to a piece, as its side sees the board.
fn placement(kind: Kind, square: Square, whose: Side) -> i32 {
    let square = if side::goal(whose) == Bitboard::row(7) { square } else { square.mirrored() };
    let (row, column) = (square.row() as i32, square.column() as i32);
    let centre = 3 - (2 * column - 7).abs() / 2;
    let on_trap = if Bitboard::TRAPS.has(square) { -25 } else { 0 };
    on_trap
        + match kind {
            Kind::Elephant => 12 * centre + [0, 4, 10, 22, 26, 20, 12, 4][row as usize],
            Kind::Camel => 5 * centre + [0, 4, 10, 18, 16, 10, 4, 0][row as usize],
            Kind::Horse => 2 * centre + [0, 3, 8, 14, 16, 14, 6, 0][row as usize],
            Kind::Dog | Kind::Cat => 2 * centre + [0, 6, 8, 2, -6, -12, -18, -20][row as usize],
            Kind::Rabbit => {
                let edge = 3 - centre;
                [4, 4, 0, -6, -8, 8, 40, 0][row as usize]
                    + edge * [0, 1, 2, 4, 5, 6, 6, 0][row as usize]
            }
        }
}

/// Who holds the traps: by the pieces beside them.
fn traps(board: &Board, side: Side) -> i32 {
    let own = board.of(side);
    let strong = board.above(Kind::Dog) & own;
    let held = |trap: &Square| {
        let beside = trap.neighbours();
        let number = (own & beside).len();
        [0, 14, 30, 34, 30][number] + 8 * (strong & beside).len() as i32
    };
    Square::TRAPS.iter().map(held).sum()
}

/// What the most valuable piece is worth that the side could capture, less what that loses.
fn best_capture(board: &Board, side: Side, steps: Steps) -> i32 {
    let rabbit = {
        let left = board.rabbits(!side).len().min(8);
        RABBITS[left] - RABBITS[left.saturating_sub(1)]
    };
    let worth = |kind: Kind| if kind == Kind::Rabbit { rabbit } else { MATERIAL[kind as usize] };
    let captures = captures(board, side, steps);
    let gains =
        captures.iter().map(|capture| worth(capture.piece.kind) - 200 * i32::from(capture.lost));
    gains.max().unwrap_or(0).max(0)
}
