//! The two loops that take the time: rows added to an accumulator, and the output of two of them. Each is plain
//! code, and for AVX2 the same in its instructions.

use crate::{ACTIVATION_ONE, Accumulator};

/// Lanes of 16 bits that are kept in registers while all rows are added: eight registers of 256 bits.
const BLOCK: usize = 128;

/// Subtracts the rows of the features `removed` from an accumulator and adds those of `added`.
#[inline]
pub(crate) fn update<const H: usize>(
    rows: &[Accumulator<H>],
    accumulator: &mut Accumulator<H>,
    removed: &[u16],
    added: &[u16],
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the instructions.
        unsafe { avx2::update(rows, accumulator, removed, added) };
        return;
    }
    update_plain(rows, accumulator, removed, added);
}

/// The plain twin of [`avx2::update`].
#[inline(always)]
pub(crate) fn update_plain<const H: usize>(
    rows: &[Accumulator<H>],
    accumulator: &mut Accumulator<H>,
    removed: &[u16],
    added: &[u16],
) {
    for (index, block) in accumulator.0.chunks_mut(BLOCK).enumerate() {
        let from = index * BLOCK;
        let part = |feature: u16| &rows[usize::from(feature)].0[from..from + block.len()];
        let mut sums = [0; BLOCK];
        let sums = &mut sums[..block.len()];
        sums.copy_from_slice(block);
        for &feature in removed {
            sums.iter_mut().zip(part(feature)).for_each(|(sum, &w)| *sum = sum.wrapping_sub(w));
        }
        for &feature in added {
            sums.iter_mut().zip(part(feature)).for_each(|(sum, &w)| *sum = sum.wrapping_add(w));
        }
        block.copy_from_slice(sums);
    }
}

/// The sum of the squares of what both accumulators hold, cut off below 0 and above 1, times the weights.
#[inline]
pub(crate) fn output<const H: usize>(
    mover: &Accumulator<H>,
    other: &Accumulator<H>,
    weights: &[Accumulator<H>; 2],
) -> i64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the instructions.
        return unsafe { avx2::output(mover, other, weights) };
    }
    output_plain(mover, other, weights)
}

