//! `values`: every format read back by a strict twin, the options that make no sense, and files that are written
//! whole or not at all.

use crate::common::program::{nim_analyser, printed, program, stdout};
use crate::common::rng::Rng;
use assert_cmd::Command;
use nim_analyser::app::report::sequence::{Format, Stretch};
use nim_analyser::engine::definition;
use nim_analyser::ruleset::Ruleset;
use nim_analyser::sequence::Values;
use predicates::prelude::*;
use predicates::str::contains;
use proptest::prelude::*;
use serde::Deserialize;
use std::fs;
use std::path::Path;

fn values(line: &str) -> Command {
    nim_analyser(&format!("values {line}"))
}

/// The index of the first line, if lines are numbered, and the values.
fn read(format: Format, bytes: &[u8]) -> (Option<i128>, Vec<u128>) {
    let text = || std::str::from_utf8(bytes).unwrap();
    let pairs = |text: &str, separator: char| {
        let pair = |line: &str| {
            let (n, g) = line.split_once(separator).unwrap();
            assert_eq!(line, format!("{n}{separator}{g}"));
            (n.parse::<i128>().unwrap(), g.parse().unwrap())
        };
        let pairs: Vec<(i128, u128)> = text.lines().map(pair).collect();
        assert!(text.ends_with('\n') && text.is_ascii() && !text.contains('\r'));
        assert!(pairs.windows(2).all(|two| two[0].0 + 1 == two[1].0));
        (Some(pairs[0].0), pairs.iter().map(|pair| pair.1).collect())
    };
    match format {
        Format::Csv => pairs(text().strip_prefix("n,g\n").unwrap(), ','),
        Format::Bfile => pairs(text(), ' '),
        Format::Tsv => pairs(text().strip_prefix("n\tg(n)\n").unwrap(), '\t'),
        Format::Latex => {
            let rows = text().strip_prefix("\\begin{tabular}{rr}\nn & g(n) \\\\\n\\hline\n");
            let rows = rows.unwrap().strip_suffix("\\end{tabular}\n").unwrap();
            pairs(&rows.replace(" \\\\\n", "\n").replace(" & ", "&"), '&')
        }
        Format::Markdown => {
            let rows = text().strip_prefix("| n | g(n) |\n| ---: | ---: |\n| ");
            let rows = rows.unwrap().strip_suffix(" |\n").unwrap();
            pairs(
                &(rows.replace(" |\n| ", "\n") + "\n").replace(" | ", "|"),
                '|',
            )
        }
        Format::Json => {
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields)]
            struct Object {
                #[serde(rename = "game")]
                _game: String,
                from: i128,
                values: Vec<u128>,
                schema: u32,
                kind: String,
            }
            assert_eq!(text().lines().count(), 1);
            let object: Object = serde_json::from_str(text()).unwrap();
            assert_eq!((object.schema, &*object.kind), (1, "values"));
            (Some(object.from), object.values)
        }
        Format::Text => {
            let rows: Vec<_> = text().lines().skip(2).collect();
            let cells = |row: &&str| {
                let (n, cells) = row.split_once('|').unwrap();
                let cells: Vec<u128> = cells
                    .split_whitespace()
                    .map(|g| g.parse().unwrap())
                    .collect();
                (n.trim().parse::<i128>().unwrap(), cells)
            };
            let rows: Vec<_> = rows.iter().map(cells).collect();
            assert!(rows.windows(2).all(|two| two[0].0 + 10 == two[1].0));
            assert!(rows[1..].iter().rev().skip(1).all(|row| row.1.len() == 10));
            (None, rows.into_iter().flat_map(|row| row.1).collect())
        }
        Format::Npy => (None, read_npy(bytes)),
        Format::Wl => {
            let letters = text().strip_suffix('\n').unwrap().chars();
            (
                None,
                letters.map(|letter| u128::from(letter == 'W')).collect(),
            )
        }
    }
}

