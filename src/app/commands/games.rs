//! `games`: the games that have a name.

use super::shared_args::stdout;
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
    let mut out = stdout();
    if args.json {
        report::json::games(&mut out)?;
    } else {
        // A pipe gets whole lines, which are easier to search.
        let across = terminal_size::terminal_size_of(std::io::stdout())
            .map_or(usize::MAX, |(width, _)| width.0.into());
        report::text::games(&mut out, across)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
