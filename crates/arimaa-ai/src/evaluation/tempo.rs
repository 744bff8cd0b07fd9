use arimaa::Side;

use super::Sight;
use super::sight::Role;
use super::weights::TEMPO;

/// What it is worth to be to move: much with a whole turn, less than nothing with one step, since the enemy
/// has the next turn.
#[inline(always)]
pub(super) fn tempo(sight: &Sight, side: Side) -> i32 {
    match sight.role(side) {
        Role::Mover => TEMPO[sight.left()],
        Role::Waiting => 0,
    }
}
