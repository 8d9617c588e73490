//! A checkpoint being read.

use super::{
    BLOCK, CheckpointError, Header, LARGEST_HEADER, MAGIC, broken, check_ordinary, check_parameter,
    io_error, previous,
};
use crate::app::error::{Kept, Refused};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// A checkpoint being read, block by block, each checked before it is given out.
pub struct Saved {
    /// The file that is read: `FILE.prev` if a power cut has left no other.
    pub file: PathBuf,
    pub header: Header,
    input: BufReader<File>,
    missing: u64,
    blocks: u64,
}

impl Saved {
    /// Opens the checkpoint of a run with these parameters; `None` if there is none.
    ///
    /// # Errors
    /// If it can't be read, is broken, or belongs to another run.
    pub fn open(
        file: &Path,
        parameters: &BTreeMap<String, String>,
    ) -> Result<Option<Saved>, CheckpointError> {
        for file in [file, &previous(file)] {
            check_ordinary(file)?;
            match File::open(file) {
                Ok(input) => return Saved::read_header(file, input, parameters).map(Some),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(io_error(file)(error)),
            }
        }
        Ok(None)
    }

    /// The header of a checkpoint, of whatever run.
    pub fn header_of(file: &Path) -> Result<Header, CheckpointError> {
        check_ordinary(file)?;
        let input = File::open(file).map_err(io_error(file))?;
        header(file, &mut BufReader::new(input))
    }

    fn read_header(
        file: &Path,
        input: File,
        parameters: &BTreeMap<String, String>,
    ) -> Result<Saved, CheckpointError> {
        let mut input = BufReader::new(input);
        let header = header(file, &mut input)?;
        for name in parameters.keys().chain(header.parameters.keys()) {
            check_parameter(file, name, &header.parameters, parameters)?;
        }
        Ok(Saved {
            file: file.to_owned(),
            missing: header.bytes,
            header,
            input,
            blocks: 0,
        })
    }

    /// The error that the content of the checkpoint is not what it should be.
    pub fn broken(&self, what: String) -> CheckpointError {
        broken(&self.file, what)
    }

    /// The saved bytes, block by block.
    pub fn blocks(&mut self) -> impl Iterator<Item = Result<Vec<u8>, CheckpointError>> + '_ {
        std::iter::from_fn(|| {
            let block = self.next_block();
            block
                .map(|block| (!block.is_empty()).then_some(block))
                .transpose()
        })
    }

    /// Refuses a checkpoint whose content takes more bytes than are allowed.
    pub fn check_room(&self, what: &'static str, allowed: u64) -> Result<(), Refused> {
        match self.header.bytes > allowed {
            false => Ok(()),
            true => Err(Refused::NoRoom {
                kept: Kept::Saved {
                    what,
                    file: self.file.clone(),
                },
                allowed,
            }),
        }
    }

    /// The next block of the content: a mebibyte, or less at the end; empty once all blocks were given.
    ///
    /// # Errors
    /// If the content is cut short or changed, or more follows than the header says.
    pub fn next_block(&mut self) -> Result<Vec<u8>, CheckpointError> {
        let failed = read_error(&self.file);
        let length = self.missing.min(BLOCK as u64) as usize;
        let mut block = vec![0; length];
        if length == 0 {
            return match self.input.read(&mut [0]).map_err(failed)? {
                0 => Ok(block),
                _ => Err(broken(&self.file, "there is data after its end".to_owned())),
            };
        }
        let mut checksum = [0; 4];
        self.input.read_exact(&mut block).map_err(&failed)?;
        self.input.read_exact(&mut checksum).map_err(&failed)?;
        if crc32fast::hash(&block) != u32::from_le_bytes(checksum) {
            let text = format!("the checksum of its block {} is wrong", self.blocks);
            return Err(broken(&self.file, text));
        }
        self.missing -= length as u64;
        self.blocks += 1;
        Ok(block)
    }
}

fn header(file: &Path, input: &mut impl Read) -> Result<Header, CheckpointError> {
    let failed = read_error(file);
    let mut head = Vec::new();
    let start = MAGIC.len() + 4;
    input
        .take(start as u64)
        .read_to_end(&mut head)
        .map_err(&failed)?;
    let magic = &head[..head.len().min(MAGIC.len())];
    if !MAGIC.starts_with(magic) {
        let file = file.to_owned();
        return Err(CheckpointError::Foreign { file });
    }
    if head.len() < start {
        return Err(failed(io::ErrorKind::UnexpectedEof.into()));
    }
    let length = u32::from_le_bytes(head[MAGIC.len()..].try_into().unwrap_or_default());
    if length > LARGEST_HEADER {
        return Err(broken(file, "its header is too long".to_owned()));
    }
    let mut checksum = [0; 4];
    head.resize(start + length as usize, 0);
    input.read_exact(&mut head[start..]).map_err(&failed)?;
    input.read_exact(&mut checksum).map_err(&failed)?;
    if crc32fast::hash(&head) != u32::from_le_bytes(checksum) {
        return Err(broken(
            file,
            "the checksum of its header is wrong".to_owned(),
        ));
    }
    serde_json::from_slice(&head[start..])
        .map_err(|error| broken(file, format!("its header can't be read: {error}")))
}

fn read_error(file: &Path) -> impl Fn(io::Error) -> CheckpointError + use<> {
    let file = file.to_owned();
    move |source| match source.kind() {
        io::ErrorKind::UnexpectedEof => broken(&file, "it is cut short".to_owned()),
        _ => io_error(&file)(source),
    }
}
