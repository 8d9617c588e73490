//! Testing options against the few candidates of each heap.
#![allow(unsafe_code)]

use super::{HALF, all, lanes_of, load, options, spread, store};
use crate::engine::kernel::checked::{Options, Unsettled};
use crate::engine::kernel::{DEAD, Lanes, SLOTS, network};
use std::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn kill(slots: &mut [Lanes], from: Options<'_>) {
    for half in 0..2 {
        match slots.len() {
            0..=1 => strike::<1>(slots, from, half),
            2 => strike::<2>(slots, from, half),
            3 => strike::<3>(slots, from, half),
            4 => strike::<4>(slots, from, half),
            5 => strike::<5>(slots, from, half),
            6 => strike::<6>(slots, from, half),
            7 => strike::<7>(slots, from, half),
            _ => strike::<8>(slots, from, half),
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn strike<const W: usize>(slots: &mut [Lanes], from: Options<'_>, half: usize) {
    let mut old = [_mm256_setzero_si256(); W];
    for (old, slot) in old.iter_mut().zip(slots.iter()) {
        *old = load(slot, half);
    }
    let least = if from.is_masked() {
        least::<W, true>(&old, from, half)
    } else {
        least::<W, false>(&old, from, half)
    };
    for w in 0..W {
        let hit = _mm256_cmpeq_epi8(least[w], _mm256_setzero_si256());
        store(&mut slots[w], half, _mm256_or_si256(old[w], hit));
    }
}

/// The least x XOR slot over all options x: 0 where the slot is hit.
#[inline]
#[target_feature(enable = "avx2")]
fn least<const W: usize, const MASKED: bool>(
    slots: &[__m256i; W],
    from: Options<'_>,
    half: usize,
) -> [__m256i; W] {
    let mut least = [all(0xff); W];
    for sources in from.each() {
        let x = options::<MASKED>(sources, half);
        for w in 0..W {
            least[w] = _mm256_min_epu8(least[w], _mm256_xor_si256(x, slots[w]));
        }
    }
    least
}

#[target_feature(enable = "avx2")]
pub(super) fn sort(slots: &mut [Lanes; SLOTS], width: usize) {
    for half in 0..2 {
        let mut sorted = [all(DEAD); SLOTS];
        for (sorted, slot) in sorted.iter_mut().zip(&slots[..width]) {
            *sorted = load(slot, half);
        }
        macro_rules! exchange {
            ($($a:literal $b:literal),*) => {
                $(
                    let smaller = _mm256_min_epu8(sorted[$a], sorted[$b]);
                    sorted[$b] = _mm256_max_epu8(sorted[$a], sorted[$b]);
                    sorted[$a] = smaller;
                )*
            };
        }
        network!(exchange);
        for (slot, sorted) in slots.iter_mut().zip(sorted) {
            store(slot, half, sorted);
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn settle(slots: &[Lanes], fixed: u64, mut block: Unsettled<'_>) -> u64 {
    let mut lost = 0;
    // The second half has the first among its sources, and not the other way round.
    for half in 0..2 {
        lost |= match slots.len() {
            0..=1 => rounds::<1>(slots, half, fixed, &mut block),
            2 => rounds::<2>(slots, half, fixed, &mut block),
            4 => rounds::<4>(slots, half, fixed, &mut block),
            _ => rounds::<8>(slots, half, fixed, &mut block),
        };
    }
    lost
}

/// Every round is right for at least one more heap than the one before, and most are right after a few.
#[inline]
#[target_feature(enable = "avx2")]
fn rounds<const W: usize>(
    slots: &[Lanes],
    half: usize,
    fixed: u64,
    block: &mut Unsettled<'_>,
) -> u64 {
    let mut candidates = [all(DEAD); W];
    for (candidate, slot) in candidates.iter_mut().zip(slots) {
        *candidate = load(slot, half);
    }
    let fixed = spread(half, fixed);
    let mut now = candidates[0];
    loop {
        let place = &mut block.codes()[half * HALF..][..HALF];
        // SAFETY: the slice has just been cut to 32 bytes.
        unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), now) };
        let from = block.options();
        let least = if from.is_masked() {
            least::<W, true>(&candidates, from, half)
        } else {
            least::<W, false>(&candidates, from, half)
        };
        let mut next = all(DEAD);
        for w in (0..W).rev() {
            let hit = _mm256_cmpeq_epi8(least[w], _mm256_setzero_si256());
            next = _mm256_blendv_epi8(candidates[w], next, hit);
        }
        next = _mm256_blendv_epi8(next, candidates[0], fixed);
        let same = _mm256_movemask_epi8(_mm256_cmpeq_epi8(next, now)) == -1;
        now = next;
        if same {
            return lanes_of(half, _mm256_cmpeq_epi8(now, all(DEAD)));
        }
    }
}
