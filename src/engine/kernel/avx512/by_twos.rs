//! Marks of two options at a time. One at a time 0.6, 0.142 and Grundy's game to 3·10⁶ take 4, 4 and 6 % longer (Sapphire Rapids).

use super::super::generic::{ByteCodes, each};
use super::{Lanes, Options};
use std::ops::RangeInclusive;

/// Fewer planes are as fast without, and more would not stay in registers.
pub const PLANES: RangeInclusive<usize> = 9..=20;

/// Marks options, but of each two entries that come after one another it may forget the larger code where both are of the same
/// 32, codes 0 to 31 and so on: the smaller one is looked up for both. For as many planes as [`PLANES`] says.
#[inline(always)]
pub fn mark_options_by_twos<M: ByteCodes>(m: M, planes: &mut [Lanes], from: Options<'_, u8>) {
    match planes.len() {
        ..=10 => by_twos::<M, 10>(m, planes, from),
        11..=12 => by_twos::<M, 12>(m, planes, from),
        13..=16 => by_twos::<M, 16>(m, planes, from),
        17..=18 => by_twos::<M, 18>(m, planes, from),
        _ => by_twos::<M, 20>(m, planes, from),
    }
}

#[inline(always)]
fn by_twos<M: ByteCodes, const P: usize>(m: M, planes: &mut [Lanes], from: Options<'_, u8>) {
    if from.is_masked() {
        mark_by_twos::<M, P, true>(m, planes, from);
    } else {
        mark_by_twos::<M, P, false>(m, planes, from);
    }
}

#[inline(always)]
fn mark_by_twos<M: ByteCodes, const P: usize, const MASKED: bool>(
    m: M,
    planes: &mut [Lanes],
    from: Options<'_, u8>,
) {
    for piece in 0..M::PIECES {
        let mut marked = [m.all(0); P];
        let mut options = from.each();
        while let Some(first) = options.next() {
            let mut x = [m.option::<MASKED>(first, piece); 4];
            for k in 1..4 {
                // Where there are no more the last one is looked up again.
                x[k] = x[k - 1];
                if let Some(next) = options.next() {
                    x[k] = m.option::<MASKED>(next, piece);
                }
            }
            each!(BAND in 0 1 2 3 4, if 4 * BAND < P => {
                let band = m.all(32 * BAND as u8);
                let one = m.min(m.xor(x[0], band), m.xor(x[1], band));
                let two = m.min(m.xor(x[2], band), m.xor(x[3], band));
                each!(PLANE in 0 1 2 3, if 4 * BAND + PLANE < P => {
                    let (one, two) = (m.marks(one, 0, PLANE), m.marks(two, 0, PLANE));
                    let marked = &mut marked[4 * BAND + PLANE];
                    *marked = m.or_three(*marked, one, two);
                });
            });
        }
        each!(J in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19, if J < P => {
            if let Some(plane) = planes.get_mut(J) {
                let all = m.or(m.load(&plane.0, piece), marked[J]);
                m.store(&mut plane.0, piece, all);
            }
        });
    }
}
