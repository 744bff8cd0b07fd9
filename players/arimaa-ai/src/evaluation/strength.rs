//! Who is stronger where pieces meet: frozen and dominated pieces, the distance of stronger enemies, and
//! pieces beside weaker ones.

use arimaa::{Bitboard, Kind, Side, Square};
use linear::FeatureSink;

use super::EvaluationContext;
use super::context::{around, index, is_home, row};
use super::model::{CONTACT, DOMINATED, FROZEN, NEARNESS};

/// Emits the frozen pieces of a side.
#[inline(always)]
pub(super) fn frozen(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    for square in context.of[side] & !context.free[side] {
        sink.add(FROZEN, [context.kind_at(square), row(side, square)], 1);
    }
}

/// Emits the dominated pieces of a side.
#[inline(always)]
pub(super) fn domination(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let role = context.role(side) as usize;
    for square in dominated(context, side) {
        sink.add(DOMINATED, [role, context.kind_at(square), row(side, square)], 1);
    }
}

/// The pieces of a side above the rabbits that a stronger enemy dominates: they are not frozen yet, but with one step the
/// enemy comes beside them, and no friend is beside them to keep them moving.
///
/// How strong a piece is depends on who is near (Hřebejk 2013, 4.2). The camel of d5 fears the elephant of
/// f5. The horse of b3 does not fear the one of b5, which is no stronger, and the dog of g2, that a
/// horse could come beside, has a cat to rely on:
///
/// ```
/// # use arimaa::{Board, GOLD, Square};
/// # use arimaa_ai::evaluation::{EvaluationContext, dominated};
/// let board: Board = "
///      +-----------------+
///     8| r r r . . r r r |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . h . M . e . . |
///     4| . . . . . . h . |
///     3| . H x . . x . . |
///     2| . . . . . . D C |
///     1| R R R . . R R R |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(dominated(&EvaluationContext::of_board(&board, GOLD), GOLD), Square::D5.bit());
/// ```
#[inline(always)]
pub fn dominated(context: &EvaluationContext, side: Side) -> Bitboard {
    let EvaluationContext { board, empty, .. } = context;
    let alone = context.free[side] & !context.beside[side];
    let mut dominated = Bitboard::EMPTY;
    for kind in [Kind::Cat, Kind::Dog, Kind::Horse, Kind::Camel] {
        let pieces = alone & board.kind(kind);
        if !pieces.is_empty() {
            let reach = (board.above(kind) & context.free[!side]).neighbours() & *empty;
            dominated |= pieces & reach.neighbours();
        }
    }
    dominated
}

/// Emits how far the nearest stronger enemy is from the cats, dogs, horses and camels of a side, and how
/// far from home they meet it.
#[inline(always)]
pub(super) fn nearness(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    for kind in [Kind::Cat, Kind::Dog, Kind::Horse, Kind::Camel] {
        let mut pieces = context.board.kind(kind) & context.of[side];
        let mut reach = context.board.above(kind) & context.of[!side];
        if reach.is_empty() {
            continue;
        }
        for distance in 0..=FARTHEST {
            if pieces.is_empty() {
                break;
            }
            reach = if distance < FARTHEST { reach | reach.neighbours() } else { !Bitboard::EMPTY };
            for square in pieces & reach {
                sink.add(NEARNESS, [index(kind) - 1, distance, PART[row(side, square)]], 1);
            }
            pieces &= !reach;
        }
    }
}

/// Enemies farther away are all alike.
const FARTHEST: usize = 6;

/// The part of the board that a row belongs to.
const PART: [usize; 8] = [0, 0, 1, 2, 3, 3, 4, 4];

/// Emits the pieces of a side, not frozen, that stand beside weaker enemies: each of these once for each
/// kind beside it.
#[inline(always)]
pub(super) fn contacts(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let role = context.role(side) as usize;
    let [home, away] = NEAR_TRAPS[side as usize];
    for kind in &Kind::ALL[1..] {
        let strong = context.board.kind(*kind) & context.free[side];
        let weaker = context.of[!side] & !context.board.above(*kind) & !context.board.kind(*kind);
        for square in strong.neighbours() & weaker {
            let place = if home.has(square) {
                0
            } else if away.has(square) {
                1
            } else {
                2
            };
            sink.add(CONTACT, [role, index(*kind), context.kind_at(square), place], 1);
        }
    }
}

/// For each side, the squares within two steps of its home traps, and those of the others.
static NEAR_TRAPS: [[Bitboard; 2]; 2] = {
    let mut near = [[Bitboard::EMPTY; 2]; 2];
    let mut number = 0;
    while number < Square::TRAPS.len() {
        let trap = Square::TRAPS[number];
        let around = around(trap).0;
        let gold_is_away = !is_home(Side::First, trap) as usize;
        near[Side::First as usize][gold_is_away].0 |= around;
        near[Side::Second as usize][1 - gold_is_away].0 |= around;
        number += 1;
    }
    near
};
