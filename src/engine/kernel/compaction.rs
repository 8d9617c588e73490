//! Branch-free compaction: filling and filtering lists where no branch could be predicted.
#![allow(unsafe_code)]

use super::tuning::ITEMS_PER_MOVE;
use std::mem::MaybeUninit;

/// Which items are kept. A type can have an `#[inline(always)]` method, which a closure can't.
pub trait Keep<T> {
    /// Whether this item is kept.
    fn keeps(&self, item: T) -> bool;
}

impl<T, F: Fn(T) -> bool> Keep<T> for F {
    #[inline(always)]
    fn keeps(&self, item: T) -> bool {
        self(item)
    }
}

/// Keeps the items that `keep` keeps, in order. Only the place to which an item is moved depends on what was kept before.
#[inline(always)]
pub fn retain<T: Copy>(items: &mut Vec<T>, keep: impl Keep<T>) {
    let mut kept = 0;
    for from in (0..items.len()).step_by(ITEMS_PER_MOVE) {
        let to = items.len().min(from + ITEMS_PER_MOVE);
        let mut mask = 0u32;
        for item in &items[from..to] {
            mask = mask << 1 | u32::from(keep.keeps(*item));
        }
        for k in from..to {
            // SAFETY: kept <= k < items.len().
            unsafe { *items.get_unchecked_mut(kept) = *items.get_unchecked(k) };
            kept += (mask >> (to - 1 - k) & 1) as usize;
        }
    }
    items.truncate(kept);
}

/// The spare room of a vector, being filled.
pub struct Appended<'a, T> {
    room: &'a mut [MaybeUninit<T>],
    count: usize,
}

impl<T> Appended<'_, T> {
    /// Adds the item if `holds`, without a branch.
    ///
    /// # Panics
    /// If there is no room left, even if the item is not added.
    #[inline(always)]
    pub fn push_if(&mut self, item: T, holds: bool) {
        self.room[self.count].write(item);
        self.count += usize::from(holds);
    }
}

/// Appends up to `most` items. Their number stays in a register, whereas [`Vec::push`] stores it for each item.
#[inline(always)]
pub fn append<T: Copy>(items: &mut Vec<T>, most: usize, fill: impl FnOnce(&mut Appended<'_, T>)) {
    items.reserve(most);
    let room = items.spare_capacity_mut();
    let mut appended = Appended { room, count: 0 };
    fill(&mut appended);
    let length = appended.count + items.len();
    // SAFETY: the items up to this length have been written.
    unsafe { items.set_len(length) };
}
