//! The tuning constants of the sparse engine, by topic.
//!
//! Most of those that serve one thread were halved and doubled on Sapphire Rapids with AVX-512: nine games with codes of a byte
//! and of two bytes, to 500,000 heaps and more (`values N -g GAME --threads 1`, user time, which varied by some per cent).
//! Where nothing is said of it, no game took 5 % less time when measured again. What serves several threads or bands was
//! chosen once and, but for what is said, not varied.
//!
//! They change the time an answer takes, never a value. The machines named are those of `docs/performance.md`; where none is
//! named, the constant was chosen on Zen 3 with AVX2. What each operation costs with each kernel stands in `costs.rs`.

use crate::engine::kernel::{Code, LANES};

/// A constant for codes of one byte, and then its value for codes of two bytes.
pub struct ByWidth<T>(pub T, pub T);

impl<T> ByWidth<T> {
    /// The constant for codes of this type.
    pub fn of<C: Code>(self) -> T {
        if C::BITS == 8 { self.0 } else { self.1 }
    }
}

// Whether the engine is worthwhile.

/// Going by rare heaps pays if (rare heaps to come) · (rare heaps known) · this is at most the square of half the heaps known.
/// The square stands for the work of all pairs, the product for what is found in vain: a new rare heap discards what was found
/// behind it, which costs as much as this many pairs for each rare heap known. (0.007 to heap 30,000, where one heap in four is
/// rare, takes 2.4 s by rare heaps and 0.17 s by all pairs.) How many new ones are to come is guessed from the last quarter of
/// the table, not from its last half: in 0.6 they become fewer at heap 12,000, in 0.1372 more, which to 100,000 takes a third
/// longer with half as large a number and with the last half. With twice as large a number, tried with the last half alone, 0.6,
/// 0.142 and Grundy's game to 100,000 took half as long again. For codes of two bytes, with two thirds of it 0.744 and 0.745 to a
/// million take 11 % longer, as the sparse engine begins at heap 5,530 in place of 12,442. More was tried only with the last
/// half, where half as much again made 0.564 take a third longer (Sapphire Rapids).
pub const REPEATS_PER_NEW_RARE: ByWidth<usize> = ByWidth(64, 120);
/// With codes of two bytes and more rare heaps than this, new ones cost more: 0.206, with 9,600 to a million, takes 2.9 s, with
/// [`REPEATS_PER_NEW_RARE`] and by all pairs 4.3 s (Zen 5).
pub const FEW_RARES: ByWidth<usize> = ByWidth(usize::MAX, 4096);
/// [`REPEATS_PER_NEW_RARE`] with more than [`FEW_RARES`].
pub const REPEATS_PER_NEW_RARE_OF_MANY: usize = 256;
/// Where there are more than [`FEW_RARES`], all pairs cost less if the number of rare heaps, times the square of
/// the mean code in the last half of the table, is larger. To a million 0.206, 0.146 and 0.606, where it is smaller, take 2.8,
/// 4.0 and 3.6 s by rare heaps, 4.3, 5.3 and 7.8 s by all pairs; 0.344 and 0.007, where it is larger, 14 and 24 s, and 8.4 and
/// 9.6 s by all pairs (Zen 5). Since all pairs are looked up in registers 0.206 takes as long either way, 0.146 and 0.606 take
/// 5.7 and 6.3 s by rare heaps and 7.1 and 9.0 s by all pairs, 0.344 and 0.007 10.5 and 9.6 s by all pairs (Zen 4).
pub const MOST_RARES_BY_CODES_SQUARED: usize = 330_000_000;
/// The number of heaps in the last half of the table to which [`MOST_RARES_BY_CODES_SQUARED`] belongs; with more heaps that
/// bound grows in proportion: by all pairs a heap costs more the more heaps there are below, by rare heaps it doesn't. From
/// 2^21 to 2^22 0.606 takes 80 s by all pairs and 20 s by rare heaps (Zen 4).
pub const HALF_OF_A_MILLION: usize = 1 << 19;
/// All pairs cost less too if the square of the number of rare heaps is more than this times the heaps in the last half of the
/// table. To a million 0.005, where it is 1,400 times these at heap 524,288, takes 43 s by rare heaps from there on, and 13 s
/// by all pairs (Zen 4). 0.206, where it is 1,210 times these at 131,072, goes by rare heaps before 150,000.
pub const MOST_RARES_SQUARED_PER_HEAP: usize = 1300;

