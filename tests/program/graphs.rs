//! Graphs of positions: against plain recursion, against heap games, in every format, and what is refused.

mod dot;
mod faults;
mod followers;
mod formats;

use crate::common::program::answer;
use crate::common::tree::{Search, each_pile};
use nim_analyser::game::GraphGame;
use nim_analyser::game::graph::{Graph, GraphError, GraphFormat};
use nim_analyser::{Convention, Game, HeapGame, Outcome, Ruleset};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const MEMORY: u64 = 1 << 30;

/// Edges from larger to smaller numbers, so that there is no cycle, under names that hide the order.
fn acyclic() -> impl Strategy<Value = Vec<(usize, usize)>> {
    let edge = (1usize..9).prop_flat_map(|from| (Just(from), 0..from));
    prop::collection::vec(edge, 1..20)
}

fn name(vertex: usize) -> String {
    format!("v{}", (vertex * 5 + 3) % 9)
}

fn edge_list(edges: &[(usize, usize)]) -> String {
    let lines = edges
        .iter()
        .map(|&(from, to)| format!("{} {}\n", name(from), name(to)));
    lines.collect()
}

fn game(text: &str, format: GraphFormat) -> GraphGame {
    GraphGame::new(
        "graph",
        Graph::read(text.as_bytes(), format, MEMORY).unwrap().0,
    )
    .unwrap()
}

/// The options of each vertex, read off the text.
type Options = BTreeMap<String, BTreeSet<String>>;

fn plain_options(edges: &[(usize, usize)]) -> Options {
    let mut options = Options::new();
    for &(from, to) in edges {
        options.entry(name(to)).or_default();
        options.entry(name(from)).or_default().insert(name(to));
    }
    options
}

