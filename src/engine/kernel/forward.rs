//! How safe code calls what was compiled for one instruction set: through the proof that the processor has it.

/// The kernels of one instruction set, from where this stands, as methods of its `Token`, the proof that the processor has it.
macro_rules! forward {
    () => {
        forward! {
            fn scatter(planes: &mut [Lanes], from: Options<'_>);
            fn fresh(planes: &[Lanes], from: Options<'_>) -> u64;
            fn open(planes: &[Lanes], limit: &Lanes) -> u64;
            fn rows(planes: &[Lanes; 8], rows: &mut [u64; LANES]);
            fn holes(planes: &[Lanes], slots: &mut [Lanes; SLOTS]);
            fn unmarked(planes: &[Lanes], limit: &Lanes, at: usize, open: &mut Unasked);
            fn unanswered(open: &mut Vec<Question>, from: Opposite<'_>);
            fn kill(slots: &mut [Lanes], from: Options<'_>);
            fn sort(slots: &mut [Lanes; SLOTS], width: usize);
            fn settle(slots: &[Lanes], fixed: u64, block: Unsettled<'_>) -> u64;
            fn settle_nibbles(nibbles: &Nibbles, rows: &[u16; QUARTER], codes: &mut [u8], at: usize, from: usize, odd: u64) -> usize;
            fn settle_sextets(sextets: &Sextets, rows: &[u64; LANES], codes: &mut [u8], place: (usize, usize), odd: u64, most: u32) -> usize;
            fn mark_words(marks: &mut Words, windows: &Words, pairs: WordPairs<'_>);
            fn scan(pairs: Pairs<'_>, mask: &[u8], x: u8) -> Option<usize>;
            fn walk(planes: usize, orbits: Orbits<'_>, open: &mut Open);
            fn unpaired(firsts: &[u8], seconds: &[u8], codes: u64) -> u64;
            fn unpaired_words(firsts: &[u16], seconds: &[u16], open: &mut Vec<u16>);
            fn kill_words(slots: &mut [Words; SLOTS], values: &[u16], sum: usize, firsts: &[u32]);
            fn tally(counts: &mut [u8], options: &[u8], x: u8);
        }
    };
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        impl Token {
            $(
                pub(super) fn $name(self, $($argument: $type),*) $(-> $result)? {
                    // SAFETY: a token exists only where detect() has found the features.
                    unsafe { self::$name($($argument),*) }
                }
            )*
        }
    };
}
