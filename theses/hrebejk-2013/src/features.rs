//! The second layer: parametrised features (4.7). A feature is found for a piece, a trap or a pattern, with a value for each
//! of its parameters; what is worth how much is left to the third layer.
//!
//! To add one, declare it in [`FEATURES`] and emit it.

use arimaa::{Bitboard, Board, GOLD, Kind, Side, Square, WHOLE_TURN};
use arimaa_ai::evaluation::MaterialValues;
use arimaa_ai::matrix::{self, Numbers};
use arimaa_ai::{Distances, FARTHEST, Matrix, PieceDistances, TurnMobility};
use game::{BySide, Steps};

use crate::assignment::Assigning;
use crate::influence::MOBILITY;
use crate::protection::DEFENSIVE_SQUARES;
use crate::{Influence, Protection};

/// A kind of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureKind {
    /// Its name.
    pub name: &'static str,
    /// What it is found for.
    pub about: &'static str,
    /// What is known of it.
    pub parameters: &'static [FeatureParameter],
}

/// A parameter of a kind of features: a number from 0 to `most`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureParameter {
    /// Its name.
    pub name: &'static str,
    /// The greatest value.
    pub most: u16,
    /// Whether values that are close mean much the same. For one that is not, there is a function for each of its
    /// values.
    pub is_quantitative: bool,
    /// What it means.
    pub about: &'static str,
}

const fn quantity(name: &'static str, most: u16, about: &'static str) -> FeatureParameter {
    FeatureParameter { name, most, is_quantitative: true, about }
}

const fn quality(name: &'static str, most: u16, about: &'static str) -> FeatureParameter {
    FeatureParameter { name, most, is_quantitative: false, about }
}

const TO_MOVE: FeatureParameter = quality("to move", 1, "whether its side is to move");
const STRENGTH: FeatureParameter =
    quantity("strength", 15, "14, less 2 for each stronger enemy and 1 for each equal one");
const MOBILITY_OF_PIECE: FeatureParameter =
    quantity("mobility", 6000, "the squares that it can reach, the nearer the more");
const NEGATIVE_MOBILITY: FeatureParameter = quantity(
    "negative mobility",
    24,
    "the squares to which the other side can move it within a turn, twice those without a friend beside them",
);
const FEAR: FeatureParameter = quantity("fear", 255, "stronger enemies around it");
const SUPPORT: FeatureParameter = quantity("support", 255, "friends around it");
const DANGER: FeatureParameter = quantity("danger", 255, "how likely it is to be captured");
const ADVANCEMENT: FeatureParameter =
    quantity("advancement", 7, "its row, 7 on the goal row of its side");
const WORTH: FeatureParameter =
    quantity("worth", 1000, "what its loss costs by the material formula of `docs/evaluation.md`");
const CENTRALIZATION: FeatureParameter =
    quantity("centralization", 3, "its column, 0 at the edge and 3 in the middle");

/// The number of each kind of features in [`FEATURES`].
mod kind {
    pub(crate) const PIECE: usize = 0;
    pub(crate) const RABBIT: usize = 1;
    pub(crate) const TRAP: usize = 2;
    pub(crate) const TRAP_OWNER: usize = 3;
    pub(crate) const FRAME: usize = 4;
    pub(crate) const HOSTAGE: usize = 5;
    pub(crate) const BLOCKADE: usize = 6;
    pub(crate) const CAPTURABLE: usize = 7;
    pub(crate) const LOSSES: usize = 8;
    pub(crate) const MATERIAL: usize = 9;
    pub(crate) const RACE: usize = 10;
    pub(crate) const HELD: usize = 11;
}

