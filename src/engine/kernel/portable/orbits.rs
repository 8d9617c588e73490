//! Sixty-four stretches, a byte lane each.

use super::{Marks, REGISTER, below, lanes_of, mark};
use crate::engine::kernel::orbits::{Open, Orbits, Tap};
use crate::engine::kernel::{DEAD, LANES, Lanes};

pub(in crate::engine::kernel) fn walk(planes: usize, mut orbits: Orbits<'_>, open: &mut Open) {
    match planes {
        0..=2 => steps::<2>(&mut orbits, open),
        3..=4 => steps::<4>(&mut orbits, open),
        _ => steps::<8>(&mut orbits, open),
    }
}

/// The codes that the taps give at a step, in planes.
#[inline(always)]
fn marks_at<const P: usize>(orbits: &Orbits<'_>, step: usize, taps: &[Tap]) -> [Lanes; P] {
    const T: usize = 2 * REGISTER;
    let mut planes = [Lanes::ZERO; P];
    for part in 0..LANES / T {
        let mut marks: Marks<P, T> = [[0; T]; P];
        for &tap in taps {
            let codes: &[u8; T] = &orbits.source(step, tap).0.as_chunks().0[part];
            mark(&mut marks, &codes.map(|code| code ^ tap.us as u8));
        }
        for (plane, marks) in planes.iter_mut().zip(marks) {
            plane.0.as_chunks_mut().0[part] = marks;
        }
    }
    planes
}

/// The smallest code of a lane that is not marked, [`DEAD`] if there is none.
#[inline(always)]
fn smallest<const P: usize>(marks: &[Lanes; P], lane: usize) -> u8 {
    let mut code = DEAD;
    for (j, plane) in marks.iter().enumerate().rev() {
        let free = !plane.0[lane];
        let lowest = free & free.wrapping_neg();
        let digit = |set: u8, worth: u8| if lowest & set == 0 { 0 } else { worth };
        let index = digit(0xaa, 1) + digit(0xcc, 2) + digit(0xf0, 4);
        code = if free == 0 { code } else { 8 * j as u8 + index };
    }
    code
}

fn steps<const P: usize>(orbits: &mut Orbits<'_>, open: &mut Open) {
    for step in 0..LANES {
        let marks = marks_at::<P>(orbits, step, orbits.options);
        let mut codes = [0; LANES];
        for (lane, code) in codes.iter_mut().enumerate() {
            *code = smallest(&marks, lane);
        }
        open.lost[step] = lanes_of(&codes.map(|code| u8::from(code == DEAD)));
        let codes = Lanes(codes.map(|code| if code == DEAD { 0 } else { code }));
        let odd = orbits.odd_at(step);
        let mut limits = [0; LANES];
        for (lane, (limit, code)) in limits.iter_mut().zip(codes.0).enumerate() {
            *limit = orbits.limits[(odd >> lane & 1) as usize].0[usize::from(code) % LANES];
        }
        let hits = marks_at::<P>(orbits, step, orbits.witnesses);
        let mut any = [0; LANES];
        for ((j, hits), plane) in (0u8..).zip(hits).zip(&mut open.planes[step]) {
            for lane in 0..LANES {
                plane.0[lane] = below(j, limits[lane]) & !hits.0[lane];
                any[lane] |= plane.0[lane];
            }
        }
        open.lanes[step] = lanes_of(&any);
        *orbits.row(step) = codes;
    }
}
