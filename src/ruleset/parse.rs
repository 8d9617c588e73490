//! Reads a take-and-break code, or says where and why it is refused.

use super::code::Code;
use super::digit::{Digit, Parts};
use crate::error::{CodeError, CodeFault};
use std::str::FromStr;

impl Code {
    /// Reads a code whose digits must all be octal, 0 to 7.
    ///
    /// # Errors
    /// A [`CodeError`] with the place of the first fault.
    pub fn octal(text: &str) -> Result<Code, CodeError> {
        Parser::new(text, true).code()
    }
}

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Code, CodeError> {
        Parser::new(text, false).code()
    }
}

struct Parser<'t> {
    text: &'t str,
    characters: Vec<char>,
    at: usize,
    /// Whether the digits are 0 to 7 alone, and not also 8 and 9, A to Z, sets, `*`, and the suffixes.
    octal: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, octal: bool) -> Parser<'t> {
        Parser {
            text,
            characters: text.chars().collect(),
            at: 0,
            octal,
        }
    }

    fn code(mut self) -> Result<Code, CodeError> {
        let splitting = self.before_the_point()?;
        let mut digits = vec![splitting];
        let mut repeat = 0;
        while let Some(c) = self.peek() {
            match c {
                '[' if !self.octal => {
                    repeat = self.repeating_tail(&mut digits)?;
                }
                ']' => return Err(self.error(CodeFault::UnopenedTail)),
                '.' | ',' => return Err(self.error(CodeFault::SecondPoint)),
                _ => digits.push(self.digit(c)?),
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
                None => return Err(self.error(CodeFault::NoPoint)),
                Some('.' | ',') => break,
                Some(c) => digits.push((at, self.digit(c)?)),
            }
        }
        self.at += 1;
        if self.peek().is_none() {
            return Err(self.error(CodeFault::NothingBehindPoint));
        }
        let (at, splitting) = digits.pop().unwrap_or_default();
        if let Some(&(at, _)) = digits.iter().find(|(_, digit)| !digit.is_zero()) {
            return Err(self.error_at(at, CodeFault::AddsStones));
        }
        match splitting.fewest_heaps() {
            Some(0 | 1) => Err(self.error_at(at, CodeFault::SplitsNothing)),
            _ => Ok(splitting),
        }
    }

    /// Reads `[…]`, which must end the code. Returns the number of digits that repeat.
    fn repeating_tail(&mut self, digits: &mut Vec<Digit>) -> Result<usize, CodeError> {
        let open = self.at;
        self.at += 1;
        let before = digits.len();
        loop {
            match self.peek() {
                None => return Err(self.error_at(open, CodeFault::UnclosedTail)),
                Some('[') => return Err(self.error(CodeFault::NestedTail)),
                Some(']') if digits.len() == before => return Err(self.error(CodeFault::EmptyTail)),
                Some(']') => break,
                Some(c) => digits.push(self.digit(c)?),
            }
        }
        self.at += 1;
        if self.peek().is_some() {
            return Err(self.error(CodeFault::TailNotLast));
        }
        Ok(digits.len() - before)
    }

    fn digit(&mut self, c: char) -> Result<Digit, CodeError> {
        match c {
            _ if self.octal => {
                let value = c.to_digit(8);
                let value = value.ok_or_else(|| self.error(CodeFault::NotOctal(c)))?;
                self.at += 1;
                Ok(Digit::from_bits(value.into(), Parts::Any))
            }
            '{' => self.set(),
            '*' => {
                self.at += 1;
                let parts = self.suffix()?.unwrap_or(Parts::Any);
                Ok(Digit::new(Vec::new(), Some(parts)))
            }
            '&' => self.numbered_digit(),
            _ => {
                let value = c.to_digit(36);
                let value = value.ok_or_else(|| self.error(CodeFault::NotADigit(c)))?;
                self.at += 1;
                let parts = self.suffix()?.unwrap_or(Parts::Any);
                Ok(Digit::from_bits(value.into(), parts))
            }
        }
    }

    /// Reads `{2,3}` or `{0,2!,4+}`: the allowed numbers of heaps, the last with `+` for "or more".
    fn set(&mut self) -> Result<Digit, CodeError> {
        let open = self.at;
        let mut listed: Vec<(usize, Option<Parts>, usize)> = Vec::new();
        let mut or_more;
        loop {
            self.at += 1;
            let at = self.at;
            if self.peek() == Some('}') && listed.is_empty() {
                return Err(self.error_at(open, CodeFault::EmptySet));
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
                Some(',') => return Err(self.error(CodeFault::OrMoreNotLast)),
                None => return Err(self.error_at(open, CodeFault::UnclosedSet)),
                Some(c) => return Err(self.error(CodeFault::NotInSet(c))),
            }
        }
        self.at += 1;
        let whole_at = self.at;
        let whole = self.suffix()?;
        if whole.is_some() && listed.iter().any(|(_, parts, _)| parts.is_some()) {
            return Err(self.error_at(whole_at, CodeFault::SuffixInAndOnSet));
        }
        let most = listed.iter().map(|&(heaps, ..)| heaps).max().unwrap_or(0);
        let mut counts = vec![None; most + 1];
        for &(heaps, parts, at) in &listed {
            if counts[heaps].is_some() {
                return Err(self.error_at(at, CodeFault::Repeated));
            }
            counts[heaps] = Some(parts.or(whole).unwrap_or(Parts::Any));
        }
        if let Some(&(heaps, _, at)) = listed.last()
            && or_more
            && heaps < most
        {
            return Err(self.error_at(at, CodeFault::OrMoreNotLargest));
        }
        let beyond = counts[most].filter(|_| or_more);
        Ok(Digit::new(counts, beyond))
    }

    fn number_of_heaps(&mut self, open: usize) -> Result<usize, CodeError> {
        let at = self.at;
        match self.decimal() {
            None if self.peek().is_none() => Err(self.error_at(open, CodeFault::UnclosedSet)),
            None => Err(self.error(CodeFault::MissingNumber)),
            Some(Some(n)) if n <= Digit::MOST_HEAPS as u64 => Ok(n as usize),
            Some(_) => Err(self.error_at(at, CodeFault::TooManyHeaps)),
        }
    }

    /// Reads `&64;`, CGSuite's way to write a digit of 32 or more.
    fn numbered_digit(&mut self) -> Result<Digit, CodeError> {
        let open = self.at;
        self.at += 1;
        let value = self.decimal();
        match (value, self.peek()) {
            (Some(value), Some(';')) => {
                let value = value.ok_or_else(|| self.error_at(open, CodeFault::TooManyHeaps))?;
                self.at += 1;
                let parts = self.suffix()?.unwrap_or(Parts::Any);
                Ok(Digit::from_bits(value, parts))
            }
            _ => Err(self.error_at(open, CodeFault::NumberedDigit)),
        }
    }

    /// A decimal number, if there is one: `Some(None)` if it is beyond 64 bits.
    fn decimal(&mut self) -> Option<Option<u64>> {
        let mut number = None;
        while let Some(value) = self.peek().and_then(|c| c.to_digit(10)) {
            let before: Option<u64> = number.unwrap_or(Some(0));
            let tenfold = before.and_then(|before| before.checked_mul(10));
            number = Some(tenfold.and_then(|tenfold| tenfold.checked_add(value.into())));
            self.at += 1;
        }
        number
    }

    fn suffix(&mut self) -> Result<Option<Parts>, CodeError> {
        let suffix = self.peek().and_then(Parts::from_suffix);
        if suffix.is_some() {
            self.at += 1;
            if self.peek().and_then(Parts::from_suffix).is_some() {
                return Err(self.error(CodeFault::SecondSuffix));
            }
        }
        Ok(suffix)
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn error(&self, fault: CodeFault) -> CodeError {
        self.error_at(self.at, fault)
    }

    fn error_at(&self, at: usize, fault: CodeFault) -> CodeError {
        CodeError {
            code: self.text.to_owned(),
            at,
            fault,
        }
    }
}
