//! `oeis`: the lines of a game's nim-sequence for the OEIS, and its b-file.

use super::output::Output;
use super::shared_args::{EffortArgs, NamedGameArgs, heap};
use crate::app::report::oeis::{Facts, Known, Largest, OeisEntry, Rares, TERMS};
use crate::app::report::sequence::{Format, Stretch};
use crate::app::report::style::note;
use crate::engine::octal::Octal;
use crate::engine::sparse_space::SparseSpace;
use crate::error::Error;
use crate::ruleset::{Formula, Ruleset};
use crate::sequence::Sequence;
use crate::sequence::period::{Finding, Period, Theorem};
use crate::sequence::published::{
    oeis_sequence, proved_by_survey, published_period, same_standard_form,
};
use crate::sequence::survey::Record;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
The lines are in the internal format of the OEIS: %S to %U the first terms, %N the name, %C comments, %D and %H references,
%F formulas, %e an example, %o a program, %K keywords, %O the offset. a(n) is the nim-value of a pile of n. A game whose
number in the OEIS is known here bears it; A000000 and the author stand for what is to be filled in. Nothing is sent anywhere.

Examples:
  nim-analyser oeis kayles
  nim-analyser oeis 0.206 --limit 1e5
  nim-analyser oeis kayles --b-file 1000 -o b002186.txt";

/// The largest pile to which a period is sought and values are counted where no option says so.
const USUAL_LIMIT: u64 = 10_000;
/// The most options that are walked for the values up to [`USUAL_LIMIT`].
const USUAL_STEPS: u64 = 1_000_000_000;

/// Write the lines of a game's nim-values for the OEIS, or its b-file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: NamedGameArgs,
    /// Write the b-file to a(N) instead, a line `n a(n)` for each n from the offset on
    #[arg(long, value_name = "N", value_parser = heap)]
    b_file: Option<u64>,
    /// Seek a period and count rare values to pile N [default: 10000]
    #[arg(long, value_name = "N", value_parser = heap, conflicts_with = "b_file")]
    limit: Option<u64>,
    /// Write to FILE, which is created only when complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    effort: EffortArgs,
}

