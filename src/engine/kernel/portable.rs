//! The kernels in plain safe Rust: the specification that the others are tested against.

use super::checked::{Options, Pairs, Sources, Unsettled, WordPairs};
use super::orbits::{Open, Orbits, Tap};
use super::{DEAD, DEAD_WORD, LANES, Lanes, NETWORK, Nibbles, QUARTER, SLOTS, WORDS, Words};

#[inline(always)]
fn options((codes, mask, u): Sources<'_>) -> impl Iterator<Item = u8> + '_ {
    (0..LANES).map(move |lane| (codes[lane] ^ u) | mask.map_or(0, |mask| mask[lane]))
}

#[inline(never)]
pub(super) fn scatter(planes: &mut [Lanes], from: Options<'_>) {
    if planes.len() <= 8 {
        let mut rows = [0u64; LANES];
        for sources in from.each() {
            for (row, x) in rows.iter_mut().zip(options(sources)) {
                *row |= u64::from(x < 64) << (x & 63);
            }
        }
        for (j, plane) in planes.iter_mut().enumerate() {
            plane
                .0
                .iter_mut()
                .zip(&rows)
                .for_each(|(byte, row)| *byte |= (row >> (8 * j)) as u8);
        }
        return;
    }
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

pub(super) fn fresh(planes: &[Lanes], from: Options<'_>) -> u64 {
    let mut lanes = 0;
    for (lane, x) in from.each().flat_map(|sources| options(sources).enumerate()) {
        let plane = planes.get(usize::from(x / 8));
        lanes |= u64::from(plane.is_some_and(|plane| plane.0[lane] >> (x % 8) & 1 == 0)) << lane;
    }
    lanes
}

pub(super) fn open(planes: &[Lanes], limit: &Lanes) -> u64 {
    let mut lanes = 0;
    for (lane, limit) in limit.0.iter().enumerate() {
        let open = planes.iter().enumerate().any(|(j, plane)| {
            let below = usize::from(*limit).saturating_sub(8 * j).min(8);
            u16::from(!plane.0[lane]) & ((1 << below) - 1) != 0
        });
        lanes |= u64::from(open) << lane;
    }
    lanes
}

pub(super) fn holes(planes: &[Lanes], limit: Option<&Lanes>, slots: &mut [Lanes; SLOTS]) -> u64 {
    *slots = [Lanes::DEAD; SLOTS];
    let mut more = 0;
    for lane in 0..LANES {
        let bound = limit.map_or(usize::from(DEAD), |limit| usize::from(limit.0[lane]));
        let mut count = 0;
        for (j, plane) in planes.iter().enumerate() {
            let mut open = !plane.0[lane];
            while open != 0 {
                let code = 8 * j + open.trailing_zeros() as usize;
                open &= open - 1;
                if code >= bound {
                    continue;
                }
                if count < SLOTS {
                    slots[count].0[lane] = code as u8;
                } else {
                    more |= u64::from(limit.is_some()) << lane;
                }
                count += 1;
            }
        }
    }
    more
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

pub(super) fn sort(slots: &mut [Lanes; SLOTS], width: usize) -> u64 {
    slots[width..].fill(Lanes::DEAD);
    for (a, b) in NETWORK {
        let (left, right) = slots.split_at_mut(b);
        for (a, b) in left[a].0.iter_mut().zip(&mut right[0].0) {
            (*a, *b) = ((*a).min(*b), (*a).max(*b));
        }
    }
    let alive = slots[0].0.iter().enumerate();
    alive.fold(0, |lanes, (lane, &code)| {
        lanes | u64::from(code != DEAD) << lane
    })
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

pub(super) fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize> {
    const TOGETHER: usize = 32;
    let (codes, sum, low, high) = pairs.parts();
    let masked = |i: usize| mask.get(i).is_some_and(|&mask| mask != 0);
    let mut from = low;
    while from < high {
        let to = high.min(from + TOGETHER);
        let others = &codes[sum + 1 - to..=sum - from];
        let pairs = codes[from..to].iter().zip(others.iter().rev());
        if pairs.fold(false, |hit, (a, b)| hit | (a ^ b == x)) {
            let hit = (from..to)
                .find(|&i| codes[i] ^ codes[sum - i] == x && !masked(i) && !masked(sum - i));
            if hit.is_some() {
                return hit;
            }
        }
        from = to;
    }
    None
}

pub(super) fn kill_words(slots: &mut [Words], pairs: WordPairs<'_>) {
    for slot in slots {
        let mut least = [u16::MAX; WORDS];
        for (one, others) in pairs.each() {
            for lane in 0..WORDS {
                least[lane] = least[lane].min(one ^ others[lane] ^ slot.0[lane]);
            }
        }
        for (slot, least) in slot.0.iter_mut().zip(least) {
            *slot = if least == 0 { DEAD_WORD } else { *slot };
        }
    }
}

pub(super) fn rows(planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
    for (lane, row) in rows.iter_mut().enumerate() {
        let bytes = std::array::from_fn(|j| planes[j].0[lane]);
        *row = u64::from_le_bytes(bytes);
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

pub(super) fn walk(planes: usize, mut orbits: Orbits<'_>, open: &mut Open) {
    let mark = |orbits: &Orbits<'_>, step: usize, taps: &[Tap]| {
        let mut rows = [0u64; LANES];
        for &tap in taps {
            let source = orbits.source(step, tap);
            for (row, code) in rows.iter_mut().zip(source.0) {
                *row |= 1 << ((code ^ tap.us as u8) & 63);
            }
        }
        rows
    };
    for step in 0..LANES {
        let marks = mark(&orbits, step, orbits.options);
        let hits = mark(&orbits, step, orbits.witnesses);
        let odd = orbits.odd_at(step);
        (open.lanes[step], open.lost[step]) = (0, 0);
        let mut codes = Lanes::ZERO;
        for lane in 0..LANES {
            let mut code = marks[lane].trailing_ones() as usize;
            if code >= 8 * planes {
                open.lost[step] |= 1 << lane;
                code = 0;
            }
            codes.0[lane] = code as u8;
            let limit = orbits.limits[(odd >> lane & 1) as usize].0[code];
            let below = 1u64
                .checked_shl(limit.into())
                .map_or(u64::MAX, |bit| bit - 1);
            let need = below & !hits[lane] & (u64::MAX >> (64 - 8 * planes));
            open.lanes[step] |= u64::from(need != 0) << lane;
            for (plane, byte) in open.planes[step].iter_mut().zip(need.to_le_bytes()) {
                plane.0[lane] = byte;
            }
        }
        *orbits.row(step) = codes;
    }
}

pub(super) fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
    let mut codes = codes;
    for (first, second) in firsts.iter().zip(seconds.iter().rev()) {
        let x = first ^ second;
        codes &= !(u64::from(x < 64) << (x & 63));
        if codes == 0 {
            break;
        }
    }
    codes
}
