//! `sum`: the nim-sum alone, worked in binary columns.

use super::shared_args::{FormArgs, check_piles};
use crate::analysis::binary_columns::binary_columns;
use crate::app::error::{Refused, refuse};
use crate::grundy::{NimValue, nim_sum};
use crate::outcome::Outcome;
use crate::position::{PileError, PileFault, parse_piles};
use crate::printable::{joined, quoted};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  nim-analyser sum 2 3 4
  nim-analyser sum 0b1011 0x7f 12
  nim-analyser sum --binary 10 11 100
  nim-analyser sum 3,5,9 --json";

/// Work out a nim-sum in binary columns
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Whole numbers to 2^64-1, also in binary (0b101), octal (0o17) or hexadecimal (0x1f)
    #[arg(required = true, value_name = "NUMBERS", allow_negative_numbers = true)]
    numbers: Vec<String>,
    /// Read the numbers as binary: 10 is two
    #[arg(short, long)]
    binary: bool,
    #[command(flatten)]
    form: FormArgs,
}

/// Prints the nim-sum and its working.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let numbers = match args.binary {
        true => binary_numbers(&args.numbers)?,
        false => numbers(&args.numbers)?,
    };
    let sum = nim_sum(numbers.iter().copied());
    let outcome = if sum == 0 { Outcome::P } else { Outcome::N };
    let report = Report {
        addends: &numbers,
        nim_sum: sum,
        binary: format!("{sum:b}"),
        outcome,
        winning: outcome.is_winning(),
    };
    args.form.print("sum", &report, |out| text(out, &report))
}

/// A nim-sum of numbers, and who wins Nim with them.
#[derive(Serialize)]
struct Report<'a> {
    addends: &'a [NimValue],
    nim_sum: NimValue,
    binary: String,
    outcome: Outcome,
    winning: bool,
}

fn text(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    for line in binary_columns(report.addends) {
        writeln!(out, "{line}")?;
    }
    let terms = joined(report.addends, " ^ ");
    let (sum, binary) = (report.nim_sum, &report.binary);
    writeln!(out, "\n{terms} = {sum}, in binary {binary}.")?;
    let advice = match report.outcome {
        Outcome::N => "not 0: in Nim with these piles, go first",
        Outcome::P => "0: in Nim with these piles, let the other player go first",
    };
    writeln!(out, "The nim-sum is {advice}.")
}

/// Reads binary numbers without a prefix.
fn binary_numbers(words: &[String]) -> Result<Vec<NimValue>, Refused> {
    let digits = words.iter().flat_map(|word| word.split(','));
    let read = |digits: &str| match whole_number(digits.trim(), 2) {
        Some(number) => Ok(number),
        None => refuse!(
            "bad number `{}`: not a 64-bit number; with --binary all digits are 0 and 1",
            quoted(digits)
        ),
    };
    digits.map(read).collect()
}

/// The number that digits say, among which `_` may stand.
fn whole_number(digits: &str, radix: u32) -> Option<NimValue> {
    let whole = digits.replace('_', "");
    let number = u64::from_str_radix(&whole, radix).ok()?;
    (!whole.starts_with('+')).then_some(number.into())
}

/// Reads numbers as piles are read, and with the prefixes 0b, 0o and 0x.
pub fn numbers(words: &[String]) -> Result<Vec<NimValue>, Refused> {
    let mut numbers = Vec::new();
    let mut errors = words.iter().filter_map(|word| parse_piles(&[word]).err());
    if let Some(error) = errors.find(|error| error.fault == PileFault::Grouped) {
        return Err(no_number(error));
    }
    for token in words.iter().flat_map(|word| word.split(',')) {
        let radices = [("0b", 2), ("0o", 8), ("0x", 16)];
        let prefixed = radices.into_iter().find_map(|(prefix, radix)| {
            let (start, digits) = token.trim().split_at_checked(prefix.len())?;
            (start.eq_ignore_ascii_case(prefix)).then_some((digits, radix))
        });
        match prefixed {
            Some((digits, radix)) => {
                let Some(number) = whole_number(digits, radix) else {
                    refuse!(
                        "bad number `{}`: not a 64-bit number; 0b is followed by 0 and 1, 0o by 0 to 7, 0x by 0 to f",
                        quoted(token)
                    );
                };
                numbers.push(number);
            }
            None => {
                let piles = parse_piles(&[token]).map_err(no_number)?;
                check_piles(numbers.len() + piles.len(), u64::MAX)?;
                numbers.extend(piles.into_iter().map(NimValue::from));
            }
        }
    }
    Ok(numbers)
}

/// The refusal of a word that is no number.
pub fn no_number(PileError { token, fault }: PileError) -> Refused {
    Refused::Usage(format!("bad number `{}`: {fault}", quoted(&token)))
}
