//! A file that a survey continues: it is shown to be a survey's before a byte of it changes.
//!
//! Every whole line must be one that a survey writes. What follows the last line end must be the beginning of such a
//! line, cut short by a full disk or a machine that went down; zeros may follow it, which some file systems leave.

use super::LineFormat;
use crate::app::error::Refused;
use crate::app::files::lines::{Lines, all};
use crate::game::catalogue;
use crate::sequence::survey::{Record, Status};
use anyhow::Context;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// No line of a survey is longer, in bytes.
const LONGEST: usize = 1 << 20;

/// The keys whose cells in CSV are text, whatever they look like.
const TEXTS: [&str; 7] = [
    "code",
    "standard_form",
    "status",
    "theorem",
    "engine",
    "version",
    "why",
];

/// What a file holds.
#[derive(Debug, Default)]
pub struct Done {
    /// How many values each game has; the largest number possible for a game that is proved or was given up.
    pub values: HashMap<String, u64>,
    /// How many games were given up for want of time or memory.
    pub given_up: u64,
    /// The bytes of the whole lines.
    pub whole: u64,
    /// Whether the beginning of another line follows the whole lines.
    pub is_cut: bool,
}

impl Done {
    /// Reads a survey's file.
    pub fn read(file: &mut File, format: LineFormat, path: &Path) -> anyhow::Result<Done> {
        let name = path.display();
        let unreadable = || format!("{name} can't be read");
        let whole = last_line_end(file).with_context(unreadable)?;
        let mut done = Done {
            whole,
            ..Done::default()
        };
        file.seek(SeekFrom::Start(0))?;
        let mut lines = Lines::bounded(Read::by_ref(file).take(whole), LONGEST);
        while let Some(batch) = lines.batch().with_context(unreadable)? {
            for (number, line) in batch.lines() {
                let line = line.ok_or_else(|| "it is too long".to_owned());
                let read = line.and_then(|line| done.take(line, number, format));
                read.map_err(|what| foreign(path, format, &format!("line {number}: {what}")))?;
            }
        }
        file.seek(SeekFrom::Start(whole))?;
        let tail = all(&*file, LONGEST as u64);
        let tail = tail.map_err(|_| foreign(path, format, "its last line is too long"))?;
        let zeros = tail.iter().rev().take_while(|&&byte| byte == 0).count();
        let text = &tail[..tail.len() - zeros];
        let is_ours = match text.is_empty() {
            true => whole > 0 || zeros == 0,
            false => is_beginning(text, format, whole > 0),
        };
        if !is_ours {
            let what = "its last line, which has no end, is not the beginning of one";
            return Err(foreign(path, format, what).into());
        }
        done.is_cut = !tail.is_empty();
        Ok(done)
    }

    fn take(&mut self, line: &[u8], number: u64, format: LineFormat) -> Result<(), String> {
        let text = std::str::from_utf8(line).map_err(|_| "it is not text in UTF-8".to_owned())?;
        let record: Record = match format {
            LineFormat::Csv if number == 1 => {
                let is_head = text == Record::KEYS.join(",");
                let what = "its first line does not name the columns of a survey".to_owned();
                return is_head.then_some(()).ok_or(what);
            }
            LineFormat::Ndjson => serde_json::from_str(text),
            LineFormat::Csv => serde_json::from_value(of_cells(text)?),
        }
        .map_err(|error| bare(&error))?;
        record.check().map_err(|fault| fault.to_string())?;
        let mut values = record.values;
        if record.why.is_some() {
            self.given_up += 1;
        }
        if record.why.is_some() || record.status == Status::Proved {
            values = u64::MAX;
        }
        let known = self.values.entry(record.code).or_default();
        *known = values.max(*known);
        Ok(())
    }

    /// How many games have fewer than `values` values, without those that are proved or were given up.
    pub fn below(&self, values: u64) -> usize {
        let few = |known: &&u64| **known < values;
        self.values.values().filter(few).count()
    }
}

