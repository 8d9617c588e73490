//! Rules in plain words: `take 1..9`, `take 1 or 3 or half`, `take primes`, `take 2 and may split the rest`, `split into
//! unequal parts`.
//!
//! A rule is a list of numbers of stones behind `take`, each perhaps with what becomes of the rest, and of splits, joined by `or`
//! and commas. A rule that a finite code can express becomes that code; a finite set becomes a subtraction game. Any other rule
//! becomes one of [`Takings`].

use super::digit::Parts;
use super::sets::{LARGEST_ELEMENT, list, subtraction};
use super::takings::{Numbers, Rest, Taking, Takings};
use super::{Rule, Ruleset};
use crate::error::{Expected, NameError, RuleFault};
use crate::position::{self, PileFault};
use crate::printable::joined;
use std::sync::Arc;

const TAKE: [&str; 6] = [
    "take",
    "takes",
    "remove",
    "removes",
    "subtract",
    "subtracts",
];
const SPLIT: [&str; 4] = ["split", "splits", "divide", "break"];

/// Numbers written in letters.
const NAMES: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// Words that are ignored.
const NOISE: [&str; 16] = [
    "a", "an", "the", "stone", "stones", "coin", "coins", "counter", "counters", "number",
    "numbers", "pile", "heap", "of", "from", "exactly",
];

/// Sets of which any member may be taken: `any odd number`.
const ANY_OF: [&str; 16] = [
    "odd",
    "even",
    "prime",
    "primes",
    "square",
    "squares",
    "cube",
    "cubes",
    "fibonacci",
    "divisor",
    "divisors",
    "proper",
    "power",
    "powers",
    "multiple",
    "multiples",
];

/// Whether a name is a rule in words: it begins with a verb that no game has for its whole name.
pub(super) fn is_rule(name: &str) -> bool {
    let mut words = name.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    TAKE.contains(&&*first) || SPLIT.contains(&&*first) && words.next().is_some()
}

/// The words of a rule, each with its place in characters; a comma is a word.
struct Words<'r> {
    rule: &'r str,
    words: Vec<(usize, String)>,
    at: usize,
}

