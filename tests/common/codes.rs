//! Random games, as strategies of their codes and names.

use proptest::prelude::*;

/// Random take-and-break codes: octal, hexadecimal, sets, suffixes, repeating tails.
pub fn codes() -> impl Strategy<Value = String> {
    let digit = prop_oneof![
        4 => "[0-7]",
        2 => "[89A-F]",
        1 => "[4-7CEF][!?=]",
        1 => prop::sample::select(vec!["{2+}", "{0,1,3+}", "{2,3}!", "{0,2=,3?}", "*", "*!", "{1+}?"]).prop_map(String::from),
    ];
    let before = prop::sample::select(vec![
        "0", "0", "0", "4", "4!", "4=", "8", "C?", "{2+}", "{2+}!", "",
    ]);
    let tail = prop_oneof![4 => Just(String::new()), 1 => "\\[[0-7]{1,2}\\]"];
    (before, prop::collection::vec(digit, 1..4), tail)
        .prop_map(|(before, digits, tail)| format!("{before}.{}{tail}", digits.concat()))
}

/// Octal codes of one to four digits, most of which are played on rows.
pub fn octal_codes() -> impl Strategy<Value = String> {
    "0\\.[0-7]{1,4}"
}

/// The names of games in which so many stones, or all but so many, are taken: one to `most` numbers up to `largest`.
pub fn taking_sets(largest: u64, most: usize) -> impl Strategy<Value = String> {
    let kind = prop::sample::select(vec!["subtraction", "all-but"]);
    let set = prop::collection::btree_set(1..=largest, 1..=most);
    (kind, set).prop_map(|(kind, set)| {
        let set: Vec<String> = set.iter().map(u64::to_string).collect();
        format!("{kind}:{}", set.join(","))
    })
}
