//! Bouton's rule: who wins Nim, and what each heap must become, in time linear in the number of heaps.
//!
//! Under normal play the player to move loses if and only if the nim-sum of the heaps is 0. Under misère play the same
//! holds while some heap has two stones or more, and once all have at most one, that player loses if and only if the
//! heaps of one stone are odd in number (Bouton, *Nim, a game with a complete mathematical theory*, Ann. of Math. 3,
//! 1901, pp. 35-39). The simple twin is the plain game-tree search of the tests.

use crate::analysis::binary_columns::binary_columns;
use crate::analysis::{Analysis, Moves};
use crate::grundy::NimValue;
use crate::outcome::{Convention, Outcome};
use crate::printable::capital;

/// The rule under misère play, in words.
pub const MISERE_NIM: [&str; 2] = [
    "Misère Nim (Bouton 1901): with a pile of 2 or more, a nim-sum of 0 loses, as in normal play;",
    "with piles of 0 and 1 alone, an odd number of 1s loses.",
];

/// A position of Nim, as far as the rule looks at it.
#[derive(Clone, Copy, Debug)]
pub struct Bouton {
    convention: Convention,
    sum: u64,
    /// How many heaps have one stone.
    ones: usize,
    /// How many heaps have two stones or more.
    large: usize,
}

impl Bouton {
    /// The position of Nim with these heaps.
    pub fn new(heaps: impl IntoIterator<Item = u64>, convention: Convention) -> Bouton {
        let mut rule = Bouton {
            convention,
            sum: 0,
            ones: 0,
            large: 0,
        };
        for heap in heaps {
            rule.sum ^= heap;
            rule.ones += usize::from(heap == 1);
            rule.large += usize::from(heap > 1);
        }
        rule
    }

    /// Whether the nim-sum decides who wins: always, but for misère play with heaps of one stone at most.
    pub fn decided_by_sum(&self) -> bool {
        self.convention == Convention::Normal || self.large > 0
    }

    /// Who wins.
    pub fn outcome(&self) -> Outcome {
        let lost = if self.decided_by_sum() {
            self.sum == 0
        } else {
            self.ones % 2 == 1
        };
        Outcome::of_lost(lost)
    }

    /// The size that a heap must be brought to so that a P-position is left; the heap's own size if this is a P-position.
    pub fn target(&self, heap: u64) -> u64 {
        let others_large = self.large - usize::from(heap > 1);
        if self.convention == Convention::Normal || others_large > 0 {
            return heap ^ self.sum;
        }
        let others_ones = self.ones - usize::from(heap == 1);
        u64::from(others_ones.is_multiple_of(2))
    }

    /// The analysis of a position that is won or lost as these heaps of Nim are; `values` are the nim-values of its piles.
    pub fn analysis(&self, position: &[u64], values: impl IntoIterator<Item = u64>) -> Analysis {
        let decisive = self.decided_by_sum();
        Analysis {
            nim_values: decisive.then(|| values.into_iter().map(NimValue::from).collect()),
            nim_sum: decisive.then(|| self.sum.into()),
            ..Analysis::by_outcome(position, self.convention, self.outcome())
        }
    }

