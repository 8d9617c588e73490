//! The lines of an input, as many at a time as have come, in memory that a long line doesn't fill.
//!
//! Whatever has come by a read is given out at once, so that a partner at the other end of a pipe gets its answers
//! before it goes on.

use memchr::{memchr, memrchr};
use std::io::{self, Read};

/// The most bytes of a line; a position of a million piles has room in it.
pub const LONGEST: usize = 32 << 20;

/// How much is read at a time.
const READ: usize = 1 << 18;

/// Reads an input line by line.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// How much of the buffer has been read.
    filled: usize,
    /// How much of it was given out as the last batch.
    given: usize,
    /// How many lines were given out before the next batch.
    count: u64,
    ended: bool,
}

/// Whole lines that follow one another.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'b> {
    /// The number of the first, from 1.
    pub first: u64,
    text: Text<'b>,
}

#[derive(Clone, Copy, Debug)]
enum Text<'b> {
    Whole(&'b [u8]),
    TooLong,
}

/// A line without its end, or `None` for one that is longer than [`LONGEST`].
pub type Line<'b> = Option<&'b [u8]>;

impl<'b> Batch<'b> {
    /// The lines with their numbers.
    pub fn lines(self) -> Box<dyn Iterator<Item = (u64, Line<'b>)> + 'b> {
        match self.text {
            Text::TooLong => Box::new(std::iter::once((self.first, None))),
            Text::Whole(text) => {
                let text = text.strip_suffix(b"\n").unwrap_or(text);
                let lines = text.split(|&byte| byte == b'\n');
                let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
                let bounded = lines.map(|line| (line.len() <= LONGEST).then_some(line));
                Box::new((self.first..).zip(bounded))
            }
        }
    }
}

impl<R: Read> Lines<R> {
    /// Reads from an input, which need not be buffered.
    pub fn new(input: R) -> Lines<R> {
        Lines {
            input,
            buffer: Vec::new(),
            filled: 0,
            given: 0,
            count: 0,
            ended: false,
        }
    }

    /// The whole lines that have come since the last batch, one at least; `None` at the end of the input.
    ///
    /// # Errors
    /// If the input can't be read.
    pub fn batch(&mut self) -> io::Result<Option<Batch<'_>>> {
        self.buffer.copy_within(self.given..self.filled, 0);
        self.filled -= self.given;
        self.given = 0;
        let first = self.count + 1;
        let mut searched = 0;
        loop {
            if let Some(at) = memrchr(b'\n', &self.buffer[searched..self.filled]) {
                self.given = searched + at + 1;
                break;
            }
            searched = self.filled;
            if self.filled > LONGEST {
                self.skip_line()?;
                self.count += 1;
                return Ok(Some(Batch {
                    first,
                    text: Text::TooLong,
                }));
            }
            if !self.read()? {
                if self.filled == 0 {
                    return Ok(None);
                }
                self.given = self.filled;
                break;
            }
        }
        let text = &self.buffer[..self.given];
        let ends = memchr::memchr_iter(b'\n', text).count();
        self.count += (ends + usize::from(!text.ends_with(b"\n"))) as u64;
        Ok(Some(Batch {
            first,
            text: Text::Whole(text),
        }))
    }

    /// Reads on to the end of a line without keeping it.
    fn skip_line(&mut self) -> io::Result<()> {
        self.buffer = Vec::new();
        self.filled = 0;
        while self.read()? {
            if let Some(at) = memchr(b'\n', &self.buffer[..self.filled]) {
                self.given = at + 1;
                return Ok(());
            }
            self.filled = 0;
        }
        Ok(())
    }

    /// Reads what has come; whether there was any.
    fn read(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.buffer.len() < self.filled + READ / 4 {
            self.buffer.resize((2 * self.buffer.len()).max(READ), 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(count) => {
                    self.filled += count;
                    self.ended = count == 0;
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gives out its bytes in pieces.
    struct Pieces(Vec<Vec<u8>>);

    impl Read for Pieces {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.0.retain(|piece| !piece.is_empty());
            let Some(piece) = self.0.first_mut() else {
                return Ok(0);
            };
            let count = piece.len().min(out.len());
            out[..count].copy_from_slice(&piece[..count]);
            piece.drain(..count);
            Ok(count)
        }
    }

    fn all(input: impl Read) -> Vec<(u64, Option<Vec<u8>>)> {
        let mut lines = Lines::new(input);
        let mut found = Vec::new();
        while let Some(batch) = lines.batch().unwrap() {
            let owned = |(number, line): (u64, Line<'_>)| (number, line.map(<[u8]>::to_vec));
            found.extend(batch.lines().map(owned));
        }
        found
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_they_come(
            pieces in prop::collection::vec("[ab\r\n]{0,9}", 0..12),
        ) {
            let text = pieces.concat();
            let mut wanted: Vec<&str> = text.split('\n').collect();
            if wanted.last() == Some(&"") {
                wanted.pop();
            }
            let wanted: Vec<_> = (1..)
                .zip(wanted)
                .map(|(number, line)| {
                    let line = line.strip_suffix('\r').unwrap_or(line);
                    (number, Some(line.as_bytes().to_vec()))
                })
                .collect();
            let pieces = pieces.into_iter().map(String::into_bytes).collect();
            prop_assert_eq!(all(Pieces(pieces)), wanted);
        }
    }

    #[test]
    fn a_line_too_long_is_told_and_the_next_one_read() {
        let long = io::repeat(b'7').take(100 << 20);
        let input = (&b"1\n"[..]).chain(long).chain(&b"\n2\n3"[..]);
        let mut lines = Lines::new(input);
        let mut found = Vec::new();
        while let Some(batch) = lines.batch().unwrap() {
            found.extend(batch.lines().map(|(number, line)| (number, line.is_some())));
            assert!(lines.buffer.len() <= 4 * LONGEST);
        }
        assert_eq!(found, [(1, true), (2, false), (3, true), (4, true)]);
        let within = all((&vec![b'7'; LONGEST][..]).chain(&b"\n"[..]));
        assert_eq!(within, [(1, Some(vec![b'7'; LONGEST]))]);
    }
}
