//! The arrows between the rooms run one way: every import of the source is one that ARCHITECTURE.md shows.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// What lies in front of the unit tests, without comments.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = code.lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// The rooms in the order of ARCHITECTURE.md's line of arrows, the highest first.
fn rooms() -> Vec<String> {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let line = text.lines().find(|line| line.contains(" → ")).unwrap();
    let names = line
        .split(" → ")
        .map(|room| room.trim_matches(['`', '.', ' ']));
    names.map(str::to_owned).collect()
}

fn room_of(file: &Path) -> String {
    let inside = file.strip_prefix("src").unwrap();
    let first = inside.components().next().unwrap();
    let name = first.as_os_str().to_str().unwrap();
    name.trim_end_matches(".rs").to_owned()
}

#[test]
fn imports_follow_the_arrows_of_the_map() {
    let rooms = rooms();
    assert!(rooms.len() > 8, "the map has its line of arrows: {rooms:?}");
    let height: BTreeMap<&str, usize> = rooms.iter().rev().map(String::as_str).zip(0..).collect();
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let mut wrong = Vec::new();
    for file in &files {
        let room = room_of(file);
        if ["lib", "main"].contains(&room.as_str()) {
            continue;
        }
        let from = *height
            .get(room.as_str())
            .unwrap_or_else(|| panic!("the map doesn't show {room}"));
        let text = code(file);
        for import in text.split("crate::").skip(1) {
            let length = import.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            let target = &import[..length.unwrap_or(import.len())];
            match height.get(target) {
                Some(&to) if to <= from => {}
                Some(_) => wrong.push(format!("{}: {room} → {target}", file.display())),
                None => wrong.push(format!("{}: crate::{target}", file.display())),
            }
        }
    }
    assert!(files.len() > 50);
    assert!(
        wrong.is_empty(),
        "against the arrows:\n{}",
        wrong.join("\n")
    );
}
