//! The README's commands print what the README says.

#![cfg(feature = "cli")]

#[test]
fn the_commands_of_the_readme_run_as_written() {
    trycmd::TestCases::new().case("README.md");
}
