//! What the pieces are, and where they stand.

use std::array::from_fn;

use arimaa::{Board, Direction, Kind, Side, Square};
use game::BySide;
use linear::{FeatureSink, FeatureVector, Group, Sum, Weights};

use super::EvaluationContext;
use super::context::{column, index, row};
use super::model::{COUNT, FORMULA, KIND, PLACEMENT, RABBITS_LEFT, RANK, SUPPORT};

/// Emits what the pieces are worth: the formula, and besides each piece by its kind alone.
#[inline(always)]
pub(super) fn material(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let MaterialValues { total, counts, .. } = &context.material[side];
    sink.add(FORMULA, [0], *total);
    for kind in Kind::ALL {
        sink.add(KIND, [index(kind)], counts[kind as usize] as i32);
    }
    sink.add(RABBITS_LEFT, [counts[Kind::Rabbit as usize]], 1);
}

/// Emits the squares on which the pieces of a side stand: by kind, and above the rabbits by the number of
/// stronger enemies as well.
#[inline(always)]
pub(super) fn placement(context: &EvaluationContext, side: Side, sink: &mut impl PlacementSink) {
    let enemies = &context.material[!side].counts;
    let mut stronger = 0;
    for kind in Kind::ALL.into_iter().rev() {
        let rank = RANKS[stronger.min(5)];
        for square in context.board.kind(kind) & context.of[side] {
            sink.add_placement(side, kind, rank, square);
        }
        stronger += enemies[kind as usize];
    }
}

/// Pieces with so many stronger enemies have their weights in common.
const RANKS: [usize; 6] = [0, 1, 2, 3, 3, 4];

/// A sink that may know what a piece on a square is worth without adding up its features.
pub(super) trait PlacementSink: FeatureSink {
    /// A piece stands on a square.
    fn add_placement(&mut self, side: Side, kind: Kind, rank: usize, square: Square) {
        let (row, column) = (row(side, square), column(square));
        self.add(PLACEMENT, [index(kind), row, column], 1);
        if kind != Kind::Rabbit {
            self.add(RANK, [rank, row, column], 1);
        }
    }
}

impl PlacementSink for FeatureVector {}

/// The sum of the weights of a model, with those of placements from its table.
pub(super) struct ModelSum<'a> {
    pub(super) sum: Sum<'a, COUNT>,
    pub(super) placements: &'a Placements,
}

impl FeatureSink for ModelSum<'_> {
    #[inline(always)]
    fn add<const D: usize>(&mut self, group: Group<D>, at: [usize; D], value: i32) {
        self.sum.add(group, at, value);
    }

    #[inline(always)]
    fn end_term(&mut self) {
        self.sum.end_term();
    }
}

impl PlacementSink for ModelSum<'_> {
    #[inline(always)]
    fn add_placement(&mut self, side: Side, kind: Kind, rank: usize, square: Square) {
        let value = self.placements[side as usize][index(kind)][rank][square.index()];
        self.sum.add_points(value.into());
    }
}

/// What a piece on a square is worth, by side, kind, rank and square.
pub(super) type Placements = [[[[i16; 64]; 5]; 6]; 2];

/// The table for the weights of a model. With it, the evaluation takes 3 % less time (2026-11).
pub(super) fn placements(weights: &[i32; COUNT]) -> Placements {
    let worth = |side, kind, rank, index| {
        let mut features = FeatureVector::default();
        if let Some(square) = Square::new(index) {
            features.add_placement(side, kind, rank, square);
        }
        features.dot(weights) as i16
    };
    Side::ALL.map(|side| {
        Kind::ALL.map(|kind| from_fn(|rank| from_fn(|square| worth(side, kind, rank, square))))
    })
}

/// No sum of two weights is too great for the table.
const _: () = assert!(2 * Weights::MOST <= i16::MAX as i32);

/// Emits how many friends are beside the pieces of a side.
#[inline(always)]
pub(super) fn support(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let own = context.of[side];
    let [north, east, south, west] = Direction::ALL.map(|direction| own.shift(direction));
    let any = north | east | south | west;
    let several = north & south | east & west | (north | south) & (east | west);
    for kind in Kind::ALL {
        let pieces = context.board.kind(kind) & own;
        let with = [pieces, pieces & any, pieces & several].map(|pieces| pieces.len() as i32);
        sink.add(SUPPORT, [index(kind), 0], with[0] - with[1]);
        sink.add(SUPPORT, [index(kind), 1], with[1] - with[2]);
        sink.add(SUPPORT, [index(kind), 2], with[2]);
    }
}

