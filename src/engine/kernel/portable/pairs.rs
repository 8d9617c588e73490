//! Pairs of values: the first of each upwards, the second downwards.

use super::REGISTER;
use crate::engine::kernel::checked::{Opposite, Pairs, WordPairs, word_sources};
use crate::engine::kernel::compaction::retain;
use crate::engine::kernel::first_parts::BLOCKS_IN_ROW;
use crate::engine::kernel::open_candidates::OpenCandidate;
use crate::engine::kernel::width::Width;
use crate::engine::kernel::{SLOTS, WORDS, Words};

pub fn unwitnessed<C: Width>(open: &mut Vec<OpenCandidate>, from: Opposite<'_, C>) {
    for (row, codes, mask) in from.each() {
        retain(open, |candidate: OpenCandidate| {
            let (offset, code) = (candidate.offset(), candidate.code());
            let (codes, masks) = (codes.of(offset), mask.map(|mask| mask.of(offset)));
            let mut hit = C::lanes(|_| C::ZERO);
            for block in 0..BLOCKS_IN_ROW {
                let (firsts, seconds) = (row.codes[block].as_ref(), codes[block].as_ref());
                let mut x = row.mask[block];
                for (lane, x) in x.as_mut().iter_mut().enumerate() {
                    *x |= firsts[lane] ^ seconds[lane];
                }
                if let Some(masks) = masks {
                    let masks = masks[block].as_ref();
                    x.as_mut()
                        .iter_mut()
                        .zip(masks)
                        .for_each(|(x, &mask)| *x |= mask);
                }
                let (known, x) = (hit, x.as_ref());
                hit = C::lanes(|lane| match x[lane] == code {
                    true => C::DEAD,
                    false => known.as_ref()[lane],
                });
            }
            let hits = hit.as_ref().iter();
            hits.fold(C::ZERO, |any, &hit| any | hit) == C::ZERO
        });
        if open.is_empty() {
            return;
        }
    }
}

/// Eight pairs of a first byte and a second one, the seconds backwards: each XOR the other.
#[inline(always)]
fn pairs(firsts: &[u8; 8], seconds: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*firsts) ^ u64::from_be_bytes(*seconds)
}

/// Not 0 if one of eight bytes is the byte that `all` repeats eight times.
#[inline(always)]
fn has(bytes: u64, all: u64) -> u64 {
    let zeros = bytes ^ all;
    zeros.wrapping_sub(ONES) & !zeros & ONES << 7
}

/// Eight bytes, each of them 1.
const ONES: u64 = u64::from_le_bytes([1; 8]);

pub fn scan<C: Width>(pairs: Pairs<'_, C>, mask: &[C], x: C) -> Option<usize> {
    let (codes, sum, low, high) = pairs.parts();
    match (C::bytes(codes), C::bytes(mask)) {
        (Some(bytes), Some(mask)) => scan_bytes(bytes, mask, sum, (low, high), x.word() as u8),
        _ => hit_in(codes, mask, sum, (low, high), x),
    }
}

fn scan_bytes(
    codes: &[u8],
    mask: &[u8],
    sum: usize,
    (low, high): (usize, usize),
    x: u8,
) -> Option<usize> {
    let (blocks, _) = codes[low..high].as_chunks::<8>().0.as_chunks::<4>();
    let (_, others) = codes[sum + 1 - high..=sum - low]
        .as_rchunks::<8>()
        .1
        .as_rchunks::<4>();
    let all = ONES * u64::from(x);
    let mut from = low;
    for (block, other) in blocks.iter().zip(others.iter().rev()) {
        let hit = |k: usize| has(self::pairs(&block[k], &other[3 - k]), all);
        if hit(0) | hit(1) | hit(2) | hit(3) != 0 {
            let found = hit_in(codes, mask, sum, (from, from + 32), x);
            if found.is_some() {
                return found;
            }
        }
        from += 32;
    }
    hit_in(codes, mask, sum, (from, high), x)
}

