//! What goes wrong, as Python says it: the text is the program's, the exception tells the kind.

use nim_analyser::app::error::{advice, in_words};
use nim_analyser::{Error, error::GraphError};
use pyo3::exceptions::{
    PyKeyboardInterrupt, PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::PyFloat;

pyo3::create_exception!(
    nim_analyser,
    OutOfReachError,
    PyRuntimeError,
    "The answer is out of reach: it would take more time or memory than is allowed, or than there is.\n\nThe text says what it would take, and which limit of `Game` carries the work further."
);

/// The exception for an error of the library.
pub fn raised(error: &Error) -> PyErr {
    let mut text = in_words(error);
    if let Some(advice) = advice(error) {
        let advice = advice
            .replace("a larger --memory", "a larger memory=")
            .replace("--positions ", "positions=")
            .replace("--steps ", "steps=");
        text += &format!("\nhelp: {advice}");
    }
    match innermost(error) {
        Error::Memory { .. }
        | Error::NoMemory { .. }
        | Error::Graph(GraphError::Memory { .. } | GraphError::NoMemory) => {
            PyMemoryError::new_err(text)
        }
        Error::Interrupted => PyKeyboardInterrupt::new_err(text),
        Error::NotEnding { .. } | Error::FalseCertificate { .. } => PyValueError::new_err(text),
        error if error.is_usage() => PyValueError::new_err(text),
        _ => OutOfReachError::new_err(text),
    }
}

fn innermost(error: &Error) -> &Error {
    match error {
        Error::Part { fault, .. } => innermost(fault),
        error => error,
    }
}

/// What `seconds` and other bounds must be.
pub fn refused(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}

/// A whole number from 0 to 2^64-1 that is no pile, called by its name where it is refused.
pub fn number(name: &str, number: &Bound<'_, PyAny>) -> PyResult<u64> {
    number.extract().map_err(|error: PyErr| {
        let text = format!("{name} is a whole number from 0 to 2^64-1");
        match error.is_instance_of::<PyOverflowError>(number.py()) {
            true => refused(text),
            false => PyTypeError::new_err(text),
        }
    })
}

/// A pile: a whole number from 0 to 2^64-1.
pub fn whole(number: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(number) = number.extract() {
        return Ok(number);
    }
    if number.is_instance_of::<PyFloat>() {
        let text = format!("a pile is a whole number, not the float {number}");
        return Err(PyTypeError::new_err(text));
    }
    // Whatever else is no integer is refused by Python itself.
    let integer = number.call_method0("__index__").map_err(|_| {
        let text = match number.get_type().name() {
            Ok(name) => format!("a pile is a whole number, not of the type {name}"),
            Err(_) => "a pile is a whole number".to_owned(),
        };
        PyTypeError::new_err(text)
    })?;
    let digits = match integer.str() {
        Ok(digits) => digits.to_string(),
        // Python writes no number of thousands of digits.
        Err(_) => "2^64".to_owned(),
    };
    match nim_analyser::position::parse_piles(&[digits]) {
        Ok(piles) => Ok(piles.first().copied().unwrap_or(0)),
        Err(error) => Err(raised(&error.into())),
    }
}