/// The search of sums of vertices.
fn plain(options: &Options) -> Search<'_, Vec<String>> {
    let of_vertex = |vertex: &String| options[vertex].iter().map(|to| vec![to.clone()]).collect();
    Search::new(move |position: &Vec<String>| each_pile(position, of_vertex))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_graphs_agree_with_plain_recursion(edges in acyclic(), picks in prop::collection::vec(0usize..9, 0..3)) {
        let options = plain_options(&edges);
        let mut plain = plain(&options);
        let game = game(&edge_list(&edges), GraphFormat::Edges);
        for (vertex, name) in game.graph().names().enumerate() {
            let alone = vec![name.to_owned()];
            prop_assert_eq!(game.nim_value(vertex), plain.value(&alone, Convention::Normal));
            for convention in [Convention::Normal, Convention::Misere] {
                prop_assert_eq!(game.outcome(vertex, convention) == Outcome::N, plain.wins(&alone, convention));
            }
        }
        let known: Vec<&String> = options.keys().collect();
        let names: Vec<String> = picks.iter().map(|pick| known[pick % known.len()].clone()).collect();
        let position = game.position(&names).unwrap();
        for convention in [Convention::Normal, Convention::Misere] {
            let analysis = game.analyse(&position, convention).unwrap();
            prop_assert_eq!(analysis.outcome == Outcome::N, plain.wins(&names, convention));
            let mut wins = |position: &[u64]| {
                let names: Vec<String> = position.iter().map(|&vertex| game.label(vertex).unwrap().to_owned()).collect();
                plain.wins(&names, convention)
            };
            let moves: Vec<_> = game.moves(&position).map(Result::unwrap).collect();
            prop_assert_eq!(moves.len(), names.iter().map(|name| options[name].len()).sum::<usize>());
            let expected: Vec<_> = moves.into_iter().filter(|found| !wins(&found.position)).collect();
            let found: Vec<_> = game.winning_moves(&analysis).map(Result::unwrap).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_formats_say_the_same(edges in acyclic()) {
        let edges: BTreeSet<_> = edges.into_iter().collect();
        let edges: Vec<_> = edges.into_iter().collect();
        let expected: BTreeMap<_, _> = values(&game(&edge_list(&edges), GraphFormat::Edges));
        let arrows: String = edges.iter().map(|&(from, to)| format!("\"{}\" -> {} [label=x];\n", name(from), name(to))).collect();
        prop_assert_eq!(&values(&game(&format!("digraph {{ {arrows} }}"), GraphFormat::Dot)), &expected);
        let pairs: Vec<_> = edges.iter().map(|&(from, to)| [name(from), name(to)]).collect();
        let json = serde_json::json!({ "edges": pairs }).to_string();
        prop_assert_eq!(&values(&game(&json, GraphFormat::Json)), &expected);
        let json = serde_json::to_string(&plain_options(&edges)).unwrap();
        prop_assert_eq!(&values(&game(&json, GraphFormat::Json)), &expected);
        let mut dot = Vec::new();
        let first = game(&edge_list(&edges), GraphFormat::Edges);
        nim_analyser::app::report::graph::dot(&mut dot, &first, Convention::Normal).unwrap();
        prop_assert_eq!(&values(&game(&String::from_utf8(dot).unwrap(), GraphFormat::Dot)), &expected);
    }
}

fn values(game: &GraphGame) -> BTreeMap<String, u128> {
    let names = game.graph().names().map(str::to_owned);
    names
        .zip((0..).map(|vertex| game.nim_value(vertex)))
        .collect()
}

/// The graph of all sums of heaps that can come of the heaps up to `largest`.
fn graph_of(ruleset: &Ruleset, largest: u64) -> String {
    let key = |heaps: &[u64]| {
        let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
        format!("h{}", words.join("+"))
    };
    let mut text = String::new();
    let mut open: Vec<Vec<u64>> = (0..=largest).map(|heap| vec![heap]).collect();
    let mut seen: BTreeSet<Vec<u64>> = open.iter().cloned().collect();
    while let Some(heaps) = open.pop() {
        writeln!(text, "{}", key(&heaps)).unwrap();
        let mut options = BTreeSet::new();
        for (index, &heap) in heaps.iter().enumerate() {
            for option in ruleset.options(heap) {
                let mut after = [&heaps[..index], &heaps[index + 1..], &option.leave].concat();
                after.sort_unstable();
                options.insert(after);
            }
        }
        for after in options {
            writeln!(text, "{} -> {}", key(&heaps), key(&after)).unwrap();
            if seen.insert(after.clone()) {
                open.push(after);
            }
        }
    }
    text
}

#[test]
fn the_graph_of_a_heap_game_has_its_values() {
    for name in
        "couples-are-forever | grundy | kayles | nim | lasker | 0.137 | subtraction:1,3,4 | 4.7"
            .split(" | ")
    {
        let ruleset: Ruleset = name.parse().unwrap();
        let heaps = HeapGame::new(ruleset.clone());
        let game = game(&graph_of(&ruleset, 9), GraphFormat::Edges);
        let found = values(&game);
        for heap in 0..=9 {
            let analysis = heaps.analyse(&[heap], Convention::Normal).unwrap();
            assert_eq!(
                Some(found[&format!("h{heap}")]),
                analysis.nim_sum,
                "{name} {heap}"
            );
            let vertex = game.graph().vertex(&format!("h{heap}")).unwrap();
            let misere = heaps.analyse(&[heap], Convention::Misere).unwrap();
            assert_eq!(
                game.outcome(vertex, Convention::Misere),
                misere.outcome,
                "misère {name} {heap}"
            );
        }
    }
}

#[test]
fn a_line_of_play_as_long_as_the_graph_needs_no_recursion() {
    let text: String = (0..200_000)
        .map(|vertex| format!("{} {}\n", vertex, vertex + 1))
        .collect();
    let game = game(&text, GraphFormat::Edges);
    assert_eq!(game.nim_value(0), 0);
    assert_eq!(game.nim_value(199_999), 1);
    let around = text + "200000 0\n";
    let (graph, _) = Graph::read(around.as_bytes(), GraphFormat::Edges, MEMORY).unwrap();
    let Err(GraphError::Cycle { length, begin, end }) = graph.order() else {
        panic!("the cycle was missed");
    };
    assert_eq!(length, 200_001);
    assert_eq!(begin[..2], ["0", "1"]);
    assert_eq!(end[end.len() - 2..], ["200000", "0"]);
}

/// How the command `graph` ends with these words, what it prints, and its standard error, as [`answer`] gives them.
fn run_graph(words: &[&str], input: &(impl AsRef<[u8]> + ?Sized)) -> (i32, String, String) {
    answer(&[&["graph"], words].concat(), input)
}

#[test]
fn vertices_byte_for_byte() {
    let edges = "a b\na c\nb c # a comment\n\nd\n";
    let (code, out, err) = run_graph(&["-", "--json"], edges);
    assert_eq!(
        out,
        concat!(
            r#"{"schema":1,"kind":"graph","game":"graph","convention":"normal","vertices":[{"vertex":"a","nim_value":2,"outcome":"N"},"#,
            r#"{"vertex":"b","nim_value":1,"outcome":"N"},{"vertex":"c","nim_value":0,"outcome":"P"},"#,
            r#"{"vertex":"d","nim_value":0,"outcome":"P"}]}"#,
            "\n"
        )
    );
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(
        run_graph(&["-"], edges).1,
        "vertex  nim-value  outcome\na       2          N\nb       1          N\nc       0          P\nd       0          P\n"
    );
    assert_eq!(
        run_graph(&["-", "--misere"], edges).1,
        "Convention: misère (whoever makes the last move loses)\nvertex  outcome\na       N\nb       P\nc       N\nd       N\n"
    );
    let dot = run_graph(&["-", "--dot"], "a\\ \"b\n").1;
    assert!(dot.contains(r#""a\\" -> "\"b";"#), "{dot}");
    assert_eq!(run_graph(&["-", "--format", "dot"], &dot).0, 0, "{dot}");
    let dot = run_graph(&["-", "--dot"], edges).1;
    assert!(
        dot.contains(r#""c" [label="c\n0 P", peripheries=2"#),
        "{dot}"
    );
    assert!(
        dot.contains(r#""a" -> "b";"#) && !dot.contains(r#""a" [label="a\n2 N", "#),
        "{dot}"
    );
}

#[test]
fn sums_of_vertices_byte_for_byte() {
    let edges = "a b\na c\nb c\n";
    let (code, out, _) = run_graph(&["-", "--position", "a,b", "--all"], edges);
    let expected = "\
Initial Position: [a, b]
g-values: [g(a)=2, g(b)=1]
Nim-Sum (2 ^ 1): 3

This is a Winning Position.
Searching for a winning move...
A winning move is to move from a to b.
New state: [b, b]
";
    assert_eq!((code, out.as_str()), (0, expected));
    let (_, out, _) = run_graph(&["-", "-p", "a,b", "--misere", "--json", "--all"], edges);
    assert_eq!(
        out,
        concat!(
            r#"{"schema":1,"kind":"analysis","game":"graph","code":null,"convention":"misere","piles":["a","b"],"nim_values":null,"nim_sum":null,"#,
            r#""outcome":"N","winning":true,"winning_moves":[{"index":0,"from":"a","to":"c","position":["c","b"],"kind":"vertex","text":"move from a to c"}]}"#,
            "\n"
        )
    );
    let (code, out, _) = run_graph(&["-", "-p", "a,a", "--exit-code", "--explain"], edges);
    assert_eq!(code, 1);
    assert!(out.contains("g(a) = mex of these = 2"), "{out}");
    assert!(
        out.contains("The nim-sum is 0, and every move changes it"),
        "{out}"
    );
    let (_, out, _) = run_graph(&["-", "-p", "a,b", "--explain"], edges);
    assert!(
        out.contains("nim-sum 2 ^ 3 = 1, and so has b: from a to b"),
        "{out}"
    );
}

#[test]
fn a_repeated_edge_is_said_and_counts_once() {
    let (code, out, err) = run_graph(&["-", "-p", "a", "--all"], "a b\nc b\na b\n");
    assert_eq!(
        err,
        "warning: line 3: the edge a -> b was given before; it counts once\n"
    );
    assert_eq!((code, out.matches("A winning move").count()), (0, 1));
}

#[test]
fn dot_as_people_write_it_is_read() {
    let text = r#"
        // a comment, /* another
        strict digraph "my game" { /* of
            two lines */ rankdir=LR; node [shape=box, label=<<b>x</b>>]
            graph [bgcolor="]"];
            start -> { left; right } -> "the end" [label="a -> b"];
            subgraph cluster_1 { color=red; left:n -> -1.5 }
            # a last one
            alone
        }"#;
    let expected = [
        ("start", 0),
        ("left", 1),
        ("right", 1),
        ("the end", 0),
        ("-1.5", 0),
        ("alone", 0),
    ];
    let found = values(&game(text, GraphFormat::Dot));
    assert_eq!(found.len(), expected.len());
    for (name, value) in expected {
        assert_eq!(found[name], value, "{name}");
    }
}

#[test]
fn misere_sums_of_tame_vertices_need_no_search() {
    let path: String = (0..100_000)
        .map(|vertex| format!("{vertex} {}\n", vertex + 1))
        .collect();
    let (code, out, err) = run_graph(&["-", "--misere", "-p", "0,3,5,99999", "--all"], &path);
    assert_eq!((code, err.as_str()), (0, ""));
    // Every vertex is 0 or a heap of one, by turns: three heaps of one are lost.
    assert!(out.contains("This is a Losing Position."), "{out}");
    let (_, out, _) = run_graph(&["-", "--misere", "-p", "0,3,5"], &path);
    assert!(
        out.contains("A winning move is to move from 0 to 1."),
        "{out}"
    );
}

#[test]
fn misere_sums_of_wild_vertices_agree_with_plain_recursion() {
    // Vertices of the heaps of Kayles-like games are wild early: 2 + 2 + 3 as one vertex, and what is equal to it.
    let graph = game(&graph_of(&"0.07".parse().unwrap(), 9), GraphFormat::Edges);
    let names: Vec<String> = graph.graph().names().map(str::to_owned).collect();
    let heaps = HeapGame::new("0.07".parse().unwrap());
    let mut wild = 0;
    for (index, first) in names.iter().enumerate() {
        for second in &names[index..] {
            let vertices = [first, second, &names[0]];
            let piles = |name: &String| {
                let words = name[1..].split('+').filter(|word| !word.is_empty());
                words
                    .map(|word| word.parse().unwrap())
                    .collect::<Vec<u64>>()
            };
            let all: Vec<u64> = vertices.into_iter().flat_map(piles).collect();
            let position = graph.position(&vertices).unwrap();
            let found = graph
                .analyse(&position, Convention::Misere)
                .unwrap()
                .outcome;
            assert_eq!(
                found,
                heaps.analyse(&all, Convention::Misere).unwrap().outcome,
                "{vertices:?}"
            );
            wild += 1;
        }
    }
    assert!(wild > 100);
}

#[test]
fn the_working_of_a_whole_graph_byte_for_byte() {
    let edges = "a b\na c\nb c\nd b\n";
    let (code, out, _) = run_graph(&["-", "--explain"], edges);
    let expected = "\
vertex  nim-value  outcome
a       2          N
b       1          N
c       0          P
d       0          P

Working, each vertex after those that its moves lead to:
  c: no move; mex{} = 0, P
  b: c=0; mex{0} = 1, N
  a: b=1, c=0; mex{0,1} = 2, N
  d: b=1; mex{1} = 0, P
";
    assert_eq!((code, out.as_str()), (0, expected));
    let (_, out, _) = run_graph(&["-", "--explain", "--misere"], edges);
    let working = "\
  c: no move; whoever made the last move has lost: N
  b: c is N; every move leaves an N-position: P
  a: b is P, c is N; a move leaves a P-position: N
  d: b is P; a move leaves a P-position: N
";
    assert!(out.ends_with(working), "{out}");
}
