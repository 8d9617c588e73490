//! The games that are no sums of heaps, and the nim-sum, through the binary; published rows of Wythoff's game.

use crate::common::program::{run, stdout};
use nim_analyser::game::Wythoff;
use nim_analyser::{Convention, Game, Outcome};
use serde::Deserialize;
use std::collections::BTreeMap;

#[test]
fn the_nim_sum_of_the_notes_byte_for_byte() {
    let expected = "   2   0 1 0
   3   0 1 1
   4   1 0 0
  ----------
  1s   1 2 1   number of 1s
   5   1 0 1   nim-sum

2 ^ 3 ^ 4 = 5, in binary 101.
The nim-sum is not 0: in Nim with these piles, go first.
";
    assert_eq!(stdout("sum 2 3 4"), expected);
    assert_eq!(stdout("sum 0b10,0x3 4"), expected);
    assert_eq!(
        stdout("sum 1 4 5 --json"),
        "{\"schema\":1,\"kind\":\"sum\",\"addends\":[1,4,5],\"nim_sum\":0,\"binary\":\"0\",\"outcome\":\"P\",\"winning\":false}\n"
    );
    assert!(stdout("sum 18446744073709551615 0xffffffffffffffff").contains(" = 0, in binary 0."));
    assert!(stdout("sum 0b101,0x1F,0o17,2^3").contains("\n5 ^ 31 ^ 15 ^ 8 = "));
    assert!(stdout("sum 0xffff_ffff_ffff_ffff").contains("\n18446744073709551615 = "));
    assert_eq!(run("sum").0, 2);
    for word in " 0b2 0b 0o8 0x 0xg 0x+1 0x1_0000_0000_0000_0000 2^64 x -1".split(' ') {
        let (code, out, _) = run(&["sum", word]);
        assert_eq!((code, out.as_str()), (2, ""), "{word}");
    }
}

#[test]
fn the_positions_of_the_notes() {
    assert!(stdout("-g nim 3 4 5").contains("This is a Winning Position."));
    assert!(stdout("-g nim 1 4 5").contains("This is a Losing Position."));
    let values = [0, 0, 0, 1, 0, 2, 1];
    for (heap, value) in values.iter().enumerate() {
        let out = stdout(&format!("-g grundy {heap}"));
        assert!(
            out.contains(&format!("g-values: [g({heap})={value}]")),
            "{out}"
        );
    }
}

#[test]
fn the_working_of_nim_shows_the_deciding_bit() {
    let out = stdout("-g nim 3 4 5 --explain");
    for line in [
        "Its highest 1 stands for 2 (bit 1): that bit decides. Pile 3 has it too:",
        "  x         = 3 = 11",
        "  s         = 2 = 10",
        "  y = x ^ s = 1 = 01",
    ] {
        assert!(out.contains(line), "{line} is missing in {out}");
    }
}

