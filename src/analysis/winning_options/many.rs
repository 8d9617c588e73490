//! The splits of a number of stones into three heaps or more that have a wanted nim-sum, in lexicographic order.
//!
//! Part after part is chosen, smallest first, and the last two by what they must meet. While three parts or more are to follow,
//! one is chosen only where these can have the nim-sum that they must, by the sets of nim-sums that a number of stones in so many
//! heaps can have (`engine/partitions/splits.rs`).
//! Time for the first split into three heaps: n²/6 pairs of values at most, compared many at a time, or with a period what its
//! residues take; into more: that of the sets, n²/2 unions for each number of heaps. Twin: `ruleset::splits_of`, which tries all
//! splits.

use crate::engine::partitions::splits::Splits;
use crate::grundy::NimValue;
use crate::ruleset::Parts;
use crate::sequence::{Slope, Values};
use std::cell::RefCell;
use std::rc::Rc;

/// Beyond this many stones the sets would take more than a second, and parts are tried one after another; the first of the last
/// three where a period allows it.
const MOST_STONES: u64 = 1 << 12;

/// The nim-sums that a number of stones in a number of heaps can have; the sets are computed as far as they are asked for.
pub struct Guide<'v> {
    values: &'v Values,
    /// The most stones that will be asked for.
    stones: u64,
    memory: u64,
    sets: Option<(Vec<u16>, Splits)>,
    slope: Slope,
}

impl<'v> Guide<'v> {
    /// For heaps of these values, with at most so many stones and with this slope, and for sets that take `memory` bytes.
    pub fn new(
        values: &'v Values,
        (stones, slope): (u64, Slope),
        memory: u64,
    ) -> Rc<RefCell<Guide<'v>>> {
        Rc::new(RefCell::new(Guide {
            values,
            stones,
            memory,
            sets: None,
            slope,
        }))
    }

    /// Whether `stones` in `heaps` heaps of any sizes, three or more, may have the nim-sum. It is exact, unless that costs too
    /// much.
    fn allows(&mut self, heaps: u64, stones: u64, nim_sum: NimValue) -> bool {
        if self.stones > MOST_STONES {
            return true;
        }
        if self.sets.is_none() {
            let value = |heap| u16::try_from(self.values.value(heap)).ok();
            let values: Option<Vec<u16>> = (0..self.stones).map(value).collect();
            self.sets = values.map(|values| (values, Splits::new(Parts::Any, 1, Vec::new())));
        }
        let Some((values, splits)) = &mut self.sets else {
            return true;
        };
        let heaps = heaps as usize;
        while splits.most() < heaps {
            if splits.bytes() > self.memory || splits.raise(values).is_err() {
                return true;
            }
        }
        usize::try_from(nim_sum).is_ok_and(|sum| splits.reaches(heaps, stones as usize, sum))
    }
}

/// The search for the splits, which gives one after another.
pub struct Search<'v> {
    guide: Rc<RefCell<Guide<'v>>>,
    values: &'v Values,
    comparison: Parts,
    heaps: u64,
    /// The parts chosen, ascending.
    parts: Vec<u64>,
    /// For each part, and before the first, the stones left and the nim-sum that they must have; nothing when the search is over.
    left: Vec<(u64, NimValue)>,
    /// The next part to try.
    part: u64,
    /// The last two parts of the splits that begin with the parts chosen.
    pairs: Option<Box<dyn Iterator<Item = (u64, u64)> + Send + 'v>>,
}

impl<'v> Search<'v> {
    /// The splits of `stones` into `heaps` heaps, three or more.
    pub fn new(
        guide: Rc<RefCell<Guide<'v>>>,
        heaps: u64,
        stones: u64,
        comparison: Parts,
        nim_sum: NimValue,
    ) -> Search<'v> {
        let values = guide.borrow().values;
        let may_be = guide.borrow().slope.allows(stones, nim_sum);
        Search {
            guide,
            values,
            comparison,
            heaps,
            parts: Vec::new(),
            left: may_be.then_some((stones, nim_sum)).into_iter().collect(),
            part: 1,
            pairs: None,
        }
    }

    /// How many stones larger than a part the next part must be.
    fn gap(&self) -> u64 {
        u64::from(self.comparison == Parts::Unequal)
    }

    /// The split that ends in these two parts, if they may follow the parts chosen.
    fn ending_in(&self, (small, large): (u64, u64)) -> Option<Vec<u64>> {
        let last = self.parts.last().map_or(1, |part| part + self.gap());
        let fits = match self.comparison {
            Parts::Any => true,
            Parts::Unequal => small < large,
            Parts::NotAllEqual => self.parts[0] < large,
            Parts::Equal => self.parts[0] == large,
        };
        let parts = || self.parts.iter().copied().chain([small, large]).collect();
        (small >= last && fits).then(parts)
    }
}

impl Iterator for Search<'_> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        loop {
            while let Some(pair) = self.pairs.as_mut().and_then(Iterator::next) {
                if let Some(found) = self.ending_in(pair) {
                    return Some(found);
                }
            }
            if self.pairs.take().is_some() {
                self.left.pop();
                self.part = self.parts.pop()? + 1;
            }
            let &(stones, nim_sum) = self.left.last()?;
            let heaps = self.heaps - self.parts.len() as u64;
            if heaps == 3 && self.guide.borrow().stones > MOST_STONES {
                let least = self.values.least_of_three(stones, nim_sum, self.part);
                self.part = least.unwrap_or(u64::MAX);
            }
            if self.part > stones / heaps {
                self.left.pop();
                self.part = self.parts.pop()? + 1;
                continue;
            }
            let (rest, sum) = (stones - self.part, nim_sum ^ self.values.value(self.part));
            if heaps > 3 && !self.guide.borrow_mut().allows(heaps - 1, rest, sum) {
                self.part += 1;
                continue;
            }
            self.parts.push(self.part);
            self.left.push((rest, sum));
            self.part += self.gap();
            if heaps == 3 {
                self.pairs = Some(self.values.splits(rest, sum, Parts::Any));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::HeapGame;
    use crate::ruleset::{Ruleset, splits_of};

    /// By the sets, and beyond them by periods with and without a saltus, or by none.
    #[test]
    fn splits_are_those_with_the_nim_sum() {
        for game in [
            "0.8",
            "0.3F",
            "0.F",
            "0.28",
            "kayles",
            "couples-are-forever",
        ] {
            let heaps = HeapGame::new(game.parse::<Ruleset>().unwrap());
            let far = match game {
                "couples-are-forever" => 100,
                _ => 1_000_000_000_000,
            };
            let values = heaps.values(far).unwrap();
            for comparison in [Parts::Any, Parts::Unequal, Parts::NotAllEqual] {
                for (sum, count) in [(11, 3), (40, 3), (53, 3), (24, 4), (25, 5)] {
                    let slopes = [(u64::MAX, values.slope(far)), (sum, values.slope(sum))];
                    for (target, slope) in (0..20).flat_map(|it| slopes.map(|slope| (it, slope))) {
                        let guide = Guide::new(&values, slope, 1 << 20);
                        let found = Search::new(guide, count, sum, comparison, target);
                        let nim_sum = |split: &Vec<u64>| {
                            split.iter().fold(0, |sum, &part| sum ^ values.value(part))
                        };
                        let wanted = splits_of(sum, count, comparison)
                            .filter(|split| nim_sum(split) == target);
                        assert!(
                            found.eq(wanted),
                            "{game}: {sum} in {count}, {comparison:?}, {target}"
                        );
                    }
                }
            }
        }
    }
}
