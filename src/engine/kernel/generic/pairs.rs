//! Pairs of codes or values. In `scan` and `unpaired` the first part of a pair ascends and the second descends; in the rows of
//! `unwitnessed` the first descends and the second ascends. In `mark_pairs` and `mark_windows` number k of one list goes with
//! number k of the other. In `options_of_heaps` each first part goes with as many neighbouring second parts as there are heaps.

use super::{Lookups, Registers, plain};
use crate::engine::kernel::checked::{Opposite, Pairs, Seconds};
use crate::engine::kernel::code::Code;
use crate::engine::kernel::compaction::{Keep, retain};
use crate::engine::kernel::first_parts::BLOCKS_IN_ROW;
use crate::engine::kernel::halves::{Halves, HalvesOf, LOW_BITS, halves};
use crate::engine::kernel::open_candidates::OpenCandidate;
use crate::engine::kernel::width::Width;
use crate::engine::kernel::{LANES, SeenValues, WINDOW, WORDS, Window};

/// The lanes in which a block of first codes XOR a block of second ones, these backwards, gives the wanted code.
#[inline(always)]
fn hits<C: Code, M: Registers<C>>(
    m: M,
    (firsts, seconds): (&C::Block, &C::Block),
    wanted: M::Register,
    piece: usize,
) -> M::Mask {
    let second = m.reversed(m.load(seconds, M::PIECES - 1 - piece));
    m.equal(m.xor(m.load(firsts, piece), wanted), second)
}

/// Like [`hits`], for all pieces of the block together: the lanes in which some piece has a hit.
#[inline(always)]
fn any_hit<C: Code, M: Registers<C>>(
    m: M,
    block: (&C::Block, &C::Block),
    wanted: M::Register,
) -> M::Mask {
    let mut hit = hits::<C, M>(m, block, wanted, 0);
    for piece in 1..M::PIECES {
        hit = m.either(hit, hits::<C, M>(m, block, wanted, piece));
    }
    hit
}

