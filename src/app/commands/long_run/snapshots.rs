//! The file beside a search's checkpoint that holds its snapshots, one record after another. A record has the heap, the number of
//! codes (with the highest bit set if they take two bytes each), a checksum of all these, and the codes.
//!
//! Records are only ever appended. Behind those that the last checkpoint counts there may be some that a killed process wrote,
//! the last one perhaps cut short; these are cut off, and nothing else is.

use crate::app::files::checkpoint::{CheckpointError, check_ordinary, io_error, windows_of};
use crate::engine::codes::Codes;
use crate::sequence::period::bounded_search::{FARTHEST, LEAST_SPACING, Snapshots};
use anyhow::bail;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The bytes of a record before its codes.
const HEAD: usize = 20;
/// The bit in a record's number of codes that is set if a code takes two bytes.
const WIDTH: u32 = 63;

/// The file of a search's snapshots, locked as long as the search lasts.
pub struct SnapshotFile {
    path: PathBuf,
    file: File,
    /// The last snapshot in it.
    last: u64,
    /// How many bytes of records are written.
    bytes: u64,
}

/// What a read at the next place of the file has found.
enum Found {
    Record(u64, Codes<'static>),
    /// The beginning of a record that breaks off.
    Begun,
    Other,
}

impl SnapshotFile {
    /// Opens the file beside a checkpoint, made if it isn't there.
    ///
    /// # Errors
    /// If it can't be read and written, or another process has it.
    pub fn open(checkpoint: &Path) -> Result<SnapshotFile, CheckpointError> {
        let path = windows_of(checkpoint);
        check_ordinary(&path)?;
        let open = || {
            let mut options = File::options();
            let file = options.read(true).append(true).create(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => Ok(file),
                Err(TryLockError::WouldBlock) => {
                    let text = format!("another process is using {}", checkpoint.display());
                    Err(io::Error::new(io::ErrorKind::ResourceBusy, text))
                }
                Err(TryLockError::Error(error)) => Err(error),
            }
        };
        let file = open().map_err(io_error(&path))?;
        Ok(SnapshotFile {
            path,
            file,
            last: 0,
            bytes: 0,
        })
    }

    /// Refuses a file that isn't empty, since no checkpoint says that it belongs to this run.
    pub fn check_empty(&self) -> anyhow::Result<()> {
        if self.file.metadata()?.len() > 0 {
            bail!(
                "{} is to hold the snapshots of the search, but has other things in it; name another checkpoint, put back the checkpoint that it belongs to, or move it",
                self.path.display()
            );
        }
        Ok(())
    }

    /// The snapshots of the heaps up to `known`, as far as the checkpoint has come. The checkpoint says that `needed` bytes of
    /// the file belong to it; the codes may take `memory` bytes. Bytes behind them are not cut off yet.
    ///
    /// # Errors
    /// If some of these are missing or changed, or something else follows.
    pub fn read(&mut self, known: u64, needed: u64, memory: u64) -> anyhow::Result<Snapshots> {
        let mut input = BufReader::new(&self.file);
        let length = input.seek(SeekFrom::End(0))?;
        input.rewind()?;
        let mut snapshots = Snapshots::new();
        let (mut at, mut last, mut kept) = (0, 0, 0);
        while at < length {
            match record(&mut input, length - at, last)? {
                Found::Record(heap, codes) => {
                    at += (HEAD + codes.size()) as u64;
                    last = heap;
                    if heap <= known {
                        (self.bytes, self.last) = (at, heap);
                        kept += codes.size() as u64;
                        snapshots.insert(heap, codes);
                    }
                }
                Found::Begun => at = length,
                Found::Other => bail!(
                    "{} is broken at byte {at}: no snapshot of the search is there; put back what it was, or name another checkpoint",
                    self.path.display()
                ),
            }
            if kept > memory {
                bail!("{} holds more than the memory allowed", self.path.display());
            }
        }
        if self.bytes < needed {
            bail!(
                "{} is broken at byte {}: {needed} bytes of it belong to the checkpoint; put back what it was, or remove both to start again",
                self.path.display(),
                self.bytes
            );
        }
        Ok(snapshots)
    }

    /// Appends the new snapshots behind those that are known to be whole. Returns how many bytes the file has then.
    pub fn append(&mut self, snapshots: &Snapshots) -> Result<u64, CheckpointError> {
        let mut records = Vec::new();
        let mut last = self.last;
        for (&heap, codes) in snapshots.range(self.last + 1..) {
            let mut head = heap.to_le_bytes().to_vec();
            let width = (codes.width() as u64 - 1) << WIDTH;
            head.extend((codes.len() as u64 | width).to_le_bytes());
            let codes = codes.to_bytes();
            let checksum = checksum(&head, &codes);
            records.extend(head);
            records.extend(checksum);
            records.extend(codes.iter());
            last = heap;
        }
        let write = |file: &mut File| {
            // Bytes that a failed write has left are cut off.
            file.set_len(self.bytes)?;
            file.write_all(&records)?;
            file.sync_data()
        };
        write(&mut self.file).map_err(io_error(&self.path))?;
        self.last = last;
        self.bytes += records.len() as u64;
        Ok(self.bytes)
    }

    /// Whether nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }
}

/// What stands at the next place of a file that has `left` bytes left, behind the snapshot of heap `after`.
fn record(input: &mut impl Read, left: u64, after: u64) -> io::Result<Found> {
    let mut head = [0; HEAD];
    let there = left.min(HEAD as u64) as usize;
    input.read_exact(&mut head[..there])?;
    let number = |at: usize| {
        let bytes = head[at..at + 8].try_into().unwrap_or_default();
        u64::from_le_bytes(bytes)
    };
    let (heap, length) = (number(0), number(8) & !(1 << WIDTH));
    let width = 1 + (number(8) >> WIDTH);
    let is_heap = heap % LEAST_SPACING == 0 && heap > after && heap < FARTHEST;
    let is_length = length > 0 && length < heap;
    // A number that is cut short still has its low bytes, since they come first.
    if there < 8 && heap % LEAST_SPACING == 0 || there < 16 && is_heap {
        return Ok(Found::Begun);
    }
    if there < 16 || !is_heap || !is_length {
        // Some file systems leave zeros at the end of a file that was not completely written.
        let zeros = after > 0 && head == [0; HEAD];
        return Ok(if zeros { Found::Begun } else { Found::Other });
    }
    let size = width * length;
    if left < HEAD as u64 + size {
        return Ok(Found::Begun);
    }
    let mut bytes = Vec::new();
    let no_room = |_| io::Error::from(io::ErrorKind::OutOfMemory);
    bytes.try_reserve_exact(size as usize).map_err(no_room)?;
    input.take(size).read_to_end(&mut bytes)?;
    let is_right = checksum(&head[..16], &bytes)[..] == head[16..];
    let codes = Codes::of_bytes(&bytes, width as usize).filter(|_| is_right);
    match codes {
        Some(codes) => Ok(Found::Record(heap, codes.kept().map_err(no_room)?)),
        None if after > 0 => Ok(Found::Begun),
        None => Ok(Found::Other),
    }
}

fn checksum(head: &[u8], codes: &[u8]) -> [u8; 4] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(codes);
    hasher.finalize().to_le_bytes()
}
