use arimaa::{Direction, Kind, Side};

use super::Sight;
use super::sight::index;
use super::weights::SUPPORT;

/// What the friends beside the pieces of a side are worth.
#[inline(always)]
pub(super) fn support(sight: &Sight, side: Side) -> i32 {
    let own = sight.of[side];
    let [north, east, south, west] = Direction::ALL.map(|direction| own.shift(direction));
    let any = north | east | south | west;
    let several = north & south | east & west | (north | south) & (east | west);
    let mut sum = 0;
    for kind in Kind::ALL {
        let [none, one, more] = SUPPORT[index(kind)];
        let pieces = sight.board.kind(kind) & own;
        let with = [pieces, pieces & any, pieces & several].map(|pieces| pieces.len() as i32);
        sum += none * (with[0] - with[1]) + one * (with[1] - with[2]) + more * with[2];
    }
    sum
}
