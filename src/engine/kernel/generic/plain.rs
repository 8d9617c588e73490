//! Loops over the lanes of a block, which the compiler turns into instructions on registers by itself. All kernels use those for
//! which a loop of their own gains nothing; the others are for codes of two bytes, and for the portable kernel.

use crate::engine::kernel::checked::{Options, Sources};
use crate::engine::kernel::halves::{Halves, HalvesOf, halves, number};
use crate::engine::kernel::open_candidates::OpenCandidates;
use crate::engine::kernel::width::{Aligned, Width};
use crate::engine::kernel::{LANES, Lanes, SLOTS, WORDS, Window, Words, gathered};

/// The options of a block by one entry.
#[inline(always)]
pub fn options<C: Width>((codes, mask, u): Sources<'_, C>) -> impl Iterator<Item = C> + '_ {
    let (codes, mask) = (codes.as_ref(), mask.map(AsRef::as_ref));
    (0..C::LANES).map(move |lane| (codes[lane] ^ u) | mask.map_or(C::ZERO, |mask| mask[lane]))
}

/// The lanes that are not 0.
#[inline(always)]
pub fn lanes_of<C: Width>(codes: &C::Block) -> u64 {
    let mut ones = [0; LANES];
    for (one, code) in ones.iter_mut().zip(codes.as_ref()) {
        *one = u8::from(*code != C::ZERO);
    }
    let eights = ones.as_chunks().0.iter().rev();
    eights.fold(0, |lanes, &eight| {
        lanes << 8 | gathered(u64::from_le_bytes(eight))
    })
}

/// The lanes in which an option would mark something new.
#[inline(always)]
pub fn would_mark<C: Width, M>(_: M, planes: &[C::Lanes], from: Options<'_, C>) -> u64 {
    let mut lanes = 0;
    for sources in from.each() {
        let mut x = C::lanes(|_| C::ZERO);
        let all = x.as_mut().iter_mut().zip(options(sources));
        all.for_each(|(x, option)| *x = option);
        let x = x.as_ref();
        let (bits, places) = (
            C::lanes(|lane| x[lane].mark()),
            C::lanes(|lane| x[lane].plane()),
        );
        let (bits, places) = (bits.as_ref(), places.as_ref());
        let mut unmarked = C::lanes(|_| C::ZERO);
        for (j, plane) in planes.iter().enumerate() {
            let (j, plane) = (C::of(j), C::block(plane).as_ref());
            for (lane, unmarked) in unmarked.as_mut().iter_mut().enumerate() {
                let mark = if places[lane] == j {
                    bits[lane]
                } else {
                    C::ZERO
                };
                *unmarked |= mark & !plane[lane];
            }
        }
        lanes |= lanes_of::<C>(&unmarked);
    }
    lanes
}

/// The codes of plane j below a limit.
#[inline(always)]
pub fn below<C: Width>(j: C, limit: C) -> C {
    let last = if limit.plane() == j {
        limit.marks_below()
    } else {
        C::ZERO
    };
    if limit.plane() > j { C::DEAD } else { last }
}

/// The lanes that have an unmarked code below their limit.
#[inline(always)]
pub fn open<C: Width, M>(_: M, planes: &[C::Lanes], limit: &C::Lanes) -> u64 {
    let mut open = C::lanes(|_| C::ZERO);
    let limits = C::block(limit).as_ref();
    for (j, plane) in planes.iter().enumerate() {
        let marked = C::block(plane).as_ref();
        for (lane, open) in open.as_mut().iter_mut().enumerate() {
            *open |= !marked[lane] & below(C::of(j), limits[lane]);
        }
    }
    lanes_of::<C>(&open)
}

/// The same for codes of two bytes.
#[inline(always)]
pub fn open_words<M>(m: M, planes: &[Words], limit: &Words) -> u64 {
    open::<u16, M>(m, planes, limit)
}

/// Adds every unmarked code of every lane below its limit, with the offset of the first lane.
#[inline(always)]
pub fn unmarked<C: Width, M>(
    _: M,
    planes: &[C::Lanes],
    limit: &C::Lanes,
    at: usize,
    open: &mut OpenCandidates,
) {
    let in_word = 64 / C::BITS;
    let limits = C::block(limit).as_ref();
    for (first, planes) in (0..).step_by(in_word).zip(planes.chunks(in_word)) {
        let (mut all, mut any) = ([C::ZERO_LANES; 8], C::lanes(|_| C::ZERO));
        for ((j, plane), all) in (first..).zip(planes).zip(&mut all) {
            let (marked, all) = (C::block(plane).as_ref(), C::block_mut(all).as_mut());
            for (lane, any) in any.as_mut().iter_mut().enumerate() {
                all[lane] = !marked[lane] & below(C::of(j), limits[lane]);
                *any |= all[lane];
            }
        }
        let (lanes, first) = (lanes_of::<C>(&any), C::BITS * first);
        if let Some(planes) = C::byte_planes(&all).and_then(|planes| planes.first_chunk()) {
            let mut words = [0; LANES];
            words_of_lanes((), planes, &mut words);
            open.add(lanes, first, |lane| (at + lane, words[lane]));
        } else {
            let all = &all[..in_word];
            open.add(lanes, first, |lane| (at + lane, C::marks(all, lane)));
        }
    }
}

/// The smallest unmarked codes of every lane, ascending.
#[inline(always)]
pub fn least_unmarked<C, L, M>(_: M, planes: &[L], slots: &mut [L; SLOTS])
where
    C: Width<Lanes = L>,
    L: Aligned<Code = C>,
{
    let in_word = 64 / C::BITS;
    let mut open = [[0; LANES]; 16];
    let words = &mut open[..planes.len().div_ceil(in_word)];
    for (open, planes) in words.iter_mut().zip(planes.chunks(in_word)) {
        for (j, plane) in planes.iter().enumerate() {
            for (open, &marked) in open.iter_mut().zip(C::block(plane).as_ref()) {
                *open |= ((!marked).index() as u64) << (C::BITS * j);
            }
        }
    }
    // Four codes of a word are written whether it has so many or not, as no branch could foresee how many it has; those that it
    // doesn't have are written over.
    let mut found = [C::DEAD_LANES; SLOTS + 4];
    for lane in 0..C::LANES {
        let mut count = 0;
        for (first, open) in (0..).step_by(64).zip(words.iter()) {
            let mut open = open[lane];
            while count < SLOTS {
                for slot in &mut found[count..][..4] {
                    let code = C::of(first + open.trailing_zeros() as usize);
                    C::block_mut(slot).as_mut()[lane] = code;
                    count += usize::from(open != 0);
                    open &= open.wrapping_sub(1);
                }
                if open == 0 {
                    break;
                }
            }
        }
        for slot in &mut found[count.min(SLOTS)..] {
            C::block_mut(slot).as_mut()[lane] = C::DEAD;
        }
    }
    slots.copy_from_slice(&found[..SLOTS]);
}

/// The eight bytes of each lane as a word. Two planes become words twice as wide, these again, and again: the
/// compiler takes registers for each step.
#[inline(always)]
pub fn words_of_lanes<M>(_: M, planes: &[Lanes; 8], words: &mut [u64; LANES]) {
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
    for ((word, low), high) in words.iter_mut().zip(low).zip(high) {
        *word = u64::from(low) | u64::from(high) << 32;
    }
}

/// Adds 1 to the count of each option that is x.
#[inline(always)]
pub fn count_equal<C: Width, M>(_: M, counts: &mut [u8], options: &[C], x: C) {
    for (count, &option) in counts.iter_mut().zip(options) {
        *count += u8::from(option == x);
    }
}

/// The places of a window that are not marked: bit k of byte j for place 128k + j.
pub type OpenPlaces = [[u8; 16]; 8];

/// The places of a window that are not marked.
#[inline(always)]
pub fn open_places(window: &Window) -> OpenPlaces {
    let mut open = [[0; 16]; 8];
    for (bit, marks) in window.as_chunks::<128>().0.iter().enumerate() {
        for (byte, mark) in open.as_flattened_mut().iter_mut().zip(marks) {
            *byte |= (mark ^ 1) << bit;
        }
    }
    open
}

/// Marks the values of pairs in windows or strips. The places of a block come first, as the compiler finds them in registers.
#[inline(always)]
pub fn mark_values<M, const LENGTH: usize>(
    _: M,
    marks: &mut [[u8; LENGTH]],
    base: u16,
    ones: HalvesOf<'_>,
    others: HalvesOf<'_>,
) {
    let marks = marks.as_flattened_mut();
    let mut mark = |place: u16| {
        if let Some(mark) = marks.get_mut(usize::from(place)) {
            *mark = 1;
        }
    };
    let (blocks, rest) = ones.blocks();
    let (other_blocks, others_rest) = others.blocks();
    for (ones, others) in blocks.zip(other_blocks) {
        let mut places = [0; LANES];
        for (k, place) in places.iter_mut().enumerate() {
            let (low, high) = (ones[0][k] ^ others[0][k], ones[1][k] ^ others[1][k]);
            *place = number(low, high).wrapping_sub(base);
        }
        places.into_iter().for_each(&mut mark);
    }
    let rest = rest.numbers().zip(others_rest.numbers());
    rest.for_each(|(one, other)| mark((one ^ other).wrapping_sub(base)));
}

/// The options of the heaps of a block by pairs with some first parts, one after the other.
#[inline(always)]
pub fn options_of_heaps<M>(
    _: M,
    words: &[u16],
    sum: usize,
    firsts: &[u32],
    rows: (&mut Halves, usize),
) {
    options_of_heaps_from(0, words, sum, firsts, rows);
}

/// The same for the first parts from a place on.
#[inline(always)]
pub fn options_of_heaps_from(
    from: usize,
    words: &[u16],
    sum: usize,
    firsts: &[u32],
    (options, apart): (&mut Halves, usize),
) {
    let [low, high] = options.rows_mut();
    for (k, &first) in firsts.iter().enumerate().skip(from) {
        let first = first as usize;
        let mut options = [[0; 2]; WORDS];
        for (option, second) in options.iter_mut().zip(&words[sum - first..]) {
            *option = halves(words[first] ^ second);
        }
        let places = (k..).step_by(apart);
        for (place, option) in places.zip(options) {
            [low[place], high[place]] = option;
        }
    }
}
