//! Text from outside, made fit to be printed: no character of it moves the cursor, changes colours or ends the line.

use std::borrow::Cow;
use std::fmt::Write;

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
