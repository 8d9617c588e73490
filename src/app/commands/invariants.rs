//! `invariants`: the figures by which computations of a sparse game are compared.

use super::shared_args::{EffortArgs, GameArgs, heap, stdout};
use crate::engine::ring::{Ring, STRIDE};
use crate::error::Error;
use crate::ruleset::Ruleset;
use crate::sequence::Sequence;
use crate::sequence::period::hunt;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
A value is rare if an even number of its bits are in the mask; if the classes alternate, odd piles count for one bit more.
The depth is the size of the smaller part of the pair of piles that proves a rare value to be an option,
where a deep one was needed.

Examples:
  nim-analyser invariants 0.106 --to 2^28
  nim-analyser invariants grundy --to 1e6 --json";

/// Count the rare values of a game with a sparse space, with the largest value, the mask and the deepest proof
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game, if not named by -g
    #[arg(value_name = "GAME")]
    word: Option<String>,
    #[command(flatten)]
    game: GameArgs,
    /// Through pile N
    #[arg(long, value_name = "N", value_parser = heap)]
    to: u64,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

/// What is counted.
#[derive(Debug, Serialize)]
struct Invariants {
    game: String,
    code: Option<String>,
    to: u64,
    mask: u16,
    alternating: bool,
    /// From pile 1 on.
    rare: u64,
    rare_with_heap_0: u64,
    last_rare: Option<u64>,
    max: u64,
    max_at: u64,
    /// The deepest pair: its smaller part, and the first pile that needed it; none if no pair was deeper than
    /// `depth_seen_beyond`.
    depth: Option<u64>,
    depth_at: Option<u64>,
    depth_seen_beyond: Option<u64>,
}

/// Counts and prints.
///
/// # Errors
/// If the game has no sparse space, or the values can't be computed so far.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let ruleset = args.game.or_word(args.word.as_deref())?.ruleset()?;
    let invariants = count(&ruleset, args)?;
    let mut out = stdout();
    if args.json {
        serde_json::to_writer(&mut out, &invariants)?;
        writeln!(out)?;
    } else {
        invariants.print(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn count(ruleset: &Ruleset, args: &Args) -> Result<Invariants, Error> {
    let effort = args.effort.effort();
    let watch = effort.watch.clone();
    let wanted = args.to.saturating_add(1);
    let mut go_on = |known| {
        watch
            .as_ref()
            .is_none_or(|watch| watch.progress(known, wanted))
    };
    if wanted < hunt::BEGINNING {
        return by_table(ruleset, args);
    }
    let mut ring = match hunt::ring(ruleset, &effort) {
        Ok(ring) => ring,
        Err(Error::EngineUnfit { .. }) => return by_table(ruleset, args),
        Err(error) => return Err(error),
    };
    while ring.len() < wanted {
        ring.advance(wanted.min(ring.len() + STRIDE as u64), &mut go_on)?;
    }
    if let Some(watch) = &watch {
        watch.done();
    }
    Ok(of_ring(ruleset, args.to, &ring))
}

fn of_ring(ruleset: &Ruleset, to: u64, ring: &Ring) -> Invariants {
    let rare = ring.rares().len() as u64;
    let deepest = ring.deepest();
    Invariants {
        game: ruleset.name().to_owned(),
        code: ruleset.code().map(ToString::to_string),
        to,
        mask: ring.split().mask(),
        alternating: ring.split().alternating(),
        rare,
        rare_with_heap_0: rare + u64::from(ring.split().is_rare(0, 0)),
        last_rare: (rare > 0).then(|| ring.last_rare()),
        max: ring.largest().value.into(),
        max_at: ring.largest().heap,
        depth: deepest.map(|(part, _)| part),
        depth_at: deepest.map(|(_, heap)| heap),
        depth_seen_beyond: deepest.is_none().then(|| ring.depth()),
    }
}

/// For a few piles, or values that no ring holds.
fn by_table(ruleset: &Ruleset, args: &Args) -> Result<Invariants, Error> {
    let mut sequence = Sequence::with_effort(ruleset.clone(), args.effort.effort());
    sequence.fill(args.to)?;
    let split = sequence.sparse_space(args.to).ok_or_else(|| {
        let (game, to) = (ruleset.name(), args.to);
        Error::Usage(format!(
            "the values of {game} to pile {to} show no sparse space: too many, or none, are rare"
        ))
    })?;
    let (mut rare, mut last_rare, mut max, mut max_at) = (0, None, 0, 0);
    for heap in 1..=args.to {
        let value = sequence.table().get(heap as usize);
        if split.is_rare(value, heap as usize) {
            (rare, last_rare) = (rare + 1, Some(heap));
        }
        if value > max {
            (max, max_at) = (value, heap);
        }
    }
    Ok(Invariants {
        game: ruleset.name().to_owned(),
        code: ruleset.code().map(ToString::to_string),
        to: args.to,
        mask: split.mask(),
        alternating: split.alternating(),
        rare,
        rare_with_heap_0: rare + u64::from(split.is_rare(0, 0)),
        last_rare,
        max: max.into(),
        max_at,
        depth: None,
        depth_at: None,
        depth_seen_beyond: None,
    })
}

impl Invariants {
    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Invariants {
            to,
            rare,
            rare_with_heap_0,
            max,
            max_at,
            ..
        } = self;
        writeln!(out, "{}, through pile {to}", self.game)?;
        let zero = match rare_with_heap_0 - rare {
            0 => "heap 0 is common".to_owned(),
            _ => format!("{rare_with_heap_0} with heap 0"),
        };
        writeln!(out, "rare values     {rare} ({zero})")?;
        let last = self
            .last_rare
            .map_or("none".to_owned(), |heap| heap.to_string());
        writeln!(out, "last rare pile  {last}")?;
        writeln!(out, "largest value   {max}, first at pile {max_at}")?;
        let alternating = if self.alternating {
            ", the classes alternate"
        } else {
            ""
        };
        writeln!(
            out,
            "mask            {:x} in hexadecimal{alternating}",
            self.mask
        )?;
        match (self.depth, self.depth_at, self.depth_seen_beyond) {
            (Some(depth), Some(heap), _) => {
                writeln!(out, "deepest proof   {depth}, first at pile {heap}")?;
            }
            (_, _, Some(depth)) => writeln!(out, "deepest proof   no deeper than {depth}")?,
            _ => {}
        }
        let through = match to.is_power_of_two() {
            true => format!("2^{}", to.ilog2()),
            false => to.to_string(),
        };
        writeln!(
            out,
            "in the OEIS     {rare_with_heap_0} rare values, last at heap {last}, maximum {max}, first at heap {max_at}, through {through}."
        )
    }
}
