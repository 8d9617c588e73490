//! A position as a row of piles, in the form in which a person writes it, and a move in it.

mod change;

pub use change::{Change, Form, Move, Taking};

use crate::printable::quoted;

/// The error that a word is not a pile: which word, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad pile `{}`: {fault}", quoted(token))]
pub struct PileError {
    /// The word as it was given.
    pub token: String,
    /// What is wrong with the word.
    pub fault: PileFault,
}

/// The most piles that one position may have.
pub const MOST_PILES: usize = 1_000_000;

/// What is wrong with a word that is no pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PileFault {
    /// The word is empty.
    #[error("it is empty; a whole number is needed")]
    Empty,
    /// The number is below 0.
    #[error("it can't be negative")]
    Negative,
    /// The number is not a whole number.
    #[error("it must be a whole number, without a fraction")]
    Fraction,
    /// The number is larger than 2^64-1.
    #[error("it is too large; the largest is 2^64-1 = 18446744073709551615")]
    TooLarge,
    /// Three digits that begin with a 0 stand right behind a comma, as in `1,000`.
    #[error("a comma stands between numbers; write 1_000 or 1000 for a thousand, 1 0 for 1 and 0")]
    Grouped,
    /// Two numbers with `..` or `-` between them.
    #[error("it is a range; each number is written by itself")]
    Range,
    /// A number is followed by `k` or `m`, for thousands or millions.
    #[error("write thousands and millions in full or as powers of ten: 10_000, 10e3, 5e6")]
    Shortened,
    /// The word is `0x` and what may be a hexadecimal number, or it is a number of piles of 0.
    #[error("it must be a decimal number; 0x3 might be three piles of 0 or a hexadecimal 3")]
    Hexadecimal,
    /// No number of piles stands behind `x`.
    #[error("the number of piles is missing, as in 7x3")]
    NoCount,
    /// The number of piles is 0: `x0`.
    #[error("the number of piles must be 1 or more, as in 7x3")]
    ZeroCount,
    /// The word brings the number of piles above [`MOST_PILES`].
    #[error("more than {MOST_PILES} piles in all")]
    TooMany,
    /// The word is no number.
    #[error(
        "not a whole number; write 7, 1_000, 1e18 or 2^60, 7x3 for three times 7, or several joined by commas"
    )]
    NotANumber,
}

/// Reads piles from words: `7`, `3,4,5`, `3, 4`, `[3, 4]`, `1_000`, `7x3` or `7×3` (three piles of 7), `1e18`, `2^60`.
///
/// # Errors
/// The first word that isn't one or more piles from 0 to 2^64-1, or the word with which the piles exceed [`MOST_PILES`].
///
/// ```
/// use nim_analyser::position::parse_piles;
/// assert_eq!(parse_piles(&["3,4", "7x2", "1e3"])?, [3, 4, 7, 7, 1000]);
/// # Ok::<(), nim_analyser::position::PileError>(())
/// ```
pub fn parse_piles<T: AsRef<str>>(words: &[T]) -> Result<Vec<u64>, PileError> {
    let mut piles = Vec::new();
    if words.is_empty() {
        return Ok(piles);
    }
    let words: Vec<&str> = words.iter().map(T::as_ref).collect();
    if let Some(empty) = words.iter().find(|word| word.trim().is_empty()) {
        read_pile(empty, &mut piles)?;
    }
    let text = words.join(" ");
    let list = without_brackets(&text);
    if list.contains(",0")
        && let Some(token) = list.split_whitespace().find(|word| has_digit_group(word))
    {
        return Err(PileError {
            token: token.to_owned(),
            fault: PileFault::Grouped,
        });
    }
    for part in list.split(',') {
        let mut tokens = part.split_whitespace();
        read_pile(tokens.next().unwrap_or_default(), &mut piles)?;
        tokens.try_for_each(|token| read_pile(token, &mut piles))?;
    }
    Ok(piles)
}

/// Whether three digits that begin with a 0, as nobody writes a pile, stand right behind a comma.
fn has_digit_group(word: &str) -> bool {
    let is_group = |part: &str| part.len() == 3 && part.starts_with('0') && digits(part).is_ok();
    word.split(',').skip(1).any(is_group)
}

