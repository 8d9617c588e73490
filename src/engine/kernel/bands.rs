//! Codes kept apart by bands of 32, from which options are marked in fewer steps than from the codes themselves.
//!
//! Each heap has a byte in every band. In the band of its code the byte holds the lower four bits of the code, and bit 7 if the
//! code is one of the upper sixteen of the band. In the other bands bits 7 and 6 are set. A look-up in a table of sixteen bytes
//! gives zero for an index with bit 7 set. So the byte is the index of a mark of the lower sixteen codes, and the byte less 16
//! is the index of a mark of the upper sixteen. What is XORed to the codes is split: its upper bits choose the band to read and
//! whether the two sixteens change places, and its lower four bits choose the table. So no XOR is left for each option, except
//! where two options share a look-up and so one table.
//!
//! Heaps are known by their places, which the caller numbers. Time: a few steps for each heap and band. Memory: a byte in each of
//! eight bands for twice the heaps that are reached. The tests compare it with [`Kernel::mark_options`](super::Kernel).
#![allow(unsafe_code)]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "of all kernels AVX2 alone reads bands")
)]

use super::entries::Distances;
use super::{Entries, Entry, LANES};

/// Bands of codes of a byte.
const BANDS: usize = 8;
/// Groups of sixteen codes, two a band.
const GROUPS: usize = 2 * BANDS;
/// The byte of a heap in the bands that its code is not of.
pub const OUTSIDE: u8 = 0xc0;

/// The last heaps in bands.
#[derive(Default)]
pub struct Bands {
    bytes: Vec<u8>,
    /// Bytes of a band, a power of two.
    room: usize,
    /// The place of the first byte.
    first: usize,
    /// How many bytes of each band are in use.
    len: usize,
    /// Which bands have had a code; the others are never written.
    used: [bool; BANDS],
    /// For each group an upper bound on the places with a code of it, exclusive; 0 if there is none.
    last: [usize; GROUPS],
}

impl Bands {
    /// Forgets everything and goes on at this place. From then on at least the last `room` / 2 heaps are kept.
    pub fn begin(&mut self, place: usize, room: usize) {
        self.room = room;
        (self.first, self.len, self.last) = (place, 0, [0; GROUPS]);
    }

    /// Forgets this place and all after it.
    pub fn truncate(&mut self, place: usize) {
        match place.checked_sub(self.first) {
            Some(len) => self.len = self.len.min(len),
            None => self.begin(place, self.room),
        }
    }

    /// Whether these bands have so much room, and all places from this one to the last one; the place behind the last counts too.
    pub fn covers(&self, place: usize, room: usize) -> bool {
        self.room == room && (self.first..=self.next()).contains(&place)
    }

    /// The place after the last one.
    pub fn next(&self) -> usize {
        self.first + self.len
    }

    /// Adds heaps. `groups` tells which groups there are codes of, a bit each; `write` writes the bytes of one band.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        codes: &[u8],
        mask: Option<&[u8]>,
        groups: impl Fn(&[u8]) -> u16,
        write: impl Fn(&mut [u8], &[u8], Option<&[u8]>, u8),
    ) {
        assert!(self.room.is_power_of_two() && self.room >= 2 * LANES);
        if self.bytes.len() != BANDS * self.room {
            self.bytes = vec![OUTSIDE; BANDS * self.room];
            self.used = [false; BANDS];
        }
        let mut from = 0;
        while from < codes.len() {
            if self.len == self.room {
                self.slide();
            }
            let to = codes.len().min(from + self.room - self.len);
            let (codes, mask) = (&codes[from..to], mask.map(|mask| &mask[from..to]));
            let place = self.len..self.len + codes.len();
            self.len = place.end;
            let seen = groups(codes);
            for group in (0..GROUPS).filter(|group| seen >> group & 1 == 1) {
                self.last[group] = self.next();
                self.used[group / 2] = true;
            }
            let bands = self.bytes.chunks_mut(self.room).zip(self.used).zip(0..);
            for ((bytes, _), band) in bands.filter(|((_, used), _)| *used) {
                write(&mut bytes[place.clone()], codes, mask, band);
            }
            from = to;
        }
    }

    /// Moves the last half to the front.
    fn slide(&mut self) {
        let half = self.room / 2;
        for (band, _) in self
            .bytes
            .chunks_mut(self.room)
            .zip(self.used)
            .filter(|(_, used)| *used)
        {
            band.copy_within(half.., 0);
        }
        self.first += half;
        self.len -= half;
    }
}

