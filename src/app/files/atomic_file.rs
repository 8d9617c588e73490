//! Files that are written beside their place and put in it whole, so that a reader never sees half of one.

use crate::engine::lock;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, IsTerminal, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::{NamedTempFile, TempPath};

/// The most links that are followed, as many as the system follows.
const MOST_LINKS: usize = 40;

/// The beginning and the end of the name of a file in the making. The file is locked, so that one which a killed process left
/// behind can be told from one that is being written.
const PREFIX: &str = ".nim-analyser-locked-";
const SUFFIX: &str = ".part";

/// The paths of the files in the making, so that they can be removed if the process is to end early.
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file in the making, beside the one that it will replace; given up unless [`AtomicFile::commit`] is called.
///
/// It is made under a fresh name in the same folder. Where a link is named, the file that it leads to is replaced.
/// The new file has the mode and the owner of the one before it. What is no ordinary file, like `/dev/stdout` or a
/// named pipe, can't be replaced and is written to directly.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    /// The file in the making; `None` if the target itself is written to.
    part: Option<Part>,
}

#[derive(Debug)]
struct Part {
    path: TempPath,
    target: PathBuf,
    /// The target, open, where a new file can't be given its owner and mode: then only its content is replaced. A process that
    /// is killed just then leaves it half written.
    kept: Option<File>,
}

