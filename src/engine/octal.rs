//! The games that the fast engines understand: no move leaves more than two heaps, nor two heaps that must be equal.
//!
//! They are the octal games of Guy and Smith (*The G-values of various games*, Proc. Camb. Phil. Soc. 52, 1956, p. 514) and those
//! with splits into unequal heaps, as Grundy's game. Twin: `ruleset/code.rs`.

use crate::ruleset::{Code, Parts, Ruleset};

/// Which pairs of non-empty heaps a move may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Two {
    Any,
    Unequal,
}

/// A game, given by what a move that takes t stones may leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Octal {
    /// The numbers t of stones that may be taken if no heap is left.
    pub wholes: Vec<usize>,
    /// The numbers t of stones that may be taken if one heap is left.
    pub ones: Vec<usize>,
    /// The numbers t of stones that may be taken if two heaps are left, and which pairs of heaps may be left.
    pub breaks: Vec<(usize, Two)>,
    /// The least heap that may have options.
    pub least: usize,
    /// The first heap from which on no move takes the whole heap, and the rule is the same for every heap.
    pub from: usize,
}

impl Octal {
    /// The most stones that a move of such a game takes; longer codes are left to the other engines.
    const MOST_TAKEN: u64 = 4096;

    /// The game of a ruleset, if it is one that the fast engines understand.
    pub fn of(ruleset: &Ruleset) -> Option<Self> {
        let (code, least) = ruleset.coded_from()?;
        Self::from_code(code, usize::try_from(least).ok()?)
    }

    /// The game of a ruleset, if it is one that may have a sparse space: some move leaves two heaps.
    pub fn breaking(ruleset: &Ruleset) -> Option<Self> {
        Self::of(ruleset).filter(Self::is_breaking)
    }

    fn from_code(code: &Code, least: usize) -> Option<Self> {
        let most = code.most_taken().filter(|&most| most <= Self::MOST_TAKEN)?;
        let mut octal = Self {
            wholes: Vec::new(),
            ones: Vec::new(),
            breaks: Vec::new(),
            least,
            from: least.max(most as usize + 1),
        };
        for t in 0..=most {
            let digit = code.digit(t);
            if digit.is_zero() {
                continue;
            }
            if digit.most_heaps()? > 2 || t == 0 && digit.parts(1).is_some() {
                return None;
            }
            let stones = t as usize;
            if digit.parts(0).is_some() {
                octal.wholes.push(stones);
            }
            if digit.parts(1).is_some() {
                octal.ones.push(stones);
            }
            match digit.parts(2) {
                None => {}
                Some(Parts::Any) => octal.breaks.push((stones, Two::Any)),
                Some(Parts::Unequal | Parts::NotAllEqual) => {
                    octal.breaks.push((stones, Two::Unequal));
                }
                Some(Parts::Equal) => return None,
            }
        }
        Some(octal)
    }

    /// Whether some move leaves two heaps.
    pub fn is_breaking(&self) -> bool {
        !self.breaks.is_empty()
    }

    /// The most stones that one move takes.
    pub fn most_taken(&self) -> usize {
        let breaks = self.breaks.iter().map(|&(b, _)| b);
        let takings = self.wholes.iter().chain(&self.ones).copied();
        takings.chain(breaks).max().unwrap_or(0)
    }
}
