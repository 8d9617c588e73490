//! A checkpoint being written.

use super::{BLOCK, CheckpointError, Header, MAGIC, check_ordinary, io_error, previous};
use crate::app::files::atomic_file::AtomicFile;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

fn begins_with_magic(file: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && &magic == MAGIC
}

/// A checkpoint being written: the bytes that its header promised go in by [`Write`], then [`Saving::finish`].
pub struct Saving {
    part: AtomicFile,
    file: PathBuf,
    block: Vec<u8>,
    missing: u64,
}

impl Saving {
    /// Finds out whether a checkpoint could be written.
    ///
    /// # Errors
    /// If it couldn't.
    pub fn check(file: &Path) -> Result<(), CheckpointError> {
        check_ordinary(file)?;
        let previous = previous(file);
        let is_ours = match fs::symlink_metadata(&previous) {
            Ok(found) => found.is_file() && begins_with_magic(&previous),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if !is_ours {
            let what = "it is no checkpoint of this program, and would be replaced by one; name another file, or remove it";
            return Err(io_error(&previous)(io::Error::other(what)));
        }
        AtomicFile::create(file).map(drop).map_err(io_error(file))
    }

    /// Begins a checkpoint aside.
    ///
    /// # Errors
    /// If the file can't be made.
    pub fn create(file: &Path, header: &Header) -> Result<Saving, CheckpointError> {
        let begin = || {
            let text = serde_json::to_vec(header)?;
            let mut head = MAGIC.to_vec();
            head.extend((text.len() as u32).to_le_bytes());
            head.extend(text);
            head.extend(crc32fast::hash(&head).to_le_bytes());
            let mut part = AtomicFile::create(file)?;
            part.write_all(&head)?;
            Ok(part)
        };
        Ok(Saving {
            part: begin().map_err(io_error(file))?,
            file: file.to_owned(),
            block: Vec::with_capacity(BLOCK),
            missing: header.bytes,
        })
    }

    /// Puts the checkpoint in its place and keeps the one before it.
    ///
    /// # Errors
    /// If it can't be written, or the bytes are not as many as promised.
    pub fn finish(mut self) -> Result<(), CheckpointError> {
        let failed = io_error(&self.file);
        if self.missing > 0 {
            return Err(failed(io::ErrorKind::UnexpectedEof.into()));
        }
        let written = self.write_block();
        let previous = previous(&self.file);
        written
            .and_then(|()| self.part.commit_keeping(&previous))
            .map_err(failed)
    }

    fn write_block(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.part.write_all(&self.block)?;
            self.part
                .write_all(&crc32fast::hash(&self.block).to_le_bytes())?;
            self.block.clear();
        }
        Ok(())
    }
}

impl Write for Saving {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.block.len() == BLOCK {
            self.write_block()?;
        }
        let taken = bytes.len().min(BLOCK - self.block.len());
        self.missing = self
            .missing
            .checked_sub(taken as u64)
            .ok_or(io::ErrorKind::InvalidInput)?;
        self.block.extend(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
