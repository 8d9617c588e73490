//! The games that are no sums of heaps, against a search of the game tree that knows no theorem.

use crate::common::tree::Search;
use nim_analyser::engine::Effort;
use nim_analyser::game::{
    Euclid, FibonacciNim, Moore, Nimble, Northcott, PokerNim, SilverDollar, Staircase, Turning,
    TurningCoins, Wythoff,
};
use nim_analyser::{Convention, Game, Outcome};
use proptest::prelude::*;

/// The search of a game with these positions after each move.
fn tree(options: impl Fn(&[u64]) -> Vec<Vec<u64>> + 'static) -> Search<'static, Vec<u64>> {
    Search::new(move |position: &Vec<u64>| options(position))
}

/// Checks outcome, nim-value, moves and winning moves of one position under both conventions.
fn check(search: &mut Search<'_, Vec<u64>>, game: &dyn Game, piles: &[u64]) {
    let start = game.start(piles.to_vec()).unwrap();
    let moves: Vec<_> = game.moves(&start).map(Result::unwrap).collect();
    let mut reached: Vec<_> = moves.iter().map(|found| found.position.clone()).collect();
    let mut options = search.after(&start);
    reached.sort();
    options.sort();
    assert_eq!(reached, options, "moves of {start:?}");
    for convention in [Convention::Normal, Convention::Misere] {
        let place = format!("{start:?} {convention:?}");
        let analysis = game.analyse(&start, convention).unwrap();
        let wins = search.wins(&start, convention);
        assert_eq!(analysis.outcome == Outcome::N, wins, "{place}");
        if convention == Convention::Normal
            && let Some(sum) = analysis.nim_sum
        {
            assert_eq!(sum, search.value(&start, convention), "value of {place}");
        }
        let expected: Vec<_> = (moves.iter())
            .filter(|found| !search.wins(&found.position, convention))
            .cloned()
            .collect();
        let found: Vec<_> = game.winning_moves(&analysis).map(Result::unwrap).collect();
        assert_eq!(found, expected, "winning moves of {place}");
        assert!(!game.explain(&analysis).unwrap().is_empty());
    }
}

/// Checks that a position too large for a tree is won, and that its first winning moves leave lost positions.
fn check_won(game: &dyn Game, piles: &[u64], convention: Convention) {
    let start = game.start(piles.to_vec()).unwrap();
    let analysis = game.analyse(&start, convention).unwrap();
    assert_eq!(analysis.outcome, Outcome::N, "{}", game.name());
    let winning: Vec<_> = game.winning_moves(&analysis).take(1000).collect();
    assert!(!winning.is_empty(), "{}", game.name());
    for found in winning {
        let after = game.analyse(&found.unwrap().position, convention);
        assert_eq!(after.unwrap().outcome, Outcome::P, "{}", game.name());
    }
}

fn each_smaller(position: &[u64], index: usize) -> impl Iterator<Item = Vec<u64>> + '_ {
    (0..position[index]).map(move |size| {
        let mut after = position.to_vec();
        after[index] = size;
        after
    })
}

fn poker_nim(position: &[u64]) -> Vec<Vec<u64>> {
    let last = position.len() - 1;
    let mut options = Vec::new();
    for index in 0..last {
        options.extend(each_smaller(position, index));
        for added in 1..=position[last] {
            let mut after = position.to_vec();
            after[index] += added;
            after[last] -= added;
            options.push(after);
        }
    }
    options
}

pub fn staircase(position: &[u64]) -> Vec<Vec<u64>> {
    let mut options = Vec::new();
    for step in 1..position.len() {
        for coins in 1..=position[step] {
            let mut after = position.to_vec();
            after[step] -= coins;
            after[step - 1] += coins;
            options.push(after);
        }
    }
    options
}

pub fn wythoff(position: &[u64]) -> Vec<Vec<u64>> {
    let mut options: Vec<_> = each_smaller(position, 0)
        .chain(each_smaller(position, 1))
        .collect();
    let both = 1..=position[0].min(position[1]);
    options.extend(both.map(|take| vec![position[0] - take, position[1] - take]));
    options
}

