//! Games at the table against a game-tree search that knows no theorem: who wins, which moves are offered and
//! accepted, how hard the lost ones are, and what a record tells.

use crate::common::codes::{codes, octal_codes};
use crate::common::rng::Rng;
use crate::common::ruleset;
use crate::common::tree::{GameTree, sorted};
use nim_analyser::analysis::{Analysis, Moves};
use nim_analyser::app::play::{
    Board, Broken, Event, Perfect, Player, Ply, Prospect, Replayed, Series, Session, Settings,
    Side, blunders, pages, replay,
};
use nim_analyser::error::Error;
use nim_analyser::{Convention, Game, HeapGame, Outcome, game::catalogue};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

const CONVENTIONS: [Convention; 2] = [Convention::Normal, Convention::Misere];

fn settings(players: [Player; 2], convention: Convention, seed: u64, piles: &[u64]) -> Settings {
    Settings {
        players,
        convention,
        prediction: true,
        explain: true,
        seed,
        piles: piles.to_vec(),
        width: usize::MAX,
    }
}

/// A session of players that need no keyboard, played to its end.
fn played<'g>(game: &'g dyn Game, settings: Settings) -> Session<'g> {
    let (mut session, _) = Session::new(game, settings).unwrap();
    while session.step().unwrap().is_some() {}
    session
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_perfect_player_never_loses_a_won_position(
        code in prop_oneof![octal_codes(), codes()], piles in prop::collection::vec(1u64..8, 1..4), misere: bool, seed: u64,
    ) {
        let ruleset = ruleset(&code);
        let game = HeapGame::new(ruleset.clone());
        let convention = CONVENTIONS[usize::from(misere)];
        let winner = if GameTree::new(&ruleset, convention).wins(&piles) { Side::First } else { Side::Second };
        let players = match winner {
            Side::First => [Player::Perfect, Player::Random],
            Side::Second => [Player::Random, Player::Perfect],
        };
        for seed in 0..8 {
            let session = played(&game, settings(players, convention, seed, &piles));
            prop_assert_eq!(session.winner(), Some(winner), "{} {:?} {}", code, piles, convention);
        }
        let start = Some(piles.clone());
        let series = Series { game: &game, convention, players, start, seed, games: 50, memory: 1 << 30, watch: None };
        let tally = series.play(2).unwrap();
        prop_assert_eq!((tally.wins[winner as usize], tally.kept), (50, 50));
    }

    #[test]
    fn every_move_offered_is_legal_and_every_legal_move_accepted(
        code in prop_oneof![octal_codes(), codes()], piles in prop::collection::vec(1u64..8, 1..3),
    ) {
        let ruleset = ruleset(&code);
        let game = HeapGame::new(ruleset.clone());
        let legal: BTreeSet<_> = GameTree::new(&ruleset, Convention::Normal).positions_after(&piles).iter().map(|after| sorted(after)).collect();
        let players = [Player::Human, Player::Human];
        let mut reached = BTreeSet::new();
        for (number, step) in Board::new(&game, piles.clone()).steps(&game).enumerate() {
            let words = step.unwrap().words;
            for typed in [words.clone(), words.to_uppercase(), format!("#{}", number + 1)] {
                let (mut session, _) = Session::new(&game, settings(players, Convention::Normal, 0, &piles)).unwrap();
                let reply = session.obey(&typed).unwrap().text;
                prop_assert_eq!(session.plies().len(), 1, "{} refused: {}", typed, reply);
                prop_assert_eq!(&session.plies()[0].words, &words);
                reached.insert(sorted(session.board().position()));
            }
        }
        prop_assert_eq!(&reached, &legal, "{} {:?}", code, piles);
        // What is typed without a list: a place and a number in a row, the position after the move in piles.
        let (session, _) = Session::new(&game, settings(players, Convention::Normal, 0, &piles)).unwrap();
        let in_row = session.board().row().is_some();
        let stones: u64 = piles.iter().sum();
        for first in 0..=stones + 1 {
            for second in 0..=stones + 1 {
                let typed = if in_row { format!("{first} {second}") } else { format!("-> {first} {second}") };
                let legal_move = |after: Option<Vec<u64>>| after.filter(|after| legal.contains(after));
                let wanted = if in_row {
                    // A place and a number; where that is no move, two places side by side.
                    legal_move(taken(&piles, first, second)).or_else(|| {
                        let side_by_side = first.abs_diff(second) == 1;
                        legal_move(side_by_side.then(|| taken(&piles, first.min(second), 2)).flatten())
                    })
                } else {
                    legal_move(Some(sorted(&[first, second])))
                };
                let (mut session, _) = Session::new(&game, settings(players, Convention::Normal, 0, &piles)).unwrap();
                let reply = session.obey(&typed).unwrap().text;
                let accepted = (session.plies().len() == 1).then(|| sorted(session.board().position()));
                if in_row || accepted.is_some() {
                    prop_assert_eq!(accepted, wanted, "{} {:?} {}: {}", code, piles, typed, reply);
                }
            }
        }
    }

    #[test]
    fn a_lost_position_is_made_hard(
        code in prop_oneof![octal_codes(), codes()], piles in prop::collection::vec(1u64..7, 1..3), misere: bool,
    ) {
        let ruleset = ruleset(&code);
        let game = HeapGame::new(ruleset.clone());
        let convention = CONVENTIONS[usize::from(misere)];
        let mut tree = GameTree::new(&ruleset, convention);
        let choice = Perfect::new(&game, convention).choose(&piles).unwrap();
        let moves = tree.positions_after(&piles);
        let Some(choice) = choice else {
            prop_assert!(moves.is_empty());
            return Ok(());
        };
        match choice.prospect {
            Prospect::Wins => prop_assert!(!tree.wins(&choice.found.position)),
            Prospect::Loses { answers, longest } => {
                prop_assert!(!tree.wins(&piles));
                let mut known = HashMap::new();
                let mut harder = |after: &[u64]| {
                    let winning: BTreeSet<_> = tree.positions_after(after).iter().map(|reply| sorted(reply)).collect();
                    let winning = winning.iter().filter(|reply| !tree.wins(reply)).count();
                    (std::cmp::Reverse(winning), remoteness(&mut tree, &sorted(after), &mut known))
                };
                let best = moves.iter().map(|after| harder(after)).max();
                prop_assert_eq!(Some(harder(&choice.found.position)), best);
                prop_assert_eq!(Some((std::cmp::Reverse(answers), longest.unwrap())), best, "{} {:?}", code, piles);
            }
        }
    }

    #[test]
    fn a_record_leads_to_the_same_end(
        game in prop::sample::select(vec!["kayles", "nim", "couples-are-forever", "grundy", "0.137", "staircase", "wythoff"]),
        second in prop::sample::select(vec![Player::Perfect, Player::Random, Player::Human]),
        typed in prop::collection::vec((0usize..12, 1usize..9), 1..30), misere: bool, seed: u64,
    ) {
        let game = catalogue::open(game, Default::default()).unwrap();
        let convention = CONVENTIONS[usize::from(misere)];
        let (mut session, _) = Session::new(&*game, settings([Player::Human, second], convention, seed, &[])).unwrap();
        let mut text = String::new();
        let mut keep = |session: &mut Session<'_>| {
            for event in session.take_events() {
                text.push_str(&serde_json::to_string(&event).unwrap());
                text.push('\n');
            }
        };
        let mut games_begun = 1;
        for (kind, number) in typed {
            let line = match kind {
                0 => "undo".to_owned(),
                1 => "new".to_owned(),
                2 => "nonsense".to_owned(),
                _ => format!("#{number}"),
            };
            games_begun += usize::from(kind == 1);
            session.obey(&line).unwrap();
            keep(&mut session);
            while session.step().unwrap().is_some() {
                keep(&mut session);
            }
        }
        let told = replay(&text, |name| catalogue::open(name, Default::default())).unwrap();
        prop_assert_eq!(told.len(), games_begun);
        let last = told.last().unwrap();
        prop_assert_eq!(last.board().position(), session.board().position());
        prop_assert_eq!(last.winner, session.winner());
        let words = |plies: &[Ply]| plies.iter().map(|ply| ply.words.clone()).collect::<Vec<_>>();
        prop_assert_eq!(words(&last.plies), words(session.plies()));
        prop_assert_eq!(pages(last, usize::MAX).unwrap().len(), last.plies.len() + 1);
    }

    #[test]
    fn the_last_blunder_of_the_loser_lost_the_game(code in octal_codes(), piles in prop::collection::vec(1u64..7, 1..3), misere: bool, seed: u64) {
        let ruleset = ruleset(&code);
        let game = HeapGame::new(ruleset.clone());
        let convention = CONVENTIONS[usize::from(misere)];
        let mut tree = GameTree::new(&ruleset, convention);
        let session = played(&game, settings([Player::Random; 2], convention, seed, &piles));
        let loser = session.winner().unwrap().other();
        let found = blunders(&game, convention, session.plies(), loser).unwrap();
        let mut won = |board: &Board| tree.wins(board.position());
        let theirs = session.plies().iter().enumerate().filter(|(_, ply)| ply.side == loser);
        let wanted: Vec<usize> = theirs.filter(|(_, ply)| won(&ply.before) && won(&ply.after)).map(|(at, _)| at).collect();
        prop_assert_eq!(&found, &wanted);
        let after = found.last().map_or(0, |&at| at + 1);
        for ply in session.plies()[after..].iter().filter(|ply| ply.side == loser) {
            prop_assert!(!won(&ply.before), "the loser still had a won position after the last blunder");
        }
    }
}