/// The first i of the pairs whose codes XOR one another give x, neither of them masked.
#[inline(always)]
pub fn scan<C: Code, M: Registers<C>>(
    m: M,
    pairs: Pairs<'_, C>,
    mask: &[C],
    x: C,
) -> Option<usize> {
    let (codes, sum, low, high) = pairs.parts();
    let wanted = m.all(x);
    let mut blocks = pairs.blocks();
    let rest = low + blocks.len() * C::LANES;
    // Four registers are compared for each branch, while there are so many.
    for at_once in [4 / M::PIECES, 1] {
        while blocks.len() >= at_once {
            let here = blocks.clone();
            let mut hit = m.mask(0);
            for (firsts, seconds, _) in blocks.by_ref().take(at_once) {
                hit = m.either(hit, any_hit::<C, M>(m, (firsts, seconds), wanted));
            }
            if !m.is_empty(hit) {
                for (firsts, seconds, i) in here.take(at_once) {
                    let found = first_hit(m, (firsts, seconds, i), (mask, sum), wanted);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
    }
    hit_in(codes, mask, sum, (rest, high), x)
}

/// The first i of a block that is hit and not masked.
#[inline(always)]
fn first_hit<C: Code, M: Registers<C>>(
    m: M,
    (firsts, seconds, first): (&C::Block, &C::Block, usize),
    (mask, sum): (&[C], usize),
    wanted: M::Register,
) -> Option<usize> {
    let is_masked = |i: usize| mask.get(i).is_some_and(|&mask| mask == C::DEAD);
    for piece in 0..M::PIECES {
        let mut hit = m.bits(hits::<C, M>(m, (firsts, seconds), wanted, piece));
        while hit != 0 {
            let i = first + piece * M::lanes() + hit.trailing_zeros() as usize;
            if !is_masked(i) && !is_masked(sum - i) {
                return Some(i);
            }
            hit &= hit - 1;
        }
    }
    None
}

/// The first i from `low` to below `high` with `codes[i] ^ codes[sum - i] == x`, neither of them masked, one looked at after
/// the other.
#[inline(never)]
fn hit_in<C: Width>(
    codes: &[C],
    mask: &[C],
    sum: usize,
    (low, high): (usize, usize),
    x: C,
) -> Option<usize> {
    let masked = |i: usize| mask.get(i).is_some_and(|&mask| mask == C::DEAD);
    (low..high).find(|&i| codes[i] ^ codes[sum - i] == x && !masked(i) && !masked(sum - i))
}

/// The codes of a set (a bit each, below 64) that no first code gives with its second one, the seconds backwards.
#[inline(always)]
pub fn unpaired<M: Registers<u8>>(m: M, firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
    let mut codes = codes;
    let (blocks, rest) = firsts.as_chunks();
    let (others_rest, others) = seconds.as_rchunks();
    for block in blocks.iter().zip(others.iter().rev()) {
        let mut left = codes;
        while left != 0 {
            let code = left.trailing_zeros();
            if !m.is_empty(any_hit::<u8, M>(m, block, m.all(code as u8))) {
                codes &= !(1 << code);
            }
            left &= left - 1;
        }
        if codes == 0 {
            return 0;
        }
    }
    for (first, second) in rest.iter().zip(others_rest.iter().rev()) {
        let x = first ^ second;
        codes &= !(u64::from(x < 64) << (x & 63));
    }
    codes
}

/// Removes the open candidates that some row gives: a first part XOR the code opposite it, neither of them masked.
#[inline(always)]
pub fn unwitnessed<C: Code, M: Registers<C>>(
    m: M,
    open: &mut Vec<OpenCandidate>,
    from: Opposite<'_, C>,
) {
    match (from.firsts_are_masked(), from.sources_are_masked()) {
        (false, false) => unwitnessed_by::<C, M, false, false>(m, open, from),
        (false, true) => unwitnessed_by::<C, M, false, true>(m, open, from),
        (true, false) => unwitnessed_by::<C, M, true, false>(m, open, from),
        (true, true) => unwitnessed_by::<C, M, true, true>(m, open, from),
    }
}

/// The most registers that a row takes.
const MOST: usize = 4 * BLOCKS_IN_ROW;

#[inline(always)]
fn unwitnessed_by<
    C: Code,
    M: Registers<C>,
    const FIRSTS_MASKED: bool,
    const SECONDS_MASKED: bool,
>(
    m: M,
    open: &mut Vec<OpenCandidate>,
    from: Opposite<'_, C>,
) {
    for (row, seconds, masks) in from.each() {
        let mut pairs = RowOfPairs::<C, M, FIRSTS_MASKED, SECONDS_MASKED> {
            m,
            firsts: [m.all(C::ZERO); MOST],
            dead: [m.all(C::ZERO); MOST],
            seconds,
            masks,
        };
        for k in 0..BLOCKS_IN_ROW * M::PIECES {
            pairs.firsts[k] = m.load(&row.codes[k / M::PIECES], k % M::PIECES);
            pairs.dead[k] = m.load(&row.mask[k / M::PIECES], k % M::PIECES);
        }
        retain(open, pairs);
        if open.is_empty() {
            return;
        }
    }
}

/// A row of first parts in registers, and what lies opposite it.
struct RowOfPairs<
    'a,
    C: Code,
    M: Registers<C>,
    const FIRSTS_MASKED: bool,
    const SECONDS_MASKED: bool,
> {
    m: M,
    firsts: [M::Register; MOST],
    dead: [M::Register; MOST],
    seconds: Seconds<'a, C>,
    masks: Option<Seconds<'a, C>>,
}

impl<C: Code, M: Registers<C>, const FIRSTS_MASKED: bool, const SECONDS_MASKED: bool>
    Keep<OpenCandidate> for RowOfPairs<'_, C, M, FIRSTS_MASKED, SECONDS_MASKED>
{
    /// Whether no pair of the row gives this candidate.
    #[inline(always)]
    fn keeps(&self, candidate: OpenCandidate) -> bool {
        let m = self.m;
        let code = m.all_words(candidate.codes());
        let seconds = self.seconds.of(candidate.offset());
        let mut hit = m.mask(0);
        for k in 0..BLOCKS_IN_ROW * M::PIECES {
            let (block, piece) = (k / M::PIECES, k % M::PIECES);
            let mut x = m.xor(m.load(&seconds[block], piece), self.firsts[k]);
            if FIRSTS_MASKED {
                x = m.or(x, self.dead[k]);
            }
            if SECONDS_MASKED && let Some(masks) = self.masks {
                let masks = masks.of(candidate.offset());
                x = m.or(x, m.load(&masks[block], piece));
            }
            hit = m.either(hit, m.equal(x, code));
        }
        m.is_empty(hit)
    }
}

/// Marks the values that each of some values gives with another. Four values at a time are one word, as a processor takes longer
/// to move a value from a register of vectors than from a word. All words of a group are made before its marks are written;
/// otherwise the processor would hold back each load until it knew that no earlier mark is written to that place.
#[inline(always)]
pub fn mark_pairs<M>(_: M, seen: &mut SeenValues, ones: &[u16], others: &[u16]) {
    const VALUES_AT_ONCE: usize = 64;
    let (blocks, rest) = ones.as_chunks::<VALUES_AT_ONCE>();
    let (other_blocks, others_rest) = others.as_chunks::<VALUES_AT_ONCE>();
    for (ones, others) in blocks.iter().zip(other_blocks) {
        let (ones, others) = (ones.as_chunks().0, others.as_chunks().0);
        let words: [u64; VALUES_AT_ONCE / 4] =
            std::array::from_fn(|k| word_of(ones[k]) ^ word_of(others[k]));
        for word in words {
            for k in 0..4 {
                seen[usize::from((word >> (16 * k)) as u16)] = 1;
            }
        }
    }
    for (one, other) in rest.iter().zip(others_rest) {
        seen[usize::from(one ^ other)] = 1;
    }
}

/// Four values as a word, the first one lowest.
fn word_of(values: [u16; 4]) -> u64 {
    let [a, b, c, d] = values.map(u64::from);
    a | b << 16 | c << 32 | d << 48
}

/// Like [`mark_pairs`], in one, two or four windows of the values from `base` on alone. Where most values are marked, few pairs
/// give those that are not, and to find these takes less time than to mark all.
#[inline(always)]
pub fn mark_windows<M: Lookups>(
    m: M,
    windows: &mut [Window],
    base: u16,
    ones: HalvesOf<'_>,
    others: HalvesOf<'_>,
) {
    if let Ok(windows) = <&mut [Window; 1]>::try_from(&mut *windows) {
        mark_so_many(m, windows, base, ones, others);
    } else if let Ok(windows) = <&mut [Window; 2]>::try_from(&mut *windows) {
        mark_so_many(m, windows, base, ones, others);
    } else if let Ok(windows) = <&mut [Window; 4]>::try_from(windows) {
        mark_so_many(m, windows, base, ones, others);
    }
}

/// The same in so many windows.
#[inline(always)]
fn mark_so_many<M: Lookups, const WINDOWS: usize>(
    m: M,
    windows: &mut [Window; WINDOWS],
    base: u16,
    ones: HalvesOf<'_>,
    others: HalvesOf<'_>,
) {
    let open = m.open(windows);
    let [_, high_base] = halves(base);
    let (mut low, mut high) = ([0; 8 * LANES], [0; 8 * LANES]);
    let mut count = 0;
    let (blocks, rest) = ones.blocks();
    let (other_blocks, others_rest) = others.blocks();
    for (ones, others) in blocks.zip(other_blocks) {
        let room = (
            low[count..].first_chunk_mut(),
            high[count..].first_chunk_mut(),
        );
        if let (Some(low), Some(high)) = room {
            count += m.pick(&open, [ones, others], high_base, [low, high]);
        }
        if count > low.len() - LANES {
            mark(windows, &low[..count], &high[..count]);
            count = 0;
        }
    }
    mark(windows, &low[..count], &high[..count]);
    plain::mark_values(m, windows, base, rest, others_rest);
}

/// Marks places in windows, by their halves.
#[inline(always)]
fn mark<const WINDOWS: usize>(windows: &mut [Window; WINDOWS], low: &[u8], high: &[u8]) {
    let marks = windows.as_flattened_mut();
    for (&low, &high) in low.iter().zip(high) {
        let place = usize::from(high) << LOW_BITS | usize::from(low);
        marks[place % (WINDOWS * WINDOW)] = 1;
    }
}

/// The options of the heaps of a block by pairs with some first parts, `words[first] ^ words[sum + heap - first]`. The options of
/// a heap begin `apart` numbers behind those of the heap before. Each group of eight lanes is read with the second parts that
/// eight neighbouring heaps have for one first part; transposing eight such registers gives one register for each heap.
#[inline(always)]
pub fn options_of_heaps<M: Lookups>(
    m: M,
    words: &[u16],
    sum: usize,
    firsts: &[u32],
    (options, apart): (&mut Halves, usize),
) {
    let lanes = M::lanes();
    let whole = firsts.len() - firsts.len() % lanes;
    for (k, firsts) in (0..).step_by(lanes).zip(firsts[..whole].chunks(lanes)) {
        let (mut ones, mut others) = ([0; WORDS], [&[[0; 8]; WORDS / 8]; WORDS]);
        for (i, &first) in firsts.iter().enumerate() {
            let first = first as usize;
            ones[i] = words[first];
            if let Some(seconds) = words[sum - first..].as_chunks().0.first_chunk() {
                others[i] = seconds;
            }
        }
        let ones = m.load(&ones, 0);
        for heaps in (0..WORDS).step_by(8) {
            // Not by closures: in those that the compiler leaves functions, intrinsics are calls.
            let mut x = [ones; 8];
            for (i, x) in x.iter_mut().enumerate() {
                let mut eights = [&[0; 8]; WORDS / 8];
                for (lane, eight) in eights.iter_mut().enumerate() {
                    *eight = &others[8 * lane + i][heaps / 8];
                }
                *x = m.eights(eights);
            }
            // An 8 by 8 transposition in each group of eight lanes: three times, register i is interleaved with register i + 4.
            for _ in 0..8_usize.ilog2() {
                let y = x;
                for i in 0..4 {
                    [x[2 * i], x[2 * i + 1]] = m.zip(y[i], y[i + 4]);
                }
            }
            for (heap, x) in (heaps..).zip(x) {
                let place = heap * apart + k;
                let to = options.rows_mut().map(|options| &mut options[place..]);
                m.write_halves(to, m.xor(x, ones));
            }
        }
    }
    plain::options_of_heaps_from(whole, words, sum, firsts, (options, apart));
}
