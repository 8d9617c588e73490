//! Which options are looked at.

/// The option "code of heap n − q, XOR u".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    // Each has bytes of its own, so that u goes from memory to every lane in one step.
    q: usize,
    u: u8,
}

impl Entry {
    /// The entry (q, u).
    pub fn new(q: usize, u: u8) -> Self {
        Self { q, u }
    }

    /// How far back the source lies.
    #[inline(always)]
    pub fn q(self) -> usize {
        self.q
    }

    /// What is XORed to its code.
    #[inline(always)]
    pub fn u(self) -> u8 {
        self.u
    }
}

/// Entries, and the bounds on their distances that make reading without a check sound.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    list: Vec<Entry>,
    min: usize,
    max: usize,
}

impl Entries {
    /// Adds an entry at the end.
    pub fn push(&mut self, entry: Entry) {
        let q = entry.q();
        (self.min, self.max) = if self.list.is_empty() {
            (q, q)
        } else {
            (self.min.min(q), self.max.max(q))
        };
        self.list.push(entry);
    }

    /// The entries in order.
    pub fn as_slice(&self) -> &[Entry] {
        &self.list
    }

    /// The largest distance.
    pub fn reach(&self) -> usize {
        self.max
    }

    /// The least and the largest distance; 0 and 0 of no entries.
    pub fn range(&self) -> (usize, usize) {
        (self.min, self.max)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl FromIterator<Entry> for Entries {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut list = Self::default();
        entries.into_iter().for_each(|entry| list.push(entry));
        list
    }
}
