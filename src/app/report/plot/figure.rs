//! The drawing: title, legend, axes, the bands of preperiod and period, and the points, their density, or bars.

use super::canvas::{Anchor, Canvas, MARGIN, Palette, TITLE_SIZE, Theme, shade, text_width};
use super::frame::{Axis, Frame};
use super::histogram::Histogram;
use super::words::{counted, grouped};
use super::{Plot, legend};
use crate::grundy::NimValue;

/// The smallest size that a title is written in: a longer title is written smaller than others.
const SMALLEST_TITLE: f32 = 9.0;

/// The greatest height of the band of one nim-value in pixels, so that few values don't become broad bars.
const HIGHEST_SPOT: f32 = 9.0;

/// The pixels that a bar takes at least, with the gap beside it.
const NARROWEST_BAR: f32 = 4.0;

/// Bars as narrow as this stand without gaps, which would make stripes of their own.
const NO_GAP: f32 = 8.0;

/// The least height of a bar, so that a few piles among many can be seen.
const LOWEST_BAR: f32 = 2.0;

/// Draws a picture.
pub fn draw(plot: &Plot, canvas: &mut dyn Canvas, theme: Theme) {
    let palette = theme.palette();
    let (width, height) = canvas.size();
    canvas.rectangle(0.0, 0.0, width, height, palette.paper);
    let at = (MARGIN, MARGIN + 0.8 * TITLE_SIZE);
    let title = plot.title();
    let fits = (width - 2.0 * MARGIN) / text_width(&title, 1.0);
    let size = TITLE_SIZE.min(fits).max(SMALLEST_TITLE);
    canvas.text(at, &title, size, Anchor::Start, palette.ink);
    match plot.histogram {
        false => scatter(plot, canvas, &palette),
        true => histogram(plot, canvas, &palette),
    }
}

fn scatter(plot: &Plot, canvas: &mut dyn Canvas, palette: &Palette) {
    let (width, height) = canvas.size();
    let spots = plot.is_dense().then(|| Spots::count(plot, width, height));
    let most = spots.as_ref().map(|spots| spots.most);
    let below_legend = legend::draw(plot, most, canvas, palette);
    let piles = Axis {
        from: plot.from,
        to: plot.to,
        name: "pile n".to_owned(),
    };
    let values = Axis {
        from: narrow(plot.low),
        to: narrow(plot.high),
        name: "g(n)".to_owned(),
    };
    let frame = Frame::new((piles, values), false, canvas.size(), below_legend);
    frame.bands(plot, canvas, palette);
    frame.axes(canvas, palette);
    match spots {
        Some(spots) => spots.draw(&frame, canvas, palette),
        None => points(plot, &frame, canvas, palette),
    }
}

/// Draws a mark for each heap, those of the second kind on top.
fn points(plot: &Plot, frame: &Frame, canvas: &mut dyn Canvas, palette: &Palette) {
    let radius = (0.7 * frame.column()).clamp(1.6, 4.5);
    // Where two points fall on one place the second covers the first; the rim of the other game's point stays visible.
    let radii = match plot.curves.len() {
        1 => [radius, 1.35 * radius],
        _ => [1.3 * radius, radius],
    };
    for (second, radius) in [false, true].into_iter().zip(radii) {
        plot.each(|heap, value, of_second| {
            if of_second == second {
                let at = (frame.middle(heap), frame.y(narrow(value)));
                let title = format!("g({heap}) = {value}");
                canvas.mark(second, at, radius, palette.mark(second), &title);
            }
        });
    }
}

