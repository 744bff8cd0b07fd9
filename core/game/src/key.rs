use std::fmt;
use std::ops::{BitXor, BitXorAssign};

/// A 64-bit Zobrist key: what a table knows a position by.
///
/// Keys are combined by exclusive or, so that a piece is put on a square and taken from it by the
/// same operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Key(pub u64);

impl Key {
    /// The key of nothing at all.
    pub const ZERO: Key = Key(0);

    /// The key in another role, so that it does not cancel against itself when the two are combined.
    #[inline]
    pub const fn disguised(self) -> Key {
        // An odd factor: different keys stay different. The golden ratio spreads the bits.
        Key(self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    }
}

impl BitXor for Key {
    type Output = Key;

    #[inline]
    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    #[inline]
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// Makes the constants that keys are built of, at compile time and the same on every machine.
///
/// ```
/// # use game::KeyGenerator;
/// let mut a = KeyGenerator::new(1);
/// let mut b = KeyGenerator::new(1);
/// assert_eq!(a.next_key(), b.next_key());
/// assert_ne!(a.next_key(), a.next_key());
/// ```
#[derive(Clone, Debug)]
pub struct KeyGenerator {
    state: u64,
}

impl KeyGenerator {
    /// A generator whose whole sequence is given by its seed.
    #[inline]
    pub const fn new(seed: u64) -> KeyGenerator {
        KeyGenerator { state: seed }
    }

    /// The next key: SplitMix64, whose 2^64 outputs are all different.
    #[inline]
    pub const fn next_key(&mut self) -> Key {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Key(z ^ (z >> 31))
    }
}