impl AtomicFile {
    /// Begins a file that will take the place of `target`.
    ///
    /// # Errors
    /// If it can't be made in the target's folder, or the file there may not be written.
    pub fn create(target: &Path) -> io::Result<AtomicFile> {
        let target = followed(target)?;
        let before = match fs::metadata(&target) {
            Ok(before) if before.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(before) => match own_stream(&before)? {
                Some(file) => return Ok(AtomicFile { file, part: None }),
                None => Some(before),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        // A file that may not be written to is not to be replaced either.
        let open = || OpenOptions::new().append(true).open(&target);
        let old = before.as_ref().map(|_| open()).transpose()?;
        match old {
            Some(file) if !file.metadata()?.is_file() || is_stream(&target) => {
                Ok(AtomicFile { file, part: None })
            }
            old => AtomicFile::beside(target, old, like),
        }
    }

    /// Begins a file beside its target; `like` gives it the owner and the mode of the old one, if it can.
    fn beside(
        target: PathBuf,
        old: Option<File>,
        like: impl Fn(&File, &File) -> io::Result<()>,
    ) -> io::Result<AtomicFile> {
        // The file is created and listed in one step, so that a process that ends in between leaves no file behind.
        let named = parts(|parts| {
            let named = new_file(folder_of(&target))?;
            parts.push(named.path().to_path_buf());
            io::Result::Ok(named)
        })?;
        let kept = old.filter(|old| like(named.as_file(), old).is_err());
        let (file, path) = named.into_parts();
        Ok(AtomicFile {
            file,
            part: Some(Part { path, target, kept }),
        })
    }

    /// Whether the file is a terminal, where a person reads along.
    pub fn is_terminal(&self) -> bool {
        self.file.is_terminal()
    }

    /// The bytes for which the disk of the file has room, if it is an ordinary file and the system tells.
    pub fn room(&self) -> Option<u64> {
        #[cfg(unix)]
        if self.part.is_some() {
            let disk = rustix::fs::fstatvfs(&self.file).ok()?;
            return (disk.f_blocks > 0).then(|| disk.f_bavail.saturating_mul(disk.f_frsize));
        }
        None
    }

    /// Puts the file in its place, once all of it is on the disk. What was there before is kept as `previous`, if that is given:
    /// at every moment one of the two is whole then.
    ///
    /// # Errors
    /// If the disk is full or the target can't be replaced; nothing is left behind then.
    pub fn commit(mut self, previous: Option<&Path>) -> io::Result<()> {
        let Some(part) = &mut self.part else {
            return self.file.flush();
        };
        self.file.sync_all()?;
        if let Some(previous) = previous
            && part.target.exists()
        {
            let keep = if part.kept.is_some() {
                copy_as
            } else {
                keep_as
            };
            keep(&part.target, previous)?;
        }
        if let Some(kept) = &mut part.kept {
            self.file.rewind()?;
            kept.set_len(0)?;
            io::copy(&mut self.file, kept)?;
            return kept.sync_all();
        }
        fs::rename(&part.path, &part.target)?;
        sync_directory(&part.target)
    }
}

/// Gives a file a second name, so that at no moment it is missing under the first; where the file system has no hard links, the
/// file is renamed.
fn keep_as(target: &Path, previous: &Path) -> io::Result<()> {
    remove_if_there(previous)?;
    fs::hard_link(target, previous).or_else(|_| fs::rename(target, previous))
}

/// Copies a file whose content is to be replaced where it stands.
fn copy_as(target: &Path, previous: &Path) -> io::Result<()> {
    remove_if_there(previous)?;
    let mut copy = File::create_new(previous)?;
    io::copy(&mut File::open(target)?, &mut copy)?;
    copy.sync_all()?;
    sync_directory(previous)
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // The file itself goes with its path, and after a rename nothing is there any more.
        parts(|parts| parts.retain(|part| *part != *self.path));
    }
}

/// Removes what killed processes left in the making where `target` is to be written.
pub fn clear_dead(target: &Path) {
    let folder = followed(target).ok();
    let folder = folder.as_deref().and_then(Path::parent);
    let names = folder.map(fs::read_dir);
    for entry in names.into_iter().flatten().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_part = name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes());
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_part || !is_file {
            continue;
        }
        let file = OpenOptions::new().append(true).open(entry.path());
        if file.is_ok_and(|file| file.try_lock().is_ok()) {
            // Another process may have removed it just now.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes every file in the making, for a process that ends at once: no other can be made any more.
pub fn give_up_all() {
    let mut parts = lock(&PARTS);
    for part in parts.drain(..) {
        // A file that can't be removed is left behind.
        let _ = fs::remove_file(part);
    }
    std::mem::forget(parts);
}

/// Changes the list of the files in the making.
pub(super) fn parts<T>(change: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    change(&mut lock(&PARTS))
}

/// A path with `suffix` added to the end of its name: `run.ck` and `.prev` make `run.ck.prev`.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// The place that a path leads to, whether a file is there yet or not: its folder without links, and a name that is no link, or
/// one that the system keeps for an open file.
///
/// # Errors
/// If the path names no file, its folder isn't there, or links lead round in circles.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let is_folder = path
            .as_os_str()
            .as_encoded_bytes()
            .last()
            .is_some_and(|&byte| std::path::is_separator(byte.into()));
        let Some(name) = path.file_name().filter(|_| !is_folder) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let folder = fs::canonicalize(folder_of(&path))?;
        let place = folder.join(name);
        if is_stream(&place) || !place.is_symlink() {
            return Ok(place);
        }
        path = folder.join(fs::read_link(&place)?);
    }
    Err(io::Error::other("too many links lead from one to the next"))
}

/// The folder that a file lies in, which need not be named.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether a path is the system's name for an open file, which may be an ordinary one but is not to be replaced.
fn is_stream(path: &Path) -> bool {
    cfg!(unix) && (path.starts_with("/proc") || path.starts_with("/dev/fd"))
}

/// Standard output or error, if `meant` is that very file: it is written where it stands, among what others write there.
#[cfg(unix)]
fn own_stream(meant: &Metadata) -> io::Result<Option<File>> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    for stream in [io::stdout().as_fd(), io::stderr().as_fd()] {
        let file = File::from(stream.try_clone_to_owned()?);
        let open = file.metadata()?;
        if (open.dev(), open.ino()) == (meant.dev(), meant.ino()) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn own_stream(_: &Metadata) -> io::Result<Option<File>> {
    Ok(None)
}

/// A new file in a folder, under a name that nothing has, with the mode that the user's mask leaves, locked where the
/// file system has locks.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        // The crate's own error names the temporary file, which says nothing to the user.
        let new = builder.tempfile_in(folder);
        let new = new.map_err(|error| io::Error::from(error.kind()))?;
        let locked = new.as_file().try_lock();
        // Before the file was locked, another process may have removed it as one left behind.
        if !matches!(locked, Err(TryLockError::WouldBlock)) && new.path().exists() {
            return Ok(new);
        }
    }
}

