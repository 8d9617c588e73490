//! Marking options in planes, and reading what is unmarked back out.
#![allow(unsafe_code)]

use super::{TABLES, below, load, options, store};
use crate::engine::kernel::checked::Options;
use crate::engine::kernel::questions::Unasked;
use crate::engine::kernel::{DEAD, LANES, Lanes, SLOTS, portable};
use std::arch::x86_64::*;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn scatter(planes: &mut [Lanes], from: Options<'_>) {
    match planes.len() {
        0..=2 if from.is_masked() => pair::<true>(planes, from),
        0..=2 => pair::<false>(planes, from),
        3..=4 if from.is_masked() => few::<4, true>(planes, from),
        3..=4 => few::<4, false>(planes, from),
        5..=8 if from.is_masked() => few::<8, true>(planes, from),
        5..=8 => few::<8, false>(planes, from),
        9..=10 => pass::<10, 0>(planes, from),
        11..=12 => pass::<12, 0>(planes, from),
        13..=16 => pass::<16, 0>(planes, from),
        17..=18 => pass::<18, 0>(planes, from),
        19..=20 => pass::<20, 0>(planes, from),
        // More would not stay in registers.
        _ => {
            let (low, high) = planes.split_at_mut(16);
            pass::<16, 0>(low, from);
            match high.len() {
                0..=8 => pass::<8, 2>(high, from),
                _ => pass::<16, 2>(high, from),
            }
        }
    }
}

/// Two planes: codes below 16, for which a smaller table does.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn pair<const MASKED: bool>(planes: &mut [Lanes], from: Options<'_>) {
    /// The marks of codes 0 to 7 of 16, and of codes 8 to 15.
    const TABLES: [Lanes; 2] = {
        let mut tables = [Lanes::ZERO; 2];
        let mut i = 0;
        while i < LANES {
            tables[i % 16 / 8].0[i] = 1 << (i % 8);
            i += 1;
        }
        tables
    };
    let (low, high) = (load(&TABLES[0]), load(&TABLES[1]));
    let mut marks = [_mm512_setzero_si512(); 2];
    for sources in from.each() {
        // Larger codes get bit 7 set, which a shuffle answers with zero.
        let index = _mm512_adds_epu8(options::<MASKED>(sources), _mm512_set1_epi8(0x70));
        marks[0] = _mm512_or_si512(marks[0], _mm512_shuffle_epi8(low, index));
        marks[1] = _mm512_or_si512(marks[1], _mm512_shuffle_epi8(high, index));
    }
    for (plane, marks) in planes.iter_mut().zip(marks) {
        let now = _mm512_or_si512(load(plane), marks);
        store(plane, now);
    }
}

/// Up to eight planes: codes below 64, of which one table a plane tells.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn few<const P: usize, const MASKED: bool>(planes: &mut [Lanes], from: Options<'_>) {
    let tables: [__m512i; P] = std::array::from_fn(|j| load(&TABLES[j]));
    let mut marks = [_mm512_setzero_si512(); P];
    let beyond = _mm512_set1_epi8(0xc0_u8.cast_signed());
    let mut options = from.each().map(|sources| options::<MASKED>(sources));
    // Two at a time, as three registers are joined by one instruction.
    while let Some(one) = options.next() {
        let two = options.next().unwrap_or(beyond);
        let inside = [one, two].map(|x| _mm512_testn_epi8_mask(x, beyond));
        for (marks, table) in marks.iter_mut().zip(tables) {
            let one = _mm512_maskz_permutexvar_epi8(inside[0], one, table);
            let two = _mm512_maskz_permutexvar_epi8(inside[1], two, table);
            *marks = _mm512_ternarylogic_epi32::<0xfe>(*marks, one, two);
        }
    }
    for (plane, marks) in planes.iter_mut().zip(marks) {
        let now = _mm512_or_si512(load(plane), marks);
        store(plane, now);
    }
}

