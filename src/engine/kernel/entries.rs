//! Entries: which options of a heap are looked at.

/// The option "code of heap n − q, XOR u".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry<C> {
    // Not packed into one word: u goes from memory to every lane in one instruction.
    q: usize,
    u: C,
}

impl<C: Copy> Entry<C> {
    /// The entry (q, u).
    pub fn new(q: usize, u: C) -> Self {
        Self { q, u }
    }

    /// How far before the heap its source lies.
    #[inline(always)]
    pub fn q(self) -> usize {
        self.q
    }

    /// What is XORed with the code of the source.
    #[inline(always)]
    pub fn u(self) -> C {
        self.u
    }
}

/// The least and the largest of some distances: the bounds by which unchecked reads are sound.
#[derive(Clone, Copy, Debug)]
pub struct Distances {
    pub least: usize,
    pub most: usize,
}

impl Default for Distances {
    /// Those of nothing.
    fn default() -> Self {
        let (least, most) = (usize::MAX, 0);
        Self { least, most }
    }
}

impl Distances {
    /// Adds a distance.
    pub fn add(&mut self, q: usize) {
        (self.least, self.most) = (self.least.min(q), self.most.max(q));
    }
}

/// Entries, and their distances.
#[derive(Clone, Debug, Default)]
pub struct Entries<C> {
    list: Vec<Entry<C>>,
    distances: Distances,
    runs: RunCounts,
}

/// How many runs of each length there are: place k is for runs of k + 1 entries. In the list the longest runs come first.
pub type RunCounts = [usize; LONGEST_RUN];

/// The most entries of a run.
pub const LONGEST_RUN: usize = 3;

/// The runs of these entries. A run goes on as long as the next entry has the same u and lies one farther back, to
/// [`LONGEST_RUN`] entries.
pub fn runs<C: Copy + PartialEq>(entries: &[Entry<C>]) -> impl Iterator<Item = &[Entry<C>]> {
    let runs = entries.chunk_by(|a, b| a.u == b.u && a.q + 1 == b.q);
    runs.flat_map(|run| run.chunks(LONGEST_RUN))
}

impl<C: Copy + PartialEq> Entries<C> {
    /// Adds an entry at the end, as a run of its own.
    pub fn push(&mut self, entry: Entry<C>) {
        self.runs[0] += 1;
        self.distances.add(entry.q());
        self.list.push(entry);
    }

    /// The entries in order.
    pub fn as_slice(&self) -> &[Entry<C>] {
        &self.list
    }

    /// The largest distance.
    pub fn reach(&self) -> usize {
        self.distances.most
    }

    /// The least and the largest distance.
    pub fn distances(&self) -> Distances {
        self.distances
    }

    /// The entries sorted into [`runs`], the longest first.
    pub fn in_runs(&self) -> Self
    where
        C: Ord + Default,
    {
        let mut list = self.list.clone();
        list.sort_unstable_by_key(|entry| (entry.u, entry.q));
        let mut runs: Vec<&[Entry<C>]> = runs(&list).collect();
        runs.sort_by_key(|run| (LONGEST_RUN - run.len(), run[0].q));
        let mut sorted: Self = runs.iter().copied().flatten().copied().collect();
        sorted.runs = [0; LONGEST_RUN];
        runs.iter().for_each(|run| sorted.runs[run.len() - 1] += 1);
        sorted
    }

    /// How many runs of each length there are.
    pub fn runs(&self) -> RunCounts {
        self.runs
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<C: Copy + PartialEq + Default> FromIterator<Entry<C>> for Entries<C> {
    fn from_iter<I: IntoIterator<Item = Entry<C>>>(entries: I) -> Self {
        let mut list = Self::default();
        entries.into_iter().for_each(|entry| list.push(entry));
        list
    }
}
