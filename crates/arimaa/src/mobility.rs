use std::ops::ControlFlow;

use crate::side::{self, Side};
use crate::{Bitboard, Board, Direction, Kind, Step};

/// What the pieces of one side can do on a board, for all pieces at once.
#[derive(Clone, Copy, Debug)]
pub struct Mobility {
    /// The side's own pieces.
    pub own: Bitboard,
    /// The squares without a piece.
    pub empty: Bitboard,
    /// The own pieces with a stronger enemy beside them.
    pub dominated: Bitboard,
    /// The own pieces that are not frozen: not dominated, or with a friend beside them.
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
        let occupied = board.occupied();
        let enemy = occupied & !own;
        let mut dominated = Bitboard::EMPTY;
        let mut stronger = [Bitboard::EMPTY; 4];
        for direction in Direction::ALL {
            let (above, below) = compare_with_neighbours(board, enemy, direction);
            dominated |= above & own;
            stronger[direction as usize] = below & own;
        }
        let free = own & (own.neighbours() | !dominated);
        let singles = singles(board, side, free, !occupied);
        Mobility { own, empty: !occupied, dominated, free, stronger, singles }
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

/// For each direction, the pieces among `free` that can go to an empty square there.
#[inline]
pub(crate) fn singles(board: &Board, side: Side, free: Bitboard, empty: Bitboard) -> [Bitboard; 4] {
    Direction::ALL.map(|direction| {
        let movers = free & empty.shift(direction.opposite());
        if direction == side::backward(side) { movers & !board.kind(Kind::Rabbit) } else { movers }
    })
}

/// The squares whose neighbour in that direction is an enemy, and stronger than what stands on the
/// square; and those where it is weaker. Bit by bit, the highest digit that differs decides.
#[inline]
fn compare_with_neighbours(
    board: &Board,
    enemy: Bitboard,
    direction: Direction,
) -> (Bitboard, Bitboard) {
    let [one, two, four] = board.digits();
    let neighbour = |plane: u64| Bitboard(plane & enemy.0).shift(direction.opposite()).0;
    let (n_one, n_two, n_four) = (neighbour(one), neighbour(two), neighbour(four));
    let (same_two, same_four) = (!(two ^ n_two), !(four ^ n_four));
    let above = n_four & !four | same_four & (n_two & !two | same_two & n_one & !one);
    let same = same_four & same_two & !(one ^ n_one);
    let there = n_one | n_two | n_four;
    (Bitboard(above), Bitboard(there & !above & !same))
}

/// The pieces of `own` that are not frozen.
#[inline]
pub(crate) fn free_and_dominated(board: &Board, own: Bitboard, occupied: Bitboard) -> (Bitboard, Bitboard) {
    let enemy = occupied & !own;
    let mut dominated = Bitboard::EMPTY;
    for direction in Direction::ALL {
        dominated |= compare_with_neighbours(board, enemy, direction).0;
    }
    dominated &= own;
    (own & (own.neighbours() | !dominated), dominated)
}
