//! A false statement of a certificate and what contradicts it, as data.

use super::NoTheorem;

/// The statement of a certificate that is false.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stated {
    /// The value of the field, or the one of its values that is wrong; `none` where there is none.
    #[error("{0}")]
    Value(String),
    /// A period of elements and the heap from which on they repeat.
    #[error("{period} from pile {start} on")]
    Period {
        /// The period.
        period: u64,
        /// The heap.
        start: u64,
    },
    /// The rare heap of this number and its value, if there is one.
    #[error("number {number} is {}", shown(*rare))]
    Rare {
        /// The number, from 0.
        number: usize,
        /// The heap and its value.
        rare: Option<(u64, u16)>,
    },
    /// The values of the window `number`, which ends before heap `before`.
    #[error("window {number}, before pile {before}")]
    Window {
        /// The number of the window, from 0.
        number: usize,
        /// The heap after its last.
        before: u64,
    },
    /// The place of a window.
    #[error("{which} before pile {before}")]
    Place {
        /// The window.
        which: Which,
        /// The heap after its last.
        before: u64,
    },
    /// The values of a segment at its end.
    #[error("segment {number}, which ends before pile {end}")]
    Segment {
        /// The number of the segment, from 0.
        number: u64,
        /// The heap after its last.
        end: u64,
    },
    /// The values with which a segment begins.
    #[error("segment {number}, which begins before pile {start}")]
    Start {
        /// The number of the segment, from 0.
        number: u64,
        /// The heap after those values.
        start: u64,
    },
    /// The element of a heap.
    #[error("{element} for pile {heap}")]
    Element {
        /// The element.
        element: u16,
        /// The heap.
        heap: u64,
    },
    /// The products of an element with the generators.
    #[error("{made:?} at {element}")]
    Action {
        /// The product with each generator.
        made: Vec<u16>,
        /// The element.
        element: usize,
    },
}

/// Which window of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Which {
    /// The first.
    #[error("the first")]
    First,
    /// The last.
    #[error("the last")]
    Last,
    /// That of this number, from 0.
    #[error("window {0}")]
    Number(usize),
    /// No window.
    #[error("none")]
    None,
}

