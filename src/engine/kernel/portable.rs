//! The kernels in plain safe Rust: the specification that the others are tested against.

mod orbits;

pub(super) use self::orbits::walk;
use super::checked::{Opposite, Options, Pairs, Sources, Unsettled, WordPairs, retain};
use super::firsts::ROW;
use super::questions::{Question, Unasked};
use super::{DEAD, LANES, Lanes, Nibbles, QUARTER, SLOTS, Sextets, WORDS, Words};

/// The bytes of a register of 128 bits, which NEON and SSE2 have. Loops over so many, or a multiple of it, without a way
/// out become instructions on registers.
const REGISTER: usize = 16;

#[inline(always)]
fn options((codes, mask, u): Sources<'_>) -> impl Iterator<Item = u8> + '_ {
    (0..LANES).map(move |lane| (codes[lane] ^ u) | mask.map_or(0, |mask| mask[lane]))
}

#[inline(always)]
pub fn tally(counts: &mut [u8], options: &[u8], x: u8) {
    for (count, &option) in counts.iter_mut().zip(options) {
        *count += u8::from(option == x);
    }
}

/// Bit x mod 8 of a byte, in steps that registers can do: none shifts bytes by bytes.
#[inline(always)]
fn bit(x: u8) -> u8 {
    let r = x & 3;
    let low = r + 1 + if r > 1 { 1 } else { 0 } + if r == 3 { 3 } else { 0 };
    low.wrapping_add(low.wrapping_mul(15) & 0u8.wrapping_sub(x >> 2 & 1))
}

/// The marks of `T` neighbouring lanes in `P` planes, so many that they stay in registers.
type Marks<const P: usize, const T: usize> = [[u8; T]; P];

#[inline(always)]
fn mark<const P: usize, const T: usize>(marks: &mut Marks<P, T>, x: &[u8; T]) {
    for lane in 0..T {
        let (bit, plane) = (bit(x[lane]), x[lane] & 0xf8);
        for (p, marks) in (0u8..).step_by(8).zip(marks.iter_mut()) {
            marks[lane] |= if plane == p { bit } else { 0 };
        }
    }
}

#[inline(never)]
pub(super) fn scatter(planes: &mut [Lanes], from: Options<'_>) {
    match planes.len() {
        0..=2 => mark_all::<2, { 2 * REGISTER }>(planes, from),
        3..=4 => mark_all::<4, { 2 * REGISTER }>(planes, from),
        5..=8 => mark_all::<8, REGISTER>(planes, from),
        _ => scatter_wide(planes, from),
    }
}

fn mark_all<const P: usize, const T: usize>(planes: &mut [Lanes], from: Options<'_>) {
    for part in 0..LANES / T {
        let mut marks: Marks<P, T> = [[0; T]; P];
        for (codes, mask, u) in from.each() {
            let mut x: [u8; T] = codes.as_chunks().0[part].map(|code| code ^ u);
            if let Some(mask) = mask {
                let mask: &[u8; T] = &mask.as_chunks().0[part];
                x.iter_mut().zip(mask).for_each(|(x, mask)| *x |= mask);
            }
            mark(&mut marks, &x);
        }
        for (plane, marks) in planes.iter_mut().zip(marks) {
            let lanes: &mut [u8; T] = &mut plane.0.as_chunks_mut().0[part];
            lanes
                .iter_mut()
                .zip(marks)
                .for_each(|(lane, marks)| *lane |= marks);
        }
    }
}

/// With more planes than registers a mark is set where it belongs, lane by lane.
fn scatter_wide(planes: &mut [Lanes], from: Options<'_>) {
    if from.len() < 16 {
        for sources in from.each() {
            for (lane, x) in options(sources).enumerate() {
                if let Some(plane) = planes.get_mut(usize::from(x / 8)) {
                    plane.0[lane] |= 1 << (x % 8);
                }
            }
        }
        return;
    }
    // A byte a mark first: setting one needs no read.
    let mut marks = [[0u8; 256]; LANES];
    for sources in from.each() {
        for (marks, x) in marks.iter_mut().zip(options(sources)) {
            marks[usize::from(x)] = 1;
        }
    }
    for (lane, marks) in marks.iter().enumerate() {
        for (plane, marks) in planes.iter_mut().zip(marks.chunks_exact(8)) {
            plane.0[lane] |= marks.iter().rev().fold(0, |byte, mark| byte << 1 | mark);
        }
    }
}

/// The lanes that are not 0.
#[inline(always)]
fn lanes_of(bytes: &[u8; LANES]) -> u64 {
    /// Brings the lowest bits of eight bytes together in the highest byte.
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    let ones = bytes.map(|byte| u8::from(byte != 0));
    let eights = ones.as_chunks().0.iter().rev();
    eights.fold(0, |lanes, &eight| {
        lanes << 8 | u64::from_le_bytes(eight).wrapping_mul(TOGETHER) >> 56
    })
}

pub(super) fn fresh(planes: &[Lanes], from: Options<'_>) -> u64 {
    let mut lanes = 0;
    for sources in from.each() {
        let mut x = [0; LANES];
        x.iter_mut()
            .zip(options(sources))
            .for_each(|(x, option)| *x = option);
        let (bits, places) = (x.map(bit), x.map(|x| x >> 3));
        let mut unmarked = [0; LANES];
        for (j, plane) in (0u8..).zip(planes) {
            for lane in 0..LANES {
                let mark = if places[lane] == j { bits[lane] } else { 0 };
                unmarked[lane] |= mark & !plane.0[lane];
            }
        }
        lanes |= lanes_of(&unmarked);
    }
    lanes
}

/// The codes of plane j below a limit.
#[inline(always)]
fn below(j: u8, limit: u8) -> u8 {
    let last = if limit >> 3 == j { bit(limit) - 1 } else { 0 };
    if limit >> 3 > j { 255 } else { last }
}

pub(super) fn open(planes: &[Lanes], limit: &Lanes) -> u64 {
    let mut open = [0; LANES];
    for (j, plane) in (0u8..).zip(planes) {
        for ((open, marked), limit) in open.iter_mut().zip(plane.0).zip(limit.0) {
            *open |= !marked & below(j, limit);
        }
    }
    lanes_of(&open)
}

pub(super) fn unmarked(planes: &[Lanes], limit: &Lanes, at: usize, open: &mut Unasked) {
    let unmarked = |j: u8, plane: &Lanes| {
        let mut bytes = Lanes::ZERO;
        for ((byte, marked), limit) in bytes.0.iter_mut().zip(plane.0).zip(limit.0) {
            *byte = !marked & below(j, limit);
        }
        bytes
    };
    unmarked_by(planes, (at, open), unmarked, rows);
}

/// The same by what is unmarked of plane j, and by rows.
#[inline(always)]
pub fn unmarked_by(
    planes: &[Lanes],
    (at, open): (usize, &mut Unasked),
    unmarked: impl Fn(u8, &Lanes) -> Lanes,
    rows: impl Fn(&[Lanes; 8], &mut [u64; LANES]),
) {
    for (first, planes) in (0u8..).step_by(8).zip(planes.chunks(8)) {
        let (mut bytes, mut any) = ([Lanes::ZERO; 8], Lanes::ZERO);
        for ((j, plane), bytes) in (first..).zip(planes).zip(&mut bytes) {
            *bytes = unmarked(j, plane);
            any.0
                .iter_mut()
                .zip(bytes.0)
                .for_each(|(any, byte)| *any |= byte);
        }
        let mut words = [0; LANES];
        rows(&bytes, &mut words);
        open.add(lanes_of(&any.0), 8 * first, |lane| (at + lane, words[lane]));
    }
}

pub(super) fn unanswered(open: &mut Vec<Question>, from: Opposite<'_>) {
    for (row, codes, mask) in from.each() {
        retain(open, |question| {
            let (offset, code) = (question.offset(), question.code());
            let codes = codes.of(offset);
            let mut x: [u8; ROW] = std::array::from_fn(|k| (codes[k] ^ row.codes[k]) | row.mask[k]);
            if let Some(mask) = mask {
                let masks = mask.of(offset);
                x.iter_mut().zip(masks).for_each(|(x, mask)| *x |= mask);
            }
            x.iter().fold(0, |hit, &x| hit | u8::from(x == code)) == 0
        });
        if open.is_empty() {
            return;
        }
    }
}

pub(super) fn holes(planes: &[Lanes], slots: &mut [Lanes; SLOTS]) {
    *slots = [Lanes::DEAD; SLOTS];
    for lane in 0..LANES {
        let mut count = 0;
        for (first, planes) in (0u32..).step_by(64).zip(planes.chunks(8)) {
            let marks = (planes.iter().rev())
                .fold(u64::MAX, |row, plane| row << 8 | u64::from(plane.0[lane]));
            let mut open = !marks;
            while open != 0 && count < SLOTS {
                slots[count].0[lane] = (first + open.trailing_zeros()) as u8;
                open &= open - 1;
                count += 1;
            }
        }
    }
}

pub(super) fn kill(slots: &mut [Lanes], from: Options<'_>) {
    for sources in from.each() {
        let mut x = [0; LANES];
        x.iter_mut()
            .zip(options(sources))
            .for_each(|(x, option)| *x = option);
        for slot in slots.iter_mut() {
            for (slot, x) in slot.0.iter_mut().zip(&x) {
                *slot |= if *slot == *x { DEAD } else { 0 };
            }
        }
    }
}

pub(super) fn sort(slots: &mut [Lanes; SLOTS], width: usize) {
    slots[width..].fill(Lanes::DEAD);
    let by = |of: fn(u8, u8) -> u8, a: Lanes, b: Lanes| {
        Lanes(std::array::from_fn(|lane| of(a.0[lane], b.0[lane])))
    };
    let smaller = |a, b| by(u8::min, a, b);
    let larger = |a, b| by(u8::max, a, b);
    network!(slots, smaller, larger);
}

pub(super) fn settle(slots: &[Lanes], fixed: u64, mut block: Unsettled<'_>) -> u64 {
    let mut lost = 0;
    for lane in 0..LANES {
        let mut marks = [false; 256];
        if fixed >> lane & 1 == 0 {
            for option in block.options_of(lane) {
                marks[usize::from(option)] = true;
            }
        }
        let free = |code: &u8| *code != DEAD && !marks[usize::from(*code)];
        let code = slots
            .iter()
            .map(|slot| slot.0[lane])
            .find(free)
            .unwrap_or(DEAD);
        block.codes()[lane] = code;
        lost |= u64::from(code == DEAD) << lane;
    }
    lost
}

/// Eight pairs of a first byte and a second one, the seconds backwards: each XOR the other.
#[inline(always)]
fn pairs(firsts: &[u8; 8], seconds: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*firsts) ^ u64::from_be_bytes(*seconds)
}

