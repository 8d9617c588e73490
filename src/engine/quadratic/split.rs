//! The same from fewer pairs, where few enough heaps are rare.
//!
//! Values are written as words: the code of a value, and above all codes a bit for the common class
//! (`table/sparse_space.rs`). Words add under XOR as values do, so the words of a pair give that of the option, and its
//! class. A common option has a rare part: the common candidates for the mex are found by the pairs with a rare part alone.
//! Whether a rare value below such a candidate is an option is asked of all pairs, but one that gives it is enough: most
//! are among the first pairs, which are marked too, and the few that are left are looked up together.
//! Time: the pairs with a rare part and some thousand more; all n/2 pairs only for what none gives, the value of a rare
//! heap. Memory: two bytes a heap more. Twin: `windows.rs`.

use super::marks::Marks;
use super::{Balance, Far, Outcome};
use crate::engine::kernel::{Kernel, SLOTS, WORDS, Words};
use crate::engine::octal::Octal;
use crate::engine::table::sparse_space::SparseSpace;

/// At most one heap in so many may be rare.
const SHARE: usize = 4;
/// Pairs compared before it is seen what is left.
const CHUNK: usize = 512;
/// Comparisons that cost as much as an option marked, and those for which an option is made.
const COMPARED_AT_ONCE: usize = 16;
const MADE_FOR: usize = 2;
/// What testing the slots of a block by a pair costs, in options marked.
const TEST_COST: usize = 5;

pub struct Split {
    split: SparseSpace,
    /// The bit of the common class, larger than all codes.
    common: u16,
    /// A word a heap.
    words: Vec<u16>,
    rares: Vec<u32>,
    /// How many pairs with a rare part are marked, and how many of all.
    found: Balance,
    checked: Balance,
}

impl Split {
    /// The best split of some values, if it is worth it.
    pub fn discover(game: &Octal, values: &[u16]) -> Option<Self> {
        let breaks: Vec<usize> = game.breaks.iter().map(|&(b, _)| b).collect();
        let from = values.len() / 2;
        let (split, _) = SparseSpace::discover(&values[from..], from, &breaks)?;
        let largest = values.iter().map(|&value| split.code(value)).max()?;
        let mut found = Self {
            split,
            // A code beyond all others must have a value that fits a word.
            common: Some((largest + 1).next_power_of_two()).filter(|&bit| bit < 1 << 15)?,
            words: Vec::new(),
            rares: Vec::new(),
            found: Balance(1024),
            checked: Balance(1024),
        };
        found.extend(values)?;
        (SHARE * found.rares.len() <= values.len()).then_some(found)
    }

    /// How many of the first so many heaps are rare.
    pub fn rare_below(&self, heaps: usize) -> usize {
        self.rares.partition_point(|&rare| (rare as usize) < heaps)
    }

    /// With what another one has learnt.
    pub fn balanced_as(self, other: Self) -> Self {
        let Self { found, checked, .. } = other;
        Self {
            found,
            checked,
            ..self
        }
    }

    /// Takes over the values of further heaps; `None` if there is no room for them, or a code has a new bit.
    pub fn extend(&mut self, values: &[u16]) -> Option<()> {
        let known = self.words.len();
        self.words.try_reserve(values.len() - known).ok()?;
        for (heap, &value) in values.iter().enumerate().skip(known) {
            let code = self.split.code(value);
            if code >= self.common {
                return None;
            }
            if self.split.is_rare(value, heap) {
                self.rares.push(u32::try_from(heap).ok()?);
                self.words.push(code);
            } else {
                self.words.push(code | self.common);
            }
        }
        Some(())
    }

    /// Where testing and looking up cost so much, for so many moves of heaps.
    pub fn adapt(&mut self, moves: usize, [tested, looked_up]: [usize; 2]) {
        self.found.adapt(moves, tested);
        self.checked.adapt(moves, looked_up);
    }

