//! The colours of the terminal; none of them carries meaning alone.

use crate::printable::printable_lines;
use anstyle::{AnsiColor, Style};
use std::fmt::Arguments;
use std::io::Write;

/// A win.
pub const WINNING: Style = AnsiColor::Green.on_default().bold();
/// A loss.
pub const LOSING: Style = AnsiColor::Red.on_default().bold();
/// An error's first word.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The stones last taken.
pub const LAST: Style = AnsiColor::Yellow.on_default().bold();

/// A line on standard error. One that can't be written is no reason to stop, let alone to panic.
///
/// What could move the cursor or change colours is escaped: names of files and vertices come from outside.
pub fn note(line: Arguments<'_>) {
    let line = line.to_string();
    let _ = writeln!(anstream::stderr(), "{}", printable_lines(&line));
}

/// An error on standard error, escaped like a [`note`].
pub fn error(text: &str) {
    let text = printable_lines(text);
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {text}");
}
