//! Patterns for families of octal codes: `0.???`, `4.??`, `0.1?7`.

use super::code::Code;
use std::str::FromStr;

/// A code with octal digits left open, each written `?`.
///
/// ```
/// use nim_analyser::ruleset::Pattern;
///
/// let pattern: Pattern = "0.1?".parse().unwrap();
/// let codes: Vec<String> = pattern.codes().map(|code| code.to_string()).collect();
/// assert_eq!(codes, ["0.1", "0.11", "0.12", "0.13", "0.14", "0.15", "0.16", "0.17"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    /// The places of the open digits, from the left.
    open: Vec<usize>,
}

/// The reason why a text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The text is not an octal code with some digits open.
    #[error("a pattern is an octal code with ? for any digit, as in 0.1??")]
    NoCode,
    /// No digit is open.
    #[error("a pattern needs at least one ?")]
    NoneOpen,
    /// More digits are open than this number allows.
    #[error("a pattern has at most {0} times ?")]
    ManyOpen(usize),
}

/// The most open digits, each of which takes three bits of a number.
const MOST_OPEN: usize = 20;

impl FromStr for Pattern {
    type Err = PatternError;

    /// Reads one octal digit, a point, and octal digits, at least one digit of which is open.
    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let digits = |part: &str| {
            let octal = |byte| matches!(byte, b'0'..=b'7' | b'?');
            !part.is_empty() && part.bytes().all(octal)
        };
        let whole = text.split_once('.');
        if !whole
            .is_some_and(|(before, after)| before.len() == 1 && digits(before) && digits(after))
        {
            return Err(PatternError::NoCode);
        }
        let places = text.bytes().enumerate();
        let open: Vec<usize> = places
            .filter(|&(_, byte)| byte == b'?')
            .map(|(at, _)| at)
            .collect();
        match open.len() {
            0 => Err(PatternError::NoneOpen),
            1..=MOST_OPEN => Ok(Pattern {
                text: text.to_owned(),
                open,
            }),
            _ => Err(PatternError::ManyOpen(MOST_OPEN)),
        }
    }
}

impl Pattern {
    /// The codes of the family, ascending. Texts that are no code are left out, such as those with a digit before the point that
    /// would let a player pass.
    pub fn codes(&self) -> impl Iterator<Item = Code> + Send + use<> {
        let Pattern { text, open } = self.clone();
        (0..1u64 << (3 * open.len())).filter_map(move |number| {
            let mut digits = text.clone().into_bytes();
            for (place, &at) in open.iter().rev().enumerate() {
                digits[at] = b'0' + (number >> (3 * place) & 7) as u8;
            }
            String::from_utf8(digits).ok()?.parse().ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_its_codes_in_order() {
        let codes = |pattern: &str| -> Vec<String> {
            let pattern: Pattern = pattern.parse().unwrap();
            pattern.codes().map(|code| code.to_string()).collect()
        };
        assert_eq!(codes("0.???").len(), 512);
        assert_eq!(codes("0.1?7")[3], "0.137");
        assert_eq!(codes("?.7"), ["0.7", "4.7"]);
        let all = codes("4.??");
        assert_eq!((all.len(), &*all[0], &*all[63]), (64, "4.0", "4.77"));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for text in "0.77 | 4?.0 | 0.8? | ? | 0. | .?? | 0.?[3] | 00.? | 0.?????????????????????"
            .split(" | ")
        {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
        let fault = |text: &str| text.parse::<Pattern>().unwrap_err();
        assert_eq!(fault("0.8?"), PatternError::NoCode);
        assert_eq!(fault("0.77"), PatternError::NoneOpen);
        assert_eq!(
            fault(&format!("0.{}", "?".repeat(21))),
            PatternError::ManyOpen(20)
        );
    }
}
