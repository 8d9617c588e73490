//! Inner loops over blocks of neighbouring heaps, a lane each: 64 heaps of codes of a byte, 32 of codes of two bytes.
//!
//! An entry (q, u) stands for one option of every heap n: the code of heap n − q, XOR u. The kernels mark such options in planes
//! (one bit for each code and lane), read the smallest unmarked codes back out, and compare further options with those few
//! codes only. `generic.rs` has the algorithms for the registers of any instruction set, and which set is used is chosen at run
//! time. `portable.rs` has them with arrays in place of registers.

#[macro_use]
mod instance;
#[macro_use]
mod network;
pub mod bands;
mod checked;
mod code;
mod compaction;
pub mod entries;
pub mod first_parts;
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(
        dead_code,
        unused_imports,
        reason = "plain Rust has some loops of its own"
    )
)]
mod generic;
pub mod halves;
mod nibbles;
pub mod open_candidates;
mod portable;
mod segments;
pub mod tuning;
mod width;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

use bands::{BandedEntries, Bands};
pub use checked::{Block, Source};
use checked::{Opposite, Options, Pairs, Unsettled};
pub use code::Code;
use code::dispatch;
pub use entries::{Entries, Entry};
use first_parts::FirstParts;
use halves::{HALVES_END, Halves, HalvesOf, LOW_BITS};
pub use nibbles::Nibbles;
use open_candidates::{OpenCandidate, OpenCandidates};
pub use segments::{LaneSegments, Open, Rows, Taps};
pub use width::Width;

/// Heaps in a block.
pub const LANES: usize = 64;
/// Heaps of a block that are settled at a time where codes are below 16 and sources lie close before the heaps.
pub const QUARTER: usize = LANES / 4;
/// Candidate codes kept for each heap.
pub const SLOTS: usize = 8;
/// A byte for each value of two bytes: 1 for one that was seen.
pub type SeenValues = [u8; 1 << u16::BITS];
/// How many neighbouring values a [`Window`] has.
pub const WINDOW: usize = 1024;
/// A byte for each of some neighbouring values: 1 for one that is marked.
pub type Window = [u8; WINDOW];
/// How many neighbouring values a [`Strip`] has.
pub const STRIP: usize = 1 << LOW_BITS;
/// A byte for each of the neighbouring values with the same high half: 1 for one that is marked.
pub type Strip = [u8; STRIP];
/// So many windows are looked up together at most.
pub const MOST_WINDOWS: usize = 4;

/// One byte for each heap of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Lanes(pub [u8; LANES]);

impl Lanes {
    /// Zero in every lane.
    pub const ZERO: Self = Self([0; LANES]);
}

/// Eight bytes, each 0 or 1, as eight bits.
pub const fn gathered(bytes: u64) -> u64 {
    bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The places of the bits that are set, ascending.
pub fn set_bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(place)
    })
}

/// Heaps in a block of two-byte values.
pub const WORDS: usize = 32;

/// Two bytes for each heap of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Words(pub [u16; WORDS]);

impl Words {
    /// Zero in every lane.
    pub const ZERO: Self = Self([0; WORDS]);
}

/// The inner loops of one instruction set that this machine can run.
#[derive(Clone, Copy, Debug)]
pub struct Kernel(InstructionSet);

/// The instruction sets. A token proves that the processor has the instructions.
#[derive(Clone, Copy, Debug)]
enum InstructionSet {
    /// Plain Rust.
    Portable(portable::Token),
    /// 256-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Token),
    /// 512-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Token),
    /// 128-bit registers of 64-bit Arm.
    #[cfg(target_arch = "aarch64")]
    Neon(neon::Token),
}

impl Kernel {
    /// Plain Rust, which every machine can run.
    pub const PORTABLE: Self = Self(InstructionSet::Portable(portable::Token));