/// Not 0 if one of eight bytes is that of `all`, eight times the same.
#[inline(always)]
fn has(bytes: u64, all: u64) -> u64 {
    let zeros = bytes ^ all;
    zeros.wrapping_sub(ONES) & !zeros & ONES << 7
}

/// The same in eight bytes.
const ONES: u64 = u64::from_le_bytes([1; 8]);

pub(super) fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize> {
    let (codes, sum, low, high) = pairs.parts();
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

/// The first of such pairs, one looked at after the other.
#[inline(never)]
fn hit_in(
    codes: &[u8],
    mask: &[u8],
    sum: usize,
    (low, high): (usize, usize),
    x: u8,
) -> Option<usize> {
    let masked = |i: usize| mask.get(i).is_some_and(|&mask| mask != 0);
    (low..high).find(|&i| codes[i] ^ codes[sum - i] == x && !masked(i) && !masked(sum - i))
}

pub(super) fn mark_words(marks: &mut Words, windows: &Words, pairs: WordPairs<'_>) {
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
    const TOGETHER: usize = 128;
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

/// First options and then hits, as both become instructions on registers.
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

pub(super) fn kill_words(slots: &mut [Words; SLOTS], values: &[u16], sum: usize, firsts: &[u32]) {
    for &first in firsts {
        let (one, seconds) = word_pair(values, sum, first);
        for slot in slots.iter_mut() {
            for (slot, second) in slot.0.iter_mut().zip(seconds) {
                *slot |= if one ^ second == *slot { u16::MAX } else { 0 };
            }
        }
    }
}

/// A value, and what makes pairs with it for a block of heaps.
#[inline(always)]
pub fn word_pair(values: &[u16], sum: usize, first: u32) -> (u16, &[u16; WORDS]) {
    let first = first as usize;
    let seconds = sum.checked_sub(first).and_then(|at| values.get(at..));
    let seconds = seconds.and_then(|seconds| seconds.first_chunk());
    let (Some(&one), Some(seconds)) = (values.get(first), seconds) else {
        panic!("a pair lies outside");
    };
    (one, seconds)
}

/// Two planes become words twice as wide, these again, and again: the compiler takes registers for each step.
#[inline(always)]
pub(super) fn rows(planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
    let mut pairs = [[0u16; LANES]; 4];
    for (pairs, planes) in pairs.iter_mut().zip(planes.as_chunks().0) {
        let [low, high]: &[Lanes; 2] = planes;
        for ((pair, low), high) in pairs.iter_mut().zip(low.0).zip(high.0) {
            *pair = u16::from(low) | u16::from(high) << 8;
        }
    }
    let mut fours = [[0u32; LANES]; 2];
    for (fours, pairs) in fours.iter_mut().zip(pairs.as_chunks().0) {
        let [low, high]: &[[u16; LANES]; 2] = pairs;
        for ((four, low), high) in fours.iter_mut().zip(low).zip(high) {
            *four = u32::from(*low) | u32::from(*high) << 16;
        }
    }
    let [low, high] = fours;
    for ((row, low), high) in rows.iter_mut().zip(low).zip(high) {
        *row = u64::from(low) | u64::from(high) << 32;
    }
}

pub(super) fn settle_nibbles(
    nibbles: &Nibbles,
    rows: &[u16; QUARTER],
    codes: &mut [u8],
    at: usize,
    from: usize,
    odd: u64,
) -> usize {
    nibbles.settle(rows, codes, at, from, odd)
}

pub(super) fn settle_sextets(
    sextets: &Sextets,
    rows: &[u64; LANES],
    codes: &mut [u8],
    (at, from): (usize, usize),
    odd: u64,
    most: u32,
) -> usize {
    sextets.settle(rows, codes, at, from, odd, most)
}

pub(super) fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
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