/// All kinds of features: those of Tables 4.3 to 4.5, what 4.8 says is missing, and what learning has missed
/// (`docs/experiments/learning.md`).
pub static FEATURES: [FeatureKind; 12] = [
    FeatureKind {
        name: "piece",
        about: "each piece that is no rabbit",
        parameters: &[
            TO_MOVE,
            STRENGTH,
            MOBILITY_OF_PIECE,
            NEGATIVE_MOBILITY,
            FEAR,
            SUPPORT,
            DANGER,
            ADVANCEMENT,
            CENTRALIZATION,
        ],
    },
    FeatureKind {
        name: "rabbit",
        about: "each rabbit",
        parameters: &[
            TO_MOVE,
            MOBILITY_OF_PIECE,
            NEGATIVE_MOBILITY,
            FEAR,
            SUPPORT,
            DANGER,
            quantity("goal prospects", 255, "how close it is to a goal, and who is stronger there"),
            ADVANCEMENT,
            CENTRALIZATION,
        ],
    },
    FeatureKind {
        name: "trap",
        about: "each trap, for each side",
        parameters: &[
            quantity("protection", 1020, "how well the side protects it"),
            quantity("enemy protection", 1020, "how well the other side does"),
        ],
    },
    FeatureKind {
        name: "trap owner",
        about: "each trap, for each side",
        parameters: &[
            quality("home", 1, "whether it is in the half of the side"),
            quality(
                "strongest",
                2,
                "whose piece within four steps of it is stronger: the enemy's, neither, its own",
            ),
            quantity("beside", 4, "pieces of the side beside it"),
            quantity("enemies beside", 4, "pieces of the other side beside it"),
            quantity(
                "steps to hold",
                45,
                "steps that put pieces on three of the squares beside it",
            ),
        ],
    },
    FeatureKind {
        name: "frame",
        about: "each piece on a trap that cannot leave it within two steps and has one friend beside it",
        parameters: &[
            quantity("strength", 15, "strength of the piece, 0 for a rabbit"),
            quantity("guard", 15, "strength of the friend that holds it, 0 for a rabbit"),
        ],
    },
    FeatureKind {
        name: "hostage",
        about: "each frozen piece that the other side can capture within a turn",
        parameters: &[
            quantity("strength", 15, "strength of the piece, 0 for a rabbit"),
            quantity("holder", 15, "strength of the weakest enemy that freezes it"),
        ],
    },
    FeatureKind {
        name: "blockade",
        about: "each elephant",
        parameters: &[quantity("reach", 40, "squares that it can reach within a turn")],
    },
    FeatureKind {
        name: "capturable",
        about: "each piece that the other side can capture within a turn",
        parameters: &[TO_MOVE, quality("steps", 2, "the steps that it takes, less 2"), WORTH],
    },
    FeatureKind {
        name: "losses",
        about: "each side of which something can be captured within a turn",
        parameters: &[
            TO_MOVE,
            quantity("greatest", 1000, "worth of the greatest piece that can be captured"),
            quantity("by three steps", 1000, "worth of the greatest by three steps"),
            quantity("by two steps", 1000, "worth of the greatest by two steps"),
            quantity("second", 1000, "worth of the greatest but one"),
        ],
    },
    FeatureKind {
        name: "material",
        about: "each side",
        parameters: &[
            quantity("rabbits", 8, "its rabbits that are left"),
            quantity("pieces", 8, "its other pieces"),
            quantity("enemy rabbits", 8, "rabbits of the other side"),
            quantity("enemy pieces", 8, "other pieces of the other side"),
        ],
    },
    FeatureKind {
        name: "race",
        about: "each side that has rabbits",
        parameters: &[
            TO_MOVE,
            quality("threat", 1, "whether it can reach a goal within a turn"),
            quantity("steps", 15, "steps of its nearest rabbit to a goal, exact up to 4"),
            quantity("second", 15, "steps of its nearest rabbit but one, 15 without one"),
        ],
    },
    FeatureKind {
        name: "held",
        about: "each piece beside a stronger enemy",
        parameters: &[
            TO_MOVE,
            quality("frozen", 1, "whether no friend is beside it"),
            WORTH,
            ADVANCEMENT,
            quantity("holder", 15, "strength of the weakest enemy that is stronger and beside it"),
            quantity("friends", 4, "friends beside it"),
        ],
    },
];

/// The most parameters that a feature has.
pub const MOST_PARAMETERS: usize = 9;

/// A feature that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureInstance {
    /// Its number in [`FEATURES`].
    pub kind: usize,
    /// Whose it is.
    pub side: Side,
    /// Where: the square of the piece or of the trap.
    pub square: Square,
    pub(crate) values: [u16; MOST_PARAMETERS],
}

