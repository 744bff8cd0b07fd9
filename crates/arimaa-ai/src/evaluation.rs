use arimaa::{Bitboard, Board, Kind, Position, Side, Square};
use game::{BySide, Score, Steps};

use crate::captures;

/// Tusk's own first estimate of a position, in centi-rabbits: material that depends on what is left,
/// where the pieces stand, which are frozen, who holds the traps, and what either side can
/// capture within a turn.
///
/// Its weights are first guesses, chosen by some hundred games of 15,000 nodes a turn (2026-11). The
/// weight of what the enemy threatens to capture counts most: at 60 % it won 28 of 39 games
/// against 15 %.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

/// How much of the best capture counts: it can be done now.
const GAIN_PERCENT: i32 = 80;

/// How much of the enemy's best capture counts: it can still be prevented.
const LOSS_PERCENT: i32 = 60;

impl Evaluation {
    /// How the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        let (board, mover) = (position.board(), position.side());
        let worth =
            BySide { first: Worth::of(board, Side::First), second: Worth::of(board, Side::Second) };
        let standing = |side: Side| worth[side].all + placement(board, side) + traps(board, side);
        let capture = |side: Side, steps| best_capture(board, side, steps, &worth[!side]);
        let gain = capture(mover, position.steps_left()) * GAIN_PERCENT;
        let loss = capture(!mover, Steps(4)) * LOSS_PERCENT;
        Score(standing(mover) - standing(!mover) + (gain - loss) / 100)
    }
}

/// What the pieces of a side are worth.
struct Worth {
    /// All together.
    all: i32,
    /// One of each kind.
    one: [i32; 7],
}

/// What a piece is worth by the number of enemies that are stronger: 1600 / (1.4475 + n), twice that for
/// none. The shape is that of the formula HarLog of the Arimaa community, fitted to what strong
/// players trade.
const BY_STRONGER: [i32; 9] = [2210, 654, 464, 360, 294, 248, 214, 190, 170];

/// 1010 ln(n), of the number of rabbits and of the number of pieces: the fewer are left, the more one is
/// worth.
const BY_NUMBER: [i32; 17] = [
    -1400, 0, 700, 1110, 1400, 1626, 1810, 1966, 2100, 2220, 2326, 2422, 2510, 2590, 2666, 2736,
    2800,
];

impl Worth {
    fn of(board: &Board, side: Side) -> Worth {
        let (own, enemy) = (board.of(side), board.of(!side));
        let pieces = own.len().clamp(1, 16);
        let rabbits = board.rabbits(side).len().clamp(1, 8);
        // What the loss of any piece costs, and what that of a rabbit does besides.
        let piece = BY_NUMBER[pieces] - BY_NUMBER[pieces - 1];
        let rabbit = BY_NUMBER[rabbits] - BY_NUMBER[rabbits - 1];
        let mut worth = Worth { all: BY_NUMBER[pieces] + BY_NUMBER[rabbits], one: [0; 7] };
        worth.one[Kind::Rabbit as usize] = rabbit + piece;
        for kind in &Kind::ALL[1..] {
            let stronger = (board.above(*kind) & enemy).len().min(8);
            let one = BY_STRONGER[stronger] + piece;
            worth.one[*kind as usize] = one;
            worth.all += one * (board.kind(*kind) & own).len() as i32;
        }
        worth
    }
}

/// What a frozen piece loses, by its kind.
const FROZEN: [i32; 7] = [0, 5, 9, 12, 22, 40, 0];

/// Where the pieces of a side stand, and which are frozen.
fn placement(board: &Board, side: Side) -> i32 {
    let (own, free) = (board.of(side), board.free(side));
    let mut sum = 0;
    for kind in Kind::ALL {
        let pieces = board.kind(kind) & own;
        let squares = &PLACEMENT[side as usize][kind as usize];
        sum += pieces.into_iter().map(|square| i32::from(squares[square.index()])).sum::<i32>();
        sum -= FROZEN[kind as usize] * (pieces & !free).into_iter().count() as i32;
    }
    sum
}

/// For each side, kind and square, what it is worth to stand there: a part for the row, as the side
/// counts it, a part for the nearness to the centre, less on a trap.
static PLACEMENT: [[[i16; 64]; 7]; 2] = {
    const ROWS: [[i16; 8]; 7] = [
        [0; 8],
        [3, 3, 0, -5, -6, 8, 35, 0],
        [0, 5, 7, 2, -5, -10, -15, -16],
        [0, 5, 7, 2, -5, -10, -15, -16],
        [0, 3, 7, 12, 14, 12, 5, 0],
        [0, 4, 9, 15, 13, 8, 3, 0],
        [0, 4, 9, 19, 22, 17, 10, 3],
    ];
    const CENTRE: [i16; 7] = [0, -2, 2, 2, 2, 4, 10];
    const ON_TRAP: [i16; 7] = [0, -20, -20, -20, -20, -20, -10];
    let mut table = [[[0; 64]; 7]; 2];
    let mut index = 64;
    while index < 7 * 64 {
        let (kind, square) = (index / 64, index % 64);
        let (row, column) = (square / 8, square % 8);
        let from_edge = if column < 4 { column } else { 7 - column };
        let mut worth = ROWS[kind][row] + CENTRE[kind] * from_edge as i16;
        if Bitboard::TRAPS.0 >> square & 1 != 0 {
            worth += ON_TRAP[kind];
        }
        table[Side::First as usize][kind][square] = worth;
        table[Side::Second as usize][kind][square ^ 56] = worth;
        index += 1;
    }
    table
};

/// Who holds the traps, by the pieces beside them.
fn traps(board: &Board, side: Side) -> i32 {
    let own = board.of(side);
    let strong = board.above(Kind::Dog) & own;
    let elephant = board.kind(Kind::Elephant) & own;
    let held = |trap: Square| {
        let beside = own & trap.neighbours();
        let count =
            i32::from(!beside.is_empty()) + i32::from(!beside.is_empty() && !beside.is_single());
        16 * count + 10 * i32::from(beside.meets(strong)) + 10 * i32::from(beside.meets(elephant))
    };
    Square::TRAPS.into_iter().map(held).sum()
}

/// An own piece that a capture costs takes so much of its worth.
const SACRIFICE: i32 = 240;

/// What the best of the side's captures gains.
fn best_capture(board: &Board, side: Side, steps: Steps, worth: &Worth) -> i32 {
    let captures = captures(board, side, steps);
    let gains = captures.iter().map(|capture| {
        worth.one[capture.piece.kind as usize] - SACRIFICE * i32::from(capture.lost)
    });
    gains.max().unwrap_or(0).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The estimate for a position, and for the same one in the eyes of the other side.
    fn both(text: &str) -> (Score, Score) {
        let position: Position = text.parse().unwrap();
        let mirrored = Position::new(position.board().mirrored(), !position.side());
        (Evaluation.evaluate(&position), Evaluation.evaluate(&mirrored))
    }

    #[test]
    fn both_sides_are_judged_alike() {
        for text in [
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
            "s [rrrddrrrrhcm c r     e   HE   h               H R C MC RRRRDDRRR]",
        ] {
            let (score, mirrored) = both(text);
            assert_eq!(score, mirrored, "{text}");
        }
    }

    #[test]
    fn a_rabbit_more_is_better() {
        let (equal, _) =
            both("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]");
        let (more, _) =
            both("g [rrrrrrr hdcemcdh                                HDCMECDHRRRRRRRR]");
        assert!(more > equal);
    }
}
