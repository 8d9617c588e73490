//! The window theorem: equal stretches of values, short ones, prove a period of a game with a sparse space.
//!
//! Guy and Smith's theorem (`theorem.rs`) needs all values to 2·n0 + p + t, for an option may have two parts of any
//! size. In a sparse space the options that decide have one small part or one rare one. A. Flammenkamp computes such
//! games with the last values only (OEIS A071458: "it is sufficient to store (at most) the last 15343+3 values"), and
//! this is the theorem behind it, with its proof.
//!
//! **Setting.** A game whose moves leave two heaps at most, of any or of unequal sizes; T is the most that a move
//! takes, and from heap n1 on the rule is the same. A heap n with the nim-value v is common if `space` says so
//! (`engine/sparse_space.rs`): χ(n, v) = parity of v & mask, plus e·n, plus f, is 1, where e = 1 if the space is
//! alternating. It is made so that e·t + f is even for each number t of stones whose removal may leave two heaps. So
//! for a + b = n - t the value v = g(a) ^ g(b) has χ(n, v) = χ(a, g(a)) + χ(b, g(b)); and a taking of t stones that
//! leaves one heap has χ(n, g(n - t)) = χ(n - t, g(n - t)) + e·t: it *keeps* the class or *flips* it.
//!
//! Let R be the last rare heap of those considered, and n > 2R + T, n ≥ n1, n > T. Then no option of n has two rare parts, nor
//! is a rare heap. The options of n with a common-class value are
//! C(n) = { g(r) ^ g(n - t - r) : r ≤ R rare, t may leave two } ∪ { g(n - t) : t keeps }, read off the R + T values
//! before n; let c(n) be the least common-class value that is not in C(n). n has *witnesses of depth D* if each
//! rare-class value v < c(n) is g(n - t) for some t that flips the class, or g(i) ^ g(n - t - i) for some t
//! and 1 ≤ i ≤ D with both parts common. Then g(n) = c(n), and n is common.
//!
//! **Theorem.** Let W = max(R, D) + T and n0, p ≥ 1 be such that the values below n0 + p are known and R is the last rare
//! heap there, and
//! 1. n0 > 2·max(R, D) + T, n0 - W > R, n0 > T and n0 ≥ n1;
//! 2. g(n0 - j) = g(n0 + p - j) for 1 ≤ j ≤ W;
//! 3. every n with n0 ≤ n < n0 + p has witnesses of depth D.
//!
//! Then g(n + p) = g(n) for every n ≥ n0 - W, and no heap beyond R is rare.
//!
//! *Proof.* If e = 1, p is even: n0 - 1 and n0 + p - 1 are common with the same value, and χ depends on the parity of the
//! heap. So χ(n, v) = χ(n + p, v) always. By induction on n ≥ n0 we show A(n): the heaps from R + 1 to n + p - 1 are
//! common, and g(m + p) = g(m) for n0 - W ≤ m < n. A(n0) is 2 and the choice of R. Let A(n) hold. The rare heaps below
//! n and below n + p are the same, and C(n) and C(n + p) are read off, by the same rule, the values at distances 1 to
//! R + T ≤ W before n and before n + p, which are equal by A(n). So c(n + p) = c(n).
//! Let n' be the heap of the first period, n0 ≤ n' < n0 + p, with n' ≡ n modulo p. Going from n' to n + p in steps of p,
//! A(n) gives that the values at distances 1 to W before each are equal, so c(n') = c(n + p). A witness of n' is one
//! of n + p: a taking that flips the class leaves a heap at a distance of at most T ≤ W; of a pair (i, n' - t - i)
//! the small part i stays and the large one, at a distance of at most D + T ≤ W, becomes n + p - t - i, of the same
//! value. It is common, for it is beyond n0 - W > R. The pair is unequal, as n' - t - i > i by 1. So all
//! rare-class values below c(n + p) are options of n + p, the common-class ones are too, and c(n + p) is none: it is of
//! the common class and not in C(n + p). Hence g(n + p) = c(n + p) = c(n), and n + p is common. And g(n) = c(n): by 3 if
//! n < n0 + p, else by this same step, taken for n - p. So g(n + p) = g(n), which is A(n + 1). ∎
//!
//! What the hypotheses guard against: codes instead of values would do for 2 only if p is known to be even where the
//! space alternates, so that is checked (`BoundedSearch`). A move must leave *unequal* heaps: never decisive, by 1. A new rare
//! heap before n0 + p raises R; one after it is excluded. A heap without a shallow witness is never taken to have one:
//! the values are computed by a window (`engine/value_window.rs`) that finds a pair for every rare value below every c(n) and
//! remembers how deep the deepest was; D is that. Games that leave three heaps have common options of three
//! common parts, and no window; they stay with `theorem.rs`.
//!
//! **Least period and preperiod.** A period of the values from n0 - W on divides p if it is the least one. For each
//! prime q that divides p, p/q is a period exactly if the W values before n0 + p/q are those before n0: by the theorem,
//! whose other hypotheses hold for p/q too, and because what holds from some heap on holds from n0 - W on, p being a
//! period from there. And for m ≤ n0 that fulfil 1, the W values before m + p are those before m exactly if m - W is
//! no smaller than the preperiod: so snapshots are bisected, and the values between two of them compared.
//!
//! Time: the values to n0 + p + W once, and a few hundredths of it for the least period and preperiod.

