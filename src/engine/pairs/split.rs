//! The candidates for the nim-values of a block from fewer than all pairs, where few enough heaps are rare.
//!
//! Values are written as words: the code of a value, and above all codes a bit for the common class
//! (`table/sparse_space.rs`). Words add under XOR as values do, so the words of a pair give that of the option, and its
//! class. A common option has a rare part: the common candidates for the mex are found by the pairs with a rare part alone.
//! Whether a rare value below such a candidate is an option is asked of all pairs, but one that gives it is enough: most
//! are among some thousand pairs, which are marked too, and the few that are left are looked up together. Neighbouring pairs
//! give much the same options, so the rare parts and the pairs that are marked are taken from everywhere ([`spread`]), not one after
//! the other.
//! Time: the pairs with a rare part and some thousand more; all n/2 pairs only for what none gives, the value of a rare
//! heap. Memory: two bytes a heap more. Twin: `windows.rs`.

use super::marks::Marks;
use super::{Balance, Far, Outcome, leave_unpaired};
use crate::engine::kernel::{Kernel, SLOTS, WORDS, Words, set_bits};
use crate::engine::octal::Octal;
use crate::engine::table::sparse_space::SparseSpace;
use crate::ruleset::gcd;
use std::ops::Range;

/// At most one heap in so many may be rare.
const SHARE: usize = 4;
/// What testing the slots of a block by a pair costs, in options marked.
const TEST_COST: usize = 5;

/// The values as words, and which heaps are rare.
pub struct Split {
    split: SparseSpace,
    /// The bit of the common class, larger than all codes.
    common: u16,
    /// A word for each heap: its code, and the bit of the common class where it is common.
    words: Vec<u16>,
    rares: Vec<u32>,
    /// Which of the rare heaps are rare parts of far pairs of all heaps to come, by their places in `rares`; in `order` they
    /// stand as they are marked and tested.
    arranged: Range<usize>,
    order: Vec<u32>,
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
            arranged: 0..0,
            order: Vec::new(),
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

    /// The split with the balances that another one has learnt.
    pub fn balanced_as(self, other: Self) -> Self {
        let Self { found, checked, .. } = other;
        Self {
            found,
            checked,
            ..self
        }
    }

