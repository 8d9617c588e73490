//! Saves the state of a long run and reads it back: bytes, with the parameters that made them and a checksum.
//!
//! The file begins with a magic number and a header in JSON, both under one checksum; then come the bytes in
//! blocks of a mebibyte, each followed by its CRC-32. It is written aside, synced and renamed, and the one before
//! it is kept as `FILE.prev`, so that at every moment one whole checkpoint is on the disk.

use crate::app::files::atomic_file::{AtomicFile, followed, with_suffix};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"NIMCKPT1";
const BLOCK: usize = 1 << 20;
/// No header comes near it; a broken length must not be believed.
const LARGEST_HEADER: u32 = 1 << 16;

/// Why a checkpoint can't be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file can't be read or written.
    #[error("checkpoint {}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is no checkpoint, cut short, or changed since it was written.
    #[error("checkpoint {} is broken: {what}{}", file.display(), way_out(file))]
    Broken {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file is of another run.
    #[error(
        "checkpoint {} is of another run: its {name} is {found}, here it is {expected}; name another file, or remove this one",
        file.display()
    )]
    Other {
        /// The file.
        file: PathBuf,
        /// The parameter that differs.
        name: String,
        /// Its value in the file.
        found: String,
        /// Its value here.
        expected: String,
    },
}

/// What may be done about a broken checkpoint.
fn way_out(file: &Path) -> String {
    let previous = previous(file);
    if previous.exists() {
        let (previous, file) = (previous.display(), file.display());
        format!("; to go on from the one before it: mv {previous} {file}")
    } else {
        "; remove it to start again".to_owned()
    }
}

/// Where the checkpoint before is kept: beside the file itself, not beside a link to it.
pub fn previous(file: &Path) -> PathBuf {
    let place = file.is_symlink().then(|| followed(file).ok()).flatten();
    with_suffix(place.as_deref().unwrap_or(file), ".prev")
}

/// A checkpoint is read and replaced, which only an ordinary file can be.
fn check_ordinary(file: &Path) -> Result<(), CheckpointError> {
    match fs::metadata(file) {
        Ok(found) if !found.is_file() => {
            let what = "it is no ordinary file, and can't be replaced by the next checkpoint";
            Err(io_error(file)(io::Error::other(what)))
        }
        _ => Ok(()),
    }
}

/// What a checkpoint is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The parameters of the run, by name: a checkpoint is refused to a run in which one of them differs.
    pub parameters: BTreeMap<String, String>,
    /// How far the run had got, by name; not compared.
    pub state: BTreeMap<String, u64>,
    /// How many bytes follow.
    pub bytes: u64,
}

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

/// A checkpoint being read, block by block, each checked before it is given out.
pub struct Saved {
    /// The file read, which is `FILE.prev` if a power cut left no other.
    pub file: PathBuf,
    /// What the checkpoint says of itself.
    pub header: Header,
    input: BufReader<File>,
    missing: u64,
    blocks: u64,
}

impl Saved {
    /// Opens the checkpoint of a run with these parameters; `None` if there is none.
    ///
    /// # Errors
    /// If it can't be read, is broken, or is of another run.
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

