//! Codes of common heaps that follow one another, in a byte each or in two. Twin: a vector of values.

use super::kernel::Code;
use std::borrow::Cow;
use std::collections::TryReserveError;

/// The codes of consecutive common heaps, borrowed or kept.
///
/// Equal codes are equal values, if the heaps are both even or both odd; how wide they are makes no difference.
#[derive(Clone, Debug)]
pub enum Codes<'c> {
    /// A byte each.
    Bytes(Cow<'c, [u8]>),
    /// Two bytes each.
    Words(Cow<'c, [u16]>),
}

impl<'c> From<&'c [u8]> for Codes<'c> {
    fn from(codes: &'c [u8]) -> Codes<'c> {
        Codes::Bytes(codes.into())
    }
}

impl<'c> From<&'c [u16]> for Codes<'c> {
    fn from(codes: &'c [u16]) -> Codes<'c> {
        Codes::Words(codes.into())
    }
}

impl PartialEq for Codes<'_> {
    fn eq(&self, other: &Codes<'_>) -> bool {
        match (self, other) {
            (Codes::Bytes(one), Codes::Bytes(other)) => one == other,
            (Codes::Words(one), Codes::Words(other)) => one == other,
            _ => self.iter().eq(other.iter()),
        }
    }
}

impl Eq for Codes<'_> {}

impl FromIterator<u16> for Codes<'static> {
    /// Collects codes, in a byte each if all have room there.
    fn from_iter<I: IntoIterator<Item = u16>>(codes: I) -> Codes<'static> {
        let words: Vec<u16> = codes.into_iter().collect();
        let bytes = words.iter().map(|&code| u8::try_from(code));
        match bytes.collect::<Result<Vec<u8>, _>>() {
            Ok(bytes) => Codes::Bytes(bytes.into()),
            Err(_) => Codes::Words(words.into()),
        }
    }
}

impl Codes<'_> {
    /// How many codes there are.
    pub fn len(&self) -> usize {
        match self {
            Codes::Bytes(codes) => codes.len(),
            Codes::Words(codes) => codes.len(),
        }
    }

    /// The bytes of a code: 1 or 2.
    pub fn width(&self) -> usize {
        match self {
            Codes::Bytes(_) => 1,
            Codes::Words(_) => 2,
        }
    }

    /// The bytes of all codes together.
    pub fn size(&self) -> usize {
        self.len() * self.width()
    }

    /// The code in this place, which there must be.
    fn get(&self, at: usize) -> u16 {
        match self {
            Codes::Bytes(codes) => codes[at].into(),
            Codes::Words(codes) => codes[at],
        }
    }

    /// The codes in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u16> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The codes as bytes, if they take a byte each.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Codes::Bytes(codes) => Some(codes),
            Codes::Words(_) => None,
        }
    }

    /// The codes, each as wide as `C`; none of them may be too large for that.
    pub(super) fn of_width<C: Code>(&self) -> Vec<C> {
        self.iter().map(|code| C::of(code.into())).collect()
    }

    /// The codes from place `from` to before place `to`, which there must be.
    pub fn part(&self, from: usize, to: usize) -> Codes<'_> {
        match self {
            Codes::Bytes(codes) => codes[from..to].into(),
            Codes::Words(codes) => codes[from..to].into(),
        }
    }

    /// The last `count` codes; there must be as many.
    pub fn last(&self, count: usize) -> Codes<'_> {
        self.part(self.len() - count, self.len())
    }

    /// The low byte of each code, which is all of a code that fits a byte. Equal codes have it in common, and others hardly
    /// ever for long.
    pub fn low_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Codes::Bytes(codes) => Cow::Borrowed(codes),
            Codes::Words(codes) => codes.iter().map(|&code| code as u8).collect(),
        }
    }

    /// A copy to keep.
    ///
    /// # Errors
    /// If the machine has no memory for it.
    pub fn kept(&self) -> Result<Codes<'static>, TryReserveError> {
        fn copy<C: Copy>(codes: &[C]) -> Result<Vec<C>, TryReserveError> {
            let mut kept = Vec::new();
            kept.try_reserve_exact(codes.len())?;
            kept.extend_from_slice(codes);
            Ok(kept)
        }
        Ok(match self {
            Codes::Bytes(codes) => Codes::Bytes(copy(codes)?.into()),
            Codes::Words(codes) => Codes::Words(copy(codes)?.into()),
        })
    }

    /// The codes as bytes of a file, the low byte of a code first.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Codes::Bytes(codes) => Cow::Borrowed(codes),
            Codes::Words(codes) => codes.iter().flat_map(|code| code.to_le_bytes()).collect(),
        }
    }

    /// The codes that these bytes of a file are, `width` bytes each; `None` if they are no codes of such a width.
    pub fn of_bytes(bytes: &[u8], width: usize) -> Option<Codes<'_>> {
        match width {
            1 => Some(bytes.into()),
            2 => {
                let (codes, rest) = bytes.as_chunks();
                let codes = codes.iter().map(|&code| u16::from_le_bytes(code));
                rest.is_empty().then(|| Codes::Words(codes.collect()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_equal_however_wide_they_are() {
        let narrow: Codes<'_> = [3, 0, 255].into_iter().collect();
        let wide = Codes::from(&[3u16, 0, 255][..]);
        assert_eq!((narrow.width(), wide.width()), (1, 2));
        assert_eq!(narrow, wide);
        assert_eq!(wide, narrow);
        assert_ne!(wide, [3, 0, 254].into_iter().collect());
        assert_ne!(wide, [3, 0].into_iter().collect());
        // 259 has the low byte of 3.
        let wider: Codes<'_> = [259, 0, 255].into_iter().collect();
        assert_eq!(wider.width(), 2);
        assert_ne!(wider, wide);
        assert_ne!(wider, narrow);
        assert_eq!(wider.low_bytes(), narrow.low_bytes());
        assert_eq!(wider.last(2), narrow.part(1, 3));
    }

    #[test]
    fn bytes_of_a_file_are_read_back() {
        for codes in [vec![1, 2, 255], vec![1, 2, 256], vec![]] {
            let codes: Codes<'_> = codes.into_iter().collect();
            let bytes = codes.to_bytes();
            assert_eq!(bytes.len(), codes.size());
            let read = Codes::of_bytes(&bytes, codes.width()).unwrap();
            assert_eq!((read.width(), &read), (codes.width(), &codes));
            assert_eq!(read.kept().unwrap(), codes);
        }
        assert_eq!(Codes::of_bytes(&[1, 2, 3], 2), None);
        for width in [0, 3, usize::MAX] {
            assert_eq!(Codes::of_bytes(&[1, 2, 3], width), None);
        }
    }
}
