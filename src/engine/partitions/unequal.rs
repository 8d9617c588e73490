//! The nim-sums of all splits of a number of stones into a number of heaps, no two of them equal.
//!
//! Each size of a heap is packed once, as soon as its value is known: it is combined with every split into smaller heaps, for
//! every number of stones that will be asked for. Because the numbers of heaps are gone through from more to fewer, no size is
//! packed twice.

use super::sets::shifted;
use crate::engine::Stop;

/// The sets of nim-sums for all numbers of stones, each of the same width.
#[derive(Clone, Debug)]
pub struct Unequal {
    /// The nim-values of the heaps packed.
    packed: Vec<u16>,
    /// The sets for splits into exactly 2, 3, … heaps.
    exact: Vec<Vec<u64>>,
    /// The sets for splits into at least the given number of heaps.
    more: Vec<(usize, Vec<u64>)>,
    /// The number of stones below which there are sets.
    stones: usize,
    /// Words of a set, a power of two.
    width: usize,
    /// How many words were looked at.
    pub steps: u64,
}

impl Unequal {
    /// The sets for splits into exactly 2 to `most` heaps, and into at least as many as each of `more`; for no stones yet.
    pub fn new(most: usize, more: Vec<usize>) -> Unequal {
        Unequal {
            packed: Vec::new(),
            exact: vec![Vec::new(); most.saturating_sub(1)],
            more: more.into_iter().map(|heaps| (heaps, Vec::new())).collect(),
            stones: 0,
            width: 1,
            steps: 0,
        }
    }

    fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.more.is_empty()
    }

    fn levels(&mut self) -> impl Iterator<Item = &mut Vec<u64>> {
        let more = self.more.iter_mut().map(|more| &mut more.1);
        self.exact.iter_mut().chain(more)
    }

    pub fn bytes(&self) -> u64 {
        let levels = self.exact.len() + self.more.len();
        8 * (levels * self.stones * self.width) as u64
    }

    /// The nim-sums of `stones` in exactly `heaps` heaps, two or more.
    pub fn exactly(&self, heaps: usize, stones: usize) -> &[u64] {
        &self.exact[heaps - 2][stones * self.width..][..self.width]
    }

    /// The nim-sums of `stones` in `heaps` heaps or more, two at least.
    pub fn at_least(&self, heaps: usize, stones: usize) -> &[u64] {
        let sets = self.more.iter().find(|more| more.0 == heaps);
        sets.map_or(&[], |more| &more.1[stones * self.width..][..self.width])
    }

    /// Makes room for fewer stones than `to`, and packs the heaps of these values again.
    pub fn prepare(&mut self, to: usize, values: &[u16], memory: u64) -> Result<(), Stop> {
        if self.is_empty() || to <= self.stones {
            return Ok(());
        }
        // If the caller asks for more bit by bit, half as much again is packed ahead: packing again costs all that it cost
        // before.
        let room = if self.stones == 0 {
            to
        } else {
            to.max(self.stones + self.stones / 2)
        };
        self.lay_out(room, self.width, memory)?;
        self.levels().for_each(|sets| sets.fill(0));
        self.packed.clear();
        for (heap, &value) in values.iter().enumerate() {
            self.pack(heap, value, memory)?;
        }
        Ok(())
    }

    /// Gives every set another width, or makes room for more of them.
    fn lay_out(&mut self, stones: usize, width: usize, memory: u64) -> Result<(), Stop> {
        let old = self.width;
        let words = stones.checked_mul(width).ok_or(Stop::Memory)?;
        let levels = (self.exact.len() + self.more.len()) as u64;
        if (words as u64).saturating_mul(8 * levels) > memory {
            return Err(Stop::Memory);
        }
        for sets in self.levels() {
            let mut wide = Vec::new();
            wide.try_reserve_exact(words).map_err(|_| Stop::Memory)?;
            for set in sets.chunks(old) {
                wide.extend_from_slice(set);
                wide.resize(wide.len() + width - old, 0);
            }
            wide.resize(words, 0);
            *sets = wide;
        }
        (self.stones, self.width) = (stones, width);
        Ok(())
    }

    /// Adds the splits with this heap, larger than all that were packed before.
    pub fn pack(&mut self, heap: usize, value: u16, memory: u64) -> Result<(), Stop> {
        if self.is_empty() || heap >= self.stones {
            return Ok(());
        }
        if heap == 0 {
            self.packed.push(value);
            return Ok(());
        }
        let width = usize::from(value) / 64 + 1;
        if width > self.width {
            self.lay_out(self.stones, width.next_power_of_two(), memory)?;
        }
        let (width, most_left) = (self.width, self.stones - 1 - heap);
        let (block, bit) = (usize::from(value / 64), value % 64);
        let join = |to: &mut [u64], rest: &[u64]| {
            for (k, &word) in rest.iter().enumerate() {
                to[k ^ block] |= shifted(word, bit);
            }
        };
        let insert = |to: &mut [u64], one: u16| {
            let sum = one ^ value;
            to[usize::from(sum / 64)] |= 1 << (sum % 64);
        };
        let smaller = (1..=most_left).zip(self.packed.iter().skip(1));
        let mut joined = 0;
        for (heaps, sets) in &mut self.more {
            for left in (1..=most_left).rev() {
                let (before, behind) = sets.split_at_mut((left + heap) * width);
                let to = &mut behind[..width];
                join(to, &before[left * width..][..width]);
                if *heaps > 2 {
                    join(to, &self.exact[*heaps - 3][left * width..][..width]);
                }
            }
            joined += most_left;
            if *heaps == 2 {
                for (left, &one) in smaller.clone() {
                    insert(&mut sets[(left + heap) * width..][..width], one);
                }
            }
        }
        for level in (1..self.exact.len()).rev() {
            let (fewer, more) = self.exact.split_at_mut(level);
            let (from, to) = (&fewer[level - 1], &mut more[0]);
            let heaps = level + 1;
            // The sizes of so many unequal heaps below `heap` add up to at least 1 + 2 + … + `heaps`, and to at most
            // `heaps` · (`heap` - 1).
            let (least, most) = (heaps * (heaps + 1) / 2, heaps * (heap - 1));
            for left in least..=most_left.min(most) {
                let to = &mut to[(left + heap) * width..][..width];
                join(to, &from[left * width..][..width]);
                joined += 1;
            }
        }
        if let Some(pairs) = self.exact.first_mut() {
            for (left, &one) in smaller {
                insert(&mut pairs[(left + heap) * width..][..width], one);
            }
        }
        self.packed.push(value);
        self.steps += (joined * width + heap) as u64;
        Ok(())
    }
}
