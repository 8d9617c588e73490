//! Sixty-four stretches, a byte lane each.

use super::{TABLES, below, load, store};
use crate::engine::kernel::LANES;
use crate::engine::kernel::orbits::{Open, Orbits, Tap};
use std::arch::x86_64::*;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
pub(super) fn walk(planes: usize, orbits: Orbits<'_>, open: &mut Open) {
    match planes {
        0..=2 => steps::<2>(orbits, open),
        3..=4 => steps::<4>(orbits, open),
        _ => steps::<8>(orbits, open),
    }
}

/// The codes that the taps give at a step.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn marks_at<const P: usize>(
    orbits: &Orbits<'_>,
    step: usize,
    taps: &[Tap],
    tables: &[__m512i; P],
) -> [__m512i; P] {
    let mut marks = [_mm512_setzero_si512(); P];
    let x = |tap: Tap| {
        let u = _mm512_set1_epi32(tap.us.cast_signed());
        _mm512_xor_si512(load(orbits.source(step, tap)), u)
    };
    // Two at a time, as three registers are joined by one instruction.
    let (pairs, last) = taps.as_chunks();
    for &[one, two] in pairs {
        let (one, two) = (x(one), x(two));
        for j in 0..P {
            let one = _mm512_permutexvar_epi8(one, tables[j]);
            let two = _mm512_permutexvar_epi8(two, tables[j]);
            marks[j] = _mm512_ternarylogic_epi32::<0xfe>(marks[j], one, two);
        }
    }
    for &last in last {
        let last = x(last);
        for j in 0..P {
            marks[j] = _mm512_or_si512(marks[j], _mm512_permutexvar_epi8(last, tables[j]));
        }
    }
    marks
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
fn steps<const P: usize>(mut orbits: Orbits<'_>, open: &mut Open) {
    let (ones, one) = (_mm512_set1_epi8(-1), _mm512_set1_epi8(1));
    let tables: [__m512i; P] = std::array::from_fn(|j| load(&TABLES[j]));
    let limits = [load(&orbits.limits[0]), load(&orbits.limits[1])];
    for step in 0..LANES {
        let marks = marks_at(&orbits, step, orbits.options, &tables);
        let mut code = _mm512_setzero_si512();
        let mut found = 0;
        for j in (0..P).rev() {
            let free = _mm512_xor_si512(marks[j], ones);
            let some = _mm512_test_epi8_mask(free, free);
            let index = _mm512_popcnt_epi8(_mm512_andnot_si512(free, _mm512_sub_epi8(free, one)));
            code = _mm512_mask_add_epi8(code, some, index, _mm512_set1_epi8(8 * j as i8));
            found |= some;
        }
        open.lost[step] = !found;
        let odd = orbits.odd_at(step);
        let limit = _mm512_permutexvar_epi8(code, limits[0]);
        let limit = _mm512_mask_permutexvar_epi8(limit, odd, code, limits[1]);
        let hits = marks_at(&orbits, step, orbits.witnesses, &tables);
        let needs: [__m512i; P] =
            std::array::from_fn(|j| _mm512_andnot_si512(hits[j], below(j as u8, limit)));
        let any = needs.into_iter().reduce(|a, b| _mm512_or_si512(a, b));
        let lanes = any.map_or(0, |any| _mm512_test_epi8_mask(any, any));
        open.lanes[step] = lanes;
        if lanes != 0 {
            for (plane, need) in open.planes[step].iter_mut().zip(needs) {
                store(plane, need);
            }
        }
        store(orbits.row(step), code);
    }
}
