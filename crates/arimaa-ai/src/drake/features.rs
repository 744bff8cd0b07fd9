//! The second layer: parametrised features (4.7). A feature is found for a piece, a trap or a pattern, with a value for each
//! of its parameters; what is worth how much is left to the third layer.
//!
//! To add one, declare it in [`FEATURES`] and emit it.

use arimaa::{Bitboard, Board, GOLD, Kind, Side, Square};
use game::Steps;

use super::influence::MOBILITY;
use super::{Distances, Influence, PieceDistances, Protection, TurnMobility};

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
const CENTRALIZATION: FeatureParameter =
    quantity("centralization", 3, "its column, 0 at the edge and 3 in the middle");

/// The number of each kind of features in [`FEATURES`].
mod kind {
    pub(super) const PIECE: usize = 0;
    pub(super) const RABBIT: usize = 1;
    pub(super) const TRAP: usize = 2;
    pub(super) const TRAP_OWNER: usize = 3;
    pub(super) const FRAME: usize = 4;
    pub(super) const HOSTAGE: usize = 5;
    pub(super) const BLOCKADE: usize = 6;
}

/// All kinds of features: those of Tables 4.3 to 4.5, and what 4.8 says is missing.
pub static FEATURES: [FeatureKind; 7] = [
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
    values: [u16; MOST_PARAMETERS],
}

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

impl Features {
    /// The features of a board where that side is to move.
    pub fn new(board: &Board, to_move: Side) -> Features {
        let mobility = TurnMobility::new(board);
        let distances = Distances::new(board, &mobility);
        let influence = Influence::new(&distances);
        let protection = Protection::new(board, to_move, &mobility, &distances, &influence);
        let mut features =
            Features { mobility, distances, influence, protection, instances: Vec::new() };
        features.emit_pieces(board, to_move);
        features.emit_traps(board);
        features.emit_patterns(board);
        features
    }

    /// All of them, kind by kind for each side.
    pub fn iter(&self) -> impl Iterator<Item = &FeatureInstance> {
        self.instances.iter()
    }

    /// Notes a feature; values beyond their range are cut off.
    fn emit(&mut self, kind: usize, side: Side, square: Square, found: &[usize]) {
        let mut values = [0; MOST_PARAMETERS];
        let parameters = FEATURES[kind].parameters;
        debug_assert_eq!(found.len(), parameters.len());
        for ((value, parameter), found) in values.iter_mut().zip(parameters).zip(found) {
            *value = (*found).min(usize::from(parameter.most)) as u16;
        }
        self.instances.push(FeatureInstance { kind, side, square, values });
    }

    fn emit_pieces(&mut self, board: &Board, to_move: Side) {
        for one in self.distances.clone().iter() {
            let PieceDistances { square, piece, matrix } = *one;
            let side = piece.side;
            let danger = usize::from(self.protection.danger(square));
            let fear = usize::from(self.influence.fear(side, piece.kind).at(square));
            let support = usize::from(self.influence.support(side).at(square));
            let mobility = matrix.mapped(&MOBILITY.values).sum() as usize;
            let negative = self.negative_mobility(board, side, square);
            let to_move = usize::from(side == to_move);
            let advancement = advancement(side, square);
            let centralization = square.column().min(7 - square.column());
            let place = [advancement, centralization];
            match piece.kind {
                Kind::Rabbit => {
                    let prospects = usize::from(self.influence.goal_prospects(one));
                    let found = [to_move, mobility, negative, fear, support, danger, prospects];
                    self.emit(kind::RABBIT, side, square, &[&found[..], &place].concat());
                }
                _ => {
                    let strength = strength(board, square);
                    let found = [to_move, strength, mobility, negative, fear, support, danger];
                    self.emit(kind::PIECE, side, square, &[&found[..], &place].concat());
                }
            }
        }
    }

    /// The squares to which a piece can be moved; twice those where no friend would be beside it.
    fn negative_mobility(&self, board: &Board, side: Side, square: Square) -> usize {
        let friends = board.of(side) & !square.bit();
        let squares = self.mobility.displaced(square, Steps(4));
        squares.len() + (squares & !friends.neighbours()).len()
    }

    fn emit_traps(&mut self, board: &Board) {
        for side in Side::ALL {
            for (index, trap) in Square::TRAPS.into_iter().enumerate() {
                let protection = |side| usize::from(self.protection.trap(side, index));
                let found = [protection(side), protection(!side)];
                self.emit(kind::TRAP, side, trap, &found);
            }
            for trap in Square::TRAPS {
                let beside = |side| (board.of(side) & trap.neighbours()).len();
                let strongest = |side| {
                    let near = |one: &&PieceDistances| one.matrix.least_beside(trap, None) <= 4;
                    self.distances.of(side).iter().filter(near).map(|one| one.piece.kind).max()
                };
                let strongest = match strongest(side).cmp(&strongest(!side)) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                };
                let steps = steps_to_hold(side, self.distances.of(side), trap);
                let found = [strongest, beside(side), beside(!side), steps];
                self.emit(kind::TRAP_OWNER, side, trap, &found);
            }
        }
    }

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
                    self.emit(kind::FRAME, side, square, &found);
                }
            }
            for square in own & !board.free(side) & self.mobility.captured(Steps(4)) {
                let holders = enemies & board.stronger_than(square) & square.neighbours();
                let holder = holders.into_iter().map(|holder| strength(board, holder)).min();
                let found = [strength(board, square), holder.unwrap_or(0)];
                self.emit(kind::HOSTAGE, side, square, &found);
            }
            for square in own & board.kind(Kind::Elephant) {
                let reach = self.mobility.reach(square, Steps(4)).len();
                self.emit(kind::BLOCKADE, side, square, &[reach]);
            }
        }
    }
}

/// How strong a piece is among the enemies that are left (4.2); 0 for a rabbit.
fn strength(board: &Board, square: Square) -> usize {
    let Some(piece) = board.piece_at(square) else { return 0 };
    if piece.kind == Kind::Rabbit {
        return 0;
    }
    let enemies = board.of(!piece.side);
    let stronger = (board.above(piece.kind) & enemies).len();
    let equal = (board.kind(piece.kind) & enemies).len();
    14usize.saturating_sub(2 * stronger + equal)
}

/// The row as the side sees it.
fn advancement(side: Side, square: Square) -> usize {
    if side == GOLD { square.row() } else { 7 - square.row() }
}

/// The steps that put pieces on three of the squares beside a trap: each square takes the nearest piece that is left, the
/// nearest square first.
fn steps_to_hold(side: Side, own: &[PieceDistances], trap: Square) -> usize {
    let seen = |square: Square| if side == GOLD { square } else { square.mirrored() };
    let mut squares = trap.neighbours();
    let (mut used, mut steps) = (Bitboard::EMPTY, 0);
    for _ in 0..3 {
        let pairs = own.iter().filter(|one| !used.has(one.square)).flat_map(|one| {
            let squares = squares.into_iter();
            squares.map(move |square| (one.matrix.at(square), one.square, square))
        });
        let nearest = pairs.min_by_key(|&(steps, piece, to)| (steps, seen(piece), seen(to)));
        let Some((distance, piece, square)) = nearest else { return steps + 15 };
        (used, squares) = (used | piece.bit(), squares & !square.bit());
        steps += usize::from(distance);
    }
    steps
}