#[test]
fn each_game_explains_itself_and_moves_in_its_own_words() {
    let said = [
        (
            "-g poker-nim 4 5 3 --all --explain",
            &[
                "Initial Piles: [4, 5, 3] and 10 in reserve",
                "A winning move is to take 2 from pile 3, leaving 1.\nNew state: [4, 5, 1] and 10 in reserve\nA winning move is to add 2 to pile 4.\nNew state: [6, 5, 3] and 8 in reserve",
                "An addition of t stones can be answered by taking the same t stones off that pile again.",
            ][..],
        ),
        (
            "-g poker-nim:1 4 5 3 --all",
            &[
                "A winning move is to take 2 from pile 3, leaving 1.\nNew state: [4, 5, 1] and 1 in reserve\n",
            ],
        ),
        (
            "-g staircase 9 3 1e18 5 --all --explain",
            &[
                "Odd steps: [step 1: 3, step 3: 5]\nNim-Sum (3 ^ 5): 6",
                "A winning move is to move 2 coins from step 2 to step 1.\nNew state: [9, 5, 999999999999999998, 5]",
                "A winning move is to move 2 coins from step 3 to step 2.\nNew state: [9, 3, 1000000000000000002, 3]",
                "Why even steps don't count:",
            ],
        ),
        (
            "-g wythoff 4 9 --explain",
            &[
                "A winning move is to take 2 from pile 9.\nNew state: [4, 7]",
                "Nim-value: 8",
                "(0, 0), (1, 2), (3, 5), (4, 7)",
            ],
        ),
        (
            "-g wythoff 5 6 --all",
            &[
                "A winning move is to take 3 from pile 6.\nNew state: [5, 3]\nA winning move is to take 4 from pile 5 and 4 from pile 6.\nNew state: [1, 2]",
            ],
        ),
        (
            "-g wythoff 18446744073709551615 1",
            &[
                "A winning move is to take 18446744073709551613 from pile 18446744073709551615.\nNew state: [2, 1]",
            ],
        ),
        (
            "-g moore:2 3 4 5 1e18 --explain",
            &[
                "New state: [1, 4, 5, 5]",
                "1s in each binary column, modulo 3:",
            ],
        ),
        (
            "-g moore:2 1 1 1 1 --misere",
            &["Convention: misère", "This is a Losing Position."],
        ),
        (
            "-g staircase 0 1 2 --misere",
            &["This is a Losing Position."],
        ),
        (
            "-g ruler 6 3 8 --explain",
            &[
                "Initial Piles: [3, 6, 8]\ng-values: [g(3)=1, g(6)=2, g(8)=8]",
                "A winning move is to turn the coins 6, 7 and 8.\nNew state: [3, 7]",
                "cancel. Of a single head on coin n, g(n) is the largest power of 2",
            ],
        ),
        ("-g twins 1 2 --misere", &["This is a Losing Position."]),
        (
            "-g nimble 5 2 0 --explain",
            &[
                "Initial Piles: [5, 2, 0]",
                "A winning move is to move the coin on square 5 to square 2.\nNew state: [2, 2, 0]",
                "This is Nim: the coin on square n is a pile of n stones",
            ],
        ),
        (
            "-g silver-dollar 9 3 5 --explain",
            &[
                "Initial Piles: [3, 5, 9]\nGaps that count: [3, 3]\nNim-Sum (3 ^ 3): 0",
                "  the gap before 3: 3\n  the gap from 5 to 9: 3",
                "This is a Losing Position.",
            ],
        ),
        (
            "-g fibonacci-nim 20 --explain",
            &[
                "Initial Piles: [20] and at most 19 may be taken\nFibonacci numbers: 20 = 13 + 5 + 2\nNim-value: ",
                "A winning move is to take 2 from pile 20, leaving 18.\nNew state: [18] and at most 4 may be taken",
                "  20 = 13 + 5 + 2\nIts smallest part is 2, and at most 19 may be taken: take it.\nThen 18 = 13 + 5 is left.",
            ],
        ),
        (
            "-g fibonacci-nim:4 18 --explain",
            &[
                "This is a Losing Position.",
                "Its smallest part is 5, and at most 4 may be taken.",
            ],
        ),
        (
            "-g northcott 2-7 1-6 3-4 --all --explain",
            &[
                "Initial Position: [2-7, 1-6, 3-4] and 10 retreats left\nGaps: [4, 4, 0]\nNim-Sum (4 ^ 4 ^ 0): 0",
                "  the gap of 2-7: 4",
                "This is a Losing Position.",
            ],
        ),
        (
            "-g northcott:1 2-5 1-3 --all",
            &[
                "A winning move is to move from 2-5 to 3-5.\nNew state: [3-5, 1-3] and 1 retreat left\nA winning move is to move from 2-5 to 2-4.\nNew state: [2-4, 1-3] and 1 retreat left\nA winning move is to move from 1-3 to 1-4.\nNew state: [2-5, 1-4] and 0 retreats left",
            ],
        ),
        ("-g wythoff 2 2 --misere", &["This is a Losing Position."]),
    ];
    for (line, texts) in said {
        let out = stdout(line);
        for text in texts {
            assert!(out.contains(text), "{line}: {text} is missing in {out}");
        }
    }
}

#[test]
fn coins_have_any_number_of_a_pile() {
    let said = [
        (
            "-g turning-turtles 1000000000000 5",
            "turn the coins 5 and 1000000000000.\nNew state: []",
        ),
        (
            "-g twins 18446744073709551615 3",
            "turn the coins 3 and 18446744073709551615.\nNew state: []",
        ),
        (
            "-g mock-turtles 1e18 5 7",
            "turn the coins 1, 3 and 1000000000000000000.\nNew state: [1, 3, 5, 7]",
        ),
        (
            "-g mock-turtles 18446744073709551615 1 2 4",
            "turn the coins 3 and 18446744073709551615.\nNew state: [1, 2, 3, 4]",
        ),
        (
            "-g ruler 1e18 5",
            "turn the coins 999999999999999999 and 1000000000000000000.\nNew state: [5, 999999999999999999]",
        ),
    ];
    for (line, text) in said {
        let out = stdout(line);
        assert!(out.contains(text), "{line}: {out}");
        // The position left is lost.
        let (_, state) = out.trim_end().rsplit_once('[').unwrap();
        let state = state.trim_end_matches(']').replace(',', "");
        if !state.is_empty() {
            let game = line.split(' ').nth(1).unwrap();
            let out = stdout(&format!("-g {game} {state}"));
            assert!(out.contains("Losing"), "{line}: {state}");
        }
    }
    let (code, _, err) = run("-g ruler 2^63 2^62");
    assert_eq!(code, 2);
    assert!(err.contains("turns 9223372036854775808 coins"), "{err}");
    let (code, _, err) = run("-g turning-turtles 0 5");
    assert_eq!(code, 2);
    assert!(err.contains("numbered from 1"), "{err}");
}