// Spans: how many heaps are found and proved at a time.

/// How far back a span of new heaps carries its own copy of the table.
pub const SPAN_HISTORY: usize = 1 << 18;
/// The most heaps found at a time where no option lies beyond [`SPAN_HISTORY`].
pub const MAX_SPAN: usize = SPAN_HISTORY;
/// The most heaps found at a time where some options are read from the table itself.
pub const MAX_SPAN_WITH_TABLE: usize = SPAN_HISTORY / 2;
/// Heaps found at a time where they are proved before the next ones are found.
pub const SPAN_BETWEEN_PROOFS: usize = 1 << 13;
/// Heaps proved at a time by a thread.
pub const PROOF_BATCH: usize = 1 << 10;
/// Fewer heaps than this are not worth a helper thread. With twice as many, 0.142 and Grundy's game took 4 to 5 % longer to
/// 10⁶ on two threads.
pub const MIN_HEAPS_FOR_HELPERS: usize = 1 << 12;
/// One heap in this many is left to be proved while a helper has nothing to mark, so that no thread waits at the end of a
/// span: with all proofs first, the helper waited for up to 6 % of a run of 0.6 to 10⁷.
pub const RESERVED_PROOF_SHARE: usize = 4;

// Search and proofs: marks of neighbouring entries.

/// Whether entries are put in runs that can be marked together. For codes of a byte no kernel does so.
pub const MARKS_IN_RUNS: ByWidth<bool> = ByWidth(false, true);

// Search: planes and the order of options.

/// With at most this many planes all options of a search are marked, and there is no order to learn.
pub const WORD_PLANES: usize = 8;
/// Numbers of planes that are tried, [`WORD_PLANES`] and more; of more than the kernels have registers for they mark some at a
/// time (`kernel/generic.rs: planes_at_once`).
pub const PLANE_COUNTS: [usize; 8] = [8, 10, 12, 16, 18, 20, 22, 24];
/// The fewest planes of codes of two bytes that are marked.
pub const MIN_WIDE_PLANES: usize = 5;
/// With at most this many planes there is little to mark, and bands are not worth it: with bands 0.106 took an eighth longer.
pub const MAX_PLANES_WITHOUT_BANDS: usize = 2;
/// Two planes are taken where all options have to be gone over for no more than one heap in this many. That takes some 2000
/// nanoseconds, and four planes take about 40 more a heap, so one in 50 breaks even by these numbers; 25 was not varied (0.054
/// to 6·10⁷ took a third of the time of four planes; AVX-512 at 2.6 GHz).
pub const HEAPS_PER_FULL_LOOK: usize = 25;
/// The last heaps that say how many planes are needed at least. With half as many 0.14 took a tenth longer.
pub const RECENT_HEAPS: usize = 4096;
/// One recent heap in this many may have a code beyond the planes. With twice as many such heaps 0.14 took a tenth longer.
pub const HEAPS_PER_CODE_BEYOND: usize = 400;
/// The last heaps that say how many planes are worth marking in a search.
pub const SEARCH_PLANE_SAMPLE: usize = 1 << 16;
/// About how many options are marked for each plane in a search.
pub const ENTRIES_PER_PLANE: usize = 30;
/// In natural order a heap costs one in this many of what testing would save if all options were marked.
pub const NATURAL_ORDER_DISCOUNT: u64 = 2;
/// The most options of a search that are put in order one by one.
pub const MAX_ORDERED_ENTRIES: usize = 1000;
/// Room for twice the places that a search's marks reach back in bands.
pub const SEARCH_BAND_ROOM: usize = 1 << 16;

// Search on several threads.

/// More threads than this aren't started. On a machine with sixteen cores sixteen threads gained at most 14 % (Grundy's game) and
/// lost up to 43 % (0.374), for up to two and a half times the processors' time; 0.106, which took between 6.5 and 11.6 ns a heap
/// with any number of threads beyond one, says nothing.
pub const MOST_THREADS: usize = 8;

