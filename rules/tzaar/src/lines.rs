//! Which fields see each other along the lines of the board.

use crate::field::WIDTH;
use crate::{Field, Fields};

/// The six directions, those in which the numbers of fields grow first; the opposite of a direction is three
/// places further.
pub(crate) const DIRECTIONS: usize = 6;

const STEPS: [(isize, isize); DIRECTIONS] = [(0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)];

/// For each direction and field, the fields of the line from there to the margin or the centre.
static RAYS: [[u64; 64]; DIRECTIONS] = {
    let mut rays = [[0; 64]; DIRECTIONS];
    let mut index = 0;
    while index < DIRECTIONS * Field::COUNT {
        let (direction, field) = (index / Field::COUNT, Field::new(index % Field::COUNT));
        if let Some(field) = field {
            rays[direction][field.bit()] = ray(field, STEPS[direction]);
        }
        index += 1;
    }
    rays
};

const fn ray(from: Field, step: (isize, isize)) -> u64 {
    let mut bits = 0;
    let mut row = from.row().wrapping_add_signed(step.0);
    let mut column = from.column().wrapping_add_signed(step.1);
    while row < WIDTH && column < WIDTH {
        let Some(field) = Field::at(row, column) else { break };
        bits |= 1 << field.bit();
        row = row.wrapping_add_signed(step.0);
        column = column.wrapping_add_signed(step.1);
    }
    bits
}

/// Where the line ends before a stack is met: a bit that is no field.
const NOWHERE_ABOVE: u64 = 1 << 63;
const NOWHERE_BELOW: u64 = 1;

/// The bits of the nearest stacks in the six directions; 0 or 63 where there is none.
#[inline]
pub(crate) fn nearest(bit: usize, occupied: Fields) -> [u8; DIRECTIONS] {
    let Fields(occupied) = occupied;
    let above = |direction: usize| {
        (RAYS[direction][bit & 63] & occupied | NOWHERE_ABOVE).trailing_zeros() as u8
    };
    let below = |direction: usize| {
        63 - (RAYS[direction][bit & 63] & occupied | NOWHERE_BELOW).leading_zeros() as u8
    };
    [above(0), above(1), above(2), below(3), below(4), below(5)]
}

/// The fields along all lines from a field, as if the board were empty.
pub fn seen_on_empty_board(field: Field) -> Fields {
    RAYS.iter().fold(Fields::EMPTY, |seen, rays| seen | Fields(rays[field.bit()]))
}
