//! A picture in characters: braille dots for as many points as they can tell apart, shades for more.

use super::{Plot, grouped, period_words, preperiod_words, rare_words, ticks};
use crate::grundy::NimValue;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

const COMMON: Style = AnsiColor::Cyan.on_default();
const RARE: Style = AnsiColor::Yellow.on_default().bold();

/// A character of braille has two columns of four dots; bit k of its code is dot k + 1.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

const SHADES: [char; 4] = ['░', '▒', '▓', '█'];

/// More points than this in one column of dots, and they are shaded by number.
const MOST_IN_A_COLUMN: u64 = 8;

/// A character's place.
#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    common: u32,
    rare: u32,
}

/// Draws the picture, `width` characters wide and `height` high, axes and words included.
///
/// # Errors
/// If it can't be written.
pub fn draw(plot: &Plot, (width, height): (usize, usize), out: &mut dyn Write) -> io::Result<()> {
    let largest = u64::try_from(plot.largest).unwrap_or(u64::MAX);
    let margin = largest.to_string().len().max(4);
    let columns = width.saturating_sub(margin + 2).max(10);
    let rows = height.saturating_sub(6).clamp(4, plot_rows(plot.largest));
    let cells = cells(plot, columns, rows);
    let dense = plot.points() > MOST_IN_A_COLUMN * 2 * columns as u64;
    let most = cells.iter().map(|cell| cell.common + cell.rare).max();
    let most = f64::from(most.unwrap_or(1));

    let first = grouped(plot.from);
    writeln!(
        out,
        "{}: nim-values of the piles {first} to {}",
        plot.game,
        grouped(plot.to)
    )?;
    legend(plot, out)?;
    writeln!(out, "{:>margin$}", "g(n)")?;
    let labels = value_labels(largest, rows);
    for (row, line) in cells.chunks(columns).enumerate() {
        let label = labels[row].map_or(String::new(), |value| value.to_string());
        let axis = if labels[row].is_some() { '┤' } else { '│' };
        write!(out, "{label:>margin$} {axis}")?;
        let mut style = Style::new();
        for cell in line {
            let wanted = match (cell.common, cell.rare) {
                (0, 0) => style,
                (_, 0) => COMMON,
                _ => RARE,
            };
            if wanted != style {
                write!(out, "{style:#}{wanted}")?;
                style = wanted;
            }
            write!(out, "{}", character(cell, dense, most))?;
        }
        writeln!(out, "{style:#}")?;
    }
    axis(plot, margin, columns, out)
}

/// No more rows than the values need with a dot each.
fn plot_rows(largest: NimValue) -> usize {
    usize::try_from(largest / 2 + 1)
        .unwrap_or(usize::MAX)
        .max(4)
}

fn cells(plot: &Plot, columns: usize, rows: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); columns * rows];
    let (across, up) = (2 * columns as u128, 4 * rows as u128);
    let points = u128::from(plot.points());
    plot.each(|heap, value| {
        let x = (u128::from(heap - plot.from) * across / points) as usize;
        let y = (up - 1 - (value * (up - 1) + plot.largest / 2) / plot.largest.max(1)) as usize;
        let cell = &mut cells[y / 4 * columns + x / 2];
        cell.dots |= DOTS[y % 4][x % 2];
        let count = match plot.is_rare(heap, value) {
            true => &mut cell.rare,
            false => &mut cell.common,
        };
        *count = count.saturating_add(1);
    });
    cells
}

fn character(cell: &Cell, dense: bool, most: f64) -> char {
    match cell.common + cell.rare {
        0 => ' ',
        count if dense => {
            let share = (f64::from(count) / most).sqrt();
            SHADES[(share * 3.99).min(3.0) as usize]
        }
        _ => char::from_u32(0x2800 + u32::from(cell.dots)).unwrap_or('?'),
    }
}

/// The value that stands before each row, where one does: round numbers, one to a row.
fn value_labels(largest: u64, rows: usize) -> Vec<Option<u64>> {
    let mut labels = vec![None; rows];
    let up = 4 * rows as u128;
    for tick in ticks(0, largest, rows as u64 / 2) {
        let y = u128::from(tick) * (up - 1) + u128::from(largest) / 2;
        let y = up - 1 - y / u128::from(largest.max(1));
        labels[(y / 4) as usize] = Some(tick);
    }
    labels
}

fn legend(plot: &Plot, out: &mut dyn Write) -> io::Result<()> {
    if plot.split.is_some() {
        let rare = rare_words(plot.rare);
        writeln!(out, "{COMMON}common value{COMMON:#}, {RARE}{rare}{RARE:#}")?;
    }
    if let Some(cycle) = &plot.cycle {
        let preperiod = preperiod_words(cycle).map_or(String::new(), |words| words + "; ");
        writeln!(out, "{preperiod}{}", period_words(cycle))?;
    }
    Ok(())
}

/// The axis of the piles: preperiod and periods as its line, the ticks with their numbers below.
fn axis(plot: &Plot, margin: usize, columns: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut line: Vec<char> = vec!['─'; columns];
    let mut numbers = vec![' '; margin + 2 + columns];
    let points = u128::from(plot.points());
    let place = |heap: u64| {
        let past = u128::from(heap - plot.from) * columns as u128 / points;
        past as usize
    };
    let widest = plot.to.to_string().len() as u64 + 3;
    let mut free = 0;
    for tick in ticks(plot.from, plot.to, columns as u64 / widest) {
        let text: Vec<char> = tick.to_string().chars().collect();
        let at = margin + 2 + place(tick);
        let start = at.saturating_sub(text.len() / 2);
        if start >= free && start + text.len() <= numbers.len() {
            line[place(tick)] = '┬';
            free = start + text.len() + 1;
            numbers[start..start + text.len()].copy_from_slice(&text);
        }
    }
    let line: String = line.into_iter().collect();
    let numbers: String = numbers.into_iter().collect();
    writeln!(out, "{:>margin$} └{line}", "")?;
    writeln!(out, "{}", numbers.trim_end())
}
