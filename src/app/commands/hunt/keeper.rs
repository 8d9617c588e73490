//! The files that keep a search: the checkpoint, and the snapshots beside it.

use super::parameters;
use crate::app::files::atomic_file::with_suffix;
use crate::app::files::checkpoint::{CheckpointError, Header, Saved, Saving};
use crate::ruleset::Ruleset;
use crate::sequence::period::hunt::{Hunt, Snapshots};
use anyhow::bail;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many bytes of the snapshots' file belong to a checkpoint.
const SNAPSHOT_BYTES: &str = "snapshot_bytes";

/// The file beside a checkpoint that holds the snapshots.
fn windows_of(checkpoint: &Path) -> PathBuf {
    with_suffix(checkpoint, ".windows")
}

/// Keeps a search in its files.
pub struct Keeper {
    file: PathBuf,
    /// Locked as long as the search lasts.
    windows: File,
    parameters: BTreeMap<String, String>,
    every: Duration,
    /// When to save again; never, if that is beyond counting.
    next: Option<Instant>,
    /// The last snapshot written.
    written: u64,
    /// How many bytes of snapshots are written.
    bytes: u64,
    /// How many values the checkpoint holds.
    saved: u64,
}

impl Keeper {
    pub fn open(file: &Path, ruleset: &Ruleset, every: Duration) -> anyhow::Result<Keeper> {
        // A file that can't be written is better known now than in half a minute.
        Saving::check(file)?;
        let path = windows_of(file);
        let open = || {
            let windows = OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .open(&path)?;
            match windows.try_lock() {
                Ok(()) => Ok(windows),
                Err(TryLockError::WouldBlock) => {
                    let text = format!("another process works on {}", file.display());
                    Err(io::Error::new(io::ErrorKind::ResourceBusy, text))
                }
                Err(TryLockError::Error(error)) => Err(error),
            }
        };
        let io_error = |source| CheckpointError::Io {
            file: path.clone(),
            source,
        };
        Ok(Keeper {
            file: file.to_owned(),
            windows: open().map_err(io_error)?,
            parameters: parameters(ruleset),
            every,
            next: Instant::now().checked_add(every),
            written: 0,
            bytes: 0,
            saved: 0,
        })
    }

    /// Lets go of snapshots whose checkpoint was never written, or is gone.
    ///
    /// # Errors
    /// If the file has other things in it.
    pub fn start_anew(&mut self) -> anyhow::Result<()> {
        let mut head = Vec::new();
        (&self.windows).take(16).read_to_end(&mut head)?;
        // A heap and a length: no text looks like that.
        let (numbers, _) = head.as_chunks();
        if numbers.iter().any(|&n| u64::from_le_bytes(n) >> 56 != 0) {
            bail!(
                "{} is to hold the snapshots of the search, but has other things in it; name another checkpoint, or remove it",
                windows_of(&self.file).display()
            );
        }
        Ok(self.windows.set_len(0)?)
    }

    pub fn load(&mut self, hunt: Hunt) -> anyhow::Result<Hunt> {
        let Some(mut saved) = Saved::open(&self.file, &self.parameters)? else {
            return Ok(hunt);
        };
        let mut bytes = Vec::new();
        loop {
            let block = saved.next_block()?;
            if block.is_empty() {
                break;
            }
            bytes.extend(block);
        }
        let snapshots = self.read_windows(&saved)?;
        match hunt.resume(&saved.header.state, &bytes, snapshots)? {
            Some(hunt) => {
                self.saved = hunt.ring().len();
                Ok(hunt)
            }
            None => bail!(
                "checkpoint {} is of no search that this version can go on with; remove it to start again",
                saved.file.display()
            ),
        }
    }

    /// The snapshots up to where the checkpoint is; what follows, a half-written one too, is cut off.
    ///
    /// # Errors
    /// If some of what the checkpoint needs is missing or changed.
    fn read_windows(&mut self, saved: &Saved) -> anyhow::Result<Snapshots> {
        let known = saved.header.state.get("known").copied().unwrap_or(0);
        let mut all = Vec::new();
        self.windows.read_to_end(&mut all)?;
        let mut snapshots = Snapshots::new();
        let mut at = 0;
        while let Some((heap, codes, end)) = record(&all, at) {
            if heap > known {
                break;
            }
            snapshots.insert(heap, codes.into());
            (self.written, at) = (heap, end);
        }
        let needed = saved.header.state.get(SNAPSHOT_BYTES).copied().unwrap_or(0);
        if (at as u64) < needed {
            bail!(
                "{} is broken at byte {at}: {needed} bytes of it belong to checkpoint {}; put back what it was, or remove both to start again",
                windows_of(&self.file).display(),
                self.file.display()
            );
        }
        self.bytes = at as u64;
        self.windows.set_len(at as u64)?;
        Ok(snapshots)
    }

    /// Whether to save again.
    pub fn is_time(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }

    pub fn how_to_go_on(&self) -> String {
        let file = self.file.display();
        match self.saved.checked_sub(1) {
            Some(last) => format!(
                "the search up to pile {last} is in {file}, and the same command goes on from there"
            ),
            None => format!(
                "nothing is in {file} yet: too few values are known behind the last rare pile"
            ),
        }
    }

    pub fn save(&mut self, hunt: &Hunt) -> anyhow::Result<()> {
        let begun = Instant::now();
        let mut records = Vec::new();
        let mut written = self.written;
        for (&heap, codes) in hunt.snapshots().range(self.written + 1..) {
            let mut head = heap.to_le_bytes().to_vec();
            head.extend((codes.len() as u64).to_le_bytes());
            let checksum = crc32fast::hash(&[&head[..], codes].concat());
            records.extend(head);
            records.extend(checksum.to_le_bytes());
            records.extend(codes.iter());
            written = heap;
        }
        let io_error = |source| CheckpointError::Io {
            file: windows_of(&self.file),
            source,
        };
        self.windows.write_all(&records).map_err(io_error)?;
        self.windows.sync_data().map_err(io_error)?;
        self.written = written;
        self.bytes += records.len() as u64;
        if let Some((mut state, bytes)) = hunt.save() {
            state.insert(SNAPSHOT_BYTES.to_owned(), self.bytes);
            let header = Header {
                parameters: self.parameters.clone(),
                state,
                bytes: bytes.len() as u64,
            };
            let mut saving = Saving::create(&self.file, &header)?;
            saving
                .write_all(&bytes)
                .map_err(|source| CheckpointError::Io {
                    file: self.file.clone(),
                    source,
                })?;
            saving.finish()?;
            self.saved = hunt.ring().len();
        }
        self.next = Instant::now().checked_add(self.every.max(begun.elapsed() * 20));
        Ok(())
    }
}

/// The snapshot that begins at a byte, and where it ends; `None` if it is cut short or changed.
fn record(all: &[u8], at: usize) -> Option<(u64, &[u8], usize)> {
    let head = all.get(at..at + 16)?;
    let number = |at: usize| {
        head[at..at + 8]
            .try_into()
            .map(u64::from_le_bytes)
            .unwrap_or_default()
    };
    let length = usize::try_from(number(8)).ok()?;
    let checksum = all.get(at + 16..at + 20)?;
    let end = (at + 20).checked_add(length)?;
    let codes = all.get(at + 20..end)?;
    let right = crc32fast::hash(&[head, codes].concat()).to_le_bytes();
    (right == checksum).then_some((number(0), codes, end))
}