#[test]
fn moves_of_each_kind_as_json() {
    let said = [
        (
            "-g poker-nim:3 1 2 --all --json",
            r#"{"schema":1,"kind":"analysis","game":"poker-nim:3","code":null,"convention":"normal","piles":[1,2],"reserve":3,"nim_values":[1,2],"nim_sum":3,"outcome":"N","winning":true,"winning_moves":[{"index":1,"pile":2,"take":1,"leave":[1],"position":[1,1],"reserve":3,"kind":"heap","text":"take 1 from pile 2, leaving 1"},{"index":0,"pile":1,"add":1,"position":[2,2],"reserve":2,"kind":"add","text":"add 1 to pile 1"}]}"#,
        ),
        (
            "-g staircase 0 2 --json",
            r#"{"schema":1,"kind":"analysis","game":"staircase","code":null,"convention":"normal","piles":[0,2],"nim_values":[0,2],"nim_sum":2,"outcome":"N","winning":true,"winning_moves":[{"from":1,"to":0,"coins":2,"position":[2,0],"kind":"step","text":"move 2 coins from step 1 to step 0"}]}"#,
        ),
        (
            "-g silver-dollar 1 4 --json",
            r#"{"schema":1,"kind":"analysis","game":"silver-dollar","code":null,"convention":"normal","piles":[1,4],"nim_values":[0,2],"nim_sum":2,"outcome":"N","winning":true,"winning_moves":[{"index":1,"from":4,"to":2,"position":[1,2],"kind":"push","text":"move the coin on square 4 to square 2"}]}"#,
        ),
        (
            "-g fibonacci-nim 3 --json",
            r#"{"schema":1,"kind":"analysis","game":"fibonacci-nim","code":null,"convention":"normal","piles":[3],"most":2,"nim_values":[0],"nim_sum":0,"outcome":"P","winning":false,"winning_moves":[]}"#,
        ),
        (
            "-g northcott:0 1-3 --json",
            r#"{"schema":1,"kind":"analysis","game":"northcott:0","code":null,"convention":"normal","piles":["1-3"],"retreats":0,"nim_values":[1],"nim_sum":1,"outcome":"N","winning":true,"winning_moves":[{"index":0,"from":"1-3","to":"2-3","position":["2-3"],"retreats":0,"kind":"vertex","text":"move from 1-3 to 2-3"}]}"#,
        ),
        (
            "-g wythoff 300 2 --json",
            r#"{"schema":1,"kind":"analysis","game":"wythoff","code":null,"convention":"normal","piles":[300,2],"nim_values":null,"nim_sum":null,"outcome":"N","winning":true,"winning_moves":[{"piles":[{"index":0,"pile":300,"take":299}],"position":[1,2],"kind":"several","text":"take 299 from pile 300"}]}"#,
        ),
        (
            "-g moore:2 1 1 --json",
            r#"{"schema":1,"kind":"analysis","game":"moore:2","code":null,"convention":"normal","piles":[1,1],"nim_values":null,"nim_sum":null,"outcome":"N","winning":true,"winning_moves":[{"piles":[{"index":0,"pile":1,"take":1},{"index":1,"pile":1,"take":1}],"position":[0,0],"kind":"several","text":"take 1 from pile 1 and 1 from pile 1"}]}"#,
        ),
    ];
    for (line, expected) in said {
        assert_eq!(stdout(line), format!("{expected}\n"), "{line}");
    }
}