/// The greatest value of each parameter of each kind.
static MOST: [[u16; MOST_PARAMETERS]; FEATURES.len()] = {
    let mut most = [[0; MOST_PARAMETERS]; FEATURES.len()];
    let mut index = 0;
    while index < FEATURES.len() * MOST_PARAMETERS {
        let (kind, parameter) = (index / MOST_PARAMETERS, index % MOST_PARAMETERS);
        if parameter < FEATURES[kind].parameters.len() {
            most[kind][parameter] = FEATURES[kind].parameters[parameter].most;
        }
        index += 1;
    }
    most
};

impl FeatureInstance {
    /// A value for each parameter.
    pub fn values(&self) -> &[u16] {
        &self.values[..FEATURES[self.kind].parameters.len()]
    }
}

/// The features of a board, and what they come from.
#[derive(Clone, Debug)]
pub struct Features {
    /// What the pieces can do within a turn.
    pub mobility: TurnMobility,
    /// How far they are from each square.
    pub distances: Distances,
    /// How strong both sides are around each square.
    pub influence: Influence,
    /// Who can hold which trap.
    pub protection: Protection,
    instances: Vec<FeatureInstance>,
}

/// The most features of a board: its pieces, two for each trap and side, and patterns of pieces.
const MOST_FEATURES: usize = 128;

impl Features {
    /// The features of a board where that side is to move.
    pub fn new(board: &Board, to_move: Side) -> Features {
        #[cfg(target_arch = "x86_64")]
        if matrix::wide::is_available() {
            // SAFETY: the processor has the instructions.
            return unsafe { with_avx512(board, to_move) };
        }
        Features::by::<Matrix>(board, to_move)
    }

    /// The same as [`Features::new`], on any processor.
    #[doc(hidden)]
    pub fn plain(board: &Board, to_move: Side) -> Features {
        Features::by::<Matrix>(board, to_move)
    }

    #[inline(always)]
    pub(crate) fn by<N: Assigning>(board: &Board, to_move: Side) -> Features {
        let mobility = TurnMobility::new(board);
        let distances = Distances::by::<N>(board, &mobility);
        let influence = Influence::new::<N>(&distances);
        let protection = Protection::new::<N>(to_move, &mobility, &distances, &influence);
        let instances =
            instances::<N>(board, to_move, (&mobility, &distances, &influence, &protection));
        Features { mobility, distances, influence, protection, instances }
    }

    /// All of them, kind by kind for each side.
    pub fn iter(&self) -> impl Iterator<Item = &FeatureInstance> {
        self.instances.iter()
    }
}

/// The features alone, for who needs nothing else: what they come from is large.
#[inline(always)]
pub(crate) fn only_instances<N: Assigning>(board: &Board, to_move: Side) -> Vec<FeatureInstance> {
    let mobility = TurnMobility::new(board);
    let distances = Distances::by::<N>(board, &mobility);
    let influence = Influence::new::<N>(&distances);
    let protection = Protection::new::<N>(to_move, &mobility, &distances, &influence);
    instances::<N>(board, to_move, (&mobility, &distances, &influence, &protection))
}

#[inline(always)]
fn instances<N: Numbers>(
    board: &Board,
    to_move: Side,
    (mobility, distances, influence, protection): (
        &TurnMobility,
        &Distances,
        &Influence,
        &Protection,
    ),
) -> Vec<FeatureInstance> {
    let instances = Vec::with_capacity(MOST_FEATURES);
    let material = MaterialValues::of_both(board);
    let mut emitter = Emitter { mobility, distances, influence, protection, material, instances };
    emitter.emit_pieces::<N>(board, to_move);
    emitter.emit_traps::<N>(board);
    emitter.emit_patterns(board);
    emitter.emit_losses(board, to_move);
    emitter.emit_material(board);
    emitter.emit_races(to_move);
    emitter.emit_held(board, to_move);
    emitter.instances
}

