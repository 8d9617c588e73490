//! The rare heaps of a sequence, by the sparse space that makes the fewest of them rare.

use super::Sequence;
use crate::engine::octal::Octal;
use crate::engine::sparse_space::SparseSpace;
use crate::engine::table::Table;
use crate::error::Error;

/// The most first values that are looked at for a sparse space.
pub(super) const VALUES_FOR_SPACE: u64 = 1 << 17;

/// How many values show whether a game has such a space at all: in games without one, further values are slow to compute.
const VALUES_FOR_SIGNS: u64 = 1 << 14;

/// At most one heap in this many is rare by a space that is shown.
const SHARE: usize = 4;

/// The rare heaps before some heap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rares {
    /// Which values are rare.
    pub space: SparseSpace,
    /// How many rare heaps there are, heap 0 included if it is one.
    pub count: u64,
    /// The last rare heap.
    pub last: Option<u64>,
}

impl Rares {
    fn none(space: SparseSpace) -> Rares {
        Rares {
            space,
            count: 0,
            last: None,
        }
    }
}

impl Sequence {
    /// The sparse space that the values up to heap `last` show, of which at most the first 2^17 are looked at. `None` if these
    /// are not all known, if more than a quarter of the heaps or none at all would be rare, and for every game other than those
    /// whose moves leave two heaps at most, and some of them two.
    pub fn sparse_space(&self, last: u64) -> Option<SparseSpace> {
        let octal = Octal::breaking(&self.ruleset)?;
        let values = self
            .values()
            .first(last.saturating_add(1).min(VALUES_FOR_SPACE))?;
        let (space, rare) = SparseSpace::discover(&values, 0, &octal.breaks, SHARE)?;
        (rare > 0).then_some(space)
    }

    /// Like [`Sequence::sparse_space`], by the values up to heap `last` and as many more as show the space. Few values mislead,
    /// so more are computed, within a fraction of a second: Grundy's game shows its mask from about 30,000 values on. Where many
    /// of the first heaps are rare and few of the later ones, as in 0.244, the last half of the values shows the space.
    ///
    /// # Errors
    /// If the values to `last` are out of reach, or the work is stopped.
    pub fn learn_sparse_space(&mut self, last: u64) -> Result<Option<SparseSpace>, Error> {
        self.reach(last)?;
        if Octal::breaking(&self.ruleset).is_none() {
            return Ok(None);
        }
        let mut learnt = None;
        for values in [VALUES_FOR_SIGNS, VALUES_FOR_SPACE] {
            match self.reach(last.max(values - 1)) {
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                _ => learnt = self.sparse_space(self.last_known()),
            }
            if learnt.is_none() {
                break;
            }
        }
        let heaps = last.saturating_add(1);
        let learnt = learnt.or_else(|| {
            let known = heaps.min(self.computed()) as usize;
            space_of_last_half(&self.table, known, &Octal::breaking(&self.ruleset)?)
        });
        Ok(learnt.map(|space| match self.spaces(space, heaps).len() {
            1 => space,
            _ => self.rares(space, heaps).space,
        }))
    }

    /// The rare heaps below `heaps`, of which the values are in the table, by a space that the first values show. Of the bits
    /// that only later values have, its mask gets those that make the fewest heaps rare.
    pub(crate) fn rares(&self, space: SparseSpace, heaps: u64) -> Rares {
        let heaps = heaps.min(self.computed());
        let found = fewest_rares(&self.table, heaps as usize, &self.spaces(space, heaps));
        found.unwrap_or(Rares::none(space))
    }

    /// A space that the first values show, and the spaces that differ from it in the bits that only later values, below heap
    /// `heaps`, have.
    fn spaces(&self, space: SparseSpace, heaps: u64) -> Vec<SparseSpace> {
        let (values, heaps) = (self.values(), heaps.min(self.computed()));
        let largest = |heaps: u64| {
            let last = heaps.checked_sub(1)?;
            u16::try_from(values.largest((0, last)).0).ok()
        };
        match (largest(heaps.min(VALUES_FOR_SPACE)), largest(heaps)) {
            (Some(seen), Some(largest)) => space.with_bits_between(seen, largest),
            _ => vec![space],
        }
    }
}

