//! The tone of a stretch of text (won, lost, last taken), so that whoever shows the text can make it seen.
//!
//! A stretch stands between two control characters. None comes from elsewhere: what is repeated of a typed line, and names of
//! vertices, are escaped before they stand in a text.

/// The meaning of a stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A win, of the person spoken to or of whoever wins.
    Winning,
    /// A loss of the person spoken to.
    Losing,
    /// The stones that were taken last.
    Last,
}

impl Tone {
    /// Every tone.
    pub const ALL: [Tone; 3] = [Tone::Winning, Tone::Losing, Tone::Last];

    /// The character that ends a stretch.
    pub const END: char = '\u{1}';

    /// The character that begins a stretch of this tone.
    pub fn mark(self) -> char {
        match self {
            Tone::Winning => '\u{2}',
            Tone::Losing => '\u{3}',
            Tone::Last => '\u{4}',
        }
    }

    /// The text as a stretch of this tone.
    pub fn of(self, text: &str) -> String {
        format!("{}{text}{}", self.mark(), Tone::END)
    }
}
