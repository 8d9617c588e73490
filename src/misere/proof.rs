//! Proves that a monoid with a P-portion says who wins every sum of its heaps.
//!
//! A heap h has an element a(h), and the element of a sum is the product of the elements of its heaps. The claim is that the sums
//! whose element is in the P-portion are exactly the P-positions. It follows by induction from two statements about all sums G:
//!
//! 1. if the element of G is in the P-portion, then that of no option is;
//! 2. if it is not, and G has an option, then that of some option is.
//!
//! The first needs only be seen for each heap, each of its options h' and each element x of what else there is:
//! x a(h) and x a(h') are not both in the P-portion. The second is about all sums at once. Let U(h) hold the elements
//! c for which neither c a(h) nor any c a(h') is in the P-portion: a heap h beside a sum of element c offers no
//! winning move. So (2) fails just if there are heaps h1 … hk, of product x outside the P-portion, with the product of
//! the others in U(hi) for each i. Take these heaps up one by one: p is the product of those taken up, s that of those
//! still to come, and p s stays x. A heap h leads from the pair (p, a(h) s) to (p a(h), s) if p s is in U(h). Hence
//! (2) fails just if a walk leads from some pair (1, x), x outside the P-portion, to (x, 1) in one step or more.
//! There are no more than |Q|² pairs, and heaps of equal elements take their steps together, by the union of their
//! U(h): of option sets, only the least of each element matter. Steps that follow from others are left out, see `stuck`.
//!
//! That the pair of Q and its P-portion is reduced (no two elements have the same products in the P-portion) is seen
//! from the rows. Plambeck and Siegel, *Misère quotients for impartial games*, J. Combin. Theory Ser. A 115, 2008,
//! pp. 593-622, sections 2 and 5, who list the pairs (x, E) of an element and its options' elements instead.
//!
//! Cost: at most |Q|² pairs times the distinct elements of heaps, seven bytes a pair. Its twin is the search.

use super::bits::Bits;
use super::memory::allocated;
use super::monoid::{Element, Monoid};
use super::stuck::Stuck;
use super::walk::Walk;
use std::collections::HashMap;

/// The element of a heap, with the elements of its options.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Letter {
    /// The element of the heap.
    pub element: Element,
    /// The elements of the options, ascending, each once; none for a heap without moves.
    pub options: Vec<Element>,
}

/// The reason why a claim isn't proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A heap without a move (given by its number) whose element is not that of the empty sum.
    Ended(usize),
    /// A heap and one of its options are both in the P-portion, beside a sum of the element `others`.
    Both { heap: usize, others: Element },
    /// A sum of heaps outside the P-portion all of whose options are outside it too.
    Stuck(Vec<usize>),
    /// The proof was stopped from outside.
    Interrupted,
}

/// The state of a proof for the heaps so far, which is enough to add another heap like one of them.
#[derive(Debug, Default)]
pub struct QuotientProof {
    masks: Vec<Bits>,
    stuck: Stuck,
    /// How many pairs the walks went through.
    pub pairs: usize,
}

impl QuotientProof {
    /// Proves the claim for heaps with these letters. `go_on` is told of pairs and steps done, and stops the proof if it returns
    /// `false`.
    ///
    /// # Errors
    /// The flaw found first; the sum of [`Flaw::Stuck`] has as few heaps as any.
    pub fn new(
        monoid: &Monoid,
        letters: &[Letter],
        go_on: &dyn Fn(usize) -> bool,
    ) -> Result<QuotientProof, Flaw> {
        let mut proof = QuotientProof {
            masks: monoid.elements().map(|one| monoid.mask(one)).collect(),
            stuck: Stuck::default(),
            pairs: 0,
        };
        for (heap, letter) in letters.iter().enumerate() {
            if let Some(stuck) = proof.stuck_beside(monoid, heap, letter)? {
                proof.stuck.unite(letter.element, stuck);
            }
        }
        let steps = proof.stuck.reduced(monoid);
        let walk = Walk::new(monoid, &steps);
        proof.pairs = walk.go(go_on).map_err(|ended| {
            let Some(pairs) = ended else {
                return Flaw::Interrupted;
            };
            let elements = walk.back(&pairs);
            let heaps = elements.into_iter().map(|(element, beside)| {
                let is_it = |&heap: &usize| {
                    let letter = &letters[heap];
                    let stuck = (letter.element == element)
                        .then(|| proof.stuck_beside(monoid, heap, letter).ok().flatten());
                    stuck.flatten().is_some_and(|set| set.has(beside.into()))
                };
                (0..letters.len()).find(is_it)
            });
            Flaw::Stuck(heaps.flatten().collect())
        })?;
        Ok(proof)
    }

