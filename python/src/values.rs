//! Nim-values as numpy arrays of the least unsigned type that holds them.

use crate::fault::raised;
use nim_analyser::engine::table::Table;
use nim_analyser::grundy::NimValue;
use nim_analyser::sequence::Values;
use nim_analyser::{Error, HeapGame};
use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{Element, PyArray1};
use pyo3::prelude::*;
use std::convert::Infallible;

/// Values that an array looks at.
#[pyclass(frozen)]
struct Kept {
    values: Values,
}

/// The values of the heaps 0 to `last`, all of them known: as they are kept where that is in cells of the right size, else
/// written down once. The array can't be written to, for others may look at the same values.
pub fn array<'py>(py: Python<'py>, values: &Values, last: u64) -> PyResult<Bound<'py, PyAny>> {
    let count = usize::try_from(last.saturating_add(1)).unwrap_or(usize::MAX);
    let kept = values.table().and_then(|table| {
        if table.as_bytes().is_some() {
            return view(py, values, |table| {
                table.as_bytes().map(|cells| &cells[..count])
            });
        }
        let words = &table.as_words()?[..count];
        let wide = words.iter().any(|&value| value > 255);
        wide.then(|| {
            view(py, values, |table| {
                table.as_words().map(|cells| &cells[..count])
            })
        })?
    });
    let array = match kept {
        Some(array) => array?,
        None => {
            let written = py.detach(|| write(values, last, count));
            match written.map_err(|error| raised(&error))? {
                Written::Bytes(cells) => PyArray1::from_vec(py, cells).into_any(),
                Written::Words(cells) => PyArray1::from_vec(py, cells).into_any(),
                Written::Doubles(cells) => PyArray1::from_vec(py, cells).into_any(),
                Written::Quads(cells) => PyArray1::from_vec(py, cells).into_any(),
            }
        }
    };
    let only_read = pyo3::types::PyDict::new(py);
    only_read.set_item("write", false)?;
    array.call_method("setflags", (), Some(&only_read))?;
    Ok(array)
}

/// An array that looks at a table's own cells and keeps them alive.
#[allow(unsafe_code)]
fn view<'py, T: Element>(
    py: Python<'py>,
    values: &Values,
    cells: impl Fn(&Table) -> Option<&[T]>,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let values = values.clone();
    let keeper = match Bound::new(py, Kept { values }) {
        Ok(keeper) => keeper,
        Err(error) => return Some(Err(error)),
    };
    let cells = ArrayView1::from(cells(keeper.get().values.table()?)?);
    // SAFETY: The keeper is frozen and shares the table, which nobody changes while it is shared; so the cells stay
    // where they are as long as the keeper lives.
    let array = unsafe { PyArray1::borrow_from_array(&cells, keeper.clone().into_any()) };
    Some(Ok(array.into_any()))
}

enum Written {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    Doubles(Vec<u32>),
    Quads(Vec<u64>),
}

fn write(values: &Values, last: u64, count: usize) -> Result<Written, Error> {
    if let Some(table) = values.table() {
        return match decoded(table, count)? {
            Some(bytes) => Ok(Written::Bytes(bytes)),
            None => decoded(table, count)?.map(Written::Words).ok_or(TOO_LARGE),
        };
    }
    match values.largest((0, last)).0 {
        0..=0xff => Ok(Written::Bytes(collected(values, last, count)?)),
        0x100..=0xffff => Ok(Written::Words(collected(values, last, count)?)),
        0x1_0000..=0xffff_ffff => Ok(Written::Doubles(collected(values, last, count)?)),
        _ => Ok(Written::Quads(collected(values, last, count)?)),
    }
}

/// A heap small enough to be in memory has no value beyond 64 bits.
const TOO_LARGE: Error = Error::ValueTooLarge { heap: 0 };

fn room<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut cells = Vec::new();
    let needed = (count as u64).saturating_mul(size_of::<T>() as u64);
    match cells.try_reserve_exact(count) {
        Ok(()) => Ok(cells),
        Err(_) => Err(Error::NoMemory { needed }),
    }
}

/// The values of a table, if they fit.
fn decoded<T: TryFrom<u16>>(table: &Table, count: usize) -> Result<Option<Vec<T>>, Error> {
    let mut cells = room(count)?;
    let mut block = [0; 1 << 14];
    for from in (0..count).step_by(block.len()) {
        let block = &mut block[..(count - from).min(1 << 14)];
        table.copy_range(from, block);
        let fitting = block.iter().map_while(|&value| T::try_from(value).ok());
        cells.extend(fitting);
        if cells.len() < from + block.len() {
            return Ok(None);
        }
    }
    Ok(Some(cells))
}

/// The same of a period or a formula.
fn collected<T: TryFrom<NimValue>>(
    values: &Values,
    last: u64,
    count: usize,
) -> Result<Vec<T>, Error> {
    let mut cells = room(count)?;
    let Ok(_) = values.each_block((0, last), |_, block| {
        cells.extend(block.iter().map_while(|&value| T::try_from(value).ok()));
        Ok::<_, Infallible>(true)
    });
    match cells.len() == count {
        true => Ok(cells),
        false => Err(TOO_LARGE),
    }
}

/// Whether the nim-sum of each row of heaps isn't 0, all of them known.
pub fn by_table(values: &Values, rows: ArrayView2<'_, u64>) -> Vec<bool> {
    let bytes = values.table().and_then(Table::as_bytes);
    let sum = |row: &[u64]| -> NimValue {
        match bytes {
            Some(bytes) => row
                .iter()
                .fold(0, |sum, &heap| sum ^ bytes[heap as usize])
                .into(),
            None => row
                .iter()
                .fold(0, |sum, &heap| sum ^ values.get(heap).unwrap_or(0)),
        }
    };
    let won = |row: ArrayView1<'_, u64>| match row.as_slice() {
        Some(row) => sum(row) != 0,
        None => sum(&row.to_vec()) != 0,
    };
    rows.outer_iter().map(won).collect()
}

/// The heaps of rare values from 1 to `last`, the mask, and whether the classes alternate; `None` if there are no such
/// classes.
pub fn rares(heaps: &HeapGame, last: u64) -> Result<Option<(Vec<u64>, u16, bool)>, Error> {
    let mut sequence = heaps.sequence();
    sequence.fill(last)?;
    let Some(split) = sequence.learn_sparse_space(last)? else {
        return Ok(None);
    };
    let table = sequence.table();
    let mut found = Vec::new();
    let mut block = [0; 1 << 14];
    let count = usize::try_from(last).unwrap_or(usize::MAX) + 1;
    for from in (0..count).step_by(block.len()) {
        let block = &mut block[..(count - from).min(1 << 14)];
        table.copy_range(from, block);
        for (heap, &value) in (from..).zip(&*block) {
            if heap > 0 && split.is_rare(value, heap) {
                found.push(heap as u64);
            }
        }
    }
    Ok(Some((found, split.mask(), split.alternating())))
}
