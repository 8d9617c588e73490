//! The messages to the players.

use super::record::winner_at_end;
use super::row::Row;
use super::{Board, Perfect, Player, Ply, Prospect, Side, Step, blunders};
use crate::app::report::style::{LOSING, WINNING, any_of, padded};
use crate::error::Error;
use crate::game::{Game, catalogue};
use crate::outcome::{Convention, Outcome};
use crate::printable::{capital, joined};
use crate::ruleset::Entry;

/// The rule in one line, which says what a move does: of a named game, or of a code that is played on rows.
pub fn rule(game: &dyn Game) -> Option<String> {
    let family = |name: &str| name.split(':').next().unwrap_or_default().to_owned();
    let code = game.code();
    let named = |entry: &&Entry| {
        family(entry.name) == family(game.name())
            || entry.code.is_some() && entry.code == code.as_deref()
    };
    let listed = || {
        let entry = catalogue::entries().find(named)?;
        Some(with_its_set(entry.rule, game.name()))
    };
    if !game.parts().is_empty() {
        let each = game.parts().iter();
        let each = each.map(|part| match rule(&**part) {
            Some(rule) => format!("in {}: {rule}", part.name()),
            None => format!("in {}", part.name()),
        });
        return Some(format!(
            "make a move in one of the games; {}",
            joined(each, "; ")
        ));
    }
    let own = game.rule().or_else(listed);
    own.or_else(|| Row::new(game, &[]).map(|row| row.rule()))
}

/// The rule of a game whose name ends in a set, with the set in it: "take 1, 2 or 3 stones".
fn with_its_set(rule: &str, name: &str) -> String {
    let Some((_, set)) = name.split_once(':') else {
        return rule.to_owned();
    };
    let set = any_of(set.split(',').map(|item| item.replace('-', " to ")));
    rule.replace(
        "a number of stones that is in the set",
        &format!("{set} stones"),
    )
    .replace(
        "any number of stones that is not in the set",
        &format!("any number of stones but {set}"),
    )
}

/// The name of the game, its rule, and who wins.
pub fn rules(game: &dyn Game, convention: Convention) -> String {
    let code = game.code().filter(|code| *code != game.name());
    let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
    let rule = rule(game)
        .map(|rule| format!(": {rule}"))
        .unwrap_or_default();
    let end = match convention {
        Convention::Normal => "Whoever can't move loses.",
        Convention::Misere => "Misère: whoever makes the last move loses.",
    };
    format!("{}{code}{rule}.\n{end}\n", game.name())
}

/// A player as the subject of a sentence, and whether it is "you".
fn subject(players: [Player; 2], side: Side) -> (String, bool) {
    let player = players[side as usize];
    match player {
        _ if players[0] == players[1] => (format!("the {side} player"), false),
        Player::Human => ("you".to_owned(), true),
        _ => (format!("the {player} player"), false),
    }
}

/// "You win" or "The perfect player wins", in the style of winning or losing.
fn wins(players: [Player; 2], side: Side) -> String {
    let (name, you) = subject(players, side);
    let verb = if you { "win" } else { "wins" };
    let is_loss = !you && players.contains(&Player::Human) && players[0] != players[1];
    let style = if is_loss { LOSING } else { WINNING };
    format!("{style}{} {verb}{style:#}", capital(&name))
}

/// Who wins with perfect play.
pub fn predicted(players: [Player; 2], winner: Side, outcome: Outcome) -> String {
    let (name, you) = subject(players, winner);
    let verb = if you { "win" } else { "wins" };
    let play = match players[winner as usize] {
        Player::Perfect => "",
        _ => " with perfect play",
    };
    let kind = match outcome {
        Outcome::N => "an N-position: whoever moves next wins",
        Outcome::P => "a P-position: whoever moves next loses",
    };
    format!("Prediction: {name} {verb}{play} ({kind}).\n")
}

/// A move that was made.
pub fn moved(players: [Player; 2], side: Side, words: &str) -> String {
    let (name, you) = subject(players, side);
    // In a sum the words begin with the name of the part.
    let (place, words, name) = match words.split_once(": ") {
        Some((place, words)) if place.starts_with("in ") => {
            (format!("{}: ", capital(place)), words, name)
        }
        _ => (String::new(), words, capital(&name)),
    };
    if you {
        return format!("{place}{name} {words}.\n");
    }
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let rest = rest.replace(" and split ", " and splits ");
    format!("{place}{name} {verb}s {rest}.\n")
}

/// Why the perfect player moved so.
pub fn reason(prospect: Prospect) -> String {
    match prospect {
        Prospect::Wins => {
            "  It wins: this leaves a P-position, in which whoever moves next loses.\n".to_owned()
        }
        Prospect::Loses { answers, longest } => format!(
            "  It can't win against perfect play; {}.\n",
            hard(answers, longest)
        ),
    }
}

/// How hard a lost position is made for the other player: how many answers win, and how long the game can last.
fn hard(answers: usize, longest: Option<u32>) -> String {
    let left = match answers {
        0 => return "the game is over then".to_owned(),
        1 => "this leaves only one winning answer".to_owned(),
        _ => format!("this leaves {answers} winning answers"),
    };
    match longest {
        Some(1) if answers == 1 => format!("{left}, the last move"),
        // Of several winning answers only some may end the game.
        Some(1) | None => left,
        Some(moves) => format!("{left}, and the game can last {moves} more moves"),
    }
}

