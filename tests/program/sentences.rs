//! Play understands what people type: a thousand sentences and more a game, each with the move or the question expected.

use super::play::answers;
use std::collections::BTreeSet;

/// Sentences, each with how its answer begins.
#[derive(Default)]
struct Sentences(Vec<(String, String)>);

impl Sentences {
    /// These sentences mean the same; each is also said politely, loudly and carelessly.
    fn say(&mut self, lines: impl IntoIterator<Item = impl AsRef<str>>, answer: &str) {
        for line in lines {
            let line = line.as_ref();
            let ways = [
                line.to_owned(),
                format!("please {line}"),
                format!("I {line}."),
                format!("  {line} !"),
                line.to_uppercase(),
                format!("{line} please"),
            ];
            let answered = |line: String| (line, answer.to_owned());
            self.0.extend(ways.map(answered));
        }
    }

    fn check(self, game: &[&str]) {
        assert!(
            self.0.len() >= 1000,
            "{} sentences of {game:?}",
            self.0.len()
        );
        let lines: Vec<&str> = self.0.iter().map(|(line, _)| &**line).collect();
        for ((line, wanted), answer) in self.0.iter().zip(answers(game, &lines)) {
            assert!(
                answer.starts_with(wanted),
                "{game:?}: `{line}` is answered by `{answer}`, not by `{wanted}`"
            );
        }
    }
}

const NUMBERS: [&str; 10] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
];

/// How a number of stones to take from a pile is said, with a verb and without.
fn takings(take: u64, pile: u64) -> Vec<String> {
    let word = NUMBERS[take as usize];
    let mut lines = vec![
        format!("{take} from {pile}"),
        format!("{word} from {pile}"),
        format!("{pile} take {take}"),
        format!("pile {pile} take {word}"),
        format!("from {pile} take {take}"),
        format!("{pile}-{take}"),
        format!("{pile} - {take}"),
        format!("reduce {pile} by {take}"),
        format!("lower {pile} by {take}"),
        format!("take away {take} from {pile}"),
        format!("{pile} minus {word}"),
    ];
    for verb in ["take", "remove", "subtract", "grab"] {
        for stones in ["", "stones", "coins", "of the stones"] {
            lines.push(format!("{verb} {take} {stones} from the pile of {pile}"));
            lines.push(format!("{verb} {word} {stones} of {pile}"));
        }
        lines.push(format!("{verb} {take} off pile {pile}"));
        lines.push(format!("{verb} {take} out of heap {pile}"));
        lines.push(format!("{verb} {word} in the pile of size {pile}"));
        lines.push(format!("{verb} {take} stones from the {pile} pile"));
    }
    if take == 1 {
        lines.push(format!("take a stone from {pile}"));
        lines.push(format!("a stone of {pile}"));
    }
    if take == 2 {
        lines.push(format!("take both from {pile}"));
    }
    lines
}

/// How a pile is taken whole.
fn whole(pile: u64) -> Vec<String> {
    let said = [
        "all from",
        "all of",
        "take all of",
        "remove all from pile",
        "take everything from",
    ];
    let mut lines: Vec<String> = said.iter().map(|said| format!("{said} {pile}")).collect();
    lines.push(format!("take the whole of pile {pile}"));
    lines.push(format!("take pile {pile}"));
    lines
}

/// How the parts of a split pile are said.
fn splits(pile: u64, parts: [u64; 2]) -> Vec<String> {
    let [one, other] = parts;
    vec![
        format!("{pile} -> {one} {other}"),
        format!("{pile} -> {other}, {one}"),
        format!("{pile} = {one} + {other}"),
        format!("{pile} into {one} and {other}"),
        format!("split {pile} into {one} and {other}"),
        format!("split pile {pile} in {other} and {one}"),
        format!("split the {pile} as {one} {other}"),
        format!("divide the pile of {pile} into {one} and {other}"),
        format!(
            "break {pile} into {} and {}",
            NUMBERS[one as usize], NUMBERS[other as usize]
        ),
        format!("cut {pile} {one} {other}"),
        format!("{pile} {one} {other}"),
        format!("split the pile of {pile} into piles of size {one} and {other}"),
    ]
}

