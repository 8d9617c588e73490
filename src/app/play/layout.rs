//! Where the piles of a position lie on the table: a pile keeps its place as long as it is there, and the parts of a
//! pile lie where it lay.

use crate::position::Move;

/// For each place on the table, the index of its pile in the position; `None` once nothing is left of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout(Vec<Option<usize>>);

impl Layout {
    /// The piles in their order.
    pub fn new(piles: usize) -> Layout {
        Layout((0..piles).map(Some).collect())
    }

    /// The places with the indices of their piles, the empty ones left out.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().copied().flatten()
    }

    /// The layout after a move from a position of so many piles to one of `piles` piles.
    pub fn after(&self, before: &[u64], found: &Move, piles: usize) -> Layout {
        let as_before = || match piles == before.len() {
            true => self.clone(),
            false => Layout::new(piles),
        };
        let Some((index, _, leave)) = found.change.in_pile() else {
            return as_before();
        };
        let others = before[..index].iter().chain(&before[index + 1..]);
        let moved_to_the_end = others.chain(leave).eq(&found.position[..piles]);
        if !moved_to_the_end {
            return as_before();
        }
        let first_part = before.len() - 1;
        let mut places = Vec::with_capacity(self.0.len() + leave.len());
        for place in &self.0 {
            match place {
                Some(at) if *at == index && leave.is_empty() => places.push(None),
                Some(at) if *at == index => {
                    places.extend((first_part..first_part + leave.len()).map(Some));
                }
                Some(at) if *at > index => places.push(Some(at - 1)),
                place => places.push(*place),
            }
        }
        Layout(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pile_keeps_its_place_and_its_parts_lie_there() {
        let shown = |layout: &Layout, position: &[u64]| -> Vec<u64> {
            layout.places().map(|at| position[at]).collect()
        };
        let piles = [7, 8, 9];
        let split = Move::in_pile(&piles, 1, 0, vec![3, 5]);
        let layout = Layout::new(3).after(&piles, &split, 4);
        assert_eq!(split.position, [7, 9, 3, 5]);
        assert_eq!(shown(&layout, &split.position), [7, 3, 5, 9]);
        let taken = Move::in_pile(&split.position, 0, 7, vec![]);
        let layout = layout.after(&split.position, &taken, 3);
        assert_eq!(shown(&layout, &taken.position), [3, 5, 9]);
        let less = Move::in_pile(&taken.position, 0, 1, vec![8]);
        let layout = layout.after(&taken.position, &less, 3);
        assert_eq!(shown(&layout, &less.position), [3, 5, 8]);
    }
}
