//! Marking options in planes, and reading what is unmarked back out.

use super::{REGISTER, options};
use crate::engine::kernel::checked::Options;
use crate::engine::kernel::open_candidates::OpenCandidates;
use crate::engine::kernel::{LANES, Lanes, SLOTS};

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
pub fn scatter(planes: &mut [Lanes], from: Options<'_>) {
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
pub fn lanes_of(bytes: &[u8; LANES]) -> u64 {
    /// Brings the lowest bits of eight bytes together in the highest byte.
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    let ones = bytes.map(|byte| u8::from(byte != 0));
    let eights = ones.as_chunks().0.iter().rev();
    eights.fold(0, |lanes, &eight| {
        lanes << 8 | u64::from_le_bytes(eight).wrapping_mul(TOGETHER) >> 56
    })
}

pub fn fresh(planes: &[Lanes], from: Options<'_>) -> u64 {
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
pub fn below(j: u8, limit: u8) -> u8 {
    let last = if limit >> 3 == j { bit(limit) - 1 } else { 0 };
    if limit >> 3 > j { 255 } else { last }
}

pub fn open(planes: &[Lanes], limit: &Lanes) -> u64 {
    let mut open = [0; LANES];
    for (j, plane) in (0u8..).zip(planes) {
        for ((open, marked), limit) in open.iter_mut().zip(plane.0).zip(limit.0) {
            *open |= !marked & below(j, limit);
        }
    }
    lanes_of(&open)
}

pub fn unmarked(planes: &[Lanes], limit: &Lanes, at: usize, open: &mut OpenCandidates) {
    for (first, planes) in (0u8..).step_by(8).zip(planes.chunks(8)) {
        let (mut bytes, mut any) = ([Lanes::ZERO; 8], [0; LANES]);
        for ((j, plane), bytes) in (first..).zip(planes).zip(&mut bytes) {
            for (lane, any) in any.iter_mut().enumerate() {
                bytes.0[lane] = !plane.0[lane] & below(j, limit.0[lane]);
                *any |= bytes.0[lane];
            }
        }
        let mut words = [0; LANES];
        rows(&bytes, &mut words);
        open.add(lanes_of(&any), 8 * first, |lane| (at + lane, words[lane]));
    }
}

pub fn holes(planes: &[Lanes], slots: &mut [Lanes; SLOTS]) {
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

/// Two planes become words twice as wide, these again, and again: the compiler takes registers for each step.
#[inline(always)]
pub fn rows(planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
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
