//! Hostile names, little memory, and texts that are nearly graphs.

use super::run_graph;
use crate::common::program::nim_analyser;
use nim_analyser::game::GraphGame;
use nim_analyser::game::graph::{Graph, GraphError, GraphFormat};
use nim_analyser::{Convention, Game};
use proptest::prelude::*;

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
        let (_, out, err) = run_graph(words, &json);
        assert!(
            !(out.clone() + &err).contains(obeyed),
            "{words:?}: {out:?} {err:?}"
        );
    }
    assert_eq!(
        run_graph(&["-"], &json).1,
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
        let (_, out, err) = run_graph(&["-"], text);
        assert!(
            !(out.clone() + &err).contains(obeyed),
            "{text:?}: {out:?} {err:?}"
        );
    }
    let (code, _, err) = run_graph(&[file.to_str().unwrap()], "");
    assert!(
        code == 2 && !err.contains('\u{1b}') && err.contains("no\\u{1b}[31m"),
        "{err:?}"
    );
}

#[test]
fn memory_is_asked_for_and_its_end_is_said() {
    let text: String = (0..50_000)
        .map(|vertex| format!("{vertex} {}\n", vertex + 1))
        .collect();
    assert_eq!(run_graph(&["-", "--memory", "100M"], &text).0, 0);
    for memory in ["1", "100K", "1M", "3M"] {
        let (code, out, err) = run_graph(&["-", "--memory", memory], &text);
        assert_eq!((code, out.as_str()), (3, ""), "{memory}: {err}");
        assert!(err.contains(" of memory allowed"), "{memory}: {err}");
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
        let found = Graph::read(text.as_bytes(), GraphFormat::Dot, 1 << 24).map(drop);
        let Err(GraphError::Memory { needed, allowed }) = found else {
            panic!("{found:?}");
        };
        assert!(needed > allowed && allowed == 1 << 24, "{needed}");
    }
    assert!(
        run_graph(&["/dev/zero"], "")
            .2
            .contains("a byte of value 0")
    );
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
    let output_within = |kilobytes: u64, words: &str| {
        let line = format!("ulimit -v {kilobytes}; exec \"$0\" {words}");
        let program = env!("CARGO_BIN_EXE_nim-analyser");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &line, program]).arg(&file);
        shell.output().unwrap()
    };
    // What the program takes before it reads a graph.
    let starts = |&kilobytes: &u64| output_within(kilobytes, "sum 1 2").status.success();
    let least = (4_000..200_000).step_by(1000).find(starts).unwrap();
    let mut refused = 0;
    for more in [1_000, 2_000, 3_000, 5_000, 50_000] {
        let output = output_within(least + more, "graph \"$1\"");
        let err = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => assert!(more > 1_000, "the graph took no memory"),
            Some(3) if err.contains("no memory left for the graph") => refused += 1,
            code => panic!("{more}: {code:?} {err}"),
        }
    }
    assert!((1..5).contains(&refused), "{refused}");
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
        GraphFormat::of_text(&text);
        for format in [GraphFormat::Edges, GraphFormat::Dot, GraphFormat::Json] {
            if let Ok((graph, _)) = Graph::read(&text, format, 1 << 20) {
                prop_assert!(!graph.is_empty());
                if let Ok(game) = GraphGame::new("any", graph) {
                    let all: Vec<u64> = (0..game.graph().len() as u64).take(3).collect();
                    game.analyse(&all, Convention::Misere).unwrap();
                }
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder
        .path()
        .join(std::ffi::OsStr::from_bytes(b"graph \xff\xfe.dot"));
    std::fs::write(&file, "digraph { a -> b }").unwrap();
    let mut command = nim_analyser("graph");
    command.arg(&file).assert().success();
    std::fs::write(&file, "digraph { a -> a }").unwrap();
    let mut command = nim_analyser("graph");
    let refused = command.arg(&file).assert().code(2);
    let errors = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
    assert!(errors.contains("graph \u{fffd}"), "{errors}");
}
