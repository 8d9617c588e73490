//! Graphs of positions: against plain recursion, against heap games, in every format, and what is refused.

#![cfg(feature = "cli")]

#[path = "graphs/dot.rs"]
mod dot;

use assert_cmd::Command;
use nim_analyser::game::GraphGame;
use nim_analyser::game::catalogue;
use nim_analyser::game::graph::{
    Format, Graph, GraphError, Place, Warning, parse_dot, parse_edges, parse_json,
};
use nim_analyser::{Convention, Game, HeapGame, Outcome, Ruleset, grundy};
use proptest::prelude::*;
use std::cell::RefCell;
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

fn game(text: &str, format: Format) -> GraphGame {
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

fn plain_value(options: &Options, vertex: &str) -> u64 {
    grundy::mex(
        options[vertex]
            .iter()
            .map(|option| plain_value(options, option)),
    )
}

fn plain_wins(options: &Options, position: &[String], misere: bool) -> bool {
    let mut has_moves = false;
    for (index, vertex) in position.iter().enumerate() {
        for option in &options[vertex] {
            has_moves = true;
            let mut after = position.to_vec();
            after[index] = option.clone();
            if !plain_wins(options, &after, misere) {
                return true;
            }
        }
    }
    !has_moves && misere
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_graphs_agree_with_plain_recursion(edges in acyclic(), picks in prop::collection::vec(0usize..9, 0..3)) {
        let options = plain_options(&edges);
        let game = game(&edge_list(&edges), Format::Edges);
        for (vertex, name) in game.graph().names().enumerate() {
            prop_assert_eq!(game.nim_value(vertex), plain_value(&options, name).into());
            for (convention, misere) in [(Convention::Normal, false), (Convention::Misere, true)] {
                let wins = plain_wins(&options, &[name.to_owned()], misere);
                prop_assert_eq!(game.outcome(vertex, convention) == Outcome::N, wins);
            }
        }
        let known: Vec<&String> = options.keys().collect();
        let names: Vec<String> = picks.iter().map(|pick| known[pick % known.len()].clone()).collect();
        let position = game.position(&names).unwrap();
        for (convention, misere) in [(Convention::Normal, false), (Convention::Misere, true)] {
            let analysis = game.analyse(&position, convention).unwrap();
            prop_assert_eq!(analysis.outcome == Outcome::N, plain_wins(&options, &names, misere));
            let wins = |position: &[u64]| {
                let names: Vec<String> = position.iter().map(|&vertex| game.label(vertex).unwrap().to_owned()).collect();
                plain_wins(&options, &names, misere)
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
        let expected: BTreeMap<_, _> = values(&game(&edge_list(&edges), Format::Edges));
        let arrows: String = edges.iter().map(|&(from, to)| format!("\"{}\" -> {} [label=x];\n", name(from), name(to))).collect();
        prop_assert_eq!(&values(&game(&format!("digraph {{ {arrows} }}"), Format::Dot)), &expected);
        let pairs: Vec<_> = edges.iter().map(|&(from, to)| [name(from), name(to)]).collect();
        let json = serde_json::json!({ "edges": pairs }).to_string();
        prop_assert_eq!(&values(&game(&json, Format::Json)), &expected);
        let json = serde_json::to_string(&plain_options(&edges)).unwrap();
        prop_assert_eq!(&values(&game(&json, Format::Json)), &expected);
        let mut dot = Vec::new();
        let first = game(&edge_list(&edges), Format::Edges);
        nim_analyser::app::report::graph::dot(&mut dot, &first, Convention::Normal).unwrap();
        prop_assert_eq!(&values(&game(&String::from_utf8(dot).unwrap(), Format::Dot)), &expected);
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
    for name in [
        "couples-are-forever",
        "grundy",
        "kayles",
        "nim",
        "lasker",
        "0.137",
        "subtraction:1,3,4",
        "4.7",
    ] {
        let ruleset: Ruleset = name.parse().unwrap();
        let heaps = HeapGame::new(ruleset.clone());
        let game = game(&graph_of(&ruleset, 9), Format::Edges);
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
    let game = game(&text, Format::Edges);
    assert_eq!(game.nim_value(0), 0);
    assert_eq!(game.nim_value(199_999), 1);
    let around = text + "200000 0\n";
    let (graph, _) = Graph::read(around.as_bytes(), Format::Edges, MEMORY).unwrap();
    let Err(GraphError::Cycle { length, cycle }) = graph.order() else {
        panic!("the cycle was missed");
    };
    assert_eq!(length, 200_001);
    assert!(
        cycle.starts_with("0 -> 1 ->") && cycle.ends_with("-> 200000 -> 0"),
        "{cycle}"
    );
}

fn run_command(command: &str, words: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_nim-analyser"));
    let output = program
        .arg(command)
        .args(words)
        .write_stdin(input)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn run_bytes(words: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    run_command("graph", words, input)
}

fn run(words: &[&str], input: &str) -> (Option<i32>, String, String) {
    run_bytes(words, input.as_bytes())
}

#[test]
fn vertices_byte_for_byte() {
    let edges = "a b\na c\nb c # a comment\n\nd\n";
    let (code, out, err) = run(&["-", "--json"], edges);
    assert_eq!(
        out,
        concat!(
            r#"{"game":"graph","convention":"normal","vertices":[{"vertex":"a","nim_value":2,"outcome":"N"},"#,
            r#"{"vertex":"b","nim_value":1,"outcome":"N"},{"vertex":"c","nim_value":0,"outcome":"P"},"#,
            r#"{"vertex":"d","nim_value":0,"outcome":"P"}]}"#,
            "\n"
        )
    );
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(
        run(&["-"], edges).1,
        "vertex  nim-value  outcome\na       2          N\nb       1          N\nc       0          P\nd       0          P\n"
    );
    assert_eq!(
        run(&["-", "--misere"], edges).1,
        "Convention: misère (whoever makes the last move loses)\nvertex  outcome\na       N\nb       P\nc       N\nd       N\n"
    );
    let dot = run(&["-", "--dot"], "a\\ \"b\n").1;
    assert!(dot.contains(r#""a\\" -> "\"b";"#), "{dot}");
    assert_eq!(run(&["-", "--format", "dot"], &dot).0, Some(0), "{dot}");
    let dot = run(&["-", "--dot"], edges).1;
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
    let (code, out, _) = run(&["-", "--position", "a,b", "--all"], edges);
    let expected = "\
Initial Position: [a, b]
g-values: [g(a)=2, g(b)=1]
Nim-Sum (2 ^ 1): 3

This is a Winning Position.
Searching for a winning move...
A winning move is to move from a to b.
New state: [b, b]
";
    assert_eq!((code, out.as_str()), (Some(0), expected));
    let (_, out, _) = run(&["-", "-p", "a,b", "--misere", "--json", "--all"], edges);
    assert_eq!(
        out,
        concat!(
            r#"{"game":"graph","code":null,"convention":"misere","piles":["a","b"],"nim_values":null,"nim_sum":null,"#,
            r#""outcome":"N","winning":true,"winning_moves":[{"index":0,"from":"a","to":"c","position":["c","b"]}]}"#,
            "\n"
        )
    );
    let (code, out, _) = run(&["-", "-p", "a,a", "--exit-code", "--explain"], edges);
    assert_eq!(code, Some(1));
    assert!(out.contains("g(a) = mex of these = 2"), "{out}");
    assert!(
        out.contains("The nim-sum is 0, and every move changes it"),
        "{out}"
    );
    let (_, out, _) = run(&["-", "-p", "a,b", "--explain"], edges);
    assert!(
        out.contains("nim-sum 2 ^ 3 = 1, and so has b: from a to b"),
        "{out}"
    );
}

#[test]
fn what_is_no_graph_of_a_game_is_refused_with_its_place() {
    let refused: [(&[&str], &str, &str); 18] = [
        (&["-"], "", "the graph is empty"),
        (&["-"], "\n # nothing\n", "the graph is empty"),
        (
            &["-"],
            "a b\nb c\nc a\n",
            "cycle of 3 vertices, so the game need not end: a -> b -> c -> a",
        ),
        (&["-"], "x a\na a\n", "line 2: a has a move to itself"),
        (&["-"], "a b\na b c\n", "line 2: more than two names"),
        (
            &["-", "-p", "a,z"],
            "a b\n",
            "there is no vertex `z`; the graph's vertices are a, b",
        ),
        (&["-", "--format", "json"], "", "the graph is empty"),
        (&["-", "--format", "json"], "{}", "the graph is empty"),
        (
            &["-", "--format", "json"],
            r#"{"edges":[["a","b"],["b","c"]],"vertices":["a","b"]}"#,
            "edge 2: c is not among the vertices",
        ),
        (
            &["-", "--format", "json"],
            "{\"a\":\n\"b\"}",
            "line 2, column 3: invalid type: string \"b\", expected a list of vertices",
        ),
        (
            &["-", "--format", "json"],
            r#"{"edges":[["a"]]}"#,
            "expected two vertices",
        ),
        (
            &["-", "--format", "json"],
            r#"{"a":["b"]} x"#,
            "line 1, column 13: trailing characters",
        ),
        (
            &["-", "--format", "json"],
            r#"{"a":["a"]}"#,
            "edge 1: a has a move to itself",
        ),
        (
            &["-", "--format", "dot"],
            "digraph { a -> {b c} -> d\n\n a->a ; }",
            "line 3: a has a move to itself",
        ),
        (
            &["-", "--format", "dot"],
            "graph { a -- b }",
            "line 1, column 1: an undirected graph",
        ),
        (
            &["-", "--format", "dot"],
            "digraph {\n a ->\n}",
            "line 3, column 1: `->` needs a vertex on its right",
        ),
        (
            &["-", "--format", "dot"],
            "digraph { a \n",
            "doesn't end: `}` is missing",
        ),
        (&["no-such-file"], "", "can't read no-such-file"),
    ];
    for (words, input, message) in refused {
        let (code, out, err) = run(words, input);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{input}");
        assert!(
            err.starts_with("error: ") && err.contains(message),
            "{input}: {err}"
        );
    }
}

#[test]
fn a_repeated_edge_is_said_and_counts_once() {
    let (code, out, err) = run(&["-", "-p", "a", "--all"], "a b\nc b\na b\n");
    assert_eq!(
        err,
        "warning: line 3: the edge a -> b was given before; it counts once\n"
    );
    assert_eq!((code, out.matches("A winning move").count()), (Some(0), 1));
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
    let found = values(&game(text, Format::Dot));
    assert_eq!(found.len(), expected.len());
    for (name, value) in expected {
        assert_eq!(found[name], value, "{name}");
    }
}

#[test]
fn a_text_is_known_by_what_it_begins_with() {
    let table = "vertex  nim-value  outcome\na       1          N\nb       0          P\n";
    for text in [
        "a b",
        "a->b",
        "a -> b # x",
        "a,b\r\n",
        "\u{feff}a b\na\n",
        "digraph { a -> b }",
        "\u{feff}digraph{a->b}",
        "// x\n/* y */ # z\nSTRICT DiGraph \"g\"\n{a->b}",
        "{\"a\":[\"b\"]}",
        "\u{feff} {\"edges\":[[\"a\",\"b\"]]}",
    ] {
        let (code, out, err) = run(&["-"], text);
        assert_eq!((code, out.as_str()), (Some(0), table), "{text}: {err}");
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("moves.txt", "digraph{a->b}"),
        ("moves", "{\"a\":[\"b\"]}"),
        ("x.gv", "digraph{a->b}"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        assert_eq!(run(&[file.to_str().unwrap()], "").1, table, "{name}");
    }
    // Only what begins as a graph in DOT does is one.
    assert_eq!(
        run(&["-"], "digraph a\n").1.lines().nth(1),
        Some("digraph  1          N")
    );
}

#[test]
fn what_was_read_in_silence_is_refused() {
    for (text, message) in [
        ("a ->\n", "line 1: no vertex on the right of `->`"),
        ("a b\n->b", "line 2: no vertex on the left of `->`"),
        ("a -> b->c", "line 1: more than one `->`"),
        (
            "{\"a\":[\"b\"],\n\"a\":[\"c\"]}",
            "line 2, column 3: the key \"a\" stands twice",
        ),
        (
            "{\"edges\":[[\"a\",\"b\"]],\"edges\":[]}",
            "the key \"edges\" stands twice",
        ),
        ("[[\"a\",\"b\"]]", "expected an object like"),
        ("graph { a -- b }", "line 1, column 1: an undirected graph"),
        (
            "digraph { a [color=#ff0000]\n b -> c }",
            "`#` began a comment",
        ),
        (
            "digraph { a [shape=box\n b -> c }",
            "line 2, column 4: `=` is missing",
        ),
        (
            "digraph { a\n  é: -> c }",
            "line 2, column 6: the name of a port is missing",
        ),
        (
            "digraph {\n a -> @ }",
            "line 2, column 7: `->` needs a vertex on its right; the text ends with `@`",
        ),
        (
            "digraph { a } digraph { b }",
            "line 1, column 15: a second graph",
        ),
        ("digraph { <a> -> \"a\" }", "in angle brackets and without"),
        (
            "digraph { a -> b; /* }",
            "the graph doesn't end: `}` is missing; the text ends with a comment",
        ),
        (
            "digraph { a; ; b }",
            "line 1, column 14: `;` is out of place",
        ),
        ("a b\0", "line 1, column 4: a byte of value 0"),
    ] {
        let (code, out, err) = run(&["-"], text);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{text}");
        assert!(err.contains(message), "{text}: {err}");
    }
    let (code, _, err) = run_bytes(&["-"], b"a b\nc \xff");
    assert_eq!(code, Some(2));
    assert!(
        err.contains("line 2, column 3: a byte that is not UTF-8"),
        "{err}"
    );
    let (_, _, err) = run_bytes(&["-"], b"\xff\xfea\0 \0b\0");
    assert!(err.contains("UTF-16"), "{err}");
    let deep = format!("digraph {}a{}", "{".repeat(100_000), "}".repeat(100_000));
    let (code, _, err) = run(&["-"], &deep);
    assert!(
        code == Some(2) && err.contains("nested more than 2000 deep"),
        "{err}"
    );
}

#[test]
fn edges_that_dot_once_lost_are_read() {
    let edges = |text: &str| {
        let (graph, _) = Graph::read(text.as_bytes(), Format::Dot, MEMORY).unwrap();
        let name = |vertex: usize| graph.name(vertex).unwrap();
        let edges = (0..graph.len()).flat_map(|from| {
            let to = graph.neighbours(from).iter();
            to.map(move |&to| format!("{}>{}", name(from), name(to as usize)))
        });
        edges.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(edges("digraph{a, b -> c, d}"), "a>c a>d b>c b>d");
    assert_eq!(
        edges("digraph{subgraph s {a b} subgraph s {c} -> d}"),
        "a>d b>d c>d"
    );
    assert_eq!(edges("digraph{\"a\"+\"b\" -> <c<d>> {} -> a}"), "ab>c<d>");
    assert_eq!(
        edges("digraph{subgraph s {a} -> b -> c subgraph s {x} subgraph t {subgraph s {y}} -> z}"),
        "a>b b>c y>z"
    );
    assert_eq!(
        edges("digraph{a:n:s -> b:\"p\" [x=y;z=\"]\",k=1][] c -> 12a}"),
        "a>b c>12"
    );
    let (_, warnings) = Graph::read(b"digraph{a->b\na->b 1.2.3}", Format::Dot, MEMORY).unwrap();
    let cut = Warning::CutNumber {
        place: Place::Line(2),
        text: "1.2.3".to_owned(),
        number: 3,
    };
    let again = Warning::Repeated {
        place: Place::Line(2),
        from: 0,
        to: 1,
    };
    assert_eq!(warnings, [cut, again]);
    assert_eq!(
        Graph::read(b"strict digraph{a->b a->b}", Format::Dot, MEMORY)
            .unwrap()
            .1,
        []
    );
}

#[test]
fn names_that_a_terminal_would_obey_are_shown_instead() {
    let hostile = "\u{1b}]0;owned\u{7}\nx\u{202e}";
    let json = serde_json::json!({ hostile: ["b\\\u{9b}"], "b\\\u{9b}": [] }).to_string();
    let obeyed = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no\u{1b}[31m\nfile");
    let with_edges: [&[&str]; 9] = [
        &["-"],
        &["-", "--misere"],
        &["-", "--explain"],
        &["-", "--dot"],
        &["-", "--json"],
        &["-", "-p", hostile, "--explain", "--all"],
        &["-", "-p", hostile, "--misere", "--explain"],
        &["-", "-p", hostile, "--json"],
        &["-", "-p", "\u{1b}[31m"],
    ];
    for words in with_edges {
        let (_, out, err) = run(words, &json);
        assert!(
            !(out.clone() + &err).contains(obeyed),
            "{words:?}: {out:?} {err:?}"
        );
    }
    assert_eq!(
        run(&["-"], &json).1,
        "vertex                          nim-value  outcome\n\
         \\u{1b}]0;owned\\u{7}\\nx\\u{202e}  1          N\n\
         b\\\\\\u{9b}                       0          P\n"
    );
    for text in [
        "\u{1b}[31m \u{1b}[31m\n",
        "a \u{1b}\na \u{1b}\n",
        "a \u{1b}\n\u{1b} a\n",
        "a b \u{1b}\n",
    ] {
        let (_, out, err) = run(&["-"], text);
        assert!(
            !(out.clone() + &err).contains(obeyed),
            "{text:?}: {out:?} {err:?}"
        );
    }
    let (code, _, err) = run(&[file.to_str().unwrap()], "");
    assert!(
        code == Some(2) && !err.contains('\u{1b}') && err.contains("no\\u{1b}[31m"),
        "{err:?}"
    );
}

#[test]
fn dot_is_written_so_that_it_is_read_again() {
    let names = [
        "a\\", "a\\\\", "\\\"", "q\"", "\u{1b}", "\\u{1b}", "\\n", "\n", "node", "1a", "", "x y",
    ];
    let json = serde_json::json!({ "edges": names.map(|name| [name, "end"]) }).to_string();
    let dot = run(&["-", "--dot"], &json).1;
    let values = values(&game(&dot, Format::Dot));
    assert_eq!(values.len(), names.len() + 1, "{dot}");
    assert_eq!(values.values().sum::<u128>(), names.len() as u128, "{dot}");
    for plain in ["q\"", "\\n", "node", "1a", "", "x y", "end", "a\\\\"] {
        assert!(values.contains_key(plain), "{plain}: {dot}");
    }
}

#[test]
fn memory_is_asked_for_and_its_end_is_said() {
    let text: String = (0..50_000)
        .map(|vertex| format!("{vertex} {}\n", vertex + 1))
        .collect();
    assert_eq!(run(&["-", "--memory", "100M"], &text).0, Some(0));
    for memory in ["1", "100K", "1M", "3M"] {
        let (code, out, err) = run(&["-", "--memory", memory], &text);
        assert_eq!((code, out.as_str()), (Some(3), ""), "{memory}: {err}");
        assert!(err.contains("bytes of memory allowed"), "{memory}: {err}");
    }
    // All pairs would take more than there is.
    let many: String = (0..10_000).map(|vertex| format!("v{vertex} ")).collect();
    for text in [
        format!(
            "digraph {{ {{ {many} }} -> {{ {} }} }}",
            many.replace('v', "w")
        ),
        format!("digraph {{ {}", format!("{{ {many} ").repeat(100)),
    ] {
        let found = parse_dot(text.as_bytes(), 1 << 24).map(drop);
        assert_eq!(found, Err(GraphError::Memory { allowed: 1 << 24 }));
    }
    assert!(run(&["/dev/zero"], "").2.contains("a byte of value 0"));
}

#[cfg(unix)]
#[test]
fn a_machine_short_of_memory_is_no_abort() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moves.txt");
    let text: String = (0..60_000)
        .map(|vertex| format!("{vertex} {}\n", vertex + 1))
        .collect();
    std::fs::write(&file, text).unwrap();
    let run = |kilobytes: u64, words: &str| {
        let line = format!("ulimit -v {kilobytes}; exec \"$0\" {words}");
        let program = env!("CARGO_BIN_EXE_nim-analyser");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, program]).arg(&file);
        shell.output().unwrap()
    };
    // What the program takes before it reads a graph.
    let starts = |&kilobytes: &u64| run(kilobytes, "sum 1 2").status.success();
    let least = (4_000..200_000).step_by(1000).find(starts).unwrap();
    let mut refused = 0;
    for more in [1_000, 2_000, 3_000, 5_000, 50_000] {
        let output = run(least + more, "graph \"$1\"");
        let err = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => assert!(more > 1_000, "the graph took no memory"),
            Some(3) if err.contains("no memory left for the graph") => refused += 1,
            code => panic!("{more}: {code:?} {err}"),
        }
    }
    assert!((1..5).contains(&refused), "{refused}");
}

#[test]
fn misere_sums_of_tame_vertices_need_no_search() {
    let path: String = (0..100_000)
        .map(|vertex| format!("{vertex} {}\n", vertex + 1))
        .collect();
    let (code, out, err) = run(&["-", "--misere", "-p", "0,3,5,99999", "--all"], &path);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    // Every vertex is 0 or a heap of one, by turns: three heaps of one are lost.
    assert!(out.contains("This is a Losing Position."), "{out}");
    let (_, out, _) = run(&["-", "--misere", "-p", "0,3,5"], &path);
    assert!(
        out.contains("A winning move is to move from 0 to 1."),
        "{out}"
    );
}

#[test]
fn misere_sums_of_wild_vertices_agree_with_plain_recursion() {
    // Vertices of the heaps of Kayles-like games are wild early: 2 + 2 + 3 as one vertex, and what is equal to it.
    let graph = game(&graph_of(&"0.07".parse().unwrap(), 9), Format::Edges);
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
    let (code, out, _) = run(&["-", "--explain"], edges);
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
    assert_eq!((code, out.as_str()), (Some(0), expected));
    let (_, out, _) = run(&["-", "--explain", "--misere"], edges);
    let working = "\
  c: no move; whoever made the last move has lost: N
  b: c is N; every move leaves an N-position: P
  a: b is P, c is N; a move leaves a P-position: N
  d: b is P; a move leaves a P-position: N
";
    assert!(out.ends_with(working), "{out}");
}

fn game_graph(words: &[&str]) -> (Option<i32>, String, String) {
    run_command("game-graph", words, b"")
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
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), expected, ""));
    let (code, _, err) = game_graph(&["-g", "nim", "1e18", "5"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("more than 1000 positions") && err.contains("--limit"),
        "{err}"
    );
    assert_eq!(game_graph(&["-g", "nim", "2", "--limit", "2"]).0, Some(2));
    assert_eq!(game_graph(&["-g", "nim", "2", "--limit", "3"]).0, Some(0));
    assert_eq!(game_graph(&["-g", "nim"]).0, Some(2));
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

/// Texts close to graphs: pieces of all formats in any order, and any bytes between them.
fn near_graphs() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&str; 34] = [
        "digraph",
        "graph",
        "subgraph",
        "node",
        "strict",
        "{",
        "}",
        "[",
        "]",
        "->",
        "--",
        "=",
        ":",
        ",",
        ";",
        "+",
        "\"",
        "\\",
        "<",
        ">",
        "#",
        "/*",
        "*/",
        "//",
        "\n",
        " ",
        "a",
        "b",
        "12c",
        "-.5",
        "\"x\"",
        "{\"a\":[\"b\"]}",
        "\"edges\":[[\"a\",\"b\"]]",
        "\u{feff}",
    ];
    let piece = prop_oneof![
        8 => (0..PIECES.len()).prop_map(|piece| PIECES[piece].as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_text_makes_a_reader_panic(text in near_graphs(), head in 0usize..4) {
        let text = [[&b""[..], b"digraph{", b"{\"edges\":[", b"{\"a\":["][head], &text].concat();
        Format::of_text(&text);
        for parse in [parse_edges, parse_dot, parse_json] {
            if let Ok((graph, _)) = parse(&text, 1 << 20) {
                prop_assert!(!graph.is_empty());
                if let Ok(game) = GraphGame::new("any", graph) {
                    let all: Vec<u64> = (0..game.graph().len() as u64).take(3).collect();
                    game.analyse(&all, Convention::Misere).unwrap();
                }
            }
        }
    }
}
