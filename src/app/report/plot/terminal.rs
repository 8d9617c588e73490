//! A picture in characters. A row for each value while they fit; else dots of braille for as many points as they can
//! tell apart, and shades for more. It reads the same without colours: rare values, or those of the second game, have
//! a sign of their own, and the axis is thicker below the period.

use super::Plot;
use super::histogram::Histogram;
use super::words::{grouped, ticks};
use crate::app::report::style::{length, wrapped};
use crate::grundy::NimValue;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

const FIRST: Style = AnsiColor::Cyan.on_default();
const SECOND: Style = AnsiColor::Yellow.on_default().bold();

/// The signs of a point where a row is one value: of the first kind, of the second kind, and of both kinds in one place.
const POINT: char = '•';
const SECOND_POINT: char = '◆';
const BOTH: char = '◇';

/// A character of braille has two columns of four dots; bit k of its code is dot k + 1.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
const BRAILLE: u32 = 0x2800;

const SHADES: [char; 4] = ['░', '▒', '▓', '█'];

/// If a column of characters has more points than this, the points are shaded by number.
const MOST_IN_A_COLUMN: u64 = 16;

/// The lines of a picture beside its rows: title, legend, names and numbers of the axes.
const OTHER_LINES: usize = 7;

/// How a character shows the points of the first kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// One sign, for its row is one value.
    Sign,
    /// Each point is a dot.
    Dots,
    /// A character is the darker, the more points it has.
    Shades,
}

/// One character of the picture.
#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    /// How many points of the first and of the second kind the character has.
    counts: [u32; 2],
}

/// Draws the picture, `width` characters wide and `height` high, axes and words included.
pub fn draw(plot: &Plot, (width, height): (usize, usize), out: &mut dyn Write) -> io::Result<()> {
    names(&[plot.title()], width, out)?;
    let rows = height.saturating_sub(OTHER_LINES).max(4);
    match plot.histogram {
        false => scatter(plot, width, rows, out),
        true => histogram(plot, width, rows, out),
    }
}

fn scatter(plot: &Plot, width: usize, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let margin = plot.high.to_string().len().max(4);
    let columns = width.saturating_sub(margin + 2).max(10);
    let row_is_value = plot.span() <= rows as NimValue;
    let rows = if row_is_value {
        plot.span() as usize
    } else {
        rows
    };
    let dense = plot.heaps() > MOST_IN_A_COLUMN * columns as u64;
    let way = match (dense, row_is_value) {
        (true, _) => Way::Shades,
        (false, true) => Way::Sign,
        (false, false) => Way::Dots,
    };
    let cells = cells(plot, columns, rows);
    let most = |kind: usize| cells.iter().map(|cell| cell.counts[kind]).max();
    let most = [most(0), most(1)].map(|most| most.unwrap_or(0));
    legend(plot, way, &cells, width, out)?;
    writeln!(out, "{:>margin$}", "g(n)")?;
    let labels = value_labels(plot, rows);
    let begin = plot
        .marked()
        .map(|cycle| cycle.period.preperiod)
        .filter(|&begin| plot.from < begin && begin <= plot.to)
        .map(|begin| plot.column(begin, columns));
    for (row, line) in cells.chunks(columns).enumerate() {
        let label = labels[row].map_or(String::new(), |value| value.to_string());
        let axis = if labels[row].is_some() { '┤' } else { '│' };
        write!(out, "{label:>margin$} {axis}")?;
        let mut style = Style::new();
        let mut text = String::new();
        for (at, cell) in line.iter().enumerate() {
            let wanted = match cell.counts {
                [0, 0] => style,
                [_, 0] => FIRST,
                _ => SECOND,
            };
            if wanted != style {
                text.push_str(&format!("{style:#}{wanted}"));
                style = wanted;
            }
            text.push(match character(cell, way, most[0]) {
                ' ' if begin == Some(at) => '┊',
                character => character,
            });
        }
        writeln!(out, "{}{style:#}", text.trim_end())?;
    }
    axis(plot, margin, columns, out)
}

fn cells(plot: &Plot, columns: usize, rows: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); columns * rows];
    let (across, up) = (2 * columns, 4 * rows);
    plot.each(|heap, value, second| {
        let x = plot.column(heap, across);
        let y = up - 1 - plot.row(value, up);
        let cell = &mut cells[y / 4 * columns + x / 2];
        cell.dots |= DOTS[y % 4][x % 2];
        let count = &mut cell.counts[usize::from(second)];
        *count = count.saturating_add(1);
    });
    cells
}

fn character(cell: &Cell, way: Way, most: u32) -> char {
    match (cell.counts, way) {
        ([0, 0], _) => ' ',
        ([0, _], _) => SECOND_POINT,
        ([_, second], _) if second > 0 => BOTH,
        (_, Way::Sign) => POINT,
        (_, Way::Dots) => char::from_u32(BRAILLE + u32::from(cell.dots)).unwrap_or(POINT),
        ([count, _], Way::Shades) => {
            let share = (f64::from(count) / f64::from(most)).sqrt();
            SHADES[(share * 3.99).min(3.0) as usize]
        }
    }
}

/// The value that stands before each row, where one does: every value if each has a row, else round numbers.
fn value_labels(plot: &Plot, rows: usize) -> Vec<Option<u64>> {
    let mut labels = vec![None; rows];
    let narrow = |value: NimValue| u64::try_from(value).unwrap_or(u64::MAX);
    let wanted = match plot.span() == rows as NimValue {
        true => 2 * rows as u64,
        false => rows as u64 / 2,
    };
    for tick in ticks(narrow(plot.low), narrow(plot.high), wanted) {
        labels[rows - 1 - plot.row(tick.into(), rows)] = Some(tick);
    }
    labels
}

