//! What a stretch of a text says, for whoever shows the text to make it seen.
//!
//! A stretch stands between two control characters: those of other origin are escaped wherever they are printed.

/// What a stretch of text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A win, of the one spoken to or of whoever wins.
    Winning,
    /// A loss of the one spoken to.
    Losing,
    /// The stones that were taken last.
    Last,
}

impl Tone {
    /// Every tone.
    pub const ALL: [Tone; 3] = [Tone::Winning, Tone::Losing, Tone::Last];

    /// What ends a stretch.
    pub const END: char = '\u{1}';

    /// What begins a stretch of this tone.
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
