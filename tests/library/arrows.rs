//! The arrows between the rooms run one way: every import of the source is one that ARCHITECTURE.md shows. Within a room no
//! files that stand side by side, each with its folder, import one another in a circle.

use crate::common::files_below;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What lies in front of the unit tests, without comments.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
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
    let files = files_below(Path::new("src"), &["rs"]);
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

/// The module of a file, below the crate.
fn module_of(file: &Path) -> Vec<String> {
    let inside = file.strip_prefix("src").unwrap().with_extension("");
    let names = inside.iter().map(|name| name.to_str().unwrap().to_owned());
    names.collect()
}

/// The paths of a use tree.
fn expanded(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else {
        return vec![tree.split(" as ").next().unwrap().trim().to_owned()];
    };
    let (prefix, inner) = (&tree[..open], &tree[open + 1..tree.rfind('}').unwrap()]);
    let mut depth = 0;
    let parts = inner.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts
        .flat_map(|part| expanded(&format!("{prefix}{part}")))
        .collect()
}

/// What a file names by a path from the crate or from a module above.
fn named(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let end = rest[at..].find(';').map_or(rest.len(), |end| at + end);
        let tree = rest[at + 4..end].trim_start();
        if tree.starts_with("crate::") || tree.starts_with("super::") {
            found.extend(expanded(&tree.replace('\n', " ")));
        }
        rest = &rest[(at + 4).min(rest.len())..];
    }
    let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c| !is_path(c)).map(str::to_owned);
    found.extend(words.filter(|word| word.starts_with("crate::") || word.starts_with("super::")));
    found
}

/// For each item that a module takes over from a file below it (`pub use`), by its path there, the module that has it.
fn taken_over(
    files: &[PathBuf],
    modules: &BTreeSet<Vec<String>>,
) -> BTreeMap<Vec<String>, Vec<String>> {
    let mut found = BTreeMap::new();
    for file in files {
        let (module, code) = (module_of(file), code(file));
        let statements = code.split(';').map(str::trim_start);
        let trees = statements.filter_map(|statement| {
            let (before, tree) = statement.split_once("use ")?;
            let before = before.trim_end();
            (before.starts_with("pub") && !before.contains(' ')).then_some(tree)
        });
        for path in trees.flat_map(|tree| expanded(&tree.replace('\n', " "))) {
            let mut owner = module.clone();
            owner.extend(path.split("::").map(|name| name.trim().to_owned()));
            let mut there = module.clone();
            there.extend(owner.last().cloned());
            while owner.len() > module.len() && !modules.contains(&owner) {
                owner.pop();
            }
            if owner.len() > module.len() {
                found.insert(there, owner);
            }
        }
    }
    found
}

/// The file's module that a path names, or has the item that it names.
fn resolved<'m>(
    path: &str,
    from: &[String],
    modules: &'m BTreeSet<Vec<String>>,
    taken_over: &'m BTreeMap<Vec<String>, Vec<String>>,
) -> Option<&'m Vec<String>> {
    let mut module = match path.starts_with("super::") {
        true => from.to_vec(),
        false => Vec::new(),
    };
    for name in path
        .split("::")
        .skip(usize::from(path.starts_with("crate::")))
    {
        match name.trim() {
            "super" => drop(module.pop()),
            name => module.push(name.to_owned()),
        }
    }
    while !module.is_empty() {
        if let Some(found) = modules.get(&module).or_else(|| taken_over.get(&module)) {
            return Some(found);
        }
        module.pop();
    }
    None
}

#[test]
fn no_files_of_a_room_import_one_another_in_a_circle() {
    let files = files_below(Path::new("src"), &["rs"]);
    let modules: BTreeSet<Vec<String>> = files.iter().map(|file| module_of(file)).collect();
    let taken_over = taken_over(&files, &modules);
    assert!(taken_over.len() > 100);
    // For each module which of those right below it import which.
    let mut arrows: BTreeMap<Vec<String>, BTreeSet<(String, String)>> = BTreeMap::new();
    for file in &files {
        let from = module_of(file);
        if from.iter().any(|name| name == "tests") {
            continue;
        }
        for path in named(&code(file)) {
            let Some(to) = resolved(&path, &from, &modules, &taken_over) else {
                continue;
            };
            let shared = from.iter().zip(to).take_while(|(one, other)| one == other);
            let shared = shared.count();
            if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
                let arrows = arrows.entry(from[..shared].to_vec()).or_default();
                arrows.insert((one.clone(), other.clone()));
            }
        }
    }
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 300);
    let mut wrong = Vec::new();
    for (module, mut arrows) in arrows {
        // What imports nothing that is left, or is imported by nothing, is in no circle.
        loop {
            let before = arrows.len();
            let import: BTreeSet<String> = arrows.iter().map(|arrow| arrow.0.clone()).collect();
            let imported: BTreeSet<String> = arrows.iter().map(|arrow| arrow.1.clone()).collect();
            arrows.retain(|(from, to)| import.contains(to) && imported.contains(from));
            if arrows.len() == before {
                break;
            }
        }
        let shown = |(from, to): &(String, String)| format!("{}: {from} → {to}", module.join("::"));
        wrong.extend(arrows.iter().map(shown));
    }
    assert!(wrong.is_empty(), "in a circle:\n{}", wrong.join("\n"));
}
