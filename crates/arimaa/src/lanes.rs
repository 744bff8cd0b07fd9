use std::ops::{BitAnd, BitOr, BitXor, Not};

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
