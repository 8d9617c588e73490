//! What the library reports speaks of games and sizes, not of the program's options; what would help is said by the
//! program.

use crate::common::files_below;
use std::fs;
use std::path::Path;

#[test]
fn no_text_of_the_library_names_an_option_of_the_program_or_says_what_to_type() {
    let mut files = files_below(Path::new("src"), &["rs"]);
    let of_program = |file: &Path| {
        ["src/app", "src/main"]
            .iter()
            .any(|room| file.with_extension("").starts_with(room))
    };
    files.retain(|file| !of_program(file));
    assert!(files.len() > 50);
    let mut wrong = Vec::new();
    for file in &files {
        let (name, text) = (file.display(), fs::read_to_string(file).unwrap());
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for line in code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            let is_quoted = |at: usize| line[..at].matches('"').count() % 2 == 1;
            let is_option =
                |at: usize| line[at + 2..].starts_with(|c: char| c.is_ascii_lowercase());
            let mut options = line.match_indices("--").map(|(at, _)| at);
            let mut helps = line.match_indices("help: ").map(|(at, _)| at);
            let named = options.any(|at| is_quoted(at) && is_option(at)) || helps.any(is_quoted);
            // The command that runs a slow test.
            if named && !line.trim_start().starts_with("ignore = ") {
                wrong.push(format!("{name}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
