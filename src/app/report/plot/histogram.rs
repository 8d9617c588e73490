//! How often each nim-value occurs, of each kind of points; many values share a bar.

use super::Plot;
use super::words::round_step;
use crate::grundy::NimValue;

/// Bars for stretches of values, each as long as the number of piles with such values.
pub struct Histogram {
    /// How many values share a bar.
    pub width: NimValue,
    /// The first value of the first bar. The values shown may begin later, and end before the last of the last bar.
    pub low: NimValue,
    /// The least and the largest value shown.
    shown: (NimValue, NimValue),
    /// For each bar, the piles of the first and of the second kind.
    pub bars: Vec<[u64; 2]>,
}

impl Histogram {
    /// Counts the histogram of the values shown, in at most `most` bars. Time: one look at each value.
    pub fn count(plot: &Plot, most: u64) -> Histogram {
        let most = most.max(2);
        let width = match plot.span() {
            span if span <= most.into() => 1,
            span => {
                round_step(u64::try_from(span / NimValue::from(most)).unwrap_or(u64::MAX)).into()
            }
        };
        let low = plot.low / width * width;
        let bars = (plot.high - low) / width + 1;
        let mut bars = vec![[0; 2]; bars as usize];
        plot.each(|_, value, second| {
            bars[((value - low) / width) as usize][usize::from(second)] += 1;
        });
        Histogram {
            width,
            low,
            shown: (plot.low, plot.high),
            bars,
        }
    }

    /// The height of the highest bar, where the bars of the two kinds stand `beside` each other or on one another.
    pub fn highest(&self, beside: bool) -> u64 {
        let heights = self.bars.iter().map(|&[first, second]| match beside {
            true => first.max(second),
            false => first + second,
        });
        heights.max().unwrap_or(0)
    }

    /// The values of a bar that are shown, in words: `7`, or `20–29`.
    pub fn label(&self, bar: usize) -> String {
        let first = self.low + bar as NimValue * self.width;
        let last = first.saturating_add(self.width - 1).min(self.shown.1);
        let first = first.max(self.shown.0);
        match first == last {
            true => first.to_string(),
            false => format!("{first}\u{2013}{last}"),
        }
    }
}
