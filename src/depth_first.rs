//! Answers a position by the answers of its options, however far down they go: depth first, with a stack of its own,
//! so that memory alone bounds the depth.

use std::mem;

/// What a look at a position comes to.
pub enum Step<P, A> {
    /// This option of the position must be answered first.
    Into(P),
    /// The answer of the position is known.
    Answered(A),
}

/// The answer of the first position; `None` if there is no memory for the positions on the way down.
///
/// `look` goes on with a position from where it stood. It is given the answer of the option that it went into last, and
/// has to keep answers itself where it may meet a position again.
///
/// # Errors
/// Whatever `look` reports.
pub fn answer<P, A, E>(
    first: P,
    mut look: impl FnMut(&mut P, Option<A>) -> Result<Step<P, A>, E>,
) -> Result<Option<A>, E> {
    let (mut above, mut position, mut last) = (Vec::new(), first, None);
    loop {
        match look(&mut position, last.take())? {
            Step::Into(option) => {
                if above.try_reserve(1).is_err() {
                    return Ok(None);
                }
                above.push(mem::replace(&mut position, option));
            }
            Step::Answered(answer) => match above.pop() {
                Some(before) => (position, last) = (before, Some(answer)),
                None => return Ok(Some(answer)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_positions_may_lie_one_below_another() {
        // A position is the number of moves left, and so is its answer.
        let found: Result<_, ()> = answer(1_000_000, |position, last| {
            Ok(match (*position, last) {
                (0, _) => Step::Answered(0),
                (position, None) => Step::Into(position - 1),
                (_, Some(below)) => Step::Answered(below + 1),
            })
        });
        assert_eq!(found, Ok(Some(1_000_000)));
    }
}
