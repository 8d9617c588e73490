//! The kernels with 512-bit registers: a block of heaps is one register, a table lookup of 64 bytes is one instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::checked::{Options, Pairs, Sources, Unsettled, WordPairs};
use super::orbits::{Open, Orbits, Tap};
use super::{DEAD, DEAD_WORD, LANES, Lanes, Nibbles, QUARTER, SLOTS, Sextets, WORDS, Words};

/// Proof that this processor has the instructions used here.
#[derive(Clone, Copy, Debug)]
pub struct Token(());

impl Token {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2"))
        .then_some(Self(()))
    }
}

forward! {
    fn scatter(planes: &mut [Lanes], from: Options<'_>);
    fn fresh(planes: &[Lanes], from: Options<'_>) -> u64;
    fn open(planes: &[Lanes], limit: &Lanes) -> u64;
    fn holes(planes: &[Lanes], limit: Option<&Lanes>, slots: &mut [Lanes; SLOTS]) -> u64;
    fn kill(slots: &mut [Lanes], from: Options<'_>);
    fn sort(slots: &mut [Lanes; SLOTS], width: usize) -> u64;
    fn settle(slots: &[Lanes], fixed: u64, block: Unsettled<'_>) -> u64;
    fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize>;
    fn settle_nibbles(nibbles: &Nibbles, rows: &[u16; QUARTER], codes: &mut [u8], at: usize, from: usize, odd: u64) -> usize;
    fn settle_sextets(sextets: &Sextets, rows: &[u64; LANES], codes: &mut [u8], place: (usize, usize), odd: u64, most: u32) -> usize;
    fn kill_words(slots: &mut [Words], pairs: WordPairs<'_>);
    fn rows(planes: &[Lanes; 8], rows: &mut [u64; LANES]);
    fn walk(planes: usize, orbits: Orbits<'_>, open: &mut Open);
    fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64;
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(lanes: &Lanes) -> __m512i {
    // SAFETY: 64 aligned bytes behind a reference.
    unsafe { _mm512_load_si512(lanes.0.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(lanes: &mut Lanes, value: __m512i) {
    // SAFETY: 64 aligned bytes behind an exclusive reference.
    unsafe { _mm512_store_si512(lanes.0.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_bytes(bytes: &[u8; LANES]) -> __m512i {
    // SAFETY: 64 bytes behind a reference.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The options of a block by one entry.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn options<const MASKED: bool>((codes, mask, u): Sources<'_>) -> __m512i {
    let x = _mm512_xor_si512(load_bytes(codes), _mm512_set1_epi8(u.cast_signed()));
    match mask {
        Some(mask) if MASKED => _mm512_or_si512(x, load_bytes(mask)),
        _ => x,
    }
}

/// `TABLES[j]` sends x to its bit in plane j, x < 64.
const TABLES: [Lanes; 8] = {
    let mut tables = [Lanes::ZERO; 8];
    let mut x = 0;
    while x < LANES {
        tables[x / 8].0[x] = 1 << (x % 8);
        x += 1;
    }
    tables
};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn scatter(planes: &mut [Lanes], from: Options<'_>) {
    match planes.len() {
        0..=2 if from.is_masked() => pair::<true>(planes, from),
        0..=2 => pair::<false>(planes, from),
        3..=4 => pass::<4, 0>(planes, from),
        5..=8 => pass::<8, 0>(planes, from),
        9..=10 => pass::<10, 0>(planes, from),
        11..=12 => pass::<12, 0>(planes, from),
        13..=16 => pass::<16, 0>(planes, from),
        17..=18 => pass::<18, 0>(planes, from),
        19..=20 => pass::<20, 0>(planes, from),
        21..=24 => pass::<24, 0>(planes, from),
        _ => {
            let (low, high) = planes.split_at_mut(16);
            pass::<16, 0>(low, from);
            pass::<16, 2>(high, from);
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
            each!($j => $do; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23)
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
fn fresh(planes: &[Lanes], from: Options<'_>) -> u64 {
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

/// The bits below a limit of 0 to 8.
const BELOW: Lanes = {
    let mut below = Lanes([0xff; LANES]);
    let mut i = 0;
    while i < LANES {
        if i % 16 < 8 {
            below.0[i] = (1 << (i % 16)) - 1;
        }
        i += 1;
    }
    below
};

/// The codes of plane j below the limits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn below(j: u8, limits: __m512i) -> __m512i {
    let rest = _mm512_subs_epu8(limits, _mm512_set1_epi8((8 * j).cast_signed()));
    let rest = _mm512_min_epu8(rest, _mm512_set1_epi8(8));
    _mm512_shuffle_epi8(load(&BELOW), rest)
}

/// The unmarked codes of plane j below the limits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn unmarked(j: u8, plane: &Lanes, limits: __m512i) -> __m512i {
    _mm512_andnot_si512(load(plane), below(j, limits))
}

#[target_feature(enable = "avx512f,avx512bw")]
fn open(planes: &[Lanes], limit: &Lanes) -> u64 {
    let limits = load(limit);
    let mut open = _mm512_setzero_si512();
    for (j, plane) in (0u8..).zip(planes) {
        open = _mm512_or_si512(open, unmarked(j, plane, limits));
    }
    _mm512_test_epi8_mask(open, open)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
fn holes(planes: &[Lanes], limit: Option<&Lanes>, slots: &mut [Lanes; SLOTS]) -> u64 {
    let dead = _mm512_set1_epi8(DEAD.cast_signed());
    let one = _mm512_set1_epi8(1);
    let mut sorted = [dead; SLOTS];
    let mut more = 0;
    let limits = limit.map(|limit| load(limit));
    for (j, plane) in (0u8..).zip(planes) {
        let base = _mm512_set1_epi8((8 * j).cast_signed());
        let mut open = match limits {
            Some(limits) => unmarked(j, plane, limits),
            None => _mm512_xor_si512(load(plane), dead),
        };
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
            more |= _mm512_cmpneq_epu8_mask(code, dead);
        }
        if limits.is_none() && _mm512_cmpeq_epi8_mask(sorted[SLOTS - 1], dead) == 0 {
            break;
        }
    }
    for (slot, sorted) in slots.iter_mut().zip(sorted) {
        store(slot, sorted);
    }
    if limits.is_some() { more } else { 0 }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn kill(slots: &mut [Lanes], from: Options<'_>) {
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
fn sort(slots: &mut [Lanes; SLOTS], width: usize) -> u64 {
    let dead = _mm512_set1_epi8(DEAD.cast_signed());
    let mut sorted: [__m512i; SLOTS] =
        std::array::from_fn(|w| if w < width { load(&slots[w]) } else { dead });
    for (a, b) in super::NETWORK {
        let smaller = _mm512_min_epu8(sorted[a], sorted[b]);
        sorted[b] = _mm512_max_epu8(sorted[a], sorted[b]);
        sorted[a] = smaller;
    }
    for (slot, sorted) in slots.iter_mut().zip(sorted) {
        store(slot, sorted);
    }
    _mm512_cmpneq_epu8_mask(sorted[0], dead)
}

#[target_feature(enable = "avx512f,avx512bw")]
fn settle(slots: &[Lanes], fixed: u64, block: Unsettled<'_>) -> u64 {
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

/// Each lane's opposite.
const REVERSE: Lanes = {
    let mut reverse = Lanes::ZERO;
    let mut i = 0;
    while i < LANES {
        reverse.0[i] = (LANES - 1 - i) as u8;
        i += 1;
    }
    reverse
};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize> {
    let wanted = _mm512_set1_epi8(x.cast_signed());
    let reverse = load(&REVERSE);
    let blocks = pairs.blocks::<LANES>();
    // The lanes of a block in which the pair gives x.
    let hits = |block: usize| -> u64 {
        // SAFETY: only blocks below that number are asked for.
        let (a, b, _) = unsafe { pairs.block::<LANES>(block) };
        let b = _mm512_permutexvar_epi8(reverse, load_bytes(b));
        _mm512_cmpeq_epi8_mask(_mm512_xor_si512(load_bytes(a), wanted), b)
    };
    let (codes, sum, low, high) = pairs.parts();
    // Four blocks at a time while there are so many.
    let mut block = 0;
    while block < blocks {
        let together = if block + 4 <= blocks { 4 } else { 1 };
        if together == 4 && hits(block) | hits(block + 1) | hits(block + 2) | hits(block + 3) == 0 {
            block += 4;
            continue;
        }
        for _ in 0..together {
            let i = low + block * LANES;
            let mut hit = hits(block);
            if hit != 0 {
                hit &= !(masked(mask, i) | masked(mask, sum - i - (LANES - 1)).reverse_bits());
                if hit != 0 {
                    return Some(i + hit.trailing_zeros() as usize);
                }
            }
            block += 1;
        }
    }
    let low = low + blocks * LANES;
    (low < high).then(|| super::portable::scan(Pairs::new(codes, sum, low, high), mask, x))?
}

/// The masked ones of the 64 sources from this one on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn masked(mask: &[u8], from: usize) -> u64 {
    let Some(tail) = mask.get(from..).filter(|tail| !tail.is_empty()) else {
        return 0;
    };
    let inside = u64::MAX >> (LANES - tail.len().min(LANES));
    // SAFETY: only bytes inside the slice are read.
    let bytes = unsafe { _mm512_maskz_loadu_epi8(inside, tail.as_ptr().cast()) };
    _mm512_movepi8_mask(bytes)
}

#[target_feature(enable = "avx512f,avx512bw")]
fn rows(planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
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

#[target_feature(enable = "avx512f,avx512bw")]
fn kill_words(slots: &mut [Words], pairs: WordPairs<'_>) {
    match slots.len() {
        0..=1 => strike_words::<1>(slots, pairs),
        2 => strike_words::<2>(slots, pairs),
        3 => strike_words::<3>(slots, pairs),
        4 => strike_words::<4>(slots, pairs),
        5 => strike_words::<5>(slots, pairs),
        6 => strike_words::<6>(slots, pairs),
        7 => strike_words::<7>(slots, pairs),
        _ => strike_words::<8>(slots, pairs),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_words(words: &[u16; WORDS]) -> __m512i {
    // SAFETY: 64 bytes behind a reference.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn strike_words<const W: usize>(slots: &mut [Words], pairs: WordPairs<'_>) {
    let mut old = [_mm512_setzero_si512(); W];
    for (old, slot) in old.iter_mut().zip(slots.iter()) {
        // SAFETY: 64 aligned bytes behind a reference.
        *old = unsafe { _mm512_load_si512(slot.0.as_ptr().cast()) };
    }
    let mut least = [_mm512_set1_epi16(-1); W];
    for (one, others) in pairs.each() {
        let others = load_words(others);
        let x = _mm512_xor_si512(others, _mm512_set1_epi16(one.cast_signed()));
        for w in 0..W {
            least[w] = _mm512_min_epu16(least[w], _mm512_xor_si512(x, old[w]));
        }
    }
    for (w, slot) in slots.iter_mut().enumerate().take(W) {
        let hit = _mm512_testn_epi16_mask(least[w], least[w]);
        let now = _mm512_mask_set1_epi16(old[w], hit, DEAD_WORD.cast_signed());
        // SAFETY: 64 aligned bytes behind an exclusive reference.
        unsafe { _mm512_store_si512(slot.0.as_mut_ptr().cast(), now) }
    }
}

#[target_feature(enable = "bmi1,bmi2")]
fn settle_nibbles(
    nibbles: &Nibbles,
    rows: &[u16; QUARTER],
    codes: &mut [u8],
    at: usize,
    from: usize,
    odd: u64,
) -> usize {
    nibbles.settle(rows, codes, at, from, odd)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn settle_sextets(
    sextets: &Sextets,
    rows: &[u64; LANES],
    codes: &mut [u8],
    (at, from): (usize, usize),
    odd: u64,
    most: u32,
) -> usize {
    sextets.settle(rows, codes, at, from, odd, most)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
fn walk(planes: usize, orbits: Orbits<'_>, open: &mut Open) {
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

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
    let reverse = load(&REVERSE);
    let mut codes = codes;
    let (blocks, rest) = firsts.as_chunks();
    let (other_rest, others) = seconds.as_rchunks();
    for (block, other) in blocks.iter().zip(others.iter().rev()) {
        let other = _mm512_permutexvar_epi8(reverse, load_bytes(other));
        let x = _mm512_xor_si512(load_bytes(block), other);
        let mut left = codes;
        while left != 0 {
            let code = left.trailing_zeros() as i8;
            if _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8(code)) != 0 {
                codes &= !(1 << code);
            }
            left &= left - 1;
        }
        if codes == 0 {
            return 0;
        }
    }
    super::portable::unpaired(rest, other_rest, codes)
}
