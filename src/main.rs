//! The program: parses the command line, runs the command, and turns the result into an exit code.

use std::process::ExitCode;

/// The stack of the thread that does the work. That of the first thread is as the shell sets it, and may be too small
/// to read a command line.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    let thread = std::thread::Builder::new().stack_size(STACK);
    match thread.spawn(run).map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        // No thread to be had: the first one may do.
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    nim_analyser::app::commands::interrupt::install();
    let cli = nim_analyser::app::cli::parse();
    match nim_analyser::app::cli::run(cli) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if nim_analyser::app::cli::is_interruption(&error) => {
            nim_analyser::app::report::style::note(format_args!("{}", interrupted(&error)));
            nim_analyser::app::cli::exit_code_of(&error)
        }
        Err(error) => {
            let help = nim_analyser::app::cli::help_for(&error);
            nim_analyser::app::report::style::error(&format!("{error:#}{help}"));
            nim_analyser::app::cli::exit_code_of(&error)
        }
    }
}

/// "interrupted", and what became of the work.
fn interrupted(error: &anyhow::Error) -> String {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    let told = &causes[..causes.len().saturating_sub(1)];
    std::iter::once("interrupted".to_owned())
        .chain(told.iter().cloned())
        .collect::<Vec<_>>()
        .join("; ")
}

/// Whether the reader of our output went away, which is its right.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kinds = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .map(std::io::Error::kind);
    let json = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<serde_json::Error>()?.io_error_kind());
    kinds
        .chain(json)
        .any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}
