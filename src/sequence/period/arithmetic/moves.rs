//! The moves of a code in the form in which the hypotheses need them.

use crate::ruleset::{Code, Parts};

/// The moves of a code.
pub struct Moves {
    /// For each move the stones that it takes and the heaps that it leaves, one at least, and how these must compare.
    pub moves: Vec<(usize, usize, Parts)>,
    /// The moves by the repeating digit, if there is one.
    pub tail: Option<Tail>,
    /// The most heaps that a move leaves.
    pub heaps: usize,
    /// The most stones taken by a digit that doesn't repeat.
    pub most_taken: usize,
}

/// The moves that take `from` stones, or any number more; they may leave one heap, and perhaps more.
pub struct Tail {
    pub from: usize,
    pub counts: Vec<usize>,
    pub whole: bool,
}

impl Moves {
    pub fn of(code: &Code) -> Option<Moves> {
        let (digits, repeat) = code.written();
        let heaps = usize::try_from(code.most_heaps()?).ok()?;
        let written = digits.len() - repeat;
        let mut moves = Vec::new();
        for (taken, digit) in digits[..written].iter().enumerate() {
            for count in 1..=heaps {
                if let Some(parts) = digit.parts(count as u64) {
                    moves.push((taken, count, parts));
                }
            }
        }
        let tail = match &digits[written..] {
            [] => None,
            [digit] if digit.parts(1).is_some() => Some(Tail {
                from: written,
                counts: (1..=heaps)
                    .filter(|&count| digit.parts(count as u64).is_some())
                    .collect(),
                whole: digit.parts(0).is_some(),
            }),
            _ => return None,
        };
        Some(Moves {
            moves,
            tail,
            heaps,
            most_taken: written - 1,
        })
    }

    /// About how many steps it takes to check the hypotheses.
    pub fn steps(&self, end: usize, period: usize, largest: usize, lower: u32) -> u64 {
        let moves = self.moves.len() + self.tail.as_ref().map_or(0, |_| 4 * self.heaps * end);
        let [end, period, heaps, moves, largest] =
            [end, period, self.heaps, moves, largest + 1].map(|number| number as u64);
        let product = |numbers: &[u64]| {
            numbers
                .iter()
                .fold(1, |product: u64, &n| product.saturating_mul(n))
        };
        let sums = product(&[heaps, end]);
        let by_several = product(&[sums, sums, moves, heaps, 2 << lower]);
        let by_one = product(&[sums, largest.next_power_of_two(), end.max(period * moves)]);
        let attained = product(&[sums, period, moves, 1 << lower]);
        by_several.saturating_add(by_one).saturating_add(attained)
    }

    /// The numbers of stones whose removal from a heap of less than `largest` may leave `count` heaps with `sum` stones.
    pub fn takings(&self, count: usize, sum: usize, largest: usize) -> impl Iterator<Item = usize> {
        let listed = self
            .moves
            .iter()
            .filter(move |&&(_, left, _)| left == count);
        let tail = self
            .tail
            .as_ref()
            .filter(|tail| tail.counts.contains(&count));
        let beyond = tail.map_or(0..0, |tail| tail.from..largest.saturating_sub(sum));
        listed.map(|&(taken, ..)| taken).chain(beyond)
    }
}