    /// Every kernel that this machine can run, the fastest first.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let of_the_machine = [
            avx512::Token::detect().map(InstructionSet::Avx512),
            avx2::Token::detect().map(InstructionSet::Avx2),
        ];
        #[cfg(target_arch = "aarch64")]
        let of_the_machine = [neon::Token::detect().map(InstructionSet::Neon)];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let of_the_machine: [Option<InstructionSet>; 0] = [];
        let of_the_machine = of_the_machine.into_iter().flatten().map(Self);
        of_the_machine.chain([Self::PORTABLE]).collect()
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

    /// `portable`, `avx2`, `avx512` or `neon`.
    pub fn name(self) -> &'static str {
        match self.0 {
            InstructionSet::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon(_) => "neon",
        }
    }
}

/// The inner loops. They panic where something to be read lies outside the slices.
impl Kernel {
    // Inlined: if the source were passed in memory, it would be read before its bytes have left the store buffer.
    /// Marks every option: bit x mod `BITS` of plane ⌊x / `BITS`⌋, if there is such a plane.
    #[inline(always)]
    pub(crate) fn mark_options<C: Code>(
        self,
        planes: &mut [C::Lanes],
        source: Source<'_, C>,
        entries: &Entries<C>,
    ) {
        C::mark_options(self, planes, Options::new(source, entries));
    }