/// An entry as it is used with bands.
#[derive(Clone, Copy)]
pub struct BandedEntry {
    /// k · room + room − q, where k is the band of u. XOR b · room it leads to the sources in the band that gives codes of band
    /// b, from one room before the block on.
    from: u32,
    /// The lower four bits of what is XORed to the codes, in each of four bytes.
    low: u32,
}

/// Entries in the order in which bands are read.
#[derive(Clone, Default)]
pub struct BandedEntries {
    /// The entries that leave the two halves of a band in their places, and the entries that swap them.
    lists: [Vec<BandedEntry>; 2],
    /// Entries to be looked up two at a time, of which one is forgotten where both give a code of the band, that with the larger
    /// index: those that leave the halves of a band in their places, and those that swap them. By threes the game 0.6 took 9 %
    /// longer, as more is forgotten.
    twos: [Vec<[BandedEntry; 2]>; 2],
    /// All entries by the groups of what is XORed.
    groups: [Vec<BandedEntry>; GROUPS],
    room: usize,
    /// The distances of these entries.
    distances: Distances,
    /// The entries that reach too far back for the bands, and those with q = 0.
    pub rest: Entries<u8>,
}

impl BandedEntries {
    /// These entries, for bands with so much room, a power of two from 2⁷ to 2¹⁶.
    pub fn new(entries: &Entries<u8>, room: usize) -> Self {
        assert!(room.is_power_of_two() && (2 * LANES..=1 << 16).contains(&room));
        let mut banded = Self {
            room,
            ..Self::default()
        };
        let mut sorted = entries.as_slice().to_vec();
        // Entries are sorted by bands, so that neighbouring sources are read after one another.
        sorted.sort_unstable_by_key(|entry| (entry.u() / 32, std::cmp::Reverse(entry.q())));
        sorted.into_iter().for_each(|entry| banded.push(entry));
        banded
    }

    /// Like [`BandedEntries::new`], but of two entries that give codes of one band one may be forgotten: what is marked are
    /// options, though not all.
    pub fn by_twos(entries: &Entries<u8>, room: usize) -> Self {
        let mut banded = Self::new(entries, room);
        for (list, twos) in banded.lists.iter_mut().zip(&mut banded.twos) {
            // Entries that share a look-up come from different parts of the list, as neighbours often give codes of the same
            // band.
            let share = list.len() / 2;
            let (first, rest) = list.split_at(share);
            twos.extend(
                first
                    .iter()
                    .zip(rest)
                    .map(|(&first, &second)| [first, second]),
            );
            list.drain(..2 * share);
        }
        banded
    }

    /// Adds an entry; fastest where it comes last in the order of bands and of places.
    pub fn push(&mut self, entry: Entry<u8>) {
        let (q, room) = (entry.q(), self.room);
        if !(1..=(room / 2).saturating_sub(LANES)).contains(&q) {
            return self.rest.push(entry);
        }
        self.distances.add(q);
        let group = usize::from(entry.u() / 16);
        let packed = BandedEntry {
            from: (group / 2 * room + room - q) as u32,
            low: u32::from_le_bytes([entry.u() % 16; 4]),
        };
        for list in [&mut self.lists[group % 2], &mut self.groups[group]] {
            let place = list.partition_point(|other| other.from < packed.from);
            list.insert(place, packed);
        }
    }

    /// How far back the entries reach.
    pub fn reach(&self) -> usize {
        self.distances.most
    }
}

/// The marks of each code below 16 in two planes, for the code XOR each number below 16.
#[repr(C, align(64))]
pub struct Tables([[[u8; LANES / 2]; 2]; 16]);

