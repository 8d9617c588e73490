//! Inner loops over 64 neighbouring heaps at once, one byte lane a heap.
//!
//! An entry (q, u) stands for an option of every heap n: the nim-value code of heap n − q, XOR u. The kernels mark such
//! options in planes (one bit a code and lane), read the smallest unmarked codes back out, and test further entries
//! against those few codes only. `portable.rs` is the specification; the other files do the same with one instruction
//! set each and are chosen at run time.

mod nibbles;
mod portable;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

/// Heaps in a block.
pub const LANES: usize = 64;
/// Heaps of a block that are marked at a time where their sources lie close behind them.
pub const QUARTER: usize = LANES / 4;
/// Candidate codes kept for each heap.
pub const SLOTS: usize = 8;
/// A slot that holds no code, and what a masked source reads as.
pub const DEAD: u8 = 255;

/// Compare and exchange in this order, and eight are sorted.
const NETWORK: [(usize, usize); 19] = [
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (2, 4),
    (3, 5),
    (1, 4),
    (3, 6),
    (1, 2),
    (3, 4),
    (5, 6),
];

/// One byte for each heap of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Lanes(pub [u8; LANES]);

impl Lanes {
    /// Zero in every lane.
    pub const ZERO: Self = Self([0; LANES]);
    /// [`DEAD`] in every lane.
    pub const DEAD: Self = Self([DEAD; LANES]);
}

/// Heaps in a block of two-byte values.
pub const WORDS: usize = 32;
/// A two-byte slot that holds no value.
pub const DEAD_WORD: u16 = u16::MAX;

/// Two bytes for each heap of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Words(pub [u16; WORDS]);

/// The option "code of heap n − q, XOR u".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry(u64);

impl Entry {
    /// The entry (q, u).
    pub fn new(q: usize, u: u8) -> Self {
        Self((q as u64) << 8 | u64::from(u))
    }

    /// How far back the source lies.
    #[inline(always)]
    pub fn q(self) -> usize {
        (self.0 >> 8) as usize
    }

    /// What is XORed to its code.
    #[inline(always)]
    pub fn u(self) -> u8 {
        self.0 as u8
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }
}

impl FromIterator<Entry> for Entries {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut list = Self::default();
        entries.into_iter().for_each(|entry| list.push(entry));
        list
    }
}

pub use nibbles::Nibbles;

/// Where the options of a block come from: `codes[at]` belongs to its first heap. A source whose mask byte is 255 is
/// no option.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The codes.
    pub codes: &'a [u8],
    /// The masks beside them.
    pub mask: Option<&'a [u8]>,
    /// Where the first heap of the block has its code.
    pub at: usize,
}

impl Source<'_> {
    /// Panics unless every lane of every entry lies inside the slices.
    fn check(&self, entries: &Entries) {
        let reach = self.at.checked_sub(entries.min).map(|start| start + LANES);
        assert!(
            entries.max <= self.at
                && reach.is_some_and(|end| end <= self.codes.len())
                && self.mask.is_none_or(|mask| mask.len() >= self.codes.len())
        );
    }
}

/// A block whose codes, `codes[at..at + 64]`, are being found, with what comes before them.
pub struct Block<'a> {
    /// The codes.
    pub codes: &'a mut [u8],
    /// The masks beside them.
    pub mask: Option<&'a [u8]>,
    /// Where the first heap of the block has its code.
    pub at: usize,
}

impl Block<'_> {
    fn source(&self) -> Source<'_> {
        Source {
            codes: self.codes,
            mask: self.mask,
            at: self.at,
        }
    }
}

/// The instruction set in use.
#[derive(Clone, Copy, Debug)]
pub enum Kernel {
    /// Plain Rust.
    Portable,
    /// 256-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Token),
    /// 512-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Token),
}