/// Gives a file the owner and the mode of another.
#[cfg(unix)]
fn like(file: &File, other: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let (new, other) = (file.metadata()?, other.metadata()?);
    file.set_permissions(PermissionsExt::from_mode(other.mode() & 0o777))?;
    if (new.uid(), new.gid()) != (other.uid(), other.gid()) {
        fchown(file, Some(other.uid()), Some(other.gid()))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn like(file: &File, other: &File) -> io::Result<()> {
    file.set_permissions(other.metadata()?.permissions())
}

/// Makes a rename in a file's directory last through a power cut.
#[cfg(unix)]
fn sync_directory(file: &Path) -> io::Result<()> {
    File::open(folder_of(file))?.sync_all()
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
        let mut given_up = AtomicFile::create(&target).unwrap();
        given_up.write_all(b"half").unwrap();
        let [part] = &files(directory.path())[..] else {
            panic!("{:?}", files(directory.path()))
        };
        assert!(part.starts_with(PREFIX) && part.ends_with(SUFFIX));
        drop(given_up);
        assert_eq!(files(directory.path()), Vec::<String>::new());

        for text in ["first", "second"] {
            let mut made = AtomicFile::create(&target).unwrap();
            made.write_all(text.as_bytes()).unwrap();
            made.commit(Some(&with_suffix(&target, ".prev"))).unwrap();
        }
        assert_eq!(files(directory.path()), ["out", "out.prev"]);
        assert_eq!(fs::read(&target).unwrap(), b"second");
        assert_eq!(
            fs::read(directory.path().join("out.prev")).unwrap(),
            b"first"
        );
    }

    #[test]
    fn what_a_dead_process_left_is_cleared_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("out");
        let living = AtomicFile::create(&target).unwrap();
        let [part] = <[String; 1]>::try_from(files(directory.path())).unwrap();
        let dead = format!("{PREFIX}dead{SUFFIX}");
        let others = [
            "out",
            ".nim-analyser-abcdef.part",
            "mine.part",
            &format!("{PREFIX}mine"),
        ];
        for name in others.iter().chain([&&*dead]) {
            fs::write(directory.path().join(name), "left").unwrap();
        }
        fs::create_dir(directory.path().join(format!("{PREFIX}folder{SUFFIX}"))).unwrap();
        clear_dead(&target);
        let left = files(directory.path());
        assert_eq!((left.len(), left.contains(&dead)), (6, false), "{left:?}");
        assert!(left.contains(&part));
        living.commit(None).unwrap();
    }

    #[test]
    fn of_two_writers_each_is_whole_and_the_last_stays() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("out");
        let mut writers = [(); 2].map(|()| AtomicFile::create(&target).unwrap());
        for (writer, text) in writers.iter_mut().zip(["one", "another"]) {
            writer.write_all(text.as_bytes()).unwrap();
        }
        for writer in writers {
            writer.commit(None).unwrap();
        }
        assert_eq!(files(directory.path()), ["out"]);
        assert_eq!(fs::read(&target).unwrap(), b"another");
    }

    #[cfg(unix)]
    #[test]
    fn what_only_may_be_written_to_is_filled_anew() {
        use std::os::unix::fs::MetadataExt;
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("out");
        fs::write(&target, "something longer").unwrap();
        let old = File::options().append(true).open(&target).unwrap();
        let same = old.metadata().unwrap().ino();
        let of_another = |_: &File, _: &File| Err(io::ErrorKind::PermissionDenied.into());
        let mut made = AtomicFile::beside(target.clone(), Some(old), of_another).unwrap();
        made.write_all(b"new").unwrap();
        let previous = with_suffix(&target, ".prev");
        made.commit(Some(&previous)).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert_eq!(fs::metadata(&target).unwrap().ino(), same);
        assert_eq!(files(directory.path()), ["out", "out.prev"]);
        assert_eq!(fs::read(&previous).unwrap(), b"something longer");
    }
}