static TABLES: Tables = {
    let mut tables = [[[0; LANES / 2]; 2]; 16];
    let mut place = 0;
    while place < 16 * LANES / 2 {
        let (low, i) = (place / (LANES / 2), place % (LANES / 2));
        let code = (i % 16) ^ low;
        tables[low][code / 8][i] = 1 << (code % 8);
        place += 1;
    }
    Tables(tables)
};

/// The options of a block by entries whose sources all lie inside the bands.
#[derive(Clone, Copy)]
pub struct BandedOptions<'a> {
    bytes: &'a [u8],
    entries: &'a BandedEntries,
    /// The place of the block, less the room of a band.
    base: usize,
    /// For each group, whether there may be a source with a code of it, a bit each.
    groups: u16,
}

impl<'a> BandedOptions<'a> {
    /// The options of the block at this place by these entries.
    ///
    /// # Panics
    /// If a source lies outside.
    pub fn new(bands: &'a Bands, place: usize, entries: &'a BandedEntries) -> Self {
        let at = place.checked_sub(bands.first);
        let Distances { least, most } = entries.distances;
        let inside = |at: usize| most <= at && at - least + LANES <= bands.len;
        assert!(
            entries.groups.iter().all(Vec::is_empty)
                || entries.room == bands.room
                    && bands.bytes.len() == BANDS * bands.room
                    && bands.len <= bands.room
                    && at.is_some_and(inside),
            "a source lies outside"
        );
        let is_there = |group: &usize| bands.last[*group] > place - most;
        let groups = (0..GROUPS).filter(is_there);
        Self {
            bytes: &bands.bytes,
            entries,
            base: at.unwrap_or(0).wrapping_sub(entries.room),
            groups: groups.fold(0, |groups, group| groups | 1 << group),
        }
    }

    /// The entries that leave the halves of the bands in their places, or those that swap them.
    pub fn all(self, swap: usize) -> &'a [BandedEntry] {
        &self.entries.lists[swap]
    }

    /// The entries that are looked up two at a time, of those that leave the halves of the bands in their places or of those
    /// that swap them.
    pub fn twos(self, swap: usize) -> &'a [[BandedEntry; 2]] {
        &self.entries.twos[swap]
    }

    /// The entries that may mark something in the lower half of a band, of those that leave the halves of the bands in their
    /// places or of those that swap them.
    pub fn of_lower(self, band: usize, swap: usize) -> impl Iterator<Item = &'a BandedEntry> {
        let groups = (swap..GROUPS).step_by(2);
        let is_there = move |group: &usize| self.groups >> (group ^ (2 * band)) & 1 == 1;
        let lists = groups.filter(is_there);
        lists.flat_map(move |group| &self.entries.groups[group])
    }

    /// The sources of an entry in a band, and the tables of marks to look them up in.
    #[inline(always)]
    pub fn look_up(
        self,
        band: usize,
        entry: &'a BandedEntry,
    ) -> (&'a [u8; LANES], &'static [[u8; LANES / 2]; 2]) {
        // SAFETY: Each byte of `low` is less than 16.
        let tables = unsafe { TABLES.0.get_unchecked(usize::from(entry.low as u8)) };
        (self.sources(band, entry.from), tables)
    }

    /// The sources of an entry in a band, and what is XORed to their codes, four times.
    #[inline(always)]
    pub fn with_low(self, band: usize, entry: &'a BandedEntry) -> (&'a [u8; LANES], u32) {
        (self.sources(band, entry.from), entry.low)
    }

    #[inline(always)]
    fn sources(self, band: usize, from: u32) -> &'a [u8; LANES] {
        debug_assert!(band < BANDS);
        let turn = (band * self.entries.room) as u32;
        let from = self.base.wrapping_add((from ^ turn) as usize);
        debug_assert!(from + LANES <= self.bytes.len());
        // SAFETY: from is (k XOR band) · room + at − q for a band k of eight and 0 < q < room, and it was checked
        // when this was made that the bytes from at − q on lie inside each of eight bands with so much room.
        unsafe { &*self.bytes.as_ptr().add(from).cast() }
    }
}
