//! Marking options of two entries by one look-up, so that some are forgotten.
//!
//! Of codes of 32 the table of a plane has marks, and none of larger ones: so the smaller of two codes is looked up, XOR the first
//! code of each 32, which is one of these if either is.

use super::{TABLES, load, options, planes, store};
use crate::engine::kernel::Lanes;
use crate::engine::kernel::checked::Options;
use std::arch::x86_64::*;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn roughly(planes: &mut [Lanes], from: Options<'_>) {
    match planes.len() {
        9..=10 => either::<10>(planes, from),
        11..=12 => either::<12>(planes, from),
        13..=16 => either::<16>(planes, from),
        17..=18 => either::<18>(planes, from),
        19..=20 => either::<20>(planes, from),
        // Of fewer planes all is marked as fast, and more would not stay in registers.
        _ => planes::scatter(planes, from),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn either<const P: usize>(planes: &mut [Lanes], from: Options<'_>) {
    if from.is_masked() {
        mark::<P, true>(planes, from);
    } else {
        mark::<P, false>(planes, from);
    }
}

/// What is done for each of some numbers, written out, as a loop would keep the marks in memory.
macro_rules! each {
    ($k:ident in $($number:literal)* => $do:expr) => {$({
        const $k: usize = $number;
        $do
    })*};
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn mark<const P: usize, const MASKED: bool>(planes: &mut [Lanes], from: Options<'_>) {
    let mut marks = [_mm512_setzero_si512(); 20];
    let beyond = _mm512_set1_epi8(-1);
    let mut options = from.each().map(|sources| options::<MASKED>(sources));
    // Two pairs at a time, as three registers are joined by one instruction.
    while let Some(first) = options.next() {
        let [second, third, fourth] = [(); 3].map(|()| options.next().unwrap_or(beyond));
        each!(BAND in 0 1 2 3 4 => if 4 * BAND < P {
            let band = _mm512_set1_epi8((32 * BAND) as i8);
            let smaller = [[first, second], [third, fourth]].map(|pair| {
                let [one, two] = pair.map(|x| _mm512_xor_si512(x, band));
                _mm512_min_epu8(one, two)
            });
            let inside = smaller.map(|x| _mm512_cmplt_epu8_mask(x, _mm512_set1_epi8(32)));
            each!(PLANE in 0 1 2 3 => if 4 * BAND + PLANE < P {
                let table = load(&TABLES[PLANE]);
                let one = _mm512_maskz_permutexvar_epi8(inside[0], smaller[0], table);
                let two = _mm512_maskz_permutexvar_epi8(inside[1], smaller[1], table);
                let marks = &mut marks[4 * BAND + PLANE];
                *marks = _mm512_ternarylogic_epi32::<0xfe>(*marks, one, two);
            });
        });
    }
    each!(J in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
        if let Some(plane) = planes.get_mut(J) {
            let now = _mm512_or_si512(load(plane), marks[J]);
            store(plane, now);
        }
    });
}
