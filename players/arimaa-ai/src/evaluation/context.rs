use arimaa::{Bitboard, Board, GOLD, Kind, Position, Side, Square, WHOLE_TURN};
use game::{BySide, Steps};

use super::material::MaterialValues;

/// A position, with what more than one term looks at.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationContext {
    pub(super) board: Board,
    pub(super) mover: Side,
    /// The steps that the side to move has left.
    pub(super) steps: Steps,
    pub(super) empty: Bitboard,
    pub(super) of: BySide<Bitboard>,
    /// The pieces that are not frozen.
    pub(super) free: BySide<Bitboard>,
    /// The squares beside a piece of the side.
    pub(super) beside: BySide<Bitboard>,
    pub(super) material: BySide<MaterialValues>,
}

/// The side to move, or the one that waits: an index of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Mover,
    Waiting,
}

impl EvaluationContext {
    /// The role of a side in this position.
    #[inline(always)]
    pub(super) fn role(&self, side: Side) -> Role {
        if side == self.mover { Role::Mover } else { Role::Waiting }
    }

    /// The steps that the side to move has left, as an index: 0 for one step.
    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        usize::from(self.steps.0 - 1)
    }

    /// The kind of the piece on a square, as an index; that of a rabbit where there is none.
    #[inline(always)]
    pub(super) fn kind_at(&self, square: Square) -> usize {
        self.board.piece_at(square).map_or(0, |piece| index(piece.kind))
    }

    /// The context of a position.
    #[inline(always)]
    pub fn of(position: &Position) -> EvaluationContext {
        EvaluationContext::new(position.board(), position.side(), position.steps_left())
    }

    /// The context of a board at the start of a side's turn.
    pub fn of_board(board: &Board, mover: Side) -> EvaluationContext {
        EvaluationContext::new(board, mover, WHOLE_TURN)
    }

    #[inline(always)]
    fn new(board: &Board, mover: Side, steps: Steps) -> EvaluationContext {
        let of = both(|side| board.of(side));
        let beside = both(|side| of[side].neighbours());
        let free = both(|side| of[side] & (beside[side] | !board.weaker_beside(of[!side])));
        EvaluationContext {
            board: *board,
            mover,
            steps,
            empty: !board.occupied(),
            of,
            free,
            beside,
            material: MaterialValues::of_both(board),
        }
    }
}

/// A kind as an index, from 0 for a rabbit to 5 for an elephant.
#[inline(always)]
pub(super) const fn index(kind: Kind) -> usize {
    kind as usize - 1
}

/// The row of a square as its side counts them, from 0 for its home row to 7 for the goal.
#[inline(always)]
pub(super) const fn row(side: Side, square: Square) -> usize {
    match side {
        GOLD => square.row(),
        _ => 7 - square.row(),
    }
}

/// The column of a square from the nearer edge, from 0 to 3.
#[inline(always)]
pub(super) const fn column(square: Square) -> usize {
    let column = square.column();
    if column < 4 { column } else { 7 - column }
}

/// Whether a trap is on the side's own half of the board.
#[inline(always)]
pub(super) const fn is_home(side: Side, trap: Square) -> bool {
    (trap.row() < 4) == matches!(side, GOLD)
}

/// The squares within two steps of a square.
pub(super) const fn around(square: Square) -> Bitboard {
    let beside = square.neighbours();
    Bitboard(beside.0 | beside.neighbours().0)
}

#[inline(always)]
fn both<T>(one: impl Fn(Side) -> T) -> BySide<T> {
    BySide { first: one(Side::First), second: one(Side::Second) }
}
