//! Proves that a monoid with a P-portion says who wins every sum of its heaps.
//!
//! A heap h has an element a(h), a sum the product of its heaps'. The claim is that the sums whose element is in the
//! P-portion are just the P-positions. It follows by induction from two things, for all sums G:
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
//! U(h): of option sets, only the least of each element matter.
//!
//! That the pair of Q and its P-portion is reduced (no two elements have the same products in the P-portion) is seen
//! from the rows. Plambeck and Siegel, *Misère quotients for impartial games*, J. Combin. Theory Ser. A 115, 2008,
//! pp. 593-622, sections 2 and 5, who list the pairs (x, E) of an element and its options' elements instead.
//!
//! Cost: at most |Q|² pairs times the distinct elements of heaps, seven bytes a pair. Its twin is the search.

use super::bits::Bits;
use super::monoid::{Element, Monoid};
use std::collections::HashMap;

/// The element of a heap, and those of its options.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Letter {
    /// The element of the heap.
    pub element: Element,
    /// Those of its options, ascending, each once; none for a heap without moves.
    pub options: Vec<Element>,
}

/// Why a claim isn't proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A heap without a move (given by its number) whose element is not that of the empty sum.
    Ended(usize),
    /// With what else has this element, a heap and one of its options are both in the P-portion.
    Both { heap: usize, others: Element },
    /// A sum of heaps outside the P-portion all of whose options are outside it too.
    Stuck(Vec<usize>),
    /// It was stopped from outside.
    Interrupted,
}

/// How many pairs are gone through between two questions whether to go on.
const CHECK_PAIRS: usize = 1 << 14;

/// What was seen of the heaps so far: enough to take in another one of the kind.
#[derive(Debug, Default)]
pub struct QuotientProof {
    masks: Vec<Bits>,
    /// By element, the union of U(h).
    stuck: HashMap<Element, Bits>,
    /// How many pairs the walks went through.
    pub pairs: usize,
}

impl QuotientProof {
    /// Proves the claim for heaps of these letters, for as long as `go_on`, told of so many pairs and steps more, says so.
    ///
    /// # Errors
    /// The flaw found first; that of [`Flaw::Stuck`] is a sum of as few heaps as any.
    pub fn new(
        monoid: &Monoid,
        letters: &[Letter],
        go_on: &dyn Fn(usize) -> bool,
    ) -> Result<QuotientProof, Flaw> {
        let mut proof = QuotientProof {
            masks: monoid.elements().map(|one| monoid.mask(one)).collect(),
            stuck: HashMap::new(),
            pairs: 0,
        };
        for (heap, letter) in letters.iter().enumerate() {
            let stuck = proof.stuck_beside(monoid, letter);
            let stuck = stuck.map_err(|flaw| flaw.of_heap(heap))?;
            if let Some(stuck) = stuck {
                let union = proof.stuck.entry(letter.element);
                union
                    .or_insert_with(|| Bits::none(monoid.order()))
                    .unite(&stuck);
            }
        }
        let walk = Walk::new(monoid, &proof.stuck);
        proof.pairs = walk.go(go_on).map_err(|ended| {
            let Some(pairs) = ended else {
                return Flaw::Interrupted;
            };
            let elements = walk.back(&pairs);
            let heaps = elements.into_iter().map(|(element, beside)| {
                let is_it = |letter: &Letter| {
                    let stuck = (letter.element == element)
                        .then(|| proof.stuck_beside(monoid, letter).ok().flatten());
                    stuck.flatten().is_some_and(|set| set.has(beside.into()))
                };
                letters.iter().position(is_it)
            });
            Flaw::Stuck(heaps.flatten().collect())
        })?;
        Ok(proof)
    }

    /// Whether the claim follows for one heap more without a new walk.
    pub fn admits(&self, monoid: &Monoid, letter: &Letter) -> bool {
        if self.masks.is_empty() {
            return false;
        }
        match self.stuck_beside(monoid, letter) {
            Ok(None) => true,
            Ok(Some(stuck)) => {
                let known = self.stuck.get(&letter.element);
                known.is_some_and(|known| stuck.within(known))
            }
            Err(_) => false,
        }
    }

    /// Two elements that no product tells apart, if there are any: the monoid is not reduced then.
    pub fn alike(&self) -> Option<(Element, Element)> {
        let mut seen = HashMap::new();
        let rows = self.masks.iter().enumerate();
        rows.filter_map(|(number, mask)| {
            let before = seen.insert(mask, number)?;
            Some((before as Element, number as Element))
        })
        .next()
    }

    /// U(h), or `None` for a heap that has no moves and so is in no one's way.
    fn stuck_beside(&self, monoid: &Monoid, letter: &Letter) -> Result<Option<Bits>, Flaw> {
        if letter.options.is_empty() {
            let is_end = letter.element == 0 && !monoid.is_lost(0);
            return if is_end {
                Ok(None)
            } else {
                Err(Flaw::Ended(0))
            };
        }
        let own = &self.masks[usize::from(letter.element)];
        let mut winning = Bits::none(monoid.order());
        for &option in &letter.options {
            winning.unite(&self.masks[usize::from(option)]);
        }
        if let Some(others) = own.common(&winning) {
            let others = others as Element;
            return Err(Flaw::Both { heap: 0, others });
        }
        winning.unite(own);
        Ok(Some(winning.others(monoid.order())))
    }
}

