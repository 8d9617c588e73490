//! The working of a misère analysis, for a learner.

use crate::analysis::Analysis;
use crate::analysis::binary_columns::binary_columns;
use crate::analysis::explain::{WRITTEN_OPTIONS, heaps};
use crate::analysis::nim::{MISERE_NIM, working_of_piles};
use crate::analysis::{HeapGame, is_nim};
use crate::error::Error;
use crate::misere::{Misere, Tame, TameSum, only_takes};
use crate::outcome::{Convention, Outcome};
use crate::printable::joined;
use std::collections::BTreeSet;

/// The most piles whose options are shown.
const SHOWN_PILES: usize = 20;

/// The largest pile for which a misère quotient is learnt in order to show it.
const LEARNT: u64 = 512;

/// The most options of a pile that are judged: those that are not written out are counted by their outcome.
const JUDGED_OPTIONS: usize = 1_000;

pub fn working(game: &HeapGame, analysis: &Analysis) -> Result<Vec<String>, Error> {
    let piles = &analysis.piles;
    let mut lines = vec![
        "Working:".to_owned(),
        "Misère play: whoever makes the last move loses, so with no move left the player to move wins.".to_owned(),
        "The nim-sum of the g-values decides only where a theorem says so; equal piles need not cancel.".to_owned(),
        String::new(),
    ];
    match game.tame(piles)? {
        Some(_) if is_nim(&game.ruleset) => {
            lines.extend(working_of_piles(piles, Convention::Misere));
        }
        Some(tame) => lines.extend(nims_rule(game, piles, &tame)),
        None => {
            let largest = piles.iter().copied().max().unwrap_or(0);
            if largest <= LEARNT
                && game
                    .with_misere(|misere, _| misere.elements(piles))
                    .is_none()
            {
                // The quotient covers as many piles as it can; piles beyond it were judged by a search.
                game.misere_quotient(largest)?;
            }
            lines.extend(game.with_misere(|misere, _| by_search(misere, piles)));
        }
    }
    lines.push(String::new());
    lines.push(
        "What a move leaves, N (whoever moves next wins) or P (whoever moves next loses):"
            .to_owned(),
    );
    let distinct = distinct(piles);
    for &index in distinct.iter().take(SHOWN_PILES) {
        lines.extend(options(game, piles, index)?);
    }
    if distinct.len() > SHOWN_PILES {
        lines.push(format!(
            "… and {} other sizes",
            distinct.len() - SHOWN_PILES
        ));
    }
    lines.push(String::new());
    // In a P-position the search for a winning move would go through all moves.
    let winning = match analysis.outcome {
        Outcome::N => game.winning_moves_misere(analysis).next().transpose()?,
        Outcome::P => None,
    };
    lines.push(match (winning, analysis.outcome) {
        (Some(first), _) => format!("The opponent gets {:?}, a P-position.", first.position),
        (None, Outcome::N) => {
            "There is no move: the opponent made the last one and has lost.".to_owned()
        }
        (None, Outcome::P) => "Every move leaves an N-position, so the opponent wins.".to_owned(),
    });
    Ok(lines)
}

/// Explains how wild piles were judged: by a search of their positions.
fn by_search(misere: &Misere, piles: &[u64]) -> Vec<String> {
    let Some((elements, product)) = misere.elements(piles) else {
        return vec![format!(
            "No rule is proved for these piles, so the positions that can follow were searched ({} of them are kept).",
            misere.searched()
        )];
    };
    let quotient = misere.known_quotient();
    let order = quotient.monoid().order();
    let mut lines = vec![
        format!("No nim-sum decides here. The misère quotient of the piles up to these has {order} elements: sums of piles that"),
        "no added pile tells apart are one element. It was found by searches and then proved (Plambeck and Siegel 2008).".to_owned(),
        "Letters stand for piles that are not equal to any sum of smaller piles; 1 is the element of the empty sum.".to_owned(),
    ];
    for index in distinct(piles).into_iter().take(SHOWN_PILES) {
        let name = quotient.name(elements[index]);
        lines.push(format!("  pile {} has the element {name}", piles[index]));
    }
    let shown = elements.iter().take(SHOWN_PILES);
    let names = joined(shown.map(|&element| quotient.name(element)), " · ");
    let more = if elements.len() > SHOWN_PILES {
        " · …"
    } else {
        ""
    };
    lines.push(format!(
        "Their product: {names}{more} = {}",
        quotient.name(product)
    ));
    lines.push(if quotient.monoid().is_lost(product) {
        "It is in the P-portion, the set of elements of lost positions.".to_owned()
    } else {
        "It is not in the P-portion, the set of elements of lost positions.".to_owned()
    });
    lines
}

/// The first pile of each size.
fn distinct(piles: &[u64]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    (0..piles.len())
        .filter(|&index| seen.insert(piles[index]))
        .collect()
}

/// Says which heaps of Nim the piles behave as, and what Nim's rule says of those heaps.
fn nims_rule(game: &HeapGame, piles: &[u64], tame: &[Tame]) -> Vec<String> {
    let mut lines = vec![
        "These piles are tame: each behaves as a Nim pile in every sum with such piles.".to_owned(),
    ];
    for index in distinct(piles).into_iter().take(SHOWN_PILES) {
        let twin = tame[index].twin();
        lines.push(format!("  pile {} as {twin}", piles[index]));
    }
    lines.push(if only_takes(&game.ruleset) {
        "That is proved for every game of taking from a set (Ferguson 1974).".to_owned()
    } else {
        "This follows from the options of the piles up to these (Conway, On Numbers and Games, ch. 12).".to_owned()
    });
    lines.extend(MISERE_NIM.map(str::to_owned));
    let sum = TameSum::from_iter(tame.iter().copied()).as_one();
    if sum.fickle {
        let ones = tame.iter().filter(|pile| pile.value == 1).count();
        let parity = if ones % 2 == 1 { "odd" } else { "even" };
        lines.push(format!(
            "Here there are piles of 0 and 1 alone, and the number of 1s is {ones}: {parity}."
        ));
    } else {
        let values: Vec<_> = tame.iter().map(|pile| pile.value).collect();
        lines.push(String::new());
        lines.extend(binary_columns(&values));
    }
    lines
}

/// Lists the options of one pile, and says who wins each; the first options are written out.
fn options(game: &HeapGame, piles: &[u64], index: usize) -> Result<Vec<String>, Error> {
    let mut lines = vec![format!("Pile {}:", piles[index])];
    let mut more = [0, 0];
    let mut all = game.ruleset.options(piles[index]);
    for (number, option) in all.by_ref().take(JUDGED_OPTIONS).enumerate() {
        let mut after = piles.to_vec();
        after.remove(index);
        after.extend(&option.leave);
        let outcome = game.misere_outcome(&after)?;
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
