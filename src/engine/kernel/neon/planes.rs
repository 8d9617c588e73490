//! Marking options in planes, and reading what is unmarked back out.

use super::{QUARTERS, is_any, load, marks, options, store, trailing_ones};
use crate::engine::kernel::checked::Options;
use crate::engine::kernel::{DEAD, Lanes, SLOTS};
use std::arch::aarch64::*;

// Not inlined, as its registers would have to be shared.
#[inline(never)]
#[target_feature(enable = "neon")]
pub(super) fn scatter(planes: &mut [Lanes], from: Options<'_>) {
    for (first, planes) in (0u8..).step_by(5).zip(planes.chunks_mut(10)) {
        match planes.len() {
            0..=2 => pass::<1, 4>(planes, first, from),
            3..=4 => pass::<2, 4>(planes, first, from),
            5..=6 => pass::<3, 2>(planes, first, from),
            7..=8 => pass::<4, 2>(planes, first, from),
            _ => pass::<5, 1>(planes, first, from),
        }
    }
}

/// `W` pairs of planes at once, the first for code 16 · `first`, and so many quarters as leave their marks in registers.
#[inline]
#[target_feature(enable = "neon")]
fn pass<const W: usize, const Q: usize>(planes: &mut [Lanes], first: u8, from: Options<'_>) {
    for quarter in (0..QUARTERS).step_by(Q) {
        if from.is_masked() {
            mark_all::<W, Q, true>(planes, first, from, quarter);
        } else {
            mark_all::<W, Q, false>(planes, first, from, quarter);
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn mark_all<const W: usize, const Q: usize, const MASKED: bool>(
    planes: &mut [Lanes],
    first: u8,
    from: Options<'_>,
    quarter: usize,
) {
    let mut marked = [[[vdupq_n_u8(0); 2]; W]; Q];
    for sources in from.each() {
        for (quarter, marked) in (quarter..).zip(&mut marked) {
            let x = options::<MASKED>(sources, quarter);
            for (w, marked) in (first..).zip(marked) {
                let [low, high] = marks(x, w);
                marked[0] = vorrq_u8(marked[0], low);
                marked[1] = vorrq_u8(marked[1], high);
            }
        }
    }
    for (quarter, marked) in (quarter..).zip(&marked) {
        for (plane, marked) in planes.iter_mut().zip(marked.as_flattened()) {
            let now = vorrq_u8(load(&plane.0, quarter), *marked);
            store(&mut plane.0, quarter, now);
        }
    }
}

#[target_feature(enable = "neon")]
pub(super) fn holes(planes: &[Lanes], slots: &mut [Lanes; SLOTS]) {
    let dead = vdupq_n_u8(DEAD);
    for quarter in 0..QUARTERS {
        let mut sorted = [dead; SLOTS];
        for (j, plane) in (0u8..).zip(planes) {
            let mut marked = load(&plane.0, quarter);
            loop {
                let none = vceqq_u8(marked, dead);
                if !is_any(vmvnq_u8(none)) {
                    break;
                }
                let code = vaddq_u8(trailing_ones(marked), vdupq_n_u8(8 * j));
                let mut code = vorrq_u8(code, none);
                // The first bit that is not set becomes set; where all are, they stay.
                marked = vorrq_u8(marked, vaddq_u8(marked, vdupq_n_u8(1)));
                for slot in &mut sorted {
                    let larger = vmaxq_u8(*slot, code);
                    *slot = vminq_u8(*slot, code);
                    code = larger;
                }
            }
            if !is_any(vceqq_u8(sorted[SLOTS - 1], dead)) {
                break;
            }
        }
        for (slot, sorted) in slots.iter_mut().zip(sorted) {
            store(&mut slot.0, quarter, sorted);
        }
    }
}