/// The plain twin of [`avx2::output`].
#[inline(always)]
pub(crate) fn output_plain<const H: usize>(
    mover: &Accumulator<H>,
    other: &Accumulator<H>,
    weights: &[Accumulator<H>; 2],
) -> i64 {
    let product = |(&sum, &weight): (&i16, &i16)| {
        let activation = i32::from(sum).clamp(0, ACTIVATION_ONE);
        i64::from(activation * activation * i32::from(weight))
    };
    let dot = |sums: &Accumulator<H>, weights: &Accumulator<H>| -> i64 {
        sums.0.iter().zip(&weights.0).map(product).sum()
    };
    dot(mover, &weights[0]) + dot(other, &weights[1])
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use crate::{ACTIVATION_ONE, Accumulator};

    /// Lanes of 16 bits in a register.
    const LANES: usize = 16;

    /// Registers that are filled at once: half of those that there are.
    const REGISTERS: usize = 8;

    type Register = [i16; LANES];

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(lanes: &Register) -> __m256i {
        // SAFETY: both are 32 bytes, and any bits are valid in either.
        unsafe { std::mem::transmute(*lanes) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store(lanes: &mut Register, register: __m256i) {
        // SAFETY: both are 32 bytes, and any bits are valid in either.
        *lanes = unsafe { std::mem::transmute::<__m256i, Register>(register) };
    }

    fn registers<const H: usize>(lanes: &Accumulator<H>) -> &[Register] {
        lanes.0.as_chunks().0
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn update<const H: usize>(
        rows: &[Accumulator<H>],
        accumulator: &mut Accumulator<H>,
        removed: &[u16],
        added: &[u16],
    ) {
        let lanes: &mut [Register] = accumulator.0.as_chunks_mut().0;
        let mut blocks = lanes.chunks_exact_mut(REGISTERS);
        let mut first = 0;
        for block in blocks.by_ref() {
            let block: &mut [Register; REGISTERS] = block.try_into().expect("a whole block");
            update_block(rows, block, first, removed, added);
            first += REGISTERS;
        }
        let mut halves = blocks.into_remainder().chunks_exact_mut(REGISTERS / 2);
        for half in halves.by_ref() {
            let half: &mut [Register; REGISTERS / 2] = half.try_into().expect("half a block");
            update_block(rows, half, first, removed, added);
            first += REGISTERS / 2;
        }
        for rest in halves.into_remainder() {
            update_block(rows, std::array::from_mut(rest), first, removed, added);
            first += 1;
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn update_block<const H: usize, const N: usize>(
        rows: &[Accumulator<H>],
        block: &mut [Register; N],
        first: usize,
        removed: &[u16],
        added: &[u16],
    ) {
        let part = |feature: u16| -> &[Register; N] {
            let row = registers(&rows[usize::from(feature)]);
            row[first..first + N].try_into().expect("as long as the block")
        };
        let mut sums = [_mm256_setzero_si256(); N];
        for (sum, lanes) in sums.iter_mut().zip(&*block) {
            *sum = load(lanes);
        }
        for &feature in removed {
            for (sum, weights) in sums.iter_mut().zip(part(feature)) {
                *sum = _mm256_sub_epi16(*sum, load(weights));
            }
        }
        for &feature in added {
            for (sum, weights) in sums.iter_mut().zip(part(feature)) {
                *sum = _mm256_add_epi16(*sum, load(weights));
            }
        }
        for (lanes, sum) in block.iter_mut().zip(sums) {
            store(lanes, sum);
        }
    }

    /// An activation of at most 255 times a weight of eight bits fits into 16, and that times the activation
    /// again, in pairs, into 32. A lane sums up at most 256 such products.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn output<const H: usize>(
        mover: &Accumulator<H>,
        other: &Accumulator<H>,
        weights: &[Accumulator<H>; 2],
    ) -> i64 {
        const { assert!(H.is_multiple_of(LANES) && H <= 1024, "sums fit into 32 bits") };
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ACTIVATION_ONE as i16));
        let mut sums = zero;
        for (accumulator, weights) in [mover, other].into_iter().zip(weights) {
            for (lanes, weights) in registers(accumulator).iter().zip(registers(weights)) {
                let activation = _mm256_min_epi16(_mm256_max_epi16(load(lanes), zero), one);
                let product = _mm256_mullo_epi16(activation, load(weights));
                sums = _mm256_add_epi32(sums, _mm256_madd_epi16(product, activation));
            }
        }
        // SAFETY: both are 32 bytes, and any bits are valid in either.
        let sums: [i32; 8] = unsafe { std::mem::transmute(sums) };
        sums.into_iter().map(i64::from).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A block, half a block and one register of 16 lanes.
    const H: usize = 208;

    fn lanes(most: i16) -> impl Strategy<Value = Accumulator<H>> {
        prop::collection::vec(-most..=most, H)
            .prop_map(|lanes| Accumulator(lanes.try_into().expect("so many lanes")))
    }

    proptest! {
        #[test]
        fn the_instructions_add_rows_as_plain_code_does(
            rows in prop::collection::vec(lanes(i16::MAX), 8),
            base in lanes(i16::MAX),
            removed in prop::collection::vec(0u16..8, 0..6),
            added in prop::collection::vec(0u16..8, 0..6),
        ) {
            let (mut fast, mut plain) = (base.clone(), base);
            update(&rows, &mut fast, &removed, &added);
            update_plain(&rows, &mut plain, &removed, &added);
            prop_assert_eq!(fast, plain);
        }

        #[test]
        fn the_instructions_give_the_output_of_plain_code(
            mover in lanes(400),
            other in lanes(i16::MAX),
            first in lanes(127),
            second in lanes(127),
        ) {
            let weights = [first, second];
            prop_assert_eq!(
                output(&mover, &other, &weights),
                output_plain(&mover, &other, &weights)
            );
        }
    }

    #[test]
    fn the_greatest_output_fits() {
        let (full, least) = (Accumulator([i16::MAX; 1024]), Accumulator([-128; 1024]));
        let weights = [least.clone(), least];
        assert_eq!(output(&full, &full, &weights), -2048 * 128 * 255 * 255);
    }
}
