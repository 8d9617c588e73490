//! A nim-sequence as a picture: a scatter of g(n), with preperiod and period marked, rare and common values told apart;
//! or two sequences in one picture; or how often each value occurs.
//!
//! One drawing serves two kinds of canvas: SVG, and pixels for PNG, where a long sequence is shaded by how many piles share a
//! spot. A picture in the terminal is drawn with characters.

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

/// A period that a picture shows.
#[derive(Clone, Copy, Debug)]
struct Cycle {
    period: Period,
    /// Whether the period is proved for all piles, and not just seen as far as values were computed.
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

/// The content of a picture.
///
/// Its points are of two kinds, told apart by colour and form: common and rare values, or those of two games.
pub struct Plot {
    curves: Vec<Curve>,
    /// Whether a bar for each value, as long as the number of piles that have it, is drawn, and not a point for each pile.
    histogram: bool,
    /// The title, if not the usual one.
    title: Option<String>,
    /// The first heap.
    from: u64,
    /// The last heap.
    to: u64,
    /// The least and the largest value shown.
    low: NimValue,
    high: NimValue,
    /// The sparse space, if some are rare.
    space: Option<SparseSpace>,
    /// How many of the heaps shown have a rare value, and the last such heap.
    rare: (u64, u64),
    /// How many heaps have a value that is not shown.
    outside: u64,
}

impl Plot {
    /// The picture of the values of one or two sequences from heap `from` to heap `to`, which must be known; only of the values
    /// in `shown`, if it is given. The points of a single sequence may be split into rare and common ones. Without a title it has
    /// the usual one.
    pub fn new(
        sequences: &[Sequence],
        space: Option<SparseSpace>,
        histogram: bool,
        (from, to): (u64, u64),
        shown: Option<(NimValue, NimValue)>,
        title: Option<String>,
    ) -> Plot {
        let curves: Vec<Curve> = sequences.iter().map(Curve::new).collect();
        let raised = |curve: &Curve| curve.cycle.is_some_and(|cycle| cycle.period.saltus > 0);
        let space = match curves.as_slice() {
            [one] if !raised(one) => space,
            _ => None,
        };
        let mut plot = Plot {
            curves,
            histogram,
            title,
            from,
            to,
            low: 0,
            high: NimValue::MAX,
            space,
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

    /// How many heaps the picture covers.
    fn heaps(&self) -> u64 {
        (self.to - self.from).saturating_add(1)
    }

    /// Whether the points are too many to be drawn one by one.
    fn is_dense(&self) -> bool {
        self.heaps().saturating_mul(self.curves.len() as u64) > MOST_POINTS
    }

    /// How many values the vertical axis covers, whether or not a heap has them.
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

    /// Calls `visit` for every heap whose value is in the range shown, with the heap, the value, and whether the point is of the
    /// second kind: a rare value, or the second game.
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

    /// The column of a heap, if there are `columns` columns.
    fn column(&self, heap: u64, columns: usize) -> usize {
        (u128::from(heap - self.from) * columns as u128 / u128::from(self.heaps())) as usize
    }

    /// The row of a value, counted from below, if there are `rows` rows.
    fn row(&self, value: NimValue, rows: usize) -> usize {
        ((value - self.low) * rows as NimValue / self.span()) as usize
    }

    /// Whether a heap is of rare value.
    fn is_rare(&self, heap: u64, value: NimValue) -> bool {
        let fits = u16::try_from(value).ok().zip(usize::try_from(heap).ok());
        self.space
            .zip(fits)
            .is_some_and(|(space, (value, heap))| space.is_rare(value, heap))
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
