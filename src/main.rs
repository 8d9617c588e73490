//! The program: what it does is in the library, so that others can run it too.

use std::process::ExitCode;

fn main() -> ExitCode {
    nim_analyser::app::run(std::env::args_os().collect())
}
