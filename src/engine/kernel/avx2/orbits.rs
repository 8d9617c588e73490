//! Sixty-four stretches, a byte lane each.

use super::{all, below, found, index_of, lanes_of, load, marks, spread, store, table, twice};
use crate::engine::kernel::LANES;
use crate::engine::kernel::orbits::{Open, Orbits, Tap};
use std::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn walk(planes: usize, mut orbits: Orbits<'_>, open: &mut Open) {
    (open.lanes, open.lost) = ([0; LANES], [0; LANES]);
    match planes {
        0..=2 => steps::<1, 2>(&mut orbits, open, 0),
        3..=4 => steps::<2, 2>(&mut orbits, open, 0),
        // More marks than registers, if not one half after the other.
        _ => (0..2).for_each(|half| steps::<4, 1>(&mut orbits, open, half)),
    }
}

/// The codes that the taps give at a step, in `W` pairs of planes, for `H` halves from this one on.
#[inline]
#[target_feature(enable = "avx2")]
fn marks_at<const W: usize, const H: usize>(
    orbits: &Orbits<'_>,
    (step, half): (usize, usize),
    taps: &[Tap],
) -> [[[__m256i; 2]; W]; H] {
    let mut marked = [[[_mm256_setzero_si256(); 2]; W]; H];
    for &tap in taps {
        let u = _mm256_set1_epi32(tap.us.cast_signed());
        let source = orbits.source(step, tap);
        for (half, marked) in (half..).zip(&mut marked) {
            let x = _mm256_xor_si256(load(source, half), u);
            for (w, marked) in (0u8..).zip(marked) {
                // Of two planes no code lies beyond.
                let [low, high] = if W == 1 { found(x) } else { marks(x, w) };
                marked[0] = _mm256_or_si256(marked[0], low);
                marked[1] = _mm256_or_si256(marked[1], high);
            }
        }
    }
    marked
}

/// The entry of a lane's code in a table, sixteen of it in a register.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up<const W: usize>(code: __m256i, tables: &[__m256i; W]) -> __m256i {
    let mut found = _mm256_setzero_si256();
    for (w, &table) in (0u8..).zip(tables) {
        let index = _mm256_adds_epu8(_mm256_xor_si256(code, all(16 * w)), all(0x70));
        found = _mm256_or_si256(found, _mm256_shuffle_epi8(table, index));
    }
    found
}

#[inline]
#[target_feature(enable = "avx2")]
fn steps<const W: usize, const H: usize>(orbits: &mut Orbits<'_>, open: &mut Open, first: usize) {
    let zero = _mm256_setzero_si256();
    let limits: [[__m256i; W]; 2] = orbits.limits.each_ref().map(|limits| {
        let sixteen = |w: usize| std::array::from_fn(|i| limits.0[16 * w + i]);
        std::array::from_fn(|w| table(&twice(sixteen(w))))
    });
    for step in 0..LANES {
        let marked = marks_at::<W, H>(orbits, (step, first), orbits.options);
        let mut codes = [zero; H];
        for ((half, marked), code) in (first..).zip(&marked).zip(&mut codes) {
            let mut found = zero;
            for (j, marks) in marked.as_flattened().iter().enumerate().rev() {
                let free = _mm256_xor_si256(*marks, all(0xff));
                let none = _mm256_cmpeq_epi8(free, zero);
                let lowest = _mm256_and_si256(free, _mm256_sub_epi8(zero, free));
                let index = _mm256_add_epi8(index_of(lowest), all(8 * j as u8));
                *code = _mm256_blendv_epi8(index, *code, none);
                found = _mm256_or_si256(found, _mm256_xor_si256(none, all(0xff)));
            }
            open.lost[step] |= lanes_of(half, _mm256_xor_si256(found, all(0xff)));
            // Before the witnesses, as the next step waits for it.
            store(orbits.row(step), half, *code);
        }
        let hits = marks_at::<W, H>(orbits, (step, first), orbits.witnesses);
        for ((half, code), hits) in (first..).zip(codes).zip(&hits) {
            let odd = spread(half, orbits.odd_at(step));
            let [even_limit, odd_limit] = limits.each_ref().map(|tables| look_up(code, tables));
            let limit = _mm256_blendv_epi8(even_limit, odd_limit, odd);
            let mut any = zero;
            let planes = &mut open.planes[step];
            for ((j, hits), plane) in (0u8..).zip(hits.as_flattened()).zip(planes) {
                let need = _mm256_andnot_si256(*hits, below(j, limit));
                store(plane, half, need);
                any = _mm256_or_si256(any, need);
            }
            let none = _mm256_cmpeq_epi8(any, zero);
            open.lanes[step] |= lanes_of(half, _mm256_xor_si256(none, all(0xff)));
        }
    }
}
