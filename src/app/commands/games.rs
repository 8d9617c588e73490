//! `games`: the games that have a name.

use super::shared_args::print;
use crate::app::report;
use std::process::ExitCode;

/// List the named games
///
/// Print the rule of each and what is known of it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print a JSON array on one line
    #[arg(long)]
    json: bool,
}

/// Prints the catalogue.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    print(|out| {
        if args.json {
            return report::json::games(out);
        }
        // A pipe gets whole lines, unwrapped, which are easier to search.
        let across = terminal_size::terminal_size_of(std::io::stdout())
            .map_or(usize::MAX, |(width, _)| width.0.into());
        Ok(report::text::games(out, across)?)
    })
}
