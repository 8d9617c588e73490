//! The README's commands print what the README says.

#[test]
fn the_commands_of_the_readme_run_as_written() {
    trycmd::TestCases::new().case("README.md");
}

/// Every file that a page of the documentation links to is there.
#[test]
fn the_links_between_the_pages_lead_somewhere() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for page in [
        "README.md",
        "ARCHITECTURE.md",
        "docs/algorithm.md",
        "docs/json.md",
        "docs/performance.md",
        "docs/records/README.md",
        "docs/survey/README.md",
    ] {
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
            assert!(folder.join(file).exists(), "{page} links to {link}");
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
