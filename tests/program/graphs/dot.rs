//! DOT against Graphviz itself, where it is installed: the same graph is read, or both refuse.

use super::MEMORY;
use crate::common::rng::Rng;
use nim_analyser::error::{DotFault, GraphError, GraphFault, Place};
use nim_analyser::game::graph::{Graph, GraphFormat};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

/// What a text says: the vertices, and the edges by their ends.
#[derive(Debug, PartialEq, Eq)]
struct Plain {
    vertices: BTreeSet<String>,
    edges: BTreeSet<(String, String)>,
}

/// What Graphviz makes of a text: a graph for each that it holds, and whether it is directed; `None` if refused.
fn by_graphviz(text: &str) -> Option<Vec<(bool, Plain)>> {
    const PROGRAM: &str = r#"BEG_G{printf("G%d\001",isDirect($G))} N{printf("N%s\001",$.name)}
        E{printf("E%s\002%s\001",$.tail.name,$.head.name)}"#;
    let mut child = Command::new("gvpr")
        .arg(PROGRAM)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What Graphviz leaves unread is no fault.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    let output = child.wait_with_output().unwrap();
    if String::from_utf8_lossy(&output.stderr).contains("Error") {
        return None;
    }
    let found = String::from_utf8(output.stdout).unwrap();
    let mut graphs: Vec<(bool, Plain)> = Vec::new();
    for record in found.split_terminator('\u{1}') {
        let (kind, rest) = record.split_at(1);
        if kind == "G" {
            let empty = Plain {
                vertices: BTreeSet::new(),
                edges: BTreeSet::new(),
            };
            graphs.push((rest == "1", empty));
            continue;
        }
        let (_, graph) = graphs.last_mut().unwrap();
        match kind {
            "N" => drop(graph.vertices.insert(rest.to_owned())),
            _ => {
                let (from, to) = rest.split_once('\u{2}').unwrap();
                graph.edges.insert((from.to_owned(), to.to_owned()));
            }
        }
    }
    Some(graphs)
}

/// Compares the two readings of a text, and says whether Graphviz reads it.
fn compare(text: &str) -> bool {
    let found = Graph::read(text.as_bytes(), GraphFormat::Dot, MEMORY).map(|(graph, _)| {
        let name = |vertex: u32| graph.name(vertex as usize).unwrap().to_owned();
        let edges = (0..graph.len()).flat_map(|from| {
            let to = graph.neighbours(from).iter();
            to.map(move |&to| (name(from as u32), name(to)))
        });
        Plain {
            vertices: graph.names().map(str::to_owned).collect(),
            edges: edges.collect(),
        }
    });
    let fault = match &found {
        Err(GraphError::Malformed { place, fault }) => {
            assert!(matches!(place, Place::Character { .. }), "{text}");
            match fault {
                GraphFault::Dot { fault, .. } => Some(*fault),
                fault => panic!("{text}\n{fault}"),
            }
        }
        _ => None,
    };
    let Some(mut graphs) = by_graphviz(text) else {
        assert!(found.is_err(), "Graphviz refuses this:\n{text}\n{found:?}");
        return false;
    };
    if fault == Some(DotFault::TwoKinds) {
        return true;
    }
    if graphs.len() > 1 {
        assert!(
            found.is_err(),
            "Graphviz reads several graphs:\n{text}\n{found:?}"
        );
        return true;
    }
    match graphs.pop() {
        None => assert!(found.is_err(), "{text}\n{found:?}"),
        Some((false, _)) => assert_eq!(fault, Some(DotFault::Undirected), "{text}"),
        Some((_, graph)) if graph.edges.iter().any(|(from, to)| from == to) => {
            assert!(
                matches!(found, Err(GraphError::SelfLoop { .. })),
                "{text}\n{found:?}"
            );
        }
        Some((_, graph)) if graph.vertices.is_empty() => {
            assert_eq!(found, Err(GraphError::Empty), "{text}");
        }
        Some((_, graph)) => assert_eq!(found, Ok(graph), "{text}"),
    }
    true
}

/// Writes texts by the grammar.
struct Writer {
    rng: Rng,
    words: Vec<String>,
}

impl Writer {
    fn pick(&mut self, from: &[&str]) {
        let word = from[self.rng.below(from.len())].to_owned();
        self.words.push(word);
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.rng.below(bound) == 0
    }

    fn name(&mut self) {
        match self.rng.below(8) {
            0 => self.pick(&[
                "\"a\"",
                "\"b c\"",
                "\"node\"",
                "\"q\\\"x\"",
                "\"x\\\\\"",
                "\"l\\\nm\"",
                "\"n\nn\"",
                "\"é \\n\"",
            ]),
            1 => self.pick(&["-1.5", ".5", "7", "2.", "-.25", "12ab", "1.2.3", "3é"]),
            2 => self.pick(&["<h>", "<h <i>j</i>>", "<>", "<\"h\">", "<h\nk>"]),
            3 => {
                self.pick(&["\"a\"", "\"d\"", "<h2>"]);
                self.words.push("+".to_owned());
                self.pick(&["\"b\"", "\"\"", "<h3>"]);
            }
            4 => self.pick(&["é", "日本", "_x", "a1", "Nodes"]),
            _ => self.pick(&["a", "b", "c", "d", "e", "f", "g", "h1", "i", "j", "k", "l"]),
        }
    }

