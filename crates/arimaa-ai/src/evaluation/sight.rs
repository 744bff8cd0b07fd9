use arimaa::{Bitboard, Board, Position, Side, WHOLE_TURN};
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

impl Sight {
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

#[inline(always)]
fn both<T>(one: impl Fn(Side) -> T) -> BySide<T> {
    BySide { first: one(Side::First), second: one(Side::Second) }
}
