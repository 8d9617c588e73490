//! `completions`: a script that teaches a shell to complete our commands.

use super::common::stdout;
use crate::app::cli::shown;
use clap_complete::Shell;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  source <(nim-analyser completions bash)        in ~/.bashrc
  nim-analyser completions zsh > ~/.zfunc/_nim-analyser
  nim-analyser completions fish > ~/.config/fish/completions/nim-analyser.fish";

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script for the command line `cli`.
///
/// # Errors
/// If it can't be written.
pub fn run(args: &Args, cli: clap::Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    let mut cli = shown::with_values(cli);
    clap_complete::generate(args.shell, &mut cli, "nim-analyser", &mut script);
    let script = mended(args.shell, &String::from_utf8_lossy(&script));
    let mut out = stdout();
    out.write_all(script.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The script without what the generator gets wrong: it offers hidden options, and in bash it names the commands of a
/// program with a hyphen in two ways, so that none is found (clap-rs/clap#6421).
fn mended(shell: Shell, script: &str) -> String {
    const HIDDEN: &str = "kernel";
    let hidden = |line: &&str| {
        let line = line.trim_start();
        let zsh = line.starts_with(&format!("'--{HIDDEN}="));
        let fish = line.contains(&format!(" -l {HIDDEN} "));
        !zsh && !fish
    };
    let lines: Vec<&str> = script.lines().filter(hidden).collect();
    let script = lines.join("\n") + "\n";
    if shell != Shell::Bash {
        return script;
    }
    script
        .replace("nim__subcmd__analyser", "nim__analyser")
        .replace(&format!(" --{HIDDEN} "), " ")
}
