//! Saves the state of a long run and reads it back: bytes, with the parameters that made them and a checksum.
//!
//! The file begins with a magic number and a header in JSON, both under one checksum; then come the bytes in
//! blocks of a mebibyte, each followed by its CRC-32. It is written aside, synced and renamed, and the one before
//! it is kept as `FILE.prev`, so that at every moment one whole checkpoint is on the disk.

mod kept;
mod saved;
mod saving;

use crate::app::files::atomic_file::{followed, with_suffix};
use crate::app::files::claim::Claim;
pub use kept::Kept;
pub use saved::Saved;
pub use saving::Saving;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"NIMCKPT1";
const BLOCK: usize = 1 << 20;
/// The most bytes of a header. No header comes near this; a broken length is not believed.
const LARGEST_HEADER: u32 = 1 << 16;

/// Why a checkpoint can't be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file can't be read or written.
    #[error("checkpoint {}", file.display())]
    Io { file: PathBuf, source: io::Error },
    /// The file is no checkpoint, cut short, or changed since it was written.
    #[error("checkpoint {} is broken: {what}{}", file.display(), way_out(file))]
    Broken { file: PathBuf, what: String },
    /// The file belongs to another program or to a person.
    #[error(
        "{} is not a checkpoint of this program and is left unchanged; name another file",
        file.display()
    )]
    Foreign { file: PathBuf },
    /// The file belongs to another run.
    #[error(
        "checkpoint {} belongs to another run: its {name} is {found}, here it is {expected}; name another file, or remove this one",
        file.display()
    )]
    Other {
        file: PathBuf,
        /// The parameter that differs.
        name: String,
        /// The parameter's value in the file.
        found: String,
        /// The parameter's value in this run.
        expected: String,
    },
}

/// The advice about a broken checkpoint.
fn way_out(file: &Path) -> String {
    let previous = previous(file);
    if previous.exists() {
        let (previous, file) = (previous.display(), file.display());
        format!("; to continue from the checkpoint before it: mv {previous} {file}")
    } else {
        "; remove it to start again".to_owned()
    }
}

/// Where the previous checkpoint is kept: beside the file itself, not beside a link to it.
pub fn previous(file: &Path) -> PathBuf {
    let place = file.is_symlink().then(|| followed(file).ok()).flatten();
    with_suffix(place.as_deref().unwrap_or(file), ".prev")
}

/// The file beside the checkpoint of a search that holds its snapshots.
pub fn windows_of(checkpoint: &Path) -> PathBuf {
    with_suffix(checkpoint, ".windows")
}

/// Refuses a file that can't be read and replaced as a checkpoint is.
///
/// # Errors
/// If the file is not an ordinary one: a named pipe, say, would keep whoever opens it waiting.
pub fn check_ordinary(file: &Path) -> Result<(), CheckpointError> {
    if fs::metadata(file).is_ok_and(|found| !found.is_file()) {
        let what = "it is not a regular file, so the next checkpoint can't replace it";
        return Err(io_error(file)(io::Error::other(what)));
    }
    Ok(())
}

/// Claims the file of a checkpoint, so that no other process works on it meanwhile.
pub fn claim(file: &Path) -> Result<Claim, CheckpointError> {
    check_ordinary(file)?;
    Claim::take(file).map_err(io_error(file))
}

/// The header of a checkpoint: which run it is of, and how far that has got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The parameters of the run, by name: a checkpoint is refused to a run in which one of them differs.
    pub parameters: BTreeMap<String, String>,
    /// How far the run had got, by name; these numbers are not compared.
    pub state: BTreeMap<String, u64>,
    /// How many bytes of content follow the header.
    pub bytes: u64,
}

/// The error of a file that can't be read or written.
pub fn io_error(file: &Path) -> impl Fn(io::Error) -> CheckpointError + use<> {
    let file = file.to_owned();
    move |source| CheckpointError::Io {
        file: file.clone(),
        source,
    }
}

/// Refuses a checkpoint of another run, in which the parameter `name` has not the value that it has here.
fn check_parameter(
    file: &Path,
    name: &str,
    found: &BTreeMap<String, String>,
    expected: &BTreeMap<String, String>,
) -> Result<(), CheckpointError> {
    let [found, expected] = [found, expected].map(|parameters| parameters.get(name));
    if found == expected {
        return Ok(());
    }
    let text = |value: Option<&String>| value.map_or("not given", |text| text).to_owned();
    Err(CheckpointError::Other {
        file: file.to_owned(),
        name: name.to_owned(),
        found: text(found),
        expected: text(expected),
    })
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
    use std::io::Write;

    fn parameters() -> BTreeMap<String, String> {
        BTreeMap::from([("game".to_owned(), "a".to_owned())])
    }

    fn save(file: &Path, bytes: &[u8]) {
        let header = Header {
            parameters: parameters(),
            state: BTreeMap::from([("count".to_owned(), 7)]),
            bytes: bytes.len() as u64,
        };
        let mut saving = Saving::create(file, &header).unwrap();
        saving.write_all(bytes).unwrap();
        saving.finish().unwrap();
    }

    fn load(file: &Path) -> Result<Vec<u8>, CheckpointError> {
        let mut saved = Saved::open(file, &parameters())?.unwrap();
        assert_eq!(saved.header.state["count"], 7);
        let blocks: Result<Vec<_>, _> = saved.blocks().collect();
        Ok(blocks?.concat())
    }

    #[test]
    fn what_is_saved_is_read_back_at_every_length() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ck");
        assert!(Saved::open(&file, &parameters()).unwrap().is_none());
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 5] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * i / 7) as u8).collect();
            save(&file, &bytes);
            assert!(load(&file).unwrap() == bytes, "{length} bytes");
        }
    }

    #[test]
    fn the_one_before_is_kept_and_stands_in() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ck");
        save(&file, b"older");
        save(&file, b"newer");
        fs::remove_file(&file).unwrap();
        assert_eq!(load(&file).unwrap(), b"older");
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
            assert!(load(&file).is_err(), "byte {at} changed");
            fs::write(&file, &whole[..at]).unwrap();
            assert!(load(&file).is_err(), "cut to {at}");
        }
        fs::write(&file, [&whole[..], b"x"].concat()).unwrap();
        assert!(load(&file).is_err(), "one byte more");
    }
}
