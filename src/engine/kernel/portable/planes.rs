//! Marking options.

use super::Token;
use crate::engine::kernel::checked::Options;
use crate::engine::kernel::generic::plain::{self, options};
use crate::engine::kernel::width::Width;
use crate::engine::kernel::{LANES, Lanes};

/// Marks options in planes. The generic loop takes 1.1 times the instructions with eight planes and 1.4 times with twenty.
#[inline(never)]
pub fn mark_options(_: Token, planes: &mut [Lanes], from: Options<'_, u8>) {
    match planes.len() {
        0..=2 => mark_all::<2, 32>(planes, from),
        3..=4 => mark_all::<4, 16>(planes, from),
        5..=8 => mark_all::<8, 16>(planes, from),
        _ => mark_in_many_planes(planes, from),
    }
}

/// The lanes that have an unmarked code below their limit.
pub fn open(m: Token, planes: &[Lanes], limit: &Lanes) -> u64 {
    plain::open::<u8, _>(m, planes, limit)
}

/// Marks options for `T` neighbouring lanes at a time, so many that the marks in `P` planes stay in registers.
fn mark_all<const P: usize, const T: usize>(planes: &mut [Lanes], from: Options<'_, u8>) {
    for piece in 0..LANES / T {
        let mut marks = [[0; T]; P];
        for (codes, mask, u) in from.each() {
            let mut x: [u8; T] = codes.as_chunks().0[piece];
            x.iter_mut().for_each(|x| *x ^= u);
            if let Some(mask) = mask {
                let mask: &[u8; T] = &mask.as_chunks().0[piece];
                x.iter_mut().zip(mask).for_each(|(x, mask)| *x |= mask);
            }
            for lane in 0..T {
                let (bit, plane) = (x[lane].mark(), x[lane] & 0xf8);
                for (p, marks) in (0u8..).step_by(8).zip(marks.iter_mut()) {
                    marks[lane] |= if plane == p { bit } else { 0 };
                }
            }
        }
        for (plane, marks) in planes.iter_mut().zip(marks) {
            let lanes: &mut [u8; T] = &mut plane.0.as_chunks_mut().0[piece];
            lanes
                .iter_mut()
                .zip(marks)
                .for_each(|(lane, marks)| *lane |= marks);
        }
    }
}

/// Marks options in more planes than there are registers: each mark is set where it belongs, lane by lane.
fn mark_in_many_planes(planes: &mut [Lanes], from: Options<'_, u8>) {
    if from.len() < 16 {
        for sources in from.each() {
            for (lane, x) in options(sources).enumerate() {
                if let Some(plane) = planes.get_mut(usize::from(x / 8)) {
                    plane.0[lane] |= x.mark();
                }
            }
        }
        return;
    }
    // Marks are a byte each at first, as setting a byte needs no read.
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
