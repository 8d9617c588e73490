//! A take-and-break code: for each number of stones taken, how the rest of the heap may be left.
//!
//! The notation is CGSuite's, which extends the octal codes of Guy and Smith (*The G-values of various games*,
//! Proc. Camb. Phil. Soc. 52, 1956, pp. 514-526): `d0.d1d2d3…`, where bit k of the digit `dt` says whether a move
//! may take t stones and leave the rest as exactly k non-empty heaps.

use super::digit::{Digit, ZERO};
use crate::error::CodeError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A take-and-break code in normal form: two codes of the same rule are equal and print alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Code {
    /// The digit for taking t stones, t from 0; never empty.
    digits: Vec<Digit>,
    /// How many of the last digits repeat for ever.
    repeat: usize,
    /// The numbers of stones for which `digits` allow anything, ascending.
    takings: Vec<usize>,
}

impl Code {
    /// The code with these digits (the first is for taking nothing), of which the last `repeat` repeat for ever.
    pub(super) fn new(mut digits: Vec<Digit>, mut repeat: usize) -> Code {
        if digits.is_empty() {
            digits.push(Digit::default());
        }
        repeat = repeat.min(digits.len() - 1);
        let tail = &digits[digits.len() - repeat..];
        if let Some(shortest) =
            (1..=repeat).find(|&r| repeat.is_multiple_of(r) && tail[r..] == tail[..repeat - r])
        {
            digits.truncate(digits.len() - repeat + shortest);
            repeat = shortest;
        }
        if repeat == 1 && digits.last().is_some_and(Digit::is_zero) {
            repeat = 0;
        }
        if repeat == 0 {
            while digits.len() > 1 && digits.last().is_some_and(Digit::is_zero) {
                digits.pop();
            }
        } else {
            while digits.len() > repeat + 1
                && digits[digits.len() - 1] == digits[digits.len() - 1 - repeat]
            {
                digits.pop();
            }
        }
        let takings = (0..digits.len()).filter(|&t| !digits[t].is_zero());
        let takings = takings.collect();
        Code {
            digits,
            repeat,
            takings,
        }
    }

    /// The least number of stones, at least `stones`, that the code allows a move to take.
    pub(super) fn next_taking(&self, stones: u64) -> Option<u64> {
        let from = |digit: usize| {
            self.takings
                .get(self.takings.partition_point(|&t| t < digit))
                .copied()
        };
        let written = self.digits.len() as u64;
        if let Some(t) = usize::try_from(stones.min(written)).ok().and_then(from) {
            return Some(t as u64);
        }
        let (start, repeat) = (written - self.repeat as u64, self.repeat as u64);
        if repeat == 0 {
            return None;
        }
        let past = (stones - start) % repeat;
        let next = from((start + past) as usize).map_or_else(
            || from(start as usize).map(|t| t as u64 + repeat),
            |t| Some(t as u64),
        )?;
        stones.checked_add(next - start - past)
    }

    /// The numbers of stones, ascending, whose written digits allow something.
    pub fn takings(&self) -> impl Iterator<Item = usize> + '_ {
        self.takings.iter().copied()
    }

    /// The digit that says what a move taking `stones` may leave.
    pub fn digit(&self, stones: u64) -> &Digit {
        let start = self.digits.len() - self.repeat;
        match usize::try_from(stones) {
            Ok(t) if t < self.digits.len() => &self.digits[t],
            _ if self.repeat > 0 => {
                let past = (stones - start as u64) % self.repeat as u64;
                &self.digits[start + past as usize]
            }
            _ => &ZERO,
        }
    }

    /// The largest number of stones that one move may take, or `None` if there is no bound.
    pub fn most_taken(&self) -> Option<u64> {
        (self.repeat == 0).then_some(self.digits.len() as u64 - 1)
    }

    /// The largest number of stones that one move may take, of an octal code with an end.
    pub(crate) fn octal_end(&self) -> Option<u64> {
        self.most_taken().filter(|_| self.is_octal())
    }

    /// Whether a move takes stones and does nothing else: the rest stays one heap, or none if all are taken.
    pub(crate) fn only_takes(&self) -> bool {
        let stays_one = |digit: &Digit| {
            let [whole, one] = [0, 1].map(|count| digit.parts(count).is_some());
            digit.is_zero() || whole && one && digit.most_heaps() == Some(1)
        };
        self.digits[0].is_zero() && self.digits.iter().all(stays_one)
    }

    /// The remainders of the numbers of stones that may be taken, if these are infinitely many and the rest always stays one
    /// heap.
    pub(super) fn taken_modulo(&self, modulus: u64) -> Option<Vec<bool>> {
        if self.repeat == 0 || !self.only_takes() {
            return None;
        }
        let mut left = vec![false; modulus as usize];
        let start = self.digits.len() - self.repeat;
        for at in self.takings() {
            let times = if at < start { 1 } else { modulus };
            let (first, step) = (at as u64 % modulus, self.repeat as u64 % modulus);
            (0..times).for_each(|times| left[((first + times * step) % modulus) as usize] = true);
        }
        Some(left)
    }

    /// The digits written out, and how many of the last of them repeat for ever.
    pub fn written(&self) -> (&[Digit], usize) {
        (&self.digits, self.repeat)
    }

    /// The largest number of heaps that one move may leave, or `None` if there is no bound. 0 for the empty game.
    pub fn most_heaps(&self) -> Option<u64> {
        let mut most = 0;
        for digit in self.digits.iter().filter(|digit| !digit.is_zero()) {
            most = most.max(digit.most_heaps()?);
        }
        Some(most)
    }

    /// Whether every digit is an octal one: at most two heaps left, with no condition on their sizes.
    pub fn is_octal(&self) -> bool {
        self.digits.iter().all(|digit| {
            digit.is_zero()
                || digit.most_heaps().is_some_and(|k| k <= 2)
                    && matches!(digit.parts(2), None | Some(super::Parts::Any))
        })
    }
}

impl TryFrom<String> for Code {
    type Error = CodeError;

    fn try_from(text: String) -> Result<Code, CodeError> {
        text.parse()
    }
}

impl From<Code> for String {
    fn from(code: Code) -> String {
        code.to_string()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.digits.len() - self.repeat;
        write!(f, "{}.", self.digits[0])?;
        for digit in &self.digits[1..start] {
            write!(f, "{digit}")?;
        }
        if self.repeat > 0 {
            f.write_str("[")?;
            for digit in &self.digits[start..] {
                write!(f, "{digit}")?;
            }
            f.write_str("]")?;
        } else if start == 1 {
            f.write_str("0")?;
        }
        Ok(())
    }
}
