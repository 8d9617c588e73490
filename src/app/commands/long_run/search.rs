//! A search for a period in a checkpoint: its last values and marks there, a few MB, and its snapshots in a file beside it.

use super::snapshots::SnapshotFile;
use crate::app::files::checkpoint::{CheckpointError, Kept, Saved, Saving};
use crate::app::report::style::note;
use crate::engine::Effort;
use crate::ruleset::Ruleset;
use crate::sequence::period::bounded_search::{BoundedSearch, ResumeError, SavedSearch};
use std::collections::BTreeMap;
use std::io::Write;

/// What a checkpoint of a search states as its content; another number stands for another form.
const CONTENT: &str = "window search 1";
/// The beginning of what checkpoints of searches in every form state as their content.
const SEARCH: &str = "window search";
/// The name of the figure that tells how many bytes of the snapshots' file belong to a checkpoint.
const SNAPSHOT_BYTES: &str = "snapshot_bytes";

/// The parameters that a saved search must share with this run to be continued.
pub fn parameters(ruleset: &Ruleset) -> BTreeMap<String, String> {
    let content = (super::CONTENT.to_owned(), CONTENT.to_owned());
    BTreeMap::from([content, super::game(ruleset)])
}

/// Whether a checkpoint with this content is one of a search.
pub fn is_search(content: &str) -> bool {
    content.starts_with(SEARCH)
}

/// Continues the search that was saved.
///
/// # Errors
/// If the checkpoint is not of a search of this game, or a signal stops the work; the files are left as they were.
pub fn load(
    mut saved: Saved,
    snapshots: &mut SnapshotFile,
    ruleset: &Ruleset,
    effort: &Effort,
    quiet: bool,
) -> anyhow::Result<BoundedSearch> {
    let known = saved.header.state.get("known").copied().unwrap_or(0);
    if !quiet {
        let (file, last) = (saved.file.display(), known.saturating_sub(1));
        note(format_args!(
            "continuing from {file}, which holds a search up to pile {last}; its last values are computed again"
        ));
    }
    saved.check_room("search", effort.memory)?;
    let blocks: Result<Vec<_>, _> = saved.blocks().collect();
    let bytes = blocks?.concat();
    let state = &saved.header.state;
    let wrong = |wrong: ResumeError| -> anyhow::Error {
        match wrong {
            ResumeError::Work(error) => error.into(),
            wrong => saved.broken(wrong.to_string()).into(),
        }
    };
    let belonging = state.get(SNAPSHOT_BYTES).copied();
    let belonging = belonging
        .ok_or_else(|| saved.broken(format!("its figure `{SNAPSHOT_BYTES}` is missing")))?;
    let search = SavedSearch::read(state, &bytes).map_err(wrong)?;
    let known = search.known();
    let snapshots = snapshots.read(known, belonging, effort.memory)?;
    let mut go_on = |at: u64| effort.goes_on(at.min(known), known);
    BoundedSearch::resume(ruleset, effort, &search, snapshots, &mut go_on).map_err(wrong)
}

/// Saves the search, if it knows enough values to be continued. Returns how many values are saved then.
///
/// # Errors
/// If it can't be written; what was saved before stays.
pub fn save(
    kept: &Kept,
    snapshots: &mut SnapshotFile,
    search: &BoundedSearch,
) -> Result<u64, CheckpointError> {
    let Some((state, bytes)) = search.save() else {
        return Ok(kept.values);
    };
    let write = |belonging| {
        let mut state = state.clone();
        state.insert(SNAPSHOT_BYTES.to_owned(), belonging);
        let write = |saving: &mut Saving| saving.write_all(&bytes);
        kept.write(state, bytes.len() as u64, write)
    };
    // Snapshots without a checkpoint would belong to nobody.
    if kept.values == 0 && snapshots.is_empty() {
        write(0)?;
    }
    write(snapshots.append(search.snapshots())?)?;
    Ok(search.known())
}