    /// Whether [`Kernel::mark_options_by_twos`] is faster with so many planes.
    pub(crate) fn prefers_twos<C: Code>(self, planes: usize) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(_) => C::BITS == 8 && avx512::PLANES_BY_TWOS.contains(&planes),
            _ => {
                _ = planes;
                false
            }
        }
    }

    /// Marks options, but of each two entries that come after one another it may forget the larger code where both are of the
    /// same 32, codes 0 to 31 and so on.
    #[inline(always)]
    pub(crate) fn mark_options_by_twos<C: Code>(
        self,
        planes: &mut [C::Lanes],
        source: Source<'_, C>,
        entries: &Entries<C>,
    ) {
        C::mark_options_by_twos(self, planes, Options::new(source, entries));
    }

    /// Whether this kernel reads codes of this width in bands.
    pub(crate) fn reads_bands<C: Code>(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return C::BITS == 8 && matches!(self.0, InstructionSet::Avx2(_));
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Adds codes to the bands, if this kernel reads bands. A heap whose mask is not zero has no code there.
    pub(crate) fn extend_bands<C: Code>(self, bands: &mut Bands, codes: &[C], mask: Option<&[C]>) {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(token) => {
                if let Some(codes) = C::bytes(codes) {
                    token.extend_bands(bands, codes, mask.and_then(C::bytes));
                }
            }
            _ => _ = (bands, codes, mask),
        }
    }

    /// Marks as [`Kernel::mark_options`] does, from codes in bands where this kernel reads any. The bands hold the codes of the
    /// same sources, and `banded` the same entries.
    #[inline(always)]
    pub(crate) fn mark_from_bands<C: Code>(
        self,
        planes: &mut [C::Lanes],
        from: (Source<'_, C>, &Entries<C>),
        bands: (&Bands, usize),
        banded: &BandedEntries,
    ) {
        C::mark_from_bands(self, planes, from, bands, banded);
    }

    /// The lanes in which this entry would mark something new.
    pub(crate) fn would_mark<C: Code>(
        self,
        planes: &[C::Lanes],
        source: Source<'_, C>,
        entry: Entry<C>,
    ) -> u64 {
        C::would_mark(self, planes, Options::one(source, &entry))
    }

    /// The lanes that have an unmarked code below their limit.
    pub(crate) fn open<C: Code>(self, planes: &[C::Lanes], limit: &C::Lanes) -> u64 {
        C::open(self, planes, limit)
    }

    /// Makes the smallest unmarked codes of every lane its slots, ascending.
    pub(crate) fn least_unmarked<C: Code>(
        self,
        planes: &[C::Lanes],
        slots: &mut [C::Lanes; SLOTS],
    ) {
        C::least_unmarked(self, planes, slots);
    }

    /// Adds every unmarked code of every lane below its limit as an open candidate; the offset of the first lane is `at`.
    pub(crate) fn unmarked<C: Code>(
        self,
        planes: &[C::Lanes],
        limit: &C::Lanes,
        at: usize,
        open: &mut OpenCandidates,
    ) {
        assert!(C::BITS * planes.len() <= C::DEAD.index() + 1);
        C::unmarked(self, planes, limit, at, open);
    }

    /// Removes the open candidates that some row gives: a first part XOR the code opposite it, neither of them masked. Their
    /// heaps lie less than `heaps` after the first heap of the source.
    pub(crate) fn unwitnessed<C: Code>(
        self,
        open: &mut Vec<OpenCandidate>,
        source: Source<'_, C>,
        firsts: &FirstParts<C>,
        heaps: usize,
    ) {
        C::unwitnessed(self, open, Opposite::new(source, firsts, heaps));
    }

    /// Tests the slots, of which there may be up to 8: one that equals an option of its lane is dead from then on.
    #[inline(always)]
    pub(crate) fn test<C: Code>(
        self,
        slots: &mut [C::Lanes],
        source: Source<'_, C>,
        entries: &Entries<C>,
    ) {
        assert!(slots.len() <= SLOTS);
        let from = Options::new(source, entries);
        if !slots.is_empty() {
            C::test(self, slots, from);
        }
    }

    /// Sorts the first `width` slots of every lane, the others die.
    pub(crate) fn sort<C: Code>(self, slots: &mut [C::Lanes; SLOTS], width: usize) {
        assert!(width <= SLOTS);
        C::sort(self, slots, width);
    }

    /// Gives every heap of the block its smallest slot (1, 2, 4 or 8 of them) that is no option of it by entries with
    /// 0 < q < `C::LANES`, whose sources may lie in the block itself; writes them to `codes[at..]`. Lanes in `fixed` take
    /// their first slot whatever the options are. Returns the lanes that no slot is left for.
    pub(crate) fn settle<C: Code>(
        self,
        slots: &[C::Lanes],
        fixed: u64,
        block: Block<'_, C>,
        entries: &Entries<C>,
    ) -> u64 {
        assert!(slots.len().is_power_of_two() && slots.len() <= SLOTS);
        C::settle(self, slots, fixed, Unsettled::new(block, entries))
    }

    /// Adds 1 to the count of each option that is x; no count may get beyond 255.
    pub(crate) fn count_equal<C: Code>(self, counts: &mut [u8], options: &[C], x: C) {
        C::count_equal(self, counts, options, x);
    }

    /// The least i in `low..high` with `codes[i] ^ codes[sum - i] == x`, both sources unmasked.
    pub(crate) fn scan<C: Code>(
        self,
        codes: &[C],
        mask: &[C],
        sum: usize,
        (low, high): (usize, usize),
        x: C,
    ) -> Option<usize> {
        if low >= high {
            return None;
        }
        C::scan(self, Pairs::new(codes, sum, low, high), mask, x)
    }

    /// Finds the codes of a quarter: of its heaps, which begin at `codes[at]`, those from number `from` on get their smallest
    /// unmarked code, one after another. It stops at the first heap that has no such code below 16, or has its bit in
    /// `left_out`, and at heap `from` if one of the sixteen codes before it is not below 16, whether it is a source or not. It
    /// returns the number of the heap where it stopped in the quarter.
    pub(crate) fn settle_nibbles(
        self,
        nibbles: &Nibbles,
        marks: &[u16; QUARTER],
        codes: &mut [u8],
        at: usize,
        from: usize,
        left_out: u64,
    ) -> usize {
        let end = at.checked_add(QUARTER);
        assert!(at >= QUARTER && end.is_some_and(|end| end <= codes.len()) && from <= QUARTER);
        dispatch!(
            self,
            settle_nibbles(nibbles, marks, codes, at, from, left_out)
        )
    }

    /// The eight bytes of every lane as one word, the first one lowest: of marks in planes, bit c of a lane's word is code c.
    pub(crate) fn words_of_lanes(self, planes: &[Lanes; 8], words: &mut [u64; LANES]) {
        dispatch!(self, words_of_lanes(planes, words))
    }

    /// The codes of a set (a bit each, below 64) that no pair gives: first byte k XOR the second byte k from the end.
    pub(crate) fn unpaired(self, firsts: &[u8], seconds: &[u8], codes: u64) -> u64 {
        assert_eq!(firsts.len(), seconds.len());
        dispatch!(self, unpaired(firsts, seconds, codes))
    }

    /// Marks the values that each of some values gives with another: `ones[k] ^ others[k]`.
    pub(crate) fn mark_pairs(self, seen: &mut SeenValues, ones: &[u16], others: &[u16]) {
        assert_eq!(ones.len(), others.len());
        dispatch!(self, mark_pairs(seen, ones, others));
    }

    /// Like [`mark_pairs`](Self::mark_pairs), in one, two or four windows of the values from `base` on alone. The low
    /// half of `base` is 0.
    pub(crate) fn mark_windows(
        self,
        windows: &mut [Window],
        base: u16,
        ones: HalvesOf<'_>,
        others: HalvesOf<'_>,
    ) {
        assert_eq!(ones.len(), others.len());
        const { assert!(MOST_WINDOWS == 4, "loops are for one, two and four windows") }
        assert!(windows.len().is_power_of_two() && windows.len() <= MOST_WINDOWS);
        assert!(base.is_multiple_of(1 << LOW_BITS));
        assert!(usize::from(base) + WINDOW * windows.len() <= HALVES_END);
        dispatch!(self, mark_windows(windows, base, ones, others));
    }

    /// Like [`mark_windows`](Self::mark_windows), in at most as many neighbouring strips as a window has: faster where few values
    /// are open and pairs seldom give one of them.
    pub(crate) fn mark_strips(
        self,
        strips: &mut [Strip],
        base: u16,
        ones: HalvesOf<'_>,
        others: HalvesOf<'_>,
    ) {
        assert_eq!(ones.len(), others.len());
        assert!(strips.len() <= WINDOW / STRIP);
        assert!(usize::from(base).is_multiple_of(STRIP));
        assert!(usize::from(base) + STRIP * strips.len() <= HALVES_END);
        dispatch!(self, mark_strips(strips, base, ones, others));
    }

    /// The options of the heaps of a block by pairs with some first parts, `words[first] ^ words[sum + heap - first]`.
    /// In `options` those of a heap begin `apart` numbers behind those of the heap before.
    pub(crate) fn options_of_heaps(
        self,
        words: &[u16],
        sum: usize,
        firsts: &[u32],
        (options, apart): (&mut Halves, usize),
    ) {
        let lies_inside = |&first: &u32| {
            let second = sum.checked_sub(first as usize);
            let end = second.and_then(|second| second.checked_add(WORDS));
            (first as usize) < words.len() && end.is_some_and(|end| end <= words.len())
        };
        assert!(firsts.iter().all(lies_inside), "a pair lies outside");
        assert!(
            firsts.len() <= apart && options.len() == WORDS * apart,
            "a row lies outside"
        );
        dispatch!(self, options_of_heaps(words, sum, firsts, (options, apart)));
    }

    /// Whether `walk` reads the rows as marks.
    fn reads_marks(self) -> bool {
        matches!(self.0, InstructionSet::Portable(_))
    }

    /// Goes on by 64 steps in every lane, with codes below 16, 32 or 64: 2, 4 or 8 planes. Each heap gets the smallest code
    /// that is none of its options, or 0 where there is none. `open` gets the rare codes below it that no witness gives.
    pub(crate) fn walk(self, planes: usize, block: LaneSegments<'_>, open: &mut Open) {
        assert!([2, 4, 8].contains(&planes));
        dispatch!(self, walk(planes, block, open))
    }
}

#[cfg(test)]
mod tests;