/// The answer to a move from one pile in Nim and its kin.
fn taken(take: u64, pile: u64) -> String {
    match pile - take {
        0 => format!("You take the whole of pile {pile}."),
        rest => format!("You take {take} from pile {pile}, leaving {rest}."),
    }
}

/// Two numbers alone, where `may` says which takings are moves: each reading that is a move.
fn pairs(said: &mut Sentences, piles: &[u64], may: impl Fn(u64) -> bool) {
    for one in 1..=*piles.iter().max().unwrap() {
        for other in 1..=one {
            for (first, second) in [(one, other), (other, one)] {
                let mut readings = BTreeSet::new();
                for (take, pile) in [(first, second), (second, first)] {
                    if piles.contains(&pile) && take <= pile && may(take) {
                        readings.insert((take, pile));
                    }
                }
                if second < first && piles.contains(&first) && may(first - second) {
                    readings.insert((first - second, first));
                }
                let answer = match readings.first() {
                    None => "No: ".to_owned(),
                    Some(&(take, pile)) if readings.len() == 1 => taken(take, pile),
                    Some(_) => format!("No: which one? `{first} {second}` may mean "),
                };
                said.say(
                    [format!("{first} {second}"), format!("{first}  {second}")],
                    &answer,
                );
            }
        }
    }
}

#[test]
fn nim() {
    let piles = [3, 4, 5];
    let mut said = Sentences::default();
    for pile in piles {
        for take in 1..=pile {
            said.say(takings(take, pile), &taken(take, pile));
            let left = pile - take;
            if left > 0 {
                let lines = [
                    format!("{pile} -> {left}"),
                    format!("reduce {pile} to {left}"),
                    format!("leave {left} in {pile}"),
                    format!("pile {pile} becomes {left}"),
                    format!("take {take} from {pile} leaving {left}"),
                ];
                said.say(lines, &taken(take, pile));
            }
        }
        said.say(whole(pile), &taken(pile, pile));
        said.say(
            [format!("take 9 from {pile}")],
            &format!("No: a pile of {pile} has no 9 stones"),
        );
        said.say(
            [format!("pile {pile}")],
            &format!("No: what of the pile of {pile}?"),
        );
        said.say(
            [format!("take 1 from {pile} leaving 9")],
            &format!("No: 1 taken from {pile} leaves"),
        );
    }
    for take in 1..=5 {
        let fits = piles.iter().filter(|&&pile| pile >= take).count();
        let answer = match fits {
            1 => taken(take, 5),
            _ => "No: ".to_owned(),
        };
        said.say(
            [format!("take {take}"), format!("remove {take} stones")],
            &answer,
        );
        let word = NUMBERS[take as usize];
        let alone = [take.to_string(), word.to_owned(), format!("{take} stones")];
        said.say(alone, &format!("No: {take} from which pile?"));
    }
    said.say(["all", "take all"], "No: all from which pile?");
    said.say(["2 from 6", "take all from 7"], "No: there is no pile of ");
    for unknown in ["take 2 from the biggest", "half of 4", "2 from 5 tomorrow"] {
        said.say([unknown], "No: `");
    }
    pairs(&mut said, &piles, |_| true);
    said.check(&["-g", "nim", "3", "4", "5"]);
}

#[test]
fn one_pile_need_not_be_named() {
    let mut said = Sentences::default();
    for take in 1..=9 {
        let word = NUMBERS[take as usize];
        let mut lines = takings(take, 21);
        lines.extend([take.to_string(), word.to_owned(), format!("{take} stones")]);
        for verb in ["take", "remove", "subtract", "draw", "pick"] {
            lines.push(format!("{verb} {take}"));
            lines.push(format!("{verb} {word} stones"));
        }
        lines.push(format!("leave {}", 21 - take));
        lines.push(format!("reduce to {}", 21 - take));
        match take {
            1..=3 => said.say(&lines, &taken(take, 21)),
            _ => said.say(&lines, "No: "),
        }
    }
    said.say(["both", "take both"], &taken(2, 21));
    said.say(["all", "take a stone off 21, 1 off 21"], "No: `");
    pairs(&mut said, &[21], |take| take <= 3);
    said.check(&["-g", "subtraction:1-3", "21"]);
}

