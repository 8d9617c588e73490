//! What is made fit to be printed: text from outside, of which no character moves the cursor, changes colours or ends
//! the line, and sizes of memory.

use std::borrow::Cow;
use std::fmt::Write;

/// A size of memory that is wanted, rounded up: `1.9 TiB`.
pub fn size_wanted(bytes: u64) -> String {
    size(bytes, true)
}

/// A size of memory that is allowed, rounded down: `8 GiB`.
pub fn size_allowed(bytes: u64) -> String {
    size(bytes, false)
}

fn size(bytes: u64, up: bool) -> String {
    const UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = (bytes.max(1).ilog2() / 10) as usize;
    let unit = 1u128 << (10 * power);
    let tenths = match up {
        true => (10 * u128::from(bytes)).div_ceil(unit),
        false => 10 * u128::from(bytes) / unit,
    };
    match (tenths / 10, tenths % 10) {
        (1, 0) if power == 0 => "1 byte".to_owned(),
        (whole, 0) => format!("{whole} {}", UNITS[power]),
        (whole, tenth) => format!("{whole}.{tenth} {}", UNITS[power]),
    }
}

/// The text as it is if all of its characters can be printed on a line; else with those that can't, and the
/// backslashes, escaped as in Rust: `\n`, `\u{1b}`, `\\`.
///
/// Control characters can't be printed so, nor line and paragraph separators, nor marks that change the direction of
/// writing, which show a text as what it isn't.
///
/// ```
/// use nim_analyser::printable::printable;
/// assert_eq!(printable(r"the\end"), r"the\end");
/// assert_eq!(printable("a\\\u{1b}[31m\nb"), r"a\\\u{1b}[31m\nb");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return text.into();
    }
    let mut shown = String::with_capacity(2 * text.len());
    for c in text.chars() {
        if is_unprintable(c) || c == '\\' {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown.into()
}

/// Like [`printable`] for a text of several lines, whose ends are kept.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| c != '\n' && is_unprintable(c)) {
        return text.into();
    }
    let mut shown = String::with_capacity(2 * text.len());
    for (index, line) in text.split('\n').enumerate() {
        let end = if index > 0 { "\n" } else { "" };
        // Writing to a string can't fail.
        let _ = write!(shown, "{end}{}", printable(line));
    }
    shown.into()
}

/// Whether a character moves the cursor, ends the line, or changes the direction of writing.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_to_where_they_mislead_nobody() {
        assert_eq!(size_allowed(8 << 30), "8 GiB");
        assert_eq!(size_wanted((8 << 30) + 1), "8.1 GiB");
        assert_eq!(size_allowed((8 << 30) - 1), "7.9 GiB");
        assert_eq!(size_wanted(2_000_000_000_002), "1.9 TiB");
        assert_eq!(
            (size_wanted(0), size_wanted(1)),
            ("0 bytes".into(), "1 byte".into())
        );
        assert_eq!(
            (size_allowed(1000), size_allowed(1 << 20)),
            ("1000 bytes".into(), "1 MiB".into())
        );
        assert_eq!(size_wanted(u64::MAX), "16 EiB");
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        for hostile in [
            "\u{1b}]0;x\u{7}",
            "a\rb",
            "\u{9b}31m",
            "x\u{202e}y",
            "\t",
            "\u{7f}",
            "\u{feff}a",
        ] {
            let shown = printable(hostile);
            assert!(!shown.contains(is_unprintable), "{shown}");
            assert_eq!(shown, printable_lines(hostile));
        }
        assert_eq!(printable("5 → 4 + 1, é, ∗, 日本"), "5 → 4 + 1, é, ∗, 日本");
        assert_eq!(printable_lines("a\u{1b}\n\\b\n"), "a\\u{1b}\n\\b\n");
    }
}
