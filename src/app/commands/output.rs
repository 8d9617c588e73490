//! Where a result goes: standard output, or a file that appears whole or not at all. Every byte arrives as it is.

use super::interrupt;
use crate::app::error::refuse;
use crate::app::files::atomic_file::{AtomicFile, clear_dead};
use crate::app::files::is_dash;
use crate::printable::{size_allowed, size_wanted};
use anyhow::{Context, bail};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

const BUFFER: usize = 1 << 18;

/// A result being written.
pub enum Output {
    Stdout,
    File(AtomicFile, PathBuf),
}

impl Output {
    /// Opens the file, or standard output if there is none or it is `-`. This is done before the work begins, so that no work is
    /// in vain.
    pub fn open(file: Option<&Path>) -> anyhow::Result<Output> {
        let Some(file) = file.filter(|file| !is_dash(file)) else {
            return Ok(Output::Stdout);
        };
        interrupt::watch();
        clear_dead(file);
        let part = AtomicFile::create(file).with_context(|| cannot_write(file))?;
        Ok(Output::File(part, file.to_owned()))
    }

    /// Like [`Output::open`], for bytes that are no text; `what` names them in a word.
    ///
    /// # Errors
    /// If the file can't be written, or a terminal would have to show them.
    pub fn open_binary(file: Option<&Path>, what: &str) -> anyhow::Result<Output> {
        let output = Output::open(file)?;
        let is_terminal = match &output {
            Output::Stdout => io::stdout().is_terminal(),
            Output::File(part, _) => part.is_terminal(),
        };
        if is_terminal {
            refuse!(
                "{what} can't be shown on a terminal; write it to a file with -o, or to a pipe"
            );
        }
        Ok(output)
    }

    /// Refuses a result of so many bytes or more, if it goes to a file on a disk with less room.
    pub fn check_room(&self, least: u64) -> anyhow::Result<()> {
        if let Output::File(part, file) = self
            && let Some(room) = part.room().filter(|&room| room < least)
        {
            bail!(
                "{}: it takes {} at least, and its disk has room for {}",
                cannot_write(file),
                size_wanted(least),
                size_allowed(room)
            );
        }
        Ok(())
    }

    /// Lets `write` write the result, and puts a file in its place.
    ///
    /// # Errors
    /// If `write` fails or the file can't be written; nothing is left of it then.
    pub fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match self {
            Output::Stdout => {
                let mut out = BufWriter::with_capacity(BUFFER, io::stdout().lock());
                write(&mut out)?;
                Ok(out.flush()?)
            }
            Output::File(part, file) => {
                let mut out = BufWriter::with_capacity(BUFFER, part);
                let written = write(&mut out);
                // A buffer writes itself out when it is dropped, so the bytes given up are taken out of it first.
                let (part, rest) = out.into_parts();
                let commit = |mut part: AtomicFile, rest: Vec<u8>| -> io::Result<()> {
                    part.write_all(&rest)?;
                    part.commit(None)
                };
                written
                    .and_then(|()| Ok(commit(part, rest.unwrap_or_default())?))
                    .with_context(|| cannot_write(&file))
            }
        }
    }
}

fn cannot_write(file: &Path) -> String {
    format!("{} can't be written", file.display())
}