    /// Puts the rare heaps in order, but for those so near to either end that they may be no parts of far pairs.
    pub fn arrange(&mut self, near: usize) {
        let end = self.words.len().saturating_sub(near).max(near);
        self.arranged = self.rare_below(near)..self.rare_below(end);
        let rares = &self.rares[self.arranged.clone()];
        self.order = spread(rares.len()).map(|place| rares[place]).collect();
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

    /// Marks more pairs or fewer from now on, as testing and looking up cost so much, for so many moves of heaps.
    pub fn adapt(&mut self, moves: usize, [tested, looked_up]: [usize; 2]) {
        self.found.adapt(moves, tested);
        self.checked.adapt(moves, looked_up);
    }

    /// For each heap of the block of `start` the `spare` smallest values that no far pair gives.
    pub fn candidates(&self, kernel: Kernel, far: &[Far], start: usize, spare: usize) -> Outcome {
        let size = usize::from(self.common);
        let mut marks = Marks::new(2 * size);
        let (marked, left) = self.order.split_at(self.found.0.min(self.order.len()));
        let mut tests = Vec::with_capacity(3 * far.len());
        for far in far {
            let marked = marked.iter().map(|&heap| heap as usize);
            marks.add(&self.words, far.sum, marked);
            let first = self.rare_below(far.low)..self.arranged.start;
            let last = self.arranged.end..self.rare_below(far.sum + 1 - far.low);
            let all = [left, &self.rares[first], &self.rares[last]];
            tests.extend(all.map(|rares| (far.sum, rares)));
        }
        // Of rare options two equal rare heaps may be none.
        marks.clear_below(size);
        for far in far {
            let firsts = spread(far.high - far.low).take(self.checked.0);
            marks.add(&self.words, far.sum, firsts.map(|place| far.low + place));
        }
        let mut lanes: Vec<Lane> = (0..WORDS).map(|_| Lane::new(self.common)).collect();
        let mut tested = [0; 2];
        while lanes.iter().any(|lane| lane.lacks(spare)) {
            let mut slots = self.slots(&marks, &mut lanes, spare);
            if slots[0] != Words::DEAD {
                for &(sum, rares) in &tests {
                    kernel.kill_words(&mut slots, &self.words, sum, rares);
                    tested[0] += rares.len() * TEST_COST;
                }
            }
            for (at, lane) in lanes.iter_mut().enumerate() {
                if !lane.lacks(spare) {
                    continue;
                }
                let left = slots.iter().map(|slot| slot.0[at]);
                let left = left.filter(|&word| word != u16::MAX);
                let mut commons: Vec<u16> = left.map(|word| word ^ self.common).collect();
                // Every common code below is an option or among them.
                let mut end = lane.next - self.common;
                if end == self.common {
                    // No pair gives a code beyond.
                    commons.push(end);
                    lane.is_done = true;
                }
                if let Some(&last) = commons.get(spare - lane.free.len() - 1) {
                    end = last;
                    commons.retain(|&code| code <= last);
                }
                let below = self.split.rare_below(end, start + at);
                let mut rares: Vec<u16> = (lane.rares..below.min(self.common))
                    .filter(|&code| marks.of(code.into())[at] == 0)
                    .collect();
                tested[1] += leave_unpaired(kernel, &self.words, far, at, &mut rares);
                rares.extend(lane.rares.max(self.common)..below);
                lane.rares = lane.rares.max(below);
                let before = lane.free.len();
                let value = |code, rare| self.split.value(code, rare, start + at);
                lane.free
                    .extend(rares.into_iter().map(|code| value(code, true)));
                lane.free
                    .extend(commons.into_iter().map(|code| value(code, false)));
                lane.free[before..].sort_unstable();
            }
        }
        let free = lanes.into_iter().map(|lane| lane.free).collect();
        Outcome { free, tested }
    }

    /// The next common words of each heap that lacks values that are not marked, as many as there are slots.
    fn slots(&self, marks: &Marks, lanes: &mut [Lane], spare: usize) -> [Words; SLOTS] {
        let mut slots = [Words::DEAD; SLOTS];
        let mut filled = [0; WORDS];
        let mut open = 0u64;
        for (at, lane) in lanes.iter().enumerate() {
            open |= u64::from(lane.lacks(spare)) << at;
        }
        let first = set_bits(open).map(|at| lanes[at].next).min();
        for word in first.unwrap_or(2 * self.common)..2 * self.common {
            for at in set_bits(u64::from(marks.open(word.into())) & open) {
                if lanes[at].next <= word {
                    slots[filled[at]].0[at] = word;
                    filled[at] += 1;
                    lanes[at].next = word + 1;
                    if filled[at] == SLOTS {
                        open ^= 1 << at;
                    }
                }
            }
            if open == 0 {
                break;
            }
        }
        set_bits(open).for_each(|at| lanes[at].next = 2 * self.common);
        slots
    }
}

/// What is known of one heap of a block.
struct Lane {
    /// The next common word to look at.
    next: u16,
    /// Rare codes below this one are options or among the values found.
    rares: u16,
    /// Values that no pair gives, ascending.
    free: Vec<u16>,
    /// Whether all words have been looked at.
    is_done: bool,
}

impl Lane {
    fn new(common: u16) -> Self {
        Self {
            next: common,
            rares: 0,
            free: Vec::new(),
            is_done: false,
        }
    }

    /// Whether fewer values than so many have been found.
    fn lacks(&self, spare: usize) -> bool {
        !self.is_done && self.free.len() < spare
    }
}

/// The numbers below `count`, each once, of which the first ones are spread evenly over all.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    // About the golden section of them, and prime to their number.
    let mut steps = count * 34 / 55..;
    let step = steps
        .find(|&step| gcd(step as u64, count as u64) == 1)
        .unwrap_or(1);
    std::iter::successors(Some(0), move |place| Some((place + step) % count)).take(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread() {
        for count in [0, 1, 2, 3, 4, 54, 55, 110, 1000, 30_030] {
            let numbers: Vec<usize> = spread(count).collect();
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..count), "{count}");
            // Of the first tenth each tenth has its share.
            for tenth in 0..10 * usize::from(count >= 1000) {
                let inside = |number: &&usize| **number * 10 / count == tenth;
                let share = numbers[..count / 10].iter().filter(inside).count();
                assert!(share.abs_diff(count / 100) <= 3, "{count}: {share}");
            }
        }
    }
}
