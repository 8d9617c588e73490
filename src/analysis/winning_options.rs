//! The options of one heap that have a wanted nim-value, found by what they must meet rather than by trying all.

mod many;

use crate::grundy::{NimValue, nim_sum};
use crate::ruleset::{Code, Digit, HeapOption, Parts, Ruleset, splits_of};
use crate::sequence::Values;
use many::{Guide, Search};
use std::cell::RefCell;
use std::iter::successors;
use std::rc::Rc;

type Options<'r> = Box<dyn Iterator<Item = HeapOption> + 'r>;

/// The options of `heap` whose nim-value is `target`, in the order of [`Ruleset::options`].
///
/// Splits into two heaps are looked up; splits into more are searched for, guided by the nim-sums that are possible, which
/// may take `memory` bytes.
pub fn options<'r>(
    ruleset: &'r Ruleset,
    values: &'r Values,
    heap: u64,
    target: NimValue,
    memory: u64,
) -> Options<'r> {
    let Some((code, least)) = ruleset.coded_from() else {
        let by_formula = ruleset.takings().and_then(|takings| {
            takings.options_of_value(heap, u64::try_from(target).unwrap_or(u64::MAX))
        });
        if let Some(options) = by_formula {
            return options;
        }
        let meets = move |option: &HeapOption| value(values, &option.leave) == target;
        return Box::new(ruleset.options(heap).filter(meets));
    };
    if heap < least {
        return Box::new(std::iter::empty());
    }
    let sought = Sought {
        code,
        values,
        heap,
        target,
    };
    let (digits, repeat) = code.written();
    let many = code.most_heaps().is_none_or(|most| most > 2);
    let slope = (many || repeat > 0).then(|| values.slope(heap));
    if slope.is_some_and(|slope| !slope.allows(heap, target)) {
        return Box::new(std::iter::empty());
    }
    let guide = slope.filter(|_| many);
    let guide = guide.map(|slope| Guide::new(values, (heap, slope), memory));
    let start = (digits.len() - repeat) as u64;
    let whole_or_one =
        |digit: &Digit| digit.is_zero() || digit.most_heaps().is_some_and(|most| most <= 1);
    let last = code.most_taken().unwrap_or(heap).min(heap);
    if repeat == 0 || !digits[start as usize..].iter().all(whole_or_one) {
        // A tail without end that leaves two heaps at most has takings that can't have the value.
        let next = move |take: u64| {
            let all = many || repeat == 0 || take < start;
            let least = if all {
                Some(take)
            } else {
                values.least_taking(heap, target, take)
            };
            least.filter(|&take| take <= last)
        };
        let takings = successors(next(0), move |take| next(take.checked_add(1)?));
        return Box::new(takings.flat_map(move |take| sought.taking(take, guide.as_ref())));
    }
    // Without end, but at most one heap left: ask which heaps have the value, not what each taking leaves.
    let long = heap.checked_sub(start).map(|largest| {
        let left = values.heaps_of_value(target, largest);
        left.filter(move |&rest| code.digit(heap - rest).parts(u64::from(rest > 0)).is_some())
    });
    let long = long.into_iter().flatten().map(move |rest| HeapOption {
        take: heap - rest,
        leave: if rest > 0 { vec![rest] } else { Vec::new() },
    });
    let short = (0..start.min(heap.saturating_add(1)))
        .flat_map(move |take| sought.taking(take, guide.as_ref()));
    Box::new(short.chain(long))
}

fn value(values: &Values, heaps: &[u64]) -> NimValue {
    nim_sum(heaps.iter().map(|&heap| values.value(heap)))
}

/// The search for the options of a heap that have a wanted nim-value.
#[derive(Clone, Copy)]
struct Sought<'r> {
    code: &'r Code,
    values: &'r Values,
    heap: u64,
    target: NimValue,
}

impl<'r> Sought<'r> {
    /// The options with the wanted value that take `take` stones. A guide is needed where more than two heaps may be left.
    fn taking(
        self,
        take: u64,
        guide: Option<&Rc<RefCell<Guide<'r>>>>,
    ) -> impl Iterator<Item = HeapOption> + use<'r> {
        let (digit, rest) = (self.code.digit(take), self.heap - take);
        let most = match digit.is_zero() {
            true => 0,
            false => digit.most_heaps().unwrap_or(rest).min(rest),
        };
        let whole = rest == 0 && digit.parts(0).is_some() && self.target == 0;
        let one = rest > 0 && digit.parts(1).is_some() && self.values.value(rest) == self.target;
        let few = [whole.then(Vec::new), one.then(|| vec![rest])];
        let pairs = digit.parts(2).filter(|_| most >= 2);
        let pairs = pairs.map(|comparison| self.values.splits(rest, self.target, comparison));
        let pairs = pairs.into_iter().flatten().map(|(a, b)| vec![a, b]);
        let guide = guide.filter(|_| most > 2).map(Rc::clone);
        let many = guide.into_iter().flat_map(move |guide| {
            let allowed = move |heaps| Some((heaps, digit.parts(heaps)?));
            (3..=most)
                .filter_map(allowed)
                .flat_map(move |(heaps, comparison)| {
                    self.into_many(rest, heaps, comparison, &guide)
                })
        });
        let leaving = few.into_iter().flatten().chain(pairs).chain(many);
        leaving.map(move |leave| HeapOption { take, leave })
    }

    /// The splits of `rest` into three heaps or more.
    fn into_many(
        self,
        rest: u64,
        heaps: u64,
        comparison: Parts,
        guide: &Rc<RefCell<Guide<'r>>>,
    ) -> Box<dyn Iterator<Item = Vec<u64>> + 'r> {
        if comparison == Parts::Equal {
            let meets = move |leave: &Vec<u64>| value(self.values, leave) == self.target;
            return Box::new(splits_of(rest, heaps, comparison).filter(meets));
        }
        let guide = Rc::clone(guide);
        Box::new(Search::new(guide, heaps, rest, comparison, self.target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::HeapGame;

    #[test]
    fn options_of_codes_without_end_are_those_with_the_nim_value() {
        for game in [
            "0.3[7]", "0.[7]", "0.[37]", "4.[7]", "0.[F]", "0.[370]", "0.1[07]",
        ] {
            let heaps = HeapGame::new(game.parse::<Ruleset>().unwrap());
            let values = heaps.values(1 << 40).or_else(|_| heaps.values(40)).unwrap();
            for heap in 0..=30 {
                let all: Vec<HeapOption> = heaps.ruleset().options(heap).collect();
                for target in 0..=40 {
                    let found = options(heaps.ruleset(), &values, heap, target, 1 << 20);
                    let meets = |option: &&HeapOption| value(&values, &option.leave) == target;
                    assert!(
                        found.eq(all.iter().filter(meets).cloned()),
                        "{game}: {heap} to {target}"
                    );
                }
            }
        }
    }
}
