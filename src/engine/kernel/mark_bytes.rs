//! Marks a byte each: to set one takes no read, and as long however many codes there are.
#![allow(unsafe_code)]

use super::WORDS;

/// A byte for each of `CODES` codes and each heap of a block, at 32 · code + lane, and some room behind.
pub struct MarkBytes<const CODES: usize, const ROOM: usize>([u8; ROOM]);

impl<const CODES: usize, const ROOM: usize> MarkBytes<CODES, ROOM> {
    /// No marks.
    pub const NONE: Self = Self([0; ROOM]);

    /// Marks a code, given as 32 times it, for `RUN` lanes from this one on: one, two or three.
    #[inline(always)]
    pub fn set<const RUN: usize>(&mut self, row: u16, lane: usize) {
        const { assert!(RUN <= 3 && ROOM >= (CODES + 1) * WORDS + 4) };
        let (row, lane) = (usize::from(row) % (CODES * WORDS), lane % WORDS);
        // SAFETY: row < CODES · 32 and lane < 32, and there is room for as much and three bytes more.
        unsafe {
            let at = self.0.as_mut_ptr().add(row + lane);
            match RUN {
                1 => *at = u8::MAX,
                2 => at.cast::<u16>().write_unaligned(u16::MAX),
                _ => {
                    at.cast::<u16>().write_unaligned(u16::MAX);
                    *at.add(2) = u8::MAX;
                }
            }
        }
    }

    /// All marks, a byte each.
    pub fn as_bytes(&self) -> &[u8; ROOM] {
        &self.0
    }
}
