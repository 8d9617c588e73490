//! The files of a directory, and a checkpoint taken apart.

use std::fs;
use std::path::Path;

/// The names in a directory, in order.
pub fn names(directory: impl AsRef<Path>) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// How many files in the making there are in a directory.
pub fn parts(directory: impl AsRef<Path>) -> usize {
    let names = names(directory);
    names.iter().filter(|name| name.ends_with(".part")).count()
}

/// A checkpoint in parts, to be put together again with right checksums.
#[derive(Clone)]
pub struct Checkpoint {
    pub header: serde_json::Value,
    pub bytes: Vec<u8>,
}

impl Checkpoint {
    pub fn read(file: &Path) -> Checkpoint {
        let all = fs::read(file).unwrap();
        let length = u32::from_le_bytes(all[8..12].try_into().unwrap()) as usize;
        let blocks = all[12 + length + 4..].chunks((1 << 20) + 4);
        Checkpoint {
            header: serde_json::from_slice(&all[12..12 + length]).unwrap(),
            bytes: blocks
                .flat_map(|block| block[..block.len() - 4].to_vec())
                .collect(),
        }
    }

    pub fn write(&self, file: &Path) {
        let header = serde_json::to_vec(&self.header).unwrap();
        let mut all = b"NIMCKPT1".to_vec();
        all.extend((header.len() as u32).to_le_bytes());
        all.extend(header);
        all.extend(crc32fast::hash(&all).to_le_bytes());
        for block in self.bytes.chunks(1 << 20) {
            all.extend(block);
            all.extend(crc32fast::hash(block).to_le_bytes());
        }
        fs::write(file, all).unwrap();
    }

    pub fn figure(&self, name: &str) -> u64 {
        self.header["state"][name].as_u64().unwrap()
    }
}