macro_rules! dispatch {
    ($kernel:expr, $name:ident($($argument:expr),*)) => {
        match $kernel {
            Kernel::Portable => portable::$name($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => token.$name($($argument),*),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => token.$name($($argument),*),
        }
    };
}

impl Kernel {
    /// Every kernel that this machine can run, the fastest first.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let of_the_machine = [
            avx512::Token::detect().map(Self::Avx512),
            avx2::Token::detect().map(Self::Avx2),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let of_the_machine: [Option<Self>; 0] = [];
        let of_the_machine = of_the_machine.into_iter().flatten();
        of_the_machine.chain([Self::Portable]).collect()
    }

    /// The fastest kernel that this machine can run.
    pub fn detect() -> Self {
        Self::available()[0]
    }

    /// The kernel of this name, if this machine can run it.
    pub fn named(name: &str) -> Option<Self> {
        Self::available()
            .into_iter()
            .find(|kernel| kernel.name() == name)
    }

    /// `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
        }
    }

    /// Marks every option: bit x mod 8 of plane ⌊x/8⌋, if there is such a plane.
    pub fn scatter(self, planes: &mut [Lanes], source: Source<'_>, entries: &Entries) {
        if !entries.is_empty() {
            source.check(entries);
            dispatch!(self, scatter(planes, source, entries.as_slice()));
        }
    }

    /// The lanes in which this entry would mark something new.
    pub fn fresh(self, planes: &[Lanes], source: Source<'_>, entry: Entry) -> u64 {
        let entries = Entries {
            list: Vec::new(),
            min: entry.q(),
            max: entry.q(),
        };
        source.check(&entries);
        dispatch!(self, fresh(planes, source, entry))
    }

    /// The lanes that have an unmarked code below their limit.
    pub fn open(self, planes: &[Lanes], limit: &Lanes) -> u64 {
        dispatch!(self, open(planes, limit))
    }

    /// The smallest unmarked codes of every lane, ascending, below the lane's limit. With limits, returns the lanes
    /// that have more of them than there are slots.
    pub fn holes(self, planes: &[Lanes], limit: Option<&Lanes>, slots: &mut [Lanes; SLOTS]) -> u64 {
        dispatch!(self, holes(planes, limit, slots))
    }

    /// Kills every slot that equals an option of its lane.
    pub fn kill(self, slots: &mut [Lanes], source: Source<'_>, entries: &Entries) {
        if !entries.is_empty() && !slots.is_empty() {
            source.check(entries);
            assert!(slots.len() <= SLOTS);
            dispatch!(self, kill(slots, source, entries.as_slice()));
        }
    }

    /// Sorts the first `width` slots of every lane, the others die. Returns the lanes that hold a code.
    pub fn sort(self, slots: &mut [Lanes; SLOTS], width: usize) -> u64 {
        dispatch!(self, sort(slots, width))
    }

    /// Gives every heap of the block its smallest slot (1, 2, 4 or 8 of them) that is no option of it by entries with q < 64, whose sources
    /// may lie in the block itself; writes them to `codes[at..at + 64]`. Lanes in `fixed` take their first slot
    /// whatever the options are. Returns the lanes that no slot is left for.
    pub fn settle(self, slots: &[Lanes], fixed: u64, block: Block<'_>, entries: &Entries) -> u64 {
        block.source().check(entries);
        assert!(
            block.at + LANES <= block.codes.len()
                && slots.len().is_power_of_two()
                && slots.len() <= SLOTS
        );
        dispatch!(self, settle(slots, fixed, block, entries.as_slice()))
    }

    /// An i in `low..high` with `codes[i] ^ codes[sum - i] == x`, both sources unmasked.
    pub fn scan(
        self,
        codes: &[u8],
        mask: &[u8],
        sum: usize,
        low: usize,
        high: usize,
        x: u8,
    ) -> Option<usize> {
        if low >= high {
            return None;
        }
        assert!(high <= codes.len() && sum >= high - 1 && sum - low < codes.len());
        dispatch!(self, scan(codes, mask, sum, low, high, x))
    }

    /// Kills every slot that equals `values[i] ^ values[sum + lane - i]` for an i in `low..high`.
    pub fn kill_words(
        self,
        slots: &mut [Words],
        values: &[u16],
        sum: usize,
        low: usize,
        high: usize,
    ) {
        if low < high && !slots.is_empty() {
            assert!(
                slots.len() <= SLOTS
                    && high <= sum + 1
                    && high <= values.len()
                    && sum - low + WORDS <= values.len()
            );
            dispatch!(self, kill_words(slots, values, sum, low, high));
        }
    }

    /// Writes the smallest unmarked code of each heap of a quarter, `codes[at..]`, from one on, up to the first that has
    /// none below 16, is in `odd`, or has a source that is not such a code; returns where it is.
    pub fn settle_nibbles(
        self,
        nibbles: &Nibbles,
        rows: &[u16; QUARTER],
        codes: &mut [u8],
        at: usize,
        from: usize,
        odd: u64,
    ) -> usize {
        assert!(at >= QUARTER && at + QUARTER <= codes.len() && from <= QUARTER);
        dispatch!(self, settle_nibbles(nibbles, rows, codes, at, from, odd))
    }

    /// The marks of every lane as one word: bit c of word l is code c of lane l. Eight planes.
    pub fn rows(self, planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
        dispatch!(self, rows(planes, rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that look random, the same on every run.
    struct Bytes(u64);

    impl Bytes {
        fn next(&mut self) -> u8 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 40) as u8
        }

        fn below(&mut self, bound: usize) -> usize {
            (usize::from(self.next()) << 8 | usize::from(self.next())) % bound
        }

        fn codes(&mut self, len: usize, bound: usize) -> Vec<u8> {
            (0..len).map(|_| self.below(bound) as u8).collect()
        }

        fn mask(&mut self, len: usize) -> Vec<u8> {
            (0..len)
                .map(|_| if self.below(8) == 0 { DEAD } else { 0 })
                .collect()
        }

        fn entries(&mut self, count: usize, from: usize, to: usize, bound: usize) -> Entries {
            (0..count)
                .map(|_| Entry::new(from + self.below(to - from), self.below(bound) as u8))
                .collect()
        }
    }

    /// Every kernel but the portable one. The CPU that runs the project's CI has AVX2.
    fn others() -> Vec<Kernel> {
        let kernels: Vec<Kernel> = Kernel::available()
            .into_iter()
            .filter(|kernel| kernel.name() != "portable")
            .collect();
        assert!(
            !kernels.is_empty()
                || cfg!(not(target_arch = "x86_64"))
                || std::env::var_os("CI").is_none()
        );
        kernels
    }

    const AT: usize = 300;
    const BOUNDS: [usize; 7] = [4, 16, 33, 64, 128, 150, 255];
    const PLANES: [usize; 12] = [2, 4, 8, 10, 12, 16, 18, 20, 22, 24, 30, 32];

    #[test]
    fn planes_and_slots() {
        let mut bytes = Bytes(1);
        for kernel in others() {
            for (bound, planes) in BOUNDS
                .into_iter()
                .flat_map(|bound| PLANES.map(|planes| (bound, planes)))
            {
                for count in [0, 1, 2, 7, 40, 300] {
                    let codes = bytes.codes(AT + LANES, 256.min(bound + bound / 2));
                    let mask = bytes.mask(AT + LANES);
                    let mask = (count % 2 == 1).then_some(mask.as_slice());
                    let entries = bytes.entries(count, 0, AT + 1, bound);
                    let source = Source {
                        codes: &codes,
                        mask,
                        at: AT,
                    };
                    let mut marked = [vec![Lanes::ZERO; planes], vec![Lanes::ZERO; planes]];
                    for (kernel, planes) in [Kernel::Portable, kernel].into_iter().zip(&mut marked)
                    {
                        kernel.scatter(planes, source, &entries);
                        kernel.scatter(planes, source, &Entries::from_iter([Entry::new(5, 1)]));
                    }
                    let [planes, other] = &marked;
                    assert_eq!(planes, other, "{} marks", kernel.name());

                    for _ in 0..5 {
                        let entry = Entry::new(bytes.below(AT), bytes.below(bound) as u8);
                        let fresh = [Kernel::Portable, kernel]
                            .map(|kernel| kernel.fresh(planes, source, entry));
                        assert_eq!(fresh[0], fresh[1], "{} fresh", kernel.name());
                    }
                    let limits = Lanes(std::array::from_fn(|_| bytes.below(bound + 1) as u8));
                    assert_eq!(
                        Kernel::Portable.open(planes, &limits),
                        kernel.open(planes, &limits)
                    );
                    for limit in [None, Some(&limits)] {
                        let mut slots = [[Lanes::ZERO; SLOTS]; 2];
                        let more = [
                            Kernel::Portable.holes(planes, limit, &mut slots[0]),
                            kernel.holes(planes, limit, &mut slots[1]),
                        ];
                        assert_eq!(more[0], more[1], "{} more holes", kernel.name());
                        assert_eq!(slots[0], slots[1], "{} holes", kernel.name());
                        for width in (0..=SLOTS).rev() {
                            let mut sorted = slots;
                            for (kernel, slots) in
                                [Kernel::Portable, kernel].into_iter().zip(&mut sorted)
                            {
                                kernel.kill(&mut slots[..width], source, &entries);
                            }
                            assert_eq!(sorted[0], sorted[1], "{} kills", kernel.name());
                            let alive = [
                                Kernel::Portable.sort(&mut sorted[0], width),
                                kernel.sort(&mut sorted[1], width),
                            ];
                            assert_eq!(alive[0], alive[1], "{} alive", kernel.name());
                            assert_eq!(sorted[0], sorted[1], "{} sorts", kernel.name());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_hit_at_every_lane() {
        for kernel in others() {
            for lane in 0..LANES {
                let mut codes = vec![1; AT + LANES];
                codes[AT - 100 + lane] = 7;
                let source = Source {
                    codes: &codes,
                    mask: None,
                    at: AT,
                };
                let mut slots = [Lanes([7 ^ 3; LANES]); SLOTS];
                kernel.kill(
                    &mut slots,
                    source,
                    &Entries::from_iter([Entry::new(100, 3)]),
                );
                for slot in &slots {
                    assert!((0..LANES).all(|l| (slot.0[l] == DEAD) == (l == lane)));
                }
            }
        }
    }

    #[test]
    fn blocks_settle() {
        let mut bytes = Bytes(2);
        for kernel in others() {
            for bound in BOUNDS {
                for (count, width) in [0, 1, 5, 20, 60]
                    .into_iter()
                    .flat_map(|count| [1, 2, 4, 8].map(|w| (count, w)))
                {
                    let codes = bytes.codes(AT + LANES, bound);
                    let mask = bytes.mask(AT + LANES);
                    let mask = (width == 2).then_some(mask.as_slice());
                    let entries = bytes.entries(count, 1, LANES, bound);
                    let mut slots: [Lanes; SLOTS] = std::array::from_fn(|_| {
                        Lanes(std::array::from_fn(|_| bytes.below(bound) as u8))
                    });
                    Kernel::Portable.sort(&mut slots, width);
                    let fixed = if count == 5 { 0x8000_0001_0010_0400 } else { 0 };
                    let mut settled = [codes.clone(), codes];
                    let [one, two] = &mut settled;
                    let lost = [(Kernel::Portable, one), (kernel, two)].map(|(kernel, codes)| {
                        kernel.settle(
                            &slots[..width],
                            fixed,
                            Block {
                                codes,
                                mask,
                                at: AT,
                            },
                            &entries,
                        )
                    });
                    assert_eq!(lost[0], lost[1], "{} loses", kernel.name());
                    assert_eq!(settled[0], settled[1], "{} settles", kernel.name());
                }
            }
        }
    }

    #[test]
    fn pairs_are_found_wherever_they_are() {
        let mut bytes = Bytes(3);
        for kernel in others() {
            for len in 1..200 {
                for masked in [0, 50, 400] {
                    let codes = bytes.codes(400, 40);
                    let mask = bytes.mask(masked);
                    let (low, x) = (bytes.below(100), bytes.below(60) as u8);
                    let sum = low + len - 1 + bytes.below(300 - len);
                    let wanted = Kernel::Portable.scan(&codes, &mask, sum, low, low + len, x);
                    assert_eq!(kernel.scan(&codes, &mask, sum, low, low + len, x), wanted);
                }
            }
        }
    }

    #[test]
    fn words_are_killed() {
        let mut bytes = Bytes(5);
        for kernel in others() {
            for (width, count) in
                (1..=SLOTS).flat_map(|width| [0, 1, 2, 9, 100].map(|count| (width, count)))
            {
                let values: Vec<u16> = (0..500).map(|_| bytes.below(700) as u16).collect();
                let low = bytes.below(200);
                let sum = low + count + bytes.below(150);
                let slot = || Words(std::array::from_fn(|_| bytes.below(1024) as u16));
                let slots: Vec<Words> = std::iter::repeat_with(slot).take(width).collect();
                let mut killed = [slots.clone(), slots];
                Kernel::Portable.kill_words(&mut killed[0], &values, sum, low, low + count);
                kernel.kill_words(&mut killed[1], &values, sum, low, low + count);
                assert_eq!(killed[0], killed[1], "{}", kernel.name());
            }
        }
    }

    #[test]
    fn close_sources_settle() {
        let mut bytes = Bytes(6);
        for kernel in others() {
            for round in 0..400 {
                let least = 1 + round % 6;
                let mut entries: Vec<Entry> = (least..QUARTER)
                    .map(|q| Entry::new(q, bytes.below(9) as u8))
                    .collect();
                entries.retain(|_| bytes.below(3) > 0);
                let nibbles = Nibbles::new(&entries).unwrap();
                let codes = bytes.codes(4 * QUARTER, if round % 7 == 0 { 17 } else { 9 });
                let rows =
                    std::array::from_fn(|_| u16::from_le_bytes([bytes.next(), bytes.next()]));
                let odd = 1 << bytes.below(64);
                let from = bytes.below(QUARTER + 1);
                let mut settled = [codes.clone(), codes.clone(), codes];
                let mut done = [Kernel::Portable, kernel].into_iter().zip(&mut settled);
                let places = std::array::from_fn(|_| {
                    let (kernel, codes) = done.next().unwrap();
                    kernel.settle_nibbles(&nibbles, &rows, codes, 2 * QUARTER, from, odd)
                });
                let [place, other]: [usize; 2] = places;
                assert_eq!(place, other, "{}", kernel.name());
                assert_eq!(settled[0], settled[1], "{}", kernel.name());
                // By the definition.
                let codes = &mut settled[2];
                let rows: [u16; QUARTER] = rows;
                for (lane, mut row) in (0..place).zip(rows).skip(from) {
                    let at = 2 * QUARTER + lane;
                    for entry in &entries {
                        row |= 1 << (codes[at - entry.q()] ^ entry.u());
                    }
                    codes[at] = row.trailing_ones() as u8;
                }
                assert_eq!(settled[1], settled[2], "{}", kernel.name());
            }
        }
    }

    #[test]
    fn rows_are_planes_turned() {
        let mut bytes = Bytes(4);
        for kernel in others() {
            let planes: [Lanes; 8] =
                std::array::from_fn(|_| Lanes(std::array::from_fn(|_| bytes.next())));
            let mut rows = [[0; LANES]; 2];
            Kernel::Portable.rows(&planes, &mut rows[0]);
            kernel.rows(&planes, &mut rows[1]);
            assert_eq!(rows[0], rows[1]);
        }
    }
}
