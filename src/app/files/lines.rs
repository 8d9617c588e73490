//! The lines of an input, as many at a time as have come, in memory that a long line doesn't fill.
//!
//! Whatever has come by a read is given out at once, so that a partner at the other end of a pipe gets its answers
//! before it goes on. A line ends with a line feed, a carriage return, or both; a byte order mark before the first is
//! skipped.

use memchr::{memchr2, memrchr2};
use std::io::{self, Read};

/// The most bytes of a line; a position of a million piles has room in it.
pub const LONGEST: usize = 32 << 20;

/// How many bytes are read at a time.
const READ: usize = 1 << 18;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads an input line by line.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    /// The most bytes of a line.
    longest: usize,
    buffer: Vec<u8>,
    /// How many bytes of the buffer hold input.
    filled: usize,
    /// How many bytes of the buffer were given out as the last batch.
    given: usize,
    /// How many lines were given out before the next batch.
    count: u64,
    /// Whether the rest of a line that was too long is still to be skipped.
    skipping: bool,
    /// Whether all that was read before ended with a carriage return; a line feed after it belongs to the same line end.
    after_return: bool,
    ended: bool,
}

/// Whole lines that follow one another.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'b> {
    /// The number of the first, from 1.
    pub first: u64,
    /// The lines with their ends; `None` for a line that is too long.
    text: Option<&'b [u8]>,
    /// The most bytes of a line.
    longest: usize,
}

/// A line without its end, or `None` for one that is too long.
pub type Line<'b> = Option<&'b [u8]>;

impl<'b> Batch<'b> {
    /// The lines with their numbers.
    pub fn lines(self) -> Box<dyn Iterator<Item = (u64, Line<'b>)> + 'b> {
        match self.text {
            None => Box::new(std::iter::once((self.first, None))),
            Some(text) => {
                let bounded = move |line: &'b [u8]| (line.len() <= self.longest).then_some(line);
                Box::new((self.first..).zip(split(text).map(bounded)))
            }
        }
    }
}

/// The lines of a text.
fn split(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let end = memchr2(b'\n', b'\r', text).unwrap_or(text.len());
        let (line, rest) = text.split_at(end);
        let length = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        text = rest.get(length..).unwrap_or_default();
        Some(line)
    })
}

impl<R: Read> Lines<R> {
    /// Reads from an input, which need not be buffered, lines of [`LONGEST`] bytes at most.
    pub fn new(input: R) -> Lines<R> {
        Lines::bounded(input, LONGEST)
    }

    /// Like [`Lines::new`], for lines of `longest` bytes at most.
    pub fn bounded(input: R, longest: usize) -> Lines<R> {
        Lines {
            input,
            longest,
            buffer: Vec::new(),
            filled: 0,
            given: 0,
            count: 0,
            skipping: false,
            after_return: false,
            ended: false,
        }
    }

