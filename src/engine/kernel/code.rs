//! Which loops of a kernel are those for codes of each width.

use super::bands::{BandedEntries, Bands};
use super::checked::{Opposite, Options, Pairs, Unsettled};
use super::open_candidates::{OpenCandidate, OpenCandidates};
use super::width::Width;
use super::{Entries, InstructionSet, Kernel, SLOTS, Source};

macro_rules! dispatch {
    ($kernel:expr, $name:ident$(::<$code:ty>)?($($argument:expr),*)) => {
        match $kernel.0 {
            InstructionSet::Portable(token) => token.$name$(::<$code>)?($($argument),*),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(token) => token.$name$(::<$code>)?($($argument),*),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512(token) => token.$name$(::<$code>)?($($argument),*),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon(token) => token.$name$(::<$code>)?($($argument),*),
        }
    };
}
pub(super) use dispatch;

/// The loops of a kernel for codes of each width, by their names for bytes and for words.
macro_rules! codes {
    ($($(#[$inline:meta])? fn $name:ident = $bytes:ident, $words:ident$(<$code:ty>)?
        ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// A code of one heap, for which there are kernels.
        pub trait Code: Width {
            $(
                #[doc = concat!("See [`Kernel::", stringify!($name), "`].")]
                fn $name(kernel: Kernel, $($argument: $type),*) $(-> $result)?;
            )*
            /// See [`Kernel::mark_options_by_twos`].
            #[inline(always)]
            fn mark_options_by_twos(kernel: Kernel, planes: &mut [Self::Lanes], from: Options<'_, Self>) {
                Self::mark_options(kernel, planes, from);
            }
            /// See [`Kernel::mark_from_bands`].
            #[inline(always)]
            fn mark_from_bands(
                kernel: Kernel,
                planes: &mut [Self::Lanes],
                (source, entries): (Source<'_, Self>, &Entries<Self>),
                _bands: (&Bands, usize),
                _banded: &BandedEntries,
            ) {
                kernel.mark_options(planes, source, entries);
            }
        }

        impl Code for u8 {
            $(
                $(#[$inline])?
                fn $name(kernel: Kernel, $($argument: $type),*) $(-> $result)? {
                    dispatch!(kernel, $bytes$(::<$code>)?($($argument),*))
                }
            )*

            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            fn mark_options_by_twos(kernel: Kernel, planes: &mut [Self::Lanes], from: Options<'_, u8>) {
                match kernel.0 {
                    InstructionSet::Avx512(token) if kernel.prefers_twos::<u8>(planes.len()) => {
                        token.mark_options_by_twos(planes, from);
                    }
                    _ => Self::mark_options(kernel, planes, from),
                }
            }

            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            fn mark_from_bands(
                kernel: Kernel,
                planes: &mut [Self::Lanes],
                (source, entries): (Source<'_, u8>, &Entries<u8>),
                (bands, place): (&Bands, usize),
                banded: &BandedEntries,
            ) {
                match kernel.0 {
                    InstructionSet::Avx2(token) => {
                        token.mark_from_bands(planes, super::bands::BandedOptions::new(bands, place, banded));
                        kernel.mark_options(planes, source, &banded.rest);
                    }
                    _ => kernel.mark_options(planes, source, entries),
                }
            }
        }

        impl Code for u16 {
            $(
                $(#[$inline])?
                fn $name(kernel: Kernel, $($argument: $type),*) $(-> $result)? {
                    dispatch!(kernel, $words$(::<$code>)?($($argument),*))
                }
            )*
        }
    };
}

codes! {
    #[inline(always)]
    fn mark_options = mark_options, mark_options_words(planes: &mut [Self::Lanes], from: Options<'_, Self>);
    #[inline(always)]
    fn would_mark = would_mark, would_mark(planes: &[Self::Lanes], from: Options<'_, Self>) -> u64;
    fn open = open, open_words(planes: &[Self::Lanes], limit: &Self::Lanes) -> u64;
    fn least_unmarked = least_unmarked, least_unmarked_words(planes: &[Self::Lanes], slots: &mut [Self::Lanes; SLOTS]);
    fn unmarked = unmarked, unmarked<Self>
        (planes: &[Self::Lanes], limit: &Self::Lanes, at: usize, open: &mut OpenCandidates);
    fn unwitnessed = unwitnessed, unwitnessed(open: &mut Vec<OpenCandidate>, from: Opposite<'_, Self>);
    #[inline(always)]
    fn test = test, test(slots: &mut [Self::Lanes], from: Options<'_, Self>);
    fn sort = sort, sort<Self>(slots: &mut [Self::Lanes; SLOTS], width: usize);
    fn settle = settle, settle(slots: &[Self::Lanes], fixed: u64, block: Unsettled<'_, Self>) -> u64;
    fn count_equal = count_equal, count_equal(counts: &mut [u8], options: &[Self], x: Self);
    fn scan = scan, scan(pairs: Pairs<'_, Self>, mask: &[Self], x: Self) -> Option<usize>;
}
