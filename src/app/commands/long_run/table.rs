//! The values of a table in a checkpoint, one or two bytes each.

use super::{CONTENT, game};
use crate::app::files::checkpoint::{CheckpointError, Kept, Saved};
use crate::app::report::style::note;
use crate::engine::table::Table;
use crate::rng::Rng;
use crate::ruleset::Ruleset;
use crate::sequence::FirstValues;
use crate::sequence::spot_check::{WrongValue, wrong_value};
use std::collections::BTreeMap;
use std::io::Write;

/// The parameters that a saved table must share with this run to be continued: the program and its version, and the game's rule.
pub fn parameters(ruleset: &Ruleset) -> BTreeMap<String, String> {
    let program = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    BTreeMap::from([
        (CONTENT.to_owned(), "nim-values".to_owned()),
        game(ruleset),
        ("program".to_owned(), program.to_owned()),
    ])
}

/// The number of values that a checkpoint says it holds.
pub fn count(saved: &Saved) -> u64 {
    saved.header.state.get("count").copied().unwrap_or(0)
}

/// Saves the values. Returns how many there are.
///
/// # Errors
/// If they can't be written; what was saved before stays.
pub fn save(kept: &Kept, values: &FirstValues<'_>) -> Result<u64, CheckpointError> {
    let narrow = values.each_block(|block| match block.iter().all(|&value| value <= 0xff) {
        true => Ok(()),
        false => Err(()),
    });
    let (count, width) = (values.count(), if narrow.is_ok() { 1 } else { 2 });
    let state = BTreeMap::from([("count".to_owned(), count), ("width".to_owned(), width)]);
    kept.write(state, count * width, |saving| {
        values.each_block(|block| {
            let bytes: Vec<u8> = match width {
                1 => block.iter().map(|&value| value as u8).collect(),
                _ => block.iter().flat_map(|value| value.to_le_bytes()).collect(),
            };
            saving.write_all(&bytes)
        })
    })?;
    Ok(count)
}

/// Reads the values back, and checks some of them against the rule of the game: the checksums show only that the bytes are as
/// they were written.
///
/// # Errors
/// If they are more than the memory allows, or wrong.
pub fn load(
    mut saved: Saved,
    ruleset: &Ruleset,
    memory: u64,
    quiet: bool,
) -> anyhow::Result<Table> {
    let table = read(&mut saved, memory)?;
    let found = wrong_value(ruleset, &table, Rng::any_seed())?;
    if let Some(WrongValue { heap, given, right }) = found {
        let what = format!("the nim-value of pile {heap} is {given} in it, where {right} is right");
        return Err(saved.broken(what).into());
    }
    if let (Some(last), false) = (table.len().checked_sub(1), quiet) {
        let file = saved.file.display();
        note(format_args!(
            "continuing from {file}, which holds the values of the piles up to {last}"
        ));
    }
    Ok(table)
}

fn read(saved: &mut Saved, memory: u64) -> anyhow::Result<Table> {
    let width = saved.header.state.get("width").copied().unwrap_or(0);
    let count = count(saved);
    let bytes = saved.header.bytes;
    if !(1..=2).contains(&width) || count.checked_mul(width) != Some(bytes) {
        let what = format!("{count} values of {width} bytes are stated, in {bytes} bytes");
        return Err(saved.broken(what).into());
    }
    saved.check_room("values", memory)?;
    let mut table = Table::new();
    for block in saved.blocks() {
        for cell in block?.chunks(width as usize) {
            let value = match cell {
                [low, high] => u16::from_le_bytes([*low, *high]),
                _ => u16::from(cell[0]),
            };
            table.push(value.into())?;
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn narrow_and_wide_tables_are_read_back() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("run.ck");
        let parameters = parameters(&"kayles".parse().unwrap());
        for (count, most, width) in [
            (0, 1, 1),
            (10, 255, 1),
            (200_001, 250, 1),
            (10, 256, 2),
            (200_000, 60_000, 2),
        ] {
            let mut table = Table::new();
            for n in 0..count {
                let value = if n == 9 { most } else { n % 241 };
                table.push(value as u64).unwrap();
            }
            let values = FirstValues::Table(&table);
            let kept = Kept::new(&file, parameters.clone(), Duration::MAX).unwrap();
            save(&kept, &values).unwrap();
            let mut saved = Saved::open(&file, &parameters).unwrap().unwrap();
            assert_eq!(saved.header.state["width"], width);
            assert_eq!(saved.header.state["count"], count as u64);
            assert!(
                read(&mut saved, u64::MAX).unwrap() == table,
                "{count} values to {most}"
            );
        }
    }
}
