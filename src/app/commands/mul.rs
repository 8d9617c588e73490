//! `mul`: nim multiplication, with division and square roots.

use super::shared_args::FormArgs;
use super::sum::numbers;
use crate::app::error::Refused;
use crate::app::report::style::indented;
use crate::grundy::{nim_product, nim_quotient, nim_sqrt};
use crate::printable::joined;
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

const EXAMPLES: &str = "\
With the nim-sum as addition, the numbers below 2^64 form a field (Conway, On Numbers and Games, ch. 6).

Examples:
  nim-analyser mul 8 9
  nim-analyser mul --divide 5 9
  nim-analyser mul --sqrt 6
  nim-analyser mul --table 15";

/// The largest number whose products a table shows.
const LARGEST_TABLE: u64 = 255;

/// Work out nim products, quotients and square roots
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The factors, whole numbers to 2^64-1
    #[arg(
        value_name = "NUMBERS",
        allow_negative_numbers = true,
        required_unless_present = "table"
    )]
    numbers: Vec<String>,
    /// Print all products of the numbers from 0 to N, 255 at most
    #[arg(long, value_name = "N", conflicts_with = "numbers")]
    table: Option<String>,
    /// Divide the first number by the second instead
    #[arg(long, conflicts_with = "table")]
    divide: bool,
    /// Find the square root of one number instead
    #[arg(long, conflicts_with_all = ["table", "divide"])]
    sqrt: bool,
    #[command(flatten)]
    form: FormArgs,
}

/// The result that is printed.
#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    Product {
        factors: Vec<u64>,
        product: u64,
    },
    Quotient {
        dividend: u64,
        divisor: u64,
        quotient: u64,
    },
    Root {
        square: u64,
        root: u64,
    },
    Table {
        table: Vec<Vec<u64>>,
    },
}

/// Prints the product, the quotient, the square root or the table that is asked for.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let report = report(args)?;
    args.form.print("mul", &report, |out| text(out, &report))
}

fn report(args: &Args) -> Result<Report, Refused> {
    let usage = |text: &str| Refused::Usage(text.to_owned());
    let words = args
        .table
        .as_ref()
        .map_or(&args.numbers[..], std::slice::from_ref);
    let numbers = numbers(words)?
        .into_iter()
        .map(u64::try_from)
        .collect::<Result<Vec<_>, _>>();
    let numbers = numbers.map_err(|_| usage("numbers must be from 0 to 2^64-1"))?;
    match (numbers.as_slice(), args) {
        (&[last], Args { table: Some(_), .. }) if last <= LARGEST_TABLE => Ok(Report::Table {
            table: (0..=last)
                .map(|a| (0..=last).map(|b| nim_product(a, b)).collect())
                .collect(),
        }),
        (_, Args { table: Some(_), .. }) => {
            Err(usage("a table has the numbers from 0 to at most 255"))
        }
        (&[dividend, divisor], Args { divide: true, .. }) => {
            let quotient = nim_quotient(dividend, divisor);
            let quotient = quotient.ok_or_else(|| usage("division by 0"))?;
            Ok(Report::Quotient {
                dividend,
                divisor,
                quotient,
            })
        }
        (&[square], Args { sqrt: true, .. }) => Ok(Report::Root {
            square,
            root: nim_sqrt(square),
        }),
        (_, Args { divide: true, .. }) => Err(usage(
            "--divide takes two numbers, as in `mul --divide 5 9`",
        )),
        (_, Args { sqrt: true, .. }) => Err(usage("--sqrt takes one number, as in `mul --sqrt 6`")),
        (factors, _) if factors.len() > 1 => Ok(Report::Product {
            product: factors
                .iter()
                .fold(1, |product, &factor| nim_product(product, factor)),
            factors: numbers,
        }),
        _ => Err(usage(
            "a product takes two numbers or more, as in `mul 8 9`",
        )),
    }
}

fn text(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    match report {
        Report::Product { factors, product } => {
            writeln!(out, "{} = {product}", joined(factors, " ⊗ "))
        }
        Report::Quotient {
            dividend,
            divisor,
            quotient,
        } => {
            writeln!(
                out,
                "{dividend} ⊘ {divisor} = {quotient}, because {quotient} ⊗ {divisor} = {dividend}"
            )
        }
        Report::Root { square, root } => {
            writeln!(
                out,
                "the nim square root of {square} is {root}, because {root} ⊗ {root} = {square}"
            )
        }
        Report::Table { table } => {
            let width = table
                .iter()
                .flatten()
                .max()
                .map_or(1, |most| most.to_string().len());
            let head = (table.len() - 1).to_string().len();
            let line = |name: String, row: &mut dyn Iterator<Item = u64>| {
                let cells = row.map(|value| indented(&value.to_string(), width));
                format!("{} | {}", indented(&name, head), joined(cells, " "))
            };
            let first = line("⊗".to_owned(), &mut (0..table.len() as u64));
            writeln!(out, "{first}\n{}", "-".repeat(first.chars().count()))?;
            for (a, row) in table.iter().enumerate() {
                writeln!(out, "{}", line(a.to_string(), &mut row.iter().copied()))?;
            }
            Ok(())
        }
    }
}
