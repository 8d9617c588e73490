//! One digit of a take-and-break code: the numbers of heaps in which the rest of a heap may be left.

use std::fmt;

/// How the heaps that a move leaves must compare in size. It says nothing about fewer than two heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parts {
    /// Any sizes.
    Any,
    /// Pairwise unequal, suffix `!`.
    Unequal,
    /// Not all equal, suffix `?`.
    NotAllEqual,
    /// All equal, suffix `=`.
    Equal,
}

impl Parts {
    pub(super) fn from_suffix(suffix: char) -> Option<Parts> {
        match suffix {
            '!' => Some(Parts::Unequal),
            '?' => Some(Parts::NotAllEqual),
            '=' => Some(Parts::Equal),
            _ => None,
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Parts::Any => "",
            Parts::Unequal => "!",
            Parts::NotAllEqual => "?",
            Parts::Equal => "=",
        }
    }
}

/// For each number of heaps, whether a move may leave that many, and how they must compare in size.
///
/// A digit is kept in normal form, so that equal digits are equal values: the list has no trailing entries that allow nothing,
/// and the vacuous comparison of no heaps or one is [`Parts::Any`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digit {
    counts: Vec<Option<Parts>>,
    /// The comparison for every number of heaps beyond `counts`, if such numbers are allowed.
    beyond: Option<Parts>,
}

/// The digit that allows nothing.
pub(super) static ZERO: Digit = Digit {
    counts: Vec::new(),
    beyond: None,
};

impl Digit {
    /// The largest number of heaps that a set may name.
    pub const MOST_HEAPS: usize = 63;

    pub(super) fn new(mut counts: Vec<Option<Parts>>, beyond: Option<Parts>) -> Digit {
        for count in counts.iter_mut().take(2).flatten() {
            *count = Parts::Any;
        }
        while let Some(&last) = counts.last() {
            let vacuous = counts.len() <= 2 && last.is_some() && beyond.is_some();
            if last != beyond && !vacuous {
                break;
            }
            counts.pop();
        }
        Digit { counts, beyond }
    }

    /// The digit whose bit k says whether k heaps may be left.
    pub(super) fn from_bits(bits: u64, parts: Parts) -> Digit {
        let counts = (0..64).map(|k| (bits >> k & 1 == 1).then_some(parts));
        Digit::new(counts.collect(), None)
    }

    /// How `heaps` heaps left by a move must compare, or `None` if a move may not leave that many.
    pub fn parts(&self, heaps: u64) -> Option<Parts> {
        let listed = usize::try_from(heaps).ok().and_then(|k| self.counts.get(k));
        *listed.unwrap_or(&self.beyond)
    }

    /// The largest number of heaps that a move may leave, or `None` if there is no bound (or no move).
    pub fn most_heaps(&self) -> Option<u64> {
        match self.beyond {
            Some(_) => None,
            None => (self.counts.len() as u64).checked_sub(1),
        }
    }

    /// The number of heaps from which on a move may leave any number of them, and how they must compare; `None` if
    /// there is a bound.
    pub fn beyond(&self) -> Option<(usize, Parts)> {
        Some((self.counts.len(), self.beyond?))
    }

    /// Whether the digit allows nothing.
    pub fn is_zero(&self) -> bool {
        self.counts.is_empty() && self.beyond.is_none()
    }

    /// The first of the allowed numbers of heaps, if any.
    pub(super) fn fewest_heaps(&self) -> Option<u64> {
        match self.counts.iter().position(Option::is_some) {
            Some(k) => Some(k as u64),
            None => self.beyond.map(|_| self.counts.len() as u64),
        }
    }

    /// The one comparison that holds for all numbers of heaps from two on, if there is one.
    fn common_parts(&self) -> Option<Parts> {
        let mut all = self.counts.iter().skip(2).flatten().chain(&self.beyond);
        let first = *all.next().unwrap_or(&Parts::Any);
        all.all(|&parts| parts == first).then_some(first)
    }

    fn bits(&self) -> u64 {
        (0..self.counts.len())
            .filter(|&k| self.counts[k].is_some())
            .map(|k| 1 << k)
            .sum()
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let common = self.common_parts();
        let suffix = common.map_or("", Parts::suffix);
        if self.beyond.is_none()
            && common.is_some()
            && let Ok(bits) = u32::try_from(self.bits())
            && let Some(c) = char::from_digit(bits, 36)
        {
            return write!(f, "{}{suffix}", c.to_ascii_uppercase());
        }
        if self.counts.is_empty() {
            return write!(f, "*{suffix}");
        }
        let own = |parts: Parts| if common.is_some() { "" } else { parts.suffix() };
        let listed = self.counts.iter().enumerate();
        let mut items: Vec<String> = listed
            .filter_map(|(k, &parts)| Some(format!("{k}{}", own(parts?))))
            .collect();
        if let Some(parts) = self.beyond {
            items.push(format!("{}{}+", self.counts.len(), own(parts)));
        }
        write!(f, "{{{}}}{suffix}", items.join(","))
    }
}
