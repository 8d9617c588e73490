//! The graph of the positions of a game.

use super::MEMORY;
use crate::common::program::run;
use nim_analyser::Convention;
use nim_analyser::game::graph::Graph;
use nim_analyser::game::{GraphGame, catalogue};
use std::cell::RefCell;
use std::collections::BTreeMap;

fn game_graph(words: &[&str]) -> (i32, String, String) {
    run(&[&["game-graph"], words].concat())
}

#[test]
fn the_graph_of_a_game_byte_for_byte() {
    let (code, out, err) = game_graph(&["-g", "nim", "2", "1"]);
    let expected = r#"digraph {
  // convention: normal; a doubled, filled vertex is a P-position
  "[1, 2]" [label="[1, 2]\n3 N"];
  "[2]" [label="[2]\n2 N"];
  "[1, 1]" [label="[1, 1]\n0 P", peripheries=2, style=filled, fillcolor=lightgrey];
  "[1]" [label="[1]\n1 N"];
  "[]" [label="[]\n0 P", peripheries=2, style=filled, fillcolor=lightgrey];
  "[1, 2]" -> "[2]";
  "[1, 2]" -> "[1, 1]";
  "[1, 2]" -> "[1]";
  "[2]" -> "[1]";
  "[2]" -> "[]";
  "[1, 1]" -> "[1]";
  "[1]" -> "[]";
}
"#;
    assert_eq!((code, out.as_str(), err.as_str()), (0, expected, ""));
    let (code, _, err) = game_graph(&["-g", "nim", "1e18", "5"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("more than 1000 positions") && err.contains("--limit"),
        "{err}"
    );
    assert_eq!(game_graph(&["-g", "nim", "2", "--limit", "2"]).0, 2);
    assert_eq!(game_graph(&["-g", "nim", "2", "--limit", "3"]).0, 0);
    assert_eq!(game_graph(&["-g", "nim"]).0, 2);
}

/// Of nine positions of Nim beside two of Kayles, in whatever order the piles come.
#[test]
fn the_order_of_piles_means_nothing_in_a_part_of_a_sum() {
    let (code, out, err) = game_graph(&["nim", "3", "2", "+", "kayles", "1"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out.matches(" [label=").count(), 18, "{out}");
}

#[test]
fn the_graph_of_a_game_says_what_the_game_says() {
    for (name, piles) in [
        ("couples-are-forever", vec![7, 4]),
        ("kayles", vec![5, 3]),
        ("4.7", vec![4, 2]),
        ("wythoff", vec![5, 4]),
        ("staircase", vec![1, 2, 3]),
        ("moore:2", vec![2, 2, 3]),
        ("poker-nim:2", vec![2, 2]),
        ("mock-turtles", vec![1, 4, 5]),
    ] {
        let rules = catalogue::open(name, Default::default()).unwrap();
        let start = rules.start(piles).unwrap();
        let positions = RefCell::new(BTreeMap::new());
        let key = |position: &[u64]| {
            let key = format!("{position:?}");
            positions
                .borrow_mut()
                .insert(key.clone(), position.to_vec());
            key
        };
        let graph = Graph::of_game(&*rules, &start, 5000, &key, MEMORY)
            .unwrap()
            .unwrap();
        let drawn = GraphGame::new(name, graph).unwrap();
        assert!(drawn.graph().len() > 10, "{name}");
        for (vertex, key) in drawn.graph().names().enumerate() {
            for convention in [Convention::Normal, Convention::Misere] {
                let found = rules.analyse(&positions.borrow()[key], convention).unwrap();
                assert_eq!(
                    drawn.outcome(vertex, convention),
                    found.outcome,
                    "{name} {key}"
                );
                if let Some(value) = found.nim_sum.filter(|_| convention == Convention::Normal) {
                    assert_eq!(drawn.nim_value(vertex), value, "{name} {key}");
                }
            }
        }
    }
}
