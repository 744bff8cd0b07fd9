//! Who can hold which trap, and what is in danger there (4.4).

use arimaa::{Bitboard, Board, GOLD, Kind, Side, Square, bitboard};
use game::Steps;

use super::assignment::{SIZE, assign};
use super::influence::{DANGER, DistanceMap, PROTECTION_TO_MOVE, PROTECTION_TO_WAIT};
use super::{Distances, FARTHEST, Influence, PieceDistances, TurnMobility};

/// The squares beside traps that are near the centre: weak pieces are easy targets there.
const CENTRAL: Bitboard = bitboard! {
    . . . . . . . .
    . . . . . . . .
    . . . X X . . .
    . . X . . X . .
    . . X . . X . .
    . . . X X . . .
    . . . . . . . .
    . . . . . . . .
};

/// The grasp of a piece that stands on a square beside a trap is at least that.
const LEAST_GRASP: u8 = 16;

/// What is taken from the grasp of a piece that the other side can move away in 2, 3 or 4 steps.
const DISLODGED: [u8; 3] = [40, 35, 30];

/// What is taken from the grasp of a rabbit, which cannot go back.
const RABBIT: u8 = 5;

/// Support up to that does not count against fear.
const SUPPORT_NEEDED: u8 = 63;

/// What a capture in 2, 3 or 4 steps adds to danger.
const CAPTURED: [u8; 3] = [80, 60, 40];

/// The least danger of a piece that can be captured. The thesis has one too, and does not tell it.
const LEAST_CAPTURED: u8 = 100;

/// The range of a trap's priority, which counts in 64ths.
const PRIORITY: (i32, i32) = (32, 127);

/// How the pieces of both sides protect the traps.
#[derive(Clone, Debug)]
pub struct Protection {
    /// By the side and the trap, those of its own half first: what it is protected by, the priority it has.
    traps: [[u16; 4]; 2],
    priorities: [[u8; 4]; 2],
    /// By the square of a piece: the trap that it protects, and its grasp of it.
    protects: [Option<(u8, u8)>; 64],
    /// By the square of a piece.
    danger: [u8; 64],
}

impl Protection {
    /// The protection on a board where that side is to move.
    pub fn new(
        board: &Board,
        to_move: Side,
        mobility: &TurnMobility,
        distances: &Distances,
        influence: &Influence,
    ) -> Protection {
        let mut protection = Protection {
            traps: [[0; 4]; 2],
            priorities: [[0; 4]; 2],
            protects: [None; 64],
            danger: [0; 64],
        };
        for side in Side::ALL {
            let map = if side == to_move { PROTECTION_TO_MOVE } else { PROTECTION_TO_WAIT };
            let own = distances.of(side);
            let steps = steps_to_traps(board, side, mobility, distances);
            let mut grasps = [[0; SIZE]; SIZE];
            for (grasps, piece) in grasps.iter_mut().zip(own) {
                *grasps = grasps_of(piece, &map, mobility, influence);
            }
            protection.assign(side, own, &grasps, &steps);
            for (piece, steps) in own.iter().zip(&steps) {
                let danger = protection.danger_of(piece, steps, mobility);
                protection.danger[piece.square.index()] = danger;
            }
        }
        protection
    }

    /// How well a side protects a trap, 0 to 1020: the sum of the grasps of the pieces that are assigned to it.
    pub fn trap(&self, side: Side, trap: usize) -> u16 {
        self.traps[index(side)][as_seen(side, trap)]
    }

    /// How much a side wants to protect a trap, 32 to 127.
    pub fn priority(&self, side: Side, trap: usize) -> u8 {
        self.priorities[index(side)][as_seen(side, trap)]
    }

    /// How much the piece on a square is in danger of being captured, 0 to 255.
    pub fn danger(&self, square: Square) -> u8 {
        self.danger[square.index()]
    }

    /// Gives each piece a square beside a trap: such that the grasps, weighted by the priorities of the traps, add up to the
    /// most.
    fn assign(
        &mut self,
        side: Side,
        own: &[PieceDistances],
        grasps: &[[u8; SIZE]; SIZE],
        steps: &[[u8; 4]; SIZE],
    ) {
        let threatened = |trap: usize| {
            let danger =
                steps.iter().take(own.len()).map(|steps| DANGER.values[usize::from(steps[trap])]);
            danger.max().unwrap_or(0)
        };
        let held = |trap: usize| {
            let best = |square: usize| grasps.iter().map(|grasps| i32::from(grasps[square])).max();
            (4 * trap..4 * trap + 4).filter_map(best).sum::<i32>()
        };
        // A trap in which a piece is threatened matters more, one that is easy to hold less.
        let priorities: [i32; 4] = std::array::from_fn(|trap| {
            let priority = 64 + 2 * i32::from(threatened(trap)) - held(trap) / 32;
            priority.clamp(PRIORITY.0, PRIORITY.1)
        });
        self.priorities[index(side)] = priorities.map(|priority| priority as u8);
        let values = std::array::from_fn(|piece| {
            std::array::from_fn(|square| i32::from(grasps[piece][square]) * priorities[square / 4])
        });
        let assignment = assign(&values);
        for (piece, one) in own.iter().enumerate() {
            let square = assignment.columns[piece];
            let grasp = grasps[piece][square];
            self.traps[index(side)][square / 4] += u16::from(grasp);
            self.protects[one.square.index()] = Some(((square / 4) as u8, grasp));
        }
    }