    fn read_header(
        file: &Path,
        input: File,
        parameters: &BTreeMap<String, String>,
    ) -> Result<Saved, CheckpointError> {
        let mut input = BufReader::new(input);
        let mut head = vec![0; MAGIC.len() + 4];
        let failed = read_error(file);
        input.read_exact(&mut head).map_err(&failed)?;
        let (magic, length) = head.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(broken(
                file,
                "it is no checkpoint of this program".to_owned(),
            ));
        }
        let length = u32::from_le_bytes(length.try_into().unwrap_or_default());
        if length > LARGEST_HEADER {
            return Err(broken(file, "its header is too long".to_owned()));
        }
        let (start, mut checksum) = (head.len(), [0; 4]);
        head.resize(start + length as usize, 0);
        input.read_exact(&mut head[start..]).map_err(&failed)?;
        input.read_exact(&mut checksum).map_err(&failed)?;
        if crc32fast::hash(&head) != u32::from_le_bytes(checksum) {
            return Err(broken(
                file,
                "the checksum of its header is wrong".to_owned(),
            ));
        }
        let header: Header = serde_json::from_slice(&head[start..])
            .map_err(|error| broken(file, format!("its header can't be read: {error}")))?;
        for name in parameters.keys().chain(header.parameters.keys()) {
            let (expected, found) = (parameters.get(name), header.parameters.get(name));
            if expected != found {
                let text =
                    |value: Option<&String>| value.map_or("not given", |text| text).to_owned();
                return Err(CheckpointError::Other {
                    file: file.to_owned(),
                    name: name.clone(),
                    found: text(found),
                    expected: text(expected),
                });
            }
        }
        Ok(Saved {
            file: file.to_owned(),
            missing: header.bytes,
            header,
            input,
            blocks: 0,
        })
    }

    /// The error that what is saved is not what it should be.
    pub fn broken(&self, what: String) -> CheckpointError {
        broken(&self.file, what)
    }

    /// The next of the saved bytes, a mebibyte of them but at the end; empty when all were given.
    ///
    /// # Errors
    /// If they are cut short or changed, or more follows than should.
    pub fn next_block(&mut self) -> Result<Vec<u8>, CheckpointError> {
        let failed = read_error(&self.file);
        let length = self.missing.min(BLOCK as u64) as usize;
        let mut block = vec![0; length];
        if length == 0 {
            return match self.input.read(&mut [0]).map_err(failed)? {
                0 => Ok(block),
                _ => Err(broken(&self.file, "more follows after its end".to_owned())),
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

fn io_error(file: &Path) -> impl Fn(io::Error) -> CheckpointError + use<> {
    let file = file.to_owned();
    move |source| CheckpointError::Io {
        file: file.clone(),
        source,
    }
}

fn read_error(file: &Path) -> impl Fn(io::Error) -> CheckpointError + use<> {
    let file = file.to_owned();
    move |source| match source.kind() {
        io::ErrorKind::UnexpectedEof => broken(&file, "it is cut short".to_owned()),
        _ => io_error(&file)(source),
    }
}

fn broken(file: &Path, what: String) -> CheckpointError {
    CheckpointError::Broken {
        file: file.to_owned(),
        what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn parameters(game: &str) -> BTreeMap<String, String> {
        BTreeMap::from([("game".to_owned(), game.to_owned())])
    }

    fn save(file: &Path, bytes: &[u8]) {
        let header = Header {
            parameters: parameters("a"),
            state: BTreeMap::from([("count".to_owned(), 7)]),
            bytes: bytes.len() as u64,
        };
        let mut saving = Saving::create(file, &header).unwrap();
        saving.write_all(bytes).unwrap();
        saving.finish().unwrap();
    }

    fn load(file: &Path, game: &str) -> Result<Vec<u8>, CheckpointError> {
        let mut saved = Saved::open(file, &parameters(game))?.unwrap();
        assert_eq!(saved.header.state["count"], 7);
        let mut bytes = Vec::new();
        loop {
            let block = saved.next_block()?;
            if block.is_empty() {
                return Ok(bytes);
            }
            bytes.extend(block);
        }
    }

    #[test]
    fn what_is_saved_is_read_back_at_every_length() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ck");
        assert!(Saved::open(&file, &parameters("a")).unwrap().is_none());
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 5] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * i / 7) as u8).collect();
            save(&file, &bytes);
            assert!(load(&file, "a").unwrap() == bytes, "{length} bytes");
        }
    }

    #[test]
    fn the_one_before_is_kept_and_stands_in() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ck");
        save(&file, b"older");
        save(&file, b"newer");
        fs::remove_file(&file).unwrap();
        assert_eq!(load(&file, "a").unwrap(), b"older");
    }

    #[test]
    fn another_run_is_refused_by_name() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ck");
        save(&file, b"bytes");
        let text = load(&file, "b").unwrap_err().to_string();
        assert!(text.contains("its game is a, here it is b"), "{text}");
    }

    #[test]
    fn every_broken_byte_and_every_cut_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ck");
        save(&file, b"some bytes to keep");
        let whole = fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            fs::write(&file, &changed).unwrap();
            assert!(load(&file, "a").is_err(), "byte {at} changed");
            fs::write(&file, &whole[..at]).unwrap();
            assert!(load(&file, "a").is_err(), "cut to {at}");
        }
        fs::write(&file, [&whole[..], b"x"].concat()).unwrap();
        assert!(load(&file, "a").is_err(), "one byte more");
    }
}
