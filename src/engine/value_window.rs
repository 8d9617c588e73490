//! Nim-values of a game with a sparse space in bounded memory, for as many heaps as time allows.
//!
//! A heap's options need the last few values, of which only the rare heaps below reach far back, and the proof that the rare
//! values below the mex are options needs pairs with a small part, nearly always. So the first heaps and the last ones are kept
//! and those between are forgotten (`packed/gap.rs`). What is asked about all of them is kept: the rare heaps, the largest
//! value, the deepest pair. A heap whose proof would need a forgotten pair is not guessed: all is computed again with more of
//! it kept, if memory allows, or it is refused. Codes take a byte, or two from the first on that needs them. Time: as
//! `sparse.rs`; memory: a few MB. Twin: a table of all heaps.

mod largest;

use super::coded_values::{AnyCodes, CodedValues, either};
use super::codes::Codes;
use super::octal::Octal;
use super::packed::{Forgotten, kept};
use super::segments_in_lanes::SegmentsInLanes;
use super::sparse::{DEEPEST_FROM, Depth};
use super::sparse_space::SparseSpace;
use super::{Effort, Stop};
use crate::error::{Error, Reason};
pub use largest::Largest;

/// How many heaps are kept before any is forgotten.
const MOST_BEFORE_GAP: usize = 1 << 22;
/// Heaps known when a window begins; they show whether the game has a sparse space.
pub(crate) const BEGINNING: u64 = DEEPEST_FROM as u64;
/// The least number of first heaps to keep.
const FIRST_KEPT: usize = 1 << 18;
/// The least number of the last heaps that stay readable, whatever is forgotten before them.
#[cfg(feature = "cli")]
pub const BACK: u64 = FIRST_KEPT as u64;
/// Heaps computed between two looks at the memory.
pub const STRIDE: usize = 1 << 20;

/// The nim-values of a game, of which the first and the last are kept.
pub struct ValueWindow {
    game: Octal,
    name: String,
    effort: Effort,
    /// The first values, with which the window can begin again.
    beginning: Vec<u16>,
    coded: CodedValues,
    /// The number of heaps that are all kept before any is forgotten.
    all: usize,
    largest: Largest,
    /// Whether the window was restarted, so that the values between the first and the last were never known here.
    restarted: bool,
    /// The least number of first heaps that are kept.
    first: usize,
    /// The least number of last heaps that stay readable.
    back: usize,
}

impl ValueWindow {
    /// A window that continues the first values of a game of this name, which are at least some hundred and all kept, and what
    /// was learnt from them.
    pub(crate) fn new(game: Octal, name: &str, coded: CodedValues, effort: &Effort) -> ValueWindow {
        let mut beginning = vec![0; coded.len().min(BEGINNING as usize)];
        kept(coded.codes().copy(0, &mut beginning));
        let all = effort.memory / 4 / coded.width() as u64;
        let mut window = ValueWindow {
            game,
            name: name.to_owned(),
            effort: effort.clone(),
            beginning,
            coded,
            all: MOST_BEFORE_GAP.min(all as usize),
            largest: Largest::default(),
            restarted: false,
            first: FIRST_KEPT,
            back: FIRST_KEPT,
        };
        window.look(0);
        window
    }

    /// A window that continues these first values, which are at least some hundred, and never changes this space of them. `None`
    /// if a code needs more than two bytes.
    pub(crate) fn by_space(
        game: Octal,
        name: &str,
        values: &[u16],
        space: SparseSpace,
        effort: &Effort,
    ) -> Option<ValueWindow> {
        let coded = CodedValues::new(&game, (values, space), 1, effort)?;
        let mut window = ValueWindow::new(game, name, coded, effort);
        either!(&mut window.coded, coded => coded.sparse.is_space_given = true);
        Some(window)
    }

    /// A window that begins again with the first values of the same game, by the same space.
    pub(crate) fn again(&self) -> ValueWindow {
        let values = (self.beginning.as_slice(), self.space());
        let coded = CodedValues::new(&self.game, values, self.width(), &self.effort);
        let coded = coded.expect("codes are no wider than those of more heaps");
        let mut again = ValueWindow::new(self.game.clone(), &self.name, coded, &self.effort);
        let is_space_given = either!(&self.coded, coded => coded.sparse.is_space_given);
        either!(&mut again.coded, coded => coded.sparse.is_space_given = is_space_given);
        again
    }

    /// Changes to the space by this mask, if class and code of all known values stay the same. Values to come may show that the
    /// mask has higher bits than the values before could tell.
    pub(crate) fn adopt(&mut self, mask: u16) {
        either!(&mut self.coded, coded => coded.sparse.adopt_mask(&mut coded.codes, mask));
    }

    /// The window with `all` as the number of heaps that are kept before any is forgotten.
    pub(crate) fn keeping(mut self, all: usize) -> ValueWindow {
        self.all = all;
        self
    }

