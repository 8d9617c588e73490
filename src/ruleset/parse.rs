//! Reads a take-and-break code, and says where and why one is refused.

use super::code::Code;
use super::digit::{Digit, Parts};
use crate::error::CodeError;
use std::str::FromStr;

/// Which digits a code may be written with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    /// 0 to 7 alone.
    Octal,
    /// 0 to 9, A to Z, sets, `*`, and the suffixes.
    Any,
}

const DIGIT_HELP: &str =
    "a digit is 0-9, A-Z or a set like {2,3} or {2+}, each with at most one of the suffixes ! ? =";

impl Code {
    /// Reads a code whose digits must all be octal, 0 to 7.
    ///
    /// # Errors
    /// A [`CodeError`] with the place of the first fault.
    pub fn octal(text: &str) -> Result<Code, CodeError> {
        Parser::new(text, Digits::Octal).code()
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Code, CodeError> {
        Parser::new(text, Digits::Any).code()
    }
}

struct Parser<'t> {
    text: &'t str,
    characters: Vec<char>,
    at: usize,
    digits: Digits,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, digits: Digits) -> Parser<'t> {
        Parser {
            text,
            characters: text.chars().collect(),
            at: 0,
            digits,
        }
    }

    fn code(mut self) -> Result<Code, CodeError> {
        let splitting = self.before_the_point()?;
        let mut digits = vec![splitting];
        let mut repeat = 0;
        while let Some(c) = self.peek() {
            match c {
                '[' if self.digits == Digits::Any => {
                    repeat = self.repeating_tail(&mut digits)?;
                }
                ']' => {
                    return Err(self.error(
                        "this bracket closes nothing",
                        "a repeating tail is written [37]",
                    ));
                }
                '.' | ',' => return Err(self.error("a second point", "a code has one point: 0.77")),
                _ => {
                    let digit = self.digit()?;
                    digits.push(digit);
                }
            }
        }
        Ok(Code::new(digits, repeat))
    }

    /// The digits before the point: all but the last must be 0, and the last may only split.
    fn before_the_point(&mut self) -> Result<Digit, CodeError> {
        let mut digits = Vec::new();
        loop {
            let at = self.at;
            match self.peek() {
                None => {
                    return Err(self.error(
                        "there is no point",
                        "a code has a point after the digit for splitting: 0.77, 4.0",
                    ));
                }
                Some('.' | ',') => break,
                Some(_) => digits.push((at, self.digit()?)),
            }
        }
        self.at += 1;
        if self.peek().is_none() {
            return Err(self.error(
                "no digit follows the point",
                "a code without taking is written 4.0",
            ));
        }
        let (at, splitting) = digits.pop().unwrap_or_default();
        if let Some(&(at, _)) = digits.iter().find(|(_, digit)| !digit.is_zero()) {
            return Err(self.error_at(
                at,
                "a move would add stones to a pile, so the game need not end",
                "only one digit, for splitting without taking, comes before the point: 4.0",
            ));
        }
        match splitting.fewest_heaps() {
            Some(0 | 1) => Err(self.error_at(
                at,
                "a move that takes nothing must split the pile",
                "before the point, write 0, 4 (two piles), 8 (three), C (two or three), {2+} …",
            )),
            _ => Ok(splitting),
        }
    }

    /// `[…]`, which must end the code. Gives the number of digits that repeat.
    fn repeating_tail(&mut self, digits: &mut Vec<Digit>) -> Result<usize, CodeError> {
        let open = self.at;
        self.at += 1;
        let before = digits.len();
        loop {
            match self.peek() {
                None => {
                    return Err(self.error_at(
                        open,
                        "this bracket is never closed",
                        "a repeating tail is written [37]",
                    ));
                }
                Some('[') => {
                    return Err(self.error(
                        "a bracket within brackets",
                        "a repeating tail is written [37]",
                    ));
                }
                Some(']') if digits.len() == before => {
                    return Err(self.error(
                        "nothing to repeat",
                        "a repeating tail has at least one digit: [3]",
                    ));
                }
                Some(']') => break,
                Some(_) => {
                    let digit = self.digit()?;
                    digits.push(digit);
                }
            }
        }
        self.at += 1;
        if self.peek().is_some() {
            return Err(self.error(
                "something follows the repeating tail",
                "nothing may follow the closing bracket",
            ));
        }
        Ok(digits.len() - before)
    }

    fn digit(&mut self) -> Result<Digit, CodeError> {
        let Some(c) = self.peek() else {
            return Err(self.error("a digit is missing", DIGIT_HELP));
        };
        match (self.digits, c) {
            (Digits::Octal, '0'..='7') => {
                self.at += 1;
                Ok(Digit::from_character(c, Parts::Any).unwrap_or_default())
            }
            (Digits::Octal, _) => Err(self.error(
                &format!("`{c}` is not an octal digit"),
                "an octal digit is 0 to 7; without `octal:` a code may have 0-9 and A-Z",
            )),
            (Digits::Any, '{') => self.set(),
            (Digits::Any, '*') => {
                self.at += 1;
                let parts = self.suffix()?.unwrap_or(Parts::Any);
                Ok(Digit::new(Vec::new(), Some(parts)))
            }
            (Digits::Any, '&') => self.numbered_digit(),
            (Digits::Any, _) => {
                if Digit::from_character(c, Parts::Any).is_none() {
                    return Err(self.error(
                        &format!("`{}` is not a digit", c.escape_debug()),
                        DIGIT_HELP,
                    ));
                }
                self.at += 1;
                let parts = self.suffix()?.unwrap_or(Parts::Any);
                Ok(Digit::from_character(c, parts).unwrap_or_default())
            }
        }
    }

    /// `{2,3}`, `{0,2!,4+}`: the allowed numbers of heaps, the last with `+` for "or more".
    fn set(&mut self) -> Result<Digit, CodeError> {
        let open = self.at;
        let mut listed: Vec<(usize, Option<Parts>, usize)> = Vec::new();
        let mut or_more;
        loop {
            self.at += 1;
            let at = self.at;
            if self.peek() == Some('}') && listed.is_empty() {
                return Err(self.error_at(
                    open,
                    "the set is empty",
                    "a set lists the allowed numbers of piles: {2,3}, {2+}",
                ));
            }
            let heaps = self.number_of_heaps(open)?;
            let parts = self.suffix()?;
            listed.push((heaps, parts, at));
            or_more = self.peek() == Some('+');
            if or_more {
                self.at += 1;
            }
            match self.peek() {
                Some('}') => break,
                Some(',') if !or_more => {}
                Some(',') => {
                    return Err(self.error(
                        "only the last number may have a `+`",
                        "a set is written {0,2,4+}",
                    ));
                }
                None => return Err(self.unclosed_set(open)),
                Some(c) => {
                    return Err(self.error(
                        &format!("`{}` in a set", c.escape_debug()),
                        "a set is written {2,3} or {0,2!,4+}",
                    ));
                }
            }
        }
        self.at += 1;
        let whole_at = self.at;
        let whole = self.suffix()?;
        if whole.is_some() && listed.iter().any(|(_, parts, _)| parts.is_some()) {
            return Err(self.error_at(
                whole_at,
                "a suffix on the set and another within it",
                "put the suffix on the numbers or on the set, not on both",
            ));
        }
        let most = listed.iter().map(|&(heaps, ..)| heaps).max().unwrap_or(0);
        let mut counts = vec![None; most + 1];
        for &(heaps, parts, at) in &listed {
            if counts[heaps].is_some() {
                return Err(self.error_at(
                    at,
                    "this number of piles appears twice in the set",
                    "name each number of piles once",
                ));
            }
            counts[heaps] = Some(parts.or(whole).unwrap_or(Parts::Any));
        }
        match listed.last() {
            Some(&(heaps, _, at)) if or_more && heaps < most => Err(self.error_at(
                at,
                "the number with `+` must be the largest",
                "a set is written {0,2,4+}",
            )),
            Some(_) if or_more => {
                let beyond = counts.last().copied().flatten();
                Ok(Digit::new(counts, beyond))
            }
            _ => Ok(Digit::new(counts, None)),
        }
    }

    fn number_of_heaps(&mut self, open: usize) -> Result<usize, CodeError> {
        let at = self.at;
        let number = self.decimal();
        match number {
            None if self.peek().is_none() => Err(self.unclosed_set(open)),
            None => Err(self.error(
                "a number of piles is missing",
                "a set lists the allowed numbers of piles: {2,3}, {2+}",
            )),
            Some(n) if n <= Digit::MOST_HEAPS as u64 => Ok(n as usize),
            Some(_) => Err(self.error_at(
                at,
                "more than 63 piles",
                "a set may name 0 to 63 piles, and `+` for more",
            )),
        }
    }

    /// `&64;`, CGSuite's way to write a digit of 32 or more.
    fn numbered_digit(&mut self) -> Result<Digit, CodeError> {
        let open = self.at;
        self.at += 1;
        let value = self.decimal();
        match (value, self.peek()) {
            (Some(value), Some(';')) if value < u64::MAX => {
                self.at += 1;
                let parts = self.suffix()?.unwrap_or(Parts::Any);
                Ok(Digit::from_bits(value, parts))
            }
            _ => Err(self.error_at(
                open,
                "a numbered digit must be a number and a semicolon",
                "a numbered digit is written &64;",
            )),
        }
    }

    /// A decimal number; one too large to hold reads as `u64::MAX`.
    fn decimal(&mut self) -> Option<u64> {
        let mut number = None;
        while let Some(value) = self.peek().and_then(|c| c.to_digit(10)) {
            number = Some(
                number
                    .unwrap_or(0u64)
                    .saturating_mul(10)
                    .saturating_add(u64::from(value)),
            );
            self.at += 1;
        }
        number
    }

    fn suffix(&mut self) -> Result<Option<Parts>, CodeError> {
        let suffix = self.peek().and_then(Parts::from_suffix);
        if suffix.is_some() {
            self.at += 1;
            if self.peek().and_then(Parts::from_suffix).is_some() {
                return Err(self.error(
                    "a second suffix",
                    "a digit has at most one of the suffixes ! ? =",
                ));
            }
        }
        Ok(suffix)
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn unclosed_set(&self, open: usize) -> CodeError {
        self.error_at(
            open,
            "this brace is never closed",
            "a set is written {2,3} or {2+}",
        )
    }

    fn error(&self, what: &str, help: &str) -> CodeError {
        self.error_at(self.at, what, help)
    }

    fn error_at(&self, at: usize, what: &str, help: &str) -> CodeError {
        CodeError {
            code: self.text.to_owned(),
            at,
            what: what.to_owned(),
            help: help.to_owned(),
        }
    }
}
