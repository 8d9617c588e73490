//! `completions`: a script that teaches a shell to complete our commands.

use super::common::stdout;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script for the command line `cli`.
///
/// # Errors
/// If it can't be written.
pub fn run(args: &Args, mut cli: clap::Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "nim-analyser", &mut script);
    let mut out = stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
