//! A canvas of pixels that becomes a PNG file.

use super::canvas::{Anchor, Canvas, Colour, FONT, font_height, text_width};
use ab_glyph::{Font, ScaleFont, point};
use std::io::{self, Write};

pub struct Raster {
    width: u32,
    height: u32,
    /// Red, green and blue of each pixel, row by row.
    pixels: Vec<u8>,
}

impl Raster {
    /// A black canvas.
    pub fn new(width: u32, height: u32) -> io::Result<Raster> {
        let bytes = 3 * width as usize * height as usize;
        let mut pixels = Vec::new();
        pixels.try_reserve_exact(bytes).map_err(io::Error::other)?;
        pixels.resize(bytes, 0);
        Ok(Raster {
            width,
            height,
            pixels,
        })
    }

    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(io_error)?;
        writer.write_image_data(&self.pixels).map_err(io_error)?;
        writer.finish().map_err(io_error)
    }

    /// Lays a colour over a pixel, which it covers to the share `cover`, from 0 to 1.
    fn blend(&mut self, x: i32, y: i32, colour: Colour, cover: f32) {
        let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        if !inside || cover <= 0.0 {
            return;
        }
        let at = 3 * (y as usize * self.width as usize + x as usize);
        let cover = cover.min(1.0);
        for (pixel, new) in self.pixels[at..at + 3].iter_mut().zip(colour) {
            let old = f32::from(*pixel);
            *pixel = (old + (f32::from(new) - old) * cover).round() as u8;
        }
    }
}

/// The system's error within an error of the PNG crate, which tells a closed pipe from a full disk.
fn io_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        error => io::Error::other(error),
    }
}

impl Canvas for Raster {
    fn size(&self) -> (f32, f32) {
        (self.width as f32, self.height as f32)
    }

    fn bar(&mut self, (x, y): (f32, f32), (width, height): (f32, f32), colour: Colour, _: &str) {
        // Edges between pixels are rounded: a line is a pixel wide and sharp.
        let (left, top) = (x.round() as i32, y.round() as i32);
        let right = (x + width).round().max(x.round() + 1.0) as i32;
        let bottom = (y + height).round().max(y.round() + 1.0) as i32;
        for y in top.max(0)..bottom.min(self.height as i32) {
            for x in left.max(0)..right.min(self.width as i32) {
                self.blend(x, y, colour, 1.0);
            }
        }
    }

    fn mark(&mut self, second: bool, (x, y): (f32, f32), radius: f32, colour: Colour, _: &str) {
        let reach = radius + 1.0;
        for py in (y - reach).floor() as i32..=(y + reach).ceil() as i32 {
            for px in (x - reach).floor() as i32..=(x + reach).ceil() as i32 {
                let (dx, dy) = (px as f32 + 0.5 - x, py as f32 + 0.5 - y);
                let distance = match second {
                    false => dx.hypot(dy),
                    true => dx.abs() + dy.abs(),
                };
                self.blend(px, py, colour, radius + 0.5 - distance);
            }
        }
    }

    fn text(&mut self, (x, y): (f32, f32), text: &str, size: f32, anchor: Anchor, colour: Colour) {
        let Some(font) = &*FONT else { return };
        let scaled = font.as_scaled(size * font_height(font));
        let mut x = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - text_width(text, size) / 2.0,
            Anchor::End => x - text_width(text, size),
        };
        for letter in text.chars() {
            let id = scaled.glyph_id(letter);
            let glyph = id.with_scale_and_position(scaled.scale(), point(x, y));
            x += scaled.h_advance(id);
            if let Some(outline) = font.outline_glyph(glyph) {
                let corner = outline.px_bounds().min;
                outline.draw(|dx, dy, cover| {
                    let (x, y) = (corner.x as i32 + dx as i32, corner.y as i32 + dy as i32);
                    self.blend(x, y, colour, cover);
                });
            }
        }
    }
}
