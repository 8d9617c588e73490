//! Pairs of values: the first of each upwards, the second downwards.
#![allow(unsafe_code)]

use super::{HIGH_MARKS, LOW_MARKS, QUARTERS, is_any, read};
use crate::engine::kernel::checked::{Pairs, WordPairs};
use crate::engine::kernel::{LANES, QUARTER, SLOTS, WORDS, Words, portable};
use std::arch::aarch64::*;

const REVERSE: [u8; QUARTER] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// What 64 pairs give, the second ones backwards.
#[inline]
#[target_feature(enable = "neon")]
fn given(firsts: &[u8; LANES], seconds: &[u8; LANES]) -> [uint8x16_t; QUARTERS] {
    let (firsts, seconds) = (firsts.as_chunks().0, seconds.as_chunks().0);
    std::array::from_fn(|quarter| {
        let second = read(&seconds[QUARTERS - 1 - quarter]);
        veorq_u8(read(&firsts[quarter]), vqtbl1q_u8(second, read(&REVERSE)))
    })
}

/// Whether one of them is this one.
#[inline]
#[target_feature(enable = "neon")]
fn has(given: &[uint8x16_t; QUARTERS], x: uint8x16_t) -> bool {
    let [a, b, c, d] = given.map(|given| vceqq_u8(given, x));
    is_any(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d)))
}

#[target_feature(enable = "neon")]
pub(super) fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize> {
    let (codes, sum, low, high) = pairs.parts();
    let blocks = pairs.blocks::<LANES>();
    for block in 0..blocks {
        // SAFETY: only blocks below that number are asked for.
        let (firsts, seconds, i) = unsafe { pairs.block::<LANES>(block) };
        if has(&given(firsts, seconds), vdupq_n_u8(x)) {
            // All of them may be masked.
            let found = portable::scan(Pairs::new(codes, sum, i, i + LANES), mask, x);
            if found.is_some() {
                return found;
            }
        }
    }
    let low = low + blocks * LANES;
    (low < high).then(|| portable::scan(Pairs::new(codes, sum, low, high), mask, x))?
}

/// Registers that a block of two-byte values takes, and the values in each.
const PARTS: usize = WORDS / EIGHT;
const EIGHT: usize = 8;

#[inline]
#[target_feature(enable = "neon")]
fn words_of(words: &[u16; WORDS], part: usize) -> uint16x8_t {
    let words: &[u16; EIGHT] = &words.as_chunks().0[part];
    // SAFETY: 8 words behind a reference.
    unsafe { vld1q_u16(words.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn set_words(words: &mut [u16; WORDS], part: usize, value: uint16x8_t) {
    let words: &mut [u16; EIGHT] = &mut words.as_chunks_mut().0[part];
    // SAFETY: 8 words behind a reference.
    unsafe { vst1q_u16(words.as_mut_ptr(), value) }
}

#[target_feature(enable = "neon")]
pub(super) fn mark_words(marks: &mut Words, windows: &Words, pairs: WordPairs<'_>) {
    let windows: [uint16x8_t; PARTS] = std::array::from_fn(|part| words_of(&windows.0, part));
    // What lies in the window is its number there; what does not is larger.
    let place = |(first, seconds): (u16, &[u16; WORDS]), part: usize| {
        let x = veorq_u16(words_of(seconds, part), vdupq_n_u16(first));
        veorq_u16(x, windows[part])
    };
    let mut marked = [[vdupq_n_u8(0); 2]; PARTS];
    let mut pairs = pairs.each();
    // Two at a time, a byte each, 255 if it is larger.
    while let Some(pair) = pairs.next() {
        let other = pairs.next().unwrap_or(pair);
        for (part, marked) in marked.iter_mut().enumerate() {
            let index = vqmovn_high_u16(vqmovn_u16(place(pair, part)), place(other, part));
            marked[0] = vorrq_u8(marked[0], vqtbl1q_u8(read(&LOW_MARKS), index));
            marked[1] = vorrq_u8(marked[1], vqtbl1q_u8(read(&HIGH_MARKS), index));
        }
    }
    for (part, marked) in marked.iter().enumerate() {
        // The bytes of the first pairs lie before those of the second ones.
        let [low, high] = marked.map(|marks| vorrq_u8(marks, vextq_u8::<8>(marks, marks)));
        let now = vreinterpretq_u16_u8(vzip1q_u8(low, high));
        let old = words_of(&marks.0, part);
        set_words(&mut marks.0, part, vorrq_u16(old, now));
    }
}

#[target_feature(enable = "neon")]
pub(super) fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
    let mut codes = codes;
    let (blocks, rest) = firsts.as_chunks();
    let (other_rest, others) = seconds.as_rchunks();
    for (block, other) in blocks.iter().zip(others.iter().rev()) {
        let given = given(block, other);
        let mut left = codes;
        while left != 0 {
            let code = left.trailing_zeros();
            if has(&given, vdupq_n_u8(code as u8)) {
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

#[target_feature(enable = "neon")]
pub(in crate::engine::kernel) fn kill_words(
    slots: &mut [Words; SLOTS],
    values: &[u16],
    sum: usize,
    firsts: &[u32],
) {
    for parts in [[0, 1], [2, 3]] {
        let mut open = parts.map(|part| slots.each_ref().map(|slot| words_of(&slot.0, part)));
        for &first in firsts {
            let (one, seconds) = portable::word_pair(values, sum, first);
            for (part, open) in parts.into_iter().zip(&mut open) {
                let option = veorq_u16(words_of(seconds, part), vdupq_n_u16(one));
                for open in open {
                    *open = vorrq_u16(*open, vceqq_u16(*open, option));
                }
            }
        }
        for (part, open) in parts.into_iter().zip(open) {
            for (slot, open) in slots.iter_mut().zip(open) {
                set_words(&mut slot.0, part, open);
            }
        }
    }
}
