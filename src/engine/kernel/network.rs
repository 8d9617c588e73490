//! The network that sorts eight slots by 19 comparisons.

/// Sorts eight slots in place by the functions that give the smaller and the larger of two. Written out, as a loop over the
/// pairs would keep the slots in memory.
macro_rules! network {
    ($slots:ident, $smaller:ident, $larger:ident) => {
        network!($slots, $smaller, $larger: 0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5, 1 4, 3 6, 1 2, 3 4, 5 6);
    };
    ($slots:ident, $smaller:ident, $larger:ident: $($a:literal $b:literal),*) => {
        $(
            let (a, b) = ($slots[$a], $slots[$b]);
            ($slots[$a], $slots[$b]) = ($smaller(a, b), $larger(a, b));
        )*
    };
}