/// What is left when `count` stones are taken from place `at` on of rows of stones, if they lie side by side.
fn taken(piles: &[u64], at: u64, count: u64) -> Option<Vec<u64>> {
    let mut from = 1;
    for (index, &pile) in piles.iter().enumerate() {
        if at >= from && at < from + pile {
            let (left, right) = (at - from, (from + pile).checked_sub(at + count)?);
            let mut after = piles.to_vec();
            after.remove(index);
            after.extend([left, right]);
            return (count > 0).then(|| sorted(&after));
        }
        from += pile;
    }
    None
}

/// The moves to come if the winner hurries and the loser delays, by its definition.
fn remoteness(
    tree: &mut GameTree<'_>,
    position: &[u64],
    known: &mut HashMap<Vec<u64>, u32>,
) -> u32 {
    if let Some(&moves) = known.get(position) {
        return moves;
    }
    let wins = tree.wins(position);
    let mut after = Vec::new();
    for reply in tree.positions_after(position) {
        if !wins || !tree.wins(&reply) {
            after.push(1 + remoteness(tree, &sorted(&reply), known));
        }
    }
    let moves = if wins {
        after.iter().min()
    } else {
        after.iter().max()
    };
    let moves = moves.copied().unwrap_or(0);
    known.insert(position.to_vec(), moves);
    moves
}

