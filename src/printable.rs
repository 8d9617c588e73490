//! Output that is fit to be printed: text from outside, of which no character moves the cursor, changes colours or ends the line;
//! and sizes of memory.

use std::borrow::Cow;
use std::fmt::Display;

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

/// Joins things, with the text `between` between each two.
pub fn joined(things: impl IntoIterator<Item: Display>, between: &str) -> String {
    let texts: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    texts.join(between)
}

/// The text as it is if all of its characters can be printed on a line; else with those that can't, and the
/// backslashes, escaped as in Rust: `\n`, `\u{1b}`, `\\`.
///
/// Control characters can't be printed on a line, nor line and paragraph separators, nor marks that change the direction of
/// writing, which would make a text look like another.
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

/// The most characters of a word that a message repeats.
pub const LONGEST_WORD: usize = 200;

/// A text in about `most` characters at most: of a longer text the beginning, the end, and how long it is.
pub fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let begin: String = text.chars().take(most / 2).collect();
    let end: String = text.chars().skip(length - most / 4).collect();
    format!("{begin}… ({length} characters) …{end}")
}

/// A word from outside as a message quotes it: shortened, and escaped as in Rust.
pub fn quoted(word: &str) -> String {
    shortened(word, LONGEST_WORD).escape_debug().to_string()
}

/// The beginning of a file's content as a message repeats it: its first characters, fit to be printed.
pub fn beginning(text: &str) -> String {
    let mut beginning: String = text.chars().take(LONGEST_WORD).collect();
    if beginning.len() < text.len() {
        beginning.push('…');
    }
    printable(&beginning).into_owned()
}

/// A text whose first letter is a capital.
pub fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters
        .next()
        .map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// How many characters of a long text are shown around a place in it.
const AROUND: usize = 76;

/// The part of a text around one of its characters, on one line, with `…` where something is left out, and a second
/// line with a caret below that character. A place beyond the text is the one behind its last character.
pub fn caret_below(text: &str, at: usize) -> String {
    let length = text.chars().count();
    let at = at.min(length);
    let (from, to) = match length <= AROUND {
        true => (0, length),
        false => {
            let from = at.saturating_sub(AROUND / 2).min(length - AROUND);
            (from, from + AROUND)
        }
    };
    let shown = text.chars().skip(from).take(to - from);
    let shown: String = shown
        .map(|c| if is_unprintable(c) { '\u{fffd}' } else { c })
        .collect();
    let mark = |left_out| if left_out { "…" } else { "" };
    let (before, behind) = (mark(from > 0), mark(to < length));
    let column = at - from + before.chars().count();
    format!("{before}{shown}{behind}\n{}^", " ".repeat(column))
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
    fn a_text_of_any_length_has_its_caret_below_the_place() {
        assert_eq!(caret_below("0.77", 9), "0.77\n    ^");
        assert_eq!(caret_below("0.7@", 3), "0.7@\n   ^");
        assert_eq!(caret_below("", 0), "\n^");
        assert_eq!(caret_below("a\u{1b}b", 2), "a\u{fffd}b\n  ^");
        for (before, behind) in [
            (70_000, 0),
            (0, 70_000),
            (70_000, 70_000),
            (75, 0),
            (40, 40),
        ] {
            let text = "7".repeat(before) + "@" + &"7".repeat(behind);
            let shown = caret_below(&text, before);
            let (line, caret) = shown.split_once('\n').unwrap();
            assert!(line.chars().count() <= AROUND + 2, "{shown}");
            let column = caret.chars().count() - 1;
            assert_eq!(line.chars().nth(column), Some('@'), "{shown}");
            let begins_later = text.len() > AROUND && before > AROUND / 2;
            assert_eq!(line.starts_with('…'), begins_later, "{shown}");
        }
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
        }
        assert_eq!(printable("5 → 4 + 1, é, ∗, 日本"), "5 → 4 + 1, é, ∗, 日本");
        assert_eq!(printable(r"the\end"), r"the\end");
        let sevens = "7".repeat(LONGEST_WORD);
        assert_eq!(beginning(&sevens), sevens);
        assert_eq!(beginning(&format!("{sevens}7")), format!("{sevens}…"));
        assert_eq!(beginning("a\u{1b}b"), r"a\u{1b}b");
        assert_eq!(printable("a\\\u{1b}[31m\nb"), r"a\\\u{1b}[31m\nb");
    }
}
