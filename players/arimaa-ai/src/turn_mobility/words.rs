//! Sets of squares of one board, or of eight boards at once where the processor has AVX-512.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::last_steps::{Enemies, LastSteps};

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = 0x8080_8080_8080_8080;

/// A set of squares for each of some boards: the same is done for all of them.
pub(crate) trait Words:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// How many boards.
    const COUNT: usize;

    /// The same set for each board.
    fn splat(set: u64) -> Self;

    /// The first [`Words::COUNT`] sets of a slice that has as many.
    fn load(sets: &[u64]) -> Self;

    /// Writes the sets to the beginning of a slice that has room for them.
    fn store(self, sets: &mut [u64]);

    /// Every square so many places on, towards h8.
    fn up<const PLACES: u32>(self) -> Self;

    /// Every square so many places back, towards a1.
    fn down<const PLACES: u32>(self) -> Self;

    /// The set itself for each board for which `condition` is not empty, nothing for the others.
    fn where_any(self, condition: Self) -> Self;

    /// What any board has.
    fn union(self) -> u64;

    /// Whether any board has a square.
    fn is_any(self) -> bool;

    /// A bit for each board that has a square, the lowest for the first.
    fn any_of_each(self) -> u64;

    /// Of the squares of a set, those whose bit is set, the lowest one for the first square.
    fn chosen(set: u64, bits: u64) -> u64;

    /// A bit for each square of a set, the lowest for the first one: whether it is among `squares`.
    fn packed(set: u64, squares: u64) -> u64;

    /// The same sets, but from a board on, counted from 0, this one.
    fn with_rest(self, board: usize, set: u64) -> Self;

    /// For each board, the square of a number, the first [`Words::COUNT`] of a slice that has as many.
    fn squares(numbers: &[u8]) -> Self;

    /// Writes the numbers of the squares of a set in their order. What comes after them in the list is of no meaning.
    fn list(set: u64, numbers: &mut [u8; 64]);

    /// [`Enemies::new`], as a function of its own: a copy of it at each place would not fit the processor's cache.
    fn enemies(planes: &[Self; 4]) -> Enemies<Self>;

    /// [`LastSteps::new`], likewise.
    fn last_steps(planes: &[Self; 4], enemies: &Enemies<Self>) -> LastSteps<Self>;
}

impl Words for u64 {
    const COUNT: usize = 1;

    #[inline(always)]
    fn splat(set: u64) -> u64 {
        set
    }

    #[inline(always)]
    fn load(sets: &[u64]) -> u64 {
        sets[0]
    }

    #[inline(always)]
    fn store(self, sets: &mut [u64]) {
        sets[0] = self;
    }

    #[inline(always)]
    fn up<const PLACES: u32>(self) -> u64 {
        self << PLACES
    }

    #[inline(always)]
    fn down<const PLACES: u32>(self) -> u64 {
        self >> PLACES
    }

    #[inline(always)]
    fn where_any(self, condition: u64) -> u64 {
        if condition == 0 { 0 } else { self }
    }

    #[inline(always)]
    fn union(self) -> u64 {
        self
    }

    #[inline(always)]
    fn is_any(self) -> bool {
        self != 0
    }

    #[inline(always)]
    fn any_of_each(self) -> u64 {
        u64::from(self != 0)
    }

    #[inline(always)]
    fn chosen(set: u64, bits: u64) -> u64 {
        let (mut left, mut chosen) = (set, 0);
        for number in 0..set.count_ones() {
            let lowest = left & left.wrapping_neg();
            left ^= lowest;
            chosen |= lowest * (bits >> number & 1);
        }
        chosen
    }

    #[inline(always)]
    fn packed(set: u64, squares: u64) -> u64 {
        let (mut left, mut packed) = (set, 0);
        for number in 0..set.count_ones() {
            let lowest = left & left.wrapping_neg();
            left ^= lowest;
            packed |= u64::from(squares & lowest != 0) << number;
        }
        packed
    }

    #[inline(always)]
    fn with_rest(self, _: usize, set: u64) -> u64 {
        set
    }

    #[inline(always)]
    fn squares(numbers: &[u8]) -> u64 {
        1 << (numbers[0] & 63)
    }

    #[inline(always)]
    fn list(set: u64, numbers: &mut [u8; 64]) {
        let mut left = set;
        for number in numbers.iter_mut().take(set.count_ones() as usize) {
            *number = left.trailing_zeros() as u8;
            left &= left - 1;
        }
    }

    fn enemies(planes: &[u64; 4]) -> Enemies<u64> {
        Enemies::new(*planes)
    }

