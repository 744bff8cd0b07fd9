use arimaa::{Bitboard, Board, GOLD, Kind, Position, Side, Square, WHOLE_TURN};
use game::{BySide, Steps};

use super::material::Worth;

/// A position, with what more than one term looks at.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    pub(super) board: Board,
    pub(super) mover: Side,
    /// What the side to move has left of its turn.
    pub(super) steps: Steps,
    pub(super) empty: Bitboard,
    pub(super) of: BySide<Bitboard>,
    /// The pieces that are not frozen.
    pub(super) free: BySide<Bitboard>,
    /// The squares beside a piece of the side.
    pub(super) beside: BySide<Bitboard>,
    pub(super) worth: BySide<Worth>,
}

/// The side to move, or the one that waits: a place in a table of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Mover,
    Waiting,
}

impl Sight {
    /// What the side is in this position.
    #[inline(always)]
    pub(super) fn role(&self, side: Side) -> Role {
        if side == self.mover { Role::Mover } else { Role::Waiting }
    }

    /// The steps that are left to the side to move, as a place in a table of weights.
    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        usize::from(self.steps.0 - 1)
    }

    /// The kind of the piece on a square, as a place in a table of weights; that of a rabbit where there is none.
    #[inline(always)]
    pub(super) fn kind_at(&self, square: Square) -> usize {
        self.board.piece_at(square).map_or(0, |piece| index(piece.kind))
    }

    /// What is seen of a position.
    #[inline(always)]
    pub fn of(position: &Position) -> Sight {
        Sight::new(position.board(), position.side(), position.steps_left())
    }

    /// What is seen of a board at the start of a side's turn.
    pub fn of_board(board: &Board, mover: Side) -> Sight {
        Sight::new(board, mover, WHOLE_TURN)
    }

    #[inline(always)]
    fn new(board: &Board, mover: Side, steps: Steps) -> Sight {
        let of = both(|side| board.of(side));
        let beside = both(|side| of[side].neighbours());
        let free = both(|side| of[side] & (beside[side] | !board.weaker_beside(of[!side])));
        Sight {
            board: *board,
            mover,
            steps,
            empty: !board.occupied(),
            of,
            free,
            beside,
            worth: Worth::of_both(board),
        }
    }
}

/// The place of a kind in a table of weights, from 0 for a rabbit to 5 for an elephant.
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

#[inline(always)]
fn both<T>(one: impl Fn(Side) -> T) -> BySide<T> {
    BySide { first: one(Side::First), second: one(Side::Second) }
}
