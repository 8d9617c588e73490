//! A nim-sequence as a picture: a scatter of g(n), with preperiod and period marked, rare and common values told apart;
//! or two sequences in one picture; or how often each value occurs.
//!
//! One drawing on two kinds of canvas: SVG, and pixels for PNG, where a long sequence is shaded by how
//! many piles share a pixel. In the terminal it is drawn with characters.

mod canvas;
mod figure;
mod frame;
mod histogram;
mod legend;
mod raster;
mod svg;
pub mod terminal;
mod words;

pub use canvas::Theme;

use crate::engine::sparse_space::SparseSpace;
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

/// What is drawn of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A point for each pile.
    Scatter,
    /// A bar for each value, as long as it has piles.
    Histogram,
}

/// A period that a picture shows.
#[derive(Clone, Copy, Debug)]
struct Cycle {
    period: Period,
    /// Whether it holds for ever, and not just as far as was computed.
    proved: bool,
}

/// The sequence of one game.
struct Curve {
    /// The game's name, with its code.
    game: String,
    values: Values,
    /// The period, if one is known or seen.
    cycle: Option<Cycle>,
}

impl Curve {
    fn new(sequence: &Sequence) -> Curve {
        let ruleset = sequence.ruleset();
        let game = match ruleset.code().map(ToString::to_string) {
            Some(code) if code != ruleset.name() => format!("{} ({code})", ruleset.name()),
            _ => ruleset.name().to_owned(),
        };
        Curve {
            game,
            values: sequence.values(),
            cycle: cycle(&sequence.period_so_far()),
        }
    }
}

/// What a picture shows.
///
/// Its points are of two kinds, told apart by colour and form: common and rare values, or those of two games.
pub struct Plot {
    curves: Vec<Curve>,
    figure: Figure,
    /// The title, if not the usual one.
    title: Option<String>,
    /// The first heap.
    from: u64,
    /// The last heap.
    to: u64,
    /// The least and the largest value shown.
    low: NimValue,
    high: NimValue,
    /// Which values are rare, if some are.
    split: Option<SparseSpace>,
    /// How many heaps shown are of rare value, and the last of them.
    rare: (u64, u64),
    /// How many heaps have a value that is not shown.
    outside: u64,
}

impl Plot {
    /// The picture of the values of one or two sequences from `from` to `to`, which must be known; of the values in
    /// `shown` alone, if it is given. Those of the one sequence may be split into rare and common.
    pub fn new(
        sequences: &[Sequence],
        split: Option<SparseSpace>,
        figure: Figure,
        (from, to): (u64, u64),
        shown: Option<(NimValue, NimValue)>,
    ) -> Plot {
        let curves: Vec<Curve> = sequences.iter().map(Curve::new).collect();
        let raised = |curve: &Curve| curve.cycle.is_some_and(|cycle| cycle.period.saltus > 0);
        let split = match curves.as_slice() {
            [one] if !raised(one) => split,
            _ => None,
        };
        let mut plot = Plot {
            curves,
            figure,
            title: None,
            from,
            to,
            low: 0,
            high: NimValue::MAX,
            split,
            rare: (0, 0),
            outside: 0,
        };
        let (mut largest, mut rare, mut outside) = (0, (0, 0), 0);
        let (low, high) = shown.unwrap_or((0, NimValue::MAX));
        plot.each(|heap, value, second| {
            if !(low..=high).contains(&value) {
                outside += 1;
                return;
            }
            largest = largest.max(value);
            if second {
                rare = (rare.0 + 1, heap);
            }
        });
        plot.low = low;
        plot.high = shown.map_or(largest, |(_, high)| high);
        (plot.rare, plot.outside) = (rare, outside);
        plot
    }

    /// The plot under another title; `None` stands for the usual one.
    #[must_use]
    pub fn titled(self, title: Option<String>) -> Plot {
        Plot { title, ..self }
    }

    /// How many heaps there are.
    fn heaps(&self) -> u64 {
        (self.to - self.from).saturating_add(1)
    }

    /// Whether the points are too many to be drawn one by one.
    fn is_dense(&self) -> bool {
        self.heaps().saturating_mul(self.curves.len() as u64) > MOST_POINTS
    }

    /// How many values are shown, each with or without a heap.
    fn span(&self) -> NimValue {
        (self.high - self.low).saturating_add(1)
    }

    /// Writes the picture, `width` by `height` pixels.
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
                canvas.write(&self.title(), &self.description(), out)
            }
            PictureFormat::Png => {
                let mut canvas = raster::Raster::new(width, height)?;
                figure::draw(self, &mut canvas, theme);
                canvas.write(out)
            }
        }
    }

    /// Shows every heap with its value, if that is in the range, to `visit`, and whether it is of the second kind: of
    /// rare value, or of the second game.
    fn each(&self, mut visit: impl FnMut(u64, NimValue, bool)) {
        for (at, curve) in self.curves.iter().enumerate() {
            let Ok(_) = curve
                .values
                .each_block((self.from, self.to), |from, values| {
                    for (heap, &value) in (from..=self.to).zip(values) {
                        if (self.low..=self.high).contains(&value) {
                            visit(heap, value, at > 0 || self.is_rare(heap, value));
                        }
                    }
                    Ok::<_, Infallible>(true)
                });
        }
    }

    /// The column of a heap, of so many columns.
    fn column(&self, heap: u64, columns: usize) -> usize {
        (u128::from(heap - self.from) * columns as u128 / u128::from(self.heaps())) as usize
    }

    /// The row of a value, of so many rows, counted from below.
    fn row(&self, value: NimValue, rows: usize) -> usize {
        ((value - self.low) * rows as NimValue / self.span()) as usize
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