/// A list without the one pair of brackets around it, as in `[7, 8]`.
fn without_brackets(list: &str) -> &str {
    let list = list.trim();
    let pairs = [('[', ']'), ('(', ')'), ('{', '}')];
    let inner = pairs
        .iter()
        .find_map(|&(open, close)| list.strip_prefix(open)?.strip_suffix(close));
    inner.unwrap_or(list)
}

/// The piles of a row of stones with gaps, in the form in which play draws it: `∗∗××∗` are piles of 2 and 1.
fn runs_of_stones(token: &str) -> Option<Vec<u64>> {
    let is_stone = |c: char| "*∗".contains(c);
    let is_row =
        token.contains(is_stone) && token.chars().all(|c| is_stone(c) || "x×._".contains(c));
    let runs = token.split(|c| !is_stone(c)).filter(|run| !run.is_empty());
    is_row.then(|| runs.map(|run| run.chars().count() as u64).collect())
}

fn read_pile(token: &str, piles: &mut Vec<u64>) -> Result<(), PileError> {
    let fault = |fault| PileError {
        token: token.to_owned(),
        fault,
    };
    if piles.len() < MOST_PILES
        && let Some(size) = plain_number(token)
    {
        piles.push(size);
        return Ok(());
    }
    if let Some(runs) = runs_of_stones(token) {
        if runs.len() > MOST_PILES - piles.len() {
            return Err(fault(PileFault::TooMany));
        }
        piles.extend(runs);
        return Ok(());
    }
    let (size, count) = match token.split_once(['x', 'X', '×']) {
        Some(("0", _)) => {
            return Err(fault(PileFault::Hexadecimal));
        }
        Some((size, "")) if !size.is_empty() => {
            return Err(fault(PileFault::NoCount));
        }
        Some((size, count)) if !size.is_empty() => (size, number(count).map_err(fault)?),
        _ => (token, 1),
    };
    let size = number(size).map_err(fault)?;
    if count == 0 {
        return Err(fault(PileFault::ZeroCount));
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count > MOST_PILES - piles.len() {
        return Err(fault(PileFault::TooMany));
    }
    piles.resize(piles.len() + count, size);
    Ok(())
}

/// An exact whole number, written in digits, perhaps with `_` between them, with `e` for powers of ten, as in `1.5e7` too, or
/// with `^` for powers.
pub(crate) fn number(text: &str) -> Result<u64, PileFault> {
    if text.is_empty() {
        return Err(PileFault::Empty);
    }
    if text.starts_with('-') {
        return Err(PileFault::Negative);
    }
    if let Some((base, exponent)) = text.split_once('^') {
        let exponent = u32::try_from(digits(exponent)?).unwrap_or(u32::MAX);
        return digits(base)?
            .checked_pow(exponent)
            .ok_or(PileFault::TooLarge);
    }
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E']) {
        let exponent = u32::try_from(digits(exponent)?).unwrap_or(u32::MAX);
        let (mantissa, exponent) = without_point(mantissa, exponent)?;
        if mantissa == 0 {
            return Ok(0);
        }
        return 10u64
            .checked_pow(exponent)
            .and_then(|power| mantissa.checked_mul(power))
            .ok_or(PileFault::TooLarge);
    }
    digits(text)
}

/// The digits before a power of ten, and the power of ten that they are multiplied by: 15 and 6 of `1.5e7`.
fn without_point(mantissa: &str, exponent: u32) -> Result<(u64, u32), PileFault> {
    let Some((whole, fraction)) = mantissa.split_once('.') else {
        return Ok((digits(mantissa)?, exponent));
    };
    let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain(whole) || !is_plain(fraction) {
        return Err(PileFault::NotANumber);
    }
    let fraction = fraction.trim_end_matches('0');
    let places = u32::try_from(fraction.len()).unwrap_or(u32::MAX);
    let exponent = exponent.checked_sub(places).ok_or(PileFault::Fraction)?;
    Ok((digits(&format!("{whole}{fraction}"))?, exponent))
}

/// A number that is written in digits alone and fits 64 bits, as nearly all numbers are.
fn plain_number(text: &str) -> Option<u64> {
    let value = |number: u64, byte: u8| {
        (byte.is_ascii_digit()).then(|| 10 * number + u64::from(byte - b'0'))
    };
    (1..=19)
        .contains(&text.len())
        .then(|| text.bytes().try_fold(0, value))?
}

