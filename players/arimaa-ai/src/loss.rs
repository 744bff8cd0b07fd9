//! Positions that are lost because no turn stops the other side's goal, recognised without a search (3.8).
//!
//! Mobility says where each piece may be after a turn. What is not certain is made as bad for the attacker as can be: every square
//! where a piece may be holds an elephant of the defender, which blocks, freezes and cannot be moved. A goal that is there
//! even so is there after every turn: this is what Kleene's logic comes to if unknown counts as bad. The answer is "lost" or
//! unknown.

use arimaa::{Bitboard, Board, Kind, Piece, Side, Square, WHOLE_TURN, side};
use arrayvec::ArrayVec;

use crate::{TurnMobility, goal, win};

/// What is concluded from what a defender must do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inference {
    /// Nothing: only the three-valued board counts.
    None,
    /// A rabbit that stands before its goal, and can be neither moved nor frozen, must be blocked by a piece in front of it. Each piece
    /// that can get there is tried: it is there, and nowhere else, and its way costs steps that others do not have.
    Blockers,
}

/// Whether the side to move has lost: it cannot win within its turn, and whatever it plays, the other side has a goal. What is
/// found is certain; much is not found.
pub fn is_lost_in_two(
    board: &Board,
    to_move: Side,
    mobility: &TurnMobility,
    inference: Inference,
) -> bool {
    if win(board, to_move, WHOLE_TURN).is_some() {
        return false;
    }
    let mut turn = DefendersTurn { board, to_move, mobility, blockers: ArrayVec::new() };
    turn.is_lost(inference)
}

/// The most blockers that are supposed at once.
const MOST_BLOCKERS: usize = 2;

/// A piece that is supposed to stand in front of a rabbit after the turn.
#[derive(Clone, Copy)]
struct Blocker {
    from: Square,
    to: Square,
}

/// The turn of the side that defends, with what is supposed about it.
struct DefendersTurn<'a> {
    board: &'a Board,
    to_move: Side,
    mobility: &'a TurnMobility,
    blockers: ArrayVec<Blocker, MOST_BLOCKERS>,
}

impl DefendersTurn<'_> {
    /// The steps that the blockers leave to other pieces; none, if they need more than there are.
    fn steps_left(&self) -> Option<u32> {
        let needed: u32 = self.blockers.iter().map(|blocker| apart(blocker.from, blocker.to)).sum();
        u32::from(WHOLE_TURN.0).checked_sub(needed)
    }

    fn is_lost(&mut self, inference: Inference) -> bool {
        // What takes too many steps cannot be played.
        let Some(left) = self.steps_left() else { return true };
        let Some(worst) = self.worst_case(left) else { return false };
        if goal(&worst, !self.to_move, WHOLE_TURN).is_some() {
            return true;
        }
        let goes_on = inference == Inference::Blockers && !self.blockers.is_full();
        let must_be_blocked = |to: &Square| self.must_be_blocked(*to, &worst, left);
        let squares: Bitboard = match goes_on {
            true => side::goal(!self.to_move).into_iter().filter(must_be_blocked).collect(),
            false => Bitboard::EMPTY,
        };
        squares.into_iter().any(|to| self.no_blocker_helps(to, left))
    }

    /// Whether it is lost whichever piece blocks that square.
    fn no_blocker_helps(&mut self, to: Square, left: u32) -> bool {
        let board = self.board;
        let candidates = board.occupied().into_iter().filter(|&from| {
            let is_free = self.blockers.iter().all(|blocker| blocker.from != from);
            is_free && self.squares(from, left).has(to)
        });
        let candidates: ArrayVec<Square, 32> = candidates.collect();
        // An attacker's piece there may make way again.
        let is_own = |&from: &Square| board.of(self.to_move).has(from);
        candidates.iter().all(is_own)
            && candidates.into_iter().all(|from| {
                self.blockers.push(Blocker { from, to });
                let is_lost = self.is_lost(Inference::Blockers);
                self.blockers.pop();
                is_lost
            })
    }

    /// Whether an attacking rabbit reaches that square of its goal row unless a piece stands there, and one may stand there or not.
    fn must_be_blocked(&self, to: Square, worst: &Board, left: u32) -> bool {
        let attacker = !self.to_move;
        let Some(rabbit) = to.step(side::backward(attacker)) else { return false };
        let is_settled = self.blockers.iter().any(|blocker| blocker.to == to);
        if is_settled || !worst.rabbits(attacker).has(rabbit) {
            return false;
        }
        let mut without = *worst;
        without.take(to);
        let may_be_elsewhere = |from: Square| {
            let squares = self.squares(from, left);
            squares.has(to) && squares != from.bit()
        };
        without.free(attacker).has(rabbit)
            && self.board.occupied().into_iter().any(may_be_elsewhere)
    }

    /// Where a piece may be after the turn, if so many steps are left to it.
    fn squares(&self, from: Square, left: u32) -> Bitboard {
        let squares = match self.board.of(self.to_move).has(from) {
            true => self.mobility.reach(from, WHOLE_TURN),
            false => self.mobility.displaced(from, WHOLE_TURN),
        };
        let near = squares.into_iter().filter(|&to| apart(from, to) <= left);
        near.collect::<Bitboard>() | from.bit()
    }

    /// Whether a piece is sure to stay where it is. A defender on a trap may be given up.
    fn stays(&self, from: Square, left: u32) -> bool {
        let may_fall = match self.board.of(self.to_move).has(from) {
            true => Bitboard::TRAPS.has(from),
            false => self.mobility.captured(WHOLE_TURN).has(from),
        };
        !may_fall && self.squares(from, left) == from.bit()
    }

    /// The board that is the worst for the attacker: what is certain, and elephants wherever a piece may be.
    fn worst_case(&self, left: u32) -> Option<Board> {
        let mut worst = Board::EMPTY;
        let mut blocked = Bitboard::EMPTY;
        for (from, piece) in self.board.pieces() {
            if let Some(blocker) = self.blockers.iter().find(|blocker| blocker.from == from) {
                worst.put(piece, blocker.to);
            } else if self.stays(from, left) {
                worst.put(piece, from);
            } else {
                blocked |= self.squares(from, left);
            }
        }
        blocked &= !worst.occupied();
        for trap in Square::TRAPS {
            self.settle(trap, &mut worst, &mut blocked)?;
        }
        let elephant = Piece { side: self.to_move, kind: Kind::Elephant };
        blocked.into_iter().for_each(|square| worst.put(elephant, square));
        Some(worst)
    }

    /// Sees to it that what stands on a trap does not fall there: that would open a square that may be blocked.
    fn settle(&self, trap: Square, worst: &mut Board, blocked: &mut Bitboard) -> Option<()> {
        let holders = worst.of(!self.to_move) & trap.neighbours();
        if worst.occupied().has(trap) && holders.is_empty() {
            worst.take(trap);
            *blocked |= trap.bit();
        }
        if blocked.has(trap) && !blocked.meets(trap.neighbours()) {
            let room = trap.neighbours() & !worst.occupied();
            *blocked |= room.first()?.bit();
        }
        Some(())
    }
}

/// How many steps two squares are apart.
fn apart(one: Square, other: Square) -> u32 {
    (one.column().abs_diff(other.column()) + one.row().abs_diff(other.row())) as u32
}
