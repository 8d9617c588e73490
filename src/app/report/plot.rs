//! A nim-sequence as a picture: a scatter of g(n), with preperiod and period marked, rare and common values told apart.
//!
//! One drawing on two kinds of canvas: SVG, and pixels for PNG, where a long sequence is shaded by how
//! many piles share a spot. In the terminal it is drawn with characters.

mod canvas;
mod figure;
mod raster;
mod svg;
pub mod terminal;

pub use canvas::Theme;

use crate::engine::table::sparse_space::SparseSpace;
use crate::grundy::NimValue;
use crate::sequence::period::{Finding, Period};
use crate::sequence::{Sequence, Values};
use std::convert::Infallible;
use std::io::{self, Write};

/// The formats of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum PictureFormat {
    /// Lines and points that can be enlarged; for thousands of piles
    Svg,
    /// Pixels; for any number of piles
    Png,
}

/// The most points that are drawn one by one; beyond, only their density can be seen.
pub const MOST_POINTS: u64 = 20_000;

/// A period that a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    /// The period.
    pub period: Period,
    /// Whether it holds for ever, and not just as far as was computed.
    pub proved: bool,
}

/// What a picture shows.
pub struct Plot {
    /// The game's name, with its code.
    pub game: String,
    values: Values,
    /// The first heap.
    pub from: u64,
    /// The last heap.
    pub to: u64,
    /// The largest value shown.
    pub largest: NimValue,
    /// The period, if one is known or seen.
    pub cycle: Option<Cycle>,
    /// Which values are rare, if some are.
    pub split: Option<SparseSpace>,
    /// How many heaps shown are of rare value, and the last of them.
    pub rare: (u64, u64),
}

impl Plot {
    /// The picture of the values from `from` to `to`, which must be known.
    pub fn new(sequence: &Sequence, (from, to): (u64, u64)) -> Plot {
        let ruleset = sequence.ruleset();
        let game = match ruleset.code().map(ToString::to_string) {
            Some(code) if code != ruleset.name() => format!("{} ({code})", ruleset.name()),
            _ => ruleset.name().to_owned(),
        };
        let cycle = cycle(&sequence.period_so_far());
        let may_split = ruleset
            .coded_from()
            .is_none_or(|(code, _)| code.most_heaps() != Some(1));
        let raised = cycle.is_some_and(|cycle| cycle.period.saltus > 0);
        let split = (may_split && !raised)
            .then(|| sequence.sparse_space(to))
            .flatten();
        let mut plot = Plot {
            game,
            values: sequence.values(),
            from,
            to,
            largest: 0,
            cycle,
            split,
            rare: (0, 0),
        };
        let (mut largest, mut rare) = (0, (0, 0));
        plot.each(|heap, value| {
            largest = largest.max(value);
            if plot.is_rare(heap, value) {
                rare = (rare.0 + 1, heap);
            }
        });
        (plot.largest, plot.rare) = (largest, rare);
        plot
    }

    /// How many points there are.
    pub fn points(&self) -> u64 {
        (self.to - self.from).saturating_add(1)
    }

    /// Writes the picture, `width` by `height` pixels.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(
        &self,
        format: PictureFormat,
        theme: Theme,
        (width, height): (u32, u32),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            PictureFormat::Svg => {
                let mut canvas = svg::Svg::new(width, height);
                figure::draw(self, &mut canvas, theme);
                canvas.write(out)
            }
            PictureFormat::Png => {
                let mut canvas = raster::Raster::new(width, height)?;
                figure::draw(self, &mut canvas, theme);
                canvas.write(out)
            }
        }
    }

    /// Shows every heap with its value to `visit`.
    fn each(&self, mut visit: impl FnMut(u64, NimValue)) {
        let Ok(_) = self
            .values
            .each_block((self.from, self.to), |from, values| {
                for (heap, &value) in (from..=self.to).zip(values) {
                    visit(heap, value);
                }
                Ok::<_, Infallible>(true)
            });
    }

    /// Whether a heap is of rare value.
    fn is_rare(&self, heap: u64, value: NimValue) -> bool {
        let fits = u16::try_from(value).ok().zip(usize::try_from(heap).ok());
        self.split
            .zip(fits)
            .is_some_and(|(split, (value, heap))| split.is_rare(value, heap))
    }
}

fn cycle(found: &Finding) -> Option<Cycle> {
    let (period, proved) = match found {
        Finding::Proved(proof) => (proof.period, true),
        Finding::Observed { seen, .. } => (*seen, false),
        Finding::Nothing => return None,
    };
    Some(Cycle { period, proved })
}

/// The word for the rare values: `rare value (10 piles, the last 70)`.
fn rare_words((count, last): (u64, u64)) -> String {
    match count {
        0 => "rare value (no pile)".to_owned(),
        1 => format!("rare value (pile {})", grouped(last)),
        _ => format!(
            "rare value ({} piles, the last {})",
            grouped(count),
            grouped(last)
        ),
    }
}

/// The word for what is drawn in the preperiod.
fn preperiod_words(cycle: &Cycle) -> Option<String> {
    let last = cycle.period.last_exception()?;
    Some(match last {
        0 => "preperiod 0".to_owned(),
        _ => format!("preperiod 0\u{2013}{}", grouped(last)),
    })
}

/// The word for the period: `period 12 from 71 on`.
fn period_words(cycle: &Cycle) -> String {
    let Period {
        period,
        preperiod,
        saltus,
    } = cycle.period;
    let (period, preperiod) = (grouped(period), grouped(preperiod));
    let saltus = match saltus {
        0 => String::new(),
        saltus => format!(", saltus {}", grouped(saltus)),
    };
    let seen = if cycle.proved {
        ""
    } else {
        " (seen, not proved)"
    };
    format!("period {period}{saltus}, from {preperiod} on{seen}")
}

/// A number with commas between its thousands.
fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Round numbers from `low` to `high`, about `wanted` of them, at whole steps of 1, 2 or 5 times a power of ten.
fn ticks(low: u64, high: u64, wanted: u64) -> Vec<u64> {
    let least = (high - low) / wanted.max(1);
    let powers = std::iter::successors(Some(1u64), |power| power.checked_mul(10));
    let steps = powers.flat_map(|power| [1, 2, 5].map(|times| power.saturating_mul(times)));
    let step = steps
        .into_iter()
        .find(|&step| step > least)
        .unwrap_or(u64::MAX);
    let first = low.checked_next_multiple_of(step);
    std::iter::successors(first, |tick| tick.checked_add(step))
        .take_while(|&tick| tick <= high)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0, 200, 10), [0, 50, 100, 150, 200]);
        assert_eq!(ticks(0, 9, 8), (0..=9).step_by(2).collect::<Vec<_>>());
        assert_eq!(ticks(0, 0, 8), [0]);
        assert_eq!(ticks(7, 23, 4), [10, 15, 20]);
        assert_eq!(ticks(5, 5, 4), [5]);
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(1), "1");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }
}
