//! Games of taking by a set of numbers: `subtraction:1,2,5-9`, `all-but:1,2`.

use super::Ruleset;
use super::code::Code;
use super::digit::{Digit, Parts};
use crate::error::{NameError, SetFault};
use crate::position::{self, PileFault};
use crate::printable::joined;

/// The largest element of a subtraction or all-but set, and the largest number of a rule in words.
pub const LARGEST_ELEMENT: usize = 65_536;

/// The game of taking a number of the set.
pub fn subtraction(elements: &[usize]) -> Ruleset {
    let taking = Digit::new(vec![Some(Parts::Any); 2], None);
    let digits = digits(elements, Digit::default(), taking);
    let name = format!("subtraction:{}", list(elements));
    Ruleset::from_code(Code::new(digits, 0)).called(&name)
}

/// The game of taking any number that is not in the set.
pub fn all_but(elements: &[usize]) -> Ruleset {
    let taking = Digit::new(vec![Some(Parts::Any); 2], None);
    let mut digits = digits(elements, taking.clone(), Digit::default());
    digits.push(taking);
    let name = format!("all-but:{}", list(elements));
    Ruleset::from_code(Code::new(digits, 1)).called(&name)
}

/// The digits from 0 to the largest element: nothing for taking none, `inside` for the elements, `outside` else.
fn digits(elements: &[usize], outside: Digit, inside: Digit) -> Vec<Digit> {
    let largest = elements.last().copied().unwrap_or(0);
    let mut digits = vec![outside; largest + 1];
    digits[0] = Digit::default();
    for &element in elements {
        digits[element] = inside.clone();
    }
    digits
}

/// The elements of a set, ascending, each once: `1,2,3`, `1-9`, `1..9`, in braces or without.
pub fn elements(set: &str) -> Result<Vec<usize>, NameError> {
    let fault = |fault| NameError::Set {
        set: set.to_owned(),
        fault,
    };
    let number = |text: &str| {
        let text = text.trim();
        if text.is_empty() {
            return Err(fault(SetFault::MissingElement));
        }
        match position::number(text) {
            Ok(0) => Err(fault(SetFault::NoStone)),
            Ok(element) if element <= LARGEST_ELEMENT as u64 => Ok(element as usize),
            Ok(_) | Err(PileFault::TooLarge) => Err(fault(SetFault::TooLarge(LARGEST_ELEMENT))),
            Err(_) => Err(fault(SetFault::NotANumber)),
        }
    };
    let list = set.trim();
    let inner = list
        .strip_prefix('{')
        .and_then(|list| list.strip_suffix('}'));
    let mut elements = Vec::new();
    for element in inner.unwrap_or(list).split(',') {
        match element.split_once("..").or(element.split_once('-')) {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                if first > last {
                    return Err(fault(SetFault::FallingRange));
                }
                elements.extend(first..=last);
            }
            None => elements.push(number(element)?),
        }
    }
    elements.sort_unstable();
    elements.dedup();
    Ok(elements)
}

/// The shortest run of elements that is written as a range.
const WRITTEN_RANGE: usize = 5;

/// A set as it is named: `1,2,3`, runs of five and more as `1-9`.
pub fn list(elements: &[usize]) -> String {
    let runs = elements.chunk_by(|one, next| one + 1 == *next);
    let words = runs.map(|run| match run {
        [first, .., last] if run.len() >= WRITTEN_RANGE => format!("{first}-{last}"),
        run => joined(run, ","),
    });
    joined(words, ",")
}
