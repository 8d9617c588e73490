//! Why an answer is out of reach, in numbers.

use super::MoreEffort;
use crate::printable::{size_allowed, size_wanted};

/// A bound on the work, with its amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Bound {
    /// The most positions searched.
    #[error("{0} positions")]
    Positions(u64),
    /// The most bytes of memory.
    #[error("{} of memory", size_allowed(*.0))]
    Memory(u64),
}

impl Bound {
    /// The bound to raise so that the work gets further.
    fn more(self) -> MoreEffort {
        match self {
            Bound::Positions(allowed) => MoreEffort::Positions(allowed.saturating_mul(10)),
            Bound::Memory(_) => MoreEffort::Memory,
        }
    }
}

/// What an answer would take, or how far the work for it got.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// A table takes more steps than are allowed.
    #[error("its table would take {needed} steps, and {allowed} are allowed")]
    TableSteps {
        /// The steps needed.
        needed: u128,
        /// The steps allowed.
        allowed: u64,
    },
    /// A table takes more memory than is allowed.
    #[error("its table would take {} ({} allowed)", size_wanted(*needed), size_allowed(*allowed))]
    TableMemory {
        /// The bytes needed.
        needed: u64,
        /// The bytes allowed.
        allowed: u64,
    },
    /// There is no table, and no period that would do without one.
    #[error("{table}, and no period is proved by the values to {sought}")]
    NoPeriod {
        /// Why there is no table.
        table: Box<Reason>,
        /// The last heap whose value was looked at for a period.
        sought: u64,
    },
    /// Some value has no code; the heap is known.
    #[error("the value of pile {heap} is too large for a code")]
    WideValue {
        /// The heap that has it.
        heap: u64,
    },
    /// Some value has no code; the heap is not known.
    #[error("its values are too large for codes")]
    WideValues,
    /// The pairs of heaps that are kept don't show the value.
    #[error(
        "the pairs of piles that are kept don't show its value, and keeping all would take {} of memory",
        size_wanted(*needed)
    )]
    ForgottenPairs {
        /// The bytes that keeping all values takes.
        needed: u64,
    },
    /// A certificate makes it necessary to look at more options than are allowed.
    #[error(
        "the certificate is of all piles up to it, which have up to {needed} options; {allowed} may be looked at"
    )]
    Options {
        /// How many options there may be.
        needed: u128,
        /// How many options may be looked at.
        allowed: u64,
    },
    /// A search of as many positions as are allowed settles no outcome.
    #[error("it is not settled by a search of {allowed} positions")]
    Unsettled {
        /// The positions allowed.
        allowed: u64,
    },
    /// A search of as many positions as are allowed finds no nim-value.
    #[error("it is not found by a search of {allowed} positions")]
    NotFound {
        /// The positions allowed.
        allowed: u64,
    },
    /// The memory has room for only this many positions.
    #[error("there is no memory for more than {positions} positions")]
    FullMemory {
        /// The positions.
        positions: u64,
    },
    /// The positions searched show no misère outcome.
    #[error(
        "{searched} positions were searched without an outcome, {}{}",
        ending(*by_options, *bound), answered(*proved)
    )]
    Searched {
        /// The positions searched.
        searched: u64,
        /// The bound that ended the search.
        bound: Bound,
        /// Whether the search ended because the options of a heap are too many to list for so many positions.
        by_options: bool,
        /// The quotient proved until then: its order, and the last heap that it is of.
        proved: Option<(usize, u64)>,
    },
    /// Finding the genus takes more than is allowed.
    #[error("the genus of {heaps:?} takes more than the {bound} allowed")]
    Genus {
        /// The heaps.
        heaps: Vec<u64>,
        /// The bound that ended the search.
        bound: Bound,
    },
    /// A misère quotient was guessed and proved until a bound was met.
    #[error(
        "its elements were guessed and proved{}; {order} elements are proved for piles up to {last}",
        for_so_much(*bound)
    )]
    Quotient {
        /// The bound.
        bound: Bound,
        /// The order of the quotient that is proved.
        order: usize,
        /// The last heap that the proved quotient covers.
        last: u64,
    },
    /// A proof for all heaps needs the elements of too many heaps.
    #[error(
        "the nim-values repeat with period {period} from pile {start} on, and a proof for all piles takes the elements to pile {last}, or about {needed} positions; {allowed} are allowed"
    )]
    WholeQuotient {
        /// The period of the nim-values.
        period: u64,
        /// The heap from which on they repeat.
        start: u64,
        /// The last heap whose element the proof needs.
        last: u64,
        /// About how many positions the proof takes.
        needed: u64,
        /// The positions allowed.
        allowed: u64,
    },
    /// It takes too long to see whether a heap is tame.
    #[error(
        "whether pile {heap} is tame takes a walk over the options of all piles up to it, more than {allowed}"
    )]
    Tameness {
        /// The heap.
        heap: u64,
        /// How many options may be looked at.
        allowed: u64,
        /// The last heap of which it can be told.
        would_do: u64,
    },
}

impl Reason {
    /// The bound that would carry the work further if it were raised, if that is known.
    pub fn more(&self) -> Option<MoreEffort> {
        let positions = |allowed: u64| Some(Bound::Positions(allowed).more());
        match *self {
            Reason::TableSteps { needed, .. } | Reason::Options { needed, .. } => {
                u64::try_from(needed).ok().map(MoreEffort::Steps)
            }
            Reason::NoPeriod { ref table, .. } => table.more(),
            Reason::Unsettled { allowed } | Reason::NotFound { allowed } => positions(allowed),
            Reason::FullMemory { .. } => Some(MoreEffort::Memory),
            Reason::Searched { bound, .. }
            | Reason::Genus { bound, .. }
            | Reason::Quotient { bound, .. } => Some(bound.more()),
            Reason::WholeQuotient { needed, .. } => {
                Some(MoreEffort::Positions(needed.saturating_add(needed / 4)))
            }
            Reason::TableMemory { .. }
            | Reason::WideValue { .. }
            | Reason::WideValues
            | Reason::ForgottenPairs { .. }
            | Reason::Tameness { .. } => None,
        }
    }
}

fn ending(by_options: bool, bound: Bound) -> &'static str {
    match bound {
        _ if by_options => "and the options of piles this large are too many to list",
        Bound::Positions(_) => "as many as allowed",
        Bound::Memory(_) => "all that the memory allowed has room for",
    }
}

fn answered(proved: Option<(usize, u64)>) -> String {
    proved.map_or_else(String::new, |(order, last)| {
        format!(
            "; a misère quotient of {order} elements is proved for piles up to {last}, whose positions are answered at once"
        )
    })
}

fn for_so_much(bound: Bound) -> String {
    match bound {
        Bound::Memory(bytes) => format!(", but {bytes} bytes of memory have no room for it"),
        Bound::Positions(positions) => {
            format!(" for as long as the {positions} positions allowed would take")
        }
    }
}

/// The reason why an engine can't compute a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The engine is made for other moves than the game has.
    #[error(
        "it needs moves that leave two piles, of any or of unequal sizes, and none that leave more"
    )]
    Moves,
    /// The engine needs a code, and the rule has none.
    #[error("it has no take-and-break code")]
    NoCode,
    /// The values don't split into rare and common ones, or have no codes.
    #[error("it has no sparse space, or its values are too large")]
    NoSparseSpace,
    /// A value has no code.
    #[error("its values are too large")]
    Values,
}
