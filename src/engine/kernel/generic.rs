//! The algorithms of the kernels, written once for all instruction sets. Slots and pairs are the same for codes of any width;
//! marks of codes of a byte and of two bytes have a loop each, since a table of marks serves 64 codes of a byte in one look-up.
//!
//! An instruction set is a type that implements [`Registers`] for each width of a code, and [`ByteCodes`] and [`WideCodes`] for
//! what only codes of a byte or of two bytes need. A block of 64 bytes of codes takes [`Registers::PIECES`] registers:
//!
//! ```text
//! mark_options:
//!           for each piece of the block                       (planes.rs)
//!               marked[planes] = 0
//!               for each entry (q, u)
//!                   x = load(codes − q) XOR u                 masked lanes become all ones
//!                   marked[j] |= marks(x, j)                  for each plane j
//!               planes |= marked
//!
//! test:     for each piece of the block                       (slots.rs)
//!               for each entry (q, u)
//!                   x = load(codes − q) XOR u
//!                   slot[w] = x == slot[w] ? dead : slot[w]   for each slot w
//!
//! settle:   codes = first slot of each lane                  (slots.rs)
//!           repeat until nothing changes
//!               test copies of the slots; codes = first slot alive
//!
//! scan:     for each block of pairs, four registers at a time (pairs.rs)
//!               equal(load(firsts) XOR reversed(load(seconds)), x)
//!
//! walk:     for each of 64 steps                             (segments.rs)
//!               marked = marks of all options; code = first unmarked; store
//!               marked = marks of all witnesses; open = not marked, below the limit
//! ```
//!
//! A new loop is written in a file here and named below; `instance.rs` lists it for every instruction set, `code.rs` too if codes
//! of both widths have it; `kernel.rs` offers it with checked arguments and chooses the set, `portable.rs` may have a way of its
//! own for plain Rust, and `tests/` compares it on every kernel of the machine.
//!
//! The functions here are compiled without the instructions of any set. They are `#[inline(always)]`, and `instance.rs` calls
//! each of them from a function that is compiled with the instructions. For the same reason an intrinsic may stand in no
//! closure: a closure is a function of its own, in which the intrinsic would stay a call.

mod by_bytes;
mod pairs;
pub mod plain;
mod planes;
mod segments;
mod slots;

use super::checked::Sources;
use super::code::Code;
use super::halves;
use super::{LANES, Lanes, WORDS, Window};
pub use pairs::{mark_pairs, mark_windows, options_of_heaps, scan, unpaired, unwitnessed};
pub use plain::{
    OpenPlaces, count_equal, least_unmarked as least_unmarked_words, open_words, unmarked,
    words_of_lanes, would_mark,
};
pub use planes::{least_unmarked, mark_options, mark_options_words, open};
pub use segments::walk;
pub use slots::{settle, settle_nibbles, sort, test};

/// Does the same for each of some numbers for which a condition holds. Numbers and condition are constants. It is written out, as
/// a loop would keep the marks in memory.
macro_rules! each {
    ($k:ident in $($number:literal)*, if $condition:expr => $do:expr) => {$({
        const $k: usize = $number;
        // As the condition is evaluated first, the compiler translates nothing for a number for which it doesn't hold.
        if const { $condition } {
            $do
        }
    })*};
}
pub(super) use each;

/// The registers of an instruction set as lanes of a code each. A value of a type that implements this proves that the
/// processor has the instructions.
pub trait Registers<C: Code>: Copy {
    /// A register of codes.
    type Register: Copy;
    /// A truth value for each lane of a register.
    type Mask: Copy;
    /// A slot while options are compared with it.
    type Slot: Copy;
    /// Registers that a block takes: 1, 2 or 4.
    const PIECES: usize;
    /// How many registers the instruction set has.
    const COUNT: usize;

