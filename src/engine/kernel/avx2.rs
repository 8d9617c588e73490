//! The kernels with 256-bit registers: half a block at a time, tables of 16 bytes.
#![allow(unsafe_code)]

use super::checked::{Options, Pairs, Sources, Unsettled, WordPairs};
use super::orbits::{Open, Orbits, Tap};
use super::{DEAD, LANES, Lanes, Nibbles, QUARTER, SLOTS, Sextets, WORDS, Words, portable};
use std::arch::x86_64::*;

/// Proof that this processor has the instructions used here.
#[derive(Clone, Copy, Debug)]
pub struct Token(());

impl Token {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2"))
        .then_some(Self(()))
    }

    pub(super) fn rows(self, planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
        portable::rows(planes, rows);
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
    fn settle_nibbles(nibbles: &Nibbles, rows: &[u16; QUARTER], codes: &mut [u8], at: usize, from: usize, odd: u64) -> usize;
    fn settle_sextets(sextets: &Sextets, rows: &[u64; LANES], codes: &mut [u8], place: (usize, usize), odd: u64, most: u32) -> usize;
    fn kill_words(slots: &mut [Words], pairs: WordPairs<'_>);
    fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize>;
    fn walk(planes: usize, orbits: Orbits<'_>, open: &mut Open);
    fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64;
}

/// Lanes in a register.
const HALF: usize = LANES / 2;

#[inline]
#[target_feature(enable = "avx2")]
fn load(lanes: &Lanes, half: usize) -> __m256i {
    let bytes = &lanes.0[half * HALF..][..HALF];
    // SAFETY: 32 bytes in bounds.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(lanes: &mut Lanes, half: usize, value: __m256i) {
    let bytes = &mut lanes.0[half * HALF..][..HALF];
    // SAFETY: 32 bytes in bounds.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn all(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

/// The same 16 bytes in both halves of a register.
const fn twice(bytes: [u8; 16]) -> [u8; HALF] {
    let mut both = [0; HALF];
    let mut i = 0;
    while i < HALF {
        both[i] = bytes[i % 16];
        i += 1;
    }
    both
}

/// The marks of codes 0 to 7 of 16, and of codes 8 to 15.
const LOW_MARKS: [u8; HALF] = twice([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]);
const HIGH_MARKS: [u8; HALF] = twice([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]);
/// The bits below a limit of 0 to 8.
const BELOW: [u8; HALF] = twice([0, 1, 3, 7, 15, 31, 63, 127, 255, 0, 0, 0, 0, 0, 0, 0]);
/// The index of the one bit set in a nibble, the lower one or the upper one.
const LOW_INDEX: [u8; HALF] = twice([0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]);
const HIGH_INDEX: [u8; HALF] = twice([0, 4, 5, 0, 6, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]);
const REVERSE: [u8; HALF] = twice([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);

#[inline]
#[target_feature(enable = "avx2")]
fn table(bytes: &[u8; HALF]) -> __m256i {
    // SAFETY: 32 bytes behind a reference.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The bits of a half, shifted to where its lanes are.
#[inline]
#[target_feature(enable = "avx2")]
fn lanes_of(half: usize, bytes: __m256i) -> u64 {
    u64::from(_mm256_movemask_epi8(bytes).cast_unsigned()) << (half * HALF)
}

/// All ones in a lane whose bit is set.
#[inline]
#[target_feature(enable = "avx2")]
fn spread(half: usize, lanes: u64) -> __m256i {
    let bits = _mm256_set1_epi32(((lanes >> (half * HALF)) as u32).cast_signed());
    let byte = _mm256_set_epi64x(
        0x0303_0303_0303_0303,
        0x0202_0202_0202_0202,
        0x0101_0101_0101_0101,
        0,
    );
    let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    let own = _mm256_and_si256(_mm256_shuffle_epi8(bits, byte), bit);
    _mm256_cmpeq_epi8(own, bit)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_bytes(bytes: &[u8; LANES], half: usize) -> __m256i {
    let bytes = &bytes[half * HALF..][..HALF];
    // SAFETY: 32 bytes in bounds.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The options of half a block by one entry.
#[inline]
#[target_feature(enable = "avx2")]
fn options<const MASKED: bool>((codes, mask, u): Sources<'_>, half: usize) -> __m256i {
    let x = _mm256_xor_si256(load_bytes(codes, half), all(u));
    match mask {
        Some(mask) if MASKED => _mm256_or_si256(x, load_bytes(mask, half)),
        _ => x,
    }
}

/// The marks of x in two neighbouring planes, the first for code 16 · `window`.
#[inline]
#[target_feature(enable = "avx2")]
fn marks(x: __m256i, window: u8) -> [__m256i; 2] {
    // Codes of another window get bit 7 set, which a shuffle answers with zero.
    let index = _mm256_adds_epu8(_mm256_xor_si256(x, all(16 * window)), all(0x70));
    [
        _mm256_shuffle_epi8(table(&LOW_MARKS), index),
        _mm256_shuffle_epi8(table(&HIGH_MARKS), index),
    ]
}

#[target_feature(enable = "avx2")]
fn scatter(planes: &mut [Lanes], from: Options<'_>) {
    for (first, planes) in (0u8..).step_by(5).zip(planes.chunks_mut(10)) {
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
fn fresh(planes: &[Lanes], from: Options<'_>) -> u64 {
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
fn unmarked(j: u8, plane: &Lanes, half: usize, limits: __m256i) -> __m256i {
    _mm256_andnot_si256(load(plane, half), below(j, limits))
}

/// The codes of plane j below the limits.
#[inline]
#[target_feature(enable = "avx2")]
fn below(j: u8, limits: __m256i) -> __m256i {
    let rest = _mm256_min_epu8(_mm256_subs_epu8(limits, all(8 * j)), all(8));
    _mm256_shuffle_epi8(table(&BELOW), rest)
}

#[target_feature(enable = "avx2")]
fn open(planes: &[Lanes], limit: &Lanes) -> u64 {
    let mut lanes = 0;
    for half in 0..2 {
        let limits = load(limit, half);
        let mut open = _mm256_setzero_si256();
        for (j, plane) in (0u8..).zip(planes) {
            open = _mm256_or_si256(open, unmarked(j, plane, half, limits));
        }
        let none = _mm256_cmpeq_epi8(open, _mm256_setzero_si256());
        lanes |= lanes_of(half, _mm256_xor_si256(none, all(0xff)));
    }
    lanes
}

#[target_feature(enable = "avx2")]
fn holes(planes: &[Lanes], limit: Option<&Lanes>, slots: &mut [Lanes; SLOTS]) -> u64 {
    let mut more = 0;
    for half in 0..2 {
        let mut sorted = [all(DEAD); SLOTS];
        for (j, plane) in (0u8..).zip(planes) {
            let mut open = match limit {
                Some(limit) => unmarked(j, plane, half, load(limit, half)),
                None => _mm256_xor_si256(load(plane, half), all(0xff)),
            };
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
                more |= lanes_of(
                    half,
                    _mm256_xor_si256(_mm256_cmpeq_epi8(code, all(DEAD)), all(0xff)),
                );
            }
            let free = _mm256_cmpeq_epi8(sorted[SLOTS - 1], all(DEAD));
            if limit.is_none() && _mm256_movemask_epi8(free) == 0 {
                break;
            }
        }
        for (slot, sorted) in slots.iter_mut().zip(sorted) {
            store(slot, half, sorted);
        }
    }
    if limit.is_some() { more } else { 0 }
}

/// The index of the one bit set in a byte.
#[inline]
#[target_feature(enable = "avx2")]
fn index_of(bit: __m256i) -> __m256i {
    let nibble = all(0x0f);
    let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bit), nibble);
    _mm256_or_si256(
        _mm256_shuffle_epi8(table(&LOW_INDEX), _mm256_and_si256(bit, nibble)),
        _mm256_shuffle_epi8(table(&HIGH_INDEX), upper),
    )
}

#[target_feature(enable = "avx2")]
fn kill(slots: &mut [Lanes], from: Options<'_>) {
    for slots in slots.chunks_mut(6) {
        for half in 0..2 {
            match slots.len() {
                0..=1 => strike::<1>(slots, from, half),
                2 => strike::<2>(slots, from, half),
                3 => strike::<3>(slots, from, half),
                4 => strike::<4>(slots, from, half),
                5 => strike::<5>(slots, from, half),
                _ => strike::<6>(slots, from, half),
            }
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
fn sort(slots: &mut [Lanes; SLOTS], width: usize) -> u64 {
    let mut alive = 0;
    for half in 0..2 {
        let mut sorted = [all(DEAD); SLOTS];
        for (sorted, slot) in sorted.iter_mut().zip(&slots[..width]) {
            *sorted = load(slot, half);
        }
        for (a, b) in super::NETWORK {
            let smaller = _mm256_min_epu8(sorted[a], sorted[b]);
            sorted[b] = _mm256_max_epu8(sorted[a], sorted[b]);
            sorted[a] = smaller;
        }
        for (slot, sorted) in slots.iter_mut().zip(sorted) {
            store(slot, half, sorted);
        }
        let dead = _mm256_cmpeq_epi8(sorted[0], all(DEAD));
        alive |= lanes_of(half, _mm256_xor_si256(dead, all(0xff)));
    }
    alive
}

#[target_feature(enable = "avx2")]
fn settle(slots: &[Lanes], fixed: u64, mut block: Unsettled<'_>) -> u64 {
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

#[target_feature(enable = "avx2")]
fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize> {
    let reverse = table(&REVERSE);
    let wanted = all(x);
    let (codes, sum, low, high) = pairs.parts();
    let blocks = pairs.blocks::<HALF>();
    for block in 0..blocks {
        // SAFETY: block < blocks.
        let (a, b, i) = unsafe { pairs.block::<HALF>(block) };
        // SAFETY: 32 bytes behind each reference.
        let (a, b) = unsafe {
            (
                _mm256_loadu_si256(a.as_ptr().cast()),
                _mm256_loadu_si256(b.as_ptr().cast()),
            )
        };
        let b = _mm256_shuffle_epi8(_mm256_permute4x64_epi64::<0x4e>(b), reverse);
        let hit = _mm256_cmpeq_epi8(_mm256_xor_si256(a, b), wanted);
        if _mm256_movemask_epi8(hit) != 0 {
            let found = portable::scan(Pairs::new(codes, sum, i, i + HALF), mask, x);
            if found.is_some() {
                return found;
            }
        }
    }
    let low = low + blocks * HALF;
    (low < high).then(|| portable::scan(Pairs::new(codes, sum, low, high), mask, x))?
}

#[target_feature(enable = "avx2")]
fn kill_words(slots: &mut [Words], pairs: WordPairs<'_>) {
    for slots in slots.chunks_mut(6) {
        for half in 0..2 {
            match slots.len() {
                0..=1 => strike_words::<1>(slots, half, pairs),
                2 => strike_words::<2>(slots, half, pairs),
                3 => strike_words::<3>(slots, half, pairs),
                4 => strike_words::<4>(slots, half, pairs),
                5 => strike_words::<5>(slots, half, pairs),
                _ => strike_words::<6>(slots, half, pairs),
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn strike_words<const W: usize>(slots: &mut [Words], half: usize, pairs: WordPairs<'_>) {
    const LANES: usize = WORDS / 2;
    let mut old = [_mm256_setzero_si256(); W];
    for (old, slot) in old.iter_mut().zip(slots.iter()) {
        let words = &slot.0[half * LANES..][..LANES];
        // SAFETY: 32 bytes in bounds.
        *old = unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
    }
    let mut least = [all(0xff); W];
    for (one, others) in pairs.each() {
        let others = &others[half * LANES..][..LANES];
        // SAFETY: 32 bytes in bounds.
        let others = unsafe { _mm256_loadu_si256(others.as_ptr().cast()) };
        let x = _mm256_xor_si256(others, _mm256_set1_epi16(one.cast_signed()));
        for w in 0..W {
            least[w] = _mm256_min_epu16(least[w], _mm256_xor_si256(x, old[w]));
        }
    }
    for (w, slot) in slots.iter_mut().enumerate().take(W) {
        let hit = _mm256_cmpeq_epi16(least[w], _mm256_setzero_si256());
        let words = &mut slot.0[half * LANES..][..LANES];
        // SAFETY: 32 bytes in bounds.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), _mm256_or_si256(old[w], hit)) }
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

#[target_feature(enable = "avx2,bmi1,bmi2")]
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

#[target_feature(enable = "avx2")]
fn walk(planes: usize, mut orbits: Orbits<'_>, open: &mut Open) {
    (open.lanes, open.lost) = ([0; LANES], [0; LANES]);
    for half in 0..2 {
        match planes {
            0..=2 => steps::<1>(&mut orbits, open, half),
            3..=4 => steps::<2>(&mut orbits, open, half),
            _ => steps::<4>(&mut orbits, open, half),
        }
    }
}

/// The codes that the taps give at a step, in `W` pairs of planes.
#[inline]
#[target_feature(enable = "avx2")]
fn marks_at<const W: usize>(
    orbits: &Orbits<'_>,
    (step, half): (usize, usize),
    taps: &[Tap],
) -> [[__m256i; 2]; W] {
    let mut marked = [[_mm256_setzero_si256(); 2]; W];
    for &tap in taps {
        let u = _mm256_set1_epi32(tap.us.cast_signed());
        let x = _mm256_xor_si256(load(orbits.source(step, tap), half), u);
        for (w, marked) in (0u8..).zip(&mut marked) {
            let [low, high] = marks(x, w);
            marked[0] = _mm256_or_si256(marked[0], low);
            marked[1] = _mm256_or_si256(marked[1], high);
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
fn steps<const W: usize>(orbits: &mut Orbits<'_>, open: &mut Open, half: usize) {
    let zero = _mm256_setzero_si256();
    let limits: [[__m256i; W]; 2] = orbits.limits.each_ref().map(|limits| {
        let sixteen = |w: usize| std::array::from_fn(|i| limits.0[16 * w + i]);
        std::array::from_fn(|w| table(&twice(sixteen(w))))
    });
    for step in 0..LANES {
        let marked = marks_at::<W>(orbits, (step, half), orbits.options);
        let (mut code, mut found) = (zero, zero);
        for (j, marks) in marked.as_flattened().iter().enumerate().rev() {
            let free = _mm256_xor_si256(*marks, all(0xff));
            let none = _mm256_cmpeq_epi8(free, zero);
            let lowest = _mm256_and_si256(free, _mm256_sub_epi8(zero, free));
            let index = _mm256_add_epi8(index_of(lowest), all(8 * j as u8));
            code = _mm256_blendv_epi8(index, code, none);
            found = _mm256_or_si256(found, _mm256_xor_si256(none, all(0xff)));
        }
        open.lost[step] |= lanes_of(half, _mm256_xor_si256(found, all(0xff)));
        let odd = spread(half, orbits.odd_at(step));
        let [even_limit, odd_limit] = limits.each_ref().map(|tables| look_up(code, tables));
        let limit = _mm256_blendv_epi8(even_limit, odd_limit, odd);
        let hits = marks_at::<W>(orbits, (step, half), orbits.witnesses);
        let mut any = zero;
        for ((j, hits), plane) in (0u8..).zip(hits.as_flattened()).zip(&mut open.planes[step]) {
            let need = _mm256_andnot_si256(*hits, below(j, limit));
            store(plane, half, need);
            any = _mm256_or_si256(any, need);
        }
        let none = _mm256_cmpeq_epi8(any, zero);
        open.lanes[step] |= lanes_of(half, _mm256_xor_si256(none, all(0xff)));
        store(orbits.row(step), half, code);
    }
}

#[target_feature(enable = "avx2")]
fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
    let mut codes = codes;
    let (blocks, rest) = firsts.as_chunks::<HALF>();
    let (other_rest, others) = seconds.as_rchunks::<HALF>();
    for (block, other) in blocks.iter().zip(others.iter().rev()) {
        let other = _mm256_shuffle_epi8(table(other), table(&REVERSE));
        let other = _mm256_permute4x64_epi64::<0x4e>(other);
        let x = _mm256_xor_si256(table(block), other);
        let mut left = codes;
        while left != 0 {
            let code = left.trailing_zeros();
            if _mm256_movemask_epi8(_mm256_cmpeq_epi8(x, all(code as u8))) != 0 {
                codes &= !(1 << code);
            }
            left &= left - 1;
        }
        if codes == 0 {
            return 0;
        }
    }
    portable::unpaired(rest, other_rest, codes)
}
