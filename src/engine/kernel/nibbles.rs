//! The options of a heap whose sources lie right before it, for codes below 16: the latest codes sit in one register,
//! four bits each. Compiled for each instruction set, which differ in how they shift. Time: a shift and a table look-up an
//! entry and heap, as many heaps at once as don't have one another among their sources. Twin: the marks one by one, in
//! `kernel/tests.rs`.

use super::{Entry, QUARTER};

/// Entries with q below [`QUARTER`], no two with the same q.
pub struct Nibbles {
    /// The u of each entry, in the four bits where its source lies among the latest codes.
    u: u64,
    /// Where the sources of the entries with q < 2 · `apart` lie among the latest codes, in bits.
    close: Vec<u8>,
    /// Where the sources of the entries with larger q lie among the latest codes, in bits, four by four.
    steps: Vec<[u8; 4]>,
    /// Of so many neighbouring heaps none is a source of another.
    apart: usize,
}

/// The bit of each code, looked up in a table: of a shift the compiler would set bits one after the other.
const MARKS: [u32; 16] = [
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768,
];

impl Nibbles {
    /// The entries, which must be sorted, as they are looked up. `None` if a code is no smaller than 16, a q no smaller than a
    /// quarter, or two q are the same.
    pub fn new(entries: &[Entry<u8>]) -> Option<Self> {
        let fits = |entry: &Entry<u8>| entry.u() < 16 && (1..QUARTER).contains(&entry.q());
        if !entries.iter().all(fits) || entries.windows(2).any(|e| e[0].q() >= e[1].q()) {
            return None;
        }
        let shift = |entry: &Entry<u8>| 4 * (entry.q() as u8 - 1);
        let step =
            |step: &[Entry<u8>]| std::array::from_fn(|k| shift(step.get(k).unwrap_or(&step[0])));
        let apart = match entries.first().map_or(QUARTER, |entry| entry.q()) {
            0..=1 => 1,
            2..=3 => 2,
            _ => 4,
        };
        let (close, others) =
            entries.split_at(entries.partition_point(|entry| entry.q() < 2 * apart));
        Some(Self {
            u: entries
                .iter()
                .fold(0, |u, entry| u | u64::from(entry.u()) << shift(entry)),
            close: close.iter().map(shift).collect(),
            steps: others.chunks(4).map(step).collect(),
            apart,
        })
    }

    /// Writes the smallest unmarked code of each heap of a quarter, `codes[at..]`, from heap `from` on up to the first one that
    /// has none below 16 or is in `left_out`; none, if one of the sixteen codes before `from` is not below 16. Returns where
    /// that is.
    #[inline(always)]
    pub(super) fn settle(
        &self,
        marks: &[u16; QUARTER],
        codes: &mut [u8],
        at: usize,
        from: usize,
        left_out: u64,
    ) -> usize {
        let mut latest = 0;
        let (halves, _) = codes[at + from - QUARTER..at + from].as_chunks();
        for &half in halves {
            let bytes = u64::from_be_bytes(half);
            if bytes & 0xf0f0_f0f0_f0f0_f0f0 != 0 {
                return from;
            }
            let pairs = (bytes | bytes >> 4) & 0x00ff_00ff_00ff_00ff;
            let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
            latest = latest << 32 | (fours | fours >> 16) & 0xffff_ffff;
        }
        let codes = &mut codes[at..at + QUARTER];
        match (self.apart, self.steps.len()) {
            (4, 0) => self.groups::<4, 0>(marks, codes, latest, from, left_out),
            (4, 1) => self.groups::<4, 1>(marks, codes, latest, from, left_out),
            (4, _) => self.groups::<4, 2>(marks, codes, latest, from, left_out),
            (2, 0) => self.groups::<2, 0>(marks, codes, latest, from, left_out),
            (2, 1) => self.groups::<2, 1>(marks, codes, latest, from, left_out),
            (2, 2) => self.groups::<2, 2>(marks, codes, latest, from, left_out),
            (2, _) => self.groups::<2, 3>(marks, codes, latest, from, left_out),
            (_, 0) => self.groups::<1, 0>(marks, codes, latest, from, left_out),
            (_, 1) => self.groups::<1, 1>(marks, codes, latest, from, left_out),
            (_, 2) => self.groups::<1, 2>(marks, codes, latest, from, left_out),
            (_, 3) => self.groups::<1, 3>(marks, codes, latest, from, left_out),
            _ => self.groups::<1, 4>(marks, codes, latest, from, left_out),
        }
    }

    /// Settles `D` heaps at a time, by `N` times four entries with q >= 2 · `D`, which don't wait for the `D` heaps before.
    #[inline(always)]
    fn groups<const D: usize, const N: usize>(
        &self,
        marks: &[u16; QUARTER],
        codes: &mut [u8],
        mut latest: u64,
        from: usize,
        left_out: u64,
    ) -> usize {
        let Some(steps) = self.steps.first_chunk::<N>() else {
            return from;
        };
        let mut older = latest >> (4 * D);
        let mut group = from;
        while group < QUARTER {
            let mut found = [0; D];
            for (k, found) in found.iter_mut().enumerate() {
                let mut marked = u32::from(*marks.get(group + k).unwrap_or(&0));
                let x = older << (4 * (k + D)) ^ self.u;
                for &[a, b, c, d] in steps {
                    let mark = |shift: u8| MARKS[(x >> (shift & 63) & 15) as usize];
                    marked |= mark(a) | mark(b) | mark(c) | mark(d);
                }
                let x = latest << (4 * k) ^ self.u;
                for &shift in &self.close {
                    marked |= 1 << (x >> (shift & 63) & 15);
                }
                *found = marked.trailing_ones();
            }
            older = latest;
            for (k, code) in found.into_iter().enumerate().take(QUARTER - group) {
                if code >= 16 || left_out >> (group + k) & 1 == 1 {
                    return group + k;
                }
                codes[group + k] = code as u8;
                latest = latest << 4 | u64::from(code);
            }
            group += D;
        }
        QUARTER
    }
}