fn digits(text: &str) -> Result<u64, PileFault> {
    let is_digits_and = |sign: u8| {
        let mut bytes = text.bytes();
        bytes.all(|byte| byte.is_ascii_digit() || byte == sign)
    };
    let whole = !text.is_empty() && is_digits_and(b'_');
    if !whole || text.starts_with('_') || text.ends_with('_') || text.contains("__") {
        let range = ["..", "-"].iter().find_map(|sign| text.split_once(sign));
        let range = range.is_some_and(|(first, last)| {
            plain_number(first).is_some() && plain_number(last).is_some()
        });
        let fraction = text.contains('.') && is_digits_and(b'.');
        let shortened = text
            .strip_suffix(['k', 'K', 'm', 'M'])
            .is_some_and(|number| plain_number(number).is_some());
        return Err(if range {
            PileFault::Range
        } else if fraction {
            PileFault::Fraction
        } else if shortened {
            PileFault::Shortened
        } else {
            PileFault::NotANumber
        });
    }
    text.replace('_', "")
        .parse()
        .map_err(|_| PileFault::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piles_are_read_exactly() {
        let read = |word: &str| parse_piles(&[word]);
        assert_eq!(read("1e18").unwrap(), [1_000_000_000_000_000_000]);
        assert_eq!(read("2^60").unwrap(), [1 << 60]);
        assert_eq!(read("1^99999999999").unwrap(), [1]);
        let long = "k".repeat(1 << 20);
        assert_eq!(number(&long), Err(PileFault::NotANumber));
        assert_eq!(read("18446744073709551615").unwrap(), [u64::MAX]);
        assert_eq!(read("1_000x2,0").unwrap(), [1000, 1000, 0]);
        assert_eq!(read("0e99").unwrap(), [0]);
        assert_eq!(read("1.5e7").unwrap(), [15_000_000]);
        assert_eq!(read("1.50e1,0.0e0").unwrap(), [15, 0]);
        assert_eq!(read("1.8446744073709551615e19").unwrap(), [u64::MAX]);
        assert_eq!(read("7×3").unwrap(), [7, 7, 7]);
        assert_eq!(read("∗××∗∗").unwrap(), [1, 2]);
        assert_eq!(read("***..*").unwrap(), [3, 1]);
        for words in [
            &["7,", "8"][..],
            &["7 8"],
            &["[7,", "8]"],
            &["[7,8]"],
            &["(7", "8)"],
            &["7 ,8"],
            &["7,08"],
        ] {
            assert_eq!(parse_piles(words).unwrap(), [7, 8], "{words:?}");
        }
        assert_eq!(read("9007199254740993").unwrap(), [9_007_199_254_740_993]);
    }

    #[test]
    fn what_is_no_pile_is_refused() {
        let refused = "-3 | 1.5 | 7, | ,7 | 2^64 | 18446744073709551616 | 1e20 | 20e18 | 7x0 | 7x | \
            x3 | seven | 1__0 | _1 | 1e | ^2 | 7x2000000 | 0x10 | 1e1.5 | 1.25e1 | 1.e7 | .5e7 | 1.-5e7 | 1.2.3e7 | 1.8446744073709551616e19 | ٣ | 1e-3 | +7 | [7 | 7] | [[7]] | 7,,8 | [] | 10k";
        for word in refused.split(" | ").chain([""]) {
            assert!(parse_piles(&[word]).is_err(), "{word} was taken for a pile");
        }
        for (word, fault) in [
            ("", PileFault::Empty),
            ("-3", PileFault::Negative),
            ("1.5", PileFault::Fraction),
            ("2^64", PileFault::TooLarge),
            ("10k", PileFault::Shortened),
            ("1,000", PileFault::Grouped),
            ("12,034,5", PileFault::Grouped),
            ("5..10", PileFault::Range),
            ("5-10", PileFault::Range),
            ("0x10", PileFault::Hexadecimal),
            ("7x", PileFault::NoCount),
            ("7x0", PileFault::ZeroCount),
            ("seven", PileFault::NotANumber),
        ] {
            let token = word.to_owned();
            assert_eq!(parse_piles(&[word]), Err(PileError { token, fault }));
        }
        let row_of_stones = "*x".repeat(MOST_PILES + 1);
        for words in [&[&*row_of_stones][..], &[&row_of_stones, "5"]] {
            assert_eq!(parse_piles(words).unwrap_err().fault, PileFault::TooMany);
        }
    }
}
