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
use crate::ruleset::{HeapOption, Ruleset};
use crate::sequence::Values;
use std::collections::BTreeSet;

/// The most options of a pile that are written out; the others are only counted.
pub const WRITTEN_OPTIONS: usize = 12;

/// The most options that are walked to show the sets of their values, of all piles together.
const WALKED_OPTIONS: usize = 20_000_000;

/// The most values of a set that is shown.
const MOST_VALUES: usize = 200_000;

/// How many options come between two looks at the watch.
const BETWEEN_LOOKS: usize = 1 << 16;

pub fn working(game: &HeapGame, analysis: &Analysis) -> Result<Vec<String>, Error> {
    let Some(values) = &analysis.values else {
        return Ok(Vec::new());
    };
    let mut lines = vec!["Working:".to_owned()];
    let among = analysis.piles.iter().collect::<BTreeSet<_>>().len();
    let mut shown = BTreeSet::new();
    for &pile in &analysis.piles {
        if shown.insert(pile) {
            let (ruleset, watch) = (game.ruleset(), game.watch());
            lines.extend(pile_working(ruleset, values, pile, among, watch)?);
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

/// The nim-values of the options of one of `among` piles, which share the options that may be walked; `None` if there are more.
/// Each option is shown to `see`, with the nim-values of its heaps and their nim-sum.
///
/// # Errors
/// If the watch stops it.
fn walk(
    ruleset: &Ruleset,
    values: &Values,
    pile: u64,
    among: usize,
    watch: Option<&dyn Watch>,
    mut see: impl FnMut(&HeapOption, &[NimValue], NimValue),
) -> Result<Option<BTreeSet<NimValue>>, Error> {
    let most = WALKED_OPTIONS / among.max(1);
    let mut set = BTreeSet::new();
    for (count, option) in ruleset.options(pile).enumerate() {
        if count % BETWEEN_LOOKS == BETWEEN_LOOKS - 1
            && watch.is_some_and(|watch| !watch.progress(count as u64, most as u64))
        {
            return Err(Error::Interrupted);
        }
        if count == most || set.len() > MOST_VALUES {
            return Ok(None);
        }
        let parts = option.leave.iter();
        let parts: Vec<NimValue> = parts.map(|&part| values.value(part)).collect();
        let sum = grundy::nim_sum(parts.iter().copied());
        see(&option, &parts, sum);
        set.insert(sum);
    }
    Ok(Some(set))
}

/// The options of one of `among` piles with their nim-values, the set, and the mex, after a blank line.
///
/// # Errors
/// If the watch stops it.
pub fn pile_working(
    ruleset: &Ruleset,
    values: &Values,
    pile: u64,
    among: usize,
    watch: Option<&dyn Watch>,
) -> Result<Vec<String>, Error> {
    let value = values.value(pile);
    let mut lines = vec![String::new(), format!("Pile {pile}:")];
    let mut count = 0;
    let set = walk(ruleset, values, pile, among, watch, |option, parts, sum| {
        if count < WRITTEN_OPTIONS {
            let (left, sum) = (heaps(&option.leave), nim_sum_of(parts, sum));
            lines.push(match (option.take, option.leave.as_slice()) {
                (0, _) => format!("  {left} -> {sum}"),
                (take, [pile]) => {
                    format!("  take {take}: leaves a pile of {pile}, nim-value {sum}")
                }
                (take, _) => format!("  take {take}: leaves {left}, nim-value {sum}"),
            });
        }
        count += 1;
    })?;
    let Some(set) = set else {
        let source = match values.period() {
            Some(_) => "the game's period",
            None => "the nim-sums of all of them",
        };
        lines.push(format!(
            "  … more options than can be shown; g({pile}) = {value} by {source}"
        ));
        return Ok(lines);
    };
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

/// The nim-values of the options of one of `among` piles, runs of five and more as `0-7`; `None` if there are more options than
/// can be walked.
pub fn option_values(
    ruleset: &Ruleset,
    values: &Values,
    pile: u64,
    among: usize,
) -> Result<Option<Vec<String>>, Error> {
    let set = walk(ruleset, values, pile, among, None, |_, _, _| {})?;
    Ok(set.as_ref().map(folded))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A hundred thousand options are walked for one pile, not for each of a thousand.
    #[test]
    fn the_piles_of_a_list_share_the_options_that_are_walked() {
        let game = HeapGame::new("kayles".parse().unwrap());
        let (ruleset, pile) = (game.ruleset(), 100_000);
        let values = game.values(pile).unwrap();
        let last = |among| {
            let lines = pile_working(ruleset, &values, pile, among, None).unwrap();
            lines.last().cloned().unwrap_or_default()
        };
        let set = |among| option_values(ruleset, &values, pile, among).unwrap();
        let all = set(1).unwrap().join(", ");
        assert_eq!(last(1), format!("  g({pile}) = mex {{{all}}} = 1"));
        assert!(last(1000).starts_with("  … more options than can be shown;"));
        assert_eq!(set(1000), None);
    }
}