/// Computes the values and writes the lines.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = args.game.ruleset()?;
    let output = Output::open(args.output.as_deref())?;
    let listed = oeis_sequence(&ruleset);
    let own = listed.as_ref().filter(|listed| listed.shift == 0);
    let offset = own.map_or(0, |own| own.sequence.offset);
    let last = args.b_file.unwrap_or(TERMS + offset).max(offset);
    let limit = args.limit.unwrap_or(USUAL_LIMIT);
    let mut effort = args.effort.effort();
    if args.limit.is_none() && args.b_file.is_none() && args.effort.steps.is_none() {
        effort = effort.steps(USUAL_STEPS);
    }
    let mut sequence = Sequence::with_effort(ruleset.clone(), effort);
    if args.b_file.is_some() {
        let values = sequence.reach(last)?;
        let stretch = Stretch {
            game: ruleset.name().to_owned(),
            from: offset,
            to: last,
            offset: offset.into(),
        };
        output.write(|out| Ok(stretch.write(&values, Format::Bfile, out)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    // Piles that are out of reach are refused before the work begins.
    sequence.reach(args.limit.map_or(last, |limit| last.max(limit)))?;
    let found = match args.limit {
        Some(limit) => sequence.find_period(limit)?,
        None => sequence.find_period_within_reach(limit)?,
    };
    let sought = limit.min(sequence.computed().saturating_sub(1));
    let facts = facts(&ruleset, &mut sequence, &found, sought)?;
    let mut same = same_standard_form(&ruleset);
    same.sort_by_key(|same| (same.shift.abs(), same.code.to_string()));
    let formula = ruleset.formula().map(Formula::words);
    let entry = OeisEntry {
        ruleset: &ruleset,
        values: &sequence.values(),
        sought,
        facts,
        same,
        formula,
        listed,
    };
    output.write(|out| Ok(entry.write(out)?))?;
    if let Some(other) = entry.listed.as_ref().filter(|_| !args.effort.quiet) {
        let number = &other.sequence.number;
        match other.shift {
            0 => note(format_args!("the OEIS has this sequence as {number}")),
            _ => note(format_args!(
                "the OEIS has these values as {number}, with another offset; `nim-analyser oeis {}` writes its lines",
                other.sequence.game
            )),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The facts found here, or else those that the survey or the published lists give.
fn facts(
    ruleset: &Ruleset,
    sequence: &mut Sequence,
    found: &Finding,
    sought: u64,
) -> Result<Facts, Error> {
    if let Finding::Proved(proof) = found {
        let period = proof.period;
        let last = period.preperiod + period.period - 1;
        let (value, pile) = sequence.values().largest((0, last));
        let value = u64::try_from(value).ok();
        return Ok(Facts {
            largest: value.filter(|_| period.saltus == 0).map(|value| Largest {
                value,
                pile,
                to: None,
            }),
            rares: rares(ruleset, sequence, sought)?.map(|rares| for_ever(rares, period)),
            period: Some(Known {
                period,
                least: true,
                by: proved_by(Some(&proof.theorem)),
            }),
        });
    }
    if let Some((record, shift)) = proved_by_survey(ruleset) {
        return Ok(of_survey(ruleset, &record, shift));
    }
    let period = published_period(ruleset).map(|(entry, shift)| {
        let preperiod = entry.last_exception.map_or(0, |last| last + 1);
        Known {
            period: shifted(entry.period, preperiod, 0, shift),
            least: entry.last_exception.is_some(),
            by: entry.source,
        }
    });
    let (value, pile) = sequence.values().largest((0, sought));
    Ok(Facts {
        period,
        rares: rares(ruleset, sequence, sought)?,
        largest: u64::try_from(value).ok().map(|value| Largest {
            value,
            pile,
            to: Some(sought),
        }),
    })
}

/// The period of a game whose g(n) is g(n + shift) of another game, whose period, preperiod and saltus are given.
fn shifted(period: u64, preperiod: u64, saltus: u64, shift: i64) -> Period {
    Period {
        period,
        preperiod: preperiod.saturating_add_signed(-shift),
        saltus,
    }
}

/// Who has proved a period, and by which theorem.
fn proved_by(theorem: Option<&Theorem>) -> String {
    let theorem = theorem.map(|theorem| format!("; theorem: {}", theorem.source()));
    format!("proved by nim-analyser{}", theorem.unwrap_or_default())
}

/// The facts in a survey's line with a proved period; the rare values only if the line is of the very game.
fn of_survey(ruleset: &Ruleset, record: &Record, shift: i64) -> Facts {
    let [period, preperiod, saltus] =
        [record.period, record.preperiod, record.saltus].map(Option::unwrap_or_default);
    let largest = record.max.zip(record.max_at).map(|(value, pile)| Largest {
        value,
        pile: pile.saturating_add_signed(-shift),
        to: None,
    });
    let rares = record.rares.zip(record.mask).filter(|_| shift == 0);
    let theorems = Theorem::covering(ruleset).unwrap_or_default().into_iter();
    let theorem = theorems
        .chain([Theorem::Window])
        .find(|theorem| record.theorem.as_deref() == Some(theorem.name()));
    Facts {
        period: Some(Known {
            period: shifted(period, preperiod, saltus, shift),
            least: preperiod > 0,
            by: proved_by(theorem.as_ref()),
        }),
        rares: rares.and_then(|(count, mask)| {
            let breaks = Octal::breaking(ruleset)?.breaks;
            Some(Rares {
                space: SparseSpace::by_mask(mask, record.alternating?, &breaks)?,
                count,
                last: record.last_rare,
                to: None,
            })
        }),
        largest,
    }
}

/// The rare values to a pile, of an octal game that shows them.
fn rares(ruleset: &Ruleset, sequence: &mut Sequence, to: u64) -> Result<Option<Rares>, Error> {
    if ruleset.code().is_none_or(|code| !code.is_octal()) {
        return Ok(None);
    }
    let space = match sequence.learn_sparse_space(to) {
        Err(Error::Interrupted) => return Err(Error::Interrupted),
        space => space.ok().flatten(),
    };
    Ok(space.map(|space| {
        let counted = sequence.rares(space, to.saturating_add(1));
        Rares {
            space: counted.space,
            count: counted.count,
            last: counted.last.filter(|&last| last > 0),
            to: Some(to),
        }
    }))
}

/// The rare values as those of all piles, if the period shows that no pile beyond those counted is rare; else unchanged.
fn for_ever(rares: Rares, period: Period) -> Rares {
    let is_seen = rares
        .to
        .is_some_and(|to| to >= period.preperiod + period.period - 1);
    let ends = rares.last.is_none_or(|last| last < period.preperiod);
    // With an odd period a value comes again at piles of the other parity, where an alternating space may make it rare.
    let stays = !rares.space.alternating() || period.period.is_multiple_of(2);
    Rares {
        to: rares
            .to
            .filter(|_| !(is_seen && ends && stays && period.preperiod > 0)),
        ..rares
    }
}
