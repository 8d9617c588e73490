//! The program: parses the command line, runs the command, and turns the result into an exit code.

use std::process::ExitCode;

/// A first thread with less stack than this may be too small to read a command line.
#[cfg(unix)]
const LEAST_STACK: u64 = 2 << 20;

/// The stack of the thread that does the work in its place.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    if has_stack() {
        return run();
    }
    let thread = std::thread::Builder::new().stack_size(STACK);
    match thread.spawn(run).map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        // No thread to be had: the first one may do.
        Err(_) => run(),
    }
}

/// Whether the shell leaves the first thread its usual stack (`ulimit -s`). Another thread allocates from an arena of its
/// own, for which a process of little memory has no room, so it is made only where it is needed.
fn has_stack() -> bool {
    #[cfg(unix)]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Stack);
        limit.current.is_none_or(|bytes| bytes >= LEAST_STACK)
    }
    #[cfg(not(unix))]
    {
        false
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