    /// The whole lines that have come since the last batch, one at least; `None` at the end of the input.
    pub fn batch(&mut self) -> io::Result<Option<Batch<'_>>> {
        self.buffer.copy_within(self.given..self.filled, 0);
        self.filled -= self.given;
        self.given = 0;
        if self.skipping {
            self.skip_line()?;
        }
        let first = self.count + 1;
        let mut searched = 0;
        loop {
            if let Some(at) = memrchr2(b'\n', b'\r', &self.buffer[searched..self.filled]) {
                self.given = searched + at + 1;
                break;
            }
            searched = self.filled;
            if self.filled > self.longest {
                self.skipping = true;
                self.count += 1;
                return Ok(Some(Batch {
                    first,
                    text: None,
                    longest: self.longest,
                }));
            }
            if !self.read()? {
                self.given = self.filled;
                break;
            }
        }
        let text = &self.buffer[..self.given];
        self.after_return = text.ends_with(b"\r") && self.given == self.filled;
        let mark = text.starts_with(BYTE_ORDER_MARK) && first == 1;
        let text = &text[if mark { BYTE_ORDER_MARK.len() } else { 0 }..];
        self.count += split(text).count() as u64;
        Ok((!text.is_empty()).then_some(Batch {
            first,
            text: Some(text),
            longest: self.longest,
        }))
    }

    /// Reads on to the end of a line without keeping it.
    fn skip_line(&mut self) -> io::Result<()> {
        self.buffer = Vec::new();
        self.filled = 0;
        while self.read()? {
            if let Some(at) = memchr2(b'\n', b'\r', &self.buffer[..self.filled]) {
                let both = self.buffer[at..self.filled].starts_with(b"\r\n");
                let end = at + 1 + usize::from(both);
                self.after_return = self.buffer[at] == b'\r' && end == self.filled;
                self.buffer.copy_within(end..self.filled, 0);
                self.filled -= end;
                break;
            }
            self.filled = 0;
        }
        self.skipping = false;
        Ok(())
    }

    /// Reads the bytes that have come. Returns whether there were any.
    fn read(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.buffer.len() < self.filled + READ / 4 {
            self.buffer.resize((2 * self.buffer.len()).max(READ), 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(false);
                }
                Ok(count) => {
                    let come = self.filled..self.filled + count;
                    self.filled = come.end;
                    let after_return = std::mem::take(&mut self.after_return);
                    if after_return && self.buffer[come.start] == b'\n' {
                        self.buffer
                            .copy_within(come.start + 1..come.end, come.start);
                        self.filled -= 1;
                        if count == 1 {
                            continue;
                        }
                    }
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// All bytes of an input, if there are at most `most`.
///
/// # Errors
/// If the input can't be read, or has more bytes, of which at most one is read.
pub fn all(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let size = crate::printable::size_allowed(most);
        return Err(io::Error::other(format!("it is longer than {size}")));
    }
    Ok(bytes)
}

/// The text of an input of at most so many bytes.
///
/// # Errors
/// As for [`all`], or if it isn't UTF-8.
pub fn text(input: impl Read, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::other("it is not text in UTF-8");
    String::from_utf8(all(input, most)?).map_err(not_text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A reader that gives out its bytes in pieces.
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

    /// A reader that notes the most bytes asked for at a time, which is the room of the buffer.
    struct Asked<R>(R, usize);

    impl<R: Read> Read for Asked<R> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.1 = self.1.max(out.len());
            self.0.read(out)
        }
    }

    fn bytes_of(pieces: &[String]) -> Vec<Vec<u8>> {
        pieces
            .iter()
            .map(|piece| piece.as_bytes().to_vec())
            .collect()
    }

    fn all_lines(input: impl Read) -> Vec<(u64, Option<Vec<u8>>)> {
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
            pieces in prop::collection::vec("[ab\r\n]{0,9}|\n\u{feff}", 0..12),
        ) {
            let text = pieces.concat();
            let plain = text.replace("\r\n", "\n").replace('\r', "\n");
            let mut wanted: Vec<&str> = plain.split('\n').collect();
            if wanted.last() == Some(&"") {
                wanted.pop();
            }
            let wanted: Vec<_> = (1..)
                .zip(wanted)
                .map(|(number, line)| (number, Some(line.as_bytes().to_vec())))
                .collect();
            let marked = [&[BYTE_ORDER_MARK.to_vec()], &*bytes_of(&pieces)].concat();
            prop_assert_eq!(&all_lines(Pieces(marked)), &wanted);
            prop_assert_eq!(all_lines(Pieces(bytes_of(&pieces))), wanted);
        }
    }

    #[test]
    fn a_line_too_long_is_told_and_the_next_one_read() {
        let long = io::repeat(b'7').take(100 << 20);
        let mut input = Asked((&b"1\n"[..]).chain(long).chain(&b"\r\n2\n3"[..]), 0);
        let mut lines = Lines::new(&mut input);
        let mut found = Vec::new();
        while let Some(batch) = lines.batch().unwrap() {
            found.extend(batch.lines().map(|(number, line)| (number, line.is_some())));
        }
        assert!(input.1 <= 2 * LONGEST, "{}", input.1);
        assert_eq!(found, [(1, true), (2, false), (3, true), (4, true)]);
        let within = all_lines((&vec![b'7'; LONGEST][..]).chain(&b"\n"[..]));
        assert_eq!(within, [(1, Some(vec![b'7'; LONGEST]))]);
    }
    #[test]
    fn a_line_without_end_is_told_before_its_end() {
        let mut lines = Lines::bounded(io::repeat(b'7'), 1000);
        let batch = lines.batch().unwrap().unwrap();
        assert_eq!(batch.lines().collect::<Vec<_>>(), [(1, None)]);
    }

    #[test]
    fn no_more_than_is_allowed_is_read() {
        assert_eq!(all(&b"12345"[..], 5).unwrap(), b"12345");
        let error = all(io::repeat(0), 4096).unwrap_err();
        assert_eq!(error.to_string(), "it is longer than 4 KiB");
    }
}
