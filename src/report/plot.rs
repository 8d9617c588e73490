//! A nim-sequence as a picture: a scatter of g(n), with preperiod and period marked, rare and common values told apart.
//!
//! One drawing ([`figure`]) on two kinds of canvas: SVG, and pixels for PNG, where a long sequence is shaded by how
//! many piles share a spot. [`terminal`] draws with characters.

mod canvas;
mod figure;
mod raster;
mod svg;
pub mod terminal;

pub use canvas::Theme;

use crate::grundy::NimValue;
use crate::values::HeapValues;
use crate::values::cycle::{self, Cycle};
use crate::values::sparse::Split;
use std::io::{self, Write};

/// The formats of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Lines and points that can be enlarged; for thousands of piles
    Svg,
    /// Pixels; for any number of piles
    Png,
}

/// The most points that are drawn one by one; beyond, only their density can be seen.
pub const MOST_POINTS: u64 = 20_000;

/// How many of the first values are looked at for a split into rare and common.
const VALUES_FOR_SPLIT: u64 = 1 << 17;

/// How many values are looked at for a period.
const VALUES_FOR_PERIOD: usize = 1 << 22;

/// What a picture shows.
pub struct Plot {
    /// The game's name, with its code.
    pub game: String,
    values: HeapValues,
    go_on: fn() -> bool,
    /// The first heap.
    pub from: u64,
    /// The last heap.
    pub to: u64,
    /// The largest value shown.
    pub largest: NimValue,
    /// The period, if one is known or seen.
    pub cycle: Option<Cycle>,
    /// Which values are rare, if some are.
    pub split: Option<Split>,
    /// How many heaps shown are of rare value, and the last of them.
    pub rare: (u64, u64),
}

impl Plot {
    /// The picture of the values from `from` to `to`, which must be known; unfinished if `go_on` says no.
    pub fn new(
        game: String,
        values: HeapValues,
        (from, to): (u64, u64),
        go_on: fn() -> bool,
    ) -> Plot {
        let cycle = match &values {
            HeapValues::Periodic(periodic) => Some(periodic.cycle()),
            HeapValues::Table(table) if table.len() <= VALUES_FOR_PERIOD => cycle::observed(table),
            HeapValues::Table(_) => None,
        };
        let split = split(&values, to);
        let mut plot = Plot {
            game,
            values,
            go_on,
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
        format: Format,
        theme: Theme,
        (width, height): (u32, u32),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            Format::Svg => {
                let mut canvas = svg::Svg::new(width, height);
                figure::draw(self, &mut canvas, theme);
                canvas.write(out)
            }
            Format::Png => {
                let mut canvas = raster::Raster::new(width, height)?;
                figure::draw(self, &mut canvas, theme);
                canvas.write(out)
            }
        }
    }

    /// Shows every heap with its value to `visit`.
    fn each(&self, mut visit: impl FnMut(u64, NimValue)) {
        const BLOCK: u64 = 1 << 14;
        let mut values = vec![0; BLOCK as usize];
        let mut from = self.from;
        loop {
            let last = self.to.min(from.saturating_add(BLOCK - 1));
            let values = &mut values[..=(last - from) as usize];
            self.values.copy_range(from, values);
            for (heap, &value) in (from..=last).zip(&*values) {
                visit(heap, value);
            }
            if last == self.to || !(self.go_on)() {
                return;
            }
            from = last + 1;
        }
    }

    /// Whether a heap is of rare value.
    fn is_rare(&self, heap: u64, value: NimValue) -> bool {
        self.split.is_some_and(|split| split.is_rare(heap, value))
    }
}

fn split(values: &HeapValues, to: u64) -> Option<Split> {
    let mut first = vec![0; to.saturating_add(1).min(VALUES_FOR_SPLIT) as usize];
    values.copy_range(0, &mut first);
    let first: Option<Vec<u16>> = first
        .into_iter()
        .map(|value| value.try_into().ok())
        .collect();
    Split::shown_by(&first?)
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
    let last = cycle.preperiod.checked_sub(1)?;
    Some(format!("preperiod 0\u{2013}{}", grouped(last)))
}

/// The word for the period: `period 12 from 71 on`.
fn period_words(cycle: &Cycle) -> String {
    let (period, preperiod) = (grouped(cycle.period), grouped(cycle.preperiod));
    let saltus = match cycle.saltus {
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
    let first = low.next_multiple_of(step);
    std::iter::successors(Some(first), |tick| tick.checked_add(step))
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
