//! Tame heaps: those that behave in misère play as heaps of Nim do.
//!
//! A heap has a pair of values, the mex of its options' values with the end of the game counted as 0 (the nim-value)
//! and as 1 (the misère nim-value). If all that its options leave is tame, and its own pair is that of a Nim heap
//! (0 and 1, or 1 and 0: *fickle*; n and n: *firm*), then it is tame too. The pair of a sum of tame heaps is that of
//! the Nim heaps: values combine by nim-sum, and the sum is fickle if all of its heaps are. The player to move loses
//! if the nim-sum is 0 and some heap is firm, or if it is 1 and none is.
//!
//! Conway, *On Numbers and Games*, 2nd ed. 2001, ch. 12; Berlekamp, Conway and Guy, *Winning Ways*, ch. 13. For Nim
//! itself it is Bouton's rule (Ann. of Math. 3, 1901, pp. 35-39): a heap of 1 is fickle and larger ones are firm.
//!
//! Cost: a walk over the options of each heap. The twin that knows no theorem is the search.

use crate::grundy::NimValue;
use crate::outcome::Outcome;
use crate::ruleset::{Code, Ruleset};
use std::iter::Sum;

/// A tame heap, or a sum of tame heaps: which Nim heap it behaves as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tame {
    /// The nim-value.
    pub value: NimValue,
    /// Whether the misère nim-value is the other one of 0 and 1, rather than the same.
    pub fickle: bool,
}

impl Tame {
    /// The end of the game: a heap without options, or a sum without heaps.
    pub const END: Tame = Tame {
        value: 0,
        fickle: true,
    };

    /// The firm heap of a nim-value.
    pub(super) fn firm(value: NimValue) -> Tame {
        let fickle = false;
        Tame { value, fickle }
    }

    /// The Nim piles that the tame heap behaves as, in words.
    pub(crate) fn twin(self) -> String {
        match (self.fickle, self.value) {
            (false, 0) => "Nim piles of 2 and 2".to_owned(),
            (false, 1) => "Nim piles of 2 and 3".to_owned(),
            (_, value) => format!("a Nim pile of {value}"),
        }
    }

    /// The misère nim-value.
    pub fn misere(self) -> NimValue {
        self.value ^ NimValue::from(self.fickle)
    }

    /// Whether the player to move loses.
    pub(super) fn is_lost(self) -> bool {
        self.misere() == 0
    }

    /// The tame heap of a nim-value and a misère nim-value, if they are those of a Nim heap.
    pub fn of_pair(value: NimValue, misere: NimValue) -> Option<Tame> {
        let fickle = value != misere;
        (!fickle || value <= 1 && misere == value ^ 1).then_some(Tame { value, fickle })
    }
}

/// A sum of tame heaps, from which heaps can be taken out again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TameSum {
    sum: NimValue,
    firm: usize,
}

impl TameSum {
    /// The sum with one heap more.
    #[must_use]
    pub fn with(self, heap: Tame) -> TameSum {
        TameSum {
            sum: self.sum ^ heap.value,
            firm: self.firm + usize::from(!heap.fickle),
        }
    }

    /// The sum without one of its heaps.
    #[must_use]
    pub fn without(self, heap: Tame) -> TameSum {
        TameSum {
            sum: self.sum ^ heap.value,
            firm: self.firm - usize::from(!heap.fickle),
        }
    }

    /// Both sums together.
    #[must_use]
    pub fn and(self, other: TameSum) -> TameSum {
        TameSum {
            sum: self.sum ^ other.sum,
            firm: self.firm + other.firm,
        }
    }

    /// The Nim heap that the sum behaves as.
    pub fn as_one(self) -> Tame {
        Tame {
            value: self.sum,
            fickle: self.firm == 0,
        }
    }

    /// Who wins.
    pub fn outcome(self) -> Outcome {
        Outcome::of_lost(self.as_one().is_lost())
    }
}

impl FromIterator<Tame> for TameSum {
    fn from_iter<I: IntoIterator<Item = Tame>>(heaps: I) -> TameSum {
        heaps.into_iter().fold(TameSum::default(), TameSum::with)
    }
}

impl Sum for TameSum {
    fn sum<I: Iterator<Item = TameSum>>(sums: I) -> TameSum {
        sums.fold(TameSum::default(), TameSum::and)
    }
}

/// Whether the game only lets a player take a number of stones from one set, finite or not, and nothing else.
///
/// All heaps of such a game are tame, fickle where the nim-value is 0 or 1: Ferguson, *On sums of graph games with
/// last player losing*, Int. J. Game Theory 3, 1974, pp. 159-167. It follows from his pairing property: with s the
/// least of the set, g(n) = 1 just if g(n - s) = 0.
pub(crate) fn only_takes(ruleset: &Ruleset) -> bool {
    if let Some(takings) = ruleset.takings() {
        return takings.is_one_set();
    }
    ruleset.code().is_some_and(Code::only_takes)
}