pub fn moore(position: &[u64], most: usize) -> Vec<Vec<u64>> {
    let mut reached = vec![Vec::new()];
    for &pile in position {
        let longer = |start: &Vec<u64>| {
            let start = start.clone();
            (0..=pile).map(move |size| [start.as_slice(), &[size]].concat())
        };
        reached = reached.iter().flat_map(longer).collect();
    }
    let changed = |after: &Vec<u64>| after.iter().zip(position).filter(|(a, b)| a != b).count();
    reached.retain(|after| (1..=most).contains(&changed(after)));
    reached
}

/// Rows of coins by turning every set of them that the game allows.
fn coins(heads: &[u64], kind: usize) -> Vec<Vec<u64>> {
    let row = |heads: &[u64]| heads.iter().fold(0u64, |row, coin| row | 1 << coin);
    let heads = row(heads);
    let allowed = |set: u64| match KINDS[kind] {
        Turning::Turtles => set.count_ones() <= 2,
        Turning::MockTurtles => set.count_ones() <= 3,
        Turning::Ruler => (set >> set.trailing_zeros()) & ((set >> set.trailing_zeros()) + 1) == 0,
        Turning::Twins => set.count_ones() == 2,
    };
    let sets = (2..1 << LONGEST_ROW).step_by(2);
    sets.filter(|&set: &u64| allowed(set) && heads >> set.ilog2() & 1 == 1)
        .map(|set| {
            let after = heads ^ set;
            (1..LONGEST_ROW)
                .filter(|coin| after >> coin & 1 == 1)
                .collect()
        })
        .collect()
}

const LONGEST_ROW: u64 = 9;
const KINDS: [Turning; 4] = [
    Turning::Turtles,
    Turning::MockTurtles,
    Turning::Ruler,
    Turning::Twins,
];