fn read_npy(bytes: &[u8]) -> Vec<u128> {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert!(start.is_multiple_of(64) && bytes[start - 1] == b'\n');
    let header = std::str::from_utf8(&bytes[10..start]).unwrap().trim_end();
    let header = header.strip_prefix("{'descr': '").unwrap();
    let (descr, rest) = header.split_once('\'').unwrap();
    let shape = rest
        .strip_prefix(", 'fortran_order': False, 'shape': (")
        .and_then(|rest| rest.strip_suffix(",), }"));
    let width = match descr {
        "|u1" => 1,
        "<u2" => 2,
        "<u4" => 4,
        "<u8" => 8,
        other => panic!("{other}"),
    };
    let cell = |cell: &[u8]| {
        cell.iter()
            .rev()
            .fold(0, |sum, &byte| sum << 8 | u128::from(byte))
    };
    let values: Vec<u128> = bytes[start..].chunks_exact(width).map(cell).collect();
    assert_eq!(bytes.len(), start + width * values.len());
    assert_eq!(shape.unwrap().parse(), Ok(values.len()));
    values
}

const FORMATS: [Format; 8] = [
    Format::Text,
    Format::Csv,
    Format::Json,
    Format::Bfile,
    Format::Npy,
    Format::Latex,
    Format::Markdown,
    Format::Tsv,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_format_says_the_same(
        code in "[04]\\.[0-7]{1,3}",
        from in 0u64..90,
        more in 0u64..300,
        offset in -20i128..20,
    ) {
        let ruleset: Ruleset = code.parse().unwrap();
        let to = from + more;
        let table = definition::nim_values(&ruleset, to as usize).unwrap();
        let wanted: Vec<u128> = table.iter().skip(from as usize).map(u128::from).collect();
        let values = Values::from(table);
        let stretch = Stretch { game: code, from, to, offset };
        for format in FORMATS {
            let mut bytes = Vec::new();
            stretch.write(&values, format, &mut bytes).unwrap();
            let (first, found) = read(format, &bytes);
            let counted_from = if format == Format::Bfile { offset } else { from.into() };
            prop_assert!(first.is_none_or(|first| first == counted_from), "{format:?}");
            prop_assert_eq!(&found, &wanted, "{:?}", format);
        }
    }
}

#[test]
fn blocks_join_and_wide_values_fit() {
    let ruleset: Ruleset = "nim".parse().unwrap();
    let game = nim_analyser::HeapGame::new(ruleset);
    for (from, to) in [
        (0, 255),
        (0, 40_000),
        (65_500, 65_600),
        (1 << 33, (1 << 33) + 20),
        (u64::MAX - 20, u64::MAX),
    ] {
        let values = game.values(to).unwrap();
        let offset = from.into();
        let stretch = Stretch {
            game: "nim".to_owned(),
            from,
            to,
            offset,
        };
        for format in FORMATS {
            let mut bytes = Vec::new();
            stretch.write(&values, format, &mut bytes).unwrap();
            let wanted: Vec<u128> = (from..=to).map(u128::from).collect();
            assert_eq!(read(format, &bytes).1, wanted, "{format:?} from {from}");
        }
    }
}

#[test]
fn the_largest_value_is_found_without_a_walk_over_all() {
    for name in ["kayles", "lasker", "all-but:2,3,7"] {
        let ruleset: Ruleset = name.parse().unwrap();
        let game = nim_analyser::HeapGame::new(ruleset.clone());
        let periodic = game.values(1 << 60).unwrap();
        let table = definition::nim_values(&ruleset, 300).unwrap();
        let table = Values::from(table);
        for from in (0..200).step_by(3) {
            for to in (from..from + 100).step_by(7) {
                assert_eq!(periodic.largest((from, to)), table.largest((from, to)));
            }
        }
        assert!(periodic.largest((0, 1 << 60)).0 >= 8);
    }
}

#[test]
fn text_is_a_table_with_the_pile_at_the_left() {
    assert_eq!(
        stdout("values 25 --from 7 -g kayles"),
        concat!(
            " n | +0 +1 +2 +3 +4 +5 +6 +7 +8 +9\n",
            "---+------------------------------\n",
            " 0 |                       2  1  4\n",
            "10 |  2  6  4  1  2  7  1  4  3  2\n",
            "20 |  1  4  6  7  4  1\n",
        )
    );
}

#[test]
fn a_b_file_begins_with_its_offset() {
    assert_eq!(
        stdout("values 4 -g officers --format bfile"),
        "0 0\n1 0\n2 1\n3 2\n4 0\n"
    );
    assert_eq!(
        stdout("values 4 -g officers --from 2 --format bfile --offset -1"),
        "-1 1\n0 2\n1 0\n"
    );
}

