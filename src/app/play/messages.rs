//! What is said at the table.

use super::record::winner_at_end;
use super::row::Row;
use super::{Board, Perfect, Player, Ply, Prospect, Side, blunders};
use crate::app::report::style;
use crate::error::Error;
use crate::game::Game;
use crate::outcome::{Convention, Outcome};
use crate::ruleset::{CATALOGUE, Entry};

/// The rule in a line, as what a move does: of a named game, or of a code that is played on rows.
pub fn rule(game: &dyn Game) -> Option<String> {
    let base = |name: &str| name.split(':').next().unwrap_or_default().to_owned();
    let code = game.code();
    let named = |entry: &&Entry| {
        base(entry.name) == base(game.name())
            || entry.code.is_some() && entry.code == code.as_deref()
    };
    match CATALOGUE.iter().find(named) {
        Some(entry) => Some(entry.rule.to_owned()),
        None => Row::new(game, &[]).map(|row| row.rule()),
    }
}

/// The game, its rule, and who wins.
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

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters
        .next()
        .map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// "You win" or "The perfect player wins", in the colours of winning and losing.
fn wins(players: [Player; 2], side: Side) -> String {
    let (name, you) = subject(players, side);
    let verb = if you { "win" } else { "wins" };
    let style = match (
        you,
        players.contains(&Player::Human) && players[0] != players[1],
    ) {
        (false, true) => style::LOSING,
        _ => style::WINNING,
    };
    format!("{style}{} {verb}{style:#}", capital(&name))
}

/// Who wins with perfect play.
pub fn foretold(players: [Player; 2], winner: Side, outcome: Outcome) -> String {
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
    format!("Foretold: {name} {verb}{play} ({kind}).\n")
}

/// A move that was made.
pub fn moved(players: [Player; 2], side: Side, words: &str) -> String {
    let (name, you) = subject(players, side);
    if you {
        return format!("You {words}.\n");
    }
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let rest = rest.replace(" and split ", " and splits ");
    format!("{} {verb}s {rest}.\n", capital(&name))
}

/// Why the perfect player moved so.
pub fn reason(prospect: Prospect) -> String {
    match prospect {
        Prospect::Wins => {
            "  It wins: this leaves a P-position, in which whoever moves next loses.\n".to_owned()
        }
        Prospect::Loses { .. } => {
            format!("  It can't win against perfect play; {}.\n", hard(prospect))
        }
    }
}

fn hard(prospect: Prospect) -> String {
    let Prospect::Loses { answers, longest } = prospect else {
        return String::new();
    };
    let answers = match answers {
        1 => "this leaves a single winning answer".to_owned(),
        _ => format!("this leaves {answers} winning answers"),
    };
    match longest {
        Some(1) => format!("{answers}, the last move"),
        Some(moves) => format!("{answers}, and the game can last {moves} more moves"),
        None => answers,
    }
}

/// A good move.
pub fn hint(prospect: Prospect, words: &str) -> String {
    match prospect {
        Prospect::Wins => format!("Hint: {words}. That wins.\n"),
        Prospect::Loses { .. } => {
            format!(
                "Hint: no move wins against perfect play. {}: {}.\n",
                capital(words),
                hard(prospect)
            )
        }
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

/// The end of a game: who has won and how, and whether as foretold.
pub fn end(
    players: [Player; 2],
    winner: Side,
    convention: Convention,
    moves: usize,
    foretold: Option<Side>,
) -> String {
    let kept = match foretold {
        Some(side) if side == winner => ", as foretold",
        Some(_) => ", against what was foretold",
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
///
/// # Errors
/// If an answer is out of reach.
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
        let better = ply.before.step(better.found).words;
        text.push_str(&format!("  To win: {better}.\n"));
    }
    if !earlier.is_empty() {
        let moves: Vec<String> = earlier.iter().map(|at| (at + 1).to_string()).collect();
        let moves = moves.join(", ");
        text.push_str(&format!(
            "(It was given away at move {moves} too, and given back.)\n"
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
        let line: String = line.iter().map(|item| format!("{item:<width$}")).collect();
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

/// What can be typed.
pub fn help(game: &dyn Game, board: &Board) -> String {
    let forms: &[(&str, &str)] = if board.row().is_some() {
        &[
            (
                "3 2",
                "take two stones, from place 3 on (also: take 2 at 3, or 3-4)",
            ),
            ("3", "the stone at 3, if there is only one move there"),
        ]
    } else if game.is_ordered() {
        &[
            ("2 from 3", "bring two coins down from step 3"),
            ("-> 0 3 4", "the whole position after your move"),
        ]
    } else {
        &[
            (
                "2 from 9",
                "take two from a pile of 9 (several: 2 from 9, 1 from 4)",
            ),
            (
                "9 -> 3 4",
                "make a pile of 9 into 3 and 4 (9 -> 0: take it whole)",
            ),
            ("-> 3 4 5", "the whole position after your move"),
        ]
    };
    let others = [
        ("#7", "move 7 of the list"),
        ("moves", "list the legal moves; `moves 2` is the next page"),
        ("hint", "a good move"),
        ("why", "who wins from here, and the working"),
        ("undo", "take your last move back, and the answer to it"),
        ("new", "another game; `new 3 4 5` with these piles"),
        ("quit", "stop (also Ctrl-D)"),
    ];
    let mut text = rule(game)
        .map(|rule| format!("The rule: {rule}.\n"))
        .unwrap_or_default();
    if board.row().is_some() {
        text.push_str("∗ is a stone, × a stone that is gone. Stones on both sides of a gap aren't adjacent.\n");
    }
    for (form, meaning) in forms.iter().chain(&others) {
        text.push_str(&format!("  {form:10} {meaning}\n"));
    }
    text
}
