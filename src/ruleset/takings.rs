//! The takings of a rule in words: numbers of stones that may be taken, and what becomes of the rest.

use super::digit::{Digit, Parts};
use super::options::{each_split, splits_of};
use super::{Code, Formula, HeapOption};
use crate::factors::{divisors, gcd};
use std::sync::{Arc, PoisonError, RwLock};

/// A set of numbers of stones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Numbers {
    /// These numbers, ascending.
    Finite(Vec<usize>),
    /// The numbers from one number on, in steps: odd and even numbers, multiples, any number.
    Steps {
        first: usize,
        step: usize,
    },
    Primes,
    Fibonacci,
    /// n², n³, …: 1, 4, 9, …
    Powers {
        exponent: u32,
    },
    /// 1, b, b², …
    PowersOf {
        base: u64,
    },
    Half,
    Divisors {
        proper: bool,
    },
    UpToHalf,
}

impl Numbers {
    /// Whether the numbers are the same for every heap.
    fn is_constant(&self) -> bool {
        !matches!(
            self,
            Numbers::Half | Numbers::Divisors { .. } | Numbers::UpToHalf
        )
    }

    /// The numbers of the set for a heap, ascending; of a set that is the same for every heap, all up to the heap.
    fn of(&self, heap: u64) -> Box<dyn Iterator<Item = u64> + Send + '_> {
        let within = move |&number: &u64| number <= heap;
        match self {
            Numbers::Finite(numbers) => {
                Box::new(numbers.iter().map(|&n| n as u64).take_while(within))
            }
            &Numbers::Steps { first, step } => Box::new((first as u64..=heap).step_by(step)),
            Numbers::Primes => Box::new(primes(heap).into_iter()),
            Numbers::Fibonacci => {
                let pairs = std::iter::successors(Some((1u64, 2u64)), |&(a, b)| {
                    Some((b, a.checked_add(b)?))
                });
                Box::new(pairs.map(|(a, _)| a).take_while(within))
            }
            &Numbers::Powers { exponent } => Box::new(
                (1u64..)
                    .map_while(move |n| n.checked_pow(exponent))
                    .take_while(within),
            ),
            &Numbers::PowersOf { base } => {
                let powers =
                    std::iter::successors(Some(1u64), move |power| power.checked_mul(base));
                Box::new(powers.take_while(within))
            }
            Numbers::Half => Box::new(
                (heap > 0 && heap.is_multiple_of(2))
                    .then_some(heap / 2)
                    .into_iter(),
            ),
            &Numbers::Divisors { proper } => {
                let all = divisors(heap).into_iter();
                Box::new(all.filter(move |&divisor| !proper || divisor < heap))
            }
            Numbers::UpToHalf => Box::new(1..=heap / 2),
        }
    }

    /// Whether a number, from 1 to the heap, is in the set for that heap; `primes` are the primes up to the number.
    fn has(&self, number: u64, heap: u64, primes: &[u64]) -> bool {
        match self {
            Numbers::Finite(numbers) => numbers.binary_search(&(number as usize)).is_ok(),
            &Numbers::Steps { first, step } => {
                let beyond = number.checked_sub(first as u64);
                beyond.is_some_and(|beyond| beyond.is_multiple_of(step as u64))
            }
            Numbers::Primes => primes.binary_search(&number).is_ok(),
            Numbers::Powers { exponent: 2 } => number.isqrt().pow(2) == number,
            Numbers::Fibonacci | Numbers::Powers { .. } | Numbers::PowersOf { .. } => {
                self.of(number).last() == Some(number)
            }
            Numbers::Half => number == heap - number,
            &Numbers::Divisors { proper } => {
                heap.is_multiple_of(number) && (!proper || number < heap)
            }
            Numbers::UpToHalf => number <= heap / 2,
        }
    }

    /// The remainders of the numbers of the set, or a larger set of remainders; `None` if the set is not the same for every heap.
    fn modulo(&self, modulus: u64) -> Option<Vec<bool>> {
        let mut left = vec![false; modulus as usize];
        let mut mark = |number: u64| left[(number % modulus) as usize] = true;
        match self {
            Numbers::Finite(numbers) => numbers.iter().for_each(|&number| mark(number as u64)),
            &Numbers::Steps { first, step } => {
                let (first, step) = (first as u64 % modulus, step as u64 % modulus);
                (0..modulus).for_each(|steps| mark(first + steps * step));
            }
            // A prime that leaves any other remainder divides the modulus.
            Numbers::Primes => {
                let coprime = |&number: &u64| gcd(number, modulus) == 1;
                (0..modulus).filter(coprime).for_each(&mut mark);
                primes(modulus).into_iter().for_each(mark);
            }
            Numbers::Fibonacci => {
                // The remainders repeat after six times the modulus at most.
                let mut pair = (1 % modulus, 2 % modulus);
                for _ in 0..=6 * modulus {
                    mark(pair.0);
                    pair = (pair.1, (pair.0 + pair.1) % modulus);
                }
            }
            &Numbers::Powers { exponent } => {
                let times = |power: u64, number: u64| power * number % modulus;
                let power = |number: u64| (0..exponent).fold(1, |power, _| times(power, number));
                (0..modulus).map(power).for_each(mark);
            }
            &Numbers::PowersOf { base } => {
                let powers = std::iter::successors(Some(1 % modulus), |&power| {
                    Some(power * (base % modulus) % modulus)
                });
                powers.take(modulus as usize + 1).for_each(mark);
            }
            Numbers::Half | Numbers::Divisors { .. } | Numbers::UpToHalf => return None,
        }
        Some(left)
    }

    /// An upper bound on how many numbers the set has for a heap, found without listing them.
    fn at_most(&self, heap: u64) -> u64 {
        let bits = u64::from(u64::BITS - heap.leading_zeros());
        match self {
            Numbers::Finite(numbers) => numbers.len() as u64,
            &Numbers::Steps { step, .. } => heap / step as u64 + 1,
            // There are fewer than 1.2551 n / ln n primes (Rosser and Schoenfeld 1962), and ln 2 is more than 0.693.
            Numbers::Primes => {
                let bound = |heap: u64, bits: u64| (heap / bits.max(1)).saturating_mul(2).min(heap);
                let before = (1u64 << bits.saturating_sub(1)) - 1;
                // The bound grows with the heap, also where the heap has one digit more.
                bound(heap, bits.saturating_sub(1)).max(bound(before, bits.saturating_sub(2)))
            }
            Numbers::Fibonacci => 2 * bits,
            &Numbers::Powers { exponent } => 1u64 << (bits.div_ceil(u64::from(exponent))).min(63),
            Numbers::PowersOf { .. } => bits,
            Numbers::Half => 1,
            Numbers::Divisors { .. } => 2 * (heap.isqrt() + 1),
            Numbers::UpToHalf => heap / 2,
        }
    }
}

