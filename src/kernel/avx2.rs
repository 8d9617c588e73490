//! placeholder
use super::{Block, Entry, LANES, Lanes, SLOTS, Source, portable};
#[derive(Clone, Copy, Debug)]
pub struct Token(());
impl Token {
    pub(super) fn detect() -> Option<Self> {
        None
    }
    pub(super) fn scatter(self, planes: &mut [Lanes], source: Source<'_>, entries: &[Entry]) {
        portable::scatter(planes, source, entries)
    }
    pub(super) fn fresh(self, planes: &[Lanes], source: Source<'_>, entry: Entry) -> u64 {
        portable::fresh(planes, source, entry)
    }
    pub(super) fn open(self, planes: &[Lanes], limit: &Lanes) -> u64 {
        portable::open(planes, limit)
    }
    pub(super) fn holes(
        self,
        planes: &[Lanes],
        limit: Option<&Lanes>,
        slots: &mut [Lanes; SLOTS],
    ) -> u64 {
        portable::holes(planes, limit, slots)
    }
    pub(super) fn kill(self, slots: &mut [Lanes], source: Source<'_>, entries: &[Entry]) {
        portable::kill(slots, source, entries)
    }
    pub(super) fn sort(self, slots: &mut [Lanes; SLOTS], width: usize) -> u64 {
        portable::sort(slots, width)
    }
    pub(super) fn settle(
        self,
        slots: &[Lanes],
        fixed: u64,
        block: Block<'_>,
        entries: &[Entry],
    ) -> u64 {
        portable::settle(slots, fixed, block, entries)
    }
    pub(super) fn scan(
        self,
        codes: &[u8],
        mask: &[u8],
        sum: usize,
        low: usize,
        high: usize,
        x: u8,
    ) -> Option<usize> {
        portable::scan(codes, mask, sum, low, high, x)
    }
    pub(super) fn rows(self, planes: &[Lanes; 8], rows: &mut [u64; LANES]) {
        portable::rows(planes, rows)
    }
}
