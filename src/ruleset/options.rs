//! The options of one heap under a take-and-break code, one after another, without storing them.
//!
//! Order: fewest stones taken first, then fewest heaps left, then the smaller parts ascending.
//! Cost: the square of the number of heaps left, for each option, and a walk over the digits that allow nothing; memory for one
//! option.

use super::code::Code;
use super::digit::Parts;

/// One option of a heap: what a move takes and the heaps that it leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeapOption {
    /// The stones taken, 0 for a mere split.
    pub take: u64,
    /// The heaps left, ascending; empty when the heap is taken whole.
    pub leave: Vec<u64>,
}

/// The options of one heap, as an iterator or, without an allocation each, by [`Options::advance`].
#[derive(Clone, Debug)]
pub struct Options<'c> {
    code: &'c Code,
    heap: u64,
    take: u64,
    /// The parts of the present option, ascending.
    parts: Vec<u64>,
    comparison: Parts,
}

impl<'c> Options<'c> {
    pub(super) fn new(code: &'c Code, heap: u64) -> Options<'c> {
        Options {
            code,
            heap,
            take: 0,
            parts: Vec::new(),
            comparison: Parts::Any,
        }
    }

    /// Steps to the next option and shows its heaps, ascending. After the last option it is not asked again.
    pub fn advance(&mut self) -> Option<&[u64]> {
        // Before the first option there are no parts, and a move that takes nothing leaves some.
        let heaps = self.parts.len() as u64 + 1;
        let found = next_parts(&mut self.parts, self.comparison) || self.next_count(heaps);
        found.then_some(&self.parts)
    }

    /// The first option from `heaps` heaps on for the present number of stones taken, or for a larger one.
    fn next_count(&mut self, mut heaps: u64) -> bool {
        let last = self.code.most_taken().unwrap_or(self.heap).min(self.heap);
        loop {
            let rest = self.heap - self.take;
            let digit = self.code.digit(self.take);
            let most = digit
                .most_heaps()
                .unwrap_or(if digit.is_zero() { 0 } else { rest })
                .min(rest);
            while heaps <= most {
                if let Some(comparison) = digit.parts(heaps)
                    && first_parts(&mut self.parts, rest, heaps, comparison)
                {
                    self.comparison = comparison;
                    return true;
                }
                heaps += 1;
            }
            if self.take >= last {
                return false;
            }
            match self.code.next_taking(self.take + 1) {
                Some(next) if next <= last => self.take = next,
                _ => return false,
            }
            heaps = 0;
        }
    }
}

/// The ways to write `sum` as `count` heaps that compare as wanted, in lexicographic order.
pub fn splits_of(sum: u64, count: u64, comparison: Parts) -> impl Iterator<Item = Vec<u64>> {
    let mut parts = Vec::new();
    let mut more = first_parts(&mut parts, sum, count, comparison);
    std::iter::from_fn(move || {
        let found = more.then(|| parts.clone());
        more = more && next_parts(&mut parts, comparison);
        found
    })
}

/// Shows each of [`splits_of`] to `visit`, without an allocation each.
pub(super) fn each_split(sum: u64, count: u64, comparison: Parts, mut visit: impl FnMut(&[u64])) {
    let mut parts = Vec::new();
    let mut more = first_parts(&mut parts, sum, count, comparison);
    while more {
        visit(&parts);
        more = next_parts(&mut parts, comparison);
    }
}

impl Iterator for Options<'_> {
    type Item = HeapOption;

    fn next(&mut self) -> Option<HeapOption> {
        let leave = self.advance()?.to_vec();
        Some(HeapOption {
            take: self.take,
            leave,
        })
    }
}

/// Puts the first way to write `sum` as `count` positive parts into `parts`; `false` if there is none.
fn first_parts(parts: &mut Vec<u64>, sum: u64, count: u64, comparison: Parts) -> bool {
    parts.clear();
    if count == 0 || sum < count {
        return sum == 0 && count == 0;
    }
    let exists = match comparison {
        Parts::Any => true,
        Parts::Equal => sum.is_multiple_of(count),
        Parts::Unequal => u128::from(count) * (u128::from(count) + 1) / 2 <= sum.into(),
        Parts::NotAllEqual => count == 1 || sum > count,
    };
    if !exists {
        return false;
    }
    match comparison {
        Parts::Equal => parts.resize(count as usize - 1, sum / count),
        Parts::Unequal => parts.extend(1..count),
        Parts::Any | Parts::NotAllEqual => parts.resize(count as usize - 1, 1),
    }
    parts.push(sum - parts.iter().sum::<u64>());
    true
}

/// Steps to the next way, in lexicographic order, to write the same sum as as many parts; `false` if there is none.
fn next_parts(parts: &mut [u64], comparison: Parts) -> bool {
    if comparison == Parts::Equal {
        return false;
    }
    let unequal = u64::from(comparison != Parts::Any);
    if let [small, large] = parts {
        let more = *small + 1 + unequal < *large;
        if more {
            *small += 1;
            *large -= 1;
        }
        return more;
    }
    let gap = u64::from(comparison == Parts::Unequal);
    let count = parts.len();
    if count == 0 {
        return false;
    }
    let sum: u64 = parts.iter().sum();
    for i in (0..count - 1).rev() {
        // The smallest parts that may follow the raised part i are one gap apart.
        let raised = u128::from(parts[i]) + 1;
        let behind = (count - i) as u128;
        let before: u64 = parts[..i].iter().sum();
        let least = raised * behind + u128::from(gap) * (behind * (behind - 1) / 2);
        let available = u128::from(sum - before);
        let all_equal = comparison == Parts::NotAllEqual && i == 0 && least == available;
        if least <= available && !all_equal {
            for (steps, part) in parts[i..count - 1].iter_mut().enumerate() {
                *part = raised as u64 + gap * steps as u64;
            }
            let others: u64 = parts[..count - 1].iter().sum();
            parts[count - 1] = sum - others;
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_dont_exist_are_not_listed() {
        for comparison in [Parts::Equal, Parts::Unequal, Parts::NotAllEqual] {
            let mut parts = Vec::new();
            let count = if comparison == Parts::NotAllEqual {
                1000
            } else {
                999
            };
            assert!(!first_parts(&mut parts, 1000, count, comparison));
            assert_eq!(parts.capacity(), 0, "{comparison:?}");
        }
    }
}