impl Flaw {
    fn of_heap(self, heap: usize) -> Flaw {
        match self {
            Flaw::Both { others, .. } => Flaw::Both { heap, others },
            Flaw::Ended(_) => Flaw::Ended(heap),
            flaw @ (Flaw::Stuck(_) | Flaw::Interrupted) => flaw,
        }
    }
}

/// The walk through the pairs (p, s).
struct Walk<'m> {
    monoid: &'m Monoid,
    steps: Vec<Step<'m>>,
}

/// The steps of the heaps of an element.
struct Step<'m> {
    element: Element,
    stuck: &'m Bits,
    /// For each element t the elements s with `element` s = t: where they start in `quotients`, and these.
    starts: Vec<u32>,
    quotients: Vec<Element>,
}

impl Step<'_> {
    fn quotients(&self, of: Element) -> &[Element] {
        let at = usize::from(of);
        &self.quotients[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl<'m> Walk<'m> {
    fn new(monoid: &'m Monoid, stuck: &'m HashMap<Element, Bits>) -> Walk<'m> {
        let mut steps: Vec<Step<'m>> = stuck
            .iter()
            .filter(|(_, stuck)| !stuck.is_empty())
            .map(|(&element, stuck)| {
                let row = monoid.row(element);
                let mut starts = vec![0u32; monoid.order() + 1];
                row.iter()
                    .for_each(|&product| starts[usize::from(product) + 1] += 1);
                for at in 0..monoid.order() {
                    starts[at + 1] += starts[at];
                }
                let mut ends = starts.clone();
                let mut quotients = vec![0; monoid.order()];
                for (quotient, &product) in monoid.elements().zip(row) {
                    let end = &mut ends[usize::from(product)];
                    quotients[*end as usize] = quotient;
                    *end += 1;
                }
                Step {
                    element,
                    stuck,
                    starts,
                    quotients,
                }
            })
            .collect();
        steps.sort_unstable_by_key(|step| step.element);
        Walk { monoid, steps }
    }

    /// Goes through all pairs, the nearest first, and says how many; or gives those up to one that ends a walk, or
    /// none if it was stopped.
    fn go(&self, go_on: &dyn Fn(usize) -> bool) -> Result<usize, Option<Vec<(Element, Element)>>> {
        let order = self.monoid.order();
        let mut seen: Vec<Bits> = vec![Bits::none(order); order];
        let mut pairs: Vec<(Element, Element)> = Vec::new();
        for x in self.monoid.elements().filter(|&x| !self.monoid.is_lost(x)) {
            seen[0].insert(x.into());
            pairs.push((0, x));
        }
        let (mut at, mut tried) = (0, 0);
        while let Some(&(before, rest)) = pairs.get(at) {
            at += 1;
            if at.is_multiple_of(CHECK_PAIRS) && !go_on(std::mem::take(&mut tried)) {
                return Err(None);
            }
            let row = self.monoid.row(before);
            for step in &self.steps {
                let quotients = step.quotients(rest);
                tried += quotients.len() + 1;
                for &after in quotients {
                    if !step.stuck.has(row[usize::from(after)].into()) {
                        continue;
                    }
                    let taken = row[usize::from(step.element)];
                    if after == 0 {
                        pairs.truncate(at);
                        pairs.push((taken, after));
                        return Err(Some(pairs));
                    }
                    if seen[usize::from(taken)].insert(after.into()) {
                        pairs.push((taken, after));
                    }
                }
            }
        }
        Ok(pairs.len())
    }

    /// The heaps' elements on the way to the last of these pairs, each with the product of the others.
    fn back(&self, pairs: &[(Element, Element)]) -> Vec<(Element, Element)> {
        let met: HashMap<_, usize> = pairs[..pairs.len() - 1]
            .iter()
            .enumerate()
            .map(|(at, &pair)| (pair, at))
            .collect();
        let mut way = Vec::new();
        let mut at = pairs.len() - 1;
        loop {
            let (taken, after) = pairs[at];
            let sources = self.steps.iter().flat_map(|step| {
                let rest = self.monoid.times(step.element, after);
                let sources = self.monoid.elements().filter(move |&before| {
                    self.monoid.times(before, step.element) == taken
                        && (step.stuck).has(self.monoid.times(before, after).into())
                });
                let met = &met;
                sources.filter_map(move |before| {
                    let beside = self.monoid.times(before, after);
                    Some((*met.get(&(before, rest))?, step.element, beside))
                })
            });
            let Some((before, element, beside)) = sources.min().filter(|&(before, ..)| before < at)
            else {
                return way;
            };
            way.push((element, beside));
            // The pairs (1, x) begin the walks.
            if pairs[before].0 == 0 && before < self.beginnings() {
                return way;
            }
            at = before;
        }
    }

    fn beginnings(&self) -> usize {
        let elements = self.monoid.elements();
        elements.filter(|&x| !self.monoid.is_lost(x)).count()
    }
}
