//! One JSON object on one line.

use super::Writer;
use crate::grundy::NimValue;
use std::io::{self, Write};

pub struct Json<'a> {
    game: &'a str,
    from: u64,
}

impl Json<'_> {
    pub fn new(game: &str, from: u64) -> Json<'_> {
        Json { game, from }
    }
}

impl Writer for Json<'_> {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let game = serde_json::to_string(self.game)?;
        let schema = crate::app::report::json::SCHEMA;
        write!(
            out,
            "{{\"schema\":{schema},\"kind\":\"values\",\"game\":{game},\"from\":{},\"values\":[",
            self.from
        )
    }

    fn block(&mut self, out: &mut dyn Write, heap: u64, values: &[NimValue]) -> io::Result<()> {
        for (heap, value) in (heap..=u64::MAX).zip(values) {
            let comma = if heap == self.from { "" } else { "," };
            write!(out, "{comma}{value}")?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "]}}")
    }
}