/// Finds the features, from what they come from.
struct Emitter<'a> {
    mobility: &'a TurnMobility,
    distances: &'a Distances,
    influence: &'a Influence,
    protection: &'a Protection,
    material: BySide<MaterialValues>,
    instances: Vec<FeatureInstance>,
}

impl Emitter<'_> {
    /// Notes a feature; values beyond their range are cut off.
    #[inline(always)]
    fn emit<const N: usize>(&mut self, kind: usize, side: Side, square: Square, found: [u16; N]) {
        debug_assert_eq!(N, FEATURES[kind].parameters.len());
        let mut values = [0; MOST_PARAMETERS];
        values[..N].copy_from_slice(&found);
        for (value, most) in values.iter_mut().zip(&MOST[kind]) {
            *value = (*value).min(*most);
        }
        self.instances.push(FeatureInstance { kind, side, square, values });
    }

    #[inline(always)]
    fn emit_pieces<N: Numbers>(&mut self, board: &Board, to_move: Side) {
        let distances = self.distances;
        for one in distances.iter() {
            let PieceDistances { square, piece, ref matrix } = *one;
            let side = piece.side;
            let danger = self.protection.danger(square).into();
            let fear = self.influence.fear(side, piece.kind).at(square).into();
            let support = self.influence.support(side).at(square).into();
            let mobility = N::load(matrix).mapped(&MOBILITY.values).sum() as u16;
            let negative = self.negative_mobility(board, side, square);
            let to_move = u16::from(side == to_move);
            let row = advancement(side, square);
            let middle = square.column().min(7 - square.column()) as u16;
            if piece.kind == Kind::Rabbit {
                let prospects = self.influence.goal_prospects(one).into();
                let found =
                    [to_move, mobility, negative, fear, support, danger, prospects, row, middle];
                self.emit(kind::RABBIT, side, square, found);
            } else {
                let strength = strength(board, square);
                let found =
                    [to_move, strength, mobility, negative, fear, support, danger, row, middle];
                self.emit(kind::PIECE, side, square, found);
            }
        }
    }

    /// The squares to which a piece can be moved; twice those where no friend would be beside it.
    #[inline(always)]
    fn negative_mobility(&self, board: &Board, side: Side, square: Square) -> u16 {
        let friends = board.of(side) & !square.bit();
        let squares = self.mobility.displaced(square, Steps(4));
        (squares.len() + (squares & !friends.neighbours()).len()) as u16
    }

    #[inline(always)]
    fn emit_traps<N: Numbers>(&mut self, board: &Board) {
        let (gold, silver) = (self.distances.of(GOLD), self.distances.of(!GOLD));
        let near = [TrapDistances::new::<N>(GOLD, gold), TrapDistances::new::<N>(!GOLD, silver)];
        for (index, side) in Side::ALL.into_iter().enumerate() {
            for (trap, square) in Square::TRAPS.into_iter().enumerate() {
                let protection = |side| self.protection.trap(side, trap);
                let found = [protection(side), protection(!side)];
                self.emit(kind::TRAP, side, square, found);
            }
            for (trap, square) in Square::TRAPS.into_iter().enumerate() {
                let beside = |side| (board.of(side) & square.neighbours()).len() as u16;
                let (own, other) = (&near[index], &near[1 - index]);
                let strongest = match own.strongest(trap).cmp(&other.strongest(trap)) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                };
                let home = u16::from(advancement(side, square) < 4);
                let steps = own.steps_to_hold(trap);
                let found = [home, strongest, beside(side), beside(!side), steps];
                self.emit(kind::TRAP_OWNER, side, square, found);
            }
        }
    }

    #[inline(always)]
    fn emit_patterns(&mut self, board: &Board) {
        for side in Side::ALL {
            let (own, enemies) = (board.of(side), board.of(!side));
            for square in own & Bitboard::TRAPS {
                let guards = own & square.neighbours();
                let reach = self.mobility.reach(square, Steps(2));
                if let (true, true, Some(guard)) =
                    (guards.is_single(), reach.is_empty(), guards.first())
                {
                    let found = [strength(board, square), strength(board, guard)];
                    self.emit(kind::FRAME, side, square, found);
                }
            }
            for square in own & !board.free(side) & self.mobility.captured(Steps(4)) {
                let holders = enemies & board.stronger_than(square) & square.neighbours();
                let holder = holders.into_iter().map(|holder| strength(board, holder)).min();
                let found = [strength(board, square), holder.unwrap_or(0)];
                self.emit(kind::HOSTAGE, side, square, found);
            }
            for square in own & board.kind(Kind::Elephant) {
                let reach = self.mobility.reach(square, Steps(4)).len() as u16;
                self.emit(kind::BLOCKADE, side, square, [reach]);
            }
        }
    }

    /// What its loss costs a side.
    #[inline(always)]
    fn worth(&self, board: &Board, square: Square) -> u16 {
        let Some(piece) = board.piece_at(square) else { return 0 };
        self.material[piece.side].each[piece.kind as usize] as u16
    }

    /// What each side can lose within a turn.
    #[inline(always)]
    fn emit_losses(&mut self, board: &Board, to_move: Side) {
        for side in Side::ALL {
            let is_to_move = u16::from(side == to_move);
            let own = board.of(side);
            let within = [2, 3, 4].map(|steps| own & self.mobility.captured(Steps(steps)));
            // The greatest by two, three and four steps.
            let (mut greatest, mut second) = ([0; 3], 0);
            for square in within[2] {
                let steps = within.iter().filter(|set| !set.has(square)).count();
                let worth = self.worth(board, square);
                self.emit(kind::CAPTURABLE, side, square, [is_to_move, steps as u16, worth]);
                second = u16::max(second, worth.min(greatest[2]));
                greatest[steps..].iter_mut().for_each(|one| *one = worth.max(*one));
            }
            let [by_two, by_three, most] = greatest;
            if most > 0 {
                let found = [is_to_move, most, by_three, by_two, second];
                self.emit(kind::LOSSES, side, home(side), found);
            }
        }
    }

    /// What is left of each side.
    #[inline(always)]
    fn emit_material(&mut self, board: &Board) {
        for side in Side::ALL {
            let rabbits = |side| board.rabbits(side).len() as u16;
            let pieces = |side| (board.of(side) & !board.rabbits(side)).len() as u16;
            let found = [rabbits(side), pieces(side), rabbits(!side), pieces(!side)];
            self.emit(kind::MATERIAL, side, home(side), found);
        }
    }

    /// How near each side is to a goal.
    #[inline(always)]
    fn emit_races(&mut self, to_move: Side) {
        let distances = self.distances;
        for side in Side::ALL {
            let row = if side == GOLD { 56..64 } else { 0..8 };
            let rabbits = || distances.of(side).iter().filter(|one| one.piece.kind == Kind::Rabbit);
            let (mut nearest, mut second) = (FARTHEST, FARTHEST);
            for rabbit in rabbits() {
                let steps = rabbit.matrix.0[row.clone()].iter().copied().fold(FARTHEST, u8::min);
                second = second.min(steps.max(nearest));
                nearest = nearest.min(steps);
            }
            if rabbits().next().is_some() {
                let is_to_move = u16::from(side == to_move);
                let threat = u16::from(nearest <= WHOLE_TURN.0);
                let found = [is_to_move, threat, nearest.into(), second.into()];
                self.emit(kind::RACE, side, home(side), found);
            }
        }
    }

    /// The pieces beside stronger ones.
    #[inline(always)]
    fn emit_held(&mut self, board: &Board, to_move: Side) {
        for side in Side::ALL {
            let (own, enemies) = (board.of(side), board.of(!side));
            for square in own & enemies.neighbours() {
                let holders = enemies & board.stronger_than(square) & square.neighbours();
                let holder = holders.into_iter().map(|holder| strength(board, holder)).min();
                let Some(holder) = holder else { continue };
                let friends = (own & square.neighbours()).len() as u16;
                let (worth, row) = (self.worth(board, square), advancement(side, square));
                let (is_to_move, is_frozen) = (u16::from(side == to_move), u16::from(friends == 0));
                let found = [is_to_move, is_frozen, worth, row, holder, friends];
                self.emit(kind::HELD, side, square, found);
            }
        }
    }
}