#[test]
fn json_is_one_object() {
    let json =
        "{\"schema\":1,\"kind\":\"values\",\"game\":\"kayles\",\"from\":2,\"values\":[2,3,1]}\n";
    assert_eq!(stdout("values 4 --from 2 -g kayles --json"), json);
    assert_eq!(stdout("values 4 --from 2 -g kayles --format json"), json);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |line: &str, text: &'static str| {
        values(line)
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(text));
    };
    refused(
        "10 --from 11",
        "--from 11 is beyond the last pile 10; it must be from 0 to 10",
    );
    refused("10 --offset 1", "--offset needs --format bfile");
    refused(
        "10 --explain -o x.json",
        "--explain is written as text, latex",
    );
    refused("3e9 -g 0.6 --explain", "for at most 1000 piles");
    refused(
        "10 --format xml",
        "possible values: text, csv, json, bfile, wl, npy",
    );
    refused("7x3", "bad number `7x3`: expected one number, as in 100");
    refused("10 --from x", "expected one number, as in 100");
    refused("-5", "can't be negative");
    refused("10 -g kaylse", "did you mean `kayles`");
    refused("10 --checkpoint-every 5", "--checkpoint <FILE>");
    refused(
        "10 --checkpoint c --checkpoint-every x",
        "number of seconds",
    );
    values("10000 -g officers --memory 10K")
        .assert()
        .code(3)
        .stdout("")
        .stderr(contains("within reach"));
}

#[test]
fn the_steps_that_a_refusal_names_suffice() {
    for game in ["0.007", "0.8", "0.{1,2?}", "subtraction:1,4,9"] {
        let line = format!("900 -g {game} --engine definition --from 899");
        let refused = values(&format!("{line} --steps 1000")).assert().code(3);
        let error = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        let steps = error
            .split_once("help: --steps ")
            .and_then(|(_, rest)| rest.split_once(' '));
        let (steps, _) = steps.unwrap_or_else(|| panic!("{game}: {error}"));
        let one_less = steps.parse::<u64>().unwrap() - 1;
        values(&format!("{line} --steps {one_less}"))
            .assert()
            .code(3);
        let given = printed(&mut values(&format!("{line} --steps {steps}")));
        assert_eq!(given, printed(&mut values(&line)), "{game}");
    }
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).unwrap().next().is_none()
}

#[test]
fn the_ending_of_the_file_is_its_format() {
    let directory = tempfile::tempdir().unwrap();
    for (name, format) in [
        ("a.csv", Format::Csv),
        ("a.json", Format::Json),
        ("a.npy", Format::Npy),
        ("a", Format::Text),
    ] {
        let file = directory.path().join(name);
        values("300 -g kayles -o")
            .arg(&file)
            .assert()
            .success()
            .stdout("");
        assert_eq!(
            read(format, &fs::read(&file).unwrap()).1.len(),
            301,
            "{name}"
        );
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 4);
}

#[test]
fn an_output_that_cannot_be_opened_is_known_before_the_work() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("no/such/file");
    // The values would take hours.
    let mut command = values("400000 -g 0.8 --quiet -o");
    command
        .arg(&missing)
        .assert()
        .code(3)
        .stderr(contains("can't be written"));
    let mut command = values("400000 -g 0.8 --quiet -o");
    command
        .arg(directory.path())
        .assert()
        .code(3)
        .stderr(contains("can't be written"));
    assert!(is_empty(directory.path()));
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing() {
    let device = Path::new("/dev/full");
    if device.exists() {
        values("100000 -g nim --format csv -o /dev/full")
            .assert()
            .code(3)
            .stderr(contains("/dev/full can't be written").and(contains("No space left")));
    }
    let directory = tempfile::tempdir().unwrap();
    let program = program();
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; cd '{}'; exec '{}' values 100000 -g nim --format csv -o out",
        directory.path().display(),
        program.get_program().display()
    );
    let mut command = Command::new("sh");
    command
        .args(["-c", &script])
        .assert()
        .code(3)
        .stderr(contains("out can't be written"));
    assert!(is_empty(directory.path()));
}