impl Words<'_> {
    fn new(rule: &str) -> Words<'_> {
        let mut words: Vec<(usize, String)> = Vec::new();
        let mut open = false;
        let text = rule.trim_end();
        for (at, c) in text.strip_suffix('.').unwrap_or(text).chars().enumerate() {
            match c {
                ',' | ';' => words.push((at, ",".to_owned())),
                c if c.is_whitespace() => {}
                c => {
                    if !open {
                        words.push((at, String::new()));
                    }
                    if let Some((_, word)) = words.last_mut() {
                        word.extend(c.to_lowercase());
                    }
                }
            }
            open = !c.is_whitespace() && !matches!(c, ',' | ';');
        }
        Words { rule, words, at: 0 }
    }

    fn peek(&self, ahead: usize) -> &str {
        self.words.get(self.at + ahead).map_or("", |(_, word)| word)
    }

    /// Passes the next word if it is one of `wanted`. Returns whether it is.
    fn is(&mut self, wanted: &[&str]) -> bool {
        let found = wanted.contains(&self.peek(0));
        self.at += usize::from(found);
        found
    }

    fn skip(&mut self, noise: &[&str]) {
        while self.is(noise) {}
    }

    fn fault(&self, at: usize, fault: RuleFault) -> NameError {
        let end = || self.rule.trim_end().chars().count();
        NameError::Rule {
            rule: self.rule.to_owned(),
            at: self.words.get(at).map_or_else(end, |&(place, _)| place),
            fault,
        }
    }

    fn not_understood(&self, expected: Expected) -> NameError {
        let fault = match self.peek(0) {
            "" => RuleFault::Ended(expected),
            word => RuleFault::NotUnderstood(word.to_owned(), expected),
        };
        self.fault(self.at, fault)
    }

    /// A number in digits or in letters.
    fn number(&mut self) -> Result<usize, NameError> {
        let word = self.peek(0);
        let number = NAMES.iter().position(|&name| name == word);
        let number = match number {
            Some(number) => Ok(number as u64),
            None => position::number(word),
        };
        let number = match number {
            Ok(0) => return Err(self.fault(self.at, RuleFault::NoStone)),
            Ok(number) if number <= LARGEST_ELEMENT as u64 => number as usize,
            Ok(_) | Err(PileFault::TooLarge) => {
                return Err(self.fault(self.at, RuleFault::TooLarge(LARGEST_ELEMENT)));
            }
            Err(_) => return Err(self.not_understood(Expected::Numbers)),
        };
        self.at += 1;
        Ok(number)
    }

    /// One set of numbers of stones.
    fn numbers(&mut self) -> Result<Numbers, NameError> {
        self.skip(&NOISE);
        let word = self.peek(0).to_owned();
        // A range is one word or three.
        let ends = word.split_once("..").or(word.split_once('-'));
        if let Some((first, last)) =
            ends.filter(|(first, last)| !first.is_empty() && !last.is_empty())
        {
            let at = self.words[self.at].0;
            let parts = [first, "to", last].map(|part| (at, part.to_owned()));
            self.words.splice(self.at..=self.at, parts);
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) || NAMES.contains(&&*word) {
            let from = self.at;
            let first = self.number()?;
            if !self.is(&["to"]) {
                return Ok(Numbers::Finite(vec![first]));
            }
            return self.range_from(first, from);
        }
        let from = self.at;
        self.at += 1;
        Ok(match word.as_str() {
            "half" => Numbers::Half,
            "up" if self.is(&["to"]) => self.at_most()?,
            "at" if self.is(&["most"]) => self.at_most()?,
            "at" if self.is(&["least"]) => Numbers::Steps {
                first: self.number()?,
                step: 1,
            },
            "any" if ANY_OF.contains(&self.peek(0)) => self.numbers()?,
            "any" if self.peek(0) == "of" && self.peek(1).is_empty() => {
                self.at += 1;
                return Err(self.not_understood(Expected::Numbers));
            }
            "any" | "anything" => Numbers::Steps { first: 1, step: 1 },
            "between" => {
                let from = self.at;
                let first = self.number()?;
                if !self.is(&["and"]) {
                    return Err(self.not_understood(Expected::And));
                }
                self.range_from(first, from)?
            }
            "no" if self.is(&["more"]) && self.is(&["than"]) => self.at_most()?,
            "divisor" | "divisors" => Numbers::Divisors { proper: false },
            "proper" if self.is(&["divisor", "divisors"]) => Numbers::Divisors { proper: true },
            "prime" | "primes" => Numbers::Primes,
            "square" | "squares" => Numbers::Powers { exponent: 2 },
            "cube" | "cubes" => Numbers::Powers { exponent: 3 },
            "fibonacci" => Numbers::Fibonacci,
            "odd" => Numbers::Steps { first: 1, step: 2 },
            "even" => Numbers::Steps { first: 2, step: 2 },
            "power" | "powers" if self.is(&["of"]) => match self.number()? {
                1 => Numbers::Finite(vec![1]),
                base => Numbers::PowersOf { base: base as u64 },
            },
            "multiple" | "multiples" if self.is(&["of"]) => {
                let step = self.number()?;
                Numbers::Steps { first: step, step }
            }
            _ => {
                self.at = from;
                return Err(self.not_understood(Expected::Numbers));
            }
        })
    }

    /// The numbers from the first of a range, which stands at `from`, to its last.
    fn range_from(&mut self, first: usize, from: usize) -> Result<Numbers, NameError> {
        let last = self.number()?;
        if first > last {
            return Err(self.fault(from, RuleFault::FallingRange));
        }
        Ok(Numbers::Finite((first..=last).collect()))
    }

    /// Reads the words behind `up to`.
    fn at_most(&mut self) -> Result<Numbers, NameError> {
        self.skip(&NOISE);
        if self.is(&["half"]) {
            return Ok(Numbers::UpToHalf);
        }
        Ok(Numbers::Finite((1..=self.number()?).collect()))
    }

    /// Reads what becomes of the rest, if the rule says it.
    fn rest(&mut self) -> Result<Rest, NameError> {
        self.skip(&NOISE);
        if self.peek(0) == "," && self.peek(1) == "and" && self.peek(2) == "may" {
            self.at += 1;
        }
        if self.peek(0) != "and" || !(self.peek(1) == "may" || SPLIT.contains(&self.peek(1))) {
            return Ok(Rest::One);
        }
        self.at += 1;
        let rest = if self.is(&["may"]) {
            Rest::MaySplit
        } else {
            Rest::Split
        };
        if !self.is(&SPLIT) {
            return Err(self.not_understood(Expected::Split));
        }
        self.skip(&NOISE);
        self.skip(&[
            "rest", "it", "what", "is", "left", "into", "two", "2", "parts", "piles", "heaps",
        ]);
        Ok(rest)
    }

    /// Reads how the parts of a split compare.
    fn split(&mut self) -> Result<Parts, NameError> {
        self.skip(&["a", "the", "pile", "heap", "it", "into", "two", "2"]);
        let parts = match self.peek(0) {
            "unequal" | "different" => Parts::Unequal,
            "equal" => Parts::Equal,
            _ => Parts::Any,
        };
        self.at += usize::from(parts != Parts::Any);
        self.skip(&["parts", "piles", "heaps", "stacks"]);
        Ok(parts)
    }

    /// Reads the whole rule.
    fn read(&mut self) -> Result<(Vec<Taking>, Option<Parts>), NameError> {
        let mut takings: Vec<Taking> = Vec::new();
        let mut splits: Option<Parts> = None;
        let mut since_verb = None;
        // Whether `, or` stands before the number.
        let mut list_ended = false;
        loop {
            if self.is(&SPLIT) {
                let parts = self.split()?;
                // Equal and unequal parts together are any parts.
                splits = match splits {
                    Some(other) if other != parts => Some(Parts::Any),
                    _ => Some(parts),
                };
                since_verb = None;
            } else {
                if self.is(&TAKE) {
                    since_verb = Some(takings.len());
                }
                let Some(first) = since_verb else {
                    return Err(self.not_understood(Expected::Verb));
                };
                let numbers = self.numbers()?;
                takings.push(Taking {
                    numbers,
                    rest: Rest::One,
                });
                let from = self.at;
                let rest = self.rest()?;
                if rest != Rest::One {
                    if list_ended && takings.len() > first + 1 {
                        return Err(self.fault(from, RuleFault::Unclear));
                    }
                    takings[first..]
                        .iter_mut()
                        .for_each(|taking| taking.rest = rest);
                    since_verb = None;
                }
            }
            if self.peek(0).is_empty() {
                return Ok((takings, splits));
            }
            let comma = self.is(&[","]);
            let or = self.is(&["or", "and"]);
            list_ended = comma && or;
            if !or && !comma {
                return Err(self.not_understood(Expected::Or));
            }
        }
    }
}

