//! The kernels with 256-bit registers: half a block at a time, tables of 16 bytes.
#![allow(unsafe_code)]

mod bands;
mod orbits;
mod pairs;
mod planes;
mod slots;

use self::bands::{mark, part};
use self::orbits::walk;
use super::bands::{Banded, Bands};
use super::checked::{Opposite, Options, Pairs, Sources, Unsettled, WordPairs};
use super::orbits::{Open, Orbits};
use super::questions::{Question, Unasked};
use super::{LANES, Lanes, Nibbles, QUARTER, SLOTS, Sextets, Words, portable};
pub(super) use pairs::kill_words;
use pairs::{mark_words, scan, unanswered, unpaired, unpaired_words};
use planes::{fresh, holes, open, scatter, unmarked};
use slots::{kill, settle, sort};
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
}

forward!();
forward! {
    fn part(bands: &mut Bands, codes: &[u8], mask: Option<&[u8]>);
    fn mark(planes: &mut [Lanes], from: Banded<'_>);
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

#[inline]
#[target_feature(enable = "avx2")]
fn table(bytes: &[u8; HALF]) -> __m256i {
    // SAFETY: 32 bytes behind a reference.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn write(bytes: &mut [u8; HALF], value: __m256i) {
    // SAFETY: 32 bytes behind a reference.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
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
    found(_mm256_adds_epu8(
        _mm256_xor_si256(x, all(16 * window)),
        all(0x70),
    ))
}

/// The marks of codes below 16 in two planes; nothing of an index with bit 7 set.
#[inline]
#[target_feature(enable = "avx2")]
fn found(index: __m256i) -> [__m256i; 2] {
    [
        _mm256_shuffle_epi8(table(&LOW_MARKS), index),
        _mm256_shuffle_epi8(table(&HIGH_MARKS), index),
    ]
}

/// The codes of plane j below the limits.
#[inline]
#[target_feature(enable = "avx2")]
fn below(j: u8, limits: __m256i) -> __m256i {
    let rest = _mm256_min_epu8(_mm256_subs_epu8(limits, all(8 * j)), all(8));
    _mm256_shuffle_epi8(table(&BELOW), rest)
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

/// The same loop: the compiler takes the registers.
#[target_feature(enable = "avx2")]
fn rows(planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
    portable::rows(planes, rows);
}

/// The same loop: the compiler takes the registers.
#[target_feature(enable = "avx2")]
fn tally(counts: &mut [u8], options: &[u8], x: u8) {
    portable::tally(counts, options, x);
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
