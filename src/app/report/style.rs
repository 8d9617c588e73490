//! The looks of what a person reads: colours, none of which carries meaning alone, messages that can do no harm, lines and
//! columns.

use crate::printable::{LONGEST_WORD, joined, printable, shortened};
use anstyle::{AnsiColor, Style};
use std::fmt::{Arguments, Display};
use std::io::Write;

/// The style of a win.
pub const WINNING: Style = AnsiColor::Green.on_default().bold();
/// The style of a loss.
pub const LOSING: Style = AnsiColor::Red.on_default().bold();
/// The style of an error's first word.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of the stones last taken.
pub const LAST: Style = AnsiColor::Yellow.on_default().bold();

/// The longest line and the longest text of a message.
const LONGEST_LINE: usize = 1_000;
const LONGEST_TEXT: usize = 4_000;

/// A message in which words from outside can do no harm: long ones are shortened, and what isn't to be seen is escaped.
pub fn harmless(text: &str) -> String {
    printable_lines(&brief(text))
}

/// A message whose long words and lines are shortened.
pub fn brief(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let words = line.split(' ').map(|word| shortened(word, LONGEST_WORD));
        shortened(&joined(words, " "), LONGEST_LINE)
    });
    shortened(&joined(lines, "\n"), LONGEST_TEXT)
}

/// The things as in "1, 2 or 3".
pub fn any_of(things: impl IntoIterator<Item: Display>) -> String {
    let words: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// Like [`printable`], for a text of several lines, whose line ends are kept.
fn printable_lines(text: &str) -> String {
    joined(text.split('\n').map(printable), "\n")
}

/// Writes a line to standard error. That it can't be written is no reason to stop, let alone to panic.
///
/// Characters that could move the cursor or change colours are escaped, because names of files and vertices come from outside.
pub fn note(line: Arguments<'_>) {
    let line = line.to_string();
    let _ = writeln!(anstream::stderr(), "{}", printable_lines(&line));
}

/// Writes an error to standard error, made [`harmless`].
pub fn error(text: &str) {
    let _ = writeln!(
        anstream::stderr(),
        "{ERROR}error:{ERROR:#} {}",
        harmless(text)
    );
}

/// Whether the locale of the environment is UTF-8.
pub fn speaks_utf8() -> bool {
    if cfg!(windows) {
        return true;
    }
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let mut locales = names.filter_map(|name| std::env::var(name).ok());
    let locale = locales.find(|locale| !locale.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// A drawing with the characters that ASCII lacks replaced.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        plain.push_str(match c {
            '∗' => "*",
            '×' => "x",
            '…' => "...",
            'è' => "e",
            '–' => "-",
            '•' | '○' => "o",
            '·' => ".",
            '◆' => "#",
            '◇' => "%",
            '░' | '⠁'..='⣿' => ".",
            '▒' | '┊' => ":",
            '▓' | '━' => "=",
            '█' | '●' => "@",
            '│' | '┤' => "|",
            '─' => "-",
            '└' | '┬' | '┯' => "+",
            c => {
                plain.push(c);
                continue;
            }
        });
    }
    plain
}

/// How many characters of a text are seen: its colours and other control characters are not.
pub fn length(text: &str) -> usize {
    let seen = anstream::adapter::strip_str(text).to_string();
    seen.chars().filter(|c| !c.is_control()).count()
}

/// A text in lines of so many characters, broken between words: `first` stands before the first line, `rest` before each other.
pub fn wrapped(text: &str, width: usize, first: &str, rest: &str) -> Vec<String> {
    let mut words = text.split(' ');
    let mut line = first.to_owned() + words.next().unwrap_or_default();
    let mut lines = Vec::new();
    for word in words {
        if length(&line) + 1 + length(word) <= width {
            line = line + " " + word;
        } else {
            lines.push(std::mem::replace(&mut line, rest.to_owned() + word));
        }
    }
    lines.push(line);
    lines
}

/// The text with spaces behind it up to a width.
///
/// A width that comes from outside is never given to `format!`, which panics above 65,535.
pub fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &missing(text, width)
}

/// The text with spaces before it up to a width; see [`padded`].
pub fn indented(text: &str, width: usize) -> String {
    missing(text, width) + text
}

fn missing(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_may_be_wider_than_a_format_allows() {
        assert_eq!(
            (padded("é", 3), indented("é", 3)),
            ("é  ".into(), "  é".into())
        );
        assert_eq!(padded("long", 2), "long");
        assert_eq!(padded("", 70_000).len(), 70_000);
    }

    #[test]
    fn messages_are_short_and_plain() {
        for text in ["bad pile `x`: not a pile\nhelp: 7", "", "a\n  ^\n"] {
            assert_eq!(harmless(text), text);
        }
        assert_eq!(harmless("a\u{1b}[31mb\rc"), r"a\u{1b}[31mb\rc");
        assert_eq!(printable_lines("a\u{1b}\n\\b\n"), "a\\u{1b}\n\\b\n");
        let long = harmless(&format!("bad pile `{}`: not a pile", "7".repeat(20_000)));
        assert!(
            long.starts_with("bad pile `777") && long.ends_with("777`: not a pile"),
            "{long}"
        );
        assert!(
            long.contains("(20003 characters)") && long.len() < 300,
            "{long}"
        );
        for text in [
            "word ".repeat(10_000),
            "line\n".repeat(10_000),
            " ".repeat(10_000),
        ] {
            assert!(harmless(&text).len() < 5_000);
        }
    }
}