    /// The winning moves: none in a P-position, else what `moves` gives for this rule. It is to give the moves by which a heap
    /// gets the size that a rule wants.
    pub fn winning<'g>(self, moves: impl FnOnce(Bouton) -> Moves<'g>) -> Moves<'g> {
        match self.outcome() {
            Outcome::P => Box::new(std::iter::empty()),
            Outcome::N => moves(self),
        }
    }

    /// The moves that leave the nim-sum `value`, which are those that leave 0 beside other heaps with that nim-sum. Given a rule,
    /// `moves` is to give the moves by which a heap gets the size that the rule wants.
    pub fn moves_to<'g>(
        self,
        value: NimValue,
        moves: impl Fn(Bouton) -> Moves<'g> + 'g,
    ) -> Option<Moves<'g>> {
        let values = u64::try_from(value).into_iter();
        let rules = values.map(move |value| Bouton {
            sum: self.sum ^ value,
            ..self
        });
        Some(Box::new(rules.flat_map(moves)))
    }

    /// The working in words for these heaps: how the rule decides, and how it finds a move.
    ///
    /// `heaps` are the heaps of the position, each with the words that name it, as in "pile 5".
    pub fn working(&self, heaps: &[(String, u64)]) -> Vec<String> {
        if !self.decided_by_sum() {
            return self.working_with_ones();
        }
        let sizes: Vec<NimValue> = heaps.iter().map(|(_, heap)| (*heap).into()).collect();
        let mut lines = vec!["Nim-sum, in binary columns:".to_owned()];
        lines.extend(binary_columns(&sizes));
        lines.push(String::new());
        let Some(bit) = self.sum.checked_ilog2() else {
            lines.push("Bouton's rule: the nim-sum s is 0, so whoever moves now loses. A move changes one pile,".to_owned());
            lines.push("and with it s; and from any other s there is a move back to 0.".to_owned());
            return lines;
        };
        let with_bit = heaps.iter().find(|(_, heap)| heap >> bit & 1 == 1);
        let Some((name, x)) = with_bit else {
            return lines;
        };
        let (s, y) = (self.sum, x ^ self.sum);
        lines.push(format!(
            "Bouton's rule: the nim-sum s = {s} is not 0, so whoever moves now wins."
        ));
        lines.push(format!(
            "Its highest 1 stands for {} (bit {bit}): that bit decides. {} has it too:",
            1u64 << bit,
            capital(name)
        ));
        let (width, bits) = (x.max(&s).to_string().len(), x.max(&s).ilog2() as usize + 1);
        for (what, number) in [("x", *x), ("s", s), ("y = x ^ s", y)] {
            lines.push(format!("  {what:9} = {number:>width$} = {number:0bits$b}"));
        }
        lines.push(format!(
            "The bit is 1 in x and 0 in y, and the bits above it are the same, so y < x. Reducing the pile from {x} to {y} makes the nim-sum s ^ x ^ y = 0."
        ));
        if self.convention == Convention::Misere {
            lines.push(self.misere_end(*x));
        }
        lines
    }

    fn misere_end(&self, x: u64) -> String {
        match self.target(x) {
            y if y == x ^ self.sum => {
                "Misère play is the same here, because piles of two or more are left.".to_owned()
            }
            y => format!(
                "Misère play differs at the end: no pile of two or more would be left, and an odd number of piles of one must remain, so reduce the pile from {x} to {y}."
            ),
        }
    }

    fn working_with_ones(&self) -> Vec<String> {
        let (parity, end) = match self.outcome() {
            Outcome::P => ("odd", "whoever moves now takes the last one and loses"),
            Outcome::N => ("even", "the other player takes the last one and loses"),
        };
        vec![
            "Bouton's rule for misère play: no pile has two stones or more, so in Nim each move takes a whole pile.".to_owned(),
            match self.ones {
                1 => format!("There is one pile of one stone, and one is {parity}: {end}."),
                ones => format!("There are {ones} piles of one stone, which is {parity}: {end}."),
            },
        ]
    }
}

/// The working of Nim with these piles, see [`Bouton::working`].
pub(crate) fn working_of_piles(piles: &[u64], convention: Convention) -> Vec<String> {
    let heaps = piles.iter().map(|&pile| (format!("pile {pile}"), pile));
    Bouton::new(piles.iter().copied(), convention).working(&heaps.collect::<Vec<_>>())
}

/// What decides a game that is won as these heaps are: the heaps, and their nim-sum where that says who wins.
pub fn facts(called: &str, heaps: impl Iterator<Item = u64>, analysis: &Analysis) -> Vec<String> {
    let terms: Vec<String> = heaps.map(|heap| heap.to_string()).collect();
    let sum = analysis.nim_sum;
    let sum = sum.map(|sum| format!("Nim-Sum ({}): {sum}", terms.join(" ^ ")));
    let heaps = format!("{called}: [{}]", terms.join(", "));
    std::iter::once(heaps).chain(sum).collect()
}
