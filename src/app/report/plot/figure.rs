//! The drawing: title, legend, axes, the bands of preperiod and period, and the points or their density.

use super::canvas::{Anchor, Canvas, Colour, Mark, Palette, Theme, text_width};
use super::{Cycle, MOST_POINTS, Plot, grouped, period_words, preperiod_words, rare_words, ticks};
use crate::grundy::NimValue;

const TITLE_SIZE: f32 = 21.0;
const TEXT_SIZE: f32 = 15.0;
const TICK_SIZE: f32 = 14.0;
const MARGIN: f32 = 24.0;

/// No band of one nim-value is drawn higher, so that few values don't become broad bars.
const HIGHEST_SPOT: f32 = 9.0;

/// Draws a picture.
pub fn draw(plot: &Plot, canvas: &mut dyn Canvas, theme: Theme) {
    let palette = theme.palette();
    let (width, height) = canvas.size();
    canvas.rectangle(0.0, 0.0, width, height, palette.paper);
    let first = grouped(plot.from);
    let title = format!(
        "{}: nim-values of the piles {first} to {}",
        plot.game,
        grouped(plot.to)
    );
    let at = (MARGIN, MARGIN + 0.8 * TITLE_SIZE);
    canvas.text(at, &title, TITLE_SIZE, Anchor::Start, palette.ink);

    let spots = (plot.points() > MOST_POINTS).then(|| Spots::count(plot, width, height));
    let below_legend = legend(plot, spots.as_ref(), canvas, &palette);
    let frame = Frame::new(plot, canvas.size(), below_legend);
    frame.bands(plot, canvas, &palette);
    frame.axes(canvas, &palette);
    match spots {
        Some(spots) => spots.draw(&frame, canvas, &palette),
        None => frame.points(plot, canvas, &palette),
    }
}

/// The names of what is drawn, in as many lines as they need. Returns where they end.
fn legend(plot: &Plot, spots: Option<&Spots>, canvas: &mut dyn Canvas, palette: &Palette) -> f32 {
    let mut legend = Legend {
        x: MARGIN,
        y: MARGIN + TITLE_SIZE + 1.8 * TEXT_SIZE,
        canvas,
        palette,
    };
    for rare in [false, true] {
        let name = match (plot.split, rare) {
            (None, true) => continue,
            (None, false) => "nim-value".to_owned(),
            (Some(_), false) => "common value".to_owned(),
            (Some(_), true) => rare_words(plot.rare),
        };
        match spots {
            None => legend.mark(rare, &name),
            Some(spots) if spots.most[usize::from(rare)] > 0 => {
                let most = grouped(spots.most[usize::from(rare)]);
                legend.ramp(rare, &format!("{name}: 1 to {most} piles per pixel"));
            }
            Some(_) => {}
        }
    }
    if let Some(cycle) = &plot.cycle {
        let period = &cycle.period;
        if plot.from < period.preperiod
            && let Some(words) = preperiod_words(cycle)
        {
            legend.band(palette.preperiod, &words);
        }
        if plot.to >= period.preperiod {
            legend.band(palette.period, &period_words(cycle));
        }
    }
    legend.y
}

struct Legend<'c> {
    x: f32,
    y: f32,
    canvas: &'c mut dyn Canvas,
    palette: &'c Palette,
}

impl Legend<'_> {
    fn mark(&mut self, rare: bool, name: &str) {
        let (x, y) = self.place(12.0, name);
        let middle = (x + 6.0, y - 0.36 * TEXT_SIZE);
        let colour = self.palette.mark(rare);
        self.canvas.mark(mark(rare), middle, 5.0, colour, "");
    }

    fn band(&mut self, colour: Colour, name: &str) {
        let (x, y) = self.place(22.0, name);
        let edge = self.palette.faint_ink;
        self.canvas.rectangle(x, y - 13.0, 22.0, 15.0, edge);
        self.canvas.rectangle(x + 1.0, y - 12.0, 20.0, 13.0, colour);
    }

    fn ramp(&mut self, rare: bool, name: &str) {
        const STEPS: usize = 24;
        let (x, y) = self.place(4.0 * STEPS as f32, name);
        for step in 0..STEPS {
            let share = step as f32 / (STEPS - 1) as f32;
            let colour = shade(self.palette.ramps[usize::from(rare)], share);
            let x = x + 4.0 * step as f32;
            self.canvas.rectangle(x, y - 12.0, 4.0, 13.0, colour);
        }
    }

    /// Writes a name with room for its sign before it, on the next line if this one is full. Returns the sign's
    /// place.
    fn place(&mut self, sign: f32, name: &str) -> (f32, f32) {
        let width = sign + 8.0 + text_width(name, TEXT_SIZE);
        if self.x > MARGIN && self.x + width + MARGIN > self.canvas.size().0 {
            self.x = MARGIN;
            self.y += 1.6 * TEXT_SIZE;
        }
        let place = (self.x, self.y);
        let at = (self.x + sign + 8.0, self.y);
        self.canvas
            .text(at, name, TEXT_SIZE, Anchor::Start, self.palette.ink);
        self.x += width + 28.0;
        place
    }
}

