//! The theorems that make a period seen in a table a period for ever, and what each needs to be seen.
//!
//! Throughout g(n + p) = g(n) + s is known for n0 ≤ n < N - p, and is to be shown for every n ≥ n0.
//!
//! **Finite codes** (s = 0). Guy and Smith (*The G-values of various games*, Proc. Camb. Phil. Soc. 52, 1956,
//! pp. 514-526; Siegel, *Combinatorial Game Theory*, 2013, IV.2) for octal codes: if t is the most that a move takes,
//! n0 ≤ n < 2·n0 + p + t suffices. With at most k heaps left, n < k·n0 + (k - 1)·p + t does, by the same proof: of an
//! option of n + p, that takes i ≤ t, the largest heap b is at least (n + p - i)/k ≥ n0 + p, so with b - p in its place
//! it is an option of n of the same value; and an option of n with b + p in place of its largest heap b ≥ n0 is one
//! of n + p. By induction the same values are met, and the mex is the same. For k = 1, taking only, this is a window
//! of t values (Golomb, *A mathematical investigation of games of "take-away"*, J. Combin. Theory 1, 1966,
//! pp. 443-458). A move that must leave k heaps can't leave one of 0, and the smallest heaps may have a rule of their
//! own: so n0 is taken to be no less than the first heap from which the code holds, 1 in general.
//!
//! **Two unequal heaps** (suffix `!` or `?`), as in Grundy's game. Only the step from n + p to n can fail, when
//! b - p = a for the option a + b; its value is g(a) ^ g(a + p) = 0. If n - i = 2a ≥ 2·(n0 + p), then a - p and
//! a + p are an unequal option of n of the value 0 as well. So n < 2·n0 + 2p + t suffices.
//!
//! **All but finitely many** (taking any number of stones from u on, and none or one heap left by any move). Let
//! A(n) be the values of the heaps to n - u, and a(n) = mex A(n). A(n) is {0, …, a(n) - 1}: a value below one of its
//! own is that of an option of its heap, a smaller heap. So g(n) is the mex of a(n) values from 0 and of some of the
//! g(n - i), i < u; and a(n + 1) is a(n) + 1 if g(n + 1 - u) = a(n), else a(n). Hence the differences g(n - i) - a(n),
//! 0 < i < u, fix all later ones, and g(n + p) = g(n) + s for the u - 1 values before some m together with
//! a(m + p) = a(m) + s proves it for ever. (These sets: Berlekamp, Conway and Guy, *Winning Ways*, vol. 1, ch. 4;
//! Larsson, Saha and Suetsugu, *A brief conversation about subtraction games*, 2024, appendix.)
//!
//! **Arithmetic periods** of hexadecimal and larger finite codes, and of other codes whose last digit repeats, Lasker's
//! Nim among them (*Winning Ways*, 2nd ed. 2001, vol. 1, ch. 4, p. 99): see `arithmetic.rs`, which has the theorem with
//! its hypotheses and checks these.
//!
//! **One set of numbers** (taking only; n0 = 0 and s = 0). Let h repeat the first p values for ever. If no number t that may
//! be taken has h(n - t) = h(n) for any n, modulo p, then g = h: by induction no option of n has the value h(n), and each
//! smaller value is that of an option of n mod p, by taking a number that may be taken from n too and leads to the same
//! value of h. What t leaves modulo p is known of all numbers at once, also of primes, squares or powers.
//!
//! For other codes without end none of these theorems applies; and a game need be neither periodic nor arithmetic-periodic.

use super::detect::Compared;
use super::{Period, arithmetic};
use crate::engine::table::Table;
use crate::error::NoTheorem;
use crate::ruleset::{Code, Digit, Parts, Ruleset};

/// A theorem that covers a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// A finite code.
    Finite {
        /// The most heaps that a move leaves, 1 at least.
        heaps: u64,
        /// The most stones that a move takes.
        most_taken: u64,
        /// Whether two heaps left must somewhere be unequal.
        unequal: bool,
        /// The first heap from which the code holds.
        least: u64,
    },
    /// Any number of stones may be taken from a number on, and no move leaves two heaps.
    AllBut {
        /// The least number from which on any number of stones may be taken.
        from: u64,
    },
    /// A finite code that may leave three heaps or more, or one whose last digit repeats and may leave one.
    Arithmetic {
        /// The most heaps that a move leaves, 1 at least.
        heaps: u64,
        /// The most stones that a move takes, of the digits that don't repeat.
        most_taken: u64,
        /// The first heap from which the code holds.
        least: u64,
    },
    /// One set of numbers may be taken, the same from every heap, and the rest stays one heap. The theorem proves periods without
    /// a preperiod.
    OneSet,
    /// A sparse space with equal windows: see `window.rs` beside this file. `period.rs: proof_by_windows` proves by it, as
    /// it needs `Bounds` besides the values.
    Window,
}

/// A function that tells how many first values prove a period, if they do.
pub(super) type Prover<'t> = Box<dyn Fn(&Period) -> Option<u64> + 't>;

