//! The rule of a heap game: the options of a heap.

mod catalogue;
mod code;
mod digit;
mod formula;
mod names;
mod options;
mod parse;
mod pattern;
mod rules;
mod sets;
mod standard;
mod takings;

pub use crate::error::{CodeError, NameError};
pub use catalogue::{Entry, HEAP_GAMES};
pub use code::Code;
pub use digit::{Digit, Parts};
pub use formula::Formula;
pub(crate) use names::near;
pub use names::spelling;
use options::Options;
pub use options::{HeapOption, splits_of};
pub use pattern::{Pattern, PatternError};
pub use takings::{PlainTakings, Takings};

use std::fmt;
use std::sync::Arc;

type OwnRule = dyn Fn(u64) -> Vec<Vec<u64>> + Send + Sync;

#[derive(Clone)]
enum Rule {
    Code {
        code: Code,
        /// The least heap that has a move.
        least: u64,
    },
    Own(Arc<OwnRule>, Option<Formula>),
    Words(Arc<Takings>),
}

/// A game played with heaps, by what a move may do to one of them.
///
/// ```
/// use nim_analyser::ruleset::Ruleset;
///
/// let kayles: Ruleset = "kayles".parse()?;
/// assert_eq!(kayles.code().unwrap().to_string(), "0.77");
/// assert_eq!(kayles.options(3).count(), 3); // leaving 2, or 1 and 1, or 1
/// # Ok::<(), nim_analyser::ruleset::NameError>(())
/// ```
#[derive(Clone)]
pub struct Ruleset {
    name: String,
    rule: Rule,
}

impl Ruleset {
    /// The game of a take-and-break code, named by the code itself.
    pub fn from_code(code: Code) -> Ruleset {
        Ruleset {
            name: code.to_string(),
            rule: Rule::Code { code, least: 1 },
        }
    }

    /// A game by a rule of one's own: `options(n)` lists, for each move in a heap of n, the heaps that it leaves.
    ///
    /// Every heap that a move leaves must be smaller than the heap moved on, else the game need not end; an
    /// analysis that meets a larger one refuses the rule. So a heap of 0, which is nothing, has no move; elsewhere a
    /// heap of 0 may be named among those left and is ignored.
    pub fn from_rule(
        name: &str,
        options: impl Fn(u64) -> Vec<Vec<u64>> + Send + Sync + 'static,
    ) -> Ruleset {
        Ruleset {
            name: name.to_owned(),
            rule: Rule::Own(Arc::new(options), None),
        }
    }

    /// The same rule of one's own, with a formula that is proved for its nim-values.
    #[must_use]
    pub(crate) fn with_formula(mut self, proved: Formula) -> Ruleset {
        if let Rule::Own(_, formula) = &mut self.rule {
            *formula = Some(proved);
        }
        self
    }

    /// The same game by another name.
    #[must_use]
    pub fn called(mut self, name: &str) -> Ruleset {
        name.clone_into(&mut self.name);
        self
    }

    /// The game's name: `kayles`, `subtraction:1,2,3`, or its code.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The take-and-break code of the game, or `None` if it has none: a rule of one's own, a rule in words that no finite code
    /// expresses, and Couples-are-Forever, in which heaps of two can't be split.
    pub fn code(&self) -> Option<&Code> {
        self.coded_from()
            .filter(|&(_, least)| least == 1)
            .map(|(code, _)| code)
    }

    /// The take-and-break code that holds for all heaps from a least one on, and that heap; smaller heaps have no
    /// options. `None` for a rule of one's own or in words without a code.
    pub fn coded_from(&self) -> Option<(&Code, u64)> {
        match &self.rule {
            Rule::Code { code, least } => Some((code, *least)),
            Rule::Own(..) | Rule::Words(_) => None,
        }
    }

    /// The takings of a rule in words that has no code; `None` for other rulesets.
    pub fn takings(&self) -> Option<&Takings> {
        match &self.rule {
            Rule::Words(takings) => Some(takings),
            _ => None,
        }
    }

    /// Whether another ruleset is seen to be of the same rule, whatever their names are.
    pub(crate) fn plays_as(&self, other: &Ruleset) -> bool {
        match (&self.rule, &other.rule) {
            (Rule::Own(own, _), Rule::Own(others, _)) => Arc::ptr_eq(own, others),
            (Rule::Words(own), Rule::Words(others)) => own.plays_as(others),
            _ => self.coded_from().is_some() && self.coded_from() == other.coded_from(),
        }
    }

    /// The formula for the nim-values, if the rule has a proved one.
    pub fn formula(&self) -> Option<Formula> {
        match &self.rule {
            Rule::Words(takings) => takings.formula(),
            Rule::Own(_, formula) => *formula,
            Rule::Code { .. } => None,
        }
    }

    /// The remainders modulo `modulus` that the numbers of stones that may be taken leave, or a larger set. `None` unless these
    /// numbers are infinitely many, are the same for every heap, and leave the rest one heap.
    ///
    /// # Panics
    /// If `modulus` is 0.
    pub fn taken_modulo(&self, modulus: u64) -> Option<Vec<bool>> {
        match &self.rule {
            Rule::Words(takings) => takings.modulo(modulus),
            Rule::Code { code, least: 1 } => code.taken_modulo(modulus),
            _ => None,
        }
    }

    /// The options of a heap: fewest stones taken first, then fewest heaps left, then smaller parts ascending. A rule in words
    /// without a code has its sets of numbers one after another, each fewest stones first, and splits last; a rule of one's own
    /// has its own order.
    pub fn options(&self, heap: u64) -> Box<dyn Iterator<Item = HeapOption> + '_> {
        match &self.rule {
            Rule::Code { least, .. } if heap < *least => Box::new(std::iter::empty()),
            Rule::Code { code, .. } => Box::new(Options::new(code, heap).fuse()),
            Rule::Words(takings) => takings.options(heap),
            Rule::Own(rule, _) => Box::new(rule(heap).into_iter().map(move |mut leave| {
                match heap {
                    // This heap stays in the list, so that it is refused as a heap that isn't smaller.
                    0 => leave = vec![0],
                    _ => leave.retain(|&part| part > 0),
                }
                leave.sort_unstable();
                let left = leave
                    .iter()
                    .fold(0u64, |sum, &part| sum.saturating_add(part));
                HeapOption {
                    take: heap.saturating_sub(left),
                    leave,
                }
            })),
        }
    }

    /// Shows the heaps of each option of a heap to `visit`, in the order of [`Ruleset::options`], without an
    /// allocation each.
    pub fn each_option(&self, heap: u64, mut visit: impl FnMut(&[u64])) {
        match &self.rule {
            Rule::Code { least, .. } if heap < *least => {}
            Rule::Code { code, .. } => {
                let mut options = Options::new(code, heap);
                while let Some(leave) = options.advance() {
                    visit(leave);
                }
            }
            Rule::Words(takings) => takings.each_option(heap, visit),
            Rule::Own(..) => self.options(heap).for_each(|option| visit(&option.leave)),
        }
    }
}

impl Default for Ruleset {
    /// Couples-are-Forever: split any heap of three or more.
    fn default() -> Ruleset {
        names::couples_are_forever()
    }
}

impl fmt::Debug for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ruleset")
            .field("name", &self.name)
            .field("code", &self.code())
            .finish()
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
