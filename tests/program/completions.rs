//! The completion scripts in the shells themselves: a real bash, zsh and fish are typed at, where they are installed.
//! Where the variable SHELLS_MUST_BE_THERE is set, as it is in CI, their absence is a failure.

use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_nim-analyser");

fn is_installed(shell: &str) -> bool {
    let there = Command::new(shell).arg("--version").output().is_ok();
    assert!(
        there || std::env::var_os("SHELLS_MUST_BE_THERE").is_none(),
        "{shell} is not installed"
    );
    there
}

fn script(shell: &str, folder: &Path) -> String {
    let output = Command::new(PROGRAM).args(["completions", shell]).output();
    let file = folder.join("_nim-analyser");
    std::fs::write(&file, output.unwrap().stdout).unwrap();
    file.display().to_string()
}

/// What is typed, and what must and must not be offered.
const CASES: &[(&str, &[&str], &[&str])] = &[
    (
        "nim-analyser analyse --",
        &["--explain", "--misere"],
        &["--kernel"],
    ),
    (
        "nim-analyser --",
        &["--game", "--explain", "--all"],
        &["--kernel"],
    ),
    ("nim-analyser -g ka", &["kayles"], &["grundy"]),
    ("nim-analyser --game=ka", &["kayles"], &["grundy"]),
    ("nim-analyser values --format np", &["npy"], &["csv"]),
    ("nim-analyser values --engine s", &["sparse"], &["pairs"]),
    ("nim-analyser period gr", &["grundy"], &["kayles"]),
    ("nim-analyser pl", &["plot", "play"], &["period"]),
    ("nim-analyser ka", &["kayles"], &["plot"]),
    ("nim-analyser man pe", &["period"], &["values"]),
    ("nim-analyser play ka", &["kayles"], &["grundy"]),
    ("nim-analyser lookup gr", &["grundy"], &["kayles"]),
    ("nim-analyser plot --with ka", &["kayles"], &["grundy"]),
];

fn check(shell: &str, offered: impl Fn(&str) -> String) {
    for (typed, wanted, unwanted) in CASES {
        let offered = offered(typed);
        for word in *wanted {
            assert!(
                offered.contains(word),
                "{shell}: `{typed}` offers {offered:?}, not {word}"
            );
        }
        for word in *unwanted {
            assert!(
                !offered.contains(word),
                "{shell}: `{typed}` offers {word}: {offered:?}"
            );
        }
    }
}

#[test]
fn bash_completes() {
    if !is_installed("bash") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = script("bash", folder.path());
    // The function that bash calls at the key, with the words as bash splits them: = is a word of its own.
    let drive = r#"
        source "$1"
        line=${2/=/ = }
        read -ra COMP_WORDS <<<"$line"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE=$2 COMP_POINT=${#2}
        [[ $(complete -p nim-analyser) =~ -F\ ([^ ]+) ]]
        "${BASH_REMATCH[1]}" nim-analyser "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    check("bash", |typed| {
        let run = Command::new("bash")
            .args(["--norc", "--noprofile", "-c", drive, "bash", &script, typed])
            .output();
        String::from_utf8(run.unwrap().stdout).unwrap()
    });
}

#[test]
fn fish_completes() {
    if !is_installed("fish") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = script("fish", folder.path());
    check("fish", |typed| {
        let run = Command::new("fish")
            .env("HOME", folder.path())
            .args(["--no-config", "-c", "source $argv[1]; complete -C $argv[2]"])
            .args([&script, typed])
            .output();
        String::from_utf8(run.unwrap().stdout).unwrap()
    });
}

#[test]
fn zsh_completes() {
    if !is_installed("zsh") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    script("zsh", folder.path());
    // A zsh on a terminal of its own lists what it would complete. It is typed at when its line editor is there, and left
    // when the list is out: what comes earlier, the terminal itself would take.
    let drive = r#"
        zmodload zsh/zpty
        offer='offer() { zle list-choices; zle -R; print -n "offe""red" }; zle -N offer; bindkey "^I" offer'
        zpty shell zsh -f -i
        zpty -w shell "PS1=; PROMPT_EOL_MARK=; LISTMAX=10000; stty rows 500 cols 200; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $1/dump; $offer"
        zpty -w shell 'zle-line-init() { print -n "rea""dy" }; zle -N zle-line-init'
        zpty -r -m shell line "*ready*" > /dev/null
        zpty -w -n shell "$2"$'\t'
        zpty -r -m shell line "*offered*"
        print -r -- "$line""#;
    check("zsh", |typed| {
        let run = Command::new("zsh")
            .env("TERM", "dumb")
            .args(["-f", "-c", drive, "zsh"])
            .arg(folder.path())
            .arg(typed)
            .output();
        let output = run.unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    });
}
