//! The legend: the names of what is drawn, each behind its sign.

use super::Plot;
use super::canvas::{
    Anchor, Canvas, Colour, MARGIN, Palette, TEXT_SIZE, TITLE_SIZE, shade, text_width,
};
use super::words::grouped;

/// Draws the legend in as many lines as it needs. `most` is the most piles on one spot of the picture, of both kinds, if there
/// may be several. Returns where it ends.
pub fn draw(
    plot: &Plot,
    most: Option<[u32; 2]>,
    canvas: &mut dyn Canvas,
    palette: &Palette,
) -> f32 {
    let mut legend = Legend {
        x: MARGIN,
        y: MARGIN + TITLE_SIZE + 1.8 * TEXT_SIZE,
        canvas,
        palette,
    };
    for (kind, name) in plot.kinds().iter().enumerate() {
        let second = kind == 1;
        match most {
            None if plot.histogram => legend.swatch(second, name),
            None => legend.mark(second, name),
            Some(most) if most[kind] > 1 => {
                let most = grouped(most[kind]);
                legend.ramp(second, &format!("{name}: 1 to {most} piles on a spot"));
            }
            Some(most) if most[kind] == 1 => {
                legend.ramp(second, &format!("{name}: 1 pile on a spot"));
            }
            Some(_) => {}
        }
    }
    if let Some(cycle) = plot.marked() {
        if let Some(words) = plot.preperiod_words(cycle) {
            legend.band(palette.preperiod, &words);
        }
        legend.band(palette.period, &plot.period_words(cycle));
    }
    for words in plot.cycles_of_two().into_iter().chain(plot.outside_words()) {
        legend.words(&words);
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
    fn mark(&mut self, second: bool, name: &str) {
        let (x, y) = self.place(12.0, name);
        let middle = (x + 6.0, y - 0.36 * TEXT_SIZE);
        let colour = self.palette.mark(second);
        self.canvas.mark(second, middle, 5.0, colour, "");
    }

    /// Draws a square in the colour of a bar, with its name.
    fn swatch(&mut self, second: bool, name: &str) {
        let (x, y) = self.place(13.0, name);
        let colour = self.palette.mark(second);
        self.canvas.rectangle(x, y - 12.0, 13.0, 13.0, colour);
    }

    fn band(&mut self, colour: Colour, name: &str) {
        let (x, y) = self.place(22.0, name);
        let edge = self.palette.faint_ink;
        self.canvas.rectangle(x, y - 13.0, 22.0, 15.0, edge);
        self.canvas.rectangle(x + 1.0, y - 12.0, 20.0, 13.0, colour);
    }

    fn ramp(&mut self, second: bool, name: &str) {
        const STEPS: usize = 24;
        let (x, y) = self.place(4.0 * STEPS as f32, name);
        for step in 0..STEPS {
            let share = step as f32 / (STEPS - 1) as f32;
            let colour = shade(self.palette.ramps[usize::from(second)], share);
            let x = x + 4.0 * step as f32;
            self.canvas.rectangle(x, y - 12.0, 4.0, 13.0, colour);
        }
    }

    fn words(&mut self, words: &str) {
        self.place(-8.0, words);
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