/// The space that the last half of the first values of a table shows, if there are more than [`VALUES_FOR_SPACE`].
fn space_of_last_half(table: &Table, heaps: usize, octal: &Octal) -> Option<SparseSpace> {
    if heaps as u64 <= VALUES_FOR_SPACE {
        return None;
    }
    let from = heaps / 2;
    let mut values = vec![0; heaps - from];
    table.copy_range(from, &mut values);
    SparseSpace::discover(&values, from, &octal.breaks, SHARE).map(|(space, _)| space)
}

/// The first heaps of a table that are rare by the space that makes the fewest of them rare.
fn fewest_rares(table: &Table, heaps: usize, spaces: &[SparseSpace]) -> Option<Rares> {
    let mut found: Vec<Rares> = spaces.iter().copied().map(Rares::none).collect();
    let mut values = [0; 1 << 12];
    for from in (0..heaps).step_by(values.len()) {
        let values = &mut values[..(heaps - from).min(1 << 12)];
        table.copy_range(from, values);
        for rares in &mut found {
            for (heap, &value) in (from..).zip(&*values) {
                if rares.space.is_rare(value, heap) {
                    rares.count += 1;
                    rares.last = Some(heap as u64);
                }
            }
        }
    }
    found.into_iter().min_by_key(|rares| rares.count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Effort;
    use crate::engine::octal::Two;

    #[test]
    fn a_bit_that_later_values_have_is_in_the_mask_where_fewer_heaps_are_rare_so() {
        let mut sequence = Sequence::new("0.106".parse().unwrap());
        sequence.reach(4000).unwrap();
        let space = sequence.sparse_space(4000).unwrap();
        let mut values: Vec<u16> = (0..4000).map(|heap| sequence.table().value(heap)).collect();
        let most = *values.iter().max().unwrap();
        // A value of one bit more, twice: rare by the mask learnt, common by that with the bit.
        let bit = most.next_power_of_two();
        let late = (bit..2 * bit)
            .find(|&late| space.is_rare(late, 3000))
            .unwrap();
        (values[3000], values[3500]) = (late, late);
        let spaces = space.with_bits_between(most, late);
        assert_eq!(
            spaces,
            [
                space,
                SparseSpace::by_mask(space.mask() | bit, space.alternating(), &[(3, Two::Any)])
                    .unwrap()
            ]
        );
        let table = Table::from(values);
        let by_mask_learnt = fewest_rares(&table, 4000, &spaces[..1]).unwrap();
        let fewest = fewest_rares(&table, 4000, &spaces).unwrap();
        assert_eq!(
            (by_mask_learnt.count, by_mask_learnt.last),
            (17, Some(3500))
        );
        assert_eq!((fewest.count, fewest.last), (15, Some(1103)));
        // Where as many are rare with the bit as without, the mask learnt stays.
        assert_eq!(space.with_bits_between(most, most), [space]);
        assert_eq!(fewest_rares(&table, 3000, &spaces).unwrap().space, space);
    }

    #[test]
    fn the_last_half_shows_what_many_rare_heaps_at_the_beginning_hide() {
        let mut sequence = Sequence::new("0.106".parse().unwrap());
        let heaps = VALUES_FOR_SPACE * 5 / 4;
        sequence.reach(heaps - 1).unwrap();
        let space = sequence.sparse_space(heaps - 1).unwrap();
        // The first half is as if every value below 32 were as frequent as any other.
        let value = |heap| match heap < heaps / 2 {
            true => (heap / 2 % 32) as u16,
            false => sequence.table().value(heap as usize),
        };
        let table = Table::from((0..heaps).map(value).collect::<Vec<u16>>());
        let mut sequence = Sequence::resume("0.106".parse().unwrap(), table, Effort::default());
        assert_eq!(sequence.sparse_space(heaps - 1), None);
        assert_eq!(sequence.learn_sparse_space(heaps - 1).unwrap(), Some(space));
    }
}
