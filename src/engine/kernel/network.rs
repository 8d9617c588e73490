//! The network that sorts eight slots by 19 comparisons.

/// Sorts eight slots in place, given the smaller and the larger one of two. It is written out, as a loop over the pairs would
/// keep the slots in memory.
macro_rules! network {
    ($slots:ident, |$a:ident, $b:ident| $ordered:expr) => {
        network!($slots, |$a, $b| $ordered; 0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5, 1 4, 3 6, 1 2, 3 4, 5 6);
    };
    ($slots:ident, |$a:ident, $b:ident| $ordered:expr; $($i:literal $k:literal),*) => {
        network!(@steps $slots, |$a, $b| $ordered; $($i $k),*);
    };
    (@steps $slots:ident, |$a:ident, $b:ident| $ordered:expr; $i:literal $k:literal $(, $($rest:tt)*)?) => {
        let ($a, $b) = ($slots[$i], $slots[$k]);
        ($slots[$i], $slots[$k]) = $ordered;
        $(network!(@steps $slots, |$a, $b| $ordered; $($rest)*);)?
    };
}
