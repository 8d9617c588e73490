//! Nim-values of a game whose moves may leave any number of heaps, by the partitions of what remains.
//!
//! The options of a heap are as many as its partitions, but their nim-sums are few. For each number of stones r and each
//! number of heaps k the nim-sums of r stones in k heaps form a set, kept as bits. It comes from the sets of fewer heaps as in a
//! knapsack problem: one heap of a stones and the rest in k - 1 heaps, with g(a) added to each nim-sum of the rest
//! (`partitions/splits.rs`); where the heaps must be unequal, each size is added once (`partitions/unequal.rs`). The nim-value is
//! the mex of the union over the stones that may be taken. Where the last digits of the code repeat for ever, the digits of the
//! tail give what they gave one repetition before, and one repetition more.
//! Time: n²/2 unions of sets for each k, most of them cut short as the sets are soon full. Memory: a set for each r and k.
//! Twin: `definition.rs`. Source of the dynamic programme, with sums where there are nim-sums here: Kellerer, Pferschy and
//! Pisinger, *Knapsack Problems* (2004), section 2.3.

mod price;
pub mod sets;
pub mod splits;
mod unequal;

use crate::engine::Stop;
use crate::factors::divisors;
use crate::ruleset::{Code, Digit, Parts, Ruleset};
pub use price::{Price, STEPS_TO_LEARN};
use sets::Set;
use splits::Splits;
use unequal::Unequal;

/// The bounds on what the sets may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most bytes that the sets take.
    pub memory: u64,
    /// The most words that are looked at, of 64 nim-values each, and divisions made, from the first heap on.
    pub steps: u64,
}

/// The caller is asked whether to go on after this many steps.
const STEPS_BETWEEN_CALLS: u64 = 1 << 20;

/// The sets of a game for the known heaps.
pub struct Partitions {
    code: Code,
    /// The least heap that may have options.
    least: usize,
    any: Splits,
    not_all_equal: Splits,
    unequal: Unequal,
    /// The sets that the repeating digits give: the heaps take turns with as many sets as there are repeating digits.
    tails: Vec<Set>,
    /// How many digits allow any number of equal heaps, for which what remains is divided by the numbers up to its root.
    dividing: u64,
    /// The divisions made.
    divisions: u64,
    /// How many heaps the sets hold.
    known: usize,
    steps: u64,
    price: Price,
}

impl Partitions {
    /// The sets of a ruleset that has a code, for no heap yet.
    pub fn of(ruleset: &Ruleset) -> Option<Partitions> {
        let (code, least) = ruleset.coded_from()?;
        let (digits, repeat) = code.written();
        let splits = |comparison| {
            let exact = digits
                .iter()
                .filter_map(|digit| most_listed(digit, comparison));
            let mut more: Vec<usize> = digits
                .iter()
                .filter_map(|digit| digit.beyond().filter(|beyond| beyond.1 == comparison))
                .map(|(heaps, _)| heaps.max(2))
                .collect();
            more.sort_unstable();
            more.dedup();
            (exact.max().unwrap_or(0), more)
        };
        let equal = |digit: &&Digit| digit.beyond().is_some_and(|it| it.1 == Parts::Equal);
        let (any, any_more) = splits(Parts::Any);
        let (not_all_equal, not_all_equal_more) = splits(Parts::NotAllEqual);
        let (unequal, unequal_more) = splits(Parts::Unequal);
        Some(Partitions {
            code: code.clone(),
            least: usize::try_from(least).unwrap_or(usize::MAX),
            any: Splits::new(Parts::Any, any, any_more),
            not_all_equal: Splits::new(Parts::NotAllEqual, not_all_equal, not_all_equal_more),
            unequal: Unequal::new(unequal, unequal_more),
            tails: vec![Set::default(); repeat],
            dividing: digits.iter().filter(equal).count() as u64,
            divisions: 0,
            known: 0,
            steps: 0,
            price: Price::default(),
        })
    }

    /// Whether the sets are worthwhile: a move may leave three heaps, or two in a code without end. By the definition each heap
    /// would then cost more than the square of its size.
    pub fn pays(&self) -> bool {
        let (digits, repeat) = self.code.written();
        let leaves = |digits: &[Digit], heaps: u64| {
            let many = |digit: &Digit| {
                !digit.is_zero() && digit.most_heaps().is_none_or(|most| most >= heaps)
            };
            digits.iter().any(many)
        };
        leaves(digits, 3) || leaves(&digits[digits.len() - repeat..], 2)
    }

