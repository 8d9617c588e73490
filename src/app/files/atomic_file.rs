//! Files that are written aside and put in their place whole, so that a reader never sees half of one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file in the making, beside the one that it will replace; given up unless [`Aside::commit`] is called.
///
/// What is no regular file, like `/dev/stdout` or a named pipe, can't be replaced and is written to directly.
#[derive(Debug)]
pub struct Aside {
    file: File,
    /// Where it is written; `None` if directly.
    part: Option<PathBuf>,
    target: PathBuf,
}

impl Aside {
    /// Begins a file that will take the place of `target`, or of the file that `target` links to.
    ///
    /// # Errors
    /// If it can't be made in the target's directory, or another process is making it.
    pub fn create(target: &Path) -> io::Result<Aside> {
        if target.file_name().is_none() || target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let exists = target.exists();
        if exists && !target.is_file() {
            return Ok(Aside {
                file: OpenOptions::new().write(true).open(target)?,
                part: None,
                target: target.to_owned(),
            });
        }
        let target = if exists {
            // A file that may not be written to is not to be replaced either.
            OpenOptions::new().append(true).open(target)?;
            fs::canonicalize(target)?
        } else {
            target.to_owned()
        };
        let part = with_suffix(&target, ".part");
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&part)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let text = format!("another process is writing {}", part.display());
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, text));
        }
        file.set_len(0)?;
        Ok(Aside {
            file,
            part: Some(part),
            target,
        })
    }

    /// Puts the file in its place, once all of it is on the disk.
    ///
    /// # Errors
    /// If the disk is full or the target can't be replaced; nothing is left behind then.
    pub fn commit(self) -> io::Result<()> {
        self.replace(None)
    }

    /// Like [`Aside::commit`], but what was there before is kept as `previous`.
    ///
    /// # Errors
    /// As for [`Aside::commit`].
    pub fn commit_keeping(self, previous: &Path) -> io::Result<()> {
        self.replace(Some(previous))
    }

    fn replace(mut self, previous: Option<&Path>) -> io::Result<()> {
        let Some(part) = &self.part else {
            return self.file.flush();
        };
        self.file.sync_all()?;
        if let Some(previous) = previous
            && self.target.exists()
        {
            keep_as(&self.target, previous)?;
        }
        fs::rename(part, &self.target)?;
        self.part = None;
        sync_directory(&self.target)
    }
}

/// Gives a file a second name, so that at no moment it is gone under the first; where the file system has no hard
/// links, it is renamed.
fn keep_as(target: &Path, previous: &Path) -> io::Result<()> {
    match fs::remove_file(previous) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::hard_link(target, previous).or_else(|_| fs::rename(target, previous))
}

impl Write for Aside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // Nothing can be done about a partial file that can't be removed.
            let _ = fs::remove_file(part);
        }
    }
}

/// A path with more at the end of its name: `run.ck` and `.part` make `run.ck.part`.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// Makes a rename in a file's directory last through a power cut.
#[cfg(unix)]
fn sync_directory(file: &Path) -> io::Result<()> {
    let directory = match file.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory,
        _ => Path::new("."),
    };
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(directory: &Path) -> Vec<String> {
        let names = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("out");
        let mut given_up = Aside::create(&target).unwrap();
        given_up.write_all(b"half").unwrap();
        assert_eq!(files(directory.path()), ["out.part"]);
        drop(given_up);
        assert_eq!(files(directory.path()), Vec::<String>::new());

        for text in ["first", "second"] {
            let mut aside = Aside::create(&target).unwrap();
            aside.write_all(text.as_bytes()).unwrap();
            aside
                .commit_keeping(&with_suffix(&target, ".prev"))
                .unwrap();
        }
        assert_eq!(files(directory.path()), ["out", "out.prev"]);
        assert_eq!(fs::read(&target).unwrap(), b"second");
        assert_eq!(
            fs::read(directory.path().join("out.prev")).unwrap(),
            b"first"
        );
    }

    #[test]
    fn two_writers_are_kept_apart() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("out");
        let first = Aside::create(&target).unwrap();
        let second = Aside::create(&target).unwrap_err();
        assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
        first.commit().unwrap();
        assert_eq!(files(directory.path()), ["out"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_a_device() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let mut aside = Aside::create(&link).unwrap();
        aside.write_all(b"new").unwrap();
        aside.commit().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");

        let mut null = Aside::create(Path::new("/dev/null")).unwrap();
        null.write_all(b"gone").unwrap();
        null.commit().unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}
