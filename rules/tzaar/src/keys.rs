//! The constants that keys are built of.

use game::{Key, KeyGenerator};

use crate::{Kind, Phase, Side};

/// No side has more pieces, and no stack either.
pub(crate) const MOST_HEIGHT: usize = 30;

struct Keys {
    stacks: [[[Key; 64]; 3]; 2],
    heights: [[Key; 64]; MOST_HEIGHT + 1],
    to_move: [Key; 2],
    phases: [Key; 4],
}

static KEYS: Keys = {
    let mut generator = KeyGenerator::new(0x747A_6161);
    let mut keys = Keys {
        stacks: [[[Key::ZERO; 64]; 3]; 2],
        heights: [[Key::ZERO; 64]; MOST_HEIGHT + 1],
        to_move: [generator.next_key(), generator.next_key()],
        phases: [Key::ZERO; 4],
    };
    let mut index = 1;
    while index < 4 {
        keys.phases[index] = generator.next_key();
        index += 1;
    }
    index = 0;
    while index < 2 * 3 * 64 {
        keys.stacks[index / 64 / 3][index / 64 % 3][index % 64] = generator.next_key();
        index += 1;
    }
    // Most stacks have one piece: nothing is added for it.
    index = 2 * 64;
    while index < (MOST_HEIGHT + 1) * 64 {
        keys.heights[index / 64][index % 64] = generator.next_key();
        index += 1;
    }
    keys
};

/// A stack of that height on a field, by the field's bit.
#[inline]
pub(crate) fn stack(side: Side, kind: Kind, height: u8, bit: usize) -> Key {
    KEYS.stacks[side as usize][kind as usize][bit & 63] ^ KEYS.heights[height as usize][bit & 63]
}

/// Whose turn it is, and how far it has come.
#[inline]
pub(crate) fn turn(side: Side, phase: Phase) -> Key {
    KEYS.to_move[side as usize] ^ KEYS.phases[phase as usize]
}