    /// How many values are known: of the heaps 0 to `len() - 1`.
    pub fn len(&self) -> u64 {
        self.coded.len() as u64
    }

    /// The first of the last heaps whose values are kept.
    pub fn window_from(&self) -> u64 {
        either!(&self.coded, coded => coded.codes.window_from()) as u64
    }

    /// The sparse space.
    pub fn space(&self) -> SparseSpace {
        self.coded.space()
    }

    /// The bytes of a code: 1, or 2 from the first code on that needs them.
    pub fn width(&self) -> usize {
        self.coded.width()
    }

    /// The rare heaps and their values.
    pub fn rares(&self) -> impl ExactSizeIterator<Item = (u64, u16)> + '_ {
        let count = either!(&self.coded, coded => coded.codes.rares().len());
        (0..count).map(|number| either!(&self.coded, coded => coded.rare(number)))
    }

    /// The last rare heap, 0 if there is none.
    pub fn last_rare(&self) -> u64 {
        self.coded.last_rare() as u64
    }

    /// The game.
    pub(crate) fn game(&self) -> &Octal {
        &self.game
    }

    /// The values as codes.
    pub(crate) fn coded(&self) -> &CodedValues {
        &self.coded
    }

    /// The largest value known and the first heap that has it.
    pub fn largest(&self) -> Largest {
        self.largest
    }

    /// How deep the pairs lie that proofs have needed, those of heaps computed by the window.
    pub fn depth(&self) -> Depth {
        self.coded.depth()
    }

    /// How many bytes the codes kept take.
    pub(crate) fn size(&self) -> usize {
        either!(&self.coded, coded => coded.codes.size())
    }

    /// The values of the heaps from this one on.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if one of them is not kept.
    pub fn copy(&self, from: u64, out: &mut [u16]) -> Result<(), Error> {
        self.coded
            .codes()
            .copy(from as usize, out)
            .map_err(forgotten)
    }

    /// The values of the `count` heaps before heap `before`.
    ///
    /// # Errors
    /// As for [`ValueWindow::copy`].
    pub(crate) fn last_values(&self, before: u64, count: usize) -> Result<Vec<u16>, Error> {
        let mut values = vec![0; count];
        self.copy(before - count as u64, &mut values)?;
        Ok(values)
    }

    /// The codes of the heaps from `from` to below `to`, which must be common.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if one of them is not kept.
    pub fn codes(&self, from: u64, to: u64) -> Result<Codes<'_>, Error> {
        let (from, to) = (from as usize, to as usize);
        either!(&self.coded, coded => coded.codes.cells(from, to).map(Codes::from))
            .map_err(forgotten)
    }

    /// Keeps the values of this many first heaps and of this many last heaps readable from now on, if they are known.
    pub(crate) fn keep(&mut self, first: u64, back: u64) {
        self.first = self.first.max(first as usize);
        self.back = self.back.max(back as usize);
    }

    /// How many of the first heaps to keep, and how many of the last.
    fn kept(&self) -> (usize, usize) {
        let (least, back) = (self.first, self.back);
        either!(&self.coded, coded => {
            let codes = &coded.codes;
            let first = if codes.has_gap() {
                codes.kept()
            } else {
                let rare = 2 * codes.last_rare() + 6 * codes.pad();
                let deep = 4 * coded.sparse.depth().deepest.part;
                least.max(rare).max(deep)
            };
            (first, first + codes.pad() + back)
        })
    }

    /// Forgets heaps between the first and the last, if many are kept.
    fn forget(&mut self) {
        let ((first, last), all) = (self.kept(), self.all);
        either!(&mut self.coded, coded => {
            let count = coded.count();
            if count > all.min(2 * STRIDE + first + 2 * last) && coded.codes.has_gap()
                || count > all.max(first + 2 * last)
            {
                coded.codes.forget(first, last);
            }
        });
    }

    /// Computes the values of the heaps below `to`. If that is no more than [`STRIDE`] heaps on, these and the last 2¹⁸ before
    /// them stay readable. A later call up to `on_to` takes less time if that is known now.
    ///
    /// # Errors
    /// If a value can't be told by the pairs that are kept, nor all be kept; if codes outgrow two bytes; if memory
    /// is short; or if `go_on`, told now and then how many are known, stops the work. The values found until then are right.
    pub fn advance(
        &mut self,
        to: u64,
        on_to: u64,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), Error> {
        let (end, on_to) = (to as usize, on_to as usize);
        while self.len() < to {
            self.forget();
            let next = end.min(self.len() as usize + STRIDE);
            self.check_memory(next)?;
            let mut watched = |_: &dyn AnyCodes, known| go_on(known as u64);
            let known = self.coded.len();
            let result = self.coded.extend(next, on_to, &mut watched);
            self.look(known);
            let heap = self.len();
            match result {
                Ok(()) => {}
                Err(Stop::Interrupted) => return Err(Error::Interrupted),
                Err(Stop::TooLarge) => {
                    if !self.widen()? {
                        return Err(Error::OutOfReach {
                            game: self.name.clone(),
                            heap: to - 1,
                            reason: Reason::WideValue { heap },
                            would_do: heap - 1,
                        });
                    }
                }
                Err(Stop::Forgotten) => self.keep_more(heap, go_on)?,
                Err(Stop::Memory | Stop::Steps) => return Err(Error::NoMemory { needed: heap }),
            }
        }
        Ok(())
    }

    /// Whether there is room for the heaps below `next`: late rare heaps keep many others.
    fn check_memory(&self, next: usize) -> Result<(), Error> {
        let allowed = self.effort.memory;
        let needed = (self.size() + self.width() * (next - self.len() as usize)) as u64;
        if needed <= allowed {
            return Ok(());
        }
        Err(Error::Memory {
            needed,
            allowed,
            would_do: self.len() - 1,
        })
    }

    /// Keeps codes of two bytes from now on. Returns whether they took one byte before.
    pub(crate) fn widen(&mut self) -> Result<bool, Error> {
        let needed = 2 * self.size() as u64;
        self.coded.widen().map_err(|_| Error::NoMemory { needed })
    }

    /// Computes all values again and keeps all heaps to beyond heap `heap`.
    fn keep_more(&mut self, heap: u64, go_on: &mut dyn FnMut(u64) -> bool) -> Result<(), Error> {
        let all = heap.saturating_mul(4);
        let needed = all.saturating_mul(self.width() as u64);
        if needed > self.effort.memory || self.restarted {
            return Err(Error::OutOfReach {
                game: self.name.clone(),
                heap,
                reason: Reason::ForgottenPairs { needed },
                would_do: heap - 1,
            });
        }
        let mut again = self.again().keeping(all as usize);
        again.keep(self.first as u64, self.back as u64);
        again.advance(heap, heap, go_on)?;
        *self = again;
        Ok(())
    }

    /// A solver that computes sixty-four segments of the same sequence at a time, with values no larger than `largest` and
    /// witnesses no deeper than `depth`, which must all be known here; `None` if it can't be used for this game.
    pub(crate) fn in_lanes(
        &self,
        depth: u64,
        window: u64,
        largest: u16,
    ) -> Option<SegmentsInLanes> {
        let reach = (usize::try_from(depth).ok()?, usize::try_from(window).ok()?);
        self.coded.in_lanes(self.effort.kernel, reach, largest)
    }

    /// How many of the first heaps are kept, or will be.
    pub(crate) fn first(&self) -> u64 {
        self.kept().0 as u64
    }

    /// How many values before a heap are enough to compute the values from there on.
    pub(crate) fn least_window(&self) -> u64 {
        either!(&self.coded, coded => coded.codes.last_rare() + coded.codes.pad() + 64) as u64
    }

    /// Goes on elsewhere: after common heaps with these codes, which end before `to`, with at least `first` of the first
    /// heaps kept. The largest value and the deepest pair are those found from there on. `false` if that can't be done
    /// from so few, or with so large codes.
    ///
    /// # Errors
    /// As for [`ValueWindow::advance`].
    pub(crate) fn restart_at(
        &mut self,
        first: u64,
        to: u64,
        codes: &Codes<'_>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<bool, Error> {
        let fits = |values: &ValueWindow, first: u64| {
            first.saturating_mul(values.width() as u64) <= values.effort.memory
        };
        if !fits(self, first) {
            return Ok(false);
        }
        self.keep(first, 0);
        loop {
            let first = self.kept().0 as u64;
            if first.saturating_add(codes.len() as u64) > to || !fits(self, first) {
                return Ok(false);
            }
            if self.len() >= first {
                if (codes.len() as u64) < self.least_window() {
                    return Ok(false);
                }
                let needed = 2 * self.size() as u64;
                let room = self.coded.make_room(codes.iter().max().unwrap_or(0));
                if !room.map_err(|_| Error::NoMemory { needed })? {
                    return Ok(false);
                }
                either!(&mut self.coded, coded => coded.restart_at(first as usize, to as usize, codes))
                    .map_err(forgotten)?;
                self.largest = Largest::default();
                self.restarted = true;
                self.keep(first, codes.len() as u64);
                return Ok(true);
            }
            self.advance(first, first, go_on)?;
        }
    }

    /// Takes over the largest value and the depth found on the way to where the window went on; all values there were
    /// computed.
    pub(crate) fn recall(&mut self, largest: Largest, depth: Depth) {
        self.largest = largest;
        either!(&mut self.coded, coded => coded.sparse.restart_at(depth));
        self.restarted = false;
    }

    /// Looks for larger values among the heaps from `from` on.
    fn look(&mut self, from: usize) {
        either!(&self.coded, coded => self.largest.look(&coded.codes, from));
    }
}

fn forgotten(Forgotten { heap }: Forgotten) -> Error {
    Error::Forgotten { heap: heap as u64 }
}