#[test]
fn an_old_file_survives_a_failure() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("out");
    fs::write(&file, "old").unwrap();
    values("10000 -g officers --memory 10K -o")
        .arg(&file)
        .assert()
        .code(3);
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    values("3 -g kayles --json -o")
        .arg(&file)
        .assert()
        .success();
    assert!(fs::read_to_string(&file).unwrap().contains("[0,1,2,3]"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn what_values_writes_lookup_reads_and_pairs_and_quotients_are_tables_too() {
    let folder = tempfile::tempdir().unwrap();
    let formats = ["csv", "tsv", "json", "bfile"];
    for (game, formats) in [
        ("kayles", &formats[..]),
        ("4!.0", &formats[1..2]),
        ("nim", &formats[2..3]),
        ("lasker", &formats[3..]),
    ] {
        let mut found = Vec::new();
        for ending in formats {
            let file = folder.path().join("a").with_extension(ending);
            let file = file.to_str().unwrap();
            values(&format!("60 -g {game} -o {file}"))
                .assert()
                .success();
            let output = stdout(&["lookup", "--sequence", file, "--json"]);
            assert!(
                output.contains("\"games\":[{\"game\""),
                "{game} {ending}: {output}"
            );
            found.push(output);
        }
        assert!(found.windows(2).all(|two| two[0] == two[1]), "{game}");
    }
    assert_eq!(
        stdout("pairs 2 -g wythoff --format latex"),
        "\\begin{tabular}{rr}\nfirst & second \\\\\n\\hline\n0 & 0 \\\\\n1 & 2 \\\\\n\\end{tabular}\n"
    );
    assert_eq!(
        stdout("quotient nim --piles 2 --format markdown"),
        concat!(
            "| pile | order | P-portion | element |\n| ---: | ---: | ---: | ---: |\n",
            "| 0 | 1 | 0 | 1 |\n| 1 | 2 | 1 | a |\n| 2 | 6 | 2 | b |\n",
        )
    );
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn games_at_random_are_found_by_the_values_that_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(7, 0);
    let codes = std::iter::repeat_with(|| match rng.below(1024) {
        code @ 0..512 => format!("0.{code:03o}"),
        code => format!("4.{:03o}", code % 512),
    });
    let coins = ["ruler", "mock-turtles", "couples-are-forever", "grundy"];
    let games = coins.map(str::to_owned).into_iter().chain(codes.take(2));
    for (game, format) in games.zip(["csv", "tsv", "json", "bfile"].into_iter().cycle()) {
        let file = folder.path().join("values").with_extension(format);
        let file = file.to_str().unwrap();
        values(&format!("200 -g {game} -q -o {file}"))
            .assert()
            .success();
        let code = nim_analyser::ruleset::HEAP_GAMES
            .iter()
            .find(|entry| entry.name == game)
            .and_then(|entry| entry.code);
        let code = code
            .map(str::to_owned)
            .unwrap_or_else(|| match game.parse::<Ruleset>() {
                Ok(ruleset) => ruleset.code().map_or(game.clone(), ToString::to_string),
                Err(_) => game.clone(),
            });
        let output = stdout(&["lookup", "--sequence", file, "--json", "-q"]);
        let output: serde_json::Value = serde_json::from_str(&output).unwrap();
        let games = output["games"].as_array().unwrap();
        let is_it =
            |found: &serde_json::Value| found["game"] == code.as_str() && found["shift"] == 0;
        assert!(games.iter().any(is_it), "{game} as {format}: {output}");
    }
}

#[test]
fn the_working_is_a_table_too() {
    assert_eq!(
        stdout("values 3 -g kayles --explain --format tsv"),
        "n\tnim-values of the options\tg(n)\n0\t\t0\n1\t0\t1\n2\t0, 1\t2\n3\t0, 1, 2\t3\n"
    );
    assert_eq!(
        stdout("kayles 3 5 --explain --format markdown"),
        concat!(
            "| pile | nim-value | binary |\n| ---: | ---: | ---: |\n",
            "| 3 | 3 | 011 |\n| 5 | 4 | 100 |\n| nim-sum | 7 | 111 |\n",
        )
    );
    assert_eq!(
        stdout("kayles 3 + nim 2 --explain --format latex"),
        concat!(
            "\\begin{tabular}{rrr}\npile & nim-value & binary \\\\\n\\hline\n",
            "kayles 3 & 3 & 11 \\\\\nnim 2 & 2 & 10 \\\\\nnim-sum & 1 & 01 \\\\\n\\end{tabular}\n",
        )
    );
    for words in [
        &[
            "values",
            "3",
            "-g",
            "kayles",
            "--explain",
            "--format",
            "csv",
        ][..],
        &["kayles", "3", "--format", "tsv"],
        &[
            "kayles",
            "3",
            "5",
            "7",
            "--misere",
            "--explain",
            "--format",
            "tsv",
        ],
    ] {
        nim_analyser(words).assert().code(2);
    }
}
