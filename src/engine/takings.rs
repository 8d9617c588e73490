//! Tables of games of taking: a move takes a number of stones that the rule allows, and the rest stays one heap.
//!
//! Each heap keeps its nim-value as one bit of a word. The options of a block of neighbouring heaps by taking the same
//! number are neighbouring words, so that the values of all their options are found by OR alone, in registers; the mex
//! is the first 0. Numbers smaller than the block, which lead from one of these heaps to another, and those that depend on the
//! heap are looked at one by one. Values from 16 on are bits of further words, which are looked at only where the first
//! are all ones; and all options of a heap whose value has no bit there either are looked at one by one.
//!
//! Cost: a fraction of a step for each option and word. Memory: a word of two bytes for each heap beside its value, and one
//! more for each further sixteen values; with them small, few pages of memory are looked at by turns. The simple twin is
//! `grundy.rs`.

use super::Stop;
use crate::grundy;
use crate::ruleset::PlainTakings;

/// How many heaps are worked out together: so many that the options by each number fill a few whole lines of memory, and so few
/// that only a few numbers are smaller than the block. Squares to 10^6 take 0.8 s with 128, 1.0 s with 64 or 256, and 2 s with
/// 32.
const BLOCK: usize = 128;

/// A set of 16 successive nim-values, one bit each.
type Word = u16;

/// How many nim-values one word has bits for.
const VALUES: usize = Word::BITS as usize;

/// Words for the known heaps are made again only if at least one heap in this many is still to be computed.
const WORTH_WORDS: usize = 64;

/// The most words of a heap.
const LAYERS: usize = 16;

/// How many numbers are gone through between two tests whether all values are met.
const BETWEEN_LOOKS: usize = 32;

/// How many bytes a heap takes, with its words.
pub const BYTES: u64 = 2 + (LAYERS * size_of::<Word>()) as u64;

/// Appends nim-values until there are `wanted`, with words for each heap if memory has room; `go_on` is shown the values now and
/// then.
///
/// # Errors
/// If a value is beyond 16 bits, memory is short, or `go_on` stops the work.
pub fn extend(
    values: &mut Vec<u16>,
    wanted: usize,
    takings: &PlainTakings,
    has_room: bool,
    mut go_on: impl FnMut(&[u16]) -> bool,
) -> Result<(), Stop> {
    let known = values.len();
    let new = wanted.saturating_sub(known);
    values.try_reserve_exact(new).map_err(|_| Stop::Memory)?;
    let by_words = has_room && !takings.is_wide() && new * WORTH_WORDS >= known;
    let mut layers: Vec<Vec<Word>> = vec![Vec::new()];
    if by_words {
        values
            .iter()
            .try_for_each(|&value| push_bit(&mut layers, value))?;
    }
    while values.len() < wanted {
        let count = (wanted - values.len()).min(BLOCK);
        if by_words {
            block(values, &mut layers, count, takings)?;
        } else {
            (0..count).try_for_each(|_| push_plain(values, takings))?;
        }
        if !go_on(values) {
            return Err(Stop::Interrupted);
        }
    }
    Ok(())
}

/// Appends a heap to the layers of words: the bit of its value in one layer, and no bit in the others.
fn push_bit(layers: &mut Vec<Vec<Word>>, value: u16) -> Result<(), Stop> {
    let value = usize::from(value);
    let (own, bit) = (value / VALUES, value % VALUES);
    let heaps = layers[0].len();
    while layers.len() <= own && layers.len() < LAYERS {
        let mut layer = Vec::new();
        layer.try_reserve(heaps).map_err(|_| Stop::Memory)?;
        layer.resize(heaps, 0);
        layers.push(layer);
    }
    for (at, layer) in layers.iter_mut().enumerate() {
        layer.try_reserve(1).map_err(|_| Stop::Memory)?;
        layer.push(if at == own { 1 << bit } else { 0 });
    }
    Ok(())
}

/// Appends the next value, found from all options.
fn push_plain(values: &mut Vec<u16>, takings: &PlainTakings) -> Result<(), Stop> {
    let heap = values.len() as u64;
    let mut met = vec![false; 64];
    let mut mark = |take: u64| {
        let value = usize::from(values[(heap - take) as usize]);
        if value >= met.len() {
            met.resize(2 * value, false);
        }
        met[value] = true;
    };
    let numbers = takings.numbers.iter().copied();
    numbers.take_while(|&take| take <= heap).for_each(&mut mark);
    takings.others(heap).for_each(mark);
    let met = (0u64..).zip(met).filter(|&(_, met)| met);
    let value = grundy::mex(met.map(|(value, _)| value));
    values.push(u16::try_from(value).map_err(|_| Stop::TooLarge)?);
    Ok(())
}

/// Computes the next `count` values.
fn block(
    values: &mut Vec<u16>,
    layers: &mut Vec<Vec<Word>>,
    count: usize,
    takings: &PlainTakings,
) -> Result<(), Stop> {
    let base = values.len();
    let numbers = &takings.numbers;
    let small = numbers.partition_point(|&take| take < BLOCK as u64);
    let mut met = [[0; BLOCK]; LAYERS];
    let mut looked = 0;
    for at in 0..count {
        let heap = values.len() as u64;
        let near: Vec<u64> = numbers[..small]
            .iter()
            .copied()
            .chain(takings.others(heap))
            .collect();
        let mut value = None;
        for layer in 0..LAYERS {
            let Some(words) = layers.get(layer) else {
                value = Some((VALUES * layer) as u16);
                break;
            };
            if looked == layer {
                met[layer] = options_of_block(words, base, &numbers[small..]);
                looked += 1;
            }
            let near = near.iter().filter(|&&take| take <= heap);
            let met = near.fold(met[layer][at], |met, &take| {
                met | words[(heap - take) as usize]
            });
            if met < Word::MAX {
                value = Some((VALUES * layer) as u16 + met.trailing_ones() as u16);
                break;
            }
        }
        match value {
            Some(value) => values.push(value),
            None => push_plain(values, takings)?,
        }
        push_bit(layers, values[heap as usize])?;
    }
    Ok(())
}

/// The values of the options of the heaps from `base` on, as bits, by numbers so large that they lead below `base`.
fn options_of_block(words: &[Word], base: usize, numbers: &[u64]) -> [Word; BLOCK] {
    let whole = numbers.partition_point(|&take| take <= base as u64);
    let reach = numbers.partition_point(|&take| take < (base + BLOCK) as u64);
    let mut met = [0; BLOCK];
    for some in numbers[..whole].chunks(BETWEEN_LOOKS) {
        for &take in some {
            if let Some(options) = words[base - take as usize..].first_chunk::<BLOCK>() {
                for (met, option) in met.iter_mut().zip(options) {
                    *met |= option;
                }
            }
        }
        if met == [Word::MAX; BLOCK] {
            return met;
        }
    }
    // The first of these heaps are too small for such numbers.
    for &take in &numbers[whole..reach] {
        let from = take as usize - base;
        for (met, option) in met[from..].iter_mut().zip(words) {
            *met |= option;
        }
    }
    met
}
