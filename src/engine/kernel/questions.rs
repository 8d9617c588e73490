//! What is asked: whether a heap has an option with a code.
//!
//! What is open comes as bits, some of a heap or none, and nobody can foretell where: so it is gathered a heap at a time and
//! turned into questions round by round, with few branches. To pick out one bit after another took two fifths of the time
//! of 0.106 in lanes (Zen 5).

use super::LANES;
use super::lists::{append, retain};

/// What is open: a code of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    offset: u32,
    // Four times, so that it goes from memory to every lane in one step.
    codes: u32,
}

impl Question {
    /// Whether the heap that lies so far behind the first one has an option with this code.
    ///
    /// # Panics
    /// If it lies 2³² or more behind it.
    #[inline(always)]
    pub fn new(offset: usize, code: u8) -> Self {
        Self {
            offset: u32::try_from(offset).expect("heaps near one another"),
            codes: u32::from_le_bytes([code; 4]),
        }
    }

    /// How far the heap lies behind the first one.
    #[inline(always)]
    pub fn offset(self) -> usize {
        self.offset as usize
    }

    /// The code.
    #[inline(always)]
    pub fn code(self) -> u8 {
        self.codes as u8
    }

    /// The code four times.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn codes(self) -> u32 {
        self.codes
    }
}

/// Up to 64 codes of a heap, from the first one on.
#[derive(Clone, Copy)]
struct Some64 {
    offset: u32,
    first: u32,
    codes: u64,
}

/// What is open and not asked yet.
pub struct Unasked(Vec<Some64>);

/// Lanes looked at between two branches.
const AT_ONCE: usize = 4;

impl Unasked {
    /// None.
    pub const NONE: Self = Self(Vec::new());

    /// Adds the codes of some lanes, a bit each from the first one on: where the heap lies behind the first one, and which they are, at
    /// least one. It may be asked for another lane, and forgets what it hears.
    ///
    /// # Panics
    /// If a heap lies 2³² or more behind the first one.
    #[inline(always)]
    pub fn add(&mut self, lanes: u64, first: u8, codes_of: impl Fn(usize) -> (usize, u64)) {
        append(&mut self.0, LANES + 1, |all| {
            let mut lanes = lanes;
            while lanes != 0 {
                for _ in 0..AT_ONCE {
                    let (offset, codes) = codes_of(lanes.trailing_zeros() as usize % LANES);
                    let some = Some64 {
                        offset: u32::try_from(offset).expect("heaps near one another"),
                        first: u32::from(first),
                        codes,
                    };
                    all.push_if(some, lanes != 0);
                    lanes &= lanes.wrapping_sub(1);
                }
            }
        });
    }

    /// Asks for all.
    pub fn ask(&mut self, asked: &mut Vec<Question>) {
        let all = &mut self.0;
        while !all.is_empty() {
            let least = |some: &Some64| {
                let code = some.first + some.codes.trailing_zeros();
                Question::new(some.offset as usize, code as u8)
            };
            asked.extend(all.iter().map(least));
            all.iter_mut().for_each(|some| some.codes &= some.codes - 1);
            retain(all, |some| some.codes != 0);
        }
    }
}
