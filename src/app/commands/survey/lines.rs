//! Where the lines of a survey go: standard output, or a file that a later survey continues.
//!
//! A line is written by one call and flushed. A file's last line may still have been cut short, by a full disk or a
//! machine that went down: it is dropped when the survey goes on, and its game done again.

use super::LineFormat;
use super::resume::Done;
use crate::app::error::refuse;
use crate::app::files::remove_empty;
use crate::app::report::style::note;
use crate::printable::joined;
use crate::sequence::survey::Record;
use anyhow::Context;
use serde::Serialize;
use serde_json::Value;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes the lines.
pub struct Out {
    file: Option<(PathBuf, File)>,
    /// Whether there was no such file before.
    is_new: bool,
    format: LineFormat,
    /// Whether the names of the columns are still to be written.
    headless: bool,
}

impl Out {
    /// Opens the file, made if it isn't there, or standard output if none is named; and what it holds.
    ///
    /// # Errors
    /// If the file can't be read and written, another survey is writing it, or it isn't a survey's.
    pub fn open(file: Option<&Path>, format: LineFormat) -> anyhow::Result<(Out, Done)> {
        let mut out = Out {
            file: None,
            is_new: file.is_some_and(|path| !path.exists()),
            format,
            headless: format == LineFormat::Csv,
        };
        let Some(path) = file else {
            return Ok((out, Done::default()));
        };
        let name = path.display();
        let mut file = open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                refuse!("another survey is writing {name}; each share has a file of its own");
            }
            // A file system without locks is no reason to stop.
            Err(TryLockError::Error(_)) => {}
        }
        let done = Done::read(&mut file, format, path)?;
        if done.is_cut {
            let cut = file.set_len(done.whole);
            cut.with_context(|| format!("{name} can't be written"))?;
            note(format_args!(
                "the last line of {name} was cut short: it is dropped, and its game is computed again"
            ));
        }
        out.headless &= done.whole == 0;
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

    /// Writes a line with these keys, which must be all that `line` has.
    pub fn write_any(&mut self, line: &impl Serialize, keys: &[&str]) -> anyhow::Result<()> {
        let mut text = String::new();
        if std::mem::take(&mut self.headless) {
            text = keys.join(",") + "\n";
        }
        match self.format {
            LineFormat::Ndjson => text += &serde_json::to_string(line)?,
            LineFormat::Csv => {
                let line = serde_json::to_value(line)?;
                text += &joined(keys.iter().map(|&key| cell(&line[key])), ",");
            }
        }
        text.push('\n');
        match &mut self.file {
            Some((path, file)) => file.write_all(text.as_bytes()).with_context(|| {
                if self.is_new {
                    remove_empty(file, path);
                }
                let path = path.display();
                format!("{path} can't be written; the games before are in it, and the same command continues from there")
            }),
            None => {
                let mut out = io::stdout().lock();
                Ok(out.write_all(text.as_bytes()).and_then(|()| out.flush())?)
            }
        }
    }

    /// Waits until the file is on the disk.
    pub fn end(self) -> anyhow::Result<()> {
        match self.file {
            Some((path, file)) => file
                .sync_all()
                .with_context(|| format!("{} can't be written", path.display())),
            None => Ok(()),
        }
    }
}

/// Opens an ordinary file to be read and appended to.
fn open(path: &Path) -> anyhow::Result<File> {
    let name = path.display();
    // Opening another kind of file, like a named pipe, might block.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        refuse!("{name} is not a file that a survey can continue");
    }
    let mut options = File::options();
    let open = options.read(true).append(true).create(true).open(path);
    open.with_context(|| format!("{name} can't be written"))
}

/// A cell of a CSV line (RFC 4180).
pub fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
