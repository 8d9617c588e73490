//! Marking options in planes, and reading what is unmarked back out.

use super::{all, below, index_of, lanes_of, load, marks, options, store};
use crate::engine::kernel::checked::Options;
use crate::engine::kernel::questions::Unasked;
use crate::engine::kernel::{DEAD, Lanes, SLOTS, portable};
use std::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn scatter(planes: &mut [Lanes], from: Options<'_>) {
    // Sixteen planes are not ten and six, which takes longer (Zen 3).
    let each = if planes.len() == 16 { 4 } else { 5 };
    for (first, planes) in (0u8..).step_by(each).zip(planes.chunks_mut(2 * each)) {
        match planes.len() {
            0..=2 => pass::<1>(planes, first, from),
            3..=4 => pass::<2>(planes, first, from),
            5..=6 => pass::<3>(planes, first, from),
            7..=8 => pass::<4>(planes, first, from),
            _ => pass::<5>(planes, first, from),
        }
    }
}

/// `W` pairs of planes at once, the first for code 16 · `first`.
#[inline]
#[target_feature(enable = "avx2")]
fn pass<const W: usize>(planes: &mut [Lanes], first: u8, from: Options<'_>) {
    for half in 0..2 {
        if from.is_masked() {
            mark_all::<W, true>(planes, first, from, half);
        } else {
            mark_all::<W, false>(planes, first, from, half);
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn mark_all<const W: usize, const MASKED: bool>(
    planes: &mut [Lanes],
    first: u8,
    from: Options<'_>,
    half: usize,
) {
    let mut marked = [[_mm256_setzero_si256(); 2]; W];
    for sources in from.each() {
        let x = options::<MASKED>(sources, half);
        macro_rules! window {
            // Written out, as a loop would keep the planes in memory.
            ($($w:literal)*) => {
                $(if $w < W {
                    let [low, high] = marks(x, first + $w);
                    marked[$w][0] = _mm256_or_si256(marked[$w][0], low);
                    marked[$w][1] = _mm256_or_si256(marked[$w][1], high);
                })*
            };
        }
        window!(0 1 2 3 4);
    }
    for (plane, marked) in planes.iter_mut().zip(marked.as_flattened()) {
        let now = _mm256_or_si256(load(plane, half), *marked);
        store(plane, half, now);
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn fresh(planes: &[Lanes], from: Options<'_>) -> u64 {
    let mut lanes = 0;
    let halves = from.each().flat_map(|sources| [(sources, 0), (sources, 1)]);
    for (sources, half) in halves {
        let x = options::<true>(sources, half);
        let mut unmarked = _mm256_setzero_si256();
        for (window, planes) in (0u8..).zip(planes.chunks(2)) {
            for (plane, mark) in planes.iter().zip(marks(x, window)) {
                unmarked = _mm256_or_si256(unmarked, _mm256_andnot_si256(load(plane, half), mark));
            }
        }
        let none = _mm256_cmpeq_epi8(unmarked, _mm256_setzero_si256());
        lanes |= lanes_of(half, _mm256_xor_si256(none, all(0xff)));
    }
    lanes
}

/// The unmarked codes of plane j below the limits.
#[inline]
#[target_feature(enable = "avx2")]
fn unmarked_of(j: u8, plane: &Lanes, half: usize, limits: __m256i) -> __m256i {
    _mm256_andnot_si256(load(plane, half), below(j, limits))
}

#[target_feature(enable = "avx2")]
pub(super) fn open(planes: &[Lanes], limit: &Lanes) -> u64 {
    let mut lanes = 0;
    for half in 0..2 {
        let limits = load(limit, half);
        let mut open = _mm256_setzero_si256();
        for (j, plane) in (0u8..).zip(planes) {
            open = _mm256_or_si256(open, unmarked_of(j, plane, half, limits));
        }
        let none = _mm256_cmpeq_epi8(open, _mm256_setzero_si256());
        lanes |= lanes_of(half, _mm256_xor_si256(none, all(0xff)));
    }
    lanes
}

#[target_feature(enable = "avx2,bmi1")]
pub(super) fn unmarked(planes: &[Lanes], limit: &Lanes, at: usize, open: &mut Unasked) {
    let limits = [0, 1].map(|half| load(limit, half));
    let unmarked = |j: u8, plane: &Lanes| {
        let mut bytes = Lanes::ZERO;
        for (half, limits) in limits.into_iter().enumerate() {
            store(&mut bytes, half, unmarked_of(j, plane, half, limits));
        }
        bytes
    };
    portable::unmarked_by(planes, (at, open), unmarked, portable::rows);
}

#[target_feature(enable = "avx2")]
pub(super) fn holes(planes: &[Lanes], slots: &mut [Lanes; SLOTS]) {
    for half in 0..2 {
        let mut sorted = [all(DEAD); SLOTS];
        for (j, plane) in (0u8..).zip(planes) {
            let mut open = _mm256_xor_si256(load(plane, half), all(0xff));
            loop {
                let none = _mm256_cmpeq_epi8(open, _mm256_setzero_si256());
                if _mm256_movemask_epi8(none) == -1 {
                    break;
                }
                let others = _mm256_and_si256(open, _mm256_sub_epi8(open, all(1)));
                let code = _mm256_add_epi8(index_of(_mm256_xor_si256(open, others)), all(8 * j));
                let mut code = _mm256_or_si256(code, none);
                open = others;
                for slot in &mut sorted {
                    let larger = _mm256_max_epu8(*slot, code);
                    *slot = _mm256_min_epu8(*slot, code);
                    code = larger;
                }
            }
            let free = _mm256_cmpeq_epi8(sorted[SLOTS - 1], all(DEAD));
            if _mm256_movemask_epi8(free) == 0 {
                break;
            }
        }
        for (slot, sorted) in slots.iter_mut().zip(sorted) {
            store(slot, half, sorted);
        }
    }
}