    /// Adds a heap with options of these elements. Returns the first element that the heap may have so that the claim follows
    /// without a new walk, if there is one.
    pub fn take_in(
        &mut self,
        monoid: &Monoid,
        options: &[Element],
        may_be: impl Fn(Element) -> bool,
    ) -> Option<Element> {
        if self.masks.is_empty() {
            return None;
        }
        if options.is_empty() {
            return (!monoid.is_lost(0)).then_some(0);
        }
        let winning = self.winning(monoid, options);
        let known = self.masks.iter().enumerate().find_map(|(element, own)| {
            let element = element as Element;
            if own.common(&winning).is_some() || !may_be(element) {
                return None;
            }
            let beside = no_winning_move(monoid, own, &winning);
            let follows =
                !self.stuck.ends_walk(element, &beside) && self.stuck.has(monoid, element, &beside);
            follows.then_some((element, beside))
        });
        let (element, beside) = known?;
        self.stuck.unite(element, beside);
        Some(element)
    }

    /// The bytes that the proof takes.
    pub fn memory(&self) -> u64 {
        let sets = self.masks.len() + self.stuck.iter().count();
        let set = size_of::<Bits>() as u64 + allocated::<u64>(self.masks.len().div_ceil(64));
        sets as u64 * set
    }

    /// Two elements that no product tells apart, if there are any; the monoid is then not reduced.
    pub fn alike(&self) -> Option<(Element, Element)> {
        let mut seen = HashMap::new();
        let rows = self.masks.iter().enumerate();
        rows.filter_map(|(number, mask)| {
            let before = seen.insert(mask, number)?;
            Some((before as Element, number as Element))
        })
        .next()
    }

    /// The set U(h) of a heap with this number and letter; `None` for a heap that has no moves, which never prevents a winning
    /// move.
    fn stuck_beside(
        &self,
        monoid: &Monoid,
        heap: usize,
        letter: &Letter,
    ) -> Result<Option<Bits>, Flaw> {
        if letter.options.is_empty() {
            return match letter.element == 0 && !monoid.is_lost(0) {
                true => Ok(None),
                false => Err(Flaw::Ended(heap)),
            };
        }
        let own = &self.masks[usize::from(letter.element)];
        let winning = self.winning(monoid, &letter.options);
        if let Some(others) = own.common(&winning) {
            let others = others as Element;
            return Err(Flaw::Both { heap, others });
        }
        Ok(Some(no_winning_move(monoid, own, &winning)))
    }

    /// The elements beside which one of these options is lost.
    fn winning(&self, monoid: &Monoid, options: &[Element]) -> Bits {
        let mut winning = Bits::none(monoid.order());
        for &option in options {
            winning.unite(&self.masks[usize::from(option)]);
        }
        winning
    }
}

/// The elements beside which neither the heap itself is lost, nor one of its options.
fn no_winning_move(monoid: &Monoid, own: &Bits, winning: &Bits) -> Bits {
    let mut either = winning.clone();
    either.unite(own);
    either.others(monoid.order())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::misere::tests::{SMALL_QUOTIENTS, letters};

    /// Whether a flaw is real: whether its statement holds for this monoid and these letters.
    fn is_flaw(monoid: &Monoid, letters: &[Letter], flaw: &Flaw) -> bool {
        let product = |a, b| monoid.times(a, b);
        match flaw {
            Flaw::Ended(heap) => {
                let letter = &letters[*heap];
                letter.options.is_empty() && (letter.element != 0 || monoid.is_lost(0))
            }
            Flaw::Both { heap, others } => {
                let is_lost = |&element: &Element| monoid.is_lost(product(element, *others));
                let letter = &letters[*heap];
                is_lost(&letter.element) && letter.options.iter().any(is_lost)
            }
            Flaw::Stuck(heaps) => {
                let of = |heaps: &[usize]| {
                    let elements = heaps.iter().map(|&heap| letters[heap].element);
                    elements.fold(0, product)
                };
                let loses = |at: usize| {
                    let others = of(&[&heaps[..at], &heaps[at + 1..]].concat());
                    let options = &letters[heaps[at]].options;
                    !(options.iter()).any(|&option| monoid.is_lost(product(option, others)))
                };
                !heaps.is_empty() && !monoid.is_lost(of(heaps)) && (0..heaps.len()).all(loses)
            }
            Flaw::Interrupted => false,
        }
    }

    #[test]
    fn a_quotient_is_proved_and_of_a_wrong_one_a_flaw_is_named() {
        let mut stuck = 0;
        for (game, last) in SMALL_QUOTIENTS {
            let (monoid, letters) = letters(game, last);
            let proof = QuotientProof::new(&monoid, &letters, &|_| true).unwrap();
            assert_eq!(proof.alike(), None, "{game}");
            for changed in monoid.elements() {
                let is_lost = |&x: &Element| monoid.is_lost(x) != (x == changed);
                let losing = monoid.elements().filter(is_lost).map(usize::from);
                let wrong = monoid.with_losing(Bits::of(monoid.order(), losing));
                let flaw = QuotientProof::new(&wrong, &letters, &|_| true).unwrap_err();
                assert!(
                    is_flaw(&wrong, &letters, &flaw),
                    "{game}, {changed}: {flaw:?}"
                );
                stuck += usize::from(matches!(flaw, Flaw::Stuck(_)));
            }
        }
        assert!(stuck > 10, "{stuck}");
    }
}