/// The first i from `low` to below `high` with `codes[i] ^ codes[sum - i] == x`, neither of them masked, one looked at after
/// the other.
#[inline(never)]
pub fn hit_in<C: Width>(
    codes: &[C],
    mask: &[C],
    sum: usize,
    (low, high): (usize, usize),
    x: C,
) -> Option<usize> {
    let masked = |i: usize| mask.get(i).is_some_and(|&mask| mask == C::DEAD);
    (low..high).find(|&i| codes[i] ^ codes[sum - i] == x && !masked(i) && !masked(sum - i))
}

pub fn mark_words(marks: &mut Words, windows: &Words, pairs: WordPairs<'_>) {
    const TOGETHER: usize = REGISTER / 2;
    for part in 0..WORDS / TOGETHER {
        let windows: &[u16; TOGETHER] = &windows.0.as_chunks().0[part];
        let marks: &mut [u16; TOGETHER] = &mut marks.0.as_chunks_mut().0[part];
        let mut marked = *marks;
        for (first, seconds) in pairs.each() {
            let seconds: &[u16; TOGETHER] = &seconds.as_chunks().0[part];
            for lane in 0..TOGETHER {
                let x = first ^ seconds[lane] ^ windows[lane];
                marked[lane] |= if x < 16 { 1 << (x & 15) } else { 0 };
            }
        }
        *marks = marked;
    }
}

#[inline(always)]
pub fn unpaired_words(firsts: &[u16], seconds: &[u16], open: &mut Vec<u16>) {
    /// Pairs looked at without a way out.
    const TOGETHER: usize = 512;
    let (blocks, rest) = firsts.as_chunks::<TOGETHER>();
    let (others_rest, others) = seconds.as_rchunks::<TOGETHER>();
    for (firsts, seconds) in blocks.iter().zip(others.iter().rev()) {
        leave_unpaired(firsts, seconds, open);
        if open.is_empty() {
            return;
        }
    }
    for (first, second) in rest.iter().zip(others_rest.iter().rev()) {
        leave_unpaired(&[*first], &[*second], open);
    }
}

/// Removes from `open` the values that a first value gives with its second one. The options come first and then the
/// comparisons, as both become instructions on registers.
#[inline(always)]
fn leave_unpaired<const N: usize>(firsts: &[u16; N], seconds: &[u16; N], open: &mut Vec<u16>) {
    let mut options = [0; N];
    for i in 0..N {
        options[i] = firsts[i] ^ seconds[N - 1 - i];
    }
    let mut left = 0;
    for k in 0..open.len() {
        let value = open[k];
        let mut hit = 0;
        for option in &options {
            hit |= u16::from(*option == value);
        }
        open[left] = value;
        left += usize::from(hit == 0);
    }
    open.truncate(left);
}

pub fn kill_words(slots: &mut [Words; SLOTS], values: &[u16], sum: usize, firsts: &[u32]) {
    for (seconds, _, one) in word_sources(values, sum, firsts) {
        for slot in slots.iter_mut() {
            for (slot, second) in slot.0.iter_mut().zip(seconds) {
                *slot |= if one ^ second == *slot { u16::MAX } else { 0 };
            }
        }
    }
}

pub fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
    /// With more codes than these, pair after pair is cheaper than code after code.
    const FEW: u32 = 16;
    let mut codes = codes;
    let (mut blocks, mut from) = (firsts.as_chunks::<8>().0.as_chunks::<2>().0, 0);
    if codes.count_ones() > FEW {
        blocks = &[];
    }
    let others = seconds.as_rchunks::<8>().1.as_rchunks::<2>().1;
    for ([low, high], [second, first]) in blocks.iter().zip(others.iter().rev()) {
        let (low, high) = (pairs(low, first), pairs(high, second));
        let mut left = codes;
        while left != 0 {
            let code = left.trailing_zeros();
            let all = ONES * u64::from(code);
            if has(low, all) | has(high, all) != 0 {
                codes &= !(1 << code);
            }
            left &= left - 1;
        }
        if codes == 0 {
            return 0;
        }
        from += 16;
    }
    for (first, second) in firsts[from..].iter().zip(seconds.iter().rev().skip(from)) {
        let x = first ^ second;
        codes &= !(u64::from(x < 64) << (x & 63));
        if codes == 0 {
            break;
        }
    }
    codes
}
