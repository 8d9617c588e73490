//! What can be wrong with a take-and-break code.

use crate::printable::caret_below;

/// The error that a take-and-break code can't be read: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad take-and-break code: {fault}{}", below(code, *at))]
pub struct CodeError {
    /// The code as it was given.
    pub code: String,
    /// The place of the fault, in characters from the start of `code`.
    pub at: usize,
    /// What is wrong there.
    pub fault: CodeFault,
}

/// The text followed by a line with a caret below a place in it.
pub(super) fn below(text: &str, at: usize) -> String {
    let shown = caret_below(text, at);
    shown.lines().map(|line| format!("\n  {line}")).collect()
}

/// What is wrong at a place of a take-and-break code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeFault {
    /// The code has no point.
    #[error("there is no point")]
    NoPoint,
    /// The code has a second point.
    #[error("a second point")]
    SecondPoint,
    /// Nothing stands behind the point.
    #[error("no digit follows the point")]
    NothingBehindPoint,
    /// A digit other than 0 two places or more before the point.
    #[error("a move would add stones to a pile, so the game need not end")]
    AddsStones,
    /// A digit before the point that lets a move leave no heap, or one.
    #[error("a move that takes nothing must split the pile")]
    SplitsNothing,
    /// A character that is no octal digit, in a code that must be octal.
    #[error("`{0}` is not an octal digit")]
    NotOctal(char),
    /// A character that is no digit.
    #[error("`{}` is not a digit", .0.escape_debug())]
    NotADigit(char),
    /// `&` without a number and a semicolon.
    #[error("a numbered digit must be a number and a semicolon")]
    NumberedDigit,
    /// Two suffixes on a digit.
    #[error("a second suffix")]
    SecondSuffix,
    /// `]` without `[`.
    #[error("this bracket closes nothing")]
    UnopenedTail,
    /// `[` without `]`.
    #[error("this bracket is never closed")]
    UnclosedTail,
    /// `[` within a repeating tail.
    #[error("a bracket within brackets")]
    NestedTail,
    /// A repeating tail without digits.
    #[error("nothing to repeat")]
    EmptyTail,
    /// Something behind the repeating tail.
    #[error("something follows the repeating tail")]
    TailNotLast,
    /// `{` without `}`.
    #[error("this brace is never closed")]
    UnclosedSet,
    /// A set without numbers.
    #[error("the set is empty")]
    EmptySet,
    /// A comma in a set without a number beside it.
    #[error("a number of piles is missing")]
    MissingNumber,
    /// A number of heaps larger than a set may name.
    #[error("more than 63 piles")]
    TooManyHeaps,
    /// A number of heaps that the set has already.
    #[error("this number of piles appears twice in the set")]
    Repeated,
    /// `+` behind a number of heaps that is not the last of the set.
    #[error("only the last number may have a `+`")]
    OrMoreNotLast,
    /// `+` behind a number of heaps that is not the largest of the set.
    #[error("the number with `+` must be the largest")]
    OrMoreNotLargest,
    /// A suffix on the set, and another on a number in it.
    #[error("a suffix on the set and another within it")]
    SuffixInAndOnSet,
    /// A character that has no place in a set.
    #[error("`{}` in a set", .0.escape_debug())]
    NotInSet(char),
}

impl CodeFault {
    /// What to write instead.
    pub fn help(self) -> &'static str {
        use CodeFault::*;
        match self {
            NoPoint => "a code has a point after the digit for splitting: 0.77, 4.0",
            SecondPoint => "a code has one point: 0.77",
            NothingBehindPoint => "a code without taking is written 4.0",
            AddsStones => {
                "only one digit, for splitting without taking, comes before the point: 4.0"
            }
            SplitsNothing => {
                "before the point, write 0, 4 (two piles), 8 (three), C (two or three), {2+} …"
            }
            NotOctal(_) => "an octal digit is 0 to 7; without `octal:` a code may have 0-9 and A-Z",
            NotADigit(_) => {
                "a digit is 0-9, A-Z, * or a set like {2,3} or {2+}, each with at most one of the suffixes ! ? ="
            }
            NumberedDigit => "a numbered digit is written &64;",
            SecondSuffix => "a digit has at most one of the suffixes ! ? =",
            UnopenedTail | UnclosedTail | NestedTail => "a repeating tail is written [37]",
            EmptyTail => "a repeating tail has at least one digit: [3]",
            TailNotLast => "nothing may follow the closing bracket",
            UnclosedSet => "a set is written {2,3} or {2+}",
            EmptySet | MissingNumber => "a set lists the allowed numbers of piles: {2,3}, {2+}",
            TooManyHeaps => "a set may name 0 to 63 piles, and `+` for more",
            Repeated => "name each number of piles once",
            OrMoreNotLast | OrMoreNotLargest => "a set is written {0,2,4+}",
            SuffixInAndOnSet => "put the suffix on the numbers or on the set, not on both",
            NotInSet(_) => "a set is written {2,3} or {0,2!,4+}",
        }
    }
}
