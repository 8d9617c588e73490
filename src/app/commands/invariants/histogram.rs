//! How many piles have each nim-value, at every power of two: the figures that others publish of long computations.

use crate::app::report::style::padded;
use crate::grundy::NimValue;
use serde::Serialize;
use std::io::{self, Write};

/// How many of the piles from 1 on have each value.
#[derive(Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// The last pile.
    to: u64,
    /// For each value from 0 on, how many piles have it.
    counts: Vec<u64>,
}

/// Counts values as they come.
#[derive(Debug, Default)]
pub struct Counting {
    /// The pile whose value comes next.
    next: u64,
    counts: Vec<u64>,
    histograms: Vec<Histogram>,
}

impl Counting {
    /// Counts the values of the next piles.
    pub fn count(&mut self, values: &[NimValue]) {
        for &value in values {
            // Pile 0 is the empty pile, and not counted.
            if self.next > 0 {
                let value = value as usize;
                if self.counts.len() <= value {
                    self.counts.resize(value + 1, 0);
                }
                self.counts[value] += 1;
                if self.next.is_power_of_two() {
                    self.note();
                }
            }
            self.next += 1;
        }
    }

    fn note(&mut self) {
        self.histograms.push(Histogram {
            to: self.next,
            counts: self.counts.clone(),
        });
    }

    /// The counts at every power of two, and at the last pile.
    pub fn end(mut self) -> Vec<Histogram> {
        self.next = self.next.saturating_sub(1);
        if self.next > 0 && !self.next.is_power_of_two() {
            self.note();
        }
        self.histograms
    }
}

/// Writes the last histogram: each value with the number of its piles.
pub fn print(histograms: &[Histogram], out: &mut dyn Write) -> io::Result<()> {
    let Some(Histogram { to, counts }) = histograms.last() else {
        return Ok(());
    };
    writeln!(out, "\nnim-value  piles from 1 to {to}")?;
    let mut counts = (0..).zip(counts).filter(|&(_, &count)| count > 0);
    counts.try_for_each(|(value, count): (usize, _)| {
        writeln!(
            out,
            "{}  {count}",
            padded(&value.to_string(), "nim-value".len())
        )
    })
}
