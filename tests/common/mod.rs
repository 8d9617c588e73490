//! What several tests share.

#![allow(dead_code)]

pub mod certificates;
pub mod codes;
pub mod program;
// The same source, which is no part of the public interface.
#[path = "../../src/rng.rs"]
pub mod rng;
#[cfg(unix)]
pub mod running;
pub mod tree;

use nim_analyser::Ruleset;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The ruleset of a name, a code or a rule in words.
pub fn ruleset(text: &str) -> Ruleset {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The codes of the games whose period is published, with period and preperiod.
pub fn solved() -> Vec<(String, u64, u64)> {
    let published = include_str!("../../src/sequence/published/known.json");
    let published: Value = serde_json::from_str(published).unwrap();
    let solved = published["solved"].as_array().unwrap().iter();
    let mut solved: Vec<_> = solved
        .map(|game| {
            let code = game["code"].as_str().unwrap().to_owned();
            let preperiod = game["last_exception"].as_u64().map_or(0, |last| last + 1);
            (code, game["period"].as_u64().unwrap(), preperiod)
        })
        .collect();
    solved.sort();
    solved.dedup();
    solved
}

/// The files below a folder whose names have one of these endings, in order.
pub fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path, endings));
        } else if endings
            .iter()
            .any(|&ending| path.extension() == Some(ending.as_ref()))
        {
            found.push(path);
        }
    }
    found.sort();
    found
}
