//! The commands of the README and of the pages in docs print what these say, and the text says it plainly.

use crate::common::files_below;
use crate::common::program::run;
use std::fs;
use std::path::Path;

/// The pages whose examples are run.
const PAGES: [&str; 5] = [
    "README.md",
    "docs/games.md",
    "docs/misere.md",
    "docs/periods.md",
    "docs/surveys.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Each command line of the blocks named `console` of a page, with the output that follows it.
#[cfg(unix)]
fn examples(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => found.push((command.to_owned(), String::new())),
                None => {
                    let (_, output) = found.last_mut().unwrap();
                    output.push_str(line.trim_end());
                    output.push('\n');
                }
            }
        }
    }
    found
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_pages_run_as_written() {
    let program = Path::new(env!("CARGO_BIN_EXE_nim-analyser"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut commands = 0;
    for page in PAGES {
        let folder = tempfile::tempdir().unwrap();
        for (command, wanted) in examples(&fs::read_to_string(root().join(page)).unwrap()) {
            let run = std::process::Command::new("bash")
                .args(["-c", &command])
                .current_dir(&folder)
                .env("PATH", &path)
                .env("LC_ALL", "C.UTF-8")
                .env_remove("CLICOLOR_FORCE")
                .output()
                .unwrap();
            let shown = String::from_utf8(run.stdout).unwrap();
            let shown: String = shown
                .lines()
                .map(|line| format!("{}\n", line.trim_end()))
                .collect();
            assert_eq!(shown.trim_end(), wanted.trim_end(), "{page}: {command}");
            commands += 1;
        }
    }
    assert!(commands > 35, "{commands}");
}

/// Phrases that readers stumbled at, and that no text may have again.
const NOT_PLAIN: [&str; 26] = [
    "cuts out a range",
    "is a nudge",
    "asked again the move",
    "you hear at which",
    "nim-sum on paper",
    "Nim and its kin",
    "the books err",
    "What is out of reach is refused",
    "its pile of n is the pile",
    "that needs no library",
    "answer a line each",
    "Of many positions, stop",
    "a table of nim-values by",
    "appears when it is whole",
    "what a sceptic",
    "seed of all chance",
    "else the game wants",
    "no sum of smaller ones is like",
    "another way than the one",
    "behind nim-values stands",
    "restive or wild",
    "goes on from there",
    "names no game",
    "is no text",
    "one JSON object a line",
    "a line of figures for each",
];

#[test]
fn the_text_is_plain() {
    let pages = ["README.md", "CHANGELOG.md", "ARCHITECTURE.md"].map(|page| root().join(page));
    let mut found = Vec::from(pages);
    for folder in ["src", "docs", "python"] {
        found.extend(files_below(&root().join(folder), &["rs", "md"]));
    }
    for path in &found {
        let text = fs::read_to_string(path).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for phrase in NOT_PLAIN {
            assert!(!text.contains(phrase), "{}: {phrase}", path.display());
        }
    }
    assert!(found.len() > 200, "{}", found.len());
}

/// A reader of the help has piles; *heap* is the code's word for them.
#[test]
fn the_help_speaks_of_piles() {
    let print = |words: &[&str]| run(words).1;
    let help = print(&["--help"]);
    let commands = help.split("Commands:\n").nth(1).unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let mut pages = vec![help.clone(), print(&["games"]), print(&[])];
    for line in commands {
        let command = line.split_whitespace().next().unwrap();
        pages.push(print(&[command, "--help"]));
        pages.push(print(&[command, "-h"]));
    }
    assert!(pages.len() > 40, "{}", pages.len());
    for page in pages {
        assert!(!page.to_lowercase().contains("heap"), "{page}");
    }
}

/// What the headings of a page are linked by.
fn anchors(page: &str) -> impl Iterator<Item = String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let kept = |c: &char| c.is_alphanumeric() || *c == ' ' || *c == '-';
        let name: String = line
            .trim_start_matches('#')
            .trim()
            .chars()
            .filter(kept)
            .collect();
        name.to_lowercase().replace(' ', "-")
    })
}

/// Every file that a page of the documentation links to is there.
#[test]
fn the_links_between_the_pages_lead_somewhere() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for page in
        "README.md | ARCHITECTURE.md | docs/algorithm.md | docs/games.md | docs/glossary.md | \
        docs/json.md | docs/misere.md | docs/periods.md | docs/surveys.md | docs/performance.md | \
        docs/records/README.md | docs/survey/README.md"
            .split(" | ")
    {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let folder = root.join(page);
        let folder = folder.parent().unwrap();
        let inline = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let named = text
            .lines()
            .filter_map(|line| line.split_once("]: "))
            .map(|(_, link)| link);
        for link in inline.chain(named).filter(|link| !link.contains("://")) {
            let file = link.split('#').next().unwrap();
            let target = folder.join(file);
            assert!(file.is_empty() || target.exists(), "{page} links to {link}");
            if let Some((_, anchor)) = link.split_once('#') {
                let target = if file.is_empty() {
                    root.join(page)
                } else {
                    target
                };
                let target = std::fs::read_to_string(target).unwrap();
                assert!(
                    anchors(&target).any(|found| found == anchor),
                    "{page}: {link}"
                );
            }
            links += 1;
        }
    }
    assert!(links > 20, "{links}");
}

/// What docs/algorithm.md says does a step is in the source: files as `engine/octal.rs`, with a name in them as
/// `engine/octal.rs: from_code`.
#[test]
fn the_names_in_the_text_of_the_algorithm_are_in_the_source() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("docs/algorithm.md")).unwrap();
    let mut names = 0;
    for quoted in text.split('`').skip(1).step_by(2) {
        let quoted = quoted.split_whitespace().collect::<Vec<_>>().join(" ");
        let (file, name) = quoted.split_once(": ").unwrap_or((&quoted, ""));
        if !file.ends_with(".rs") {
            continue;
        }
        let source = std::fs::read_to_string(root.join("src").join(file));
        let source = source.unwrap_or_else(|error| panic!("src/{file}: {error}"));
        let defined = ["fn", "struct", "enum"].iter().any(|kind| {
            let definition = format!("{kind} {name}");
            source.match_indices(&definition).any(|(at, _)| {
                let next = source[at + definition.len()..].chars().next();
                next.is_some_and(|next| !next.is_alphanumeric() && next != '_')
            })
        });
        assert!(name.is_empty() || defined, "src/{file} has no {name}");
        names += usize::from(!name.is_empty());
    }
    assert!(names > 40, "{names}");
}
