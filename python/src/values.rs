//! Nim-values as numpy arrays of the least unsigned type that holds them.

use crate::fault::raised;
use crate::game::Opened;
use crate::watch::Watcher;
use nim_analyser::engine::Watch;
use nim_analyser::engine::table::Table;
use nim_analyser::grundy::NimValue;
use nim_analyser::sequence::Values;
use nim_analyser::{Error, HeapGame};
use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{Element, PyArray1};
use pyo3::prelude::*;

/// Sees that numpy's interface can be used, without which making an array would panic: where numpy can't be imported, or
/// at a Ctrl-C in the few instructions of Python's that find it for the first time.
pub fn ready(py: Python<'_>) -> PyResult<()> {
    py.import("numpy")?;
    let made = std::panic::catch_unwind(|| drop(PyArray1::<u8>::from_vec(py, Vec::new())));
    made.map_err(|_| raised(&Error::Interrupted))
}

/// So many values are decoded at a time.
const BLOCK: usize = 1 << 14;

/// Values that an array looks at.
#[pyclass(frozen)]
struct Kept {
    values: Values,
}

/// The values of some heaps, on the way to an array.
pub enum Array {
    /// In the cells of a table.
    Kept(Values, usize),
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    Doubles(Vec<u32>),
    Quads(Vec<u64>),
}

impl Array {
    /// The values of the heaps 0 to `last`, all of them known: as they are kept where that is in cells of the right size,
    /// else written down once.
    pub fn new(values: Values, last: u64, game: &Opened) -> Result<Array, Error> {
        let count = usize::try_from(last.saturating_add(1)).unwrap_or(usize::MAX);
        let Some(table) = values.table() else {
            return match values.largest((0, last)).0 {
                0..=0xff => collected(&values, last, game).map(Array::Bytes),
                0x100..=0xffff => collected(&values, last, game).map(Array::Words),
                0x1_0000..=0xffff_ffff => collected(&values, last, game).map(Array::Doubles),
                _ => collected(&values, last, game).map(Array::Quads),
            };
        };
        let wide = |words: &[u16]| words[..count].iter().any(|&value| value > 255);
        if table.as_bytes().is_some() || table.as_words().is_some_and(wide) {
            return Ok(Array::Kept(values, count));
        }
        match decoded(table, count, game)? {
            Some(bytes) => Ok(Array::Bytes(bytes)),
            None => decoded(table, count, game)?
                .map(Array::Words)
                .ok_or(TOO_LARGE),
        }
    }

    /// The array, which can't be written to, for others may look at the same values.
    pub fn shown(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        ready(py)?;
        let array = match self {
            Array::Kept(values, count) => {
                let is_bytes = values
                    .table()
                    .is_some_and(|table| table.as_bytes().is_some());
                let keeper = Bound::new(py, Kept { values })?;
                match is_bytes {
                    true => view(keeper, |table| Some(&table.as_bytes()?[..count]))?,
                    false => view(keeper, |table| Some(&table.as_words()?[..count]))?,
                }
            }
            Array::Bytes(cells) => PyArray1::from_vec(py, cells).into_any(),
            Array::Words(cells) => PyArray1::from_vec(py, cells).into_any(),
            Array::Doubles(cells) => PyArray1::from_vec(py, cells).into_any(),
            Array::Quads(cells) => PyArray1::from_vec(py, cells).into_any(),
        };
        let only_read = pyo3::types::PyDict::new(py);
        only_read.set_item("write", false)?;
        array.call_method("setflags", (), Some(&only_read))?;
        Ok(array)
    }
}

/// An array that looks at cells of the table that its keeper shares.
#[allow(unsafe_code)]
fn view<'py, T: Element>(
    keeper: Bound<'py, Kept>,
    cells: impl Fn(&Table) -> Option<&[T]>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(cells) = keeper.get().values.table().and_then(cells) else {
        return Err(raised(&TOO_LARGE));
    };
    let cells = ArrayView1::from(cells);
    // SAFETY: The keeper is frozen and shares the table, which nobody changes while it is shared; so the cells stay
    // where they are as long as the keeper lives.
    let array = unsafe { PyArray1::borrow_from_array(&cells, keeper.clone().into_any()) };
    Ok(array.into_any())
}

