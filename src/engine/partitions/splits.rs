//! The nim-sums of all splits of a number of stones into a number of heaps of any sizes, or not all equal.
//!
//! For k heaps of r stones, S(k, r) is the union over a of g(a) + S(k - 1, r - a), nim-addition throughout; so is that
//! for c heaps or more, of S(c - 1, r - a) and of itself. Splits that are not all equal lack a heap a of theirs: what is
//! left is not all equal either, or it is, and its heaps have another size than a. No value is beyond the largest sum
//! g(a) + max S(k - 1, r - a), with carry; a set that holds all values up to there is full, and the union ends early.

use super::sets::{Set, Sets};
use crate::engine::Stop;
use crate::ruleset::Parts;

/// How many heaps are joined one by one, with a test at each power of two whether the set is full; most sets are full by then. With
/// half and a quarter of it 0.9, 0.19, 0.59 and 0.B9 to 5,000 take up to 2 % less, with twice as many up to 3 % more (Zen 1).
const EAGER: usize = 64;

/// The sets of nim-sums for the first numbers of stones.
#[derive(Clone, Debug)]
pub struct Splits {
    /// [`Parts::Any`] or [`Parts::NotAllEqual`].
    comparison: Parts,
    /// The sets for splits into exactly 2, 3, … heaps.
    exact: Vec<Sets>,
    /// The sets for splits into at least the given number of heaps.
    more: Vec<(usize, Sets)>,
    union: Set,
    groups: Vec<Set>,
    /// How many words were looked at.
    pub steps: u64,
}

impl Splits {
    /// The sets for splits into exactly 2 to `most` heaps, and into at least as many as each of `more`; for no stones yet.
    pub fn new(comparison: Parts, most: usize, more: Vec<usize>) -> Splits {
        Splits {
            comparison,
            exact: vec![Sets::default(); most.saturating_sub(1)],
            more: more
                .into_iter()
                .map(|heaps| (heaps, Sets::default()))
                .collect(),
            union: Set::default(),
            groups: vec![Set::default(); 64],
            steps: 0,
        }
    }

    /// The nim-sums of `stones` in exactly `heaps` heaps, two or more.
    pub fn exactly(&self, heaps: usize, stones: usize) -> &[u64] {
        self.exact[heaps - 2].get(stones)
    }

    /// The nim-sums of `stones` in `heaps` heaps or more, two at least.
    pub fn at_least(&self, heaps: usize, stones: usize) -> &[u64] {
        let sets = self.more.iter().find(|more| more.0 == heaps);
        sets.map_or(&[], |more| more.1.get(stones))
    }

    /// Whether `stones` in exactly `heaps` heaps, two or more, can have the nim-sum.
    pub fn reaches(&self, heaps: usize, stones: usize, value: usize) -> bool {
        self.exact[heaps - 2].contains(stones, value)
    }

    pub fn bytes(&self) -> u64 {
        let more = self.more.iter().map(|more| &more.1);
        self.exact.iter().chain(more).map(Sets::bytes).sum()
    }

    /// Adds the sets for as many stones as there are values: the parts are smaller.
    pub fn grow(&mut self, values: &[u16]) -> Result<(), Stop> {
        for level in 0..self.exact.len() {
            self.grow_exact(level, values)?;
        }
        for k in 0..self.more.len() {
            let heaps = self.more[k].0;
            let last = values.len().max(heaps);
            let copies = match self.comparison {
                Parts::NotAllEqual => heaps - 1..last,
                _ if heaps == 2 => 1..2,
                _ => 1..1,
            };
            let mut from = vec![&self.more[k].1];
            from.extend(heaps.checked_sub(3).map(|level| &self.exact[level]));
            self.steps += unite(
                &mut self.union,
                &mut self.groups,
                (self.comparison, values),
                copies,
                &from,
            );
            self.more[k].1.push(&self.union)?;
        }
        Ok(())
    }

