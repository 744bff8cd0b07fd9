//! Tusk's own evaluation: [`Evaluation`].
//!
//! Its terms emit features for a side, each with a weight in the [`Model`]: see `docs/evaluation.md`.

mod model;

use std::array::from_fn;
use std::sync::Arc;

use engine::EvaluationTrace;
use game::{BySide, Score, Side};
use linear::{FeatureSink, FeatureVector, Group, Sum, Weights};
use tzaar::{Board, Field, Kind, Phase, Position};

use self::model::{COUNT, PLACES, STACKS, TEMPO, TYPES, ZONE};
pub use self::model::{FEATURES, Model};

/// Tusk's own evaluation: the features of both sides times the weights of a model, in two hundredths of
/// the logarithm of the odds to win.
///
/// The features are told apart by whether the side is to move, since what can be captured next is worth
/// less than what can still go away.
#[derive(Clone, Debug)]
pub struct Evaluation {
    model: Arc<Model>,
}

/// With the model that is part of the program.
impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::with_model(Model::embedded())
    }
}

impl Evaluation {
    /// The evaluation with the weights of a model.
    pub fn with_model(model: Arc<Model>) -> Evaluation {
        Evaluation { model }
    }

    /// The model that it has.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// An estimate of how the side to move stands.
    pub fn evaluate(&self, position: &Position) -> Score {
        let mover = position.side();
        Score(self.sum(position, mover, Role::Mover) - self.sum(position, !mover, Role::Waiting))
    }

    #[inline(always)]
    fn sum(&self, position: &Position, side: Side, role: Role) -> i32 {
        let Model { weights, stacks } = &*self.model;
        let mut sink = ModelSum { sum: Sum::new(weights), stacks };
        emit(position, side, role, &mut sink);
        sink.sum.points()
    }

    /// The features of both sides. They do not depend on the model.
    pub fn features(position: &Position) -> BySide<FeatureVector> {
        let mut features = BySide::<FeatureVector>::default();
        for side in Side::ALL {
            let role = if side == position.side() { Role::Mover } else { Role::Waiting };
            emit(position, side, role, &mut features[side]);
        }
        features
    }

    /// Every term for both sides, for people to read.
    pub fn trace(&self, position: &Position) -> EvaluationTrace {
        let features = Evaluation::features(position);
        let by_term = |side| features[side].by_term(&FEATURES, &self.model.weights);
        let pairs = by_term(Side::First).into_iter().zip(by_term(Side::Second));
        let terms = pairs.map(|((term, first), (_, second))| (term, BySide { first, second }));
        let unit = "200ths of the logarithm of the odds";
        EvaluationTrace::of_terms("tusk", unit, terms.collect(), position.side())
    }
}

/// The side to move, or the other: an index of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Mover,
    Waiting,
}

/// Emits all features of a side.
#[inline(always)]
fn emit(position: &Position, side: Side, role: Role, sink: &mut impl StackSink) {
    let board = position.board();
    for kind in Kind::ALL {
        types(board, side, kind, role, sink);
        for field in board.of_kind(side, kind) {
            let is_capturable = board.capturable().has(field);
            sink.add_stack(role, board.height(field).into(), is_capturable, ORBITS[field.index()]);
        }
    }
    if role == Role::Mover {
        sink.add(TEMPO, [usize::from(position.phase() == Phase::Second)], 1);
    }
    sink.end_term();
}

/// Emits how many stacks of a side show a type, how high the highest is, and how many of them the enemy
/// can capture. A type that no stack shows emits nothing: the game is over.
#[inline(always)]
fn types(board: &Board, side: Side, kind: Kind, role: Role, sink: &mut impl FeatureSink) {
    let (count, tallest) = (board.count(side, kind), usize::from(board.tallest(side, kind)));
    if count == 0 {
        return;
    }
    let (role, kind_index) = (role as usize, kind as usize);
    sink.add(TYPES, [role, kind_index, count.min(10) - 1, tallest.min(4) - 1], 1);
    sink.add(ZONE, [role, kind_index, count.min(5) - 1, board.zone(side, kind).min(4)], 1);
}

/// A sink that may know what a stack is worth without adding up its features.
trait StackSink: FeatureSink {
    /// There is a stack of that height, which the enemy can capture or not, on such a place.
    fn add_stack(&mut self, role: Role, height: usize, is_capturable: bool, place: usize) {
        let is_capturable = usize::from(is_capturable);
        self.add(STACKS, [role as usize, height.min(HEIGHTS) - 1, is_capturable], 1);
        self.add(PLACES, [height.min(3) - 1, place], 1);
    }
}

impl StackSink for FeatureVector {}

/// The sum of the weights of a model, with those of stacks from its table.
struct ModelSum<'a> {
    sum: Sum<'a, COUNT>,
    stacks: &'a Stacks,
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

impl StackSink for ModelSum<'_> {
    #[inline(always)]
    fn add_stack(&mut self, role: Role, height: usize, is_capturable: bool, place: usize) {
        let by_place = &self.stacks[role as usize][height.min(HEIGHTS)][usize::from(is_capturable)];
        self.sum.add_points(by_place[place].into());
    }
}

/// Higher stacks are all alike.
const HEIGHTS: usize = 5;

/// What a stack is worth, by role, height (the first place is for none), whether the enemy can capture
/// it, and place.
type Stacks = [[[[i16; PLACE_COUNT]; 2]; HEIGHTS + 1]; 2];

/// The table for the weights of a model. With it, the evaluation takes a fifth less time (2026-11).
fn stacks(weights: &[i32; COUNT]) -> Stacks {
    let worth = |role, height, is_capturable, place| {
        let mut features = FeatureVector::default();
        if height > 0 {
            features.add_stack(role, height, is_capturable, place);
        }
        features.dot(weights) as i16
    };
    [Role::Mover, Role::Waiting].map(|role| {
        from_fn(|height| {
            [false, true].map(|capturable| from_fn(|place| worth(role, height, capturable, place)))
        })
    })
}

/// No sum of two weights is too great for the table.
const _: () = assert!(2 * Weights::MOST <= i16::MAX as i32);

/// How many kinds of places there are.
pub(crate) const PLACE_COUNT: usize = 8;

/// Which places are alike by the twelve symmetries of the board: from the corner of the outermost ring to
/// the middle of its side, then ring by ring to the innermost.
pub(crate) const ORBITS: [usize; Field::COUNT] = {
    let mut orbits = [0; Field::COUNT];
    let mut index = 0;
    while index < Field::COUNT {
        if let Some(field) = Field::new(index) {
            orbits[index] = [0, 3, 5, 7][field.ring()] + field.from_corner();
        }
        index += 1;
    }
    orbits
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_eight_kinds_of_places() {
        let mut sizes = [0; PLACE_COUNT];
        ORBITS.iter().for_each(|&orbit| sizes[orbit] += 1);
        assert_eq!(sizes, [6, 12, 6, 6, 12, 6, 6, 6]);
    }
}