#[test]
fn grundys_game_and_couples_are_forever() {
    for (game, equal) in [("grundy", false), ("couples-are-forever", true)] {
        let piles = [9u64, 7];
        let mut said = Sentences::default();
        for pile in piles {
            for one in 1..=pile / 2 {
                let other = pile - one;
                let answer = match one == other && !equal {
                    true => "No: ".to_owned(),
                    false => format!("You split pile {pile} into piles of size {one} and {other}."),
                };
                said.say(splits(pile, [one, other]), &answer);
                said.say(
                    [format!("{one} {other}"), format!("{other} and {one}")],
                    &answer,
                );
                // One part says the other.
                said.say(
                    [format!("{pile} -> {one}"), format!("{pile} {other}")],
                    &answer,
                );
                let wrong = format!("No: {one} + {} is ", other + 1);
                said.say(
                    [format!("split {pile} into {one} and {}", other + 1)],
                    &wrong,
                );
            }
            let asked = format!("No: split {pile} into what? Say the parts too, as in `");
            said.say(
                [format!("split {pile}"), format!("split the pile of {pile}")],
                &asked,
            );
            said.say(takings(1, pile), "No: ");
        }
        said.say(
            ["3", "all", "one"],
            "No: a move splits a pile: say the pile and its parts",
        );
        said.check(&["-g", game, "9", "7"]);
    }
}

#[test]
fn a_row_of_kayles() {
    let mut said = Sentences::default();
    for at in 1..=9u64 {
        let word = NUMBERS[at as usize];
        let one = [
            format!("{at} 1"),
            format!("take 1 at {at}"),
            format!("take one from {at}"),
            format!("remove one stone at place {at}"),
            format!("at {at} take 1"),
            format!("{at} take 1"),
            format!("from {at} take one"),
            format!("take a stone at {at}"),
        ];
        // `2 1` has its documented meaning; two places side by side are said with a word between them.
        said.say(one, &format!("You take 1 at {at}."));
        let asked = match at {
            9 => "You take 1 at 9.".to_owned(),
            _ => format!("No: how many? from {at} on you may take 1 or 2."),
        };
        let alone = [
            at.to_string(),
            word.to_owned(),
            format!("the stone at {at}"),
            format!("take the stone at {at}"),
            format!("take pin {at}"),
            format!("at {at}"),
        ];
        said.say(alone, &asked);
        let bare = format!("No: take {at} at which place, or the stone at {at}?");
        said.say([format!("take {at}"), format!("hit {at}")], &bare);
        if at < 9 {
            let next = at + 1;
            let two = [
                format!("take 2 at {at}"),
                format!("take both at {at}"),
                format!("take two from {at}"),
                format!("remove two stones at place {at}"),
                format!("at {at} take 2"),
                format!("{at} take 2"),
                format!("from {at} take both stones"),
                format!("{at}-{next}"),
                format!("{at} to {next}"),
                format!("from {at} to {next}"),
                format!("{at} and {next}"),
                format!("take {next} and {at}"),
                format!("pins {at} and {next}"),
                format!("knock down {at} & {next}"),
            ];
            said.say(two, &format!("You take 2 at {at}."));
        }
        if (2..9).contains(&at) {
            said.say(
                [format!("{at} {}", at + 1)],
                &format!("You take 2 at {at}."),
            );
        }
        for other in at + 2..=9 {
            let apart = [
                format!("{at} and {other}"),
                format!("take {other} and {at}"),
            ];
            said.say(apart, "No: these places are not side by side.");
        }
    }
    said.say(["3 2"], "You take 2 at 3.");
    said.say(["3, 1"], "You take 1 at 3.");
    said.say(["take 2 stones"], "No: 2 stones from which place on?");
    said.say(["from"], "No: `");
    said.say(
        ["3,2"],
        "No: which one? take 2 at 3 (`3 2`); or take 2 at 2 (`2 2`).",
    );
    said.say(["12", "10 1", "take 2 at 11"], "No: the places are 1 to 9.");
    said.say(["both", "take both"], "No: 9 stones are left, not 2");
    said.say(["all", "take all the stones"], "No: ");
    said.check(&["-g", "kayles", "9"]);
}