/// Writes names side by side, in as many lines as the width needs.
fn names(names: &[String], width: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        match lines.last_mut() {
            Some(line) if length(line) + 3 + length(name) <= width => {
                line.push_str(&format!("   {name}"));
            }
            _ => lines.push(name.clone()),
        }
    }
    for line in lines {
        for part in wrapped(&line, width, "", "  ") {
            writeln!(out, "{part}")?;
        }
    }
    Ok(())
}

fn legend(
    plot: &Plot,
    way: Way,
    cells: &[Cell],
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut signs = Vec::new();
    if let [first, second] = plot.kinds().as_slice() {
        let sign = match way {
            Way::Sign => POINT.to_string(),
            Way::Dots => "⠂".to_owned(),
            Way::Shades => SHADES.iter().collect(),
        };
        signs.push(format!("{FIRST}{sign}{FIRST:#} {first}"));
        signs.push(format!("{SECOND}{SECOND_POINT}{SECOND:#} {second}"));
        if cells.iter().any(|cell| !cell.counts.contains(&0)) {
            signs.push(format!("{SECOND}{BOTH}{SECOND:#} both"));
        }
    }
    let outside = plot.outside_words().into_iter().collect();
    for each in [signs, cycle_names(plot), plot.cycles_of_two(), outside] {
        names(&each, width, out)?;
    }
    Ok(())
}

/// The words for preperiod and period, behind the line that the axis has below them.
fn cycle_names(plot: &Plot) -> Vec<String> {
    let Some(cycle) = plot.marked() else {
        return Vec::new();
    };
    let preperiod = plot.preperiod_words(cycle);
    let period = plot.period_words(cycle);
    let line = if plot.to < cycle.period.preperiod {
        period
    } else {
        format!("━ {period}")
    };
    let preperiod = preperiod.map(|words| format!("─ {words}"));
    preperiod.into_iter().chain([line]).collect()
}

/// The axis of the piles, thicker below the period; the ticks with their numbers below.
fn axis(plot: &Plot, margin: usize, columns: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut line: Vec<char> = vec!['─'; columns];
    if let Some(cycle) = plot.marked() {
        let begin = cycle.period.preperiod.max(plot.from);
        if begin <= plot.to {
            line[plot.column(begin, columns)..].fill('━');
        }
    }
    let mut numbers = vec![' '; margin + 2 + columns];
    let widest = plot.to.to_string().len() as u64 + 3;
    let mut free = 0;
    for tick in ticks(plot.from, plot.to, columns as u64 / widest) {
        let text: Vec<char> = tick.to_string().chars().collect();
        let place = plot.column(tick, columns);
        let start = (margin + 2 + place).saturating_sub(text.len() / 2);
        if start >= free && start + text.len() <= numbers.len() {
            line[place] = if line[place] == '━' { '┯' } else { '┬' };
            free = start + text.len() + 1;
            numbers[start..start + text.len()].copy_from_slice(&text);
        }
    }
    let line: String = line.into_iter().collect();
    let numbers: String = numbers.into_iter().collect();
    writeln!(out, "{:>margin$} └{line}", "")?;
    writeln!(out, "{}", numbers.trim_end())?;
    let share = match plot.heaps() as f64 / columns as f64 {
        piles if piles <= 1.0 => String::new(),
        piles => format!(", {piles:.1} to a column").replace(".0 ", " "),
    };
    writeln!(out, "{:>margin$}  pile n{share}", "")
}

/// The most bars that are drawn on a screen with fewer rows than this.
const FEW_BARS: usize = 40;

/// A line for each value, or stretch of values, with a bar as long as it has piles.
fn histogram(plot: &Plot, width: usize, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let histogram = Histogram::count(plot, rows.max(FEW_BARS) as u64);
    let beside = plot.curves.len() == 2;
    let longest = histogram.highest(beside).max(1);
    if let [first, second] = plot.kinds().as_slice() {
        let first = format!("{FIRST}█{FIRST:#} {first}");
        let second = format!("{SECOND}▒{SECOND:#} {second}");
        names(&[first, second], width, out)?;
    }
    let outside: Vec<String> = plot.outside_words().into_iter().collect();
    names(&outside, width, out)?;
    let labels: Vec<String> = (0..histogram.bars.len())
        .map(|bar| histogram.label(bar))
        .collect();
    let margin = labels.iter().map(|label| label.chars().count()).max();
    let margin = margin.unwrap_or(0).max("value".len());
    let room = width.saturating_sub(margin + 4 + grouped(longest).len());
    let length = |count: u64| {
        let length = (u128::from(count) * room.max(1) as u128).div_ceil(longest.into());
        length as usize
    };
    writeln!(out, "{:>margin$}   piles", "value")?;
    for (label, &[first, second]) in labels.iter().zip(&histogram.bars) {
        let bar = |style: Style, sign: &str, length: usize| match length {
            0 => String::new(),
            length => format!("{style}{}{style:#} ", sign.repeat(length)),
        };
        let lines = match beside {
            true => vec![
                bar(FIRST, "█", length(first)) + &grouped(first),
                bar(SECOND, "▒", length(second)) + &grouped(second),
            ],
            false => {
                let both = length(first + second);
                let rare = length(second).min(both - usize::from(first > 0).min(both));
                let common = bar(FIRST, "█", both - rare);
                let rare = bar(SECOND, "▒", rare);
                let joined = if rare.is_empty() {
                    common
                } else {
                    common.trim_end().to_owned() + &rare
                };
                vec![joined + &grouped(first + second)]
            }
        };
        for (at, line) in lines.iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            writeln!(out, "{label:>margin$} │ {line}")?;
        }
    }
    Ok(())
}