#[test]
fn what_a_game_is_not_played_with_is_refused() {
    let refused = [
        (
            "-g wythoff 3",
            "wythoff can't be played with these piles: it needs two piles, as in 3 5, not 1",
        ),
        ("-g wythoff 3 4 5", "not 3"),
        (
            "-g staircase 18446744073709551615 1",
            "more than 2^64-1 coins in all",
        ),
        (
            "-g moore 3",
            "`moore` is a family of games: it needs the most piles that a move may take from",
        ),
        ("-g moore:0 3", "bad game `moore:0`"),
        ("-g moore:x 3", "bad game `moore:x`"),
        (
            "-g poker-nim:-1 3",
            "bad game `poker-nim:-1`: after the colon comes the stones in reserve",
        ),
        ("-g ruler 3 5 3", "coin 3 is named twice"),
        (
            "-g fibonacci-nim:3 3 5",
            "it needs one pile, as in 20, not 2; several are a sum, as in fibonacci-nim 20 + fibonacci-nim 8",
        ),
        (
            "-g fibonacci-nim:0 5",
            "the most that the first move may take",
        ),
        (
            "-g northcott 3 5 7",
            "a row is the squares of its two counters, as in 2-7",
        ),
        ("-g northcott 4-4", "two counters are on square 4 of a row"),
        ("-g northcott 1-9", "the squares of a row are 1 to 8"),
        ("-g ruler 0", "coin 0; the coins are numbered from 1"),
        ("-g wythof 3 5", "did you mean `wythoff`?"),
        ("-g staircse 3 5", "did you mean `staircase`?"),
        ("values 5 -g staircase", "staircase is not a sum of piles"),
        ("values 5 -g moore:2", "moore:2 is not a sum of piles"),
    ];
    for (line, message) in refused {
        let (code, out, err) = run(line);
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.contains(message), "{line}: {err}");
    }
}

#[test]
fn every_game_of_the_list_can_be_analysed() {
    #[derive(Deserialize)]
    struct Entry {
        name: String,
        aliases: Vec<String>,
    }
    let games: Vec<Entry> = serde_json::from_str(&stdout("games --json")).unwrap();
    for entry in games {
        // The game of a single pile.
        let piles = match entry.name.starts_with("fibonacci") {
            true => "8",
            false => "3 5",
        };
        for name in entry.aliases.iter().chain([&entry.name]) {
            stdout(&format!("-g {name} {piles} --explain"));
            stdout(&format!("-g {name} {piles} --misere --all"));
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    #[expect(dead_code, reason = "says where the figures come from")]
    source: String,
    antidiagonals: Vec<u128>,
    rows: BTreeMap<u64, Vec<u128>>,
    options_of_10_10: usize,
}

#[test]
fn wythoff_agrees_with_the_published_values() {
    let published: Published = serde_json::from_str(include_str!("../data/wythoff.json")).unwrap();
    let value = |x, y| {
        Wythoff
            .analyse(&[x, y], Convention::Normal)
            .unwrap()
            .nim_sum
    };
    for (row, values) in &published.rows {
        for (column, expected) in (0..).zip(values) {
            assert_eq!(value(*row, column), Some(*expected), "{row} {column}");
            assert_eq!(value(column, *row), Some(*expected), "{column} {row}");
        }
    }
    let mut expected = published.antidiagonals.iter();
    'table: for sum in 0.. {
        for x in 0..=sum {
            let Some(&expected) = expected.next() else {
                break 'table;
            };
            assert_eq!(value(x, sum - x), Some(expected), "{x} {}", sum - x);
        }
    }
    assert_eq!(Wythoff.moves(&[10, 10]).count(), published.options_of_10_10);
}

#[test]
fn wythoff_at_the_fibonacci_numbers_beyond_a_million_millions() {
    // (1, 2), (3, 5), (8, 13), … are P-positions; f64 fails at 102334155.
    let (mut a, mut b) = (1u64, 2u64);
    while b < 1_000_000_000_000_000_000 {
        let outcome = |x, y| {
            Wythoff
                .analyse(&[x, y], Convention::Normal)
                .unwrap()
                .outcome
        };
        assert_eq!(outcome(a, b), Outcome::P, "{a} {b}");
        for (x, y) in [
            (a - 1, b),
            (a + 1, b),
            (a, b - 1),
            (a, b + 1),
            (a + 1, b + 1),
        ] {
            assert_eq!(outcome(x, y), Outcome::N, "{x} {y}");
        }
        if b > 1_000_000_000_000 {
            assert!(
                stdout(&format!("-g wythoff {b} {a}")).contains("Losing"),
                "{b} {a}"
            );
            assert!(
                stdout(&format!("-g wythoff {} {a}", b + 5)).contains("take 5 from pile"),
                "{b} {a}"
            );
        }
        (a, b) = (a + b, a + 2 * b);
    }
}
