//! A canvas that becomes an SVG file, in which pointing at a point shows its pile and value.

use super::canvas::{Anchor, Canvas, Colour};
use std::fmt::Write as _;
use std::io::{self, Write};

pub struct Svg {
    size: (f32, f32),
    body: String,
}

impl Svg {
    pub fn new(width: u32, height: u32) -> Svg {
        Svg {
            size: (width as f32, height as f32),
            body: String::new(),
        }
    }

    /// Writes the picture with its title and a description, for those who can't see it.
    pub fn write(&self, title: &str, description: &str, out: &mut dyn Write) -> io::Result<()> {
        let (width, height) = self.size;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"'DejaVu Sans', Verdana, sans-serif\" \
             role=\"img\" aria-labelledby=\"title desc\">"
        )?;
        writeln!(out, "<title id=\"title\">{}</title>", escaped(title))?;
        writeln!(out, "<desc id=\"desc\">{}</desc>", escaped(description))?;
        out.write_all(self.body.as_bytes())?;
        writeln!(out, "</svg>")
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string can't fail.
        let _ = self.body.write_fmt(text);
        self.body.push('\n');
    }
}

impl Canvas for Svg {
    fn size(&self) -> (f32, f32) {
        self.size
    }

    fn mark(&mut self, second: bool, (x, y): (f32, f32), radius: f32, colour: Colour, title: &str) {
        let (fill, title) = (hexadecimal(colour), title_element(title));
        match second {
            false => self.line(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\">{title}</circle>"
            )),
            true => self.line(format_args!(
                "<path d=\"M{x:.1} {:.1}l{radius:.1} {radius:.1}l-{radius:.1} {radius:.1}l-{radius:.1} -{radius:.1}z\" \
                 fill=\"{fill}\">{title}</path>",
                y - radius
            )),
        }
    }

    fn bar(
        &mut self,
        (x, y): (f32, f32),
        (width, height): (f32, f32),
        colour: Colour,
        title: &str,
    ) {
        let fill = hexadecimal(colour);
        let end = match title_element(title) {
            none if none.is_empty() => "/>".to_owned(),
            title => format!(">{title}</rect>"),
        };
        self.line(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{fill}\"{end}"
        ));
    }

    fn text(&mut self, (x, y): (f32, f32), text: &str, size: f32, anchor: Anchor, colour: Colour) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (fill, text) = (hexadecimal(colour), escaped(text));
        self.line(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{text}</text>"
        ));
    }
}

fn hexadecimal([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The element that holds the text shown to a person who points at another element.
fn title_element(title: &str) -> String {
    match title {
        "" => String::new(),
        title => format!("<title>{}</title>", escaped(title)),
    }
}

/// The text as it may stand in XML, which forbids two characters that [`printable`](crate::printable::printable) leaves.
fn escaped(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
