//! The axes of a picture, and the places of points between them.

use super::Plot;
use super::canvas::{Anchor, Canvas, Colour, MARGIN, Palette, TEXT_SIZE, TICK_SIZE, text_width};
use super::words::{grouped, ticks};

/// One axis: the whole numbers from `from` to `to`, and the name of what they count.
pub struct Axis {
    pub from: u64,
    pub to: u64,
    pub name: String,
}

impl Axis {
    fn numbers(&self) -> f32 {
        (self.to - self.from) as f32 + 1.0
    }
}

/// The area in which the points lie. Every number on the horizontal axis has a column. A number on the vertical axis has a row,
/// or a height if it is an amount.
pub struct Frame {
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    across: Axis,
    up: Axis,
    is_amount: bool,
    ticks_across: Vec<u64>,
    ticks_up: Vec<u64>,
}

impl Frame {
    pub fn new(
        (across, up): (Axis, Axis),
        is_amount: bool,
        (width, height): (f32, f32),
        below_legend: f32,
    ) -> Frame {
        let top = below_legend + 3.4 * TEXT_SIZE;
        let bottom = height - 2.0 * MARGIN - TICK_SIZE;
        let ticks_up = ticks(up.from, up.to, ((bottom - top) / 32.0) as u64);
        let widths = ticks_up
            .iter()
            .map(|&tick| text_width(&grouped(tick), TICK_SIZE));
        let left = MARGIN + widths.fold(0.0, f32::max) + 10.0;
        let label = text_width(&grouped(across.to), TICK_SIZE);
        let width = width - left - MARGIN.max(label / 2.0 + 8.0);
        let wanted = width / (label + 50.0).max(90.0);
        Frame {
            left,
            top,
            width,
            height: bottom - top,
            is_amount,
            ticks_across: ticks(across.from, across.to, wanted as u64),
            ticks_up,
            across,
            up,
        }
    }

    /// The left edge of a number's column.
    pub fn x(&self, number: u64) -> f32 {
        let past = number.saturating_sub(self.across.from) as f32;
        self.left + past * self.column()
    }

    /// How wide the column of a number is.
    pub fn column(&self) -> f32 {
        self.width / self.across.numbers()
    }

    /// The middle of a number's column.
    pub fn middle(&self, number: u64) -> f32 {
        self.x(number) + self.column() / 2.0
    }

    /// The middle of a number's row, or the height of an amount.
    pub fn y(&self, number: u64) -> f32 {
        let past = number.saturating_sub(self.up.from) as f32;
        let share = match self.is_amount {
            true => past / (self.up.to - self.up.from).max(1) as f32,
            false => (past + 0.5) / self.up.numbers(),
        };
        self.top + self.height * (1.0 - share)
    }

    pub fn bottom(&self) -> f32 {
        self.top + self.height
    }

    /// Draws the bands of preperiod and period; every other period is left white if a period is more than one pile and wide
    /// enough to be seen.
    pub fn bands(&self, plot: &Plot, canvas: &mut dyn Canvas, palette: &Palette) {
        let Some(cycle) = plot.marked() else {
            return;
        };
        let period = cycle.period;
        let end = self.left + self.width;
        let mut band = |from: u64, to: u64, colour: Colour| {
            let (x, end) = (self.x(from), self.x(to).min(end));
            if end > x {
                canvas.rectangle(x, self.top, end - x, self.height, colour);
            }
        };
        band(0, period.preperiod, palette.preperiod);
        let wide = period.period > 1 && period.period as f32 * self.column() >= 5.0;
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

    pub fn axes(&self, canvas: &mut dyn Canvas, palette: &Palette) {
        for &tick in &self.ticks_up {
            let y = self.y(tick);
            canvas.rectangle(self.left, y, self.width, 1.0, palette.grid);
            let at = (self.left - 9.0, y + 0.36 * TICK_SIZE);
            canvas.text(at, &grouped(tick), TICK_SIZE, Anchor::End, palette.ink);
        }
        for &tick in &self.ticks_across {
            let x = self.middle(tick);
            canvas.rectangle(x, self.bottom(), 1.0, 6.0, palette.faint_ink);
            let at = (x, self.bottom() + 9.0 + TICK_SIZE);
            canvas.text(at, &grouped(tick), TICK_SIZE, Anchor::Middle, palette.ink);
        }
        canvas.rectangle(self.left, self.bottom(), self.width, 1.0, palette.faint_ink);
        canvas.rectangle(self.left, self.top, 1.0, self.height, palette.faint_ink);
        let at = (MARGIN, self.top - 0.9 * TEXT_SIZE);
        canvas.text(
            at,
            &self.up.name,
            TEXT_SIZE,
            Anchor::Start,
            palette.faint_ink,
        );
        let at = (self.left + self.width / 2.0, canvas.size().1 - 0.7 * MARGIN);
        let name = &self.across.name;
        canvas.text(at, name, TEXT_SIZE, Anchor::Middle, palette.faint_ink);
    }
}
