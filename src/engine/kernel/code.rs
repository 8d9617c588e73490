//! Which loops are those for codes so wide.

use super::bands::{Bands, Marks};
use super::checked::{Opposite, Options, Pairs, Unsettled};
use super::open_candidates::{OpenCandidate, OpenCandidates};
use super::portable;
use super::width::Width;
use super::{Entries, InstructionSet, Kernel, Lanes, SLOTS, Source, Words};

/// A code of one heap, for which there are kernels.
pub trait Code: Width {
    /// See [`Kernel::scatter`].
    fn scatter(kernel: Kernel, planes: &mut [Self::Lanes], from: Options<'_, Self>);
    /// See [`Kernel::scatter_by_twos`].
    fn scatter_by_twos(kernel: Kernel, planes: &mut [Self::Lanes], from: Options<'_, Self>);
    /// See [`Kernel::mark`].
    fn mark_banded(
        kernel: Kernel,
        planes: &mut [Self::Lanes],
        from: (Source<'_, Self>, &Entries<Self>),
        bands: (&Bands, usize),
        marks: &Marks,
    );
    /// See [`Kernel::fresh`].
    fn fresh(kernel: Kernel, planes: &[Self::Lanes], from: Options<'_, Self>) -> u64;
    /// See [`Kernel::open`].
    fn open(kernel: Kernel, planes: &[Self::Lanes], limit: &Self::Lanes) -> u64;
    /// See [`Kernel::holes`].
    fn holes(kernel: Kernel, planes: &[Self::Lanes], slots: &mut [Self::Lanes; SLOTS]);
    /// See [`Kernel::unmarked`].
    fn unmarked(
        kernel: Kernel,
        planes: &[Self::Lanes],
        limit: &Self::Lanes,
        at: usize,
        open: &mut OpenCandidates,
    );
    /// See [`Kernel::unwitnessed`].
    fn unwitnessed(kernel: Kernel, open: &mut Vec<OpenCandidate>, from: Opposite<'_, Self>);
    /// See [`Kernel::kill`].
    fn kill(kernel: Kernel, slots: &mut [Self::Lanes], from: Options<'_, Self>);
    /// See [`Kernel::sort`].
    fn sort(kernel: Kernel, slots: &mut [Self::Lanes; SLOTS], width: usize);
    /// See [`Kernel::settle`].
    fn settle(kernel: Kernel, slots: &[Self::Lanes], fixed: u64, block: Unsettled<'_, Self>)
    -> u64;
    /// See [`Kernel::tally`].
    fn tally(kernel: Kernel, counts: &mut [u8], options: &[Self], x: Self);
    /// See [`Kernel::scan`].
    fn scan(kernel: Kernel, pairs: Pairs<'_, Self>, mask: &[Self], x: Self) -> Option<usize>;
}

macro_rules! dispatch {
    ($kernel:expr, $name:ident$(::<$code:ty>)?($($argument:expr),*)) => {
        match $kernel.0 {
            InstructionSet::Portable => portable::$name$(::<$code>)?($($argument),*),
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

macro_rules! code {
    ($code:ident, $lanes:ident, $scatter:ident, $fresh:ident, $open:ident, $holes:ident, $unmarked:ident;
        $($own:tt)*) => {
        impl Code for $code {
            #[inline(always)]
            fn scatter(kernel: Kernel, planes: &mut [$lanes], from: Options<'_, Self>) {
                dispatch!(kernel, $scatter(planes, from));
            }

            #[inline(always)]
            fn fresh(kernel: Kernel, planes: &[$lanes], from: Options<'_, Self>) -> u64 {
                dispatch!(kernel, $fresh(planes, from))
            }

            fn open(kernel: Kernel, planes: &[$lanes], limit: &$lanes) -> u64 {
                dispatch!(kernel, $open(planes, limit))
            }

            fn holes(kernel: Kernel, planes: &[$lanes], slots: &mut [$lanes; SLOTS]) {
                dispatch!(kernel, $holes(planes, slots));
            }

            fn unmarked(
                kernel: Kernel,
                planes: &[$lanes],
                limit: &$lanes,
                at: usize,
                open: &mut OpenCandidates,
            ) {
                dispatch!(kernel, $unmarked(planes, limit, at, open));
            }

            fn unwitnessed(kernel: Kernel, open: &mut Vec<OpenCandidate>, from: Opposite<'_, Self>) {
                dispatch!(kernel, unwitnessed(open, from));
            }

            #[inline(always)]
            fn kill(kernel: Kernel, slots: &mut [$lanes], from: Options<'_, Self>) {
                dispatch!(kernel, kill(slots, from));
            }

            fn sort(kernel: Kernel, slots: &mut [$lanes; SLOTS], width: usize) {
                dispatch!(kernel, sort::<Self>(slots, width));
            }

            fn settle(
                kernel: Kernel,
                slots: &[$lanes],
                fixed: u64,
                block: Unsettled<'_, Self>,
            ) -> u64 {
                dispatch!(kernel, settle(slots, fixed, block))
            }

            fn tally(kernel: Kernel, counts: &mut [u8], options: &[Self], x: Self) {
                dispatch!(kernel, tally(counts, options, x));
            }

            fn scan(kernel: Kernel, pairs: Pairs<'_, Self>, mask: &[Self], x: Self) -> Option<usize> {
                dispatch!(kernel, scan(pairs, mask, x))
            }

            $($own)*
        }
    };
}

code! { u8, Lanes, scatter, fresh, open, holes, unmarked;
    #[inline(always)]
    fn scatter_by_twos(kernel: Kernel, planes: &mut [Lanes], from: Options<'_>) {
        dispatch!(kernel, scatter_by_twos(planes, from));
    }

    #[inline(always)]
    fn mark_banded(
        kernel: Kernel,
        planes: &mut [Lanes],
        (source, entries): (Source<'_>, &Entries),
        (bands, place): (&Bands, usize),
        marks: &Marks,
    ) {
        match kernel.0 {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2(token) => {
                token.mark(planes, super::bands::Banded::new(bands, place, marks));
                kernel.scatter(planes, source, &marks.rest);
            }
            _ => {
                _ = (bands, place, marks);
                kernel.scatter(planes, source, entries);
            }
        }
    }
}

code! { u16, Words, scatter_words, fresh_words, open_words, holes_words, unmarked_words;
    fn scatter_by_twos(kernel: Kernel, planes: &mut [Words], from: Options<'_, u16>) {
        Self::scatter(kernel, planes, from);
    }

    fn mark_banded(
        kernel: Kernel,
        planes: &mut [Words],
        (source, entries): (Source<'_, u16>, &Entries<u16>),
        _: (&Bands, usize),
        _: &Marks,
    ) {
        kernel.scatter(planes, source, entries);
    }
}
