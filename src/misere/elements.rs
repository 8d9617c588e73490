//! The elements that a few generators make, as the answers to tests tell them apart.
//!
//! A word is a sum of generators, by their numbers, ascending. The words are gone through from the shortest on, those
//! of equal length in the order of their letters. A word is asked about only if all that it contains are least words
//! of elements of their own; it is then an element, or equal to an earlier one. The element of any other word follows
//! by what its parts are equal to, as in a Gröbner basis of binomials (Rosales and García-Sánchez, *Finitely Generated
//! Commutative Monoids*, 1999, ch. 6). All of it is a guess, as good as the tests; where it comes from is kept, so
//! that a wrong guess can be traced to the question that was too few.
//!
//! Cost: a look-up for each element and generator; the questions are as many as elements and least relations.

use super::memory::allocated;
use super::monoid::Element;
use hashbrown::HashMap;
use std::hash::Hash;

/// A sum of generators, as their numbers in ascending order.
pub type Word = Vec<u16>;

/// The way in which the element of a word is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub element: Element,
    /// The letter without which the word is equal to a lesser word; `None` if the tests were asked about the word itself.
    pub but: Option<u16>,
}

/// The elements, each by its least word, and their products with the generators.
#[derive(Debug)]
pub struct Elements {
    generators: usize,
    /// The least word of each element.
    pub words: Vec<Word>,
    /// The product of each element with each generator: the elements in order, and for each the generators in order.
    next: Vec<Element>,
    claims: HashMap<Word, Claim>,
    /// The words found equal to lesser ones by the tests.
    pub relations: Vec<(Word, Element)>,
}

impl Elements {
    /// Finds all elements. `ask` is given a word, and how many bytes are taken by then, and answers with the element of the word,
    /// or `None` if it is a new one. It is told of the new elements in order, the empty word being the first.
    pub fn find<E>(
        generators: usize,
        mut ask: impl FnMut(&Word, u64) -> Result<Option<Element>, E>,
    ) -> Result<Elements, E> {
        let empty = Claim {
            element: 0,
            but: None,
        };
        let mut found = Elements {
            generators,
            words: vec![Word::new()],
            next: Vec::new(),
            claims: HashMap::from([(Word::new(), empty)]),
            relations: Vec::new(),
        };
        let mut level = 0..1;
        let mut taken = 0;
        while !level.is_empty() {
            let length = found.words[level.start].len() + 1;
            let one = size_of::<Word>() as u64 + allocated::<u16>(length);
            let listed = one * (level.len() * generators) as u64;
            let longer = |word: &Word| {
                let word = word.clone();
                (0..generators as u16).map(move |letter| with(&word, letter))
            };
            let mut words: Vec<Word> = found.words[level].iter().flat_map(longer).collect();
            words.sort_unstable();
            words.dedup();
            let first = found.words.len();
            for word in words {
                let claim = match found.follows(&word) {
                    Some(claim) => claim,
                    None => {
                        let elements = found.words.len() * (2 * size_of::<Word>() + 2 * generators);
                        let bytes = taken + listed + elements as u64 + grown(&found.claims);
                        let element = match ask(&word, bytes)? {
                            Some(element) => {
                                found.relations.push((word.clone(), element));
                                taken += 2 * one;
                                element
                            }
                            None => {
                                found.words.push(word.clone());
                                taken += one;
                                (found.words.len() - 1) as Element
                            }
                        };
                        let but = None;
                        Claim { element, but }
                    }
                };
                found.claims.insert(word, claim);
                taken += one;
            }
            level = first..found.words.len();
        }
        for word in &found.words {
            for letter in 0..generators as u16 {
                let claim = found.claims[&with(word, letter)];
                found.next.push(claim.element);
            }
        }
        Ok(found)
    }

    /// The element of a word, if it follows from a relation of one of its parts.
    fn follows(&self, word: &Word) -> Option<Claim> {
        word.iter().enumerate().find_map(|(at, &letter)| {
            if at > 0 && word[at - 1] == letter {
                return None;
            }
            let mut part = word.clone();
            part.remove(at);
            let least = &self.words[usize::from(self.claims.get(&part)?.element)];
            if *least == part {
                return None;
            }
            let element = self.claims.get(&with(least, letter))?.element;
            let but = Some(letter);
            Some(Claim { element, but })
        })
    }

    /// How many elements there are.
    pub fn order(&self) -> usize {
        self.words.len()
    }

    /// The product of an element with a generator.
    pub fn next(&self, element: Element, generator: usize) -> Element {
        self.next[usize::from(element) * self.generators + generator]
    }

    /// How the element of a word is known; the word is at most one letter longer than a least word.
    pub fn claim(&self, word: &Word) -> Option<Claim> {
        self.claims.get(word).copied()
    }

    /// For each element except the first, the earlier element and the generator that make it.
    pub fn made(&self) -> Vec<(Element, usize)> {
        let made = |word: &Word| {
            let (&last, before) = word.split_last()?;
            let before = self.claims.get(before)?.element;
            Some((before, usize::from(last)))
        };
        self.words.iter().filter_map(made).collect()
    }

    /// Elements with two generators whose order makes a difference.
    pub fn disorder(&self) -> impl Iterator<Item = (Element, [u16; 2])> + '_ {
        let elements = (0..self.words.len()).map(|element| element as Element);
        let generators = self.generators;
        let all = elements.flat_map(move |element| {
            (0..generators).flat_map(move |a| (0..a).map(move |b| (element, a, b)))
        });
        all.filter(|&(element, a, b)| {
            let one = self.next(self.next(element, a), b);
            one != self.next(self.next(element, b), a)
        })
        .map(|(element, a, b)| (element, [a as u16, b as u16]))
    }
}

/// The bytes that a table takes, with those it takes while it grows if it is full.
pub fn grown<K: Eq + Hash, V>(table: &HashMap<K, V>) -> u64 {
    let bytes = table.allocation_size() as u64;
    if table.len() == table.capacity() {
        3 * bytes
    } else {
        bytes
    }
}

/// A word with one letter more, or a sum with one atom more, in ascending order.
pub fn with<T: Copy + Ord>(word: &[T], letter: T) -> Vec<T> {
    let (before, after) = word.split_at(word.partition_point(|&before| before <= letter));
    [before, &[letter], after].concat()
}