/// Where what is found for a whole side is noted: in its corner.
#[inline(always)]
fn home(side: Side) -> Square {
    if side == GOLD { Square::A1 } else { Square::A1.mirrored() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
fn with_avx512(board: &Board, to_move: Side) -> Features {
    Features::by::<matrix::wide::Wide>(board, to_move)
}

/// How strong a piece is among the enemies that are left (4.2); 0 for a rabbit.
#[inline(always)]
fn strength(board: &Board, square: Square) -> u16 {
    let Some(piece) = board.piece_at(square) else { return 0 };
    if piece.kind == Kind::Rabbit {
        return 0;
    }
    let enemies = board.of(!piece.side);
    let stronger = (board.above(piece.kind) & enemies).len() as u16;
    let equal = (board.kind(piece.kind) & enemies).len() as u16;
    14u16.saturating_sub(2 * stronger + equal)
}

/// The row as the side sees it.
#[inline(always)]
fn advancement(side: Side, square: Square) -> u16 {
    let row = if side == GOLD { square.row() } else { 7 - square.row() };
    row as u16
}

/// How far the pieces of a side are from the squares beside the traps.
struct TrapDistances {
    side: Side,
    /// For each piece, the distances of four squares for each trap, those of the own half first.
    distances: [[u8; 16]; 16],
    /// For each of the squares, how strong the strongest piece within four steps is.
    strongest: [u8; 16],
}

impl TrapDistances {
    #[inline(always)]
    fn new<N: Numbers>(side: Side, own: &[PieceDistances]) -> TrapDistances {
        let mut near = TrapDistances { side, distances: [[u8::MAX; 16]; 16], strongest: [0; 16] };
        let squares = &DEFENSIVE_SQUARES[usize::from(side != GOLD)];
        for (index, one) in own.iter().enumerate().take(16) {
            let distances = N::load(&one.matrix).gathered(squares);
            for (strongest, distance) in near.strongest.iter_mut().zip(distances) {
                let strength = if distance <= 4 { one.piece.kind as u8 } else { 0 };
                *strongest = (*strongest).max(strength);
            }
            near.distances[index] = distances;
        }
        near
    }

    /// Where a trap of [`Square::TRAPS`] begins.
    #[inline(always)]
    fn first(&self, trap: usize) -> usize {
        4 * if self.side == GOLD { trap } else { trap ^ 2 }
    }

    /// How strong the strongest piece within four steps of a square beside a trap is, 0 if there is none.
    #[inline(always)]
    fn strongest(&self, trap: usize) -> u8 {
        let first = self.first(trap);
        let [a, b, c, d] = [0, 1, 2, 3].map(|square| self.strongest[first + square]);
        a.max(b).max(c.max(d))
    }

    /// The steps that put pieces on three of the squares beside a trap: each square takes the nearest piece that is left, the
    /// nearest square first; of equal ones the first, as the side sees the board.
    #[inline(always)]
    fn steps_to_hold(&self, trap: usize) -> u16 {
        const NOBODY: u16 = u16::MAX;
        let first = self.first(trap);
        // The distance, the piece and the square in one number, so that the least one is what comes next.
        let mut pairs = [[NOBODY; 4]; 16];
        for (piece, pairs) in pairs.iter_mut().enumerate() {
            for (square, pair) in pairs.iter_mut().enumerate() {
                let distance = u16::from(self.distances[piece][first + square]);
                *pair = distance << 8 | (piece << 4 | square) as u16;
            }
        }
        let pairs = pairs.as_flattened_mut();
        let mut steps = 0;
        for _ in 0..3 {
            let nearest = pairs.iter().copied().fold(NOBODY, u16::min);
            if nearest >> 8 > 15 {
                return steps + 15;
            }
            steps += nearest >> 8;
            let (piece, square) = (nearest & 0xF0, nearest & 0xF);
            for pair in pairs.iter_mut() {
                let is_used = *pair & 0xF0 == piece || *pair & 0xF == square;
                *pair = if is_used { NOBODY } else { *pair };
            }
        }
        steps
    }
}