/// Heaps found while the far options of as many are marked by helpers.
pub const STRETCH: usize = 1 << 10;
/// A source at least so far back has been found before the marking of a stretch begins.
pub const FAR_DISTANCE: usize = 2 * STRETCH;
/// Far options are left to helpers if there is at least one of them for this many nearer ones that are marked.
pub const MAX_NEARER_PER_FAR: usize = 2;
/// With this many threads all far options are marked by helpers: more work in all, but less for the thread that searches. By
/// the model of `docs/performance.md`: 0.6 and 0.142 took 1.3 and 1.6 times as long with three threads as with four.
pub const THREADS_TO_MARK_ALL_FAR: usize = 4;
/// The least number of heaps of a table in which helpers mark all far options.
pub const HEAPS_TO_MARK_ALL_FAR: usize = 1 << 17;
/// How often a waiting thread looks again before it gives up its core.
pub const SPINS_BEFORE_YIELD: u32 = 1 << 8;

// Proofs: marks.

/// With at most this many planes marking costs little, and the open codes of a heap are looked up together. With twice this 0.14
/// took three times as long and 0.376 two fifths longer; with half of it 0.14 took 6 % less, and others as long.
pub const NARROW_PLANES: usize = 4;
/// Pairs with a smaller part beyond this are not marked. With half as many 0.6 took a tenth longer to prove, Grundy's game an
/// eighth.
pub const MAX_MARKED_PART: usize = 6000;
/// Like [`MAX_MARKED_PART`], with at most [`NARROW_PLANES`] planes: for few codes fewer pairs serve. With half of this 0.106 took
/// half as long again.
pub const MAX_MARKED_PART_NARROW: usize = 500;
/// The most pairs that are marked. With 900 for codes of two bytes the game 0.565, where a heap has some 300 codes below its own,
/// took 1.8 times as long to 400,000.
pub const MAX_MARKED_PAIRS: ByWidth<usize> = ByWidth(900, 3000);
/// With [`NARROW_PLANES`], how many pairs are marked before it is looked whether any code is open.
pub const MARKS_BETWEEN_LOOKS: usize = 16;
/// With no more open heaps of a block than this, looking up what is open is cheaper than marking on. With twice this 0.106 took a
/// tenth longer.
pub const FEW_OPEN_LANES: u32 = 5;
/// About how many pairs are marked for each plane in a proof.
pub const PAIRS_PER_PLANE: f32 = 25.0;
/// The last heaps that say how many planes are worth marking in a proof.
pub const PROOF_PLANE_SAMPLE: usize = 4096;
/// What two options a look-up cost of one at a time, the codes that are forgotten included: with a cost of
/// 0.7 the game 0.6 took 5 % more time, with 0.32 as much time as with this.
pub const MARK_BY_TWOS_COST: f32 = 0.38;
/// Two options a look-up pay where at most one pair of heaps in this many has codes of the same band of 32: of 0.6 and 0.142 one
/// in four has; of Grundy's game and 0.374 two in five have, and it took 2 % longer there.
pub const HEAP_PAIRS_PER_SHARED_BAND: usize = 3;
/// Room for twice the places that a proof's marks reach back in bands.
pub const PROOF_BAND_ROOM: usize = 1 << 14;

// Proofs: rows of pairs for each open code.

/// Beyond [`WORD_PLANES`], the largest smaller part of the pairs in rows: pairs beyond it are looked up where they are needed,
/// one code after another. With 6000 Grundy's game took half as long again to prove, 0.6 a tenth; with 24,000 they take 7 and
/// 2 % less, but longer to learn. With fewer planes the pairs that are needed tell how long the window of a proved period is, so
/// every pair beyond the marked ones is looked up there.
pub const MAX_PART_IN_ROWS: usize = 12_000;
/// Rows that an open code is compared with until one answers, on average: 0.6 needs five where 3.2 codes a heap are open, but
/// most of them for the last few codes, which hardly any pair gives. With twice this 0.6 and 0.142 took as long, with half of
/// it up to a tenth longer. Rows of codes of two bytes have half as many pairs, and more codes are open.
pub const ROWS_PER_OPEN_CODE: ByWidth<f32> = ByWidth(3.3, 16.0);
/// Rows beyond [`MAX_PART_IN_ROWS`] are tried at growing distances: the next one is this part of its distance further out. In
/// 0.143 most codes that the first parts leave open are given by one pair in a hundred between parts of 200,000 and a million
/// stones, and by hardly any before; from heap 2²² to 2²³ it took 4.8 s, and 16.3 s without far rows.
pub const FAR_ROW_STEP: usize = 8;
/// A row beyond [`MAX_PART_IN_ROWS`] answers at least one open code in this many.
pub const OPEN_PER_FAR_ANSWER: usize = 64;
/// Blocks of heaps for whose open codes rows are chosen.
pub const ROW_SAMPLE_BLOCKS: usize = 8;
/// Heaps whose open codes are compared with the rows together. With 64, where hardly any code is left after some rows and each
/// row costs something to begin with, 0.6 and Grundy's game took 9 % longer to prove; with 256 and 1024 as long.
pub const HEAPS_PER_ROW_PASS: usize = 512;
/// The pairs among which an open code is looked up first; most are found there. With twice as many 0.106 took a quarter longer.
pub const FIRST_PAIRS: usize = 4 * LANES;

