//! What the library reports speaks of games and sizes, not of the program's options; what would help is said by the
//! program.

use crate::common::files_below;
use nim_analyser::Error;
use nim_analyser::certificate::Certificate;
use nim_analyser::engine::Effort;
use nim_analyser::error::{
    CertificateFault, Contradiction, DotFault, EdgeFault, GraphError, GraphFault, Place, Stated,
    Unclosed,
};
use nim_analyser::game::graph::{Graph, GraphFormat};
use nim_analyser::sequence::Sequence;
use nim_analyser::sequence::period::Finding;
use nim_analyser::sequence::period::certificate::{Checked, TableCertificate};
use std::error::Error as StdError;
use std::fs;
use std::path::Path;

#[test]
fn no_text_of_the_library_names_an_option_of_the_program_or_says_what_to_type() {
    let mut files = files_below(Path::new("src"), &["rs"]);
    let of_program = |file: &Path| {
        ["src/app", "src/main"]
            .iter()
            .any(|room| file.with_extension("").starts_with(room))
    };
    files.retain(|file| !of_program(file));
    assert!(files.len() > 50);
    let mut wrong = Vec::new();
    for file in &files {
        let (name, text) = (file.display(), fs::read_to_string(file).unwrap());
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for line in code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            let is_quoted = |at: usize| line[..at].matches('"').count() % 2 == 1;
            let is_option =
                |at: usize| line[at + 2..].starts_with(|c: char| c.is_ascii_lowercase());
            let mut options = line.match_indices("--").map(|(at, _)| at);
            let mut helps = line.match_indices("help: ").map(|(at, _)| at);
            let named = options.any(|at| is_quoted(at) && is_option(at)) || helps.any(is_quoted);
            // The command that runs a slow test.
            if named && !line.trim_start().starts_with("ignore = ") {
                wrong.push(format!("{name}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with a text of a graph, and where.
fn graph_fault(text: &str, format: GraphFormat) -> (Place, GraphFault) {
    match Graph::read(text.as_bytes(), format, 1 << 20) {
        Err(GraphError::Malformed { place, fault }) => (place, fault),
        found => panic!("{text}: {found:?}"),
    }
}

#[test]
fn what_is_wrong_with_a_graph_is_told_as_data() {
    let (place, fault) = graph_fault("a b\nc ->\n", GraphFormat::Edges);
    assert_eq!(place, Place::Line(2));
    assert_eq!(fault, GraphFault::Edge(EdgeFault::NoHead));
    for (text, fault, unclosed, after_hash) in [
        ("digraph { -> a }", DotFault::NoTail, None, false),
        ("digraph { a ! }", DotFault::NotInName('!'), None, false),
        (
            "digraph { a -> \"b",
            DotFault::NoHead,
            Some(Unclosed::Quotes),
            false,
        ),
        ("digraph { a [b=#c\n] }", DotFault::NoValue, None, true),
    ] {
        let wanted = GraphFault::Dot {
            fault,
            unclosed,
            after_hash,
        };
        assert_eq!(graph_fault(text, GraphFormat::Dot).1, wanted, "{text}");
    }
    let (place, fault) = graph_fault("{\"a\":[],\n\"a\":[]}", GraphFormat::Json);
    assert!(matches!(place, Place::Character { line: 2, .. }));
    assert_eq!(fault, GraphFault::RepeatedKey("a".to_owned()));
    let (graph, _) = Graph::read(b"a b\nb a\n", GraphFormat::Edges, 1 << 20).unwrap();
    let wanted = GraphError::Cycle {
        length: 2,
        begin: ["a", "b", "a"].map(str::to_owned).to_vec(),
        end: Vec::new(),
    };
    assert_eq!(graph.order(), Err(wanted));
    let (_, fault) = graph_fault("{\"a\":", GraphFormat::Json);
    let source = fault.source().and_then(StdError::source);
    let source = source.and_then(|source| source.downcast_ref::<serde_json::Error>());
    assert!(source.is_some_and(serde_json::Error::is_eof), "{fault:?}");
}

#[test]
fn what_contradicts_a_certificate_is_told_as_data() {
    let mut kayles = Sequence::new("kayles".parse().unwrap());
    let Finding::Proved(proof) = kayles.find_period(1000).unwrap() else {
        panic!("the period of Kayles is proved by few values");
    };
    let right = TableCertificate::new(&kayles, &proof);
    let refused = |change: &dyn Fn(&mut TableCertificate)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        match wrong.check(&Effort::default(), &Checked::All) {
            Err(Error::FalseCertificate {
                field,
                stated: Stated::Value(stated),
                found,
            }) => (field, stated, found),
            found => panic!("{found:?}"),
        }
    };
    let is_right = |value: &str| Contradiction::Right(value.to_owned());
    let (stated, right_value) = ("70".to_owned(), is_right("71"));
    assert_eq!(
        refused(&|wrong| wrong.preperiod = 70),
        ("preperiod", stated, right_value)
    );
    assert_eq!(
        refused(&|wrong| (wrong.period, wrong.saltus) = (0, 1)).2,
        Contradiction::ZeroPeriod
    );
    assert_eq!(refused(&|wrong| wrong.saltus = 1).2, is_right("0"));
    assert_eq!(
        refused(&|wrong| wrong.game = "chess".to_owned()).2,
        Contradiction::UnknownGame
    );
    let read = TableCertificate::read("{\"period\":12}");
    let Err(Error::NoCertificate(CertificateFault::Json(error))) = read else {
        panic!("{read:?}");
    };
    let source = error
        .source()
        .and_then(|source| source.downcast_ref::<serde_json::Error>());
    assert!(source.is_some_and(serde_json::Error::is_data));
}
