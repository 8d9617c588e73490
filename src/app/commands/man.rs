//! `man`: the manual pages.

use super::output::Output;
use super::shared_args::print;
use super::shown::{ENVIRONMENT, EXIT_STATUS, FILES, after_help};
use crate::app::report::style::note;
use crate::printable::joined;
use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  nim-analyser man | man -l -
  nim-analyser man --out ~/.local/share/man/man1";

/// Print the manual page, or that of one command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The command
    command: Option<String>,
    /// Write the pages of all commands to the folder DIR, one file per command
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// Prints the manual page of the command line `cli`, in roff, or writes all pages.
pub fn run(args: &Args, cli: Command) -> anyhow::Result<ExitCode> {
    let mut cli = cli.disable_help_subcommand(true);
    cli.build();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("can't make {}", folder.display()))?;
        for command in std::iter::once(&cli).chain(cli.get_subcommands()) {
            let name = command.get_display_name().unwrap_or(command.get_name());
            let file = folder.join(format!("{name}.1"));
            let text = page(command)?;
            Output::open(Some(&file))?.write(|out| Ok(out.write_all(&text)?))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let text = match &args.command {
        None => page(&cli)?,
        Some(name) => match cli.find_subcommand(name) {
            Some(command) => page(command)?,
            None => {
                let message = format!("there is no command `{name}`");
                cli.error(clap::error::ErrorKind::InvalidSubcommand, message)
                    .exit()
            }
        },
    };
    if io::stdout().is_terminal() {
        let command = args.command.iter().map(|name| format!(" {name}"));
        note(format_args!(
            "note: this is the source of the page; `nim-analyser man{} | man -l -` shows it",
            command.collect::<String>()
        ));
    }
    print(|out| Ok(out.write_all(&text)?))
}

/// The manual page of a command.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    // The manual page gives the text of an option even where the short help leaves it out, which clap_mangen would follow.
    let full = |argument: clap::Arg| argument.hide_short_help(false);
    let man = Man::new(command.clone().mut_args(full))
        .source(concat!("nim-analyser ", env!("CARGO_PKG_VERSION")))
        .manual("nim-analyser manual");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let long = command
        .get_after_long_help()
        .map(ToString::to_string)
        .unwrap_or_else(|| after_help(command));
    text.extend(sections(&long).into_bytes());
    Ok(text)
}

/// Notes, exit status, environment, files and examples.
fn sections(long: &str) -> String {
    let (notes, rest) = long.split_once("Examples:\n").unwrap_or((long, ""));
    let examples = rest.split("\n\n").next().unwrap_or_default();
    let mut text = String::new();
    if !notes.trim().is_empty() {
        text.push_str(".SH NOTES\n");
        for line in notes.trim_end().lines() {
            match line {
                "" => text.push_str(".PP\n"),
                line if line.starts_with(' ') => {
                    let _ = writeln!(text, ".br\n{}", escaped(line));
                }
                line => text.push_str(&(escaped(line) + "\n")),
            }
        }
    }
    for (title, entries) in [
        ("EXIT STATUS", EXIT_STATUS),
        ("ENVIRONMENT", ENVIRONMENT),
        ("FILES", FILES),
    ] {
        let _ = writeln!(text, ".SH \"{title}\"");
        for (name, meaning) in entries {
            let _ = writeln!(text, ".TP\n\\fB{}\\fR\n{}", escaped(name), escaped(meaning));
        }
    }
    if !examples.is_empty() {
        let lines = joined(examples.lines().map(escaped), "\n");
        let _ = writeln!(text, ".SH EXAMPLES\n.nf\n{lines}\n.fi");
    }
    text
}

/// A line escaped, so that roff takes it for text.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line,
    }
}
