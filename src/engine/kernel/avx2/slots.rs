//! Testing options against the few candidates of each heap.
#![allow(unsafe_code)]

use super::{HALF, all, lanes_of, load, options, spread, store};
use crate::engine::kernel::checked::{Options, Unsettled};
use crate::engine::kernel::{DEAD, Lanes, SLOTS};
use std::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn kill(slots: &mut [Lanes], from: Options<'_>) {
    match slots.len() {
        0..=1 => strike::<1, 2>(slots, from),
        2 => strike::<2, 2>(slots, from),
        3 => strike::<3, 2>(slots, from),
        4 => strike::<4, 2>(slots, from),
        5 => strike::<5, 2>(slots, from),
        6 => strike::<6, 2>(slots, from),
        7 => strike::<7, 1>(slots, from),
        _ => strike::<8, 1>(slots, from),
    }
}

/// So many halves at once as leave their slots in registers.
#[inline]
#[target_feature(enable = "avx2")]
fn strike<const W: usize, const H: usize>(slots: &mut [Lanes], from: Options<'_>) {
    for half in (0..2).step_by(H) {
        let mut left = [[_mm256_setzero_si256(); W]; H];
        for (half, left) in (half..).zip(&mut left) {
            for (left, slot) in left.iter_mut().zip(slots.iter()) {
                *left = load(slot, half);
            }
        }
        if from.is_masked() {
            kill_all::<W, H, true>(&mut left, from, half);
        } else {
            kill_all::<W, H, false>(&mut left, from, half);
        }
        for (half, left) in (half..).zip(&left) {
            for (left, slot) in left.iter().zip(slots.iter_mut()) {
                store(slot, half, *left);
            }
        }
    }
}

/// Slots that an option hits become all ones, [`DEAD`].
#[inline]
#[target_feature(enable = "avx2")]
fn kill_all<const W: usize, const H: usize, const MASKED: bool>(
    slots: &mut [[__m256i; W]; H],
    from: Options<'_>,
    half: usize,
) {
    for sources in from.each() {
        for (half, slots) in (half..).zip(slots.iter_mut()) {
            let x = options::<MASKED>(sources, half);
            for slot in slots {
                *slot = _mm256_or_si256(*slot, _mm256_cmpeq_epi8(*slot, x));
            }
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn sort(slots: &mut [Lanes; SLOTS], width: usize) {
    for half in 0..2 {
        let mut sorted = [all(DEAD); SLOTS];
        for (sorted, slot) in sorted.iter_mut().zip(&slots[..width]) {
            *sorted = load(slot, half);
        }
        network!(sorted, _mm256_min_epu8, _mm256_max_epu8);
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
        let mut left = [candidates];
        if from.is_masked() {
            kill_all::<W, 1, true>(&mut left, from, half);
        } else {
            kill_all::<W, 1, false>(&mut left, from, half);
        }
        let mut next = all(DEAD);
        for left in left.as_flattened().iter().rev() {
            let dead = _mm256_cmpeq_epi8(*left, all(DEAD));
            next = _mm256_blendv_epi8(*left, next, dead);
        }
        next = _mm256_blendv_epi8(next, candidates[0], fixed);
        let same = _mm256_movemask_epi8(_mm256_cmpeq_epi8(next, now)) == -1;
        now = next;
        if same {
            return lanes_of(half, _mm256_cmpeq_epi8(now, all(DEAD)));
        }
    }
}
