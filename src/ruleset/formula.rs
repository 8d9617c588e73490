//! Proved formulas for the nim-values of games that have no code.

/// A game whose nim-values have a proved formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// Take up to half: the value of an even heap n is n/2, and that of an odd heap n is the value of (n-1)/2.
    UpToHalf,
    /// Take half: the exponent of 2 in n, modulo 2, because an even heap has the single option n/2 and an odd one has none.
    Half,
    /// Take a proper divisor: the exponent of 2 in n. For a divisor d of n has a smaller exponent than n - d unless n/d is even,
    /// and then n - d has the exponent of d.
    ProperDivisor,
    /// Take a divisor, perhaps all: one more than the exponent of 2 in n, for the same reason.
    Divisor,
    /// A head of Mock Turtles: the n-th number with an odd number of binary 1s.
    Odious,
    /// A head of Ruler: the largest power of 2 that divides n.
    PowerOf2,
    /// A head of Twins: n - 1.
    OneLess,
}

impl Formula {
    /// The nim-value of a heap.
    pub fn value(self, heap: u64) -> u128 {
        match (self, heap) {
            (_, 0) => 0,
            // Ones at the end of the binary number and the digit before them are dropped.
            (Formula::UpToHalf, heap) => {
                let ones = heap.trailing_ones();
                heap.checked_shr(ones + 1).unwrap_or(0).into()
            }
            (Formula::Half, heap) => u128::from(heap.trailing_zeros() % 2),
            (Formula::ProperDivisor, heap) => heap.trailing_zeros().into(),
            (Formula::Divisor, heap) => u128::from(heap.trailing_zeros()) + 1,
            // Just one of 2m and 2m + 1 has an odd number of ones.
            (Formula::Odious, heap) => {
                let half = u128::from(heap - 1);
                2 * half + u128::from(half.count_ones().is_multiple_of(2))
            }
            (Formula::PowerOf2, heap) => 1 << heap.trailing_zeros(),
            (Formula::OneLess, heap) => u128::from(heap) - 1,
        }
    }

    /// The largest nim-value of the heaps `from` to `to` and the first heap that has it, however many heaps there are.
    pub fn largest(self, (from, to): (u64, u64)) -> (u128, u64) {
        // The heap that the highest power of 2 divides, for exponents; the last even heap, for halves; the last heap, for what
        // grows; and the first four, one of which has the exponent 1.
        let top = from.saturating_sub(1) ^ to;
        let power = to & u64::MAX << top.checked_ilog2().unwrap_or(0);
        let first = from..=to.min(from.saturating_add(3));
        let others = [power, to & !1, to].into_iter();
        let heaps = first.chain(others.filter(|heap| (from..=to).contains(heap)));
        let mut values = heaps.map(|heap| (self.value(heap), heap));
        let begin = values.next().unwrap_or((0, from));
        values.fold(begin, |most, next| {
            let is_more = next.0 > most.0 || next.0 == most.0 && next.1 < most.1;
            if is_more { next } else { most }
        })
    }

    /// The formula in words, for a heap of n.
    pub fn words(self) -> &'static str {
        match self {
            Formula::UpToHalf => "g(n) = n/2 for even n, and g((n-1)/2) for odd n",
            Formula::Half => "g(n) is the exponent of 2 in n, modulo 2",
            Formula::ProperDivisor => "g(n) is the exponent of 2 in n",
            Formula::Divisor => "g(n) is one more than the exponent of 2 in n",
            Formula::Odious => {
                "g(n) is the n-th number with an odd number of binary 1s; there is no period, for g(n) - 2n follows the Thue-Morse sequence"
            }
            Formula::PowerOf2 => {
                "g(n) is the largest power of 2 that divides n; there is no period, for it is 1 for every odd n, yet unbounded"
            }
            Formula::OneLess => "g(n) = n - 1, which is period 1 with saltus 1 from pile 1 on",
        }
    }

    /// The heaps with the value v, from `largest` down to 1, for [`Formula::UpToHalf`]: (2v + 1) 2^k - 1.
    pub(super) fn halves(value: u64, largest: u64) -> impl Iterator<Item = u64> {
        let ks = (0..u64::BITS).rev();
        ks.filter_map(move |k| {
            let heap = (2 * u128::from(value) + 1).checked_mul(1 << k)? - 1;
            let heap = u64::try_from(heap).ok()?;
            (heap > 0 && heap <= largest).then_some(heap)
        })
    }
}