/// A heap small enough to be in memory has no value beyond 64 bits.
const TOO_LARGE: Error = Error::ValueTooLarge { heap: 0 };

fn room<T>(count: usize, allowed: u64) -> Result<Vec<T>, Error> {
    let mut cells = Vec::new();
    let needed = (count as u64).saturating_mul(size_of::<T>() as u64);
    if needed > allowed {
        let would_do = (allowed / size_of::<T>() as u64).saturating_sub(1);
        return Err(Error::Memory {
            needed,
            allowed,
            would_do,
        });
    }
    match cells.try_reserve_exact(count) {
        Ok(()) => Ok(cells),
        Err(_) => Err(Error::NoMemory { needed }),
    }
}

/// So many things are done between two looks at the watch.
const BETWEEN_LOOKS: usize = 1 << 20;

/// At the one numbered so, tells what is known: the values that are only gone through are all known already.
fn go_on(watch: &Watcher, at: usize, (known, wanted): (usize, usize)) -> Result<(), Error> {
    let is_due = at.is_multiple_of(BETWEEN_LOOKS);
    match !is_due || watch.progress(known as u64, wanted as u64) {
        true => Ok(()),
        false => Err(Error::Interrupted),
    }
}

/// The values of a table, if they fit.
fn decoded<T: TryFrom<u16>>(
    table: &Table,
    count: usize,
    game: &Opened,
) -> Result<Option<Vec<T>>, Error> {
    let mut cells = room(count, game.effort.memory)?;
    let mut block = [0; BLOCK];
    for from in (0..count).step_by(BLOCK) {
        go_on(&game.watcher, from, (count, count))?;
        let block = &mut block[..(count - from).min(BLOCK)];
        table.copy_range(from, block);
        cells.extend(block.iter().map_while(|&value| T::try_from(value).ok()));
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
    game: &Opened,
) -> Result<Vec<T>, Error> {
    let count = usize::try_from(last.saturating_add(1)).unwrap_or(usize::MAX);
    let mut cells = room(count, game.effort.memory)?;
    values.each_block((0, last), |_, block| {
        go_on(&game.watcher, cells.len(), (cells.len(), count))?;
        cells.extend(block.iter().map_while(|&value| T::try_from(value).ok()));
        Ok::<_, Error>(true)
    })?;
    match cells.len() == count {
        true => Ok(cells),
        false => Err(TOO_LARGE),
    }
}

/// Whether the nim-sum of each row of heaps isn't 0, all of them known.
pub fn by_table(
    values: &Values,
    rows: ArrayView2<'_, u64>,
    watch: &Watcher,
) -> Result<Vec<bool>, Error> {
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
    let count = rows.nrows();
    let each = rows.outer_iter().enumerate();
    each.map(|(at, row)| go_on(watch, at, (at, count)).map(|()| won(row)))
        .collect()
}

/// The heaps of rare values from 1 to `last`, the mask, and whether the classes alternate; `None` if there are no such
/// classes.
pub fn rares(
    heaps: &HeapGame,
    last: u64,
    watch: &Watcher,
) -> Result<Option<(Vec<u64>, u16, bool)>, Error> {
    let mut sequence = heaps.sequence();
    sequence.fill(last)?;
    let Some(space) = sequence.learn_sparse_space(last)? else {
        return Ok(None);
    };
    let table = sequence.table();
    let mut found = Vec::new();
    let mut block = [0; BLOCK];
    let count = usize::try_from(last).unwrap_or(usize::MAX) + 1;
    for from in (0..count).step_by(BLOCK) {
        go_on(watch, from, (count, count))?;
        let block = &mut block[..(count - from).min(BLOCK)];
        table.copy_range(from, block);
        for (heap, &value) in (from..).zip(&*block) {
            if heap > 0 && space.is_rare(value, heap) {
                found.push(heap as u64);
            }
        }
    }
    Ok(Some((found, space.mask(), space.alternating())))
}
