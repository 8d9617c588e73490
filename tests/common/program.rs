//! The program as tests start it: what it prints, and how it ends.

use assert_cmd::Command;
use std::path::Path;
use std::process::{self, Output};

/// The words of a command line: one by one, or in a line.
pub trait Words {
    fn words(&self) -> Vec<&str>;
}

impl Words for str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<&str> {
        self.as_str().words()
    }
}

impl Words for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> Words for [&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Words for Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.clone()
    }
}

impl<T: Words + ?Sized> Words for &T {
    fn words(&self) -> Vec<&str> {
        T::words(self)
    }
}

/// The program, to be started as any other.
pub fn program() -> process::Command {
    process::Command::new(assert_cmd::cargo::cargo_bin("nim-analyser"))
}

/// The program with these words, to be asked what it prints.
pub fn nim_analyser(words: &(impl Words + ?Sized)) -> Command {
    let mut command = Command::from_std(program());
    command.args(words.words());
    command
}

/// What a command prints, which succeeds.
pub fn printed(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// What the program prints for these words, without a word on standard error.
pub fn stdout(words: &(impl Words + ?Sized)) -> String {
    let output = nim_analyser(words).assert().success().stderr("");
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

/// How the program ends with these words, what it prints, and what it says on standard error.
pub fn run(words: &(impl Words + ?Sized)) -> (i32, String, String) {
    answer(words, "")
}

/// The same where it reads an input.
pub fn answer(
    words: &(impl Words + ?Sized),
    input: &(impl AsRef<[u8]> + ?Sized),
) -> (i32, String, String) {
    let output = nim_analyser(words)
        .write_stdin(input.as_ref())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

/// The output of the program in a directory, with the words of a line.
pub fn run_in(directory: impl AsRef<Path>, line: &str) -> Output {
    let mut command = program();
    command.current_dir(directory).args(line.split(' '));
    command.output().unwrap()
}

/// What was said on standard error.
pub fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
