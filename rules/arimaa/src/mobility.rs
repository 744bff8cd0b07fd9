use std::ops::ControlFlow;

use crate::lanes::Lanes;
use crate::side::{self, Side};
use crate::{Bitboard, Board, Direction, Kind, Step};

/// What the pieces of one side can do on a board, for all pieces at once.
#[derive(Clone, Copy, Debug)]
pub struct Mobility {
    /// The side's own pieces.
    pub own: Bitboard,
    /// The squares without a piece.
    pub empty: Bitboard,
    /// The own pieces that are not frozen: with no stronger enemy beside them, or with a friend.
    pub free: Bitboard,
    /// For each direction, the own pieces with a weaker enemy on that side.
    pub stronger: [Bitboard; 4],
    /// For each direction, the own pieces that can go there by a single step.
    pub singles: [Bitboard; 4],
}

impl Mobility {
    /// What `side` can do on the board if it is its turn.
    #[inline]
    pub fn new(board: &Board, side: Side) -> Mobility {
        let own = board.of(side);
        let empty = !board.occupied();
        let (beside, here) = (enemies_beside(board, own), board.digits().map(Lanes::splat));
        let dominated = own & Bitboard(above(beside, here).union());
        let weaker = above(here, beside) & (beside[0] | beside[1] | beside[2]);
        let free = free(own, dominated);
        let singles = singles(board, free, empty, rabbit_directions(side)).0.map(Bitboard);
        let stronger = (weaker & Lanes::splat(own.0)).0.map(Bitboard);
        Mobility { own, empty, free, stronger, singles }
    }

    /// Calls `visit` with each single step, until it asks to stop.
    #[inline]
    pub fn for_each_single(
        &self,
        visit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for direction in Direction::ALL {
            for from in self.singles[direction as usize] {
                visit(Step::single(from, direction))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` with each push and each pull, until it asks to stop.
    #[inline]
    pub fn for_each_push_and_pull(
        &self,
        visit: &mut impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for victim in Direction::ALL {
            for from in self.stronger[victim as usize] & self.free {
                let pushed_from = from.towards(victim);
                for to in Direction::ALL {
                    if pushed_from.bit().shift(to).meets(self.empty) {
                        visit(Step::push(from, victim, to))?;
                    }
                }
                for to in Direction::ALL {
                    if from.bit().shift(to).meets(self.empty) {
                        visit(Step::pull(from, victim, to))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The pieces of `own` with a stronger enemy beside them.
#[inline(always)]
pub(crate) fn dominated(board: &Board, own: Bitboard) -> Bitboard {
    let stronger = above(enemies_beside(board, own), board.digits().map(Lanes::splat));
    own & Bitboard(stronger.union())
}

/// The pieces of `own` that are not frozen.
#[inline(always)]
pub(crate) fn free(own: Bitboard, dominated: Bitboard) -> Bitboard {
    own & (own.neighbours() | !dominated)
}

/// For each direction, the pieces among `free` that can go to an empty square there.
#[inline(always)]
pub(crate) fn singles(board: &Board, free: Bitboard, empty: Bitboard, rabbits: Lanes) -> Lanes {
    let not_rabbits = Lanes::splat(!board.kind(Kind::Rabbit).0);
    Lanes::looking_at(empty.0) & Lanes::splat(free.0) & (rabbits | not_rabbits)
}

/// Where rabbits may go: everything in three directions, nothing backwards.
#[inline(always)]
pub(crate) fn rabbit_directions(side: Side) -> Lanes {
    let mut rabbits = [!0; 4];
    rabbits[side::backward(side) as usize] = 0;
    Lanes(rabbits)
}

/// For each direction, the digits of the strength of the enemy on that side, zero where there is
/// none.
#[inline(always)]
fn enemies_beside(board: &Board, own: Bitboard) -> [Lanes; 3] {
    board.digits().map(|digit| Lanes::looking_at(digit & !own.0))
}

/// For each direction, the squares where the first of two numbers is above the second, given the
/// binary digits of both, the lowest first: the highest digit that differs decides.
#[inline(always)]
fn above(a: [Lanes; 3], b: [Lanes; 3]) -> Lanes {
    let [a0, a1, a2] = a;
    let [b0, b1, b2] = b;
    (a2 & !b2) | (!(a2 ^ b2) & ((a1 & !b1) | (!(a1 ^ b1) & (a0 & !b0))))
}
