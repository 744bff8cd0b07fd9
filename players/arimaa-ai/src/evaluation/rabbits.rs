//! The rabbits on their way, and how near they are to the goal.

use arimaa::{Bitboard, GOLD, Kind, Side, Square, WHOLE_TURN, side};
use game::Steps;
use linear::FeatureSink;

use super::EvaluationContext;
use super::context::{Role, row};
use super::model::{GOAL_DISTANCE, GOAL_NEXT, GOAL_NOW, OPEN_COLUMNS, RABBIT};
use crate::goal;

/// Emits how the rabbits of a side stand.
#[inline(always)]
pub(super) fn rabbits(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    sink.add(OPEN_COLUMNS, [open_columns(context, side) as usize], 1);
    for square in context.board.rabbits(side) & !side::home(side) {
        let guards = guards_ahead(context, side, square).len().min(5);
        let frozen = usize::from(!context.free[side].has(square));
        sink.add(RABBIT, [row(side, square), guards, frozen], 1);
    }
}

/// The enemies in the way of a rabbit: ahead of it in its own column and those beside it.
///
/// ```
/// # use arimaa::{Board, GOLD, Square, bitboard};
/// # use arimaa_ai::evaluation::{EvaluationContext, guards_ahead};
/// let board: Board = "
///      +-----------------+
///     8| r . r . . . . r |
///     7| . . . c . d . . |
///     6| . R x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . e . . . |
///     3| . . x . . x . . |
///     2| . . . . . . . . |
///     1| R . . E . . . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// assert_eq!(guards_ahead(&EvaluationContext::of_board(&board, GOLD), GOLD, Square::B6), bitboard! {
///     X . X . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// });
/// ```
#[inline(always)]
pub fn guards_ahead(context: &EvaluationContext, side: Side, rabbit: Square) -> Bitboard {
    context.of[!side] & AHEAD[side as usize][rabbit.index()]
}

/// How many columns there are in whose first three rows the side has no rabbit.
///
/// ```
/// # use arimaa::{Board, GOLD, SILVER};
/// # use arimaa_ai::evaluation::{EvaluationContext, open_columns};
/// let board: Board = "
///      +-----------------+
///     8| r r r . . r r r |
///     7| . . . . . . . . |
///     6| . . x r . x . . |
///     5| . . . . . . . . |
///     4| R . . . . . . . |
///     3| . R x . . x . . |
///     2| . R . . . . . R |
///     1| . . R . R R . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let context = EvaluationContext::of_board(&board, GOLD);
/// // Gold has none at home in the columns a, d and g, Silver none in e.
/// assert_eq!((open_columns(&context, GOLD), open_columns(&context, SILVER)), (3, 1));
/// ```
#[inline(always)]
pub fn open_columns(context: &EvaluationContext, side: Side) -> u32 {
    let rabbits = context.board.rabbits(side).0;
    let [one, two, three, ..] =
        if side == GOLD { rabbits.to_le_bytes() } else { rabbits.to_be_bytes() };
    (one | two | three).count_zeros()
}

/// For each side and square, the squares ahead in the same column and in those beside it.
static AHEAD: [[Bitboard; 64]; 2] = {
    let mut tables = [[Bitboard::EMPTY; 64]; 2];
    let mut index = 0;
    while let Some(square) = Square::new(index) {
        let mut ahead = 0;
        let mut row = square.row() + 1;
        while row < 8 {
            let middle = Square::at(square.column(), row).bit();
            ahead |= middle.0 | (middle.neighbours().0 & Bitboard::row(row).0);
            row += 1;
        }
        tables[0][index] = Bitboard(ahead);
        tables[1][square.mirrored().index()] = Bitboard(ahead.swap_bytes());
        index += 1;
    }
    tables
};

/// Emits how near the rabbits of a side are to the goal. The exact question is asked only where the way
/// is seen to be open.
///
/// A goal that the side to move can reach is far more than any piece, and yet an estimate: a search that
/// asks for it has a proof.
#[inline(always)]
pub(super) fn prospects(context: &EvaluationContext, side: Side, sink: &mut impl FeatureSink) {
    let Some(distance) = goal_distance(context, side) else { return };
    let role = context.role(side);
    let steps = match role {
        Role::Mover => context.steps,
        Role::Waiting => WHOLE_TURN,
    };
    if distance <= steps && goal(&context.board, side, steps).is_some() {
        match role {
            Role::Mover => sink.add(GOAL_NOW, [0], 1),
            Role::Waiting => sink.add(GOAL_NEXT, [context.left()], 1),
        }
    } else {
        sink.add(GOAL_DISTANCE, [role as usize, usize::from(distance.0)], 1);
    }
}

/// No more steps than these are looked at: two turns.
const MOST: u8 = 8;

/// How many steps the nearest rabbit of a side is from the goal if nothing else moves, if they are at
/// most eight and it has at most four rows to go. It goes round what stands in its way, and not
/// on where it would be frozen or lost.
///
/// The way of the rabbit of c5 is shut: the trap would take it, and on b5 and d5 it would be frozen
/// beside a dog. The one of g4 goes round the one of g3, by h4:
///
/// ```
/// # use arimaa::{Board, GOLD, SILVER};
/// # use arimaa_ai::evaluation::{EvaluationContext, goal_distance};
/// # use game::Steps;
/// let board: Board = "
///      +-----------------+
///     8| . . . . . . . . |
///     7| . . . . . . . . |
///     6| . d x d . x . . |
///     5| . . R . . . . . |
///     4| . . . . . . r . |
///     3| . . x . . x R . |
///     2| . . . . . . . . |
///     1| . . . . . . . . |
///      +-----------------+
///        a b c d e f g h
/// ".parse().unwrap();
/// let context = EvaluationContext::of_board(&board, GOLD);
/// assert_eq!(goal_distance(&context, GOLD), None);
/// assert_eq!(goal_distance(&context, SILVER), Some(Steps(4)));
/// ```
#[inline(always)]
pub fn goal_distance(context: &EvaluationContext, side: Side) -> Option<Steps> {
    let rabbits = context.board.rabbits(side) & context.free[side] & !home_half(side);
    if rabbits.is_empty() {
        return None;
    }
    let freezers = context.of[!side] & context.board.above(Kind::Rabbit);
    // None of those that go can rely on itself.
    let safe = (context.of[side] & !rabbits).neighbours();
    let free = safe | !freezers.neighbours();
    let open = context.empty & (safe | !Bitboard::TRAPS);
    let mut reached = rabbits;
    for steps in 1..=MOST {
        let leaves = reached & (free | rabbits);
        let more = reached | leaves.neighbours_but(side::backward(side)) & open;
        if more == reached {
            return None;
        }
        reached = more;
        if reached.meets(side::goal(side)) {
            return Some(Steps(steps));
        }
    }
    None
}

/// The rows from which a rabbit has more than four to go.
const fn home_half(side: Side) -> Bitboard {
    match side {
        GOLD => Bitboard(0x0000_0000_00FF_FFFF),
        _ => Bitboard(0xFFFF_FF00_0000_0000),
    }
}