/// What the pieces of a side are worth by the material formula.
///
/// As in Hřebejk 2013, 4.2, the number of stronger enemies tells what a piece above the rabbits is worth.
/// The fewer pieces and rabbits are left, the more each counts. The numbers of the formula are constants
/// of the program, not weights of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaterialValues {
    /// All together.
    pub total: i32,
    /// One of each kind; the first place is for none.
    pub each: [i32; 7],
    /// How many there are of each kind.
    pub counts: Counts,
}

/// What a piece is worth by the number of enemies that are stronger: 1600 / (1.4475 + n), twice that for
/// none. The shape is that of the formula HarLog of the Arimaa community, fitted to what strong
/// players trade.
const BY_STRONGER: [i32; 9] = [2210, 654, 464, 360, 294, 248, 214, 190, 170];

/// 1010 ln(n), of the number of rabbits and of the number of pieces: the fewer are left, the more one is
/// worth.
const BY_NUMBER: [i32; 17] = [
    -1400, 0, 700, 1110, 1400, 1626, 1810, 1966, 2100, 2220, 2326, 2422, 2510, 2590, 2666, 2736,
    2800,
];

/// How many pieces of each kind a side has; the first place is for none.
pub type Counts = [usize; 7];

impl MaterialValues {
    /// The values of both sides' pieces.
    #[inline(always)]
    pub fn of_both(board: &Board) -> BySide<MaterialValues> {
        let counts = |side| {
            let own = board.of(side);
            let count = |kind| (board.kind(kind) & own).len().min(2);
            let rabbits = (board.kind(Kind::Rabbit) & own).len().min(8);
            let [cat, dog, horse] = [Kind::Cat, Kind::Dog, Kind::Horse].map(count);
            [0, rabbits, cat, dog, horse, count(Kind::Camel), count(Kind::Elephant)]
        };
        let (gold, silver) = (counts(Side::First), counts(Side::Second));
        BySide {
            first: MaterialValues::by(&gold, &silver),
            second: MaterialValues::by(&silver, &gold),
        }
    }

    #[inline(always)]
    fn by(own: &Counts, enemy: &Counts) -> MaterialValues {
        let pieces = own.iter().sum::<usize>().clamp(1, 16);
        let rabbits = own[Kind::Rabbit as usize].max(1);
        // What the loss of any piece costs, and what that of a rabbit does besides.
        let piece = BY_NUMBER[pieces] - BY_NUMBER[pieces - 1];
        let rabbit = BY_NUMBER[rabbits] - BY_NUMBER[rabbits - 1];
        let total = BY_NUMBER[pieces] + BY_NUMBER[rabbits];
        let mut values = MaterialValues { total, each: [0; 7], counts: *own };
        values.each[Kind::Rabbit as usize] = rabbit + piece;
        let mut stronger = 0;
        for kind in (Kind::Cat as usize..=Kind::Elephant as usize).rev() {
            let one = BY_STRONGER[stronger] + piece;
            values.each[kind] = one;
            values.total += one * own[kind] as i32;
            stronger += enemy[kind];
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::positions;
    use super::*;

    /// The same by what each piece has above it on the board.
    fn slow(board: &Board, side: Side) -> MaterialValues {
        let (own, enemy) = (board.of(side), board.of(!side));
        let pieces = own.len().clamp(1, 16);
        let rabbits = board.rabbits(side).len().clamp(1, 8);
        let piece = BY_NUMBER[pieces] - BY_NUMBER[pieces - 1];
        let rabbit = BY_NUMBER[rabbits] - BY_NUMBER[rabbits - 1];
        let mut counts = [0; 7];
        Kind::ALL.iter().for_each(|&kind| counts[kind as usize] = (board.kind(kind) & own).len());
        let total = BY_NUMBER[pieces] + BY_NUMBER[rabbits];
        let mut values = MaterialValues { total, each: [0; 7], counts };
        values.each[Kind::Rabbit as usize] = rabbit + piece;
        for kind in &Kind::ALL[1..] {
            let one = BY_STRONGER[(board.above(*kind) & enemy).len()] + piece;
            values.each[*kind as usize] = one;
            values.total += one * (board.kind(*kind) & own).len() as i32;
        }
        values
    }

    #[test]
    fn counting_kinds_and_looking_above_each_agree() {
        for position in positions() {
            let board = position.board();
            let values = MaterialValues::of_both(board);
            for side in Side::ALL {
                assert_eq!(values[side], slow(board, side), "{position}");
            }
        }
    }
}
