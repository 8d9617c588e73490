//! Sixty-four segments, a byte lane each, by rows of marks. By codes, as the other kernels do it, this takes 2.4, 1.7 and 1.3
//! times the instructions with 2, 4 and 8 planes.

use super::Token;
use crate::engine::kernel::generic::plain::{below, lanes_of};
use crate::engine::kernel::segments::{LaneSegments, Open, Tap};
use crate::engine::kernel::{LANES, Lanes};

/// Goes on by 64 steps in every lane (`Kernel::walk`).
pub fn walk(_: Token, planes: usize, mut block: LaneSegments<'_>, open: &mut Open) {
    match planes {
        0..=2 => steps::<2>(&mut block, open),
        3..=4 => steps::<4>(&mut block, open),
        _ => steps::<8>(&mut block, open),
    }
}

/// The marks become those of the same codes XOR u, for u below 8.
#[inline(always)]
fn turn(marks: &mut [[u8; LANES]; 2], u: usize) {
    if u & 1 != 0 {
        for x in marks.as_flattened_mut() {
            *x = (*x & 0x55) << 1 | *x >> 1 & 0x55;
        }
    }
    if u & 2 != 0 {
        for x in marks.as_flattened_mut() {
            *x = (*x & 0x33) << 2 | *x >> 2 & 0x33;
        }
    }
    if u & 4 != 0 {
        for x in marks.as_flattened_mut() {
            *x = x.rotate_left(4);
        }
    }
}

/// The codes that the taps give at a step, in planes. Not inlined: the loop wants all registers.
#[inline(never)]
fn marks_at<const P: usize>(block: &LaneSegments<'_>, step: usize, taps: &[Tap]) -> [Lanes; P] {
    let mut planes = [Lanes::ZERO; P];
    // Two planes are made at a time: they fill half the registers.
    for (first, pair) in (0..).step_by(2).zip(planes.as_chunks_mut().0) {
        let mut marks = [[0; LANES]; 2];
        // They are those of the codes XOR this.
        let mut turned = taps.first().map_or(0, |tap| tap.us as usize);
        for &tap in taps {
            let u = tap.us as usize;
            if (turned ^ u) & 7 != 0 {
                turn(&mut marks, turned ^ u);
                turned = u;
            }
            let source = block.source_marks::<P>(step, tap);
            let first = first ^ u >> 3;
            for (j, marks) in marks.iter_mut().enumerate() {
                let plane = &source[(first ^ j) % P].0;
                for (marks, plane) in marks.iter_mut().zip(plane) {
                    *marks |= plane;
                }
            }
        }
        turn(&mut marks, turned);
        *pair = marks.map(Lanes);
    }
    planes
}

/// The smallest codes that are not marked, which become the marks, and what is not 0 in the lanes that have none.
#[inline(always)]
fn smallest<const P: usize>(marks: &mut [Lanes; P]) -> (Lanes, [u8; LANES]) {
    let (mut codes, mut lowest) = ([0; LANES], [0; LANES]);
    let mut lost = [255; LANES];
    for (j, plane) in (0u8..).zip(&mut *marks) {
        for lane in 0..LANES {
            let x = plane.0[lane];
            let mark = !x & x.wrapping_add(1) & lost[lane];
            plane.0[lane] = mark;
            lowest[lane] |= mark;
            codes[lane] |= if mark == 0 { 0 } else { 8 * j };
            lost[lane] = if mark == 0 { lost[lane] } else { 0 };
        }
    }
    for lane in 0..LANES {
        let digit = |set: u8, worth: u8| if lowest[lane] & set == 0 { 0 } else { worth };
        codes[lane] |= digit(0xaa, 1) | digit(0xcc, 2) | digit(0xf0, 4);
        marks[0].0[lane] |= lost[lane] & 1;
    }
    (Lanes(codes), lost)
}

fn steps<const P: usize>(block: &mut LaneSegments<'_>, open: &mut Open) {
    // A heap whose parity is not that of the step has its limits behind the others'.
    let odd = block.odd;
    let odd: [u8; LANES] = std::array::from_fn(|lane| (odd >> lane & 1) as u8 * LANES as u8);
    let limits: [[u8; 2 * LANES]; 2] =
        [0, 1].map(|step| std::array::from_fn(|k| block.limits[step ^ (k / LANES)].0[k % LANES]));
    for step in 0..LANES {
        let mut marks = marks_at::<P>(block, step, block.options);
        let (codes, lost) = smallest(&mut marks);
        open.lost[step] = lanes_of::<u8>(&lost);
        *block.row(step) = codes;
        *block.row_marks(step) = marks;
        let mut places = odd;
        for (place, code) in places.iter_mut().zip(codes.0) {
            *place |= code;
        }
        let limits = &limits[step % 2];
        let limits = places.map(|place| limits[usize::from(place) % (2 * LANES)]);
        let hits = marks_at::<P>(block, step, block.witnesses);
        let mut any = [0; LANES];
        for ((j, hits), plane) in (0u8..).zip(hits).zip(&mut open.planes[step]) {
            for lane in 0..LANES {
                plane.0[lane] = below(j, limits[lane]) & !hits.0[lane];
                any[lane] |= plane.0[lane];
            }
        }
        open.lanes[step] = lanes_of::<u8>(&any);
    }
}
