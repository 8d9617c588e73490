//! Pairs of values: the first of each upwards, the second downwards.
#![allow(unsafe_code)]

use super::{HALF, all, table, twice};
use crate::engine::kernel::checked::{Pairs, WordPairs};
use crate::engine::kernel::{WORDS, Words, portable};
use std::arch::x86_64::*;

const REVERSE: [u8; HALF] = twice([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);

#[target_feature(enable = "avx2")]
pub(super) fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize> {
    let reverse = table(&REVERSE);
    let wanted = all(x);
    let (codes, sum, low, high) = pairs.parts();
    let blocks = pairs.blocks::<HALF>();
    for block in 0..blocks {
        // SAFETY: block < blocks.
        let (a, b, i) = unsafe { pairs.block::<HALF>(block) };
        // SAFETY: 32 bytes behind each reference.
        let (a, b) = unsafe {
            (
                _mm256_loadu_si256(a.as_ptr().cast()),
                _mm256_loadu_si256(b.as_ptr().cast()),
            )
        };
        let b = _mm256_shuffle_epi8(_mm256_permute4x64_epi64::<0x4e>(b), reverse);
        let hit = _mm256_cmpeq_epi8(_mm256_xor_si256(a, b), wanted);
        if _mm256_movemask_epi8(hit) != 0 {
            let found = portable::scan(Pairs::new(codes, sum, i, i + HALF), mask, x);
            if found.is_some() {
                return found;
            }
        }
    }
    let low = low + blocks * HALF;
    (low < high).then(|| portable::scan(Pairs::new(codes, sum, low, high), mask, x))?
}

#[target_feature(enable = "avx2")]
pub(super) fn kill_words(slots: &mut [Words], pairs: WordPairs<'_>) {
    for slots in slots.chunks_mut(6) {
        for half in 0..2 {
            match slots.len() {
                0..=1 => strike_words::<1>(slots, half, pairs),
                2 => strike_words::<2>(slots, half, pairs),
                3 => strike_words::<3>(slots, half, pairs),
                4 => strike_words::<4>(slots, half, pairs),
                5 => strike_words::<5>(slots, half, pairs),
                _ => strike_words::<6>(slots, half, pairs),
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn strike_words<const W: usize>(slots: &mut [Words], half: usize, pairs: WordPairs<'_>) {
    const LANES: usize = WORDS / 2;
    let mut old = [_mm256_setzero_si256(); W];
    for (old, slot) in old.iter_mut().zip(slots.iter()) {
        let words = &slot.0[half * LANES..][..LANES];
        // SAFETY: 32 bytes in bounds.
        *old = unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
    }
    let mut least = [all(0xff); W];
    for (one, others) in pairs.each() {
        let others = &others[half * LANES..][..LANES];
        // SAFETY: 32 bytes in bounds.
        let others = unsafe { _mm256_loadu_si256(others.as_ptr().cast()) };
        let x = _mm256_xor_si256(others, _mm256_set1_epi16(one.cast_signed()));
        for w in 0..W {
            least[w] = _mm256_min_epu16(least[w], _mm256_xor_si256(x, old[w]));
        }
    }
    for (w, slot) in slots.iter_mut().enumerate().take(W) {
        let hit = _mm256_cmpeq_epi16(least[w], _mm256_setzero_si256());
        let words = &mut slot.0[half * LANES..][..LANES];
        // SAFETY: 32 bytes in bounds.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), _mm256_or_si256(old[w], hit)) }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
    let mut codes = codes;
    let (blocks, rest) = firsts.as_chunks::<HALF>();
    let (other_rest, others) = seconds.as_rchunks::<HALF>();
    for (block, other) in blocks.iter().zip(others.iter().rev()) {
        let other = _mm256_shuffle_epi8(table(other), table(&REVERSE));
        let other = _mm256_permute4x64_epi64::<0x4e>(other);
        let x = _mm256_xor_si256(table(block), other);
        let mut left = codes;
        while left != 0 {
            let code = left.trailing_zeros();
            if _mm256_movemask_epi8(_mm256_cmpeq_epi8(x, all(code as u8))) != 0 {
                codes &= !(1 << code);
            }
            left &= left - 1;
        }
        if codes == 0 {
            return 0;
        }
    }
    portable::unpaired(rest, other_rest, codes)
}
