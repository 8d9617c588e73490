//! The working of an analysis, for a learner.

use super::{HeapGame, is_nim};
use crate::analysis::Analysis;
use crate::analysis::binary_columns::binary_columns;
use crate::analysis::nim::working_of_piles;
use crate::engine::Watch;
use crate::error::Error;
use crate::grundy::{self, NimValue};
use crate::position::Change;
use crate::printable::joined;
use crate::ruleset::Ruleset;
use crate::sequence::Values;
use std::collections::BTreeSet;

/// The most options of a pile that are written out; the others are only counted.
pub const WRITTEN_OPTIONS: usize = 12;

/// The most options that are walked to show the set of their values.
const WALKED_OPTIONS: usize = 20_000_000;

/// How many options come between two looks at the watch.
const BETWEEN_LOOKS: usize = 1 << 16;

pub fn working(game: &HeapGame, analysis: &Analysis) -> Result<Vec<String>, Error> {
    let Some(values) = &analysis.values else {
        return Ok(Vec::new());
    };
    let mut lines = vec!["Working:".to_owned()];
    let mut shown = BTreeSet::new();
    for &pile in &analysis.piles {
        if shown.insert(pile) {
            lines.extend(pile_working(game.ruleset(), values, pile, game.watch())?);
        }
    }
    let nim_values = analysis.nim_values.clone().unwrap_or_default();
    lines.push(String::new());
    if is_nim(game.ruleset()) {
        lines.extend(working_of_piles(&analysis.piles, analysis.convention));
        return Ok(lines);
    }
    lines.push("Nim-sum, in binary columns:".to_owned());
    lines.extend(binary_columns(&nim_values));
    lines.push(String::new());
    lines.extend(reason(game, analysis, values)?);
    Ok(lines)
}

/// The options of one pile with their nim-values, the set, and the mex, after a blank line.
///
/// # Errors
/// If the watch stops it.
pub fn pile_working(
    ruleset: &Ruleset,
    values: &Values,
    pile: u64,
    watch: Option<&dyn Watch>,
) -> Result<Vec<String>, Error> {
    let value = values.value(pile);
    let mut lines = vec![String::new(), format!("Pile {pile}:")];
    let mut set = BTreeSet::new();
    let mut count = 0;
    for option in ruleset.options(pile) {
        if count % BETWEEN_LOOKS == BETWEEN_LOOKS - 1
            && watch.is_some_and(|watch| !watch.progress(count as u64, WALKED_OPTIONS as u64))
        {
            return Err(Error::Interrupted);
        }
        let parts: Vec<NimValue> = option
            .leave
            .iter()
            .map(|&part| values.value(part))
            .collect();
        let sum = grundy::nim_sum(parts.iter().copied());
        if count < WRITTEN_OPTIONS {
            let (left, sum) = (heaps(&option.leave), nim_sum_of(&parts, sum));
            lines.push(match (option.take, option.leave.as_slice()) {
                (0, _) => format!("  {left} -> {sum}"),
                (take, [pile]) => {
                    format!("  take {take}: leaves a pile of {pile}, nim-value {sum}")
                }
                (take, _) => format!("  take {take}: leaves {left}, nim-value {sum}"),
            });
        }
        set.insert(sum);
        count += 1;
        if count == WALKED_OPTIONS || set.len() > WALKED_OPTIONS / 100 {
            let source = match values.period() {
                Some(_) => "the game's period",
                None => "the nim-sums of all of them",
            };
            lines.push(format!(
                "  … more options than can be shown; g({pile}) = {value} by {source}"
            ));
            return Ok(lines);
        }
    }
    if count > WRITTEN_OPTIONS {
        lines.push(format!("  … and {} more options", count - WRITTEN_OPTIONS));
    }
    if count == 0 {
        lines.push("  no options: no move is possible in it".to_owned());
    }
    let set = folded(&set).join(", ");
    lines.push(format!("  g({pile}) = mex {{{set}}} = {value}"));
    Ok(lines)
}

/// The nim-values of the options of a pile, runs of five and more as `0-7`; `None` if there are more options than can be
/// walked.
pub fn option_values(ruleset: &Ruleset, values: &Values, pile: u64) -> Option<Vec<String>> {
    let mut set = BTreeSet::new();
    for (count, option) in ruleset.options(pile).enumerate() {
        let parts = option.leave.iter();
        set.insert(grundy::nim_sum(parts.map(|&part| values.value(part))));
        if count + 1 == WALKED_OPTIONS || set.len() > WALKED_OPTIONS / 100 {
            return None;
        }
    }
    Some(folded(&set))
}

/// The values of a set, runs of five and more as `0-7`.
fn folded(set: &BTreeSet<NimValue>) -> Vec<String> {
    let values: Vec<NimValue> = set.iter().copied().collect();
    let runs = values.chunk_by(|one, next| one + 1 == *next);
    let text = |run: &[NimValue]| match run {
        [first, _, _, _, .., last] => format!("{first}-{last}"),
        run => joined(run, ", "),
    };
    runs.map(text).collect()
}

pub fn heaps(leave: &[u64]) -> String {
    match leave {
        [] => "nothing".to_owned(),
        _ => joined(leave, " + "),
    }
}

fn nim_sum_of(parts: &[NimValue], sum: NimValue) -> String {
    match parts {
        [] | [_] => sum.to_string(),
        _ => format!("{} = {sum}", joined(parts, " ^ ")),
    }
}

/// Why the outcome is what it is.
fn reason(game: &HeapGame, analysis: &Analysis, values: &Values) -> Result<Vec<String>, Error> {
    let sum = analysis.nim_sum.unwrap_or(0);
    let first = game.winning_moves(analysis).next().transpose()?;
    let Some(Change::Heap { pile, leave, .. }) = first.map(|found| found.change) else {
        return Ok(vec![
            "The nim-sum is 0, and every move changes it: the nim-value of a pile is the mex of its options,".to_owned(),
            "so no option has the pile's own value. Whatever you do, the opponent can bring it back to 0.".to_owned(),
        ]);
    };
    let value = values.value(pile);
    let parts: Vec<NimValue> = leave.iter().map(|&part| values.value(part)).collect();
    let target = value ^ sum;
    let mut others = analysis.piles.clone();
    if let Some(moved) = others.iter().position(|&other| other == pile) {
        others.remove(moved);
    }
    let others = match others.as_slice() {
        [] => "there is no other pile, so what is left must have the nim-sum 0".to_owned(),
        [other] => format!("the other pile, {other}, has the nim-value {target}"),
        _ => format!("the other piles together have the nim-sum {value} ^ {sum} = {target}"),
    };
    Ok(vec![
        format!("Why the move wins: {others}."),
        format!(
            "Pile {pile} becomes {} with nim-value {}, so the new nim-sum is {target} ^ {target} = 0.",
            heaps(&leave),
            nim_sum_of(&parts, target),
        ),
    ])
}
