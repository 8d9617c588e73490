//! What is fuzzed: the examples of each reader, and what must hold of whatever it reads.

use nim_analyser::app::files::checkpoint::{Header, Saved, Saving};
use nim_analyser::app::play::{Player, Session, Settings, replay};
use nim_analyser::certificate::{Certificate, kind_of};
use nim_analyser::engine::definition::nim_values;
use nim_analyser::engine::{Effort, Engine};
use nim_analyser::game::catalogue;
use nim_analyser::game::graph::{Graph, GraphFormat};
use nim_analyser::misere::certificate::QuotientCertificate;
use nim_analyser::outcome::Convention;
use nim_analyser::position::parse_piles;
use nim_analyser::ruleset::{Code, Ruleset};
use nim_analyser::sequence::Sequence;
use nim_analyser::sequence::period::Finding;
use nim_analyser::sequence::period::certificate::{Checked, TableCertificate};
use nim_analyser::sequence::period::segments::{Segments, Share};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A reader.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    pub corpus: fn() -> Vec<Vec<u8>>,
    /// Panics if the reader does what it mustn't.
    pub run: fn(&[u8]),
}

pub const ALL: [Target; 9] = [
    Target {
        name: "code",
        corpus: || examples(include_str!("corpus/code")),
        run: |input| code(&text(input)),
    },
    Target {
        name: "piles",
        corpus: || examples(include_str!("corpus/piles")),
        run: |input| piles(&text(input)),
    },
    Target {
        name: "graph-edges",
        corpus: || examples(include_str!("corpus/graph-edges")),
        run: |input| graph(input, GraphFormat::Edges),
    },
    Target {
        name: "graph-dot",
        corpus: || examples(include_str!("corpus/graph-dot")),
        run: |input| graph(input, GraphFormat::Dot),
    },
    Target {
        name: "graph-json",
        corpus: || examples(include_str!("corpus/graph-json")),
        run: |input| graph(input, GraphFormat::Json),
    },
    Target {
        name: "certificate",
        corpus: certificates,
        run: |input| certificate(&text(input)),
    },
    Target {
        name: "checkpoint",
        corpus: checkpoints,
        run: checkpoint,
    },
    Target {
        name: "record",
        corpus: || examples(include_str!("corpus/record")),
        run: |input| record(&text(input)),
    },
    Target {
        name: "words",
        corpus: || examples(include_str!("corpus/words")),
        run: |input| words(&text(input)),
    },
];

/// The examples of a file, which stand between lines `%%`.
fn examples(file: &str) -> Vec<Vec<u8>> {
    file.split("%%\n")
        .map(|example| example.as_bytes().to_vec())
        .collect()
}

fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

/// So little that no case takes long.
fn little() -> Effort {
    Effort::default().memory(1 << 20).steps(20_000).threads(1)
}

/// A code prints as text that reads as the same code, and its table by partitions agrees with the definition.
fn code(text: &str) {
    let text = text.trim_end_matches('\n');
    if let Err(error) = text.parse::<Ruleset>() {
        assert!(!error.to_string().is_empty());
    }
    let _ = Code::octal(text);
    let Ok(code) = text.parse::<Code>() else {
        return;
    };
    assert_eq!(
        code.to_string().parse().as_ref(),
        Ok(&code),
        "{text} prints as {code}"
    );
    let _ = code.standard_form();
    let ruleset = Ruleset::from_code(code);
    let wanted = nim_values(&ruleset, 9).expect("codes end");
    let mut sequence = Sequence::with_effort(ruleset, little().engine(Engine::Partitions));
    sequence.fill(9).expect("nine heaps cost nothing");
    assert!(sequence.table().iter().eq(wanted.iter()), "{text}");
}

/// Piles read are read again as they print.
fn piles(text: &str) {
    let words: Vec<&str> = text.split_whitespace().collect();
    match parse_piles(&words) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(piles) if piles.len() <= 1000 => {
            let printed: Vec<String> = piles.iter().map(u64::to_string).collect();
            assert_eq!(parse_piles(&printed), Ok(piles), "{text:?}");
        }
        Ok(_) => {}
    }
}