impl Theorem {
    /// The theorems that can prove a period of the game, or why there are none.
    ///
    /// # Errors
    /// The reason why none does.
    pub fn covering(ruleset: &Ruleset) -> Result<Vec<Theorem>, NoTheorem> {
        let is_of_one_set = || ruleset.taken_modulo(1).is_some();
        let Some((code, least)) = ruleset.coded_from() else {
            if is_of_one_set() {
                return Ok(vec![Theorem::OneSet]);
            }
            return Err(NoTheorem::NoCode);
        };
        let (digits, repeat) = code.written();
        let finite = match code.most_taken() {
            Some(most_taken) => finite(code, digits, most_taken, least),
            None if takes_all_but(digits, repeat) && least == 1 => {
                return Ok(vec![Theorem::AllBut {
                    from: (digits.len() - repeat) as u64,
                }]);
            }
            None => Err(NoTheorem::Endless),
        };
        let mut theorems: Vec<Theorem> = finite.into_iter().collect();
        if arithmetic::covers(code) {
            theorems.push(Theorem::Arithmetic {
                heaps: code.most_heaps().unwrap_or(1),
                most_taken: (digits.len() - repeat - 1) as u64,
                least,
            });
        }
        if code.most_taken().is_none() && is_of_one_set() {
            theorems.push(Theorem::OneSet);
        }
        match finite {
            Err(why) if theorems.is_empty() => Err(why),
            _ => Ok(theorems),
        }
    }

    /// The theorem's name.
    pub fn name(&self) -> &'static str {
        match self {
            Theorem::Finite { heaps: 1, .. } => "taking only, finite set",
            Theorem::Finite { unequal: true, .. } => "finite code, unequal piles",
            Theorem::Finite { heaps: 2, .. } => "finite octal code",
            Theorem::Finite { .. } => "finite code, more than two piles",
            Theorem::AllBut { .. } => "taking all but finitely many numbers",
            Theorem::Arithmetic { .. } => "arithmetic period",
            Theorem::OneSet => "taking only, no two equal values joined",
            Theorem::Window => "sparse space, equal windows",
        }
    }

    /// Where the theorem is proved.
    pub fn source(&self) -> &'static str {
        match self {
            Theorem::Finite { heaps: 1, .. } => "Golomb 1966",
            Theorem::Finite { unequal: true, .. } => {
                "Guy and Smith 1956, with room for unequal piles"
            }
            Theorem::Finite { heaps: 2, .. } => "Guy and Smith 1956",
            Theorem::Finite { .. } => "Guy and Smith 1956, for more piles",
            Theorem::AllBut { .. } | Theorem::OneSet => "proved in this program's documentation",
            Theorem::Arithmetic { .. } => {
                "after Austin 1976 and Howse and Nowakowski 2004, proved in this program's documentation"
            }
            Theorem::Window => "after Flammenkamp, proved in this program's documentation",
        }
    }

    /// For a theorem about a code: the most heaps that a move leaves, the most stones that it takes, whether two heaps left must
    /// somewhere be unequal, and the first heap from which the code holds.
    fn of_code(&self) -> Option<(u64, u64, bool, u64)> {
        match *self {
            Theorem::Finite {
                heaps,
                most_taken,
                unequal,
                least,
            } => Some((heaps, most_taken, unequal, least)),
            Theorem::Arithmetic {
                heaps,
                most_taken,
                least,
            } => Some((heaps, most_taken, false, least)),
            Theorem::AllBut { .. } | Theorem::OneSet | Theorem::Window => None,
        }
    }

    /// How many first values prove a period that holds among them, if the period alone tells that: exactly so many, except that
    /// an arithmetic period may need more.
    pub fn needs(&self, found: &Period) -> Option<u64> {
        if *self == Theorem::OneSet {
            return found.period.checked_mul(2);
        }
        let (heaps, most_taken, unequal, least) = self.of_code()?;
        let start = found.preperiod.max(least);
        let mut window = heaps.checked_mul(start.checked_add(found.period)?)?;
        if unequal {
            let periods = found.period.checked_mul(3)?;
            window = window.max(start.checked_mul(2)?.checked_add(periods)?);
        }
        window.checked_add(most_taken)
    }

    /// Whether the theorem can prove a period with such a saltus.
    pub(super) fn allows(&self, found: &Period) -> bool {
        match self {
            Theorem::Finite { .. } | Theorem::Window => found.saltus == 0,
            Theorem::OneSet => found.saltus == 0 && found.preperiod == 0,
            Theorem::AllBut { .. } => true,
            Theorem::Arithmetic { .. } => found.saltus > 0,
        }
    }

    /// The numbers that are compared with those a period later.
    pub(super) fn compares(&self) -> Compared {
        match self {
            Theorem::Finite { .. } | Theorem::OneSet | Theorem::Window => Compared::Values,
            Theorem::AllBut { .. } | Theorem::Arithmetic { .. } => Compared::Differences,
        }
    }

    /// For how many of the last n of `known` values g(n + period) = g(n) + saltus must hold, to be worth a
    /// [`Theorem::prover`]; never falls as the period grows.
    pub(super) fn least_match(&self, known: u64, period: u64) -> u64 {
        let Some((heaps, most_taken, unequal, least)) = self.of_code() else {
            return match *self {
                Theorem::AllBut { from } => from.saturating_sub(1),
                Theorem::OneSet if period <= known / 2 => known / 2,
                _ => u64::MAX,
            };
        };
        let latest = || {
            let room = known.checked_sub(most_taken)?;
            let mut latest = (room / heaps).checked_sub(period)?;
            if unequal {
                latest = latest.min(room.checked_sub(period.checked_mul(3)?)? / 2);
            }
            Some(latest)
        };
        match latest().filter(|&latest| latest >= least) {
            Some(latest) => known - period - latest,
            None => u64::MAX,
        }
    }

    /// Tells how many first values of the table prove that a period, which holds from its preperiod to the end of the
    /// table, holds for ever, if they do.
    pub(super) fn prover<'t>(&self, ruleset: &'t Ruleset, table: &'t Table) -> Prover<'t> {
        let known = table.len() as u64;
        let theorem = *self;
        match theorem {
            Theorem::Finite { .. } => Box::new(move |found| {
                theorem
                    .needs(found)
                    .filter(|&needs| needs <= known && found.saltus == 0)
            }),
            Theorem::AllBut { from } => {
                let attained = attained(table, from);
                Box::new(move |found| all_but_range(&attained, from, found))
            }
            Theorem::Arithmetic { least, .. } => Box::new(move |found| {
                let (code, _) = ruleset.coded_from()?;
                arithmetic::range(code, least, table, found)
            }),
            Theorem::OneSet => Box::new(move |found| {
                let needs = theorem.needs(found).filter(|&needs| needs <= known)?;
                let is_proved = theorem.allows(found) && joins_none(ruleset, table, found.period)?;
                is_proved.then_some(needs)
            }),
            Theorem::Window => Box::new(|_| None),
        }
    }
}

