//! Pairs of values: the first of each upwards, the second downwards.
#![allow(unsafe_code)]

use super::{HALF, HIGH_MARKS, LOW_MARKS, all, table, twice};
use crate::engine::kernel::checked::{Opposite, Pairs, Seconds, WordPairs};
use crate::engine::kernel::firsts::ROW;
use crate::engine::kernel::lists::retain;
use crate::engine::kernel::questions::Question;
use crate::engine::kernel::{SLOTS, WORDS, Words, portable};
use std::arch::x86_64::*;

const REVERSE: [u8; HALF] = twice([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);

#[target_feature(enable = "avx2")]
pub(super) fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize> {
    let reverse = table(&REVERSE);
    let wanted = all(x);
    let blocks = pairs.blocks::<HALF>();
    // The lanes of a block in which the pair gives x.
    let hits = |block: usize| -> u32 {
        // SAFETY: only blocks below that number are asked for.
        let (a, b, _) = unsafe { pairs.block::<HALF>(block) };
        let b = _mm256_shuffle_epi8(_mm256_permute4x64_epi64::<0x4e>(table(b)), reverse);
        let hit = _mm256_cmpeq_epi8(_mm256_xor_si256(table(a), wanted), b);
        _mm256_movemask_epi8(hit).cast_unsigned()
    };
    let (codes, sum, low, high) = pairs.parts();
    let masked = |i: usize| mask.get(i).is_some_and(|&mask| mask != 0);
    // Four blocks at a time while there are so many.
    let mut block = 0;
    while block < blocks {
        let together = if block + 4 <= blocks { 4 } else { 1 };
        if together == 4 && hits(block) | hits(block + 1) | hits(block + 2) | hits(block + 3) == 0 {
            block += 4;
            continue;
        }
        for _ in 0..together {
            let mut hit = hits(block);
            while hit != 0 {
                let i = low + block * HALF + hit.trailing_zeros() as usize;
                if !masked(i) && !masked(sum - i) {
                    return Some(i);
                }
                hit &= hit - 1;
            }
            block += 1;
        }
    }
    let low = low + blocks * HALF;
    (low < high).then(|| portable::scan(Pairs::new(codes, sum, low, high), mask, x))?
}

#[target_feature(enable = "avx2")]
pub(super) fn mark_words(marks: &mut Words, windows: &Words, pairs: WordPairs<'_>) {
    for half in 0..2 {
        mark_half(marks, windows, half, pairs);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn half_of(words: &[u16; WORDS], half: usize) -> __m256i {
    let words = &words[half * (WORDS / 2)..][..WORDS / 2];
    // SAFETY: 32 bytes in bounds.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn mark_half(marks: &mut Words, windows: &Words, half: usize, pairs: WordPairs<'_>) {
    let windows = half_of(&windows.0, half);
    let (low, high) = (table(&LOW_MARKS), table(&HIGH_MARKS));
    let most = all_words(0xff);
    // What lies in the window is its number there; what does not is larger, at most 255.
    let place = |(first, seconds): (u16, &[u16; WORDS])| {
        let x = _mm256_xor_si256(half_of(seconds, half), all_words(first));
        _mm256_min_epu16(_mm256_xor_si256(x, windows), most)
    };
    let mut marked = [_mm256_setzero_si256(); 2];
    let mut pairs = pairs.each();
    // Two at a time, a byte each: larger ones get bit 7 set, which a shuffle answers with zero.
    while let Some(pair) = pairs.next() {
        let other = pairs.next().map_or(most, place);
        let index = _mm256_adds_epu8(_mm256_packus_epi16(place(pair), other), all(0x70));
        marked[0] = _mm256_or_si256(marked[0], _mm256_shuffle_epi8(low, index));
        marked[1] = _mm256_or_si256(marked[1], _mm256_shuffle_epi8(high, index));
    }
    // Of each eight lanes the bytes of the first pairs lie before those of the second ones.
    let [low, high] = marked.map(|marks| _mm256_or_si256(marks, _mm256_srli_si256::<8>(marks)));
    let words = &mut marks.0[half * (WORDS / 2)..][..WORDS / 2];
    // SAFETY: 32 bytes in bounds, both times.
    unsafe {
        let old = _mm256_loadu_si256(words.as_ptr().cast());
        let now = _mm256_or_si256(old, _mm256_unpacklo_epi8(low, high));
        _mm256_storeu_si256(words.as_mut_ptr().cast(), now);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn all_words(word: u16) -> __m256i {
    _mm256_set1_epi16(word.cast_signed())
}

#[target_feature(enable = "avx2")]
pub(super) fn unanswered(open: &mut Vec<Question>, from: Opposite<'_>) {
    if from.are_masked() {
        ask::<true>(open, from);
    } else {
        ask::<false>(open, from);
    }
}

/// Of rows with masks or without.
#[inline]
#[target_feature(enable = "avx2")]
fn ask<const MASKED: bool>(open: &mut Vec<Question>, from: Opposite<'_>) {
    for (row, codes, mask) in from.each() {
        let firsts: [__m256i; PARTS] = std::array::from_fn(|part| part_of(&row.codes, part));
        let dead: [__m256i; PARTS] = std::array::from_fn(|part| part_of(&row.mask, part));
        let is_open = |question: Question, mask: Option<Seconds<'_>>| {
            let offset = question.offset();
            let code = _mm256_set1_epi32(question.codes().cast_signed());
            let mut hits = [_mm256_setzero_si256(); PARTS];
            for part in 0..PARTS {
                let second = part_of(codes.of(offset), part);
                let mut x = _mm256_xor_si256(second, firsts[part]);
                if MASKED {
                    x = _mm256_or_si256(x, dead[part]);
                }
                if let Some(mask) = mask {
                    x = _mm256_or_si256(x, part_of(mask.of(offset), part));
                }
                hits[part] = _mm256_cmpeq_epi8(x, code);
            }
            let [a, b, c, d] = hits;
            let hit = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            _mm256_movemask_epi8(hit) == 0
        };
        match mask {
            Some(_) => retain(open, |question| is_open(question, mask)),
            None => retain(open, |question| is_open(question, None)),
        }
        if open.is_empty() {
            return;
        }
    }
}

/// Registers that a row takes.
const PARTS: usize = ROW / HALF;

#[inline]
#[target_feature(enable = "avx2")]
fn part_of(row: &[u8; ROW], part: usize) -> __m256i {
    table(&row.as_chunks().0[part])
}

#[target_feature(enable = "avx2")]
pub(super) fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
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

/// The same loop: the compiler takes the registers.
#[target_feature(enable = "avx2")]
pub(super) fn unpaired_words(firsts: &[u16], seconds: &[u16], open: &mut Vec<u16>) {
    portable::unpaired_words(firsts, seconds, open);
}

#[target_feature(enable = "avx2")]
pub(in crate::engine::kernel) fn kill_words(
    slots: &mut [Words; SLOTS],
    values: &[u16],
    sum: usize,
    firsts: &[u32],
) {
    for half in 0..2 {
        let mut open = [_mm256_setzero_si256(); SLOTS];
        for (open, slot) in open.iter_mut().zip(slots.iter()) {
            *open = half_of(&slot.0, half);
        }
        for &first in firsts {
            let (one, seconds) = portable::word_pair(values, sum, first);
            let option = _mm256_xor_si256(half_of(seconds, half), all_words(one));
            for open in &mut open {
                *open = _mm256_or_si256(*open, _mm256_cmpeq_epi16(*open, option));
            }
        }
        for (open, slot) in open.iter().zip(slots.iter_mut()) {
            let words = &mut slot.0[half * (WORDS / 2)..][..WORDS / 2];
            // SAFETY: 32 bytes in bounds.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), *open) }
        }
    }
}
