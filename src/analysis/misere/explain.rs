//! The working of a misère analysis, for a learner.

use crate::analysis::HeapGame;
use crate::analysis::explain::{binary_columns, heaps};
use crate::error::Error;
use crate::game::{Analysis, Game};
use crate::misere::{Tame, TameSum, only_takes};
use crate::outcome::Outcome;
use crate::values::HeapValues;

/// How many options of a pile are written out, and how many more are judged and counted.
const WRITTEN_OPTIONS: usize = 12;
const COUNTED_OPTIONS: usize = 2_000;

pub fn working(game: &HeapGame, analysis: &Analysis) -> Result<Vec<String>, Error> {
    let piles = &analysis.piles;
    let values = game.values_of(piles)?;
    let mut lines = vec![
        "Working:".to_owned(),
        "Misère play: whoever makes the last move loses, so with no move left the player to move wins.".to_owned(),
        "The nim-sum of the g-values decides only where that is proved; equal piles need not cancel.".to_owned(),
        String::new(),
    ];
    match game.tame(&values, piles)? {
        Some(tame) => lines.extend(nims_rule(game, piles, &tame)),
        None => lines.push(format!(
            "No rule is proved for these piles, so the positions that can follow were searched ({} judged so far).",
            game.misere().searched()
        )),
    }
    lines.push(String::new());
    lines.push("What a move leaves, N (whoever moves next wins) or P (whoever moves next loses):".to_owned());
    for (index, &pile) in piles.iter().enumerate() {
        if !piles[..index].contains(&pile) {
            lines.extend(options(game, &values, piles, index)?);
        }
    }
    lines.push(String::new());
    lines.push(match game.winning_moves_misere(piles).next().transpose()? {
        _ if !piles.iter().any(|&pile| has_options(game, pile)) => {
            "There is no move, so the opponent made the last one and has lost.".to_owned()
        }
        Some(first) if analysis.outcome == Outcome::N => format!(
            "Pile {} to {} leaves a P-position: the opponent can't leave another one.",
            first.pile,
            heaps(&first.leave)
        ),
        _ => "Every move leaves an N-position, so the opponent wins.".to_owned(),
    });
    Ok(lines)
}

fn has_options(game: &HeapGame, pile: u64) -> bool {
    game.ruleset().options(pile).next().is_some()
}

/// Which heaps of Nim the piles behave as, and what Nim's rule says of those.
fn nims_rule(game: &HeapGame, piles: &[u64], tame: &[Tame]) -> Vec<String> {
    let mut lines = Vec::new();
    if game.code().as_deref() != Some("0.[3]") {
        lines.push("These piles are tame, each behaves as a heap of Nim in every sum with such piles:".to_owned());
        for (index, (pile, as_nim)) in piles.iter().zip(tame).enumerate() {
            if !piles[..index].contains(pile) {
                let twin = match (as_nim.fickle, as_nim.value) {
                    (false, 0) => "two heaps of 2 (nim-sum 0)".to_owned(),
                    (false, 1) => "heaps of 2 and 3 (nim-sum 1)".to_owned(),
                    (_, value) => format!("a heap of {value}"),
                };
                lines.push(format!("  pile {pile} as {twin}"));
            }
        }
        lines.push(if only_takes(game.ruleset()) {
            "That is proved for every game of taking from a set (Ferguson 1974).".to_owned()
        } else {
            "That is proved by the options of all piles up to these (Conway, On Numbers and Games, ch. 12).".to_owned()
        });
    }
    lines.push("Misère Nim (Bouton 1901): with a heap of 2 or more, a nim-sum of 0 loses, as in normal play;".to_owned());
    lines.push("with heaps of 0 and 1 alone, an odd number of 1s loses.".to_owned());
    let sum = TameSum::from_iter(tame.iter().copied()).as_one();
    if sum.fickle {
        let ones = tame.iter().filter(|pile| pile.value == 1).count();
        let parity = if ones % 2 == 1 { "odd" } else { "even" };
        lines.push(format!("Here there are heaps of 0 and 1 alone, and the number of 1s is {ones}: {parity}."));
    } else {
        let values: Vec<_> = tame.iter().map(|pile| pile.value).collect();
        lines.push(String::new());
        lines.extend(binary_columns(&values));
    }
    lines
}

/// The options of one pile and who wins what they leave, the first of them written out.
fn options(
    game: &HeapGame,
    values: &HeapValues,
    piles: &[u64],
    index: usize,
) -> Result<Vec<String>, Error> {
    let mut lines = vec![format!("Pile {}:", piles[index])];
    let mut more = [0, 0];
    let mut all = game.ruleset().options(piles[index]);
    for (number, option) in all.by_ref().take(COUNTED_OPTIONS).enumerate() {
        let mut after = piles.to_vec();
        after.remove(index);
        after.extend(&option.leave);
        let outcome = game.misere_outcome(values, &after)?;
        if number < WRITTEN_OPTIONS {
            lines.push(format!("  -> {}: {outcome}", heaps(&option.leave)));
        } else {
            more[usize::from(outcome == Outcome::P)] += 1;
        }
    }
    let [won, lost] = more;
    if lines.len() == 1 {
        lines.push("  no options: no move is possible in it".to_owned());
    }
    if won + lost > 0 {
        lines.push(format!("  … and {} more: {won} N, {lost} P", won + lost));
    }
    if all.next().is_some() {
        lines.push("  … and others".to_owned());
    }
    Ok(lines)
}
