//! Files that appear whole or not at all, checkpoints of long runs, claims on them, and input read line by line as it comes.

pub mod atomic_file;
pub mod checkpoint;
pub mod claim;
pub mod lines;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Whether a file is named `-`, which is standard input or standard output.
pub fn is_dash(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Removes a file that nothing could be written to. If it can't be removed, it is in nobody's way.
pub fn remove_empty(file: &File, path: &Path) {
    if file.metadata().is_ok_and(|found| found.len() == 0) {
        let _ = fs::remove_file(path);
    }
}

/// Opens a file to be read, or standard input if it is named `-`.
pub fn input(file: &Path) -> io::Result<Box<dyn Read + Send>> {
    match is_dash(file) {
        true => Ok(Box::new(io::stdin())),
        false => Ok(Box::new(File::open(file)?)),
    }
}
