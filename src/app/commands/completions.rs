//! `completions`: a script that teaches a shell to complete our commands.

use super::shared_args::print;
use super::shown;
use crate::game::catalogue;
use crate::printable::joined;
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
pub fn run(args: &Args, cli: clap::Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    let mut cli = shown::with_values(cli);
    clap_complete::generate(args.shell, &mut cli, "nim-analyser", &mut script);
    let mut script = mended(args.shell, &String::from_utf8_lossy(&script));
    if args.shell == Shell::Fish {
        script.push_str(&words_for_fish(&cli));
    }
    print(|out| Ok(out.write_all(script.as_bytes())?))
}

/// The words that stand without an option, as the names of games in `period kayles`: the generator leaves them out in
/// fish.
fn words_for_fish(cli: &clap::Command) -> String {
    let mut lines = String::new();
    for command in cli.get_subcommands() {
        for argument in command.get_positionals() {
            let values = argument.get_possible_values();
            let names = values
                .iter()
                .map(|value| value.get_name().replace(',', "\\,"));
            if !values.is_empty() {
                lines.push_str(&format!(
                    "complete -c nim-analyser -n \"__fish_nim_analyser_using_subcommand {}\" -f -a \"{}\"\n",
                    command.get_name(),
                    joined(names, " ")
                ));
            }
        }
    }
    lines
}

/// The script without the faults of the generator, and with the games where no command is named yet.
///
/// The generator offers hidden options. In bash it names the commands of a program with a hyphen in two ways, so that none is
/// found (clap-rs/clap#6421), and doesn't know that bash takes `--game=ka` for three words. In fish an option before the word that
/// is typed hides that there is no command yet.
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
    let games = || catalogue::entries().map(|entry| entry.name);
    if shell == Shell::Zsh {
        let first = "_nim-analyser_commands() {\n    local commands; commands=(\n";
        let games = games().map(|name| format!("'{}:a game' \\\n", name.replace(':', "\\:")));
        return script.replacen(first, &(first.to_owned() + &games.collect::<String>()), 1);
    }
    if shell == Shell::Fish {
        let parse = "    argparse -s (__fish_nim_analyser_global_optspecs) -- $cmd 2>/dev/null\n";
        let again = format!("{parse}    or begin\n        set -e cmd[-1]\n    {parse}    end\n");
        let games = joined(games().map(|name| name.replace(',', "\\,")), " ");
        let first = "__fish_nim_analyser_needs_command";
        return script.replacen(parse, &again, 1)
            + &format!("complete -c nim-analyser -n \"{first}\" -f -a \"{games}\" -d 'a game'\n");
    }
    if shell != Shell::Bash {
        return script;
    }
    const PREVIOUS: &str = "    prev=\"$3\"\n";
    const UNSPLIT: &str = r#"    if [[ "${cur}" == "=" ]]; then
        cur=""
    elif [[ "${prev}" == "=" ]]; then
        prev="${COMP_WORDS[COMP_CWORD-2]}"
    fi
"#;
    script
        .replacen(PREVIOUS, &format!("{PREVIOUS}{UNSPLIT}"), 1)
        .replacen(
            " analyse values ",
            &format!(" {} analyse values ", joined(games(), " ")),
            1,
        )
        .replace("nim__subcmd__analyser", "nim__analyser")
        .replace(&format!(" --{HIDDEN} "), " ")
}
