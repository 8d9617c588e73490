//! The part of the Python package that is Rust: what `nim_analyser/` gives a Python face.

mod fault;
mod found;
mod game;
mod source;
mod values;
mod watch;

use nim_analyser::grundy;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::panic::catch_unwind;
use std::path::PathBuf;
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

/// Checks the certificate in a file; what is right, as JSON.
#[pyfunction]
fn verify(py: Python<'_>, file: PathBuf, progress: Option<Py<PyAny>>) -> PyResult<String> {
    found::verify(py, &file, progress)
}

/// The games that have given values, as JSON and as text.
#[pyfunction]
fn games_with(py: Python<'_>, values: Vec<Bound<'_, PyAny>>) -> PyResult<(String, String)> {
    let values: PyResult<Vec<u64>> = values.iter().map(fault::whole).collect();
    game::games_with(py, &values?)
}

/// The least whole number that is not among these.
#[pyfunction]
fn mex(values: Vec<Bound<'_, PyAny>>) -> PyResult<u64> {
    let values: PyResult<Vec<u64>> = values.iter().map(fault::whole).collect();
    Ok(grundy::mex(values?))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    let out_of_reach = module.py().get_type::<fault::OutOfReachError>();
    module.add("OutOfReachError", out_of_reach)?;
    module.add_class::<game::Game>()?;
    module.add_class::<game::Analysis>()?;
    module.add_class::<found::Period>()?;
    module.add_class::<found::Quotient>()?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(games_with, module)?)?;
    module.add_function(wrap_pyfunction!(mex, module)?)?;
    Ok(())
}