    /// Adds the sets for one heap more, for every number of stones up to that of `values`.
    pub fn raise(&mut self, values: &[u16]) -> Result<(), Stop> {
        self.exact.push(Sets::default());
        let level = self.exact.len() - 1;
        let done = (0..=values.len()).try_for_each(|n| self.grow_exact(level, &values[..n]));
        if done.is_err() {
            self.exact.pop();
        }
        done
    }

    /// How many heaps the sets go to.
    pub fn most(&self) -> usize {
        self.exact.len() + 1
    }

    fn grow_exact(&mut self, level: usize, values: &[u16]) -> Result<(), Stop> {
        debug_assert_eq!(self.exact[level].len(), values.len());
        let copies = match self.comparison {
            Parts::NotAllEqual => level + 1..level + 2,
            _ if level == 0 => 1..2,
            _ => 1..1,
        };
        let below = level.checked_sub(1).map(|below| &self.exact[below]);
        let from: Vec<&Sets> = below.into_iter().collect();
        self.steps += unite(
            &mut self.union,
            &mut self.groups,
            (self.comparison, values),
            copies,
            &from,
        );
        self.exact[level].push(&self.union)
    }
}

/// Makes the set for as many stones as there are values: of one heap with a rest from one of the sets, or with a rest in equal
/// heaps, as many as `copies` says. Returns how many words that took.
fn unite(
    union: &mut Set,
    groups: &mut [Set],
    (comparison, values): (Parts, &[u16]),
    copies: std::ops::Range<usize>,
    from: &[&Sets],
) -> u64 {
    let stones = values.len();
    union.clear();
    let mut steps = 1;
    for heaps in copies {
        let sizes = (1..).take_while(|size| heaps * size < stones);
        for size in sizes {
            let one = stones - heaps * size;
            // With one heap besides, each pair would be met twice, once from either heap.
            if heaps == 1 && one > size || one == size && comparison == Parts::NotAllEqual {
                continue;
            }
            let others = if heaps % 2 == 1 { values[size] } else { 0 };
            union.insert(values[one] ^ others);
            steps += 1;
        }
    }
    if from.is_empty() {
        return steps;
    }
    let mut bound = None;
    let eager = stones.min(EAGER + 1);
    for one in 1..eager {
        for sets in from {
            let rest = sets.get(stones - one);
            union.join_shifted(rest, values[one]);
            steps += 1 + rest.len() as u64;
        }
        if one.is_power_of_two()
            && let Some(largest) = union.largest()
            && union.mex() == largest + 1
        {
            let bound = *bound.get_or_insert_with(|| most(values, from));
            steps += stones as u64 / 4;
            if largest >= bound {
                return steps;
            }
        }
    }
    // All heaps whose values agree but for the word at once: moving bits within words costs most.
    for (one, &value) in values.iter().enumerate().skip(eager) {
        let group = &mut groups[usize::from(value % 64)];
        for sets in from {
            let rest = sets.get(stones - one);
            group.join_shifted(rest, value & !63);
            steps += 1 + rest.len() as u64;
        }
    }
    for (bit, group) in (0..).zip(groups) {
        union.join_shifted(group.words(), bit);
        group.clear();
    }
    steps
}

/// A bound that no nim-sum of a heap with one of these values and a rest from these sets exceeds.
fn most(values: &[u16], from: &[&Sets]) -> usize {
    let stones = values.len();
    let mut most = 0;
    let mut bits = 0;
    for sets in from {
        let rests = &sets.largest()[1..stones];
        for (&value, &rest) in values[1..].iter().zip(rests.iter().rev()) {
            let value = i32::from(value);
            most = most.max(if rest < 0 { 0 } else { value + rest });
            bits |= value | rest.max(0);
        }
    }
    let all = (1usize << (32 - bits.leading_zeros())) - 1;
    (most as usize).min(all)
}
