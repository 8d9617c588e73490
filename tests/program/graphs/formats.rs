//! What is read: by format, by content, and what is refused with its place.

use super::{MEMORY, game, run_graph, values};
use nim_analyser::game::graph::{Graph, GraphFormat, Place, Warning};

#[test]
fn what_is_no_graph_of_a_game_is_refused_with_its_place() {
    let refused: [(&[&str], &str, &str); 18] = [
        (&["-"], "", "the graph has no vertices"),
        (&["-"], "\n # nothing\n", "the graph has no vertices"),
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
        (&["-", "--format", "json"], "", "the graph has no vertices"),
        (
            &["-", "--format", "json"],
            "{}",
            "the graph has no vertices",
        ),
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
        let (code, out, err) = run_graph(words, input);
        assert_eq!((code, out.as_str()), (2, ""), "{input}");
        assert!(
            err.starts_with("error: ") && err.contains(message),
            "{input}: {err}"
        );
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
        let (code, out, err) = run_graph(&["-"], text);
        assert_eq!((code, out.as_str()), (0, table), "{text}: {err}");
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("moves.txt", "digraph{a->b}"),
        ("moves", "{\"a\":[\"b\"]}"),
        ("x.gv", "digraph{a->b}"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        assert_eq!(run_graph(&[file.to_str().unwrap()], "").1, table, "{name}");
    }
    // Only what begins as a graph in DOT does is one.
    assert_eq!(
        run_graph(&["-"], "digraph a\n").1.lines().nth(1),
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
            "line 2, column 3: the key \"a\" appears twice",
        ),
        (
            "{\"edges\":[[\"a\",\"b\"]],\"edges\":[]}",
            "the key \"edges\" appears twice",
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
        let (code, out, err) = run_graph(&["-"], text);
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        assert!(err.contains(message), "{text}: {err}");
    }
    let (code, _, err) = run_graph(&["-"], b"a b\nc \xff");
    assert_eq!(code, 2);
    assert!(
        err.contains("line 2, column 3: a byte that is not UTF-8"),
        "{err}"
    );
    let (_, _, err) = run_graph(&["-"], b"\xff\xfea\0 \0b\0");
    assert!(err.contains("UTF-16"), "{err}");
    let deep = format!("digraph {}a{}", "{".repeat(100_000), "}".repeat(100_000));
    let (code, _, err) = run_graph(&["-"], &deep);
    assert!(
        code == 2 && err.contains("nested more than 2000 deep"),
        "{err}"
    );
}

#[test]
fn edges_that_dot_once_lost_are_read() {
    let edges = |text: &str| {
        let (graph, _) = Graph::read(text.as_bytes(), GraphFormat::Dot, MEMORY).unwrap();
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
    let (_, warnings) =
        Graph::read(b"digraph{a->b\na->b 1.2.3}", GraphFormat::Dot, MEMORY).unwrap();
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
        Graph::read(b"strict digraph{a->b a->b}", GraphFormat::Dot, MEMORY)
            .unwrap()
            .1,
        []
    );
}

#[test]
fn dot_is_written_so_that_it_is_read_again() {
    let names = [
        "a\\", "a\\\\", "\\\"", "q\"", "\u{1b}", "\\u{1b}", "\\n", "\n", "node", "1a", "", "x y",
    ];
    let json = serde_json::json!({ "edges": names.map(|name| [name, "end"]) }).to_string();
    let dot = run_graph(&["-", "--dot"], &json).1;
    let values = values(&game(&dot, GraphFormat::Dot));
    assert_eq!(values.len(), names.len() + 1, "{dot}");
    assert_eq!(values.values().sum::<u128>(), names.len() as u128, "{dot}");
    for plain in ["q\"", "\\n", "node", "1a", "", "x y", "end", "a\\\\"] {
        assert!(values.contains_key(plain), "{plain}: {dot}");
    }
}

#[test]
fn a_first_line_that_counts_is_warned_of_and_left_out_on_request() {
    let text = "# a comment\n4 3\n1 2\n2 3\n2 4\n";
    let (code, out, err) = run_graph(&["-"], text);
    assert_eq!(code, 0);
    assert!(
        err.contains("warning: line 2: `4 3` is read as a move"),
        "{err}"
    );
    let (code, without, err) = run_graph(&["-", "--header"], text);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_ne!(out, without);
    assert_eq!(without, run_graph(&["-"], "1 2\n2 3\n2 4\n").1);
    for plain in [
        "4 3\n3 2\n",
        "4 3\n1 2\n2 3\n2 5\n",
        "a b\nb c\n",
        "4 3\n1 2\n2 x\n3 2\n",
    ] {
        assert_eq!(run_graph(&["-"], plain).2, "", "{plain}");
    }
    for (text, words) in [
        ("a b\n", &["-", "--header"][..]),
        ("{\"a\":[]}", &["-", "--header", "--format", "json"]),
    ] {
        assert_eq!(run_graph(words, text).0, 2, "{text}");
    }
}
