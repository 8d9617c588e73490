//! `mex`: the least number that is missing from a set.

use super::shared_args::FormArgs;
use super::sum::no_number;
use crate::grundy;
use crate::position::parse_piles;
use crate::printable::joined;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;

const EXAMPLES: &str = "\
The nim-value of a position is the mex of the nim-values of its options.

Examples:
  nim-analyser mex 0 1 3 4
  nim-analyser mex 0,2,5 --json";

/// Find the mex of numbers: the least number missing
///
/// The mex (minimum excludant) of 0 1 3 4 is 2.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The numbers of the set; without any, the set is empty
    #[arg(value_name = "NUMBERS", allow_negative_numbers = true)]
    numbers: Vec<String>,
    #[command(flatten)]
    form: FormArgs,
}

#[derive(Serialize)]
struct Report {
    set: BTreeSet<u64>,
    mex: u64,
}

/// Prints the mex and why it is that.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let numbers = parse_piles(&args.numbers).map_err(no_number)?;
    let mex = grundy::mex(numbers.iter().copied());
    let set = BTreeSet::from_iter(numbers);
    let report = Report { set, mex };
    args.form.print("mex", &report, |out| text(out, &report))
}

fn text(out: &mut dyn Write, Report { set, mex }: &Report) -> io::Result<()> {
    writeln!(out, "mex {{{}}} = {mex}", joined(set, ", "))?;
    match mex {
        0 => writeln!(out, "0 is not in the set."),
        1 => writeln!(out, "0 is in the set, 1 is not."),
        _ => writeln!(out, "0 to {} are in the set, {mex} is not.", mex - 1),
    }
}