    /// For each heap of the block of `start` the `spare` smallest values that no far pair gives.
    pub fn candidates(&self, kernel: Kernel, far: &[Far], start: usize, spare: usize) -> Outcome {
        let size = usize::from(self.common);
        let mut marks = Marks::new(2 * size);
        let (first, rest): (Vec<Far>, Vec<Far>) =
            far.iter().map(|far| far.split_at(self.checked.0)).unzip();
        let mut tests = Vec::with_capacity(far.len());
        for far in &rest {
            let rares = self.rares_of(far);
            let (marked, tested) = rares.split_at(self.found.0.min(rares.len()));
            let marked = marked.iter().map(|&heap| heap as usize);
            marks.add(&self.words, far.sum, marked);
            tests.push((far.sum, tested));
        }
        // Of rare options two equal rare heaps may be none.
        marks.clear_below(size);
        for far in first {
            marks.add(&self.words, far.sum, far.low..far.high);
        }
        let (commons, tested) = self.find(kernel, &marks, &tests, spare);
        let mut looked_up = 0;
        let lanes = marks.lanes().zip(commons).zip(start..).enumerate();
        let free = lanes.map(|(lane, ((seen, commons), heap))| {
            let below = commons
                .last()
                .map_or(0, |&code| self.split.rare_below(code, heap));
            let rares = (0..below)
                .zip(&seen[..size])
                .filter(|(_, seen)| **seen == 0);
            let mut rares: Vec<u16> = rares.map(|(code, _)| code).collect();
            looked_up += self.look_up(kernel, &rest, lane, &mut rares);
            // No pair gives a code beyond.
            rares.extend(self.common..below);
            let value = |rare| move |code| self.split.value(code, rare, heap);
            let rares = rares.into_iter().map(value(true));
            let mut free: Vec<u16> = rares.chain(commons.into_iter().map(value(false))).collect();
            free.sort_unstable();
            free.truncate(spare);
            free
        });
        let free = free.collect();
        let tested = [tested, looked_up];
        Outcome { free, tested }
    }

    /// For each heap `spare` of the smallest common codes or more that no pair with a rare part gives, given what is marked
    /// and what is to be tested; and what that cost.
    fn find(
        &self,
        kernel: Kernel,
        marks: &Marks,
        tests: &[(usize, &[u32])],
        spare: usize,
    ) -> (Vec<Vec<u16>>, usize) {
        let open = marks.lanes().map(|seen| {
            let commons = (self.common..).zip(&seen[usize::from(self.common)..]);
            commons
                .filter(|(_, seen)| **seen == 0)
                .map(|(word, _)| word)
        });
        let mut open: Vec<_> = open.collect();
        let mut free = vec![Vec::new(); WORDS];
        let mut cost = 0;
        loop {
            let mut slots = [Words::DEAD; SLOTS];
            for (lane, (open, free)) in open.iter_mut().zip(&free).enumerate() {
                if free.len() < spare {
                    for (slot, word) in slots.iter_mut().zip(open) {
                        slot.0[lane] = word;
                    }
                }
            }
            if slots[0] == Words::DEAD {
                break;
            }
            for &(sum, rares) in tests {
                kernel.kill_words(&mut slots, &self.words, sum, rares);
                cost += rares.len() * TEST_COST;
            }
            for slot in &slots {
                for (word, free) in slot.0.iter().zip(&mut free) {
                    if *word != u16::MAX {
                        free.push(word ^ self.common);
                    }
                }
            }
        }
        for free in &mut free {
            if free.len() < spare {
                free.push(self.common);
            }
        }
        (free, cost)
    }

    /// The rare parts of far pairs, for the first heap of the block or a later one.
    fn rares_of(&self, far: &Far) -> &[u32] {
        let low = self.rare_below(far.low);
        &self.rares[low..self.rare_below(far.sum + WORDS - far.low).max(low)]
    }

    /// Leaves of some rare codes those that no far pair of a heap gives; returns what that cost, but for what is left, in
    /// options marked.
    fn look_up(&self, kernel: Kernel, far: &[Far], lane: usize, open: &mut Vec<u16>) -> usize {
        let mut cost = 0;
        for Far { sum, low, high } in far.iter().flat_map(|far| far.chunks(CHUNK)) {
            let before = open.len();
            if before == 0 {
                break;
            }
            let firsts = &self.words[low..high];
            let seconds = &self.words[sum + lane + 1 - high..][..firsts.len()];
            kernel.unpaired_words(firsts, seconds, open);
            cost += firsts.len() * (before + MADE_FOR) / COMPARED_AT_ONCE;
        }
        cost
    }
}