#[test]
fn both_piles_of_wythoff() {
    let mut said = Sentences::default();
    for take in 1..=8u64 {
        for pile in [4, 8].into_iter().filter(|&pile| take <= pile) {
            said.say(
                takings(take, pile),
                &format!("You take {take} from pile {pile}."),
            );
        }
        let each = [
            format!("take {take} from both"),
            format!("{take} from each"),
            format!("remove {} stones from both piles", NUMBERS[take as usize]),
            format!("{take} from 4 and {take} from 8"),
            format!("take {take} from 8, {take} from 4"),
        ];
        match take {
            1..=4 => said.say(
                each,
                &format!("You take {take} from pile 4 and {take} from pile 8."),
            ),
            _ => said.say(each, "No: a pile of 4 has no "),
        }
        let answer = match take {
            1..=4 => "No: ".to_owned(),
            _ => format!("You take {take} from pile 8."),
        };
        said.say(
            [format!("take {take}"), format!("remove {take} stones")],
            &answer,
        );
    }
    for pile in [4, 8] {
        said.say(whole(pile), &format!("You take {pile} from pile {pile}."));
    }
    said.check(&["-g", "wythoff", "4", "8"]);
}

#[test]
fn steps_squares_and_coins() {
    let mut said = Sentences::default();
    for (step, coins) in [(1usize, 9u64), (2, 8), (3, 9)] {
        for count in 1..=coins {
            let word = NUMBERS[count as usize];
            let lines = [
                format!("{count} from {step}"),
                format!("move {count} from {step}"),
                format!("take {word} from step {step}"),
                format!("move {count} coins from step {step}"),
                format!("move {word} coins from step {step} to step {}", step - 1),
                format!("move {count} from {step} to {}", step - 1),
                format!("move {count} down from {step}"),
            ];
            let coins = if count == 1 { "coin" } else { "coins" };
            let answer = format!(
                "You move {count} {coins} from step {step} to step {}.",
                step - 1
            );
            said.say(lines, &answer);
            if step > 1 {
                said.say(
                    [format!("move {count} from {step} to {}", step - 2)],
                    "No: ",
                );
            }
        }
    }
    said.say(["2", "two coins"], "No: 2 from which step?");
    said.check(&["-g", "staircase", "7", "9", "8", "9"]);

    let mut said = Sentences::default();
    for from in [9u64, 8, 6] {
        for to in 0..from {
            let lines = [
                format!("{from} -> {to}"),
                format!("{from} to {to}"),
                format!("move {from} to {to}"),
                format!("push the coin on {from} to {to}"),
                format!("slide the coin on square {from} to square {to}"),
                format!("{from} {to}"),
                format!("move coin {from} to {to}"),
                format!("from {from} to {to}"),
            ];
            let answer = format!("You move the coin on square {from} to square {to}.");
            said.say(lines, &answer);
        }
    }
    said.say(
        ["3", "move 5"],
        "No: say the coin's square and where it goes, as in `",
    );
    said.check(&["-g", "nimble", "6", "8", "9"]);

    let mut said = Sentences::default();
    for coin in 1..=12u64 {
        let heads = [3, 7, 12].contains(&coin);
        let one = [
            coin.to_string(),
            format!("turn {coin}"),
            format!("flip coin {coin}"),
            format!("turn the coin at {coin}"),
        ];
        match heads {
            true => said.say(one, &format!("You turn coin {coin}.")),
            false => said.say(one, "No: "),
        }
        for other in coin + 1..=12 {
            let two = [
                format!("turn {coin} {other}"),
                format!("flip {other} and {coin}"),
                format!("{coin}, {other}"),
            ];
            match [3, 7, 12].contains(&other) {
                true => said.say(two, &format!("You turn the coins {coin} and {other}.")),
                false => said.say(two, "No: "),
            }
        }
    }
    said.check(&["-g", "turning-turtles", "3", "7", "12"]);
}

