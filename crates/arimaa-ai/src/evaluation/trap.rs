use arimaa::{Kind, Side, Square};

use super::Sight;

/// What the first and the second piece beside a trap are each worth.
const GUARD: i32 = 16;

/// What it is worth that one of them is a horse or stronger.
const STRONG_GUARD: i32 = 10;

/// What it is worth besides that one of them is the elephant.
const ELEPHANT_GUARD: i32 = 10;

/// Who holds the traps, by the pieces beside them.
#[inline(always)]
pub(super) fn traps(sight: &Sight, side: Side) -> i32 {
    let own = sight.of[side];
    let strong = sight.board.above(Kind::Dog) & own;
    let elephant = sight.board.kind(Kind::Elephant) & own;
    let held = |trap: Square| {
        let beside = own & trap.neighbours();
        let two = !beside.is_empty() && !beside.is_single();
        GUARD * (i32::from(!beside.is_empty()) + i32::from(two))
            + STRONG_GUARD * i32::from(beside.meets(strong))
            + ELEPHANT_GUARD * i32::from(beside.meets(elephant))
    };
    Square::TRAPS.into_iter().map(held).sum()
}