/// The primes up to a number, by the sieve of Eratosthenes over the odd ones.
fn primes(most: u64) -> Vec<u64> {
    let half = (most / 2 + most % 2) as usize;
    let mut composite = vec![false; half];
    let mut found: Vec<u64> = (most >= 2).then_some(2).into_iter().collect();
    for at in 1..half {
        if !composite[at] {
            let prime = 2 * at + 1;
            found.push(prime as u64);
            for multiple in (2 * at * (at + 1)..half).step_by(prime) {
                composite[multiple] = true;
            }
        }
    }
    found
}

/// What becomes of the rest of a heap from which stones were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// The rest stays one heap.
    One,
    /// The rest stays one heap or becomes two.
    MaySplit,
    /// The rest becomes two heaps.
    Split,
}

impl Rest {
    /// What this allows beside `known`.
    fn without(self, known: Rest) -> Option<Rest> {
        match (self, known) {
            (_, Rest::MaySplit) | (Rest::One, Rest::One) | (Rest::Split, Rest::Split) => None,
            (Rest::One, Rest::Split) | (Rest::Split, Rest::One) => Some(self),
            (Rest::MaySplit, Rest::One) => Some(Rest::Split),
            (Rest::MaySplit, Rest::Split) => Some(Rest::One),
        }
    }

