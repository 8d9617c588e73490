//! The part of the Python package that is Rust: what `nim_analyser/` gives a Python face.

mod fault;
mod found;
mod game;
mod source;
mod values;
mod watch;

use nim_analyser::certificate::Certificate;
use nim_analyser::grundy;
use nim_analyser::sequence::period::segments::Segments;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::panic::catch_unwind;
use std::process::ExitCode;

/// Runs the program with the words of a command line, the first of which is its name; its exit code.
#[pyfunction]
fn run(py: Python<'_>, words: Vec<OsString>) -> u8 {
    /// What Rust itself ends with after a panic.
    const PANIC: u8 = 101;
    let found = py.detach(|| catch_unwind(|| nim_analyser::app::run(words)));
    let is_found = |&code: &u8| {
        found
            .as_ref()
            .is_ok_and(|found| *found == ExitCode::from(code))
    };
    match found {
        Ok(_) => (0..=u8::MAX).find(is_found).unwrap_or(PANIC),
        Err(_) => PANIC,
    }
}

/// The least whole number that is not among these.
#[pyfunction]
fn mex(values: Vec<Bound<'_, PyAny>>) -> PyResult<u64> {
    Ok(grundy::mex(nim_values(&values)?))
}

fn nim_values(values: &[Bound<'_, PyAny>]) -> PyResult<Vec<u64>> {
    let read = |value| fault::number("a nim-value", value);
    values.iter().map(read).collect()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // No certificate is longer.
    module.add("MOST_BYTES", Segments::MOST_BYTES)?;
    let out_of_reach = module.py().get_type::<fault::OutOfReachError>();
    module.add("OutOfReachError", out_of_reach)?;
    module.add_class::<game::Game>()?;
    module.add_class::<game::Analysis>()?;
    module.add_class::<found::Period>()?;
    module.add_class::<found::Quotient>()?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(found::verify, module)?)?;
    module.add_function(wrap_pyfunction!(found::games_with, module)?)?;
    module.add_function(wrap_pyfunction!(mex, module)?)?;
    Ok(())
}
