//! Estimates of the bytes that allocations take.

/// About how many bytes the allocation of this many things takes.
pub fn allocated<T>(things: usize) -> u64 {
    let bytes = things * size_of::<T>() + size_of::<usize>();
    bytes.next_multiple_of(16).max(32) as u64
}

/// About how many bytes a list of sums takes, when each has room of its own.
pub fn allocated_sums<T>(sums: impl IntoIterator<Item = impl AsRef<[T]>>) -> u64 {
    let sums = sums.into_iter();
    sums.map(|sum| size_of::<Vec<T>>() as u64 + allocated::<T>(sum.as_ref().len()))
        .sum()
}