fn mark(rare: bool) -> Mark {
    if rare { Mark::Diamond } else { Mark::Disc }
}

/// A colour of a ramp, from its first at 0 to its last at 1.
fn shade([few, some, many]: [Colour; 3], share: f32) -> Colour {
    let (from, to, share) = match share {
        ..0.5 => (few, some, 2.0 * share),
        _ => (some, many, 2.0 * share - 1.0),
    };
    let mix =
        |from: u8, to: u8| (f32::from(from) + (f32::from(to) - f32::from(from)) * share) as u8;
    [0, 1, 2].map(|part| mix(from[part], to[part]))
}

/// Where the points lie.
struct Frame {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
    from: u64,
    points: f32,
    values: f32,
    heap_ticks: Vec<u64>,
    value_ticks: Vec<u64>,
}

impl Frame {
    fn new(plot: &Plot, (width, height): (f32, f32), below_legend: f32) -> Frame {
        let top = below_legend + 3.4 * TEXT_SIZE;
        let bottom = height - 2.0 * MARGIN - TICK_SIZE;
        let largest = u64::try_from(plot.largest).unwrap_or(u64::MAX);
        let value_ticks = ticks(0, largest, ((bottom - top) / 55.0) as u64);
        let widths = value_ticks
            .iter()
            .map(|&tick| text_width(&grouped(tick), TICK_SIZE));
        let left = MARGIN + widths.fold(0.0, f32::max) + 10.0;
        let label = text_width(&grouped(plot.to), TICK_SIZE);
        let width = width - left - MARGIN.max(label / 2.0 + 8.0);
        let wanted = width / (label + 50.0).max(90.0);
        Frame {
            left,
            top,
            width,
            height: bottom - top,
            from: plot.from,
            points: plot.points() as f32,
            values: largest as f32 + 1.0,
            heap_ticks: ticks(plot.from, plot.to, wanted as u64),
            value_ticks,
        }
    }

    /// The left edge of a heap's place.
    fn x(&self, heap: u64) -> f32 {
        self.left + heap.saturating_sub(self.from) as f32 / self.points * self.width
    }

    fn middle(&self, heap: u64) -> f32 {
        self.x(heap) + self.width / self.points / 2.0
    }

    fn y(&self, value: NimValue) -> f32 {
        self.top + self.height * (1.0 - (value as f32 + 0.5) / self.values)
    }

    fn bottom(&self) -> f32 {
        self.top + self.height
    }

    /// Preperiod and period; every other period is left white if they are wide enough to be seen.
    fn bands(&self, plot: &Plot, canvas: &mut dyn Canvas, palette: &Palette) {
        let Some(Cycle { period, .. }) = &plot.cycle else {
            return;
        };
        let end = self.left + self.width;
        let mut band = |from: u64, to: u64, colour: Colour| {
            let (x, end) = (self.x(from), self.x(to).min(end));
            if end > x {
                canvas.rectangle(x, self.top, end - x, self.height, colour);
            }
        };
        band(0, period.preperiod, palette.preperiod);
        let wide = period.period as f32 * self.width / self.points >= 5.0;
        let after = plot.to.saturating_add(1);
        let (length, step) = match wide {
            true => (period.period, 2 * period.period),
            false => (after, after),
        };
        let mut from = period.preperiod;
        if wide && plot.from > from {
            from += (plot.from - from) / step * step;
        }
        while from < after {
            band(from, from.saturating_add(length), palette.period);
            from = from.saturating_add(step);
        }
        if plot.from < period.preperiod && period.preperiod <= plot.to {
            let x = self.x(period.preperiod);
            canvas.rectangle(x, self.top, 1.0, self.height, palette.faint_ink);
        }
    }

