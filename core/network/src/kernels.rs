//! The two loops that take the time: rows added to an accumulator, and the output of two of them. Each is plain
//! code, and the same in the instructions of AVX2 and of AVX-512.

use crate::{ACTIVATION_ONE, Accumulator};

/// Lanes of 16 bits that are kept in registers while all rows are added.
const BLOCK: usize = 128;

/// Writes into `next` an accumulator less the rows of the features `removed`, and those of `added` added to it.
#[inline]
pub(crate) fn update<const H: usize>(
    rows: &[Accumulator<H>],
    accumulator: &Accumulator<H>,
    next: &mut Accumulator<H>,
    removed: &[u16],
    added: &[u16],
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512bw") {
        // SAFETY: the processor has the instructions.
        unsafe { avx512::update(rows, accumulator, next, removed, added) };
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the instructions.
        unsafe { avx2::update(rows, accumulator, next, removed, added) };
        return;
    }
    update_plain(rows, accumulator, next, removed, added);
}

/// The plain twin of [`avx2::update`].
#[inline(always)]
pub(crate) fn update_plain<const H: usize>(
    rows: &[Accumulator<H>],
    accumulator: &Accumulator<H>,
    next: &mut Accumulator<H>,
    removed: &[u16],
    added: &[u16],
) {
    for (index, block) in next.0.chunks_mut(BLOCK).enumerate() {
        let lanes = index * BLOCK..index * BLOCK + block.len();
        let part = |feature: u16| &rows[usize::from(feature)].0[lanes.clone()];
        block.copy_from_slice(&accumulator.0[lanes.clone()]);
        for &feature in removed {
            block.iter_mut().zip(part(feature)).for_each(|(sum, &w)| *sum = sum.wrapping_sub(w));
        }
        for &feature in added {
            block.iter_mut().zip(part(feature)).for_each(|(sum, &w)| *sum = sum.wrapping_add(w));
        }
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
    if is_x86_feature_detected!("avx512bw") {
        // SAFETY: the processor has the instructions.
        return unsafe { avx512::output(mover, other, weights) };
    }
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

/// The loops in the instructions of a processor: the width of its registers and what they are called.
#[cfg(target_arch = "x86_64")]
macro_rules! kernels {
    (
        $module:ident, $feature:literal, $register:ty, $lanes:literal, $zero:ident, $splat:ident, $add_16:ident,
        $sub_16:ident, $add_32:ident, $min_16:ident, $max_16:ident, $mullo_16:ident, $madd_16:ident
    ) => {
        mod $module {
            use std::arch::x86_64::*;

            use crate::{ACTIVATION_ONE, Accumulator};

            /// Lanes of 16 bits in a register.
            const LANES: usize = $lanes;

            /// Registers that are filled at once: half of those that AVX2 has.
            const REGISTERS: usize = 8;

            type Register = [i16; LANES];

            #[target_feature(enable = $feature)]
            #[inline]
            fn load(lanes: &Register) -> $register {
                // SAFETY: both have the same size, and any bits are valid in either.
                unsafe { std::mem::transmute(*lanes) }
            }

            #[target_feature(enable = $feature)]
            #[inline]
            fn store(lanes: &mut Register, register: $register) {
                // SAFETY: both have the same size, and any bits are valid in either.
                *lanes = unsafe { std::mem::transmute::<$register, Register>(register) };
            }

            fn registers<const H: usize>(lanes: &Accumulator<H>) -> &[Register] {
                lanes.0.as_chunks().0
            }

            #[target_feature(enable = $feature)]
            #[inline]
            pub(super) fn update<const H: usize>(
                rows: &[Accumulator<H>],
                accumulator: &Accumulator<H>,
                next: &mut Accumulator<H>,
                removed: &[u16],
                added: &[u16],
            ) {
                const { assert!(H.is_multiple_of(LANES), "whole registers") };
                let lanes: &mut [Register] = next.0.as_chunks_mut().0;
                let mut blocks = lanes.chunks_exact_mut(REGISTERS);
                let mut first = 0;
                for block in blocks.by_ref() {
                    let block: &mut [_; REGISTERS] = block.try_into().expect("a whole block");
                    update_block(rows, accumulator, block, first, [removed, added]);
                    first += REGISTERS;
                }
                let mut halves = blocks.into_remainder().chunks_exact_mut(REGISTERS / 2);
                for half in halves.by_ref() {
                    let half: &mut [_; REGISTERS / 2] = half.try_into().expect("half a block");
                    update_block(rows, accumulator, half, first, [removed, added]);
                    first += REGISTERS / 2;
                }
                for rest in halves.into_remainder() {
                    let rest = std::array::from_mut(rest);
                    update_block(rows, accumulator, rest, first, [removed, added]);
                    first += 1;
                }
            }

            #[target_feature(enable = $feature)]
            #[inline]
            fn update_block<const H: usize, const N: usize>(
                rows: &[Accumulator<H>],
                accumulator: &Accumulator<H>,
                block: &mut [Register; N],
                first: usize,
                [removed, added]: [&[u16]; 2],
            ) {
                let part = |row| -> &[Register; N] {
                    registers::<H>(row)[first..first + N].try_into().expect("as long as the block")
                };
                let row = |feature: u16| part(&rows[usize::from(feature)]);
                let mut sums = [$zero(); N];
                for (sum, lanes) in sums.iter_mut().zip(part(accumulator)) {
                    *sum = load(lanes);
                }
                for &feature in removed {
                    for (sum, weights) in sums.iter_mut().zip(row(feature)) {
                        *sum = $sub_16(*sum, load(weights));
                    }
                }
                for &feature in added {
                    for (sum, weights) in sums.iter_mut().zip(row(feature)) {
                        *sum = $add_16(*sum, load(weights));
                    }
                }
                for (lanes, sum) in block.iter_mut().zip(sums) {
                    store(lanes, sum);
                }
            }

            /// An activation of at most 255 times a weight of eight bits fits into 16, and that times the activation
            /// again, in pairs, into 32. A lane sums up at most 256 such products.
            #[target_feature(enable = $feature)]
            #[inline]
            pub(super) fn output<const H: usize>(
                mover: &Accumulator<H>,
                other: &Accumulator<H>,
                weights: &[Accumulator<H>; 2],
            ) -> i64 {
                const { assert!(H.is_multiple_of(LANES) && H <= 1024, "sums fit into 32 bits") };
                let (zero, one) = ($zero(), $splat(ACTIVATION_ONE as i16));
                let mut sums = zero;
                for (accumulator, weights) in [mover, other].into_iter().zip(weights) {
                    for (lanes, weights) in registers(accumulator).iter().zip(registers(weights)) {
                        let activation = $min_16($max_16(load(lanes), zero), one);
                        let product = $mullo_16(activation, load(weights));
                        sums = $add_32(sums, $madd_16(product, activation));
                    }
                }
                // SAFETY: both have the same size, and any bits are valid in either.
                let sums: [i32; LANES / 2] = unsafe { std::mem::transmute(sums) };
                sums.into_iter().map(i64::from).sum()
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
kernels!(
    avx2,
    "avx2",
    __m256i,
    16,
    _mm256_setzero_si256,
    _mm256_set1_epi16,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_add_epi32,
    _mm256_min_epi16,
    _mm256_max_epi16,
    _mm256_mullo_epi16,
    _mm256_madd_epi16
);

#[cfg(target_arch = "x86_64")]
kernels!(
    avx512,
    "avx512bw",
    __m512i,
    32,
    _mm512_setzero_si512,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_add_epi32,
    _mm512_min_epi16,
    _mm512_max_epi16,
    _mm512_mullo_epi16,
    _mm512_madd_epi16
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A block, half a block and two registers of 16 lanes; half a block and three registers of 32 lanes.
    const H: usize = 224;

    type Lanes = Accumulator<H>;

    fn lanes(most: i16) -> impl Strategy<Value = Lanes> {
        prop::collection::vec(-most..=most, H)
            .prop_map(|lanes| Accumulator(lanes.try_into().expect("so many lanes")))
    }

    /// What each twin makes of the same: plain code, what is used here, and all that the processor has instructions for.
    fn updates(rows: &[Lanes], base: &Lanes, removed: &[u16], added: &[u16]) -> Vec<Lanes> {
        let mut results = vec![Accumulator([0; H]); 2];
        update_plain(rows, base, &mut results[0], removed, added);
        update(rows, base, &mut results[1], removed, added);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            let mut next = Accumulator([0; H]);
            // SAFETY: the processor has the instructions.
            unsafe { avx2::update(rows, base, &mut next, removed, added) };
            results.push(next);
        }
        results
    }

    fn outputs(mover: &Lanes, other: &Lanes, weights: &[Lanes; 2]) -> Vec<i64> {
        let mut results = vec![output_plain(mover, other, weights), output(mover, other, weights)];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions.
            results.push(unsafe { avx2::output(mover, other, weights) });
        }
        results
    }

    proptest! {
        #[test]
        fn the_instructions_add_rows_as_plain_code_does(
            rows in prop::collection::vec(lanes(i16::MAX), 8),
            base in lanes(i16::MAX),
            removed in prop::collection::vec(0u16..8, 0..6),
            added in prop::collection::vec(0u16..8, 0..6),
        ) {
            let results = updates(&rows, &base, &removed, &added);
            prop_assert!(results.iter().all(|result| *result == results[0]));
        }

        #[test]
        fn the_instructions_give_the_output_of_plain_code(
            mover in lanes(400),
            other in lanes(i16::MAX),
            first in lanes(127),
            second in lanes(127),
        ) {
            let results = outputs(&mover, &other, &[first, second]);
            prop_assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
        }
    }

    #[test]
    fn the_greatest_output_fits() {
        let (full, least) = (Accumulator([i16::MAX; 1024]), Accumulator([-128; 1024]));
        let weights = [least.clone(), least];
        assert_eq!(output(&full, &full, &weights), -2048 * 128 * 255 * 255);
    }
}