/// A graph has as many values as vertices, and every neighbour another one.
fn graph(text: &[u8], format: GraphFormat) {
    let graph = match Graph::read(text, format, 1 << 24) {
        Ok((graph, _)) => graph,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let Ok(order) = graph.order() else {
        return;
    };
    let values = graph.nim_values(&order).expect("memory for a small graph");
    assert_eq!(values.len(), graph.len());
    for (vertex, value) in values.iter().enumerate() {
        let neighbours = graph.neighbours(vertex);
        assert!(
            neighbours
                .iter()
                .all(|&next| values[next as usize] != *value)
        );
    }
}

/// Certificates of every kind.
fn certificates() -> Vec<Vec<u8>> {
    let mut all = examples(include_str!("corpus/certificate"));
    let game = "0.16".parse().expect("a code");
    let mut sequence = Sequence::with_effort(game, Effort::default().threads(1));
    sequence.keep_window().expect("a game with few rares");
    let Ok(Finding::Proved(proof)) = sequence.find_period(1_000_000) else {
        panic!("0.16 has the period 149459 from pile 105351 on");
    };
    let segments = sequence.segments(&proof).expect("a proof by a window");
    all.push(serde_json::to_vec(&segments).expect("numbers and texts"));
    all
}

/// A certificate that is read can be checked.
fn certificate(text: &str) {
    let checked = match &*kind_of(text) {
        QuotientCertificate::KIND => QuotientCertificate::read(text)
            .and_then(|certificate| certificate.check(&little(), &()).map(drop)),
        Segments::KIND => Segments::read(text).and_then(|certificate| {
            certificate.check(&little(), &Share::new(certificate.claim()?, [0]))
        }),
        _ => TableCertificate::read(text)
            .and_then(|certificate| certificate.check(&little(), &Checked::All).map(drop)),
    };
    if let Err(error) = checked {
        assert!(!error.to_string().is_empty());
    }
}

/// In memory where the system has such a folder: a file written over again and again is slow on a disk.
static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder for checkpoints")
});

fn checkpoint_file() -> PathBuf {
    FOLDER.path().join("checkpoint")
}

fn parameters() -> BTreeMap<String, String> {
    BTreeMap::from([("game".to_owned(), "kayles".to_owned())])
}

/// Checkpoints as the program writes them.
fn checkpoints() -> Vec<Vec<u8>> {
    let lengths = [0, 1, 200, 3000];
    let make = |length: usize| {
        let header = Header {
            parameters: parameters(),
            state: BTreeMap::from([("count".to_owned(), length as u64)]),
            bytes: length as u64,
        };
        let file = checkpoint_file();
        let mut saving = Saving::create(&file, &header).expect("a new checkpoint");
        saving.write_all(&vec![7; length]).expect("its bytes");
        saving.finish().expect("its end");
        std::fs::read(&file).expect("what was written")
    };
    lengths.map(make).to_vec()
}

/// Every other time the checksum of the header is made right again, so that what follows it is read.
fn checkpoint(input: &[u8]) {
    let mut input = input.to_vec();
    let length = input
        .get(8..12)
        .map(|length| length.try_into().map(u32::from_le_bytes));
    if input.len().is_multiple_of(2)
        && let Some(Ok(length)) = length
        && let Some(end) = (length as usize).checked_add(12)
        && let Some((head, rest)) = input.split_at_mut_checked(end)
        && let Some(checksum) = rest.first_chunk_mut()
    {
        *checksum = crc32(head).to_le_bytes();
    }
    let file = checkpoint_file();
    std::fs::write(&file, &input).expect("a small file");
    read_all(&file);
}

fn read_all(file: &Path) {
    let mut saved = match Saved::open(file, &parameters()) {
        Ok(Some(saved)) => saved,
        Ok(None) => panic!("the file is there"),
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut bytes = 0;
    loop {
        match saved.next_block() {
            Ok(block) if block.is_empty() => break,
            Ok(block) => bytes += block.len() as u64,
            Err(error) => return assert!(!error.to_string().is_empty()),
        }
    }
    assert_eq!(bytes, saved.header.bytes);
}

/// CRC-32 as in zip, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

fn record(text: &str) {
    match replay(text, |name| catalogue::open(name, little())) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(games) => assert!(!games.is_empty()),
    }
}

/// A game at the table, line after line, that the words make or break.
fn words(text: &str) {
    let (name, text) = text.split_once('\n').unwrap_or(("kayles", text));
    let Ok(game) = catalogue::open(name, little()) else {
        return;
    };
    let settings = Settings {
        players: [Player::Human, Player::Human],
        convention: Convention::Normal,
        prediction: text.len().is_multiple_of(2),
        explain: true,
        seed: 1,
        piles: vec![5, 6],
        width: 40,
    };
    let Ok((mut session, _)) = Session::new(game.as_ref(), settings) else {
        return;
    };
    for line in text.lines().take(30) {
        match session.obey(line) {
            Ok(reply) if reply.quit => break,
            Ok(_) => {}
            Err(error) => return assert!(!error.to_string().is_empty()),
        }
    }
}
