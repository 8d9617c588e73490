//! Where the lines of a survey go: standard output, or a file that a later survey goes on with.
//!
//! A line is written by one call and flushed. A file's last line may still have been cut short, by a full disk or a
//! machine that went down: it is dropped when the survey goes on, and its game done again.

use crate::app::files::lines::Lines;
use crate::app::report::style::note;
use crate::error::Error;
use crate::sequence::survey::{Record, SCHEMA};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LineFormat {
    /// A JSON object
    Ndjson,
    /// Comma-separated cells, after a line with their names
    Csv,
}

/// Takes the lines.
pub struct Out {
    file: Option<(PathBuf, File)>,
    format: LineFormat,
    /// Whether the names of the cells are still to be written.
    headless: bool,
}

/// What a survey that goes on needs of a line.
#[derive(Deserialize)]
struct Done {
    code: String,
    schema: u32,
}

impl Out {
    /// Opens the file, made if it isn't there, or standard output if none is named; and the codes that have a line.
    ///
    /// # Errors
    /// If the file can't be read and written, another survey is writing it, or it holds anything else.
    pub fn open(file: Option<&Path>, format: LineFormat) -> anyhow::Result<(Out, HashSet<String>)> {
        let mut out = Out {
            file: None,
            format,
            headless: format == LineFormat::Csv,
        };
        let Some(path) = file else {
            return Ok((out, HashSet::new()));
        };
        let name = path.display();
        let mut options = OpenOptions::new();
        let open = options.read(true).append(true).create(true).open(path);
        let mut file = open.with_context(|| format!("{name} can't be written"))?;
        if !file.metadata()?.is_file() {
            let text = format!("{name} is no file that a survey could go on with");
            return Err(Error::Usage(text).into());
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let text =
                    format!("another survey is writing {name}; each share has a file of its own");
                return Err(Error::Usage(text).into());
            }
            // A file system without locks is no reason to stop.
            Err(TryLockError::Error(_)) => {}
        }
        drop_cut_line(&mut file, path).with_context(|| format!("{name} can't be read"))?;
        let done = done(&mut file, format, path)?;
        out.headless &= file.metadata()?.len() == 0;
        out.file = Some((path.to_owned(), file));
        Ok((out, done))
    }

    /// Writes a record.
    ///
    /// # Errors
    /// If it can't be written; what was written before stays.
    pub fn write(&mut self, record: &Record) -> anyhow::Result<()> {
        self.write_any(record, &Record::KEYS)
    }

    /// Writes anything with these keys, which must be those that it has.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write_any(&mut self, line: &impl Serialize, keys: &[&str]) -> anyhow::Result<()> {
        let mut text = String::new();
        if std::mem::take(&mut self.headless) {
            text = keys.join(",") + "\n";
        }
        match self.format {
            LineFormat::Ndjson => text += &serde_json::to_string(line)?,
            LineFormat::Csv => {
                let line = serde_json::to_value(line)?;
                let cells: Vec<String> = keys.iter().map(|&key| cell(&line[key])).collect();
                text += &cells.join(",");
            }
        }
        text.push('\n');
        match &mut self.file {
            Some((path, file)) => file.write_all(text.as_bytes()).with_context(|| {
                let path = path.display();
                format!("{path} can't be written; the games before are in it, and the same command goes on from there")
            }),
            None => {
                let mut out = io::stdout().lock();
                Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
            }
        }
    }

    /// Sees to it that the file is on the disk.
    ///
    /// # Errors
    /// If it can't be.
    pub fn end(self) -> anyhow::Result<()> {
        match self.file {
            Some((path, file)) => file
                .sync_all()
                .with_context(|| format!("{} can't be written", path.display())),
            None => Ok(()),
        }
    }
}

/// A cell of a CSV line (RFC 4180).
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Cuts off what follows the last end of a line.
fn drop_cut_line(file: &mut File, path: &Path) -> io::Result<()> {
    const BLOCK: u64 = 1 << 16;
    let length = file.metadata()?.len();
    let mut end = length;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        Read::by_ref(file)
            .take(end - start)
            .read_to_end(&mut block)?;
        if let Some(at) = memchr::memrchr(b'\n', &block) {
            end = start + at as u64 + 1;
            break;
        }
        end = start;
    }
    if end < length {
        file.set_len(end)?;
        note(format_args!(
            "the last line of {} was cut short: it is dropped and done again",
            path.display()
        ));
    }
    Ok(())
}

/// The codes that a file has lines of.
fn done(file: &mut File, format: LineFormat, path: &Path) -> anyhow::Result<HashSet<String>> {
    let name = path.display();
    file.seek(SeekFrom::Start(0))?;
    let mut done = HashSet::new();
    let mut lines = Lines::new(file);
    while let Some(batch) = lines
        .batch()
        .with_context(|| format!("{name} can't be read"))?
    {
        for (number, line) in batch.lines() {
            let text = line.and_then(|line| std::str::from_utf8(line).ok());
            let code = text.and_then(|text| match format {
                LineFormat::Ndjson => {
                    let done: Done = serde_json::from_str(text).ok()?;
                    (done.schema == SCHEMA).then_some(done.code)
                }
                LineFormat::Csv if number == 1 => {
                    (text == Record::KEYS.join(",")).then(String::new)
                }
                LineFormat::Csv => first_cell(text),
            });
            let code = code.ok_or_else(|| {
                let form = match format {
                    LineFormat::Ndjson => {
                        "a line of a survey (of another version, or of --format csv?)"
                    }
                    LineFormat::Csv => "a line of a survey in CSV",
                };
                Error::Usage(format!(
                    "line {number} of {name} is not {form}; nothing was changed"
                ))
            })?;
            done.insert(code);
        }
    }
    Ok(done)
}

fn first_cell(line: &str) -> Option<String> {
    let Some(quoted) = line.strip_prefix('"') else {
        return Some(line.split_once(',')?.0.to_owned());
    };
    let mut text = String::new();
    let mut rest = quoted;
    loop {
        let (part, after) = rest.split_once('"')?;
        text += part;
        match after.strip_prefix('"') {
            Some(after) => {
                text.push('"');
                rest = after;
            }
            None => return after.starts_with(',').then_some(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_cell_is_read_back(code in "[0-9.,\"{}+ ]{1,12}", why in "[a-z,\" ]{0,9}") {
            let cells = [cell(&Value::from(code.clone())), cell(&Value::from(why))];
            let rest = ",".repeat(Record::KEYS.len() - 2);
            prop_assert_eq!(first_cell(&format!("{}{rest}{}", cells[0], cells[1])), Some(code));
        }
    }
}