#[test]
fn several_piles_and_games_that_take_or_split() {
    let mut said = Sentences::default();
    for one in 1..=3u64 {
        said.say(takings(one, 3), &format!("You take {one} from pile 3."));
        for other in 1..=5u64 {
            let lines = [
                format!("{one} from 3, {other} from 5"),
                format!("{other} from 5 and {one} from 3"),
                format!("take {one} from 3 and take {other} from pile 5"),
                format!("{one} from 3 {other} from 5"),
                format!("from 5 take {other} and from 3 take {one}"),
            ];
            let answer = format!("You take {one} from pile 3 and {other} from pile 5.");
            said.say(lines, &answer);
        }
        let each = [
            format!("{one} from each"),
            format!("take {one} from each pile"),
        ];
        said.say(
            each,
            &format!("You take {one} from pile 3 and {one} from pile 5."),
        );
    }
    said.check(&["-g", "moore:2", "3", "5"]);

    let mut said = Sentences::default();
    for pile in [3u64, 5] {
        for take in 1..=pile {
            said.say(takings(take, pile), &taken(take, pile));
        }
        for one in 1..=pile / 2 {
            let answer = format!(
                "You split pile {pile} into piles of size {one} and {}.",
                pile - one
            );
            said.say(splits(pile, [one, pile - one]), &answer);
        }
        let asked = format!("No: split {pile} into what? Say the parts too, as in `");
        said.say([format!("split {pile}")], &asked);
    }
    said.say(
        ["2 3"],
        "No: which one? `2 3` may mean `2 from 3` or `5 -> 2 3`.",
    );
    said.check(&["-g", "lasker", "3", "5"]);
}

#[test]
fn the_game_of_a_sum_may_be_named_in_front_or_behind() {
    let mut said = Sentences::default();
    for take in 1..=4u64 {
        for line in takings(take, 4) {
            let named = [
                format!("nim: {line}"),
                format!("in nim: {line}"),
                format!("nim {line}"),
                format!("part 1: {line}"),
            ];
            let answer = taken(take, 4).replacen("You take", "In nim: you take", 1);
            // The game's name comes first in these, so that nothing else can.
            for line in named {
                said.0.push((line.clone(), answer.clone()));
                said.0.push((line.to_uppercase(), answer.clone()));
            }
        }
        let answer = taken(take, 4).replacen("You take", "In nim: you take", 1);
        for line in [
            format!("nim: {take}"),
            format!("nim take {take}"),
            format!("take {take} from nim"),
            format!("take {take} in nim"),
        ] {
            said.0.push((line, answer.clone()));
        }
    }
    said.check(&["nim", "4", "+", "grundy", "7"]);
}

#[test]
fn a_move_of_a_graph_is_said_by_its_vertices() {
    let folder = tempfile::tempdir().unwrap();
    // Names of any kind: with blanks, in capitals, words that have a meaning elsewhere.
    for names in [["x", "y", "z"], ["1", "2", "3"], ["A b", "to", "take 2"]] {
        let [x, y, z] = names;
        let file = folder.path().join(format!("{}.json", x.len()));
        let edges = serde_json::json!({"edges": [[x, y], [x, z], [y, z]]});
        std::fs::write(&file, edges.to_string()).unwrap();
        let game = format!("graph:{}", file.display());
        let moves = [(x, y), (x, z)];
        let ways = |(from, to): (&str, &str)| {
            vec![
                format!("move from {from} to {to}"),
                format!("from {from} to {to}"),
                format!("{from} to {to}"),
                format!("{from} -> {to}"),
                format!("{from}->{to}"),
                format!("Move {from} {to}"),
                format!("to {to}"),
                to.to_uppercase(),
            ]
        };
        for (at, found) in moves.into_iter().enumerate() {
            let lines = [ways(found), vec![format!("#{}", at + 1)]].concat();
            let lines: Vec<&str> = lines.iter().map(|line| &**line).collect();
            for (line, answer) in lines.iter().zip(answers(&[&game, x], &lines)) {
                let wanted = format!("You move from {} to {}.", found.0, found.1);
                assert_eq!(answer, wanted, "{names:?}: {line}");
            }
            // In a sum a blank parts two positions.
            if x.contains(' ') {
                continue;
            }
            let in_sum = lines.iter().filter(|line| !line.starts_with('#'));
            let in_sum: Vec<String> = in_sum.map(|line| format!("in {game}: {line}")).collect();
            let in_sum: Vec<&str> = in_sum.iter().map(|line| &**line).collect();
            for (line, answer) in in_sum
                .iter()
                .zip(answers(&[&game, x, "+", "nim", "2"], &in_sum))
            {
                let wanted = format!("you move from {} to {}.", found.0, found.1);
                assert!(answer.ends_with(&wanted), "{line}: {answer}");
            }
        }
        let refused = answers(&[&game, x], &["w", "from y to x"]);
        assert!(
            refused.iter().all(|answer| answer.starts_with("No: ")),
            "{refused:?}"
        );
    }
}
