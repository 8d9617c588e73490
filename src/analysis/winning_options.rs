//! The options of one heap that have a wanted nim-value, found by what they must meet rather than by trying all.

mod many;

use crate::grundy::{NimValue, nim_sum};
use crate::ruleset::{Code, Digit, HeapOption, Parts, Ruleset, splits_of};
use crate::sequence::Values;
use many::{Guide, Search};
use std::cell::RefCell;
use std::rc::Rc;

type Options<'r> = Box<dyn Iterator<Item = HeapOption> + 'r>;

/// The options of `heap` whose nim-value is `target`, in the order of [`Ruleset::options`].
///
/// Splits into two heaps are looked up; splits into more are searched for, guided by the nim-sums that are possible, which
/// may take `memory` bytes.
pub fn options<'r>(
    ruleset: &'r Ruleset,
    values: Values,
    heap: u64,
    target: NimValue,
    memory: u64,
) -> Options<'r> {
    let Some((code, least)) = ruleset.coded_from() else {
        let meets = move |option: &HeapOption| value(&values, &option.leave) == target;
        return Box::new(ruleset.options(heap).filter(meets));
    };
    if heap < least {
        return Box::new(std::iter::empty());
    }
    let guide = Guide::new(values.clone(), heap, memory);
    let (digits, repeat) = code.written();
    let start = (digits.len() - repeat) as u64;
    let whole_or_one =
        |digit: &Digit| digit.is_zero() || digit.most_heaps().is_some_and(|most| most <= 1);
    let last = code.most_taken().unwrap_or(heap).min(heap);
    if repeat == 0 || !digits[start as usize..].iter().all(whole_or_one) {
        return Box::new(
            (0..=last)
                .flat_map(move |take| taking(code, values.clone(), &guide, heap, take, target)),
        );
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
        .flat_map(move |take| taking(code, values.clone(), &guide, heap, take, target));
    Box::new(short.chain(long))
}

fn value(values: &Values, heaps: &[u64]) -> NimValue {
    nim_sum(heaps.iter().map(|&heap| values.value(heap)))
}

/// The options that take `take` stones from `heap` and have the value `target`.
fn taking<'r>(
    code: &'r Code,
    values: Values,
    guide: &Rc<RefCell<Guide>>,
    heap: u64,
    take: u64,
    target: NimValue,
) -> Options<'r> {
    let rest = heap - take;
    let digit = code.digit(take);
    if digit.is_zero() {
        return Box::new(std::iter::empty());
    }
    let most = digit.most_heaps().unwrap_or(rest).min(rest);
    let guide = Rc::clone(guide);
    Box::new((0..=most).flat_map(move |heaps| -> Options<'r> {
        let Some(comparison) = digit.parts(heaps) else {
            return Box::new(std::iter::empty());
        };
        let option = move |leave| HeapOption { take, leave };
        match heaps {
            0 => Box::new(
                (rest == 0 && target == 0)
                    .then(|| option(Vec::new()))
                    .into_iter(),
            ),
            1 => Box::new(
                (rest > 0 && values.value(rest) == target)
                    .then(|| option(vec![rest]))
                    .into_iter(),
            ),
            2 => Box::new(
                values
                    .splits(rest, target, comparison)
                    .map(move |(a, b)| option(vec![a, b])),
            ),
            _ if comparison == Parts::Equal => {
                let values = values.clone();
                let meets = move |leave: &Vec<u64>| value(&values, leave) == target;
                Box::new(splits_of(rest, heaps, comparison).filter(meets).map(option))
            }
            _ => {
                let search = Search::new(Rc::clone(&guide), heaps, rest, comparison, target);
                Box::new(search.map(option))
            }
        }
    }))
}
