//! The price of a table by pairs, in steps: counted before the table is made, and rather too high than too low.
//!
//! A step is sixteen pairs: n²/64 steps for each move that splits. Where few heaps are rare, the pairs
//! with a rare part do (`by_classes.rs`), and the first values tell how many heaps are: the same number again among twice as
//! many heaps, or more where the last doubling brought more than the one before. The steps follow from the game and its
//! first values alone, not from the machine; what they take is said in `tuning.rs`.

use super::by_classes::ByClasses;
use super::tuning::{
    HEAPS_PER_PRICED_RARE, LEARNT_BEYOND, MOST_LEARNT, PAIRS_PER_STEP, RARES_PER_STEP,
    STEPS_BESIDES_RARES,
};
use crate::engine::octal::Octal;

/// The price of a table by all pairs or, where the first values show rare heaps, by the pairs with a rare part.
pub struct Price {
    /// The moves that split a heap.
    moves: u128,
    rares: Option<Rares>,
}

/// The rare heaps among the first ones.
struct Rares {
    among: u128,
    count: u128,
    /// How many rare heaps lie in the last half of these heaps, and how many in the quarter before it.
    last: u128,
    before: u128,
}

impl Price {
    /// The price of a table by all pairs.
    pub fn of_all(game: &Octal) -> Price {
        Price {
            moves: game.breaks.len() as u128,
            rares: None,
        }
    }

    /// The price of a table as these first values show it.
    pub fn learnt(game: &Octal, values: &[u16]) -> Price {
        let rares = ByClasses::discover(game, values, HEAPS_PER_PRICED_RARE).map(|classes| {
            let below = |heaps: usize| classes.rare_below(heaps) as u128;
            let [all, half, quarter] = [1, 2, 4].map(|part| below(values.len() / part));
            Rares {
                among: values.len() as u128,
                count: all,
                // New rare heaps come late where none have been seen for long.
                last: (all - half).max(all / 32),
                before: half - quarter,
            }
        });
        Price {
            rares,
            ..Price::of_all(game)
        }
    }

    /// How many of the first values tell the price of a table to `heap`; 0 if no values are needed for it.
    pub fn learnt_from(&self, heap: u64) -> u64 {
        if self.all_pairs(heap.into()) <= LEARNT_BEYOND {
            return 0;
        }
        let mut values = MOST_LEARNT;
        while self.all_pairs(values.into()) > LEARNT_BEYOND {
            values /= 2;
        }
        values
    }

    /// The steps of a table up to `heap`.
    pub fn steps(&self, heap: u64) -> u128 {
        let to = u128::from(heap) + 1;
        let all = self.all_pairs(to);
        let Some(rares) = self.rares.as_ref().filter(|_| all > LEARNT_BEYOND) else {
            return all;
        };
        let mut steps = self.all_pairs(rares.among.min(to));
        let (mut from, mut count, mut new) = (rares.among, rares.count, rares.last);
        while from < to {
            let end = to.min(2 * from);
            count += new;
            let by_rares = ((end - from) * self.moves)
                .saturating_mul(count / RARES_PER_STEP + STEPS_BESIDES_RARES);
            let by_pairs = self.all_pairs(end) - self.all_pairs(from);
            steps = steps.saturating_add(by_rares.min(by_pairs));
            new = (new * rares.last / rares.before.max(1)).clamp(new, 2 * new);
            from = end;
        }
        // The price is never below that of a table for which all pairs are counted.
        steps.max(LEARNT_BEYOND)
    }

    /// The steps of a table of this many heaps by all pairs: one for each heap, and those of its pairs.
    fn all_pairs(&self, heaps: u128) -> u128 {
        heaps.saturating_add((self.moves * heaps).saturating_mul(heaps) / (4 * PAIRS_PER_STEP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::first_values::first_values;

    fn price(code: &str, values: usize) -> (Octal, Price, Price) {
        let (game, values) = first_values(code, values - 1);
        let learnt = Price::learnt(&game, &values);
        let all = Price::of_all(&game);
        (game, all, learnt)
    }

    #[test]
    fn a_price_grows_with_the_heap_and_rare_heaps_lower_it() {
        for (code, few) in [("0.744", true), ("0.142", true), ("0.026", false)] {
            let (_, all, learnt) = price(code, 4096);
            let (mut before, mut lower) = (0, false);
            for heap in (0..40).flat_map(|k| [2 << k, 3 << k]).map(|n| n * 997) {
                let steps = learnt.steps(heap);
                assert!(steps <= all.steps(heap), "{code} to {heap}");
                assert!(steps >= before, "{code} to {heap}");
                lower |= 4 * steps < all.steps(heap);
                before = steps.max(before);
            }
            assert_eq!(lower, few, "{code}");
        }
    }

    #[test]
    fn a_million_values_of_any_code_of_three_digits_cost_less_than_is_allowed() {
        let allowed = u128::from(crate::engine::Effort::default().steps);
        for code in (0..512).map(|digits| format!("0.{digits:03o}")) {
            let Some(game) = Octal::breaking(&code.parse().unwrap()) else {
                continue;
            };
            assert!(Price::of_all(&game).steps(1_000_000) <= allowed, "{code}");
            assert!(Price::of_all(&game).steps(10_000_000) > allowed, "{code}");
        }
    }

    #[test]
    fn learning_costs_less_than_what_it_decides() {
        for code in ["0.7", "0.77", "0.7777777777", "4.7777777777"] {
            let game = Octal::breaking(&code.parse().unwrap()).unwrap();
            let price = Price::of_all(&game);
            for heap in (0..64).map(|k| 1 << k) {
                let values = price.learnt_from(heap);
                assert!(values <= heap, "{code} to {heap}");
                assert!(price.all_pairs(values.into()) <= LEARNT_BEYOND, "{code}");
                assert_eq!(
                    values > 0,
                    price.steps(heap) > LEARNT_BEYOND,
                    "{code} to {heap}"
                );
            }
        }
    }
}