    fn axes(&self, canvas: &mut dyn Canvas, palette: &Palette) {
        for &tick in &self.value_ticks {
            let y = self.y(tick.into());
            canvas.rectangle(self.left, y, self.width, 1.0, palette.grid);
            let at = (self.left - 9.0, y + 0.36 * TICK_SIZE);
            canvas.text(at, &grouped(tick), TICK_SIZE, Anchor::End, palette.ink);
        }
        for &tick in &self.heap_ticks {
            let x = self.middle(tick);
            canvas.rectangle(x, self.bottom(), 1.0, 6.0, palette.faint_ink);
            let at = (x, self.bottom() + 9.0 + TICK_SIZE);
            canvas.text(at, &grouped(tick), TICK_SIZE, Anchor::Middle, palette.ink);
        }
        canvas.rectangle(self.left, self.bottom(), self.width, 1.0, palette.faint_ink);
        canvas.rectangle(self.left, self.top, 1.0, self.height, palette.faint_ink);
        let at = (MARGIN, self.top - 0.9 * TEXT_SIZE);
        canvas.text(at, "g(n)", TEXT_SIZE, Anchor::Start, palette.faint_ink);
        let at = (self.left + self.width / 2.0, canvas.size().1 - 0.7 * MARGIN);
        canvas.text(at, "pile n", TEXT_SIZE, Anchor::Middle, palette.faint_ink);
    }

    /// A mark for each heap, the rare ones on top.
    fn points(&self, plot: &Plot, canvas: &mut dyn Canvas, palette: &Palette) {
        let radius = (0.7 * self.width / self.points).clamp(1.6, 4.5);
        for rare in [false, true] {
            let radius = if rare { 1.35 * radius } else { radius };
            plot.each(|heap, value| {
                if plot.is_rare(heap, value) == rare {
                    let at = (self.middle(heap), self.y(value));
                    let title = format!("g({heap}) = {value}");
                    canvas.mark(mark(rare), at, radius, palette.mark(rare), &title);
                }
            });
        }
    }
}

/// How many points fall on each spot of a fine grid.
struct Spots {
    columns: usize,
    rows: usize,
    /// Common and rare, row by row from value 0.
    counts: Vec<[u32; 2]>,
    /// The most on one spot, common and rare.
    most: [u32; 2],
}

impl Spots {
    /// Counts for a picture of some width and height: columns of two pixels, and a row for each value or, if there
    /// are more values, for each two pixels.
    fn count(plot: &Plot, width: f32, height: f32) -> Spots {
        let columns = (width / 2.0) as u64;
        let rows = plot
            .largest
            .saturating_add(1)
            .min((height / 2.0) as NimValue);
        let points = plot.points();
        let mut counts = vec![[0u32; 2]; columns as usize * rows as usize];
        plot.each(|heap, value| {
            let column = u128::from(heap - plot.from) * u128::from(columns) / u128::from(points);
            let row = value * rows / (plot.largest + 1);
            let spot = &mut counts[row as usize * columns as usize + column as usize];
            let count = &mut spot[usize::from(plot.is_rare(heap, value))];
            *count = count.saturating_add(1);
        });
        let most = |class: usize| counts.iter().map(|spot| spot[class]).max().unwrap_or(0);
        Spots {
            columns: columns as usize,
            rows: rows as usize,
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
            // Where both kinds fall on one spot the rare one shows: it is what the eye looks for.
            let Some(class) = [1, 0].into_iter().find(|&class| spot[class] > 0) else {
                continue;
            };
            let share = (spot[class] as f32 / self.most[class] as f32).sqrt();
            let colour = shade(palette.ramps[class], share);
            let left = (frame.left + column as f32 * width).round();
            let right = (frame.left + (column + 1) as f32 * width).round();
            let middle = frame.bottom() - (row as f32 + 0.5) * height;
            let (top, bottom) = ((middle - high / 2.0).round(), (middle + high / 2.0).round());
            canvas.rectangle(left, top, right - left, bottom - top, colour);
        }
    }
}
