use arimaa::{GOLD, Kind, Side, Square};

use super::Sight;

/// What the first, the second and the third piece beside a trap are worth.
struct Guards {
    pieces: [i32; 3],
    /// What it costs that one of them is the elephant, which is mostly there because it has to.
    elephant: i32,
}

/// Beside a trap of the own half.
const HOME: Guards = Guards { pieces: [46, 34, 34], elephant: 68 };

/// Beside a trap of the enemy's half, where the third piece makes it one's own.
const AWAY: Guards = Guards { pieces: [21, 56, 132], elephant: 28 };

/// Who holds the traps, by the pieces beside them.
#[inline(always)]
pub(super) fn traps(sight: &Sight, side: Side) -> i32 {
    let own = sight.of[side];
    let elephant = sight.board.kind(Kind::Elephant) & own;
    let held = |trap: Square| {
        let Guards { pieces, elephant: bound } = if is_home(side, trap) { HOME } else { AWAY };
        let beside = own & trap.neighbours();
        let worth: i32 = pieces.iter().take(beside.len()).sum();
        worth - bound * i32::from(beside.meets(elephant))
    };
    Square::TRAPS.into_iter().map(held).sum()
}

/// Whether a trap is on the side's own half of the board.
#[inline(always)]
pub(super) const fn is_home(side: Side, trap: Square) -> bool {
    (trap.row() < 4) == matches!(side, GOLD)
}