#[test]
fn thousands_of_games_are_won_from_every_n_position() {
    let rulesets = [
        "kayles",
        "nim",
        "couples-are-forever",
        "0.137",
        "subtraction:1,2,3",
    ];
    for (name, piles) in
        rulesets
            .iter()
            .zip([vec![13], vec![3, 4, 5], vec![9, 8], vec![11], vec![4, 7, 9]])
    {
        let ruleset = ruleset(name);
        let game = HeapGame::new(ruleset.clone());
        for convention in CONVENTIONS {
            let predicted = usize::from(!GameTree::new(&ruleset, convention).wins(&piles));
            let mut players = [Player::Random; 2];
            players[predicted] = Player::Perfect;
            let series = Series {
                game: &game,
                convention,
                players,
                start: Some(piles.clone()),
                seed: 1,
                games: 2000,
                memory: 1 << 30,
                watch: None,
            };
            let tally = series.play(2).unwrap();
            assert_eq!(
                (tally.games, tally.kept, tally.wins[predicted]),
                (2000, 2000, 2000),
                "{name} {convention}"
            );
            assert_eq!(tally.predicted[predicted], 2000);
        }
    }
}

#[test]
fn the_tally_doesnt_depend_on_the_threads() {
    let game = HeapGame::new(ruleset("kayles"));
    for start in [None, Some(vec![12, 5])] {
        let players = [Player::Random, Player::FirstMove];
        let series = Series {
            game: &game,
            convention: Convention::Normal,
            players,
            start,
            seed: 5,
            games: 3000,
            memory: 1 << 30,
            watch: None,
        };
        let tally = series.play(1).unwrap();
        assert_eq!(tally, series.play(2).unwrap());
        assert_eq!(tally, series.play(7).unwrap());
        assert_eq!(tally.wins.iter().sum::<u64>(), 3000);
        assert!(tally.shortest <= tally.longest && tally.shortest > 0);
        let other = Series { seed: 6, ..series }.play(2).unwrap();
        assert_ne!(tally, other);
    }
}

/// Kayles, judged as if the player to move always won.
struct Boast(HeapGame);

impl Game for Boast {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn code(&self) -> Option<String> {
        self.0.code()
    }

    fn moves<'g>(&'g self, piles: &[u64]) -> Moves<'g> {
        self.0.moves(piles)
    }

    fn analyse(&self, piles: &[u64], convention: Convention) -> Result<Analysis, Error> {
        let analysis = self.0.analyse(piles, convention)?;
        if piles == [8] {
            // Every thread has begun before the first can tell of a failure.
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Ok(Analysis {
            outcome: Outcome::N,
            ..analysis
        })
    }

    fn winning_moves<'g>(&'g self, analysis: &Analysis) -> Moves<'g> {
        self.0.moves(&analysis.piles)
    }

    fn explain(&self, _: &Analysis) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }
}

