//! The surface that a picture is drawn on, with rectangles, marks and words; and the colours.

use ab_glyph::{Font, FontRef, ScaleFont};
use std::sync::LazyLock;

pub const TITLE_SIZE: f32 = 21.0;
pub const TEXT_SIZE: f32 = 15.0;
pub const TICK_SIZE: f32 = 14.0;
pub const MARGIN: f32 = 24.0;

/// A colour as red, green and blue.
pub type Colour = [u8; 3];

/// DejaVu Sans, whose letters are as wide as those of Verdana, to the end of Latin Extended-A. Other letters are boxes.
pub static FONT: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(include_bytes!("font/DejaVuSans.ttf")).ok());

/// The end of a word that stands at the point given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Something to draw on. Lengths are in pixels, from the top left corner.
pub trait Canvas {
    fn size(&self) -> (f32, f32);
    fn rectangle(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        self.bar((x, y), (width, height), colour, "");
    }
    /// Draws the mark of a point of the first kind, a disc, or of the second, a diamond, with its middle at a place; where the
    /// format allows, `title` is shown to a person who points at it.
    fn mark(&mut self, second: bool, at: (f32, f32), radius: f32, colour: Colour, title: &str);
    /// Draws a rectangle with a title, which may be empty, by its corner and its size.
    fn bar(&mut self, corner: (f32, f32), size: (f32, f32), colour: Colour, title: &str);
    /// Writes a word whose baseline is at the height of the point.
    fn text(&mut self, at: (f32, f32), text: &str, size: f32, anchor: Anchor, colour: Colour);
}

/// How wide a word is.
pub fn text_width(text: &str, size: f32) -> f32 {
    let Some(font) = &*FONT else {
        return 0.6 * size * text.len() as f32;
    };
    let font = font.as_scaled(size * font_height(font));
    text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum()
}

/// The height of a line in units of the font's em: ab_glyph scales by this height, where others scale by the em.
pub fn font_height(font: &FontRef<'_>) -> f32 {
    font.units_per_em()
        .map_or(1.0, |em| font.height_unscaled() / em)
}

/// The theme of a picture: light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Theme {
    /// Dark on white
    #[default]
    Light,
    /// Light on black
    Dark,
}

/// The colours of a theme. Blue and orange are told apart by nearly everybody.
pub struct Palette {
    pub paper: Colour,
    pub ink: Colour,
    pub faint_ink: Colour,
    pub grid: Colour,
    pub preperiod: Colour,
    pub period: Colour,
    /// The colours from few points to many, of the first and of the second kind.
    pub ramps: [[Colour; 3]; 2],
}

impl Palette {
    /// The colour of a single point.
    pub fn mark(&self, second: bool) -> Colour {
        self.ramps[usize::from(second)][1]
    }
}

/// A colour of a ramp, from its first at 0 to its last at 1.
pub fn shade([few, some, many]: [Colour; 3], share: f32) -> Colour {
    let (from, to, share) = match share {
        ..0.5 => (few, some, 2.0 * share),
        _ => (some, many, 2.0 * share - 1.0),
    };
    let mix =
        |from: u8, to: u8| (f32::from(from) + (f32::from(to) - f32::from(from)) * share) as u8;
    [0, 1, 2].map(|part| mix(from[part], to[part]))
}

impl Theme {
    /// The colours of the theme.
    pub(super) fn palette(self) -> Palette {
        match self {
            Theme::Light => Palette {
                paper: [255, 255, 255],
                ink: [28, 32, 38],
                faint_ink: [92, 100, 110],
                grid: [226, 230, 235],
                preperiod: [252, 240, 216],
                period: [236, 242, 248],
                ramps: [
                    [[188, 214, 238], [31, 105, 178], [6, 32, 84]],
                    [[250, 205, 160], [217, 84, 10], [110, 32, 2]],
                ],
            },
            Theme::Dark => Palette {
                paper: [19, 22, 27],
                ink: [232, 234, 237],
                faint_ink: [160, 168, 178],
                grid: [45, 51, 60],
                preperiod: [56, 46, 26],
                period: [28, 36, 48],
                ramps: [
                    [[26, 62, 104], [92, 165, 236], [216, 238, 255]],
                    [[92, 48, 12], [250, 154, 56], [255, 236, 206]],
                ],
            },
        }
    }
}
