//! Pairs of values: the first of each upwards, the second downwards.
#![allow(unsafe_code)]

use super::{load, load_bytes};
use crate::engine::kernel::checked::{Opposite, Pairs, WordPairs};
use crate::engine::kernel::firsts::ROW;
use crate::engine::kernel::lists::retain;
use crate::engine::kernel::questions::Question;
use crate::engine::kernel::{LANES, Lanes, SLOTS, WORDS, Words, avx2, portable};
use std::arch::x86_64::*;

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
pub(super) fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize> {
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
    (low < high).then(|| portable::scan(Pairs::new(codes, sum, low, high), mask, x))?
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

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_words(words: &[u16; WORDS]) -> __m512i {
    // SAFETY: 64 bytes behind a reference.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn mark_words(marks: &mut Words, windows: &Words, pairs: WordPairs<'_>) {
    let (one, windows) = (_mm512_set1_epi16(1), load_words(&windows.0));
    let mut marked = load_words(&marks.0);
    // What lies in the window is its number there, and a shift by 16 and more leaves nothing.
    let bit = |(first, seconds): (u16, &[u16; WORDS])| {
        let first = _mm512_set1_epi16(first.cast_signed());
        let x = _mm512_ternarylogic_epi32::<0x96>(load_words(seconds), first, windows);
        _mm512_sllv_epi16(one, x)
    };
    let mut pairs = pairs.each();
    // Two at a time, as three registers are joined by one instruction.
    while let Some(pair) = pairs.next() {
        let other = pairs.next().map_or(_mm512_setzero_si512(), bit);
        marked = _mm512_ternarylogic_epi32::<0xfe>(marked, bit(pair), other);
    }
    // SAFETY: 64 bytes behind an exclusive reference.
    unsafe { _mm512_storeu_si512(marks.0.as_mut_ptr().cast(), marked) }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn unanswered(open: &mut Vec<Question>, from: Opposite<'_>) {
    for (row, codes, mask) in from.each() {
        let halves = |bytes: &[u8; ROW]| [0, 1].map(|half| load_bytes(&bytes.as_chunks().0[half]));
        let (firsts, dead) = (halves(&row.codes), halves(&row.mask));
        retain(open, |question| {
            let offset = question.offset();
            let code = _mm512_set1_epi32(question.codes().cast_signed());
            let seconds = halves(codes.of(offset));
            let masks = mask.map(|mask| halves(mask.of(offset)));
            let hit = |half: usize| {
                let mut x = _mm512_xor_si512(seconds[half], firsts[half]);
                x = _mm512_or_si512(x, dead[half]);
                if let Some(masks) = masks {
                    x = _mm512_or_si512(x, masks[half]);
                }
                _mm512_cmpeq_epi8_mask(x, code)
            };
            hit(0) | hit(1) == 0
        });
        if open.is_empty() {
            return;
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
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
    portable::unpaired(rest, other_rest, codes)
}

/// The same loop: the compiler takes the registers.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn unpaired_words(firsts: &[u16], seconds: &[u16], open: &mut Vec<u16>) {
    portable::unpaired_words(firsts, seconds, open);
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn kill_words(slots: &mut [Words; SLOTS], values: &[u16], sum: usize, firsts: &[u32]) {
    avx2::kill_words(slots, values, sum, firsts);
}
