//! Numbers below 2^15 as two rows of bytes, the low seven bits and the upper eight: an instruction works on twice as many of them
//! as of numbers of two bytes.

use std::collections::TryReserveError;
use std::ops::Range;

/// How many bits the low half of a number has.
pub const LOW_BITS: u32 = 7;
/// A number is less than this.
pub const HALVES_END: usize = 1 << (LOW_BITS + u8::BITS);

/// The low seven bits of a number below 2^15, and the others. The halves of a XOR are the XOR of the halves.
pub const fn halves(number: u16) -> [u8; 2] {
    [(number % (1 << LOW_BITS)) as u8, (number >> LOW_BITS) as u8]
}

/// The number of these halves.
pub const fn number(low: u8, high: u8) -> u16 {
    (high as u16) << LOW_BITS | low as u16
}

/// The halves of some numbers.
#[derive(Clone, Default)]
pub struct Halves {
    low: Vec<u8>,
    high: Vec<u8>,
}

impl Halves {
    /// So many numbers that are 0.
    pub fn zeros(count: usize) -> Self {
        Self {
            low: vec![0; count],
            high: vec![0; count],
        }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Appends numbers. A number that is not below 2^15 loses its highest bit.
    pub fn extend(&mut self, numbers: &[u16]) -> Result<(), TryReserveError> {
        self.low.try_reserve(numbers.len())?;
        self.high.try_reserve(numbers.len())?;
        for &number in numbers {
            let [low, high] = halves(number);
            self.low.push(low);
            self.high.push(high);
        }
        Ok(())
    }

    /// The rows of the low halves and of the high ones.
    pub fn rows_mut(&mut self) -> [&mut [u8]; 2] {
        [&mut self.low, &mut self.high]
    }

    /// Some of these numbers.
    pub fn of(&self, places: Range<usize>) -> HalvesOf<'_> {
        HalvesOf {
            low: &self.low[places.clone()],
            high: &self.high[places],
        }
    }
}

/// The halves of neighbouring numbers, as many low ones as high ones.
#[derive(Clone, Copy)]
pub struct HalvesOf<'a> {
    low: &'a [u8],
    high: &'a [u8],
}

/// The halves of 64 neighbouring numbers.
pub type Block<'a> = [&'a [u8; 64]; 2];

impl<'a> HalvesOf<'a> {
    /// How many numbers there are.
    pub fn len(self) -> usize {
        self.low.len()
    }

    /// These numbers, the last one first.
    pub fn reversed(self) -> Halves {
        let reversed = |row: &[u8]| row.iter().rev().copied().collect();
        Halves {
            low: reversed(self.low),
            high: reversed(self.high),
        }
    }

    /// The numbers in blocks, and what is left.
    pub fn blocks(self) -> (impl Iterator<Item = Block<'a>>, Self) {
        let ((low, low_rest), (high, high_rest)) = (self.low.as_chunks(), self.high.as_chunks());
        let blocks = low.iter().zip(high).map(|(low, high)| [low, high]);
        let rest = Self {
            low: low_rest,
            high: high_rest,
        };
        (blocks, rest)
    }

    /// The numbers.
    pub fn numbers(self) -> impl Iterator<Item = u16> + use<'a> {
        let halves = self.low.iter().zip(self.high);
        halves.map(|(&low, &high)| number(low, high))
    }
}