    /// How much a piece is in danger: in each trap by the steps that take it there and by who protects it, other than
    /// itself.
    fn danger_of(&self, piece: &PieceDistances, steps: &[u8; 4], mobility: &TurnMobility) -> u8 {
        let side = index(piece.piece.side);
        let protects = self.protects[piece.square.index()];
        let danger = |trap: usize| {
            let own = protects.filter(|(protected, _)| usize::from(*protected) == trap);
            let protection = self.traps[side][trap] - own.map_or(0, |(_, grasp)| u16::from(grasp));
            let weight = u32::from(DANGER.values[usize::from(steps[trap])]);
            weight * u32::from(255 - protection.min(255)) / 32
        };
        let danger = (0..4).map(danger).sum::<u32>().min(255) as u8;
        let captured = (2..=4).find(|&steps| mobility.captured(Steps(steps)).has(piece.square));
        captured.map_or(danger, |steps| {
            danger.saturating_add(CAPTURED[usize::from(steps) - 2]).max(LEAST_CAPTURED)
        })
    }
}

fn index(side: Side) -> usize {
    usize::from(side != GOLD)
}

/// The number of a trap of [`Square::TRAPS`] as a side sees the board, and back.
fn as_seen(side: Side, trap: usize) -> usize {
    if side == GOLD { trap } else { trap ^ 2 }
}

/// A square as Gold sees it, for a side.
fn seen_by(side: Side, square: Square) -> Square {
    if side == GOLD { square } else { square.mirrored() }
}

/// The traps as a side sees them.
fn traps(side: Side) -> [Square; 4] {
    Square::TRAPS.map(|trap| seen_by(side, trap))
}

/// The squares beside the traps, four for each, as a side sees them.
fn defensive_squares(side: Side) -> impl Iterator<Item = Square> {
    let squares = Square::TRAPS.into_iter().flat_map(|trap| trap.neighbours());
    squares.map(move |square| seen_by(side, square))
}

/// How well a piece can hold each square beside a trap.
fn grasps_of(
    piece: &PieceDistances,
    map: &DistanceMap,
    mobility: &TurnMobility,
    influence: &Influence,
) -> [u8; SIZE] {
    let PieceDistances { square, piece: what, matrix } = piece;
    let (fear, support) = (influence.fear(what.side, what.kind), influence.support(what.side));
    let dislodged = (2..=4).find(|&steps| !mobility.displaced(*square, Steps(steps)).is_empty());
    let mut grasps = [0; SIZE];
    for (grasp, place) in grasps.iter_mut().zip(defensive_squares(what.side)) {
        let is_there = place == *square;
        let (fear, support) = (fear.at(place), support.at(place));
        let near = fear / if CENTRAL.has(place) { 4 } else { 8 };
        let alone = (fear / 4).saturating_sub(support.saturating_sub(SUPPORT_NEEDED) / 2);
        let dislodged = dislodged.filter(|_| is_there);
        let dislodged = dislodged.map_or(0, |steps| DISLODGED[usize::from(steps) - 2]);
        let whole = map.values[usize::from(matrix.at(place))];
        let rest = whole.saturating_sub(dislodged).saturating_sub(near).saturating_sub(alone);
        let rabbit = if what.kind == Kind::Rabbit { RABBIT } else { 0 };
        *grasp = rest.max(if is_there { LEAST_GRASP } else { 0 }).saturating_sub(rabbit);
    }
    grasps
}

/// For each piece of a side and each trap, the steps with which the other side takes it there.
fn steps_to_traps(
    board: &Board,
    side: Side,
    mobility: &TurnMobility,
    distances: &Distances,
) -> [[u8; 4]; SIZE] {
    let mut steps = [[FARTHEST; 4]; SIZE];
    for (steps, piece) in steps.iter_mut().zip(distances.of(side)) {
        let square = piece.square;
        let within = [3, 4].map(|steps| (steps, mobility.displaced(square, Steps(steps))));
        if within[1].1.is_empty() {
            let stronger = board.stronger_than(square);
            let enemies = distances.of(!side).iter().filter(|enemy| stronger.has(enemy.square));
            let nearest = enemies.map(|enemy| enemy.matrix.least_beside(square, None)).min();
            let nearest = nearest.unwrap_or(FARTHEST).max(3);
            *steps = traps(side).map(|trap| (nearest + 2 * apart(square, trap)).min(FARTHEST));
            continue;
        }
        for (count, squares) in within {
            for from in squares {
                for (steps, trap) in steps.iter_mut().zip(traps(side)) {
                    *steps = (*steps).min(count + 2 * apart(from, trap));
                }
            }
        }
    }
    steps
}

/// How many steps two squares are apart.
fn apart(one: Square, other: Square) -> u8 {
    (one.column().abs_diff(other.column()) + one.row().abs_diff(other.row())) as u8
}
