//! The colours of the terminal; none of them carries meaning alone.

use anstyle::{AnsiColor, Style};

/// A win.
pub const WINNING: Style = AnsiColor::Green.on_default().bold();
/// A loss.
pub const LOSING: Style = AnsiColor::Red.on_default().bold();
/// An error's first word.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The stones last taken.
pub const LAST: Style = AnsiColor::Yellow.on_default().bold();
