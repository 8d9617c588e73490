//! The price of the sets, learnt from the sets of the first heaps.
//!
//! From some heap on twice as many heaps cost about four times as much, for all pairs of heaps are gone through; more as
//! long as the sets grow, less where they are full and most unions cut short. Twice as many heaps again are taken to cost
//! as much more as the last doubling did, but no less than four times.

/// Beyond this many steps the known heaps tell the price; making those heaps takes a second at most.
pub const STEPS_TO_LEARN: u64 = 100_000_000;
/// The number of first heaps from which the price is learnt at the beginning.
pub const HEAPS_LEARNT_FROM: u64 = 64;

/// The steps that some first heaps took, and those that about half as many took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Price {
    known: (u64, u64),
    before: (u64, u64),
}

impl Price {
    /// Records how many steps this many heaps took.
    pub fn learn(&mut self, heaps: u64, steps: u64) {
        if heaps >= 2 * self.known.0 {
            self.before = std::mem::replace(&mut self.known, (heaps, steps));
        }
    }

    /// The steps of a table up to `heap`.
    pub fn steps(&self, heap: u64) -> u128 {
        let ((heaps, steps), (_, half)) = (self.known, self.before);
        let growth = u128::from(steps).checked_div(half.into()).unwrap_or(8);
        let growth = growth.clamp(4, 16);
        let (mut reached, mut total) = (u128::from(heaps.max(1)), u128::from(steps.max(1)));
        let to = u128::from(heap) + 1;
        while 2 * reached <= to {
            (reached, total) = (2 * reached, total.saturating_mul(growth));
        }
        // Between two doublings the cost is taken to grow linearly.
        let part = to.saturating_sub(reached);
        let more = total.saturating_mul(growth - 1).saturating_mul(part) / reached;
        total.saturating_add(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_grows_by_four_or_as_it_did() {
        let mut price = Price::default();
        price.learn(64, 1000);
        price.learn(100, 5000);
        price.learn(128, 8000);
        assert_eq!(price.steps(127), 8000);
        assert_eq!(price.steps(255), 64_000);
        assert_eq!(price.steps(191), 36_000);
        price.learn(256, 9000);
        assert_eq!(price.steps(511), 36_000);
        let steps: Vec<u128> = (8..64).map(|k| price.steps(1 << k)).collect();
        assert!(steps.is_sorted() && price.steps(u64::MAX) >= steps[55]);
    }
}
