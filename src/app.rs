//! The program: its command line, commands, reports, play and files.

pub mod cli;
pub mod commands;
pub mod error;
pub mod files;
pub mod play;
pub mod report;

use std::ffi::OsString;
use std::io;
use std::io::ErrorKind::{BrokenPipe, FileTooLarge, QuotaExceeded, StorageFull};
use std::process::ExitCode;

/// A first thread with less stack than this may be too small to read a command line.
#[cfg(unix)]
const LEAST_STACK: u64 = 2 << 20;

/// The bytes of stack of the thread that does the work where the first thread may have too little.
const STACK: usize = 8 << 20;

/// Runs the program with a command line, the first word of which is the program's name: parses it, runs the command,
/// and turns the result into an exit code. Ends the process where the command line is wrong or only help is asked for, and
/// answers signals from then on.
pub fn run(words: Vec<OsString>) -> ExitCode {
    if has_stack() {
        return run_here(words);
    }
    let thread = std::thread::Builder::new().stack_size(STACK);
    let work = {
        let words = words.clone();
        move || run_here(words)
    };
    match thread.spawn(work).map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        // Where no thread can be had, the first one does the work.
        Err(_) => run_here(words),
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

fn run_here(words: Vec<OsString>) -> ExitCode {
    commands::interrupt::install();
    let cli = cli::parse(words);
    match cli::run(cli) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if cli::is_interruption(&error) => {
            report::style::note(format_args!("{}", interrupted(&error)));
            cli::exit_code_of(&error)
        }
        Err(error) => {
            let error = with_place(error);
            let help = cli::help_for(&error);
            report::style::error(&format!("{error:#}{help}"));
            cli::exit_code_of(&error)
        }
    }
}

/// The message of an interruption: "interrupted", and what became of the work.
fn interrupted(error: &anyhow::Error) -> String {
    let mut told: Vec<String> = error.chain().map(ToString::to_string).collect();
    told.pop();
    told.insert(0, "interrupted".to_owned());
    told.join("; ")
}

/// The error with the place that is full. A file is named by whoever writes it, so a place without a name is standard output.
fn with_place(error: anyhow::Error) -> anyhow::Error {
    let is_full =
        io_kinds(&error).any(|kind| matches!(kind, FileTooLarge | QuotaExceeded | StorageFull));
    match is_full && error.chain().len() == 1 {
        true => error.context("standard output can't be written"),
        false => error,
    }
}

/// Whether the reader of the output has closed the pipe, which is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    io_kinds(error).any(|kind| kind == BrokenPipe)
}

/// The kinds of the errors of reading and writing among the causes of an error.
fn io_kinds(error: &anyhow::Error) -> impl Iterator<Item = io::ErrorKind> {
    error
        .chain()
        .filter_map(|cause| match cause.downcast_ref() {
            Some(error) => Some(io::Error::kind(error)),
            None => cause.downcast_ref::<serde_json::Error>()?.io_error_kind(),
        })
}