    /// The words about the rest, behind the numbers, in a rule.
    pub fn words(self) -> &'static str {
        match self {
            Rest::One => "",
            Rest::MaySplit => " and may split the rest",
            Rest::Split => " and split the rest",
        }
    }

    /// Whether the rest may be no heap, one heap, or two heaps.
    fn heaps(self) -> [bool; 3] {
        match self {
            Rest::One => [true, true, false],
            Rest::MaySplit => [true, true, true],
            Rest::Split => [false, false, true],
        }
    }
}

/// A set of numbers of stones that may be taken, and what becomes of the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Taking {
    pub numbers: Numbers,
    pub rest: Rest,
}

/// The numbers of stones that may be taken, in a game in which a move does nothing else.
#[derive(Debug)]
pub struct PlainTakings {
    /// The numbers that may be taken from every heap, ascending.
    pub numbers: Vec<u64>,
    others: Vec<Numbers>,
}

impl PlainTakings {
    /// The numbers that may be taken from this heap in addition.
    pub fn others(&self, heap: u64) -> impl Iterator<Item = u64> + '_ {
        self.others.iter().flat_map(move |set| set.of(heap))
    }

    /// Whether some numbers are not the same for every heap.
    pub fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Whether a set that is not the same for every heap has many numbers for a heap.
    pub fn is_wide(&self) -> bool {
        self.others.contains(&Numbers::UpToHalf)
    }
}

/// A rule in words that no finite code can express.
#[derive(Debug)]
pub struct Takings {
    pub(super) takings: Vec<Taking>,
    /// How the two heaps must compare into which a heap is split without a taking, if that is allowed.
    pub(super) splits: Option<Parts>,
    /// The primes as far as they have been needed, and the number up to which they are listed.
    primes: RwLock<(u64, Arc<[u64]>)>,
}

impl Takings {
    pub(super) fn new(takings: Vec<Taking>, splits: Option<Parts>) -> Takings {
        Takings {
            primes: RwLock::new((0, Arc::from([]))),
            takings,
            splits,
        }
    }

    /// Whether another rule is written alike.
    pub(super) fn plays_as(&self, other: &Takings) -> bool {
        self.takings == other.takings && self.splits == other.splits
    }

    /// The set of numbers that may be taken, if there is just one, the rest stays one heap and no heap is split.
    pub(super) fn only_numbers(&self) -> Option<&Numbers> {
        match &self.takings[..] {
            [taking] if taking.rest == Rest::One && self.splits.is_none() => Some(&taking.numbers),
            _ => None,
        }
    }

    /// The code of the same rule, if there is one: if all numbers are the same for every heap, and from some number on have a
    /// period.
    pub(super) fn code(&self) -> Option<Code> {
        const LONGEST_PERIOD: usize = 1 << 12;
        let (mut last, mut period) = (0, 1);
        for taking in &self.takings {
            match &taking.numbers {
                Numbers::Finite(numbers) => last = last.max(*numbers.last()?),
                &Numbers::Steps { first, step } => {
                    last = last.max(first);
                    period = lcm(period, step);
                }
                _ => return None,
            }
            if period > LONGEST_PERIOD {
                return None;
            }
        }
        let repeats = self
            .takings
            .iter()
            .any(|taking| matches!(taking.numbers, Numbers::Steps { .. }));
        let end = last + if repeats { period } else { 0 };
        let mut counts = vec![[None; 3]; end + 1];
        counts[0][2] = self.splits;
        for taking in &self.takings {
            for number in taking.numbers.of(end as u64) {
                let allowed = taking.rest.heaps().map(|heaps| heaps.then_some(Parts::Any));
                for (count, allowed) in counts[number as usize].iter_mut().zip(allowed) {
                    *count = count.or(allowed);
                }
            }
        }
        let digits = counts
            .into_iter()
            .map(|counts| Digit::new(counts.to_vec(), None))
            .collect();
        Some(Code::new(digits, if repeats { period } else { 0 }))
    }