/// Where to look for a good move, without the move itself.
pub fn nudge(prospect: Prospect, board: &Board, step: &Step) -> String {
    if let Prospect::Loses { .. } = prospect {
        return "Hint: no move wins against perfect play. (`hint` again shows the one that is hardest to answer.)\n".to_owned();
    }
    let run = board.row().and_then(|row| {
        let (at, _) = step.place?;
        row.runs().into_iter().find(|run| run.contains(&(at - 1)))
    });
    let place = match (run, &step.change) {
        (Some(run), _) if run.len() == 1 => format!("the stone at {}", run.end),
        (Some(run), _) => format!("the run from {} to {}", run.start + 1, run.end),
        (None, Some(change)) => change.place(),
        (None, None) => "one of the piles".to_owned(),
    };
    format!("Hint: a move wins; look at {place}. (`hint` again shows the move.)\n")
}

/// The number of games that each side has won, from the second game on.
pub fn score(players: [Player; 2], score: [u64; 2]) -> String {
    if score[0] + score[1] < 2 {
        return String::new();
    }
    let side = |side: Side| format!("{} {}", subject(players, side).0, score[side as usize]);
    format!(
        "The score: {}, {}.\n",
        side(Side::First),
        side(Side::Second)
    )
}

/// A good move.
pub fn hint(prospect: Prospect, words: &str) -> String {
    match prospect {
        Prospect::Wins => format!("Hint: {words}. That wins.\n"),
        Prospect::Loses { answers, longest } => format!(
            "Hint: no move wins against perfect play. {}: {}.\n",
            capital(words),
            hard(answers, longest)
        ),
    }
}

/// Who wins the position at hand.
pub fn verdict(players: [Player; 2], to_move: Side, outcome: Outcome) -> String {
    let winner = match outcome {
        Outcome::N => to_move,
        Outcome::P => to_move.other(),
    };
    format!(
        "{} from here with perfect play ({outcome}-position).\n",
        wins(players, winner)
    )
}

/// The end of a game: who has won and how, and whether as predicted.
pub fn end(
    players: [Player; 2],
    winner: Side,
    convention: Convention,
    moves: usize,
    predicted: Option<Side>,
) -> String {
    let kept = match predicted {
        Some(side) if side == winner => ", as predicted",
        Some(_) => ", against the prediction",
        None => "",
    };
    let last = match (convention, moves) {
        (_, 0) => String::new(),
        (Convention::Normal, _) => " with the last move".to_owned(),
        (Convention::Misere, _) => format!(
            ": {} made the last move",
            subject(players, winner.other()).0
        ),
    };
    let after = match moves {
        0 => "There is no move to make.".to_owned(),
        _ => format!("No move is left after move {moves}."),
    };
    format!("{after}\n{}{last}{kept}.\n", wins(players, winner))
}

/// Where the loser of a finished game threw it away, and what would have won.
pub fn thrown_away(
    game: &dyn Game,
    convention: Convention,
    players: [Player; 2],
    plies: &[Ply],
    perfect: &mut Perfect<'_>,
) -> Result<String, Error> {
    let loser = winner_at_end(convention, Side::after(plies.len())).other();
    let name = capital(&subject(players, loser).0);
    let lost = blunders(game, convention, plies, loser)?;
    let Some((&last, earlier)) = lost.split_last() else {
        return Ok(format!("{name} never had a won position.\n"));
    };
    let ply = &plies[last];
    let mut text = format!(
        "{name} threw the win away at move {}: {}.\n",
        last + 1,
        ply.words
    );
    if let Some(better) = perfect.choose(ply.before.position())? {
        let better = ply.before.step(game, better.found).words;
        text.push_str(&format!("  To win: {better}.\n"));
    }
    if !earlier.is_empty() {
        let word = if earlier.len() == 1 { "move" } else { "moves" };
        let moves = joined(earlier.iter().map(|at| at + 1), ", ");
        text.push_str(&format!(
            "(The win changed sides earlier too, at {word} {moves}.)\n"
        ));
    }
    Ok(text)
}

/// One page of the legal moves.
pub fn moves(shown: &[String], from: usize, count: usize, page: usize, pages: usize) -> String {
    let items: Vec<String> = shown
        .iter()
        .enumerate()
        .map(|(at, words)| format!("#{} {words}", from + at + 1))
        .collect();
    let width = items
        .iter()
        .map(|item| item.chars().count())
        .max()
        .unwrap_or(0)
        + 2;
    let columns = (78 / width).max(1);
    let mut text = String::new();
    for line in items.chunks(columns) {
        let line: String = line.iter().map(|item| padded(item, width)).collect();
        text.push_str(&format!("  {}\n", line.trim_end()));
    }
    if pages > 1 {
        let next = if page < pages {
            format!("; `moves {}` shows more", page + 1)
        } else {
            String::new()
        };
        text.push_str(&format!("  page {page} of {pages}, {count} moves{next}\n"));
    }
    text
}