/// `P` planes at once, the first for code 64 · `FIRST`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn pass<const P: usize, const FIRST: usize>(planes: &mut [Lanes], from: Options<'_>) {
    if from.is_masked() {
        marks::<P, FIRST, true>(planes, from);
    } else {
        marks::<P, FIRST, false>(planes, from);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn marks<const P: usize, const FIRST: usize, const MASKED: bool>(
    planes: &mut [Lanes],
    from: Options<'_>,
) {
    let mut marks = [_mm512_setzero_si512(); P];
    macro_rules! each {
        ($j:ident => $do:expr) => {
            // Written out, as a loop would keep the planes in memory.
            each!($j => $do; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
        };
        ($j:ident => $do:expr; $($k:literal)*) => {
            $(if $k < P {
                const $j: usize = $k;
                $do
            })*
        };
    }
    each!(J => if let Some(plane) = planes.get(J) { marks[J] = load(plane) });
    // Matrices that spread bit 6 or 7 of a byte over all of it.
    let (six, seven) = (
        _mm512_set1_epi64(0x4040_4040_4040_4040),
        _mm512_set1_epi64(0x8080_8080_8080_8080_u64.cast_signed()),
    );
    for sources in from.each() {
        let x = options::<MASKED>(sources);
        let six = _mm512_gf2p8affine_epi64_epi8::<0>(x, six);
        let seven = _mm512_gf2p8affine_epi64_epi8::<0>(x, seven);
        let inside = [
            _mm512_ternarylogic_epi32::<0x01>(six, six, seven),
            _mm512_andnot_si512(seven, six),
            _mm512_andnot_si512(six, seven),
            _mm512_and_si512(six, seven),
        ];
        each!(J => {
            let bit = _mm512_permutexvar_epi8(x, load(&TABLES[J % 8]));
            marks[J] = _mm512_ternarylogic_epi32::<0xf8>(marks[J], bit, inside[FIRST + J / 8]);
        });
    }
    each!(J => if let Some(plane) = planes.get_mut(J) { store(plane, marks[J]) });
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn fresh(planes: &[Lanes], from: Options<'_>) -> u64 {
    let mut lanes = 0;
    for sources in from.each() {
        lanes |= fresh_by(planes, options::<true>(sources));
    }
    lanes
}

/// The lanes in which x would mark something new.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn fresh_by(planes: &[Lanes], x: __m512i) -> u64 {
    let mut unmarked = _mm512_setzero_si512();
    for (w, planes) in (0u8..4).zip(planes.chunks(8)) {
        let index = _mm512_xor_si512(x, _mm512_set1_epi8((64 * w).cast_signed()));
        let inside = _mm512_cmplt_epu8_mask(index, _mm512_set1_epi8(64));
        for (plane, table) in planes.iter().zip(&TABLES) {
            let bit = _mm512_maskz_permutexvar_epi8(inside, index, load(table));
            unmarked = _mm512_or_si512(unmarked, _mm512_andnot_si512(load(plane), bit));
        }
    }
    _mm512_test_epi8_mask(unmarked, unmarked)
}

/// The unmarked codes of plane j below the limits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn unmarked_of(j: u8, plane: &Lanes, limits: __m512i) -> __m512i {
    _mm512_andnot_si512(load(plane), below(j, limits))
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn open(planes: &[Lanes], limit: &Lanes) -> u64 {
    let limits = load(limit);
    let mut open = _mm512_setzero_si512();
    for (j, plane) in (0u8..).zip(planes) {
        open = _mm512_or_si512(open, unmarked_of(j, plane, limits));
    }
    _mm512_test_epi8_mask(open, open)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1")]
pub(super) fn unmarked(planes: &[Lanes], limit: &Lanes, at: usize, open: &mut Unasked) {
    let limits = load(limit);
    let unmarked = |j: u8, plane: &Lanes| {
        let mut bytes = Lanes::ZERO;
        store(&mut bytes, unmarked_of(j, plane, limits));
        bytes
    };
    portable::unmarked_by(planes, (at, open), unmarked, |planes, words| {
        rows(planes, words)
    });
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
pub(super) fn holes(planes: &[Lanes], slots: &mut [Lanes; SLOTS]) {
    let dead = _mm512_set1_epi8(DEAD.cast_signed());
    let one = _mm512_set1_epi8(1);
    let mut sorted = [dead; SLOTS];
    for (j, plane) in (0u8..).zip(planes) {
        let base = _mm512_set1_epi8((8 * j).cast_signed());
        let mut open = _mm512_xor_si512(load(plane), dead);
        loop {
            let some = _mm512_test_epi8_mask(open, open);
            if some == 0 {
                break;
            }
            let low = _mm512_sub_epi8(open, one);
            let index = _mm512_popcnt_epi8(_mm512_andnot_si512(open, low));
            open = _mm512_and_si512(open, low);
            let mut code = _mm512_mask_add_epi8(dead, some, index, base);
            for slot in &mut sorted {
                let larger = _mm512_max_epu8(*slot, code);
                *slot = _mm512_min_epu8(*slot, code);
                code = larger;
            }
        }
        if _mm512_cmpeq_epi8_mask(sorted[SLOTS - 1], dead) == 0 {
            break;
        }
    }
    for (slot, sorted) in slots.iter_mut().zip(sorted) {
        store(slot, sorted);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn rows(planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
    let p: [__m512i; 8] = std::array::from_fn(|j| load(&planes[j]));
    let pair = |low: __m512i, high: __m512i| {
        (
            _mm512_unpacklo_epi8(low, high),
            _mm512_unpackhi_epi8(low, high),
        )
    };
    let two: [(__m512i, __m512i); 4] = std::array::from_fn(|j| pair(p[2 * j], p[2 * j + 1]));
    let four = |low: __m512i, high: __m512i| {
        (
            _mm512_unpacklo_epi16(low, high),
            _mm512_unpackhi_epi16(low, high),
        )
    };
    let eight = |low: __m512i, high: __m512i| {
        (
            _mm512_unpacklo_epi32(low, high),
            _mm512_unpackhi_epi32(low, high),
        )
    };
    let mut words = [[0u64; 8]; 8];
    for half in 0..2 {
        let pick = |j: usize| if half == 0 { two[j].0 } else { two[j].1 };
        let (a, b) = (four(pick(0), pick(1)), four(pick(2), pick(3)));
        let (c, d) = (eight(a.0, b.0), eight(a.1, b.1));
        for (k, quarter) in [c.0, c.1, d.0, d.1].into_iter().enumerate() {
            let words = &mut words[4 * half + k];
            // SAFETY: 64 bytes behind an exclusive reference.
            unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), quarter) }
        }
    }
    for (k, words) in words.iter().enumerate() {
        for (block, pair) in words.chunks_exact(2).enumerate() {
            rows[16 * block + 2 * k..][..2].copy_from_slice(pair);
        }
    }
}
