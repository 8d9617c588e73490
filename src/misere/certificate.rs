//! The certificate of a misère quotient, as JSON, and its check.
//!
//! The certificate holds a monoid, as the products of each element with the generators, its P-portion, and the elements of the
//! heaps. The check learns nothing. It checks that the generators commute and make all elements, so that words that lead to one
//! element may stand for each other; walks over the options of each heap by the rule of the game; and goes through the pairs of
//! the proof again. Where that would be too many options, and all heaps from some on are firm (see `firm`), those heaps are
//! checked by their nim-values. That no two elements are alike is read off the rows of the product.
//!
//! Time: the options of all heaps, no more than the steps allowed, and the pairs of the proof. Memory: the product of any two
//! elements.

use super::bits::Bits;
use super::heap_quotient::{HeapQuotient, MiserePeriod, proved_period};
use super::heaps::Heaps;
use super::monoid::{Element, MOST_ELEMENTS, Monoid};
use super::options::HeapElements;
use super::proof::{Flaw, Letter, QuotientProof};
use crate::certificate::{Certificate, Head, PROGRAM, code_of, wrong, wrong_at};
use crate::engine::{Effort, cost};
use crate::error::{Contradiction, Error, Reason, Stated};
use crate::ruleset::Ruleset;
use serde::{Deserialize, Serialize};

/// How many heaps' options are looked at between two looks at the watch.
const CHECK_HEAPS: u64 = 64;

/// A proved misère quotient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuotientCertificate {
    /// The kind of the certificate: `misere-quotient`.
    pub kind: String,
    /// The program that made the certificate.
    pub program: String,
    /// The game's name.
    pub game: String,
    /// The take-and-break code of the game in normal form, if it has one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub code: Option<String>,
    /// The last heap covered, from 0 on.
    pub heaps: u64,
    /// How many elements there are; element 0 is that of the empty sum.
    pub order: usize,
    /// The heaps that generate the monoid.
    pub generators: Vec<u64>,
    /// For each element, its products with the generators.
    pub actions: Vec<Vec<Element>>,
    /// The elements whose sums are P-positions, ascending.
    pub p_portion: Vec<Element>,
    /// The element of each heap from 0 on.
    pub elements: Vec<Element>,
    /// How many pairs the closure of the proof has.
    pub pairs: usize,
    /// The heap from which on elements repeat for ever, if that is proved.
    #[serde(deserialize_with = "Option::deserialize")]
    pub preperiod: Option<u64>,
    /// The period with which elements repeat, if that is proved.
    #[serde(deserialize_with = "Option::deserialize")]
    pub period: Option<u64>,
}

/// The result of a check of a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The period that the certificate states, if it states one; the check proves it.
    pub period: Option<MiserePeriod>,
    /// The first heap that was checked by its nim-value, if there was one: the options of all heaps are more than may be looked
    /// at, and the heaps before it show that all later ones are firm.
    pub firm_from: Option<u64>,
}

impl Certificate for QuotientCertificate {
    const KIND: &'static str = "misere-quotient";
    const MOST_BYTES: u64 = 1 << 26;
    const IN_LINES: bool = false;

    /// A certificate of a quotient is always checked as a whole.
    type Extent<'c> = ();

    type Found = Found;

    fn head(&self) -> Head<'_> {
        Head {
            kind: &self.kind,
            game: &self.game,
            code: self.code.as_deref(),
        }
    }

    fn check(&self, effort: &Effort, (): &()) -> Result<Found, Error> {
        let ruleset: Ruleset = self.game.parse()?;
        self.check_code(&ruleset)?;
        if self.elements.len() as u64 != self.heaps.saturating_add(1) {
            let found = Contradiction::Heaps(self.elements.len());
            return Err(wrong("heaps", self.heaps, found));
        }
        let needed = Monoid::bytes(self.order);
        if needed > effort.memory {
            return Err(Error::Memory {
                needed,
                allowed: effort.memory,
                would_do: 0,
            });
        }
        let (proof, firm_from) = self.prove(&ruleset, effort)?;
        if proof.pairs != self.pairs {
            let found = Contradiction::Pairs(proof.pairs);
            return Err(wrong("pairs", self.pairs, found));
        }
        if let Some((one, other)) = proof.alike() {
            let found = Contradiction::Alike([one, other]);
            return Err(wrong("order", self.order, found));
        }
        let period = proved_period(&ruleset, &self.elements);
        let right = period.map(|found| (found.preperiod, found.period)).unzip();
        if (self.preperiod, self.period) != right {
            let found = period.map(|found| [found.period, found.preperiod]);
            let stated = match self.preperiod.zip(self.period) {
                Some((start, period)) => Stated::Period { period, start },
                None => Stated::Value("none".to_owned()),
            };
            return Err(wrong_at("period", stated, Contradiction::Proved(found)));
        }
        Ok(Found { period, firm_from })
    }
}

