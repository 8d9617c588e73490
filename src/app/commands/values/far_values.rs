//! `values` of a game with a sparse space, in memory that doesn't grow with the number of piles: the last ones are read
//! from the window that computed them (`engine/value_window.rs`), a longer stretch is written as it is computed.

use super::super::long_run::{CheckpointArgs, LongRun, Place};
use super::super::output::Output;
use super::{Args, open};
use crate::app::error::refuse;
use crate::app::files::is_dash;
use crate::app::report::sequence::{Format, Stretch};
use crate::engine::Engine;
use crate::engine::value_window::BACK;
use crate::grundy::NimValue;
use crate::ruleset::Ruleset;
use anyhow::bail;
use std::process::ExitCode;

/// Whether more values than a table is meant for can be written without a table of them all. A stretch that is written as it is
/// computed must go to a file if its format begins with what only the last value shows; and a checkpoint holds no long stretch.
pub fn suit_window(args: &Args, stretch: &Stretch, format: Format) -> bool {
    let fits = matches!(args.effort.engine, Engine::Auto | Engine::Sparse);
    let into_file = args.output.as_deref().is_some_and(|file| !is_dash(file));
    let streams = args.checkpoint.checkpoint.is_none() && (into_file || format.width(0) == 0);
    fits && stretch.to < u64::MAX && !args.explain && (is_short(stretch) || streams)
}

/// Whether the window still has the first of these values when it gets to the last.
fn is_short(stretch: &Stretch) -> bool {
    stretch.to - stretch.from < BACK
}

/// Computes the values by this search and writes the stretch. The values known tell how many bytes a value takes to begin with;
/// a wider one ends the writing, and the file and the search are begun again with its width.
pub fn write(
    args: &Args,
    ruleset: &Ruleset,
    stretch: &Stretch,
    format: Format,
    mut output: Output,
    mut run: LongRun,
) -> anyhow::Result<ExitCode> {
    if is_short(stretch) {
        run.compute(stretch.to, u64::MAX, &mut |_, _| Ok(()))?;
    }
    let (known, kept) = (run.sequence().computed(), run.sequence().kept_from());
    if is_short(stretch) && stretch.from < kept {
        refuse!(
            "the checkpoint holds a search up to pile {}, with the values from pile {kept} on only; name another file",
            known - 1
        );
    }
    let mut most = 0;
    run.compute(stretch.to.min(known - 1), stretch.from, &mut |_, values| {
        most = most.max(largest(values));
        Ok(())
    })?;
    let mut width = format.width(most);
    while let Some(wider) = stream(stretch, format, width, output, run)? {
        width = wider;
        output = open(args, format)?;
        let unsaved = CheckpointArgs::default();
        run = LongRun::begin(ruleset, &args.effort, &unsaved, Place::Window)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the values as they are computed. Gives up at a value that is wider than `width`, and returns its width.
fn stream(
    stretch: &Stretch,
    format: Format,
    width: usize,
    output: Output,
    mut run: LongRun,
) -> anyhow::Result<Option<usize>> {
    let mut wider = None;
    let written = output.write(|out| {
        let writer = stretch.begin(format, width, out)?;
        run.compute(stretch.to, stretch.from, &mut |heap, values| {
            let found = format.width(largest(values));
            if found > width {
                wider = Some(found);
                bail!("a value is wider than those before");
            }
            Ok(writer.block(out, heap, values)?)
        })?;
        Ok(writer.end(out)?)
    });
    match wider {
        Some(_) => Ok(wider),
        None => written.map(|()| None),
    }
}

fn largest(values: &[NimValue]) -> NimValue {
    values.iter().copied().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Effort;
    use crate::sequence::Sequence;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
    fn a_wider_value_begins_the_file_anew() {
        // Two characters a value are not enough for this game.
        begins_anew("0.166", 100, &[Format::Text, Format::Npy, Format::Csv]);
        // Codes take two bytes.
        begins_anew("0.364", 512, &[Format::Npy]);
    }

    fn begins_anew(game: &str, most: NimValue, formats: &[Format]) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("values.txt");
        let line = ["values", game, "300000", "-q", "-o"];
        let args = Line::parse_from(line.iter().map(AsRef::as_ref).chain([file.as_os_str()])).args;
        let ruleset: Ruleset = game.parse().unwrap();
        let stretch = Stretch {
            game: game.to_owned(),
            from: 10_000,
            to: 300_000,
            offset: 0,
        };
        assert!(!is_short(&stretch));
        let mut table = Sequence::with_effort(ruleset.clone(), Effort::default());
        table.fill(stretch.to).unwrap();
        assert!(table.values().largest((10_000, 300_000)).0 >= most);
        for &format in formats {
            let output = Output::open(Some(&file)).unwrap();
            let run =
                LongRun::begin(&ruleset, &args.effort, &args.checkpoint, Place::Window).unwrap();
            write(&args, &ruleset, &stretch, format, output, run).unwrap();
            let mut wanted = Vec::new();
            stretch.write(&table.values(), format, &mut wanted).unwrap();
            assert!(std::fs::read(&file).unwrap() == wanted, "{format:?}");
        }
    }
}
