use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::Direction;

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = 0x8080_8080_8080_8080;

/// Four sets of squares that are worked on together, one for each direction.
///
/// Written lane by lane, so that the compiler may put all four into one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes(pub(crate) [u64; 4]);

impl Lanes {
    /// Nothing in any direction.
    pub(crate) const NONE: Lanes = Lanes([0; 4]);

    /// A set in one direction, nothing in the others.
    #[inline(always)]
    pub(crate) fn only(direction: Direction, set: u64) -> Lanes {
        const MASKS: [Lanes; 4] = [
            Lanes([!0, 0, 0, 0]),
            Lanes([0, !0, 0, 0]),
            Lanes([0, 0, !0, 0]),
            Lanes([0, 0, 0, !0]),
        ];
        MASKS[direction as usize] & Lanes::splat(set)
    }

    /// Everything in the directions that come before that one, nothing in the others.
    #[inline(always)]
    pub(crate) fn before(direction: Direction) -> Lanes {
        const MASKS: [Lanes; 4] = [
            Lanes([0, 0, 0, 0]),
            Lanes([!0, 0, 0, 0]),
            Lanes([!0, !0, 0, 0]),
            Lanes([!0, !0, !0, 0]),
        ];
        MASKS[direction as usize]
    }

    /// The same in every direction.
    #[inline(always)]
    pub(crate) fn splat(set: u64) -> Lanes {
        Lanes([set; 4])
    }

    /// For each direction, the squares that have a square of the set on that side.
    #[inline(always)]
    pub(crate) fn looking_at(set: u64) -> Lanes {
        Lanes([set >> 8, (set & !COLUMN_A) >> 1, set << 8, (set & !COLUMN_H) << 1])
    }

    /// What any of the four holds.
    #[inline(always)]
    pub(crate) fn union(self) -> u64 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }
}

impl BitAnd for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn bitand(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|lane| self.0[lane] & other.0[lane]))
    }
}

impl BitOr for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn bitor(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|lane| self.0[lane] | other.0[lane]))
    }
}

impl BitXor for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn bitxor(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|lane| self.0[lane] ^ other.0[lane]))
    }
}

impl Not for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn not(self) -> Lanes {
        Lanes(self.0.map(|set| !set))
    }
}
