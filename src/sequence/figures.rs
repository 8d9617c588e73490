//! The figures by which computations of a sparse game are compared, of a table and of a window alike.

use super::Sequence;
use super::rares::Rares;
use crate::engine::sparse::Depth;
use crate::engine::sparse_space::SparseSpace;
use crate::error::Error;
use crate::grundy::NimValue;

/// The figures of the values of a sparse game to some heap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figures {
    /// Which values are rare.
    pub space: SparseSpace,
    /// How many heaps from 1 on have a rare value.
    pub rare: u64,
    /// The last heap with a rare value.
    pub last_rare: Option<u64>,
    /// The largest value and the first heap that has it.
    pub largest: (NimValue, u64),
    /// How deep the pairs lie that proofs have needed; `None` if all values are known by a table, which doesn't show it.
    pub depth: Option<Depth>,
}

impl Sequence {
    /// The last heap of the figures that a window gives, which are always of all its values; 0 for a table.
    pub(crate) fn figures_from(&self) -> u64 {
        let search = self.bounded_search.as_ref();
        search.map_or(0, |search| search.known() - 1)
    }

    /// The figures of a window, if `to` is its last heap, else `None`; always `None` for a table, whose figures
    /// [`Sequence::learn_figures`] gives.
    pub(crate) fn figures(&self, to: u64) -> Option<Figures> {
        let window = self.bounded_search.as_ref()?.values();
        let (rare, largest) = (window.rares().len() as u64, window.largest());
        (to.checked_add(1) == Some(window.len())).then(|| Figures {
            space: window.space(),
            rare,
            last_rare: (rare > 0).then(|| window.last_rare()),
            largest: (largest.value.into(), largest.heap),
            depth: Some(window.depth()),
        })
    }

    /// The figures of the values of a table to heap `to`, for which it learns which values are rare; `None` if they show no
    /// sparse space.
    pub(crate) fn learn_figures(&mut self, to: u64) -> Result<Option<Figures>, Error> {
        let space = self.learn_sparse_space(to)?;
        Ok(space.map(|space| {
            let Rares { space, count, last } = self.rares(space, to.saturating_add(1));
            Figures {
                space,
                rare: count - u64::from(space.is_rare(0, 0)),
                last_rare: last.filter(|&last| last > 0),
                largest: self.values().largest((0, to)),
                depth: None,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Effort;

    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
    fn a_window_and_a_table_agree() {
        let effort = Effort::default().threads(1);
        for (game, to) in [
            ("0.106", 70_000),
            ("0.16", 70_000),
            ("0.054", 70_000),
            ("0.166", 70_000),
            ("grundy", 100_000),
            ("kayles", 70_000),
            ("0.364", 70_000),
            ("0.744", 70_000),
            ("0.565", 70_000),
            // Its first value of seven bits comes at pile 245,770.
            ("0.11174", 300_000),
        ] {
            let sequence = || Sequence::with_effort(game.parse().unwrap(), effort.clone());
            let (mut window, mut table) = (sequence(), sequence());
            window.keep_window().unwrap();
            window.fill(to).unwrap();
            table.fill(to).unwrap();
            let by_window = window.figures(to).unwrap();
            assert_eq!(by_window.depth.unwrap().from, 65_536);
            let without_depth = Figures {
                depth: None,
                ..by_window
            };
            let by_table = table.learn_figures(to).unwrap();
            assert_eq!(by_table, Some(without_depth), "{game}");
            assert_eq!((window.figures_from(), table.figures_from()), (to, 0));
            assert_eq!((window.figures(to - 1), table.figures(to)), (None, None));
        }
    }
}