#[test]
fn a_game_that_the_perfect_player_loses_is_shown() {
    let game = Boast(HeapGame::new(ruleset("kayles")));
    let start = Some(vec![8]);
    let players = [Player::Perfect, Player::Random];
    let series = Series {
        game: &game,
        convention: Convention::Normal,
        players,
        start,
        seed: 0,
        games: 2000,
        memory: 1 << 30,
        watch: None,
    };
    let broken = |threads| -> Broken { series.play(threads).unwrap_err().downcast().unwrap() };
    let first = broken(1);
    assert_eq!(first.side, Side::First);
    assert_eq!(first.positions[0], [8]);
    assert!(first.positions.last().unwrap().is_empty() && first.positions.len() % 2 == 1);
    assert!(first.to_string().starts_with(&format!(
        "the first player, who is perfect, lost game {} from a won position: [8] -> [7]",
        first.game
    )));
    for threads in [2, 5] {
        assert_eq!(broken(threads), first);
    }
}

#[test]
fn typing_the_hints_wins_as_predicted() {
    for name in
        "kayles | nim | couples-are-forever | grundy | 0.137 | 0.33 | staircase | wythoff | \
        moore:2 | poker-nim | lasker"
            .split(" | ")
    {
        let game = catalogue::open(name, Default::default()).unwrap();
        for convention in CONVENTIONS {
            for seed in 0..6 {
                let players = [Player::Human, Player::Perfect];
                let (mut session, text) =
                    Session::new(&*game, settings(players, convention, seed, &[])).unwrap();
                assert!(text.contains("Prediction: you win"), "{text}");
                while session.winner().is_none() {
                    let nudge = session.obey("hint").unwrap().text;
                    assert!(
                        nudge.starts_with("Hint: a move wins; look at "),
                        "{name}: {nudge}"
                    );
                    let hint = session.obey("hint").unwrap().text;
                    let words = hint
                        .strip_prefix("Hint: ")
                        .and_then(|hint| hint.split_once(". That wins."));
                    let words = words
                        .unwrap_or_else(|| panic!("{name} {convention}: {hint}"))
                        .0;
                    let made = session.plies().len();
                    let text = session.obey(words).unwrap().text;
                    assert_eq!(session.plies().len(), made + 1, "{name}: {text}");
                    session.step().unwrap();
                }
                assert_eq!(
                    session.winner(),
                    Some(Side::First),
                    "{name} {convention} {seed}"
                );
            }
        }
    }
}

#[test]
fn a_record_may_name_positions_in_any_order() {
    let game = catalogue::open("nim", Default::default()).unwrap();
    let start = Event::Start {
        game: "nim".to_owned(),
        convention: Convention::Normal,
        piles: vec![3, 4],
        first: Player::Human,
        second: Player::Perfect,
        seed: 0,
        outcome: Outcome::N,
    };
    let text = serde_json::to_string(&start).unwrap()
        + "\n\n{\"event\":\"move\",\"ply\":1,\"side\":\"first\",\"words\":\"\",\"position\":[3,3]}\n";
    let told: Vec<Replayed> =
        replay(&text, |name| catalogue::open(name, Default::default())).unwrap();
    assert_eq!(told[0].board().position(), [3, 3]);
    assert_eq!(told[0].winner, None);
    drop(game);
}

#[test]
fn a_record_of_a_game_too_large_to_play_is_refused_at_once() {
    let start = r#"{"event":"start","game":"wythoff","convention":"normal","piles":[4963518821,4],"first":"perfect","second":"random","seed":1,"outcome":"N"}"#;
    let text = format!(
        "{start}\n{{\"event\":\"move\",\"ply\":1,\"side\":\"first\",\"words\":\"\",\"position\":[1,2]}}\n"
    );
    let refused = replay(&text, |name| catalogue::open(name, Default::default()));
    let error = refused.err().unwrap().to_string();
    assert!(
        error.contains("line 2") && error.contains("too many to play"),
        "{error}"
    );
}

#[test]
fn chance_is_fair_enough_for_a_series() {
    // Each of 3 first moves is equally likely over many games of one seed, though each game has a chance of its own.
    let mut seen = [0; 3];
    (0..3000).for_each(|game| seen[Rng::new(9, game).below(3)] += 1);
    assert!(
        seen.iter().all(|&times| (900..1100).contains(&times)),
        "{seen:?}"
    );
}
