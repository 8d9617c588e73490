//! When an order of options is worth learning anew.

/// When to learn a list anew: once what it leaves open has cost as much as learning does, as whoever rents skis buys
/// them: then both together are never more than twice the least possible. Where learning brings nothing, since no rare
/// heaps are new, twice as much is waited for each time, unless the last heaps have cost more than usual.
#[derive(Clone, Copy, Debug)]
pub struct Toll {
    /// Nanoseconds, about.
    paid: u64,
    /// So many heaps were paid for.
    pub heaps: u64,
    /// What a heap may cost on the way.
    usual: u64,
    price: u64,
    pub patience: u32,
    /// How many rare heaps were known when the list was learnt.
    rares: usize,
}

impl Toll {
    pub const fn new(usual: u64) -> Self {
        Self {
            paid: 0,
            heaps: 0,
            usual,
            price: LEAST_PRICE,
            patience: 0,
            rares: 0,
        }
    }

    pub fn pay(&mut self, nanoseconds: u64, heaps: usize) {
        self.paid += nanoseconds;
        self.heaps += heaps as u64;
    }

    pub fn is_due(self) -> bool {
        let unusual = self.paid > self.heaps.saturating_mul(self.usual);
        self.paid >= self.price && (unusual || self.paid >= self.price << self.patience)
    }

    /// The list is learnt, with so many rare heaps; to do so again costs so much.
    pub fn learnt(&mut self, rares: usize, price: u64) {
        self.patience = if rares == self.rares {
            (self.patience + 1).min(20)
        } else {
            0
        };
        (self.paid, self.heaps, self.rares) = (0, 0, rares);
        self.price = price.max(LEAST_PRICE);
    }
}

/// No list is cheaper to learn, in nanoseconds.
const LEAST_PRICE: u64 = 1 << 19;