    fn last_steps(planes: &[u64; 4], enemies: &Enemies<u64>) -> LastSteps<u64> {
        LastSteps::new(*planes, enemies)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod wide {
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor, Not};

    use super::super::last_steps::{Enemies, LastSteps};
    use super::Words;

    /// Whether the processor has the instructions that [`Eight`] is made of.
    pub(crate) fn is_available() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    const NUMBERS: [u8; 64] = {
        let mut numbers = [0; 64];
        let mut index = 0;
        while index < 64 {
            numbers[index] = index as u8;
            index += 1;
        }
        numbers
    };

    /// The sets of eight boards. Only for code that runs if [`is_available`]: every `unsafe` below is
    /// sound because of that.
    #[derive(Clone, Copy)]
    pub(crate) struct Eight(__m512i);

    macro_rules! operator {
        ($trait:ident, $method:ident, $instruction:ident) => {
            impl $trait for Eight {
                type Output = Eight;

                #[inline(always)]
                fn $method(self, other: Eight) -> Eight {
                    // SAFETY: the processor has AVX-512.
                    Eight(unsafe { $instruction(self.0, other.0) })
                }
            }
        };
    }

    operator!(BitAnd, bitand, _mm512_and_si512);
    operator!(BitOr, bitor, _mm512_or_si512);
    operator!(BitXor, bitxor, _mm512_xor_si512);

    impl Not for Eight {
        type Output = Eight;

        #[inline(always)]
        fn not(self) -> Eight {
            self ^ Eight::splat(!0)
        }
    }

    impl Words for Eight {
        const COUNT: usize = 8;

        #[inline(always)]
        fn splat(set: u64) -> Eight {
            // SAFETY: the processor has AVX-512.
            Eight(unsafe { _mm512_set1_epi64(set as i64) })
        }

        #[inline(always)]
        fn load(sets: &[u64]) -> Eight {
            let sets: &[u64; 8] = sets.first_chunk().expect("eight sets");
            // SAFETY: there are eight sets to be read, and the processor has AVX-512.
            Eight(unsafe { _mm512_loadu_si512(sets.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, sets: &mut [u64]) {
            let sets: &mut [u64; 8] = sets.first_chunk_mut().expect("room for eight sets");
            // SAFETY: there is room for eight sets, and the processor has AVX-512.
            unsafe { _mm512_storeu_si512(sets.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn up<const PLACES: u32>(self) -> Eight {
            // SAFETY: the processor has AVX-512.
            Eight(unsafe { _mm512_slli_epi64::<PLACES>(self.0) })
        }

        #[inline(always)]
        fn down<const PLACES: u32>(self) -> Eight {
            // SAFETY: the processor has AVX-512.
            Eight(unsafe { _mm512_srli_epi64::<PLACES>(self.0) })
        }

        #[inline(always)]
        fn where_any(self, condition: Eight) -> Eight {
            // SAFETY: the processor has AVX-512.
            let boards = unsafe { _mm512_test_epi64_mask(condition.0, condition.0) };
            // SAFETY: the same.
            Eight(unsafe { _mm512_maskz_mov_epi64(boards, self.0) })
        }

        #[inline(always)]
        fn union(self) -> u64 {
            // SAFETY: the processor has AVX-512.
            unsafe { _mm512_reduce_or_epi64(self.0) as u64 }
        }

        #[inline(always)]
        fn is_any(self) -> bool {
            // SAFETY: the processor has AVX-512.
            unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
        }

        #[inline(always)]
        fn any_of_each(self) -> u64 {
            // SAFETY: the processor has AVX-512.
            u64::from(unsafe { _mm512_test_epi64_mask(self.0, self.0) })
        }

        #[inline(always)]
        fn chosen(set: u64, bits: u64) -> u64 {
            // SAFETY: the processor has BMI2.
            unsafe { _pdep_u64(bits, set) }
        }

        #[inline(always)]
        fn packed(set: u64, squares: u64) -> u64 {
            // SAFETY: the processor has BMI2.
            unsafe { _pext_u64(squares, set) }
        }

        #[inline(always)]
        fn with_rest(self, board: usize, set: u64) -> Eight {
            let boards = (0xFFu32 << board) as u8;
            // SAFETY: the processor has AVX-512.
            Eight(unsafe { _mm512_mask_set1_epi64(self.0, boards, set as i64) })
        }

        #[inline(always)]
        fn squares(numbers: &[u8]) -> Eight {
            let numbers: &[u8; 8] = numbers.first_chunk().expect("eight numbers");
            let packed = i64::from_le_bytes(*numbers);
            // SAFETY: the processor has SSE2.
            let narrow = unsafe { _mm_cvtsi64_si128(packed) };
            // SAFETY: the processor has AVX-512.
            let wide = unsafe { _mm512_cvtepu8_epi64(narrow) };
            // SAFETY: the same.
            Eight(unsafe { _mm512_sllv_epi64(Eight::splat(1).0, wide) })
        }

        #[inline(always)]
        fn list(set: u64, numbers: &mut [u8; 64]) {
            // SAFETY: there are 64 bytes to be read.
            let all = unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) };
            // SAFETY: the processor has the instructions of AVX-512 VBMI2.
            let listed = unsafe { _mm512_maskz_compress_epi8(set, all) };
            // SAFETY: there is room for 64 bytes.
            unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), listed) }
        }

        #[inline(always)]
        fn enemies(planes: &[Eight; 4]) -> Enemies<Eight> {
            // SAFETY: the processor has AVX-512.
            unsafe { enemies(planes) }
        }

        #[inline(always)]
        fn last_steps(planes: &[Eight; 4], enemies: &Enemies<Eight>) -> LastSteps<Eight> {
            // SAFETY: the processor has AVX-512.
            unsafe { last_steps(planes, enemies) }
        }
    }

    #[target_feature(enable = "avx512f")]
    #[inline(never)]
    fn enemies(planes: &[Eight; 4]) -> Enemies<Eight> {
        Enemies::new(*planes)
    }

    #[target_feature(enable = "avx512f")]
    #[inline(never)]
    fn last_steps(planes: &[Eight; 4], enemies: &Enemies<Eight>) -> LastSteps<Eight> {
        LastSteps::new(*planes, enemies)
    }
}

/// The four directions of [`arimaa::Direction`] as indices.
pub(crate) const NORTH: usize = 0;
pub(crate) const EAST: usize = 1;
pub(crate) const SOUTH: usize = 2;
pub(crate) const WEST: usize = 3;

/// For each direction, the squares that have a square of the set on that side.
#[inline(always)]
pub(crate) fn around<W: Words>(set: W) -> [W; 4] {
    each_side([set; 4])
}

/// For each direction, the squares that have a square of that direction's set on that side.
#[inline(always)]
pub(crate) fn each_side<W: Words>(sets: [W; 4]) -> [W; 4] {
    [north(sets[NORTH]), east(sets[EAST]), south(sets[SOUTH]), west(sets[WEST])]
}

/// For each direction, that direction's set moved one step that way.
#[inline(always)]
pub(crate) fn moved<W: Words>(sets: [W; 4]) -> [W; 4] {
    [south(sets[NORTH]), west(sets[EAST]), north(sets[SOUTH]), east(sets[WEST])]
}

/// The squares that have a square of the set to their north.
#[inline(always)]
pub(crate) fn north<W: Words>(set: W) -> W {
    set.down::<8>()
}

/// The squares that have a square of the set to their east.
#[inline(always)]
pub(crate) fn east<W: Words>(set: W) -> W {
    (set & W::splat(!COLUMN_A)).down::<1>()
}

/// The squares that have a square of the set to their south.
#[inline(always)]
pub(crate) fn south<W: Words>(set: W) -> W {
    set.up::<8>()
}

/// The squares that have a square of the set to their west.
#[inline(always)]
pub(crate) fn west<W: Words>(set: W) -> W {
    (set & W::splat(!COLUMN_H)).up::<1>()
}

/// What any of the four has.
#[inline(always)]
pub(crate) fn any<W: Words>(sets: [W; 4]) -> W {
    (sets[0] | sets[1]) | (sets[2] | sets[3])
}

/// For each direction, what any of the other three has.
#[inline(always)]
pub(crate) fn but<W: Words>(sets: [W; 4]) -> [W; 4] {
    let (upright, flat) = (sets[NORTH] | sets[SOUTH], sets[EAST] | sets[WEST]);
    [sets[SOUTH] | flat, sets[WEST] | upright, sets[NORTH] | flat, sets[EAST] | upright]
}

/// The squares beside a square of the set.
#[inline(always)]
pub(crate) fn beside<W: Words>(set: W) -> W {
    any(around(set))
}

/// The sets of the opposite directions.
#[inline(always)]
pub(crate) fn opposite<W: Words>(sets: [W; 4]) -> [W; 4] {
    [sets[SOUTH], sets[WEST], sets[NORTH], sets[EAST]]
}

/// Both of each pair.
#[inline(always)]
pub(crate) fn both<W: Words>(a: [W; 4], b: [W; 4]) -> [W; 4] {
    [a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]]
}

/// Either of each pair.
#[inline(always)]
pub(crate) fn either<W: Words>(a: [W; 4], b: [W; 4]) -> [W; 4] {
    [a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]]
}

/// The same done to each of four.
#[inline(always)]
pub(crate) fn each<W: Words>(sets: [W; 4], change: impl Fn(W) -> W) -> [W; 4] {
    [change(sets[0]), change(sets[1]), change(sets[2]), change(sets[3])]
}