    fn attributes(&mut self) {
        self.pick(&["["]);
        for _ in 0..self.rng.below(3) {
            self.pick(&["x", "y", "\"z\"", "k"]);
            self.pick(&["="]);
            self.name();
            self.pick(&["", ",", ";"]);
        }
        self.pick(&["]"]);
    }

    fn operand(&mut self, depth: usize) {
        if depth > 0 && self.one_in(4) {
            if self.one_in(2) {
                self.pick(&["subgraph", "SubGraph"]);
                if !self.one_in(3) {
                    self.pick(&["s", "t", "\"s\"", "cluster_1"]);
                }
            }
            self.pick(&["{"]);
            self.statements(depth - 1);
            self.pick(&["}"]);
            return;
        }
        self.name();
        loop {
            if self.one_in(8) {
                self.pick(&[":"]);
                self.pick(&["n", "\"p\"", "se"]);
                if self.one_in(3) {
                    self.pick(&[":"]);
                    self.pick(&["sw", "c"]);
                }
            }
            if !self.one_in(5) {
                return;
            }
            self.pick(&[","]);
            self.name();
        }
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..self.rng.below(5) {
            match self.rng.below(10) {
                0 => {
                    self.pick(&["node", "edge", "graph", "NODE"]);
                    self.attributes();
                }
                1 => {
                    self.name();
                    self.pick(&["="]);
                    self.name();
                }
                _ => {
                    self.operand(depth);
                    while self.one_in(2) {
                        self.pick(&["->"]);
                        self.operand(depth);
                    }
                    while self.one_in(4) {
                        self.attributes();
                    }
                }
            }
            self.pick(&[";", "", "\n"]);
        }
    }

    fn mutate(&mut self) {
        const OTHER: [&str; 24] = [
            "{", "}", "[", "]", ";", ",", "=", ":", "+", "->", "--", "-", "<", ">", "\"", "#",
            "#x\n", "/*", "//", "node", "subgraph", "strict", "@", "\u{feff}",
        ];
        for _ in 0..1 + self.rng.below(3) {
            let at = self.rng.below(self.words.len());
            let other = self.rng.below(self.words.len());
            match self.rng.below(5) {
                0 => drop(self.words.remove(at)),
                1 => self.words.insert(at, self.words[other].clone()),
                2 => self.words.swap(at, other),
                3 => self
                    .words
                    .insert(at, OTHER[self.rng.below(OTHER.len())].to_owned()),
                _ => {
                    let word: Vec<char> = self.words[at].chars().collect();
                    let cut = self.rng.below(word.len() + 1);
                    self.words[at] = word[..cut].iter().collect();
                }
            }
            if self.words.is_empty() {
                return;
            }
        }
    }

    /// A text, valid unless it is changed.
    fn text(seed: u64, number: u64) -> String {
        let mut writer = Writer {
            rng: Rng::new(seed, number),
            words: Vec::new(),
        };
        writer.pick(&["", "", "", "strict", "Strict"]);
        writer.pick(&[
            "digraph", "digraph", "digraph", "DiGraph", "digraph", "graph",
        ]);
        if writer.one_in(3) {
            writer.name();
        }
        writer.pick(&["{"]);
        writer.statements(3);
        writer.pick(&["}"]);
        let mutated = number % 2 == 1;
        if mutated {
            writer.mutate();
        }
        const BETWEEN: [&str; 12] = [
            " ",
            " ",
            " ",
            "\n",
            "\t",
            "\r\n",
            "/* - */",
            " // {\n",
            " # }\n",
            "\n# 3 \"x\"\n",
            "",
            "",
        ];
        let mut text = String::new();
        let words = std::mem::take(&mut writer.words);
        for (index, word) in words.iter().enumerate() {
            text += word;
            let next = words.get(index + 1).and_then(|next| next.chars().next());
            let joins = |c: Option<char>| {
                c.is_some_and(|c| c.is_alphanumeric() || "_.-\u{feff}".contains(c))
            };
            let between = BETWEEN[writer.rng.below(BETWEEN.len())];
            let glued = between.is_empty() && joins(word.chars().last()) && joins(next) && !mutated;
            text += if glued { " " } else { between };
        }
        text
    }
}

fn compare_many(texts: u64) {
    if Command::new("gvpr").arg("-V").output().is_err() {
        eprintln!("skipped: gvpr, a program of Graphviz, is not installed");
        return;
    }
    let read = (0..texts)
        .filter(|&number| compare(&Writer::text(1, number)))
        .count();
    // Both sides must have been tried.
    assert!(
        read as u64 > texts / 3 && read as u64 <= texts * 9 / 10,
        "{read} of {texts} read"
    );
}

#[test]
fn dot_is_read_as_graphviz_reads_it() {
    compare_many(400);
}

/// `cargo test --test graphs -- --ignored graphviz`
#[test]
#[ignore = "a minute"]
fn much_dot_is_read_as_graphviz_reads_it() {
    compare_many(20_000);
}
