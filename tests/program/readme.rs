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
