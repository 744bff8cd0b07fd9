//! Who can hold which trap, and what is in danger there (4.4).

use arimaa::{Bitboard, GOLD, Kind, Side, Square, bitboard};
use arimaa_ai::matrix::Numbers;
use arimaa_ai::{Distances, FARTHEST, PieceDistances, TurnMobility, minima_of_stronger};
use game::Steps;

use crate::Influence;
use crate::assignment::{Assigning, SIZE, assign_best};
use crate::influence::{DANGER, DistanceMap, PROTECTION_TO_MOVE, PROTECTION_TO_WAIT};

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
    #[inline(always)]
    pub(crate) fn new<N: Assigning>(
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
            let map = if side == to_move { &PROTECTION_TO_MOVE } else { &PROTECTION_TO_WAIT };
            let own = distances.of(side);
            let steps = steps_to_traps::<N>(side, mobility, distances);
            let grasps = grasps::<N>(side, own, map, mobility, influence);
            protection.assign::<N>(side, own, &grasps, &steps);
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
    #[inline(always)]
    fn assign<N: Assigning>(
        &mut self,
        side: Side,
        own: &[PieceDistances],
        grasps: &[[u8; SIZE]; SIZE],
        steps: &[[u8; 4]; SIZE],
    ) {
        // The nearer, the more dangerous: the nearest piece counts.
        let mut nearest = [FARTHEST; 4];
        for steps in steps {
            for (nearest, steps) in nearest.iter_mut().zip(steps) {
                *nearest = (*nearest).min(*steps);
            }
        }
        let threatened = |trap: usize| DANGER.values[usize::from(nearest[trap])];
        let mut best = [0u8; SIZE];
        for grasps in grasps {
            for (best, grasp) in best.iter_mut().zip(grasps) {
                *best = (*best).max(*grasp);
            }
        }
        let held = |trap: usize| {
            best[4 * trap..4 * trap + 4].iter().map(|&best| i32::from(best)).sum::<i32>()
        };
        // A trap in which a piece is threatened matters more, one that is easy to hold less.
        let priorities: [i32; 4] = std::array::from_fn(|trap| {
            let priority = 64 + 2 * i32::from(threatened(trap)) - held(trap) / 32;
            priority.clamp(PRIORITY.0, PRIORITY.1)
        });
        self.priorities[index(side)] = priorities.map(|priority| priority as u8);
        let mut values = [[0; SIZE]; SIZE];
        for (values, grasps) in values.iter_mut().zip(grasps) {
            for (square, (value, grasp)) in values.iter_mut().zip(grasps).enumerate() {
                *value = i32::from(*grasp) * priorities[square / 4];
            }
        }
        let assignment = assign_best::<N::Columns>(&values);
        for (piece, one) in own.iter().enumerate() {
            let square = assignment.columns[piece];
            let grasp = grasps[piece][square];
            self.traps[index(side)][square / 4] += u16::from(grasp);
            self.protects[one.square.index()] = Some(((square / 4) as u8, grasp));
        }
    }

    /// How much a piece is in danger: in each trap by the steps that take it there and by who protects it, other than
    /// itself.
    #[inline(always)]
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

/// The squares beside the traps, four for each, as each side sees them; the others are of no meaning.
pub(crate) static DEFENSIVE_SQUARES: [[u8; 64]; 2] = {
    let mut squares = [[0; 64]; 2];
    let (mut count, mut index) = (0, 0);
    while index < 4 * 64 {
        let (trap, square) = (index / 64, index % 64);
        if Square::TRAPS[trap].neighbours().0 >> square & 1 == 1 {
            squares[0][count] = square as u8;
            squares[1][count] = square as u8 ^ 56;
            count += 1;
        }
        index += 1;
    }
    squares
};

/// For each side and square beside a trap, whether it is near the centre.
static IS_CENTRAL: [[bool; SIZE]; 2] = {
    let mut is_central = [[false; SIZE]; 2];
    let mut index = 0;
    while index < 2 * SIZE {
        let square = DEFENSIVE_SQUARES[index / SIZE][index % SIZE];
        is_central[index / SIZE][index % SIZE] = CENTRAL.0 >> square & 1 == 1;
        index += 1;
    }
    is_central
};

/// How well each piece of a side can hold each square beside a trap.
#[inline(always)]
fn grasps<N: Numbers>(
    side: Side,
    own: &[PieceDistances],
    map: &DistanceMap,
    mobility: &TurnMobility,
    influence: &Influence,
) -> [[u8; SIZE]; SIZE] {
    let squares = &DEFENSIVE_SQUARES[index(side)];
    let support = N::load(influence.support(side)).gathered(squares);
    let mut losses = [[0u8; SIZE]; 6];
    for (losses, kind) in losses.iter_mut().zip(Kind::ALL) {
        let fear = N::load(influence.fear(side, kind)).gathered(squares);
        for (place, loss) in losses.iter_mut().enumerate() {
            let is_central = IS_CENTRAL[index(side)][place];
            let near = if is_central { fear[place] / 4 } else { fear[place] / 8 };
            let backed = support[place].saturating_sub(SUPPORT_NEEDED) / 2;
            *loss = near.saturating_add((fear[place] / 4).saturating_sub(backed));
        }
    }
    let mut grasps = [[0; SIZE]; SIZE];
    for (grasps, piece) in grasps.iter_mut().zip(own) {
        let losses = &losses[piece.piece.kind as usize - 1];
        let whole = N::load(&piece.matrix).mapped(&map.values).gathered(squares);
        for (grasp, (whole, loss)) in grasps.iter_mut().zip(whole.iter().zip(losses)) {
            *grasp = whole.saturating_sub(*loss);
        }
        let place =
            squares[..SIZE].iter().position(|&place| usize::from(place) == piece.square.index());
        if let Some(place) = place {
            let rest = grasps[place].saturating_sub(dislodged(piece.square, mobility));
            grasps[place] = rest.max(LEAST_GRASP);
        }
        if piece.piece.kind == Kind::Rabbit {
            grasps.iter_mut().for_each(|grasp| *grasp = grasp.saturating_sub(RABBIT));
        }
    }
    grasps
}

/// What a piece loses of its grasp because the other side can move it away.
#[inline(always)]
fn dislodged(square: Square, mobility: &TurnMobility) -> u8 {
    let steps = (2..=4).find(|&steps| !mobility.displaced(square, Steps(steps)).is_empty());
    steps.map_or(0, |steps| DISLODGED[usize::from(steps) - 2])
}

/// For each side and square, how many steps each trap is from it, the own half's first.
static TO_TRAPS: [[[u8; 4]; 64]; 2] = {
    let mut table = [[[0; 4]; 64]; 2];
    let mut index = 0;
    while index < 2 * 64 * 4 {
        let (side, square, trap) = (index / 256, index / 4 % 64, index % 4);
        let trap_square = Square::TRAPS[trap].index() ^ (56 * side);
        let apart = (square % 8).abs_diff(trap_square % 8) + (square / 8).abs_diff(trap_square / 8);
        table[side][square][trap] = apart as u8;
        index += 1;
    }
    table
};

/// For each piece of a side and each trap, the steps with which the other side takes it there.
#[inline(always)]
fn steps_to_traps<N: Numbers>(
    side: Side,
    mobility: &TurnMobility,
    distances: &Distances,
) -> [[u8; 4]; SIZE] {
    let mut steps = [[FARTHEST; 4]; SIZE];
    let to_traps = &TO_TRAPS[index(side)];
    let stronger = minima_of_stronger::<N>(distances.of(!side));
    for (steps, piece) in steps.iter_mut().zip(distances.of(side)) {
        let square = piece.square;
        let within = [3, 4].map(|steps| (steps, mobility.displaced(square, Steps(steps))));
        if within[1].1.is_empty() {
            let nearest = stronger[piece.piece.kind as usize - 1].least_beside(square, None);
            let nearest = nearest.clamp(3, FARTHEST);
            for (steps, apart) in steps.iter_mut().zip(to_traps[square.index()]) {
                *steps = (nearest + 2 * apart).min(FARTHEST);
            }
            continue;
        }
        for (count, squares) in within {
            for from in squares {
                for (steps, apart) in steps.iter_mut().zip(to_traps[from.index()]) {
                    *steps = (*steps).min(count + 2 * apart);
                }
            }
        }
    }
    steps
}
