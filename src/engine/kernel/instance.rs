//! The generic algorithms, compiled with the instructions of one set.

/// Methods of `Token`, the proof that the processor has these features: each calls the generic function of its name from a
/// function that is compiled with the features, or is compiled so itself where there are none. One with `<C>` is for codes of
/// any width.
macro_rules! instance {
    // The types that the methods below name.
    (types) => {
        #[allow(unused_imports)]
        use $crate::engine::kernel::{
            Code, LANES, Lanes, Nibbles, QUARTER, SLOTS, SeenValues, Strip, Window, Words,
            checked::{Opposite, Options, Pairs, Unsettled},
            generic::Registers,
            halves::{Halves, HalvesOf},
            open_candidates::{OpenCandidate, OpenCandidates},
            segments::{LaneSegments, Open},
        };
    };
    ($features:tt, $module:ident) => {
        instance! { $features, $module:
            fn mark_options(planes: &mut [Lanes], from: Options<'_, u8>);
            fn mark_options_words(planes: &mut [Words], from: Options<'_, u16>);
            fn would_mark<C>(planes: &[C::Lanes], from: Options<'_, C>) -> u64;
            fn open(planes: &[Lanes], limit: &Lanes) -> u64;
            fn open_words(planes: &[Words], limit: &Words) -> u64;
            fn words_of_lanes(planes: &[Lanes; 8], words: &mut [u64; LANES]);
            fn least_unmarked(planes: &[Lanes], slots: &mut [Lanes; SLOTS]);
            fn least_unmarked_words(planes: &[Words], slots: &mut [Words; SLOTS]);
            fn unmarked<C>(planes: &[C::Lanes], limit: &C::Lanes, at: usize, open: &mut OpenCandidates);
            fn unwitnessed<C>(open: &mut Vec<OpenCandidate>, from: Opposite<'_, C>);
            fn test<C>(slots: &mut [C::Lanes], from: Options<'_, C>);
            fn sort<C>(slots: &mut [C::Lanes; SLOTS], width: usize);
            fn settle<C>(slots: &[C::Lanes], fixed: u64, block: Unsettled<'_, C>) -> u64;
            fn scan<C>(pairs: Pairs<'_, C>, mask: &[C], x: C) -> Option<usize>;
            fn walk(planes: usize, block: LaneSegments<'_>, open: &mut Open);
            fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64;
            fn mark_pairs(seen: &mut SeenValues, ones: &[u16], others: &[u16]);
            fn mark_windows(windows: &mut [Window], base: u16, ones: HalvesOf<'_>, others: HalvesOf<'_>);
            fn mark_strips(strips: &mut [Strip], base: u16, ones: HalvesOf<'_>, others: HalvesOf<'_>);
            fn options_of_heaps(words: &[u16], sum: usize, firsts: &[u32], rows: (&mut Halves, usize));
            fn count_equal<C>(counts: &mut [u8], options: &[C], x: C);
        }
    };
    (none, $module:ident:
        $(fn $name:ident$(<$code:ident>)?($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        const _: () = {
            instance!(types);
            impl Token { $(
                #[allow(clippy::too_many_arguments)]
                pub(super) fn $name$(<$code: Code>)?(self, $($argument: $type),*) $(-> $result)?
                $(where Token: Registers<$code>)?
                {
                    $module::$name$(::<$code, Token>)?(self, $($argument),*)
                }
            )* }
        };
    };
    ($features:tt, $module:ident:
        $(fn $name:ident$(<$code:ident>)?($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        const _: () = {
            instance!(types);
            impl Token { $(
                #[allow(clippy::too_many_arguments)]
                pub(super) fn $name$(<$code: Code>)?(self, $($argument: $type),*) $(-> $result)?
                $(where Token: Registers<$code>)?
                {
                    #[target_feature(enable = $features)]
                    #[allow(clippy::too_many_arguments)]
                    fn with_features$(<$code: Code>)?(token: Token, $($argument: $type),*) $(-> $result)?
                    $(where Token: Registers<$code>)?
                    {
                        $module::$name$(::<$code, Token>)?(token, $($argument),*)
                    }
                    // SAFETY: a token exists only where detect() has found the features.
                    unsafe { with_features$(::<$code>)?(self, $($argument),*) }
                }
            )* }
        };
    };
}

/// Methods of a trait whose bodies are intrinsics.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! intrinsics {
    ($(fn $name:ident$(<const $constant:ident: usize>)?($self:ident $(, $argument:ident: $type:ty)*)
        $(-> $result:ty)? $body:block)*) => {$(
        #[inline(always)]
        fn $name$(<const $constant: usize>)?($self $(, $argument: $type)*) $(-> $result)? {
            // SAFETY: a token exists only where the processor has these instructions; pointers are those of references to
            // as many bytes as are read or written.
            unsafe { $body }
        }
    )*};
}