impl QuotientCertificate {
    /// The certificate of a quotient, with the closure that a check will find.
    ///
    /// # Errors
    /// As for a check. A quotient that was proved by this rule is not refuted; but the proof may be interrupted, or take more
    /// than the effort allows.
    pub fn new(
        ruleset: &Ruleset,
        quotient: &HeapQuotient,
        effort: &Effort,
    ) -> Result<QuotientCertificate, Error> {
        let monoid = quotient.monoid();
        let heap = |&heap: &u64| quotient.elements[heap as usize];
        let generators: Vec<Element> = quotient.generators.iter().map(heap).collect();
        let actions = monoid.elements().map(|element| {
            let times = |&generator: &Element| monoid.times(element, generator);
            generators.iter().map(times).collect()
        });
        let mut certificate = QuotientCertificate {
            kind: Self::KIND.to_owned(),
            program: PROGRAM.to_owned(),
            game: ruleset.name().to_owned(),
            code: code_of(ruleset),
            heaps: quotient.last_heap(),
            order: monoid.order(),
            generators: quotient.generators.clone(),
            actions: actions.collect(),
            p_portion: quotient.p_portion(),
            elements: quotient.elements.clone(),
            pairs: 0,
            preperiod: quotient.period.map(|found| found.preperiod),
            period: quotient.period.map(|found| found.period),
        };
        // The learner's proof goes through fewer heaps than there are: only those that are no sums of others.
        certificate.pairs = certificate.prove(ruleset, effort)?.0.pairs;
        Ok(certificate)
    }

    /// The heaps that show that all later heaps are firm; `None` if all options may be looked at.
    fn firm(&self, ruleset: &Ruleset, effort: &Effort) -> Result<Option<Heaps>, Error> {
        let options = |heap| cost::by_definition(ruleset, heap);
        let (needed, allowed) = (options(self.heaps), effort.steps);
        if needed <= allowed.into() {
            return Ok(None);
        }
        let mut heaps = Heaps::default();
        match heaps.meet(ruleset, self.heaps, effort.watch.as_deref()) {
            Ok(()) if heaps.met() <= self.heaps => return Ok(Some(heaps)),
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            _ => {}
        }
        Err(Error::OutOfReach {
            game: self.game.clone(),
            heap: self.heaps,
            reason: Reason::Options { needed, allowed },
            would_do: cost::largest_within(allowed.into(), self.heaps, options),
        })
    }

    /// Proves the claim again. Returns the proof, and the first heap that is checked by its nim-value.
    fn prove(
        &self,
        ruleset: &Ruleset,
        effort: &Effort,
    ) -> Result<(QuotientProof, Option<u64>), Error> {
        let monoid = self.monoid()?;
        self.check_names()?;
        let firm = self.firm(ruleset, effort)?;
        if let Some(heaps) = &firm {
            self.check_firm(ruleset, &monoid, heaps, effort)?;
        }
        let firm_from = firm.map(|heaps| heaps.met());
        let count = firm_from.unwrap_or(self.heaps + 1);
        let letters = self.letters(ruleset, &monoid, count, effort)?;
        let go_on = |_| effort.goes_on(0, self.pairs as u64);
        let proof = QuotientProof::new(&monoid, &letters, &go_on).map_err(|flaw| self.flawed(flaw));
        effort.done();
        Ok((proof?, firm_from))
    }

    /// The monoid that the actions of the generators make.
    fn monoid(&self) -> Result<Monoid, Error> {
        let order = self.order;
        if order == 0 || order > MOST_ELEMENTS || self.actions.len() != order {
            let found = Contradiction::Actions(self.actions.len());
            return Err(wrong("order", order, found));
        }
        let is_row = |row: &Vec<Element>| {
            row.len() == self.generators.len() && row.iter().all(|&x| usize::from(x) < order)
        };
        if let Some(element) = self.actions.iter().position(|row| !is_row(row)) {
            let made = self.actions[element].clone();
            let found = Contradiction::Generators(self.generators.len());
            return Err(wrong_at("actions", Stated::Action { made, element }, found));
        }
        self.check_commuting()?;
        let (made, losing) = (self.made()?, self.losing()?);
        let next = |element, generator| self.times(element, generator);
        Ok(Monoid::of_generators(&made, next, losing))
    }