    /// Reads a piece of a block.
    fn load(self, block: &C::Block, piece: usize) -> Self::Register;
    /// Writes a piece of a block.
    fn store(self, block: &mut C::Block, piece: usize, value: Self::Register);
    /// The same code in all lanes.
    fn all(self, code: C) -> Self::Register;
    /// The XOR of two registers, bit by bit.
    fn xor(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// The OR of two registers, bit by bit.
    fn or(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// The OR of three registers. An instruction set that has an instruction for it must ask for it by name: left to itself the
    /// compiler joins one of the two ORs with a mask instead, and 0.6, 0.142 and Grundy's game to 10⁶ take 6, 10 and 2 % longer
    /// with AVX-512 (Sapphire Rapids).
    #[inline(always)]
    fn or_three(self, a: Self::Register, b: Self::Register, c: Self::Register) -> Self::Register {
        self.or(a, self.or(b, c))
    }
    /// The smaller code in each lane.
    fn min(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// The larger code in each lane.
    fn max(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// The lanes that are the same.
    fn equal(self, a: Self::Register, b: Self::Register) -> Self::Mask;
    /// `yes` in the lanes of the mask, `no` in the others.
    fn select(self, mask: Self::Mask, yes: Self::Register, no: Self::Register) -> Self::Register;
    /// The lanes of either mask.
    fn either(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether no lane is in the mask.
    fn is_empty(self, mask: Self::Mask) -> bool;
    /// A bit for each lane, the lowest for the first.
    fn bits(self, mask: Self::Mask) -> u64;
    /// The mask with these bits, the lowest for the first lane.
    fn mask(self, bits: u64) -> Self::Mask;
    /// A register in which these 32 bits are repeated.
    fn all_words(self, word: u32) -> Self::Register;
    /// The lanes in reverse order.
    fn reversed(self, a: Self::Register) -> Self::Register;

    /// A slot that no option has been compared with yet.
    fn slot(self, codes: Self::Register) -> Self::Slot;
    /// The slot after it has been compared with an option.
    fn strike(self, slot: Self::Slot, option: Self::Register) -> Self::Slot;
    /// The codes of the slot, [`Width::DEAD`](super::width::Width::DEAD) where an option was the same.
    fn left(self, slot: Self::Slot) -> Self::Register;

    /// Lanes of a register.
    #[inline(always)]
    fn lanes() -> usize {
        C::LANES / Self::PIECES
    }

    /// A piece of the options of a block by one entry.
    #[inline(always)]
    fn option<const MASKED: bool>(
        self,
        (codes, mask, u): Sources<'_, C>,
        piece: usize,
    ) -> Self::Register {
        let x = self.xor(self.load(codes, piece), self.all(u));
        match mask {
            Some(mask) if MASKED => self.or(x, self.load(mask, piece)),
            _ => x,
        }
    }
}

/// Finding bits that are set, lane by lane. Of codes of two bytes only AVX-512 does so in registers.
pub trait LowestBits<C: Code>: Registers<C> {
    /// The sum in each lane.
    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// The index of the lowest bit set in each lane; anything where there is none.
    fn lowest(self, a: Self::Register) -> Self::Register;
    /// Each lane without the lowest bit that is set.
    fn without_lowest(self, a: Self::Register) -> Self::Register;
}

/// What only codes of a byte need: planes of eight codes, marked by a look-up in a table of bytes.
pub trait ByteCodes: LowestBits<u8> {
    /// The most planes for which options are marked two at a time, as one instruction then adds the marks of both. One at a time
    /// 0.14 and 0.444 to 2·10⁶ take 6 and 5 % longer with AVX-512 (Sapphire Rapids).
    const TWO_AT_A_TIME: usize;
    /// A table of up to 64 bytes to look codes up in.
    type Table: Copy;

    /// The most planes that are marked at a time: 10 or 20.
    const MOST_PLANES_AT_ONCE: usize;
    /// How many planes are marked at a time if there are so many.
    fn planes_at_once(_planes: usize) -> usize {
        Self::MOST_PLANES_AT_ONCE
    }
    /// `a` without the bits of `b`.
    fn and_not(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Bit x mod 8 in the lanes where the code x is one of plane `first` + `plane`. `first` is even; where
    /// `MOST_PLANES_AT_ONCE` is 20 it is 0 or 16.
    fn marks(self, x: Self::Register, first: usize, plane: usize) -> Self::Register;
    /// The marks of [`ByteCodes::marks`] added to others.
    #[inline(always)]
    fn add_marks(
        self,
        marked: Self::Register,
        x: Self::Register,
        first: usize,
        plane: usize,
    ) -> Self::Register {
        self.or(marked, self.marks(x, first, plane))
    }
    /// The marks in a plane, where all codes lie below 8 · `PLANES`, which is at most 64.
    fn marks_inside<const PLANES: usize>(self, x: Self::Register, plane: usize) -> Self::Register;
    /// The bits of the codes of a plane below the limits.
    fn below(self, limits: Self::Register, plane: usize) -> Self::Register;
    /// A table of 64 bytes as this instruction set reads it.
    fn table(self, table: &Lanes) -> Self::Table;
    /// What the table has for codes below 8 · `PLANES`, which is at most 64.
    fn look_up<const PLANES: usize>(
        self,
        table: Self::Table,
        codes: Self::Register,
    ) -> Self::Register;
}

/// How many pieces of a block are worked on together: as many as fit the registers that are free, with so many for each.
const fn pieces_at_once(pieces: usize, each: usize, free: usize) -> usize {
    let mut at_once = pieces;
    while at_once > 1 && at_once * each > free {
        at_once /= 2;
    }
    at_once
}

/// What only codes of two bytes need: marks in a window of 16 codes.
pub trait WideCodes: Registers<u16> {
    /// With more planes than this a byte for each mark takes less time. In planes alone 0.364, 0.744 and 0.564, which have 18, 20
    /// and 42, take 1.9, 2.7 and 6.6 times as long with AVX2 to 3·10⁶, and 0.564 2.2 times with AVX-512 (Sapphire Rapids).
    const BYTES_PAY_ABOVE: usize;
    /// How many planes are marked at a time: 5, 10 or 24.
    const PLANES_AT_ONCE: usize;
    /// Marks of a piece of a block.
    type Marked: Copy;

    /// The product in each lane, which is less than 65,536.
    fn times(self, x: Self::Register, y: Self::Register) -> Self::Register;
    /// No marks.
    fn unmarked(self) -> Self::Marked;
    /// Marks x, if it is below 16, for each of two numbers in each lane.
    fn mark_two(self, marked: Self::Marked, x: [Self::Register; 2]) -> Self::Marked;
    /// The marks as a register, bit x of a lane for the number x.
    fn marked(self, marked: Self::Marked) -> Self::Register;
}

/// Which values of a window are open, looked up many at a time.
pub trait Lookups: Registers<u16> {
    /// A register made of groups of eight numbers: of these groups the first ones, as many as it has room for.
    fn eights(self, eights: [&[u16; 8]; WORDS / 8]) -> Self::Register;
    /// The numbers of both registers by turns, eight by eight: those of the first halves, and those of the second halves.
    fn zip(self, a: Self::Register, b: Self::Register) -> [Self::Register; 2];
    /// Writes the low and the high halves of the numbers of a register in front of some others.
    fn write_halves(self, to: [&mut [u8]; 2], x: Self::Register);

    /// The places of some windows, one behind the other, that are not marked.
    type Open<const WINDOWS: usize>: Copy;
    /// The registers that look them up.
    fn open<const WINDOWS: usize>(self, windows: &[Window; WINDOWS]) -> Self::Open<WINDOWS>;
    /// Writes, in front of `found`, the halves of those of the 64 numbers `ones[k] ^ others[k] - base` that are open; returns how
    /// many. Of the base there is the high half, as its low half is 0.
    fn pick<const WINDOWS: usize>(
        self,
        open: &Self::Open<WINDOWS>,
        pair: [halves::Block<'_>; 2],
        base: u8,
        found: [&mut [u8; LANES]; 2],
    ) -> usize;
}
