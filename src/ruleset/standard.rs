//! The standard form of a take-and-break code: the one in which a heap of 1 is not dead.
//!
//! If a heap of 1 has no option, let every heap count for one less (Guy and Smith 1956; Berlekamp, Conway and Guy,
//! *Winning Ways*, vol. 1, ch. 4, on first cousins): a move from n that takes t and leaves k heaps becomes one from
//! n - 1 that takes t + k - 1, and leaves k heaps or, since heaps of 1 have become 0, fewer. So each leave to make k
//! heaps by taking t is one to make up to k by taking t + k - 1, and g(n) is the new game's g(n - 1). Repeated until
//! a heap of 1 has an option. Exact, and no computation of values.

use super::code::Code;
use super::digit::{Digit, Parts};

/// The most that every move may take where a standard form is looked for.
const MOST_SHIFT: usize = 1000;

impl Code {
    /// The standard form and by how much its heaps are smaller: g(n) is g(n - shift) of the standard form for
    /// n ≥ shift, and 0 for smaller heaps.
    ///
    /// `None` where the argument doesn't go through: a code without end, any number of heaps, or a condition on
    /// their sizes. `None` also if every move takes more than a thousand: such heaps would be made smaller more than a
    /// thousand times, each time in a walk over the code.
    pub fn standard_form(&self) -> Option<(Code, u64)> {
        let (digits, repeat) = self.written();
        let most = self.most_heaps().filter(|&most| most < 6 && repeat == 0)?;
        let mut leaves = Vec::new();
        for digit in digits {
            let mut bits = 0u64;
            for heaps in 0..=most {
                match digit.parts(heaps) {
                    None => {}
                    Some(Parts::Any) => bits |= 1 << heaps,
                    Some(_) => return None,
                }
            }
            leaves.push(bits);
        }
        if leaves.iter().all(|&bits| bits == 0) {
            return None;
        }
        if leaves.iter().take(MOST_SHIFT + 1).all(|&bits| bits == 0) {
            return None;
        }
        let mut shift = 0;
        while leaves.get(1).is_none_or(|bits| bits & 1 == 0) {
            leaves = smaller_by_one(&leaves, most as usize);
            shift += 1;
        }
        let any = |&bits: &u64| Digit::from_bits(bits, Parts::Any);
        Some((Code::new(leaves.iter().map(any).collect(), 0), shift))
    }
}

/// The leaves of the game whose heaps count for one less.
fn smaller_by_one(leaves: &[u64], most: usize) -> Vec<u64> {
    let mut smaller = vec![0; leaves.len() + most];
    for (take, bits) in leaves.iter().enumerate() {
        for heaps in (0..=most).filter(|heaps| bits >> heaps & 1 == 1) {
            // Taking nothing leaves two heaps at least, so the difference is never negative.
            smaller[take + heaps - 1] |= (2 << heaps) - 1;
        }
    }
    smaller
}