    /// The product of an element with a generator, given by its number.
    fn times(&self, element: Element, generator: usize) -> Element {
        self.actions[usize::from(element)][generator]
    }

    fn check_commuting(&self) -> Result<(), Error> {
        let both = |element, a, b| self.times(self.times(element, a), b);
        for element in (0..self.order).map(|element| element as Element) {
            for a in 0..self.generators.len() {
                for b in 0..a {
                    let (one, other) = (both(element, a, b), both(element, b, a));
                    if one != other {
                        let generators = [b, a];
                        let found = Contradiction::NotCommuting {
                            generators,
                            element,
                        };
                        return Err(wrong("actions", one, found));
                    }
                }
            }
        }
        Ok(())
    }

    /// For each element except that of the empty sum, an earlier element and the generator by which the earlier one makes it.
    fn made(&self) -> Result<Vec<(Element, usize)>, Error> {
        let mut made: Vec<Option<(Element, usize)>> = vec![None; self.order];
        for (element, row) in self.actions.iter().enumerate() {
            for (generator, &product) in row.iter().enumerate() {
                if usize::from(product) > element {
                    let made = &mut made[usize::from(product)];
                    made.get_or_insert((element as Element, generator));
                }
            }
        }
        let all = made.into_iter().enumerate().skip(1).map(|(at, made)| {
            made.ok_or_else(|| wrong("order", self.order, Contradiction::NotMade(at)))
        });
        all.collect()
    }

    /// The P-portion as a set.
    fn losing(&self) -> Result<Bits, Error> {
        let mut losing = Bits::none(self.order);
        let mut last = None;
        for &element in &self.p_portion {
            if usize::from(element) >= self.order || last.is_some_and(|last| last >= element) {
                return Err(wrong("p_portion", element, Contradiction::NotAscending));
            }
            last = Some(element);
            losing.insert(element.into());
        }
        Ok(losing)
    }

    /// Checks that there are the elements named, and that the generators are heaps with the elements that they make.
    fn check_names(&self) -> Result<(), Error> {
        if let Some(&element) = (self.elements.iter()).find(|&&x| usize::from(x) >= self.order) {
            let found = Contradiction::Order(self.order);
            return Err(wrong("elements", element, found));
        }
        for (number, &heap) in self.generators.iter().enumerate() {
            let element = (usize::try_from(heap).ok()).and_then(|heap| self.elements.get(heap));
            if element != Some(&self.actions[0][number]) {
                let found = Contradiction::Makes(self.actions[0][number]);
                return Err(wrong("generators", heap, found));
            }
        }
        Ok(())
    }

    /// The elements of the first heaps and of their options.
    fn letters(
        &self,
        ruleset: &Ruleset,
        monoid: &Monoid,
        count: u64,
        effort: &Effort,
    ) -> Result<Vec<Letter>, Error> {
        let mut heaps = HeapElements::of(self.elements.clone());
        let mut letters = Vec::new();
        for (heap, &element) in (0..count).zip(&self.elements) {
            if heap.is_multiple_of(CHECK_HEAPS) && !effort.goes_on(heap, self.heaps) {
                return Err(Error::Interrupted);
            }
            let options = heaps.options(ruleset, monoid, heap);
            let (options, _) = options.map_err(|left| Error::NotEnding {
                game: self.game.clone(),
                heap,
                left,
            })?;
            letters.push(Letter { element, options });
        }
        Ok(letters)
    }

    fn flawed(&self, flaw: Flaw) -> Error {
        match flaw {
            Flaw::Ended(heap) => {
                let (element, heap) = (self.elements[heap], heap as u64);
                let stated = Stated::Element { element, heap };
                wrong_at("elements", stated, Contradiction::Ended)
            }
            Flaw::Both { heap, others } => {
                let heap = heap as u64;
                self.wrong_portion(Contradiction::Both { heap, others })
            }
            Flaw::Stuck(heaps) => {
                let heaps = heaps.into_iter().map(|heap| heap as u64);
                self.wrong_portion(Contradiction::Stuck(heaps.collect()))
            }
            Flaw::Interrupted => Error::Interrupted,
        }
    }

    /// The error that the P-portion is not the one stated.
    pub(super) fn wrong_portion(&self, found: Contradiction) -> Error {
        wrong("p_portion", format!("{:?}", self.p_portion), found)
    }
}