/// The game of a rule.
pub(super) fn read(rule: &str) -> Result<Ruleset, NameError> {
    let (takings, splits) = Words::new(rule).read()?;
    let takings = Takings::new(in_order(takings), splits);
    if let Some(Numbers::Finite(set)) = takings.only_numbers() {
        return Ok(subtraction(set));
    }
    let name = in_words(&takings);
    let rule = match takings.code() {
        Some(code) => Rule::Code { code, least: 1 },
        None => Rule::Words(Arc::new(takings)),
    };
    Ok(Ruleset { name, rule })
}

/// The takings in a fixed order: for each way to leave the rest, one list of the single numbers and each other set once.
fn in_order(takings: Vec<Taking>) -> Vec<Taking> {
    let mut found: Vec<Taking> = Vec::new();
    for rest in [Rest::One, Rest::MaySplit, Rest::Split] {
        let mut single: Vec<usize> = Vec::new();
        let first = found.len();
        for taking in takings.iter().filter(|taking| taking.rest == rest) {
            match &taking.numbers {
                Numbers::Finite(numbers) => single.extend(numbers),
                _ if found.contains(taking) => {}
                _ => found.push(taking.clone()),
            }
        }
        single.sort_unstable();
        single.dedup();
        if !single.is_empty() {
            let numbers = Numbers::Finite(single);
            found.insert(first, Taking { numbers, rest });
        }
    }
    found
}

/// The rule as it is shown, which is read as the same rule.
fn in_words(rule: &Takings) -> String {
    let mut clauses: Vec<String> = Vec::new();
    for rest in [Rest::One, Rest::MaySplit, Rest::Split] {
        let own = rule.takings.iter().filter(|taking| taking.rest == rest);
        let numbers = joined(own.map(|taking| &taking.numbers), " or ");
        if !numbers.is_empty() {
            clauses.push(format!("take {numbers}{}", rest.words()));
        }
    }
    clauses.extend(rule.splits.map(|parts| {
        let how = match parts {
            Parts::Any => "two parts",
            Parts::Equal => "equal parts",
            Parts::Unequal | Parts::NotAllEqual => "unequal parts",
        };
        format!("split into {how}")
    }));
    clauses.join(", or ")
}

impl std::fmt::Display for Numbers {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Numbers::Finite(numbers) => out.write_str(&list(numbers).replace(',', ", ")),
            Numbers::Steps { first: 1, step: 1 } => out.write_str("any number"),
            Numbers::Steps { first, step: 1 } => write!(out, "at least {first}"),
            Numbers::Steps { first: 1, step: 2 } => out.write_str("odd numbers"),
            Numbers::Steps { first: 2, step: 2 } => out.write_str("even numbers"),
            Numbers::Steps { step, .. } => write!(out, "multiples of {step}"),
            Numbers::Primes => out.write_str("primes"),
            Numbers::Fibonacci => out.write_str("fibonacci numbers"),
            Numbers::Powers { exponent: 2 } => out.write_str("squares"),
            Numbers::Powers { .. } => out.write_str("cubes"),
            Numbers::PowersOf { base } => write!(out, "powers of {base}"),
            Numbers::Half => out.write_str("half"),
            Numbers::Divisors { proper: true } => out.write_str("a proper divisor"),
            Numbers::Divisors { proper: false } => out.write_str("a divisor"),
            Numbers::UpToHalf => out.write_str("up to half"),
        }
    }
}