/// Draws a bar for each value, or stretch of values: rare piles stand on common ones, and the bars of two games side by side.
fn histogram(plot: &Plot, canvas: &mut dyn Canvas, palette: &Palette) {
    let below_legend = legend::draw(plot, None, canvas, palette);
    let most = (canvas.size().0 - 3.0 * MARGIN) / NARROWEST_BAR;
    let histogram = Histogram::count(plot, most as u64);
    let beside = plot.curves.len() == 2;
    let values = Axis {
        from: narrow(histogram.low),
        to: narrow(histogram.low + histogram.bars.len() as NimValue * histogram.width - 1),
        name: match histogram.width {
            1 => "nim-value".to_owned(),
            width => format!("nim-value, {} to a bar", grouped(narrow(width))),
        },
    };
    let highest = histogram.highest(beside);
    let piles = Axis {
        from: 0,
        // The axis leaves some room above the highest bar.
        to: highest.saturating_add(highest / 14),
        name: "piles".to_owned(),
    };
    let frame = Frame::new((values, piles), true, canvas.size(), below_legend);
    frame.axes(canvas, palette);
    let wide = frame.column() * histogram.width as f32;
    let gap = match wide < NO_GAP {
        true => 0.0,
        false => (0.2 * wide).min(6.0),
    };
    for (at, &bar) in histogram.bars.iter().enumerate() {
        let left = frame.left + at as f32 * wide + gap / 2.0;
        for (kind, &count) in bar.iter().enumerate().filter(|(_, count)| **count > 0) {
            let below = if beside || kind == 0 { 0 } else { bar[0] };
            let bottom = frame.y(below);
            let top = frame.y(below + count).min(bottom - LOWEST_BAR);
            let width = (wide - gap) / if beside { 2.0 } else { 1.0 };
            let x = left + if beside { kind as f32 * width } else { 0.0 };
            let (x, end) = (x.round(), (x + width).round());
            let title = format!("{}: {}", histogram.label(at), counted(count));
            let colour = palette.mark(kind == 1);
            canvas.bar((x, top), (end - x, bottom - top), colour, &title);
        }
    }
}

/// A nim-value as a number on an axis.
fn narrow(value: NimValue) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

/// How many points fall on each spot of a fine grid.
struct Spots {
    columns: usize,
    rows: usize,
    /// The points on each spot, of the first and of the second kind, row by row from the least value.
    counts: Vec<[u32; 2]>,
    /// The most points on one spot, for the first and for the second kind.
    most: [u32; 2],
}

impl Spots {
    /// Counts for a picture of some width and height: columns of two pixels, and a row for each value or, if there
    /// are more values, for each two pixels.
    fn count(plot: &Plot, width: f32, height: f32) -> Spots {
        let columns = (width / 2.0) as usize;
        let rows = plot.span().min((height / 2.0) as NimValue) as usize;
        let mut counts = vec![[0u32; 2]; columns * rows];
        plot.each(|heap, value, second| {
            let spot = plot.row(value, rows) * columns + plot.column(heap, columns);
            let count = &mut counts[spot][usize::from(second)];
            *count = count.saturating_add(1);
        });
        let most = |kind: usize| counts.iter().map(|spot| spot[kind]).max().unwrap_or(0);
        Spots {
            columns,
            rows,
            most: [most(0), most(1)],
            counts,
        }
    }

    fn draw(&self, frame: &Frame, canvas: &mut dyn Canvas, palette: &Palette) {
        let (width, height) = (
            frame.width / self.columns as f32,
            frame.height / self.rows as f32,
        );
        let high = height.min(HIGHEST_SPOT);
        for (at, spot) in self.counts.iter().enumerate() {
            let (row, column) = (at / self.columns, at % self.columns);
            // Where points of both kinds fall on one spot the second kind is shown, because rare values are what the eye looks
            // for.
            let Some(kind) = [1, 0].into_iter().find(|&kind| spot[kind] > 0) else {
                continue;
            };
            let share = (spot[kind] as f32 / self.most[kind] as f32).sqrt();
            let colour = shade(palette.ramps[kind], share);
            let left = (frame.left + column as f32 * width).round();
            let right = (frame.left + (column + 1) as f32 * width).round();
            let middle = frame.bottom() - (row as f32 + 0.5) * height;
            let (top, bottom) = ((middle - high / 2.0).round(), (middle + high / 2.0).round());
            canvas.rectangle(left, top, right - left, bottom - top, colour);
        }
    }
}
