//! Single steps eight at a time, for processors with AVX-512. The plain twin is `Node::play_safe`.

use std::arch::x86_64::*;

use game::Key;

use crate::generator::{Reached, Room};
use crate::lanes::Lanes;
use crate::side::Side;
use crate::{Board, Direction, Square, Step, Turn, keys};

/// Whether the processor has the instructions.
pub(crate) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("popcnt")
}

const SQUARES: [u8; 64] = {
    let mut squares = [0; 64];
    let mut index = 0;
    while index < 64 {
        squares[index] = index as u8;
        index += 1;
    }
    squares
};

const _: () = assert!(size_of::<[Reached; 8]>() == 2 * size_of::<__m512i>());

/// Writes where the steps lead that cost nothing, from a board with that key that `turn` leads to.
///
/// For each direction, the squares and the strengths of the pieces that move are drawn together at
/// the front of a register; then eight of them at a time look up how the key changes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
#[inline]
pub(crate) fn play_safe(
    board: &Board,
    turn: Turn,
    key: Key,
    steps: Lanes,
    side: Side,
    room: &mut Room,
) {
    // SAFETY: both are 64 bytes, and any bits are valid in either.
    let squares: __m512i = unsafe { std::mem::transmute(SQUARES) };
    let [one, two, four] = board.digits();
    let low = _mm512_or_si512(_mm512_maskz_set1_epi8(one, 1), _mm512_maskz_set1_epi8(two, 2));
    let strengths = _mm512_or_si512(low, _mm512_maskz_set1_epi8(four, 4));
    let key = _mm512_set1_epi64(key.0 as i64);
    let shift = _mm_cvtsi64_si128(turn.shift() as i64);
    // Turns and keys, each eight, become eight pairs.
    let first_four = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    let last_four = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    for direction in Direction::ALL {
        let movers = steps.0[direction as usize];
        let changes: &[Key; 512] = keys::singles(side, direction);
        let step = (Step::single(Square::A1, direction).bits() as u64) << turn.shift();
        let turn = _mm512_set1_epi64((turn.bits() | step) as i64);
        let mut from = _mm512_maskz_compress_epi8(movers, squares);
        let mut strength = _mm512_maskz_compress_epi8(movers, strengths);
        let mut left = movers.count_ones() as usize;
        loop {
            let square = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(from));
            let strength_of = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(strength));
            let index = _mm512_or_si512(_mm512_slli_epi64::<6>(strength_of), square);
            // SAFETY: a strength is below 8 and a square below 64, hence the index below 512.
            let change = unsafe { _mm512_i64gather_epi64::<8>(index, changes.as_ptr().cast()) };
            let keys = _mm512_xor_si512(key, change);
            let turns = _mm512_or_si512(turn, _mm512_sll_epi64(square, shift));
            let pairs = [
                _mm512_permutex2var_epi64(turns, first_four, keys),
                _mm512_permutex2var_epi64(turns, last_four, keys),
            ];
            // SAFETY: eight pairs of two numbers, of the same size, as `Reached` holds them.
            let eight: [Reached; 8] = unsafe { std::mem::transmute(pairs) };
            room.extend(&eight, left);
            if left <= 8 {
                break;
            }
            left -= 8;
            from = _mm512_alignr_epi64::<1>(from, from);
            strength = _mm512_alignr_epi64::<1>(strength, strength);
        }
    }
}