    /// The formula for the nim-values, if the rule has a proved one.
    pub fn formula(&self) -> Option<Formula> {
        match self.only_numbers()? {
            Numbers::UpToHalf => Some(Formula::UpToHalf),
            Numbers::Half => Some(Formula::Half),
            Numbers::Divisors { proper: true } => Some(Formula::ProperDivisor),
            Numbers::Divisors { proper: false } => Some(Formula::Divisor),
            _ => None,
        }
    }

    /// The numbers that may be taken from heaps up to `most`, where the rest always stays one heap.
    pub fn plain(&self, most: u64) -> Option<PlainTakings> {
        if self.splits.is_some() || self.takings.iter().any(|taking| taking.rest != Rest::One) {
            return None;
        }
        let sets = self.takings.iter().map(|taking| &taking.numbers);
        let (same, others): (Vec<&Numbers>, Vec<&Numbers>) =
            sets.partition(|set| set.is_constant());
        let mut numbers: Vec<u64> = same.iter().flat_map(|set| set.of(most)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let others = others.into_iter().cloned().collect();
        Some(PlainTakings { numbers, others })
    }

    /// Whether a move takes a number of stones that is in one set for all heaps, and does nothing else.
    pub fn is_one_set(&self) -> bool {
        self.plain(0).is_some_and(|plain| !plain.has_others())
    }

    /// The remainders of the numbers that may be taken, or a larger set, if there is one set of numbers for all heaps and the
    /// rest stays one heap.
    pub fn modulo(&self, modulus: u64) -> Option<Vec<bool>> {
        if !self.is_one_set() {
            return None;
        }
        let mut left = vec![false; modulus as usize];
        for taking in &self.takings {
            let own = taking.numbers.modulo(modulus)?;
            left.iter_mut()
                .zip(own)
                .for_each(|(left, own)| *left |= own);
        }
        Some(left)
    }

    /// An upper bound on how many options a heap has, found without listing them.
    pub fn options_at_most(&self, heap: u64) -> u128 {
        let splits = u128::from(heap / 2);
        let takings = self.takings.iter().map(|taking| {
            let each = match taking.rest {
                Rest::One => 1,
                Rest::MaySplit | Rest::Split => splits + 1,
            };
            u128::from(taking.numbers.at_most(heap)).saturating_mul(each)
        });
        let splits = self.splits.map(|_| splits + 1);
        takings.chain(splits).fold(0, u128::saturating_add)
    }

    /// The numbers of a set for a heap. Primes are listed block by block, since often no more than the first are asked for.
    fn numbers<'t>(
        &'t self,
        numbers: &'t Numbers,
        heap: u64,
    ) -> Box<dyn Iterator<Item = u64> + 't> {
        if !matches!(numbers, Numbers::Primes) {
            return numbers.of(heap);
        }
        let blocks = std::iter::successors(Some((0, 1u64 << 10)), move |&(_, to)| {
            (to < heap).then(|| (to, to.saturating_mul(2)))
        });
        Box::new(blocks.flat_map(move |(from, to)| {
            let to = to.min(heap);
            let list = self.primes(to);
            let place = |most| list.partition_point(|&prime| prime <= most);
            (place(from)..place(to)).map(move |at| list[at])
        }))
    }

    /// The primes up to a number, and perhaps some more.
    fn primes(&self, most: u64) -> Arc<[u64]> {
        let known = self.primes.read();
        let (mut to, mut list) = known.unwrap_or_else(PoisonError::into_inner).clone();
        if to < most {
            to = most.max(1 << 10).saturating_mul(2);
            list = primes(to).into();
            let mut known = self.primes.write().unwrap_or_else(PoisonError::into_inner);
            *known = (to, Arc::clone(&list));
        }
        list
    }

    /// The numbers that may be taken of a heap, in the order of the rule, fewest stones first, each with what becomes of the
    /// rest. What an earlier taking allows too is left out.
    fn taken(&self, heap: u64) -> impl Iterator<Item = (u64, Rest)> {
        let takings = self.takings.iter().enumerate();
        takings.flat_map(move |(place, taking)| {
            let before = &self.takings[..place];
            let with_primes = before
                .iter()
                .any(|taking| taking.numbers == Numbers::Primes);
            let mut primes: Arc<[u64]> = Arc::default();
            let numbers = self.numbers(&taking.numbers, heap);
            numbers.filter_map(move |take| {
                if with_primes && primes.last().is_none_or(|&last| last < take) {
                    primes = self.primes(take);
                }
                let rest = before.iter().try_fold(taking.rest, |rest, taking| {
                    match taking.numbers.has(take, heap, &primes) {
                        true => rest.without(taking.rest),
                        false => Some(rest),
                    }
                });
                Some((take, rest?))
            })
        })
    }

    /// The options of a heap: the takings in the order of the rule, fewest stones first, then the splits. What an earlier taking
    /// allows too is left out.
    pub(super) fn options(&self, heap: u64) -> Box<dyn Iterator<Item = HeapOption> + '_> {
        let taken = self.taken(heap);
        let taken = taken.flat_map(move |(take, rest)| leaving(heap, take, rest));
        let splits = self.splits.into_iter().flat_map(move |parts| {
            splits_of(heap, 2, parts).map(|leave| HeapOption { take: 0, leave })
        });
        Box::new(taken.chain(splits))
    }

    /// Shows the heaps of each option of a heap to `visit`, in the order of [`Takings::options`], without an allocation each.
    pub(super) fn each_option(&self, heap: u64, mut visit: impl FnMut(&[u64])) {
        for (take, rest) in self.taken(heap) {
            let left = heap - take;
            if rest != Rest::Split {
                visit(&[left][usize::from(left == 0)..]);
            }
            if rest != Rest::One {
                each_split(left, 2, Parts::Any, &mut visit);
            }
        }
        if let Some(parts) = self.splits {
            each_split(heap, 2, parts, visit);
        }
    }

    /// The options of a heap that leave one heap of a nim-value, by the formula.
    pub fn options_of_value(
        &self,
        heap: u64,
        value: u64,
    ) -> Option<Box<dyn Iterator<Item = HeapOption> + '_>> {
        let formula = self.formula()?;
        let leaving = move |take: u64| leaving(heap, take, Rest::One);
        if formula == Formula::UpToHalf {
            let left = Formula::halves(value, heap.saturating_sub(1));
            let left = left.take_while(move |left| *left >= heap - heap / 2);
            return Some(Box::new(left.flat_map(move |left| leaving(heap - left))));
        }
        let all = self
            .numbers(&self.takings[0].numbers, heap)
            .filter(move |&take| formula.value(heap - take) == value.into());
        Some(Box::new(all.flat_map(leaving)))
    }
}

/// The options that take `take` stones of a heap.
fn leaving(heap: u64, take: u64, rest: Rest) -> impl Iterator<Item = HeapOption> {
    let left = heap - take;
    let one =
        (rest != Rest::Split).then(|| Some(left).filter(|&left| left > 0).into_iter().collect());
    let splits = (rest != Rest::One).then(|| splits_of(left, 2, Parts::Any));
    let leaves = one.into_iter().chain(splits.into_iter().flatten());
    leaves.map(move |leave| HeapOption { take, leave })
}

fn lcm(a: usize, b: usize) -> usize {
    (a / gcd(a as u64, b as u64) as usize).saturating_mul(b)
}