/// The reason why a certificate is false: the right value, or the condition that doesn't hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// This value of the field is right.
    #[error("{0} is right")]
    Right(String),

    // Of a table of values.
    /// The program and its version are not named as in this example.
    #[error("certificates name the program that made them, as in {0}")]
    Program(&'static str),
    /// No game has the name.
    #[error("there is no game of that name")]
    UnknownGame,
    /// No theorem covers the game.
    #[error(transparent)]
    NoTheorem(NoTheorem),
    /// The theorem proves no saltus.
    #[error("the theorem proves no saltus")]
    NoSaltus,
    /// The period is 0.
    #[error("a period is 1 at least")]
    ZeroPeriod,
    /// There are no values.
    #[error("no value proves anything")]
    NoValues,
    /// The values end before the period shows.
    #[error("so few values show no such period")]
    FewValues,
    /// The values don't prove the period by the theorem.
    #[error("so many values prove no such period")]
    NotProved,
    /// Two heaps a period apart have values that don't differ by the saltus; each heap is given with its value.
    #[error("g({}) is {} and g({}) is {}", early.0, early.1, late.0, late.1)]
    Unequal {
        /// The smaller heap and its value.
        early: (u64, u64),
        /// The larger heap and its value.
        late: (u64, u64),
    },
    /// The period holds from a smaller heap on.
    #[error("the period begins before")]
    BeginsBefore,
    /// This divisor of the period is a period as well.
    #[error("its part {0} is a period as well")]
    Part(u64),
    /// A value that the solver computed differs from the value by the definition.
    #[error("the solver has a wrong value for pile {heap}: {right} is right")]
    Solver {
        /// The heap.
        heap: u64,
        /// Its value by the definition.
        right: u64,
    },

    // Of segments.
    /// The game is not one for the window theorem.
    #[error("the window theorem is about games some of whose moves leave two piles, and none more")]
    NotForWindows,
    /// The mask makes all values rare.
    #[error("no value would be common")]
    NoCommonValue,
    /// The classes can't alternate, for the numbers of stones that are taken have both parities.
    #[error("splits take both even and odd numbers of stones")]
    BothParities,
    /// The text of a window is no row of values.
    #[error("values are hexadecimal digits, as many each")]
    NotHexadecimal,
    /// A window has fewer values than the certificate's windows are long.
    #[error("it has {values} values, not {window}: it is cut short")]
    CutShort {
        /// How many values the window has.
        values: u64,
        /// How many values the window must have.
        window: u64,
    },
    /// A window has more values than there are heaps before it.
    #[error("it has {values} values, and only {heaps} piles lie before that pile")]
    TooLong {
        /// How many values the window has.
        values: u64,
        /// How many heaps there are before it.
        heaps: u64,
    },
    /// The window before it stands at this heap.
    #[error("it must come after pile {0}")]
    NotAfter(u64),
    /// Windows are missing at the end.
    #[error("the last window is the one before the pile start + period: some are missing")]
    WindowsMissing,
    /// A window is missing that the theorem needs.
    #[error("there must be one")]
    NoWindow,
    /// The two windows that show the period have too few equal values.
    #[error("of the values before piles {} and {} only the last {equal} are equal", before[0], before[1])]
    FewEqual {
        /// The heaps behind the windows.
        before: [u64; 2],
        /// How many of the last values of the two windows are equal.
        equal: u64,
    },
    /// The windows don't reach back to the preperiod.
    #[error("the windows don't show the last exception")]
    ShortWindows,
    /// The period is odd, but the classes of the game alternate.
    #[error("the classes alternate, so it must be even")]
    OddPeriod,
    /// This period is shorter.
    #[error("{0} is one as well")]
    Shorter(u64),
    /// The theorem holds only for the heaps from this one on.
    #[error("the window theorem speaks of piles from {0} on")]
    TooEarly(u64),
    /// By the mask another heap is the rare heap of this number, or there is none.
    #[error("by its mask {} is right", shown(*.0))]
    Rare(Option<(u64, u16)>),
    /// This heap is rare too.
    #[error("pile {0} is rare")]
    RareHeap(u64),
    /// A heap behind the last rare one has a rare value.
    #[error("the value {value} of pile {heap} is a rare one")]
    RareValue {
        /// The heap.
        heap: u64,
        /// The value stated.
        value: u16,
    },
    /// A heap has another value.
    #[error("pile {heap} has the value {found}, not {stated}")]
    Value {
        /// The heap.
        heap: u64,
        /// The right value of the heap.
        found: u16,
        /// The value stated.
        stated: u16,
    },
    /// The value of this heap is too large for a window.
    #[error("the value of pile {0} outgrows 16 bits")]
    WideValue(u64),
    /// A heap is not shown to be common by pairs with a part that is small enough.
    #[error("pile {heap} has no option of value {value} with a part up to {depth}")]
    NoWitness {
        /// The heap.
        heap: u64,
        /// The rare value for which there is no option.
        value: u16,
        /// The largest smaller part that a pair may have.
        depth: u64,
    },
    /// A heap is shown to be common only by a pair with a larger part.
    #[error("pile {heap} needs a witness of depth {part}, deeper than {depth}")]
    DeepWitness {
        /// The heap.
        heap: u64,
        /// The smaller part of the pair.
        part: u64,
        /// The largest smaller part that a pair may have.
        depth: u64,
    },

    // Of a misère quotient.
    /// The certificate has the elements of this number of heaps.
    #[error("elements of {0} piles are given")]
    Heaps(usize),
    /// The certificate has actions on this number of elements.
    #[error("actions on {0} elements are given")]
    Actions(usize),
    /// There are this many generators, and each needs a product.
    #[error("each of {0} generators makes an element")]
    Generators(usize),
    /// There are this many elements.
    #[error("there are {0} elements")]
    Order(usize),
    /// No generator makes this element from an earlier one.
    #[error("no generator makes element {0} of an earlier one")]
    NotMade(usize),
    /// Two generators, by their numbers, don't commute on an element.
    #[error("generators {} and {} don't commute on {element}", generators[0], generators[1])]
    NotCommuting {
        /// The numbers of the generators, from 0.
        generators: [usize; 2],
        /// The element.
        element: u16,
    },
    /// The generator makes this element from the element of the empty sum.
    #[error("it makes {0} of nothing")]
    Makes(u16),
    /// The P-portion is no ascending list of elements.
    #[error("its elements ascend and are below the order")]
    NotAscending,
    /// The closure of the proof has this many pairs.
    #[error("{0} are in the closure")]
    Pairs(usize),
    /// These two elements have the same outcomes beside every element, so they are one.
    #[error("elements {} and {} are not told apart by any other", .0[0], .0[1])]
    Alike([u16; 2]),
    /// The period that is proved, if one is, with the heap from which on it holds.
    #[error("{}", proved(*.0))]
    Proved(Option<[u64; 2]>),
    /// A heap without a move must have the element of the empty sum, which is won in misère play.
    #[error("a pile without a move is as the empty sum, and won")]
    Ended,
    /// A heap and an option of it are both in the P-portion, beside a sum with the element `others`.
    #[error("beside element {others}, pile {heap} and an option of it are both in it")]
    Both {
        /// The heap.
        heap: u64,
        /// The element of the sum beside them.
        others: u16,
    },
    /// A position that is not in the P-portion, and none of whose options is.
    #[error("the position {0:?} is not in it, and none of its options is")]
    Stuck(Vec<u64>),
    /// By the nim-values of the generators the product is not this element.
    #[error("by the generators' nim-values it isn't {0}")]
    Product(u16),
    /// By Nim's rule this element is in the P-portion, or isn't, other than it is stated.
    #[error("by Nim's rule that is not so of element {0}")]
    NimRule(u16),
    /// The heap has this nim-value, but the element stated has another.
    #[error("its nim-value is {0}")]
    NimValue(u128),
}

/// A rare heap and its value, or that there is none.
fn shown(rare: Option<(u64, u16)>) -> String {
    match rare {
        Some((heap, value)) => format!("pile {heap} with value {value}"),
        None => "none".to_owned(),
    }
}

fn proved(period: Option<[u64; 2]>) -> String {
    match period {
        Some([period, start]) => format!("{period} from pile {start} on is proved"),
        None => "none is proved by these elements".to_owned(),
    }
}
