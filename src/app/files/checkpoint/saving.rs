//! A checkpoint being written.

use super::{
    BLOCK, CheckpointError, Header, MAGIC, Saved, check_ordinary, check_parameter, io_error,
    previous,
};
use crate::app::files::atomic_file::{AtomicFile, clear_dead};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A checkpoint being written: the bytes that its header promised go in by [`Write`], then [`Saving::finish`].
pub struct Saving {
    part: AtomicFile,
    file: PathBuf,
    block: Vec<u8>,
    missing: u64,
}

impl Saving {
    /// Checks that the checkpoint of a run with these parameters could be written and may replace the one that is there, which
    /// must be of the same run.
    pub fn check(
        file: &Path,
        parameters: &BTreeMap<String, String>,
    ) -> Result<(), CheckpointError> {
        check_ordinary(file)?;
        let previous = previous(file);
        if fs::symlink_metadata(&previous).is_ok_and(|found| !found.is_file()) {
            return Err(CheckpointError::Foreign { file: previous });
        }
        match Saved::header_of(&previous) {
            Ok(header) => check_parameter(&previous, "game", &header.parameters, parameters)?,
            Err(CheckpointError::Broken { .. }) => {}
            Err(CheckpointError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            }
            Err(error) => return Err(error),
        }
        clear_dead(file);
        AtomicFile::create(file).map(drop).map_err(io_error(file))
    }

    /// Begins to write a checkpoint beside its place.
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
    /// If the file can't be written, or the bytes are not as many as the header promised.
    pub fn finish(mut self) -> Result<(), CheckpointError> {
        let failed = io_error(&self.file);
        if self.missing > 0 {
            return Err(failed(io::ErrorKind::UnexpectedEof.into()));
        }
        let written = self.write_block();
        let previous = previous(&self.file);
        written
            .and_then(|()| self.part.commit(Some(&previous)))
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
