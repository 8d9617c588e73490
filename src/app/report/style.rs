//! The colours of the terminal; none of them carries meaning alone.

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
pub fn note(line: Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