// When to learn again: what the plans leave to be looked up, in nanoseconds, and how many heaps to learn from.

/// What a heap of a search may cost without being unusual, in nanoseconds: one in a hundred may need a look at all its options.
pub const USUAL_SEARCH_COST: u64 = 10;
/// What a heap of a proof may cost without being unusual: whatever is looked up of its rare codes.
pub const USUAL_PROOF_COST: u64 = u64::MAX;
/// The least cost of learning a plan, in nanoseconds.
pub const MIN_LEARNING_COST: u64 = 1 << 19;
/// What a code that is looked up by itself costs besides the pairs. Look-ups take 0.6 of what is counted
/// (`sparse/measurements.rs`).
pub const LOOK_UP_COST: u64 = 100;
/// Pairs that a look-up compares in a nanosecond.
pub const PAIRS_PER_NANOSECOND: u64 = 16;
/// What a heap costs whose codes are looked up together.
pub const JOINT_LOOK_UP_COST: u64 = 50;
/// What a code costs that is compared with rows.
pub const OPEN_CODE_COST: u64 = 5;
/// A better space is looked for below this heap.
pub const MAX_HEAPS_FOR_NEW_SPACE: usize = 1 << 22;
/// Heaps found before the planes that the last ones need are counted again, where there is no order to learn.
pub const HEAPS_PER_PLANE_COUNT: u64 = 1 << 16;
/// While no new rare heap is found, [`HEAPS_PER_PLANE_COUNT`] doubles each time the planes are counted, at most this many times.
pub const MAX_PLANE_COUNT_DOUBLINGS: u32 = 6;
/// Where heaps are forgotten, this many last ones are enough to learn from.
pub const MIN_WINDOW_TO_LEARN: usize = 1 << 14;

// Orders: the sample they are learnt from.

/// Blocks of the sample that an order is learnt from. Twice as many are taken from [`LARGE_SAMPLE_FROM`] heaps on: then 0.6
/// takes 4 % less time to prove and 2 % less to find, but an order twice as long to learn. With twice as many throughout, games
/// to a few million heaps took a tenth longer; with half as many 0.142 and 0.744 took 5 to 6 % less time so far, 0.6 and 0.374
/// 1 % more, and to 2·10^7 heaps 0.142 took 2 % less and 0.6 as long.
pub const ORDER_SAMPLE_BLOCKS: usize = 8;
/// From so many heaps on a sample has twice [`ORDER_SAMPLE_BLOCKS`].
pub const LARGE_SAMPLE_FROM: usize = 1 << 17;
/// Blocks of another sample, on which the heaps that an order leaves open are counted.
pub const COUNTED_BLOCKS: usize = 16;
/// The heaps left open are counted after each of the first entries, then more and more seldom: after one more in this many.
pub const ENTRIES_PER_COUNT: usize = 32;
/// Entries from which one is chosen: those that fill most holes at first, this many for each to be chosen.
pub const TRIED_PER_CHOICE: usize = 2;
/// At least one in this many of all entries is tried.
pub const TRIED_SHARE: usize = 3;
/// How many blocks are enough to choose by while nearly all codes are open.
pub const PRESELECTION_BLOCKS: usize = 2;
/// [`PRESELECTION_BLOCKS`] are used while an entry fills a hole in this many heaps of a block.
pub const PRESELECTION_GAIN: f32 = 8.0;