    /// Computes the values of all heaps below `to`.
    pub fn extend(
        &mut self,
        values: &mut Vec<u16>,
        to: usize,
        limits: Limits,
        mut go_on: impl FnMut(&[u16]) -> bool,
    ) -> Result<(), Stop> {
        assert!(
            self.known <= values.len(),
            "values that the sets hold are gone"
        );
        values
            .try_reserve_exact(to.saturating_sub(values.len()))
            .map_err(|_| Stop::Memory)?;
        self.unequal
            .prepare(to, &values[..self.known], limits.memory)?;
        let mut asked = self.steps;
        while values.len() < to {
            let value = self.next(values)?;
            if self.known == values.len() {
                values.push(value);
            }
            self.unequal
                .pack(self.known, values[self.known], limits.memory)?;
            self.known += 1;
            self.divisions += self.dividing * self.known.isqrt() as u64;
            let steps = self.any.steps + self.not_all_equal.steps + self.unequal.steps;
            self.steps = steps + self.divisions + self.known as u64;
            let bytes = self.any.bytes() + self.not_all_equal.bytes() + self.unequal.bytes();
            // A table that is complete needs no more.
            if bytes > limits.memory && values.len() < to {
                return Err(Stop::Memory);
            }
            if self.steps > limits.steps {
                return Err(Stop::Steps);
            }
            if self.steps - asked > STEPS_BETWEEN_CALLS {
                asked = self.steps;
                if !go_on(values) {
                    return Err(Stop::Interrupted);
                }
            }
        }
        self.price.learn(self.known as u64, self.steps);
        Ok(())
    }

    /// The steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The price of a table, learnt from the heaps known.
    pub fn price(&self) -> Price {
        self.price
    }

    /// The heap up to which the sets are to be made next, so that they tell the price of more.
    pub fn learn_next(&self) -> u64 {
        (2 * self.known as u64).max(price::HEAPS_LEARNT_FROM) - 1
    }

    /// The nim-value of the first heap that the sets don't hold, and its sets.
    fn next(&mut self, values: &[u16]) -> Result<u16, Stop> {
        let heap = self.known;
        self.any.grow(&values[..heap])?;
        self.not_all_equal.grow(&values[..heap])?;
        let (digits, repeat) = self.code.written();
        let start = digits.len() - repeat;
        let mut options = Set::default();
        for take in self.code.takings().take_while(|&take| take < start) {
            self.leave(take, heap, values, &mut options);
        }
        if repeat > 0 {
            let mut tail = std::mem::take(&mut self.tails[heap % repeat]);
            for take in self.code.takings().skip_while(|&take| take < start) {
                self.leave(take, heap, values, &mut tail);
            }
            options.join(tail.words());
            self.tails[heap % repeat] = tail;
        }
        let value = if heap < self.least { 0 } else { options.mex() };
        u16::try_from(value).map_err(|_| Stop::TooLarge)
    }

    /// Adds the nim-values of all positions that a move which takes `take` stones may leave.
    fn leave(&self, take: usize, heap: usize, values: &[u16], options: &mut Set) {
        let Some(rest) = heap.checked_sub(take) else {
            return;
        };
        let digit = &self.code.written().0[take];
        if rest == 0 {
            if digit.parts(0).is_some() {
                options.insert(0);
            }
            return;
        }
        if take > 0 && digit.parts(1).is_some() {
            options.insert(values[rest]);
        }
        let beyond = digit.beyond();
        let listed = beyond.map_or_else(
            || digit.most_heaps().map_or(0, |most| most as usize + 1),
            |(heaps, _)| heaps,
        );
        for heaps in 2..listed.min(rest + 1) {
            match digit.parts(heaps as u64) {
                None => {}
                Some(Parts::Any) => options.join(self.any.exactly(heaps, rest)),
                Some(Parts::NotAllEqual) => options.join(self.not_all_equal.exactly(heaps, rest)),
                Some(Parts::Unequal) => options.join(self.unequal.exactly(heaps, rest)),
                Some(Parts::Equal) => equal(heaps, rest, values, options),
            }
        }
        match beyond.map(|(heaps, comparison)| (heaps.max(2), comparison)) {
            None => {}
            Some((heaps, Parts::Any)) => options.join(self.any.at_least(heaps, rest)),
            Some((heaps, Parts::NotAllEqual)) => {
                options.join(self.not_all_equal.at_least(heaps, rest));
            }
            Some((heaps, Parts::Unequal)) => options.join(self.unequal.at_least(heaps, rest)),
            Some((least, Parts::Equal)) => {
                let divisors = divisors(rest as u64).into_iter();
                let heaps = divisors.map(|heaps| heaps as usize);
                heaps
                    .filter(|&heaps| heaps >= least)
                    .for_each(|heaps| equal(heaps, rest, values, options));
            }
        }
    }
}

/// The most heaps that the digit lists with this comparison, or needs for those it does not list.
fn most_listed(digit: &Digit, comparison: Parts) -> Option<usize> {
    let listed = match (digit.beyond(), digit.most_heaps()) {
        (Some((heaps, beyond)), _) if beyond == comparison => return Some(heaps.max(2) - 1),
        (Some((heaps, _)), _) => heaps,
        (None, most) => most? as usize + 1,
    };
    (2..listed)
        .rev()
        .find(|&heaps| digit.parts(heaps as u64) == Some(comparison))
}

/// Adds the nim-value of `rest` stones in equal heaps, if `rest` is a multiple of their number.
fn equal(heaps: usize, rest: usize, values: &[u16], options: &mut Set) {
    if rest.is_multiple_of(heaps) {
        let value = values[rest / heaps];
        options.insert(if heaps.is_multiple_of(2) { 0 } else { value });
    }
}
