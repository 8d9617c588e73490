//! Testing options against the few candidates of each heap.

use super::{QUARTERS, is_any, lanes_of, load, options, spread, store};
use crate::engine::kernel::checked::{Options, Unsettled};
use crate::engine::kernel::{DEAD, Lanes, SLOTS};
use std::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(super) fn kill(slots: &mut [Lanes], from: Options<'_>) {
    match slots.len() {
        0..=1 => strike::<1, 4>(slots, from),
        2 => strike::<2, 4>(slots, from),
        3 => strike::<3, 4>(slots, from),
        4 => strike::<4, 4>(slots, from),
        5 => strike::<5, 2>(slots, from),
        6 => strike::<6, 2>(slots, from),
        7 => strike::<7, 2>(slots, from),
        _ => strike::<8, 2>(slots, from),
    }
}

/// So many quarters at once as leave their slots in registers.
#[inline]
#[target_feature(enable = "neon")]
fn strike<const W: usize, const Q: usize>(slots: &mut [Lanes], from: Options<'_>) {
    for quarter in (0..QUARTERS).step_by(Q) {
        let mut left = [[vdupq_n_u8(0); W]; Q];
        for (quarter, left) in (quarter..).zip(&mut left) {
            for (left, slot) in left.iter_mut().zip(slots.iter()) {
                *left = load(&slot.0, quarter);
            }
        }
        if from.is_masked() {
            kill_all::<W, Q, true>(&mut left, from, quarter);
        } else {
            kill_all::<W, Q, false>(&mut left, from, quarter);
        }
        for (quarter, left) in (quarter..).zip(&left) {
            for (left, slot) in left.iter().zip(slots.iter_mut()) {
                store(&mut slot.0, quarter, *left);
            }
        }
    }
}

/// Slots that an option hits become all ones, [`DEAD`].
#[inline]
#[target_feature(enable = "neon")]
fn kill_all<const W: usize, const Q: usize, const MASKED: bool>(
    slots: &mut [[uint8x16_t; W]; Q],
    from: Options<'_>,
    quarter: usize,
) {
    for sources in from.each() {
        for (quarter, slots) in (quarter..).zip(slots.iter_mut()) {
            let x = options::<MASKED>(sources, quarter);
            for slot in slots {
                *slot = vorrq_u8(*slot, vceqq_u8(*slot, x));
            }
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn sort(slots: &mut [Lanes; SLOTS], width: usize) {
    for quarter in 0..QUARTERS {
        let mut sorted = [vdupq_n_u8(DEAD); SLOTS];
        for (sorted, slot) in sorted.iter_mut().zip(&slots[..width]) {
            *sorted = load(&slot.0, quarter);
        }
        network!(sorted, vminq_u8, vmaxq_u8);
        for (slot, sorted) in slots.iter_mut().zip(sorted) {
            store(&mut slot.0, quarter, sorted);
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn settle(slots: &[Lanes], fixed: u64, mut block: Unsettled<'_>) -> u64 {
    let mut lost = 0;
    // A quarter has those before it among its sources, and not the other way round.
    for quarter in 0..QUARTERS {
        lost |= match slots.len() {
            0..=1 => rounds::<1>(slots, quarter, fixed, &mut block),
            2 => rounds::<2>(slots, quarter, fixed, &mut block),
            4 => rounds::<4>(slots, quarter, fixed, &mut block),
            _ => rounds::<8>(slots, quarter, fixed, &mut block),
        };
    }
    lost
}

/// Every round is right for at least one more heap than the one before, and most are right after a few.
#[inline]
#[target_feature(enable = "neon")]
fn rounds<const W: usize>(
    slots: &[Lanes],
    quarter: usize,
    fixed: u64,
    block: &mut Unsettled<'_>,
) -> u64 {
    let dead = vdupq_n_u8(DEAD);
    let mut candidates = [dead; W];
    for (candidate, slot) in candidates.iter_mut().zip(slots) {
        *candidate = load(&slot.0, quarter);
    }
    let fixed = spread(quarter, fixed);
    let mut now = candidates[0];
    loop {
        store(block.codes(), quarter, now);
        let from = block.options();
        let mut left = [candidates];
        if from.is_masked() {
            kill_all::<W, 1, true>(&mut left, from, quarter);
        } else {
            kill_all::<W, 1, false>(&mut left, from, quarter);
        }
        let mut next = dead;
        for left in left.as_flattened().iter().rev() {
            next = vbslq_u8(vceqq_u8(*left, dead), next, *left);
        }
        next = vbslq_u8(fixed, candidates[0], next);
        let changed = is_any(veorq_u8(next, now));
        now = next;
        if !changed {
            return lanes_of(quarter, &[vceqq_u8(now, dead)]);
        }
    }
}
