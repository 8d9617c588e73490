//! The claim of one process on a file that it works on for long: no other process takes the work over meanwhile.
//!
//! The claim is an empty file beside the file, `FILE.lock`, locked as long as the process lives and removed at its end. A lock
//! file that a killed process leaves is unlocked, and the next process takes it.

use super::atomic_file::{followed, parts, with_suffix};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A claim on a file, given up when it is dropped.
#[derive(Debug)]
pub struct Claim {
    /// Locked while it is open.
    _file: File,
    path: PathBuf,
}

/// Where the claim on a file lies: beside the file itself, not beside a link to it.
pub fn lock_of(file: &Path) -> io::Result<PathBuf> {
    Ok(with_suffix(&followed(file)?, ".lock"))
}

impl Claim {
    /// Claims a file, whether it is there yet or not.
    ///
    /// # Errors
    /// If another process has it, or the claim can't be made.
    pub fn take(file: &Path) -> io::Result<Claim> {
        let path = lock_of(file)?;
        loop {
            let is_other = |found: fs::Metadata| !found.is_file() || found.len() > 0;
            if fs::symlink_metadata(&path).is_ok_and(is_other) {
                return Err(io::Error::other(format!(
                    "{} exists and does not belong to this program; move it, or name another file",
                    path.display()
                )));
            }
            let lock = File::options()
                .read(true)
                .append(true)
                .create(true)
                .open(&path)?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let text = format!("another process is using {}", file.display());
                    return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
                }
                // A file system without locks is no reason to stop.
                Err(TryLockError::Error(_)) => {}
            }
            // A process that has ended meanwhile may have removed the lock file.
            if is_at(&lock, &path) {
                parts(|parts| parts.push(path.clone()));
                return Ok(Claim { _file: lock, path });
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        parts(|parts| parts.retain(|part| *part != self.path));
        // If the lock file stays, it is empty and unlocked, and the next process takes it.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |found: fs::Metadata| (found.dev(), found.ino());
    let open = file.metadata().map(of).ok();
    open.is_some() && open == fs::metadata(path).map(of).ok()
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