use super::Period;
use crate::engine::coded_values::CodedValues;
use crate::engine::octal::Octal;
use crate::engine::value_window::{STRIDE, ValueWindow};
use crate::error::Error;

/// The figures of a game that the theorem needs, from the values computed so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// R, the last rare heap; 0 if there is none.
    pub last_rare: u64,
    /// D, how deep the witnesses of the heaps from `from` on are.
    pub depth: u64,
    /// T, the most stones that a move takes.
    pub taken: u64,
    /// n1, or the first heap whose witnesses were measured, whichever is larger.
    pub from: u64,
    /// Whether the classes differ between heaps of the two parities.
    pub alternating: bool,
}

impl Bounds {
    /// The bounds of a game by the codes of its values, whose proofs were measured.
    pub fn of(game: &Octal, coded: &CodedValues) -> Bounds {
        let depth = coded.depth();
        Bounds {
            last_rare: coded.last_rare() as u64,
            depth: depth.bound(),
            taken: game.most_taken() as u64,
            from: game.from.max(depth.from) as u64,
            alternating: coded.space().alternating(),
        }
    }

    /// W: the number of equal values that prove a period.
    pub fn length(&self) -> u64 {
        self.last_rare.max(self.depth).saturating_add(self.taken)
    }

    /// The least n0 with which a proof can begin.
    pub fn least_start(&self) -> u64 {
        let length = self.length();
        let twice = length.saturating_add(length - self.taken);
        let beyond = length.saturating_add(self.last_rare);
        (twice.max(beyond).max(self.taken).saturating_add(1)).max(self.from)
    }

    /// Whether heaps at this distance have the same classes, so that equal codes are equal values.
    pub fn keeps_classes(&self, period: u64) -> bool {
        !self.alternating || period.is_multiple_of(2)
    }

    /// How many first values prove a period that holds from its preperiod to their end.
    pub fn needs(&self, found: &Period) -> Option<u64> {
        if found.saltus > 0 || !self.keeps_classes(found.period) {
            return None;
        }
        let start = found.preperiod.checked_add(self.length())?;
        start.max(self.least_start()).checked_add(found.period)
    }

    /// For how many of the last n g(n + period) = g(n) must hold in a proof by `known` values.
    pub fn least_match(&self, known: u64, period: u64) -> u64 {
        match self.least_start().checked_add(period) {
            Some(least) if least <= known => self.length(),
            _ => u64::MAX,
        }
    }

    /// Whether this many values are worth keeping in a table, because bounded memory would keep an eighth of them or more.
    pub fn would_keep_many(&self, known: u64) -> bool {
        self.last_rare.max(self.depth) >= known / 8
    }
}

/// A function that is asked now and then whether the work may go on.
pub(crate) type GoOn<'g> = &'g mut dyn FnMut() -> bool;

/// Computes values to a heap; the last ones before it stay readable.
pub(super) fn walk(window: &mut ValueWindow, to: u64, go_on: GoOn<'_>) -> Result<(), Error> {
    while window.len() < to {
        let next = to.min(window.len() + STRIDE as u64);
        window.advance(next, to, &mut |_| go_on())?;
    }
    Ok(())
}
