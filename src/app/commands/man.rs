//! `man`: the manual page.

use super::common::stdout;
use std::process::ExitCode;

/// Print the manual page, or that of one command
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The command
    command: Option<String>,
}

/// Prints the manual page of the command line `cli`, in roff.
///
/// # Errors
/// If there is no such command, or the page can't be written.
pub fn run(args: &Args, cli: clap::Command) -> anyhow::Result<ExitCode> {
    let mut cli = cli.disable_help_subcommand(true);
    cli.build();
    let page = match &args.command {
        None => clap_mangen::Man::new(cli),
        Some(name) => match cli.find_subcommand(name) {
            Some(command) => clap_mangen::Man::new(command.clone()),
            None => {
                let message = format!("there is no command `{name}`");
                cli.error(clap::error::ErrorKind::InvalidSubcommand, message)
                    .exit()
            }
        },
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    let mut out = stdout();
    out.write_all(&text)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
