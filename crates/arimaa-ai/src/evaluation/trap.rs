use arimaa::{Bitboard, GOLD, Kind, Side, Square};

use super::Sight;
use super::weights::TRAPS;

/// Who holds the traps at a side's home: how many stand beside them, who is the strongest, and whether
/// elephants are among them.
#[inline(always)]
pub(super) fn traps(sight: &Sight, side: Side) -> i32 {
    let elephants = sight.board.kind(Kind::Elephant);
    let mut sum = 0;
    for trap in Square::TRAPS {
        if !is_home(side, trap) {
            continue;
        }
        let [own, other] = [side, !side].map(|side| sight.of[side] & trap.neighbours());
        let (mine, theirs) = (strongest(sight, own), strongest(sight, other));
        let stronger = 1 + usize::from(theirs > mine) - usize::from(mine > theirs);
        let elephants = 2 * usize::from(own.meets(elephants)) + usize::from(other.meets(elephants));
        sum += TRAPS[own.len().min(3)][other.len().min(3)][stronger][elephants];
    }
    sum
}

/// The kind of the strongest of some pieces.
#[inline(always)]
fn strongest(sight: &Sight, pieces: Bitboard) -> Option<Kind> {
    pieces
        .into_iter()
        .filter_map(|square| sight.board.piece_at(square))
        .map(|piece| piece.kind)
        .max()
}

/// Whether a trap is on the side's own half of the board.
#[inline(always)]
pub(super) const fn is_home(side: Side, trap: Square) -> bool {
    (trap.row() < 4) == matches!(side, GOLD)
}
