use arimaa::{Bitboard, GOLD, Kind, Side, WHOLE_TURN, side};
use game::Steps;

use super::Sight;
use super::sight::Role;
use super::weights::{GOAL_DISTANCE, GOAL_NEXT};
use crate::goal;

/// What it is worth to the side to move that it can reach the goal with the steps left: far more than
/// any piece, and yet an estimate. A search that asks for it has a proof.
const NOW: i32 = 3000;

/// How near the rabbits of a side are to the goal. The exact question is asked only where the way is
/// seen to be open.
#[inline(always)]
pub(super) fn prospects(sight: &Sight, side: Side) -> i32 {
    let Some(distance) = goal_distance(sight, side) else { return 0 };
    let role = sight.role(side);
    let (steps, worth) = match role {
        Role::Mover => (sight.steps, NOW),
        Role::Waiting => (WHOLE_TURN, GOAL_NEXT[sight.left()]),
    };
    if distance <= steps && goal(&sight.board, side, steps).is_some() {
        return worth;
    }
    GOAL_DISTANCE[role as usize][usize::from(distance.0)]
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
/// # use arimaa_ai::evaluation::{Sight, goal_distance};
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
/// let sight = Sight::of_board(&board, GOLD);
/// assert_eq!(goal_distance(&sight, GOLD), None);
/// assert_eq!(goal_distance(&sight, SILVER), Some(Steps(4)));
/// ```
#[inline(always)]
pub fn goal_distance(sight: &Sight, side: Side) -> Option<Steps> {
    let rabbits = sight.board.rabbits(side) & sight.free[side] & !home_half(side);
    if rabbits.is_empty() {
        return None;
    }
    let freezers = sight.of[!side] & sight.board.above(Kind::Rabbit);
    // None of those that go can rely on itself.
    let safe = (sight.of[side] & !rabbits).neighbours();
    let free = safe | !freezers.neighbours();
    let open = sight.empty & (safe | !Bitboard::TRAPS);
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
