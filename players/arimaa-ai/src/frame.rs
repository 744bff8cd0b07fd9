//! Frames that can be made in one turn, recognised by patterns (3.8): an enemy on a trap that cannot leave it, with one friend
//! to hold it.
//!
//! A frame is mostly made by two means. A push or a pull brings the enemy onto the trap, or takes a second friend away from it; a
//! piece may have to walk there first. And own pieces fill the sides that are left, each walking there by single steps of its
//! own. What is found can be played; frames that need other steps are not found.

use std::ops::ControlFlow;

use arimaa::{Bitboard, Board, Direction, GOLD, Kind, Mobility, Piece, Side, Square, side};

use crate::turn_mobility::last_steps::{Enemies, LastSteps};

/// The traps on which a side can frame an enemy within its turn, other than those where one is framed already.
///
/// ```
/// use arimaa::{Bitboard, Board, GOLD, Square};
/// use arimaa_ai::frames_in_one_turn;
///
/// let board: Board = "
///      +-----------------+
///     8| . . . . . . . . |
///     7| . . c . . . . . |
///     6| . E h M . x . . |
///     5| . . . . . . . . |
///     4| . . . H . . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| . . . . . . . . |
///      +-----------------+
///        a b c d e f g h"
///     .parse()
///     .unwrap();
/// // The horse goes to c5.
/// assert_eq!(frames_in_one_turn(&board, GOLD), Square::C6.bit());
/// ```
pub fn frames_in_one_turn(board: &Board, side: Side) -> Bitboard {
    let mut traps = Bitboard::EMPTY;
    for trap in Square::TRAPS {
        let maker = Maker { side, trap, sides: trap.neighbours() };
        let is_found = || maker.can_frame(board, 4) || maker.can_prepare(board, 4);
        if !is_framed(board, trap, !side) && is_found() {
            traps |= trap.bit();
        }
    }
    traps
}

/// Whether a piece of a side is framed on a trap: it has one friend beside it, and cannot leave within two steps.
pub fn is_framed(board: &Board, trap: Square, framed: Side) -> bool {
    let own = board.of(framed);
    if !own.has(trap) || !(own & trap.neighbours()).is_single() {
        return false;
    }
    // The last steps of a turn are those of Gold.
    let (seen, trap) =
        if framed == GOLD { (*board, trap) } else { (board.mirrored(), trap.mirrored()) };
    let planes = seen.planes();
    let LastSteps { near, far, .. } = LastSteps::new(planes, &Enemies::new(planes));
    let leaving = near.iter().chain(&far).fold(0, |leaving, pieces| leaving | pieces);
    leaving & trap.bit().0 == 0
}

/// Who wants to frame an enemy on a trap.
struct Maker {
    side: Side,
    trap: Square,
    sides: Bitboard,
}

impl Maker {
    /// Whether so many steps are enough.
    fn can_frame(&self, board: &Board, steps: u8) -> bool {
        self.can_fill(board, steps) || (steps >= 2 && self.can_displace(board, steps))
    }

    /// Whether own pieces can walk to the empty sides.
    fn can_fill(&self, board: &Board, steps: u8) -> bool {
        let enemies = board.of(!self.side);
        if !enemies.has(self.trap) || !(enemies & self.sides).is_single() {
            return false;
        }
        if is_framed(board, self.trap, !self.side) {
            return true;
        }
        // A rabbit does not go back.
        let mut ways_out = self.sides & !board.occupied();
        if board.rabbits(!self.side).has(self.trap) {
            ways_out &= !self.trap.bit().shift(side::backward(!self.side));
        }
        let Some(to) = ways_out.first() else { return false };
        let walkers = board.of(self.side) & !self.sides;
        walkers.into_iter().any(|from| {
            let reached = walk(board, from, steps);
            let way = (1..=steps).find(|&way| reached[usize::from(way)].has(to));
            way.is_some_and(|way| self.can_fill(&moved(board, from, to), steps - way))
        })
    }

    /// Whether it can be done by a push or a pull after a piece has walked: to fill a side, or to where it can push or pull.
    fn can_prepare(&self, board: &Board, steps: u8) -> bool {
        let around = self.sides | self.trap.bit();
        let victims = (around | around.neighbours()) & board.of(!self.side);
        if victims.is_empty() {
            return false;
        }
        let places = self.sides | victims.neighbours();
        board.of(self.side).into_iter().any(|from| {
            let reached = walk(board, from, steps - 2);
            (1..=steps - 2).any(|way| {
                let places = reached[usize::from(way)] & places;
                let after = |to| moved(board, from, to);
                places.into_iter().any(|to| self.can_displace(&after(to), steps - way))
            })
        })
    }

    /// Whether it can be done by a push or a pull that changes who stands on the trap or beside it.
    fn can_displace(&self, board: &Board, steps: u8) -> bool {
        let around = self.sides | self.trap.bit();
        let mobility = Mobility::new(board, self.side);
        let near = around | around.neighbours();
        if (near & board.of(!self.side)).is_empty() || (near & mobility.free).is_empty() {
            return false;
        }
        let found = mobility.for_each_push_and_pull(&mut |step| {
            let touches = step.moves().any(|(from, to)| around.has(from) || around.has(to));
            match touches && self.can_frame(&board.after(step), steps - 2) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        found.is_break()
    }
}

/// The board after a piece has walked, which changes nothing else.
fn moved(board: &Board, from: Square, to: Square) -> Board {
    let mut after = *board;
    if let Some(piece) = after.take(from) {
        after.put(piece, to);
    }
    after
}

/// The squares to which so many single steps can take a piece while all others stay, by the number of steps.
fn walk(board: &Board, from: Square, steps: u8) -> [Bitboard; 5] {
    let mut reached = [Bitboard::EMPTY; 5];
    let Some(Piece { side, kind }) = board.piece_at(from) else { return reached };
    let others = board.of(side) & !from.bit();
    let supported = others.neighbours();
    // Who holds a friend on a trap stays.
    if !(others & Bitboard::TRAPS & !supported).is_empty() {
        return reached;
    }
    let dominated = (board.above(kind) & board.of(!side)).neighbours();
    let open = !board.occupied() & (supported | !Bitboard::TRAPS);
    reached[0] = from.bit();
    for step in 1..=usize::from(steps) {
        let free = reached[step - 1] & (supported | !dominated);
        for way in Direction::ALL {
            if kind != Kind::Rabbit || way != side::backward(side) {
                reached[step] |= free.shift(way) & open;
            }
        }
    }
    reached
}