fn piles(most: usize, largest: u64) -> impl Strategy<Value = Vec<u64>> {
    proptest::collection::vec(0..=largest, 0..=most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn poker_nim_agrees_with_its_game_tree(piles in piles(3, 4), reserve in 0u64..4) {
        check(&mut tree(poker_nim), &PokerNim::new(reserve), &piles);
    }

    #[test]
    fn staircase_agrees_with_its_game_tree(steps in piles(5, 3)) {
        check(&mut tree(staircase), &Staircase, &steps);
    }

    #[test]
    fn moore_agrees_with_its_game_tree(piles in piles(4, 4), most in 1usize..5) {
        check(&mut tree(move |piles| moore(piles, most)), &Moore::new(most), &piles);
    }
}

#[test]
fn every_short_row_of_coins_agrees_with_the_game_tree() {
    for (kind, &turning) in KINDS.iter().enumerate() {
        let mut search = tree(move |heads| coins(heads, kind));
        let game = TurningCoins::new(turning, Effort::default());
        for row in (0..1u64 << LONGEST_ROW).step_by(2) {
            let heads: Vec<u64> = (1..LONGEST_ROW)
                .filter(|coin| row >> coin & 1 == 1)
                .collect();
            check(&mut search, &game, &heads);
        }
    }
}

#[test]
fn long_rows_of_coins_move_to_rows_of_nim_sum_0() {
    for turning in KINDS {
        let game = TurningCoins::new(turning, Effort::default());
        let heads = [1_000_000, 999_999, 77_777, 524_288, 3];
        check_won(&game, &heads, Convention::Normal);
    }
}

#[test]
fn every_small_wythoff_position_agrees_with_the_game_tree() {
    let mut search = tree(wythoff);
    for x in 0..22 {
        for y in 0..22 {
            check(&mut search, &Wythoff, &[x, y]);
        }
    }
}

#[test]
fn moore_with_many_ones_agrees_with_the_game_tree() {
    for (most, count) in [(1, 8), (2, 8), (3, 8), (7, 8)] {
        let mut search = tree(move |piles| moore(piles, most));
        for ones in 0..=count {
            for piles in [vec![1; ones], [vec![1; ones.min(5)], vec![2]].concat()] {
                check(&mut search, &Moore::new(most), &piles);
            }
        }
    }
}

#[test]
fn moore_with_larger_piles_agrees_with_the_game_tree() {
    for most in [1, 2] {
        let mut search = tree(move |piles| moore(piles, most));
        for piles in [[9, 6, 5], [12, 7, 3], [7, 7, 7], [0, 11, 8]] {
            check(&mut search, &Moore::new(most), &piles);
        }
    }
}

#[test]
fn huge_piles_are_answered_at_once() {
    let huge = 1_000_000_000_000_000_000;
    let games: [(&dyn Game, Vec<u64>); 4] = [
        (&PokerNim::new(u64::MAX), vec![huge, u64::MAX, 7]),
        (&Staircase, vec![huge, 5, huge, huge + 3, huge]),
        (&Wythoff, vec![huge, u64::MAX]),
        (&Moore::new(3), vec![huge, huge + 1, u64::MAX, 99, 5, 6]),
    ];
    for (game, piles) in games {
        for convention in [Convention::Normal, Convention::Misere] {
            check_won(game, &piles, convention);
        }
        let start = game.start(piles).unwrap();
        assert!(game.moves(&start).take(1000).all(|found| found.is_ok()));
    }
}

/// Multiples of the smaller pile from the larger, by subtracting it again and again.
fn euclid(position: &[u64]) -> Vec<Vec<u64>> {
    let mut options = Vec::new();
    for index in 0..2 {
        let (mut left, other) = (position[index], position[1 - index]);
        while other > 0 && left >= other {
            left -= other;
            let mut after = position.to_vec();
            after[index] = left;
            options.push(after);
        }
    }
    options
}

#[test]
fn every_small_position_of_euclids_game_agrees_with_the_game_tree() {
    let mut search = tree(euclid);
    for x in 0..60 {
        for y in 0..60 {
            check(&mut search, &Euclid, &[x, y]);
        }
    }
}

/// Neighbours among the Fibonacci numbers have the ratios nearest to the golden one, on either side by turns.
#[test]
fn euclids_game_is_exact_to_the_largest_piles() {
    let (mut small, mut large) = (2u64, 3u64);
    let mut lost = true;
    while let Some(next) = large.checked_add(small) {
        for convention in [Convention::Normal, Convention::Misere] {
            let analysis = Euclid.analyse(&[small, large], convention).unwrap();
            assert_eq!(analysis.outcome == Outcome::P, lost, "{small} {large}");
        }
        (small, large, lost) = (large, next, !lost);
    }
    assert!(large > 10_000_000_000_000_000_000);
    assert!(Euclid.start(vec![1]).is_err() && Euclid.analyse(&[], Convention::Normal).is_err());
}

fn nimble(squares: &[u64]) -> Vec<Vec<u64>> {
    (0..squares.len())
        .flat_map(|index| each_smaller(squares, index))
        .collect()
}

/// A coin goes to the left square by square, until a coin is in its way.
fn silver_dollar(squares: &[u64]) -> Vec<Vec<u64>> {
    let mut options = Vec::new();
    for (index, &from) in squares.iter().enumerate() {
        let free = (0..from).rev().take_while(|to| !squares.contains(to));
        options.extend(free.map(|to| {
            let mut after = squares.to_vec();
            after[index] = to;
            after
        }));
    }
    options
}

#[test]
fn every_small_position_of_nimble_agrees_with_the_game_tree() {
    let mut search = tree(nimble);
    check(&mut search, &Nimble, &[]);
    for code in 0..6u64.pow(3) {
        let squares = [code % 6, code / 6 % 6, code / 36];
        check(&mut search, &Nimble, &squares);
        check(&mut search, &Nimble, &squares[..2]);
    }
}

#[test]
fn every_short_strip_of_the_silver_dollar_game_agrees_with_the_game_tree() {
    let mut search = tree(silver_dollar);
    for strip in 0..1u64 << 9 {
        let squares: Vec<u64> = (0..9).filter(|square| strip >> square & 1 == 1).collect();
        check(&mut search, &SilverDollar, &squares);
    }
}

#[test]
fn coins_on_far_squares_are_answered_at_once() {
    let squares = vec![u64::MAX, 7, u64::MAX - 1, 1_000_000];
    let games: [&dyn Game; 2] = [&Nimble, &SilverDollar];
    for game in games {
        for convention in [Convention::Normal, Convention::Misere] {
            check_won(game, &squares, convention);
        }
    }
    let error = SilverDollar.start(vec![9, 4, 9]).unwrap_err().to_string();
    assert!(error.contains("two coins are on square 9"), "{error}");
}

/// The pile, and the most that may be taken.
fn fibonacci_nim(position: &[u64]) -> Vec<Vec<u64>> {
    let (pile, most) = (position[0], position[1]);
    let takes = (1..=pile).filter(|&take| take <= most);
    takes
        .map(|take| vec![pile - take, (2 * take).min(pile - take)])
        .collect()
}

#[test]
fn every_small_position_of_fibonacci_nim_agrees_with_the_game_tree() {
    let mut search = tree(fibonacci_nim);
    for pile in 0..70 {
        check(&mut search, &FibonacciNim::new(None), &[pile]);
        for most in 1..=pile {
            check(&mut search, &FibonacciNim::new(Some(most)), &[pile]);
        }
    }
}

/// A Fibonacci number is lost, and one stone more is won by taking it.
#[test]
fn fibonacci_nim_is_exact_to_the_largest_piles() {
    let game = FibonacciNim::new(None);
    let (mut before, mut pile) = (3u64, 5u64);
    while let Some(next) = pile.checked_add(before) {
        let outcome = |pile| {
            let start = game.start(vec![pile]).unwrap();
            let analysis = game.analyse(&start, Convention::Normal).unwrap();
            let found = game.winning_moves(&analysis).map(Result::unwrap);
            (
                analysis.outcome,
                found.map(|found| found.position).collect(),
            )
        };
        assert_eq!(outcome(pile), (Outcome::P, Vec::new()), "{pile}");
        assert_eq!(outcome(pile + 1), (Outcome::N, vec![vec![pile, 2]]));
        (before, pile) = (pile, next);
    }
    assert!(pile > 10_000_000_000_000_000_000);
    let most = game.start(vec![u64::MAX]).unwrap();
    let analysis = game.analyse(&most, Convention::Normal).unwrap();
    assert!(game.explain(&analysis).unwrap().concat().contains(" + "));
    assert!(game.start(vec![3, 5]).is_err());
}

/// The rows of eight squares in the order of the game's list, by their counters.
fn rows() -> Vec<[u64; 2]> {
    let squares = |left: u64| (left + 1..=8).map(move |right| [left, right]);
    (1..8).flat_map(squares).collect()
}

/// Each counter goes square by square, until the other one or the edge is in its way.
fn northcott(position: &[u64]) -> Vec<Vec<u64>> {
    let (all, last) = (rows(), position.len() - 1);
    let mut options = Vec::new();
    for index in 0..last {
        let row = all[position[index] as usize];
        for counter in 0..2 {
            let other = row[1 - counter];
            for to in 1..=8u64 {
                let (from, to) = (row[counter], to);
                let over = (from < other) != (to < other) || to == other;
                if to == from || over {
                    continue;
                }
                let retreats = to.abs_diff(other) > from.abs_diff(other);
                let mut squares = [to, other];
                squares.sort_unstable();
                let mut after = position.to_vec();
                after[index] = all.iter().position(|&row| row == squares).unwrap() as u64;
                if retreats && position[last] == 0 {
                    continue;
                }
                after[last] -= u64::from(retreats);
                options.push(after);
            }
        }
    }
    options
}

#[test]
fn small_positions_of_northcotts_game_agree_with_the_game_tree() {
    let mut search = tree(northcott);
    let places = rows().len() as u64;
    for retreats in [0, 1, 2] {
        let game = Northcott::new(retreats);
        check(&mut search, &game, &[]);
        for one in 0..places {
            check(&mut search, &game, &[one]);
            for other in 0..places {
                check(&mut search, &game, &[one, other]);
            }
        }
    }
    let game = Northcott::new(1);
    for three in [[3, 9, 20], [0, 13, 27], [0, 7, 7], [6, 12, 2], [1, 8, 14]] {
        check(&mut search, &game, &three);
    }
}

#[test]
fn a_row_of_northcotts_game_is_written_by_its_squares() {
    let game = Northcott::new(4);
    let read = |words: &[&str]| {
        game.read(words)
            .map(|rows| game.shown(&game.start(rows).unwrap()))
    };
    let shown = "[2-7, 1-6] and 4 retreats left";
    assert_eq!(read(&["2-7", "6-1"]).unwrap(), shown);
    assert_eq!(read(&["2", "7,1", "6"]).unwrap(), shown);
    for (words, reason) in [
        (["3", "5", "7"], "as in 2-7"),
        (["4-4", "1-2", "2-3"], "two counters are on square 4"),
        (["0-4", "1-2", "2-3"], "1 to 8"),
        (["1-9", "1-2", "2-3"], "1 to 8"),
        (["a-b", "1-2", "2-3"], "is no row"),
    ] {
        let error = read(&words).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(game.start(vec![28]).is_err());
}