/// Whether no number that may be taken leads from a heap to one with the same value, by the values of the first period; `None`
/// if the period is longer than those that are looked at.
fn joins_none(ruleset: &Ruleset, table: &Table, period: u64) -> Option<bool> {
    const LONGEST: u64 = 1 << 12;
    let taken = ruleset.taken_modulo(Some(period).filter(|&period| period <= LONGEST)?)?;
    let period = period as usize;
    let joins =
        |taken: usize, n: usize| table.value(n) == table.value((n + period - taken) % period);
    let mut taken = (0..period).filter(|&at| taken[at]);
    Some(!taken.any(|taken| (0..period).any(|n| joins(taken, n))))
}

fn finite(
    code: &Code,
    digits: &[Digit],
    most_taken: u64,
    least: u64,
) -> Result<Theorem, NoTheorem> {
    let Some(heaps) = code.most_heaps() else {
        return Err(NoTheorem::ManyHeaps);
    };
    let mut unequal = false;
    for digit in digits {
        for count in 2..=heaps {
            match digit.parts(count) {
                None | Some(Parts::Any) => {}
                Some(Parts::Unequal | Parts::NotAllEqual) if count == 2 => unequal = true,
                Some(_) => {
                    return Err(NoTheorem::Equality);
                }
            }
        }
    }
    Ok(Theorem::Finite {
        heaps: heaps.max(1),
        most_taken,
        unequal,
        least,
    })
}

/// Whether the repeating tail is `[3]` and no digit leaves two heaps.
fn takes_all_but(digits: &[Digit], repeat: usize) -> bool {
    let any_rest = |digit: &Digit| digit.parts(0).is_some() && digit.parts(1).is_some();
    let one_heap =
        |digit: &Digit| digit.is_zero() || digit.most_heaps().is_some_and(|most| most <= 1);
    repeat == 1 && digits.last().is_some_and(any_rest) && digits.iter().all(one_heap)
}

/// For each n to the end of the table a(n), the least value that no heap up to n - `from` has.
fn attained(table: &Table, from: u64) -> Vec<u64> {
    let known = table.len();
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let mut attained: Vec<u64> = vec![0; from.min(known + 1)];
    while attained.len() <= known {
        let last = attained.last().copied().unwrap_or(0);
        let value = u64::from(table.value(attained.len() - from));
        attained.push(last + u64::from(value == last));
    }
    attained
}

/// The least m + p for which the u - 1 values before m rise by the saltus to those before m + p, as a(m) does.
fn all_but_range(attained: &[u64], from: u64, found: &Period) -> Option<u64> {
    let period = usize::try_from(found.period).ok()?;
    // Heap `from` is the first from which all these numbers can be taken.
    let start = usize::try_from(found.preperiod.max(1)).ok()?;
    let first = start.checked_add(usize::try_from(from).ok()? - 1)?;
    let last = attained.len().checked_sub(period + 1)?;
    let proves = |&m: &usize| attained[m + period] == attained[m] + found.saltus;
    // A period that is proved at some m holds for ever, so it is proved at the last m too.
    if last < first || !proves(&last) {
        return None;
    }
    (first..=last).find(proves).map(|m| (m + period) as u64)
}
