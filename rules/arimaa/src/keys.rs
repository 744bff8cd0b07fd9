//! The constants that keys are built of.

use game::{Key, KeyGenerator};

use crate::{Direction, Piece, Side, Square};

const KINDS: usize = 8;

struct Keys {
    pieces: [[[Key; 64]; KINDS]; 2],
    to_move: [Key; 2],
    steps_used: [Key; 4],
}

static KEYS: Keys = {
    let mut generator = KeyGenerator::new(0x7475_736B);
    let mut keys = Keys {
        pieces: [[[Key::ZERO; 64]; KINDS]; 2],
        to_move: [generator.next_key(), generator.next_key()],
        steps_used: [Key::ZERO; 4],
    };
    let mut used = 1;
    while used < 4 {
        keys.steps_used[used] = generator.next_key();
        used += 1;
    }
    let mut index = 0;
    while index < 2 * KINDS * 64 {
        keys.pieces[index / 64 / KINDS][index / 64 % KINDS][index % 64] = generator.next_key();
        index += 1;
    }
    keys
};

/// A piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> Key {
    KEYS.pieces[piece.side as usize][piece.kind as usize][square.index()]
}

/// Whose turn it is. Neither is zero, so that the key of an empty board is not zero either.
#[inline]
pub(crate) fn side(side: Side) -> Key {
    KEYS.to_move[side as usize]
}

/// The change of side at the end of a turn.
#[inline]
pub(crate) fn other_side() -> Key {
    KEYS.to_move[0] ^ KEYS.to_move[1]
}

/// How many steps of the turn are used: nothing for none.
#[inline]
pub(crate) fn steps_used(used: usize) -> Key {
    KEYS.steps_used[used & 3]
}

/// A piece on a square, by its strength.
#[inline]
pub(crate) fn strength(side: Side, strength: u8, square: Square) -> Key {
    KEYS.pieces[side as usize][strength as usize & 7][square.index()]
}

/// For each side, direction, strength and square: what changes when such a piece goes there.
static SINGLES: [[[Key; 512]; 4]; 2] = {
    let mut table = [[[Key::ZERO; 512]; 4]; 2];
    let mut index = 0;
    while index < 2 * 4 * 512 {
        let (side, direction) = (index / 512 / 4, index / 512 % 4);
        let (strength, from) = (index / 64 % 8, Square::from_bits(index as u16));
        if let Some(to) = from.step(Direction::ALL[direction]) {
            let keys = &KEYS.pieces[side][strength];
            table[side][direction][index % 512] = Key(keys[from.index()].0 ^ keys[to.index()].0);
        }
        index += 1;
    }
    table
};

/// What changes when a piece of that strength goes one step.
#[inline]
pub(crate) fn single(side: Side, direction: Direction, strength: u8, from: Square) -> Key {
    SINGLES[side as usize][direction as usize][(strength as usize & 7) << 6 | from.index()]
}

/// The same for all strengths and squares of a side and direction, with 64 squares for a strength.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn singles(side: Side, direction: Direction) -> &'static [Key; 512] {
    &SINGLES[side as usize][direction as usize]
}