/// The message of the JSON reader without the place, since the line's own place is told.
fn bare(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// The error that a file is not a survey's, so that it is not continued.
fn foreign(path: &Path, format: LineFormat, what: &str) -> Refused {
    let name = path.display();
    let form = match format {
        LineFormat::Ndjson => "--format ndjson",
        LineFormat::Csv => "--format csv",
    };
    Refused::Usage(format!(
        "{name} is not the file of a survey with {form}: {what}; nothing was changed\nhelp: --resume takes a new file, or one that a survey of this version and format wrote"
    ))
}

/// The place in bytes behind the last line end.
fn last_line_end(file: &mut File) -> io::Result<u64> {
    const BLOCK: u64 = 1 << 16;
    let mut end = file.metadata()?.len();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        let block = all(Read::by_ref(file).take(end - start), BLOCK)?;
        if let Some(at) = memchr::memrchr(b'\n', &block) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Whether a text is the beginning of a line that a survey writes: of the first line unless the file has lines already.
fn is_beginning(text: &[u8], format: LineFormat, has_lines: bool) -> bool {
    match format {
        LineFormat::Ndjson => is_object_begun(text),
        LineFormat::Csv if !has_lines => Record::KEYS.join(",").as_bytes().starts_with(text),
        LineFormat::Csv => std::str::from_utf8(text).is_ok_and(is_row_begun),
    }
}

/// Whether a text is the beginning of an object with the keys of a record, in their order; in version 0.2 that was the
/// order of the columns.
fn is_object_begun(text: &[u8]) -> bool {
    let others = Record::KEYS.into_iter().filter(|&key| key != "schema");
    let keys: Vec<&str> = ["schema", "kind"].into_iter().chain(others).collect();
    has_keys_begun(text, &keys) || has_keys_begun(text, &Record::KEYS)
}

fn has_keys_begun(mut text: &[u8], keys: &[&str]) -> bool {
    for (at, key) in keys.iter().enumerate() {
        let mark = if at == 0 { '{' } else { ',' };
        let head = format!("{mark}\"{key}\":");
        let Some(rest) = text.strip_prefix(head.as_bytes()) else {
            return head.as_bytes().starts_with(text);
        };
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => text = &rest[values.byte_offset()..],
            Some(Err(error)) => return error.is_eof() || is_number_begun(rest),
            None => return rest.is_empty(),
        }
    }
    b"}".starts_with(text)
}

/// Whether a text is a number that breaks off where a digit must follow, as `0.` and `1e-` do.
fn is_number_begun(text: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Number>(&[text, b"0"].concat()).is_ok()
}

/// Whether a text is the beginning of a line of cells, each but the last as a record has it.
fn is_row_begun(text: &str) -> bool {
    let (mut begun, last) = cells(text);
    if begun.len() >= Record::KEYS.len() {
        return false;
    }
    let is_code = |byte: u8| byte.is_ascii_graphic() && byte != b'"';
    if begun.is_empty() {
        return last.is_none_or(|code| code.bytes().all(is_code));
    }
    // The missing cells may have anything that a record allows: they are empty, except for the figures that every record has.
    let rest = [
        "0.1", "", "none", "", "", "", "", "", "", "", "", "", "", "", "0", "0", "", "0", "1", "",
    ];
    begun.extend(rest.iter().skip(begun.len()).map(ToString::to_string));
    let record: Result<Record, _> = serde_json::from_value(object(begun));
    record.is_ok_and(|record| catalogue::ruleset(&record.code).is_ok())
}

/// The JSON object of a record that is written as a line of cells.
fn of_cells(line: &str) -> Result<Value, String> {
    let (mut cells, last) = cells(line);
    cells.extend(last);
    if cells.len() != Record::KEYS.len() {
        return Err(format!(
            "it has {} cells, not {}",
            cells.len(),
            Record::KEYS.len()
        ));
    }
    Ok(object(cells))
}

fn object(cells: Vec<String>) -> Value {
    let value = |key: &str, cell: String| match cell.as_str() {
        "" => Value::Null,
        _ if TEXTS.contains(&key) => Value::String(cell),
        text => serde_json::from_str(text).unwrap_or(Value::String(cell)),
    };
    let keys = Record::KEYS.into_iter();
    let object: Map<String, Value> = keys
        .zip(cells)
        .map(|(key, cell)| (key.to_owned(), value(key, cell)))
        .collect();
    Value::Object(object)
}

/// The cells of a line (RFC 4180) that a comma follows, and the last cell if it is whole.
fn cells(line: &str) -> (Vec<String>, Option<String>) {
    let mut found = Vec::new();
    let mut rest = line;
    loop {
        let Some(mut quoted) = rest.strip_prefix('"') else {
            match rest.split_once(',') {
                Some((cell, after)) => {
                    found.push(cell.to_owned());
                    rest = after;
                    continue;
                }
                None => return (found, Some(rest.to_owned())),
            }
        };
        let mut cell = String::new();
        loop {
            let Some((part, after)) = quoted.split_once('"') else {
                return (found, None);
            };
            cell += part;
            quoted = after;
            let Some(after) = quoted.strip_prefix('"') else {
                break;
            };
            cell.push('"');
            quoted = after;
        }
        match quoted.strip_prefix(',') {
            Some(after) => {
                found.push(cell);
                rest = after;
            }
            None => return (found, quoted.is_empty().then_some(cell)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::cell;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_are_read_back(texts in prop::collection::vec("[0-9.,\"{}+ a-z]{0,12}", 1..5)) {
            let line: Vec<String> = texts.iter().map(|text| cell(&Value::from(text.clone()))).collect();
            let (mut found, last) = cells(&line.join(","));
            found.extend(last);
            prop_assert_eq!(found, texts);
        }
    }

    /// Every beginning of a line is recognised, and no other text is.
    #[test]
    fn the_beginning_of_a_line_is_told_from_other_texts() {
        let asked = crate::sequence::survey::Asked::new("0.{2,3}7".parse().unwrap());
        let found =
            crate::sequence::survey::Found::by(&asked, 300, crate::engine::Effort::default());
        let record = found.record(&asked, ToString::to_string);
        let line = serde_json::to_string(&record).unwrap();
        let object = serde_json::to_value(&record).unwrap();
        let row: Vec<String> = Record::KEYS.iter().map(|&key| cell(&object[key])).collect();
        let row = row.join(",");
        assert!(is_number_begun(b"0.") && is_number_begun(b"1e-") && !is_number_begun(b"x"));
        for (format, text) in [(LineFormat::Ndjson, &line), (LineFormat::Csv, &row)] {
            for end in 0..=text.len() {
                assert!(
                    is_beginning(&text.as_bytes()[..end], format, true),
                    "{}",
                    &text[..end]
                );
            }
            for other in [
                "my only notes",
                "[1,2]",
                "{\"name\":",
                "{\"code\":\"0.1\",\"lang",
                "0.1,0.1,my notes, and more",
                "\u{fffd}",
            ] {
                assert!(!is_beginning(other.as_bytes(), format, true), "{other}");
            }
        }
        assert!(is_beginning(b"code,stand", LineFormat::Csv, false));
        assert!(!is_beginning(b"0.1,0.1", LineFormat::Csv, false));
    }
}
