//! Testing options against the few candidates of each heap.
#![allow(unsafe_code)]

use super::{load, options, store};
use crate::engine::kernel::checked::{Options, Unsettled};
use crate::engine::kernel::{DEAD, LANES, Lanes, SLOTS};
use std::arch::x86_64::*;

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn kill(slots: &mut [Lanes], from: Options<'_>) {
    match slots.len() {
        0..=1 => strike::<1>(slots, from),
        2 => strike::<2>(slots, from),
        3 => strike::<3>(slots, from),
        4 => strike::<4>(slots, from),
        5 => strike::<5>(slots, from),
        6 => strike::<6>(slots, from),
        7 => strike::<7>(slots, from),
        _ => strike::<8>(slots, from),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn strike<const W: usize>(slots: &mut [Lanes], from: Options<'_>) {
    let old: [__m512i; W] = std::array::from_fn(|w| load(&slots[w]));
    let least = if from.is_masked() {
        least::<W, true>(&old, from)
    } else {
        least::<W, false>(&old, from)
    };
    for w in 0..W {
        let hit = _mm512_testn_epi8_mask(least[w], least[w]);
        store(
            &mut slots[w],
            _mm512_mask_set1_epi8(old[w], hit, DEAD.cast_signed()),
        );
    }
}

/// The least x XOR slot over all options x: 0 where the slot is hit.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn least<const W: usize, const MASKED: bool>(
    slots: &[__m512i; W],
    from: Options<'_>,
) -> [__m512i; W] {
    let mut least = [_mm512_set1_epi8(-1); W];
    for sources in from.each() {
        let x = options::<MASKED>(sources);
        for w in 0..W {
            least[w] = _mm512_min_epu8(least[w], _mm512_xor_si512(x, slots[w]));
        }
    }
    least
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn sort(slots: &mut [Lanes; SLOTS], width: usize) {
    let dead = _mm512_set1_epi8(DEAD.cast_signed());
    let mut sorted: [__m512i; SLOTS] =
        std::array::from_fn(|w| if w < width { load(&slots[w]) } else { dead });
    network!(sorted, _mm512_min_epu8, _mm512_max_epu8);
    for (slot, sorted) in slots.iter_mut().zip(sorted) {
        store(slot, sorted);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn settle(slots: &[Lanes], fixed: u64, block: Unsettled<'_>) -> u64 {
    match slots.len() {
        0..=1 => rounds::<1>(slots, fixed, block),
        2 => rounds::<2>(slots, fixed, block),
        4 => rounds::<4>(slots, fixed, block),
        _ => rounds::<8>(slots, fixed, block),
    }
}

/// Every round is right for at least one more heap than the one before, and most are right after a few.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn rounds<const W: usize>(slots: &[Lanes], fixed: u64, mut block: Unsettled<'_>) -> u64 {
    let dead = _mm512_set1_epi8(DEAD.cast_signed());
    let candidates: [__m512i; W] = std::array::from_fn(|w| load(&slots[w]));
    let mut now = candidates[0];
    loop {
        put(block.codes(), now);
        let from = block.options();
        let least = if from.is_masked() {
            least::<W, true>(&candidates, from)
        } else {
            least::<W, false>(&candidates, from)
        };
        let mut next = dead;
        for w in (0..W).rev() {
            let free = _mm512_test_epi8_mask(least[w], least[w]);
            next = _mm512_mask_mov_epi8(next, free, candidates[w]);
        }
        next = _mm512_mask_mov_epi8(next, fixed, candidates[0]);
        let same = _mm512_cmpneq_epu8_mask(next, now) == 0;
        now = next;
        if same {
            return _mm512_cmpeq_epi8_mask(now, dead);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn put(codes: &mut [u8; LANES], value: __m512i) {
    // SAFETY: 64 bytes behind an exclusive reference.
    unsafe { _mm512_storeu_si512(codes.as_mut_ptr().cast(), value) }
}
