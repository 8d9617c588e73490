//! The JSON of every command meets its schema in `docs/schema`, which names every key and allows no other.

use crate::common::program::{answer, stdout};
use serde_json::Value;

/// The kinds whose output has no `schema` and `kind` in front.
const HEADLESS: [&str; 1] = ["games"];

fn output(words: &[&str], input: &str) -> Value {
    let (_, text, _) = answer(words, input);
    assert_eq!(text.matches('\n').count(), 1, "{words:?}: {text}");
    let version = r#"{"schema":1,"kind":""#;
    let headed = text.starts_with(version);
    assert!(headed || HEADLESS.contains(&words[0]), "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Checks that an output is of a kind and meets its schema.
fn check(kind: &str, words: &[&str], input: &str) {
    let value = output(words, input);
    if !HEADLESS.contains(&kind) {
        assert_eq!(value["kind"], kind, "{words:?}");
    }
    let schema = schema(kind);
    let faults = faults(&schema, &schema, &value, "");
    assert!(faults.is_empty(), "{words:?}: {faults:#?}");
}

fn schema(kind: &str) -> Value {
    let file = format!("{}/docs/schema/{kind}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn json_and_a_format_exclude_one_another() {
    for line in ["nim 3 4", "values 9 nim", "pairs 5 nim", "quotient 0.75"] {
        let (code, out, err) = answer(&format!("{line} --json --format latex"), "");
        assert_eq!((code, &*out), (2, ""), "{line}");
        let conflict = "'--json' cannot be used with '--format";
        assert!(err.contains(conflict), "{line}: {err}");
    }
}

/// What is wrong with a value by a schema: the part of JSON Schema that our schemas use, and no more.
fn faults(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (keyword, rule) in schema.as_object().unwrap() {
        let mut need = |met: bool| {
            if !met {
                found.push(format!("{at}: {value} is not {keyword} {rule}"));
            }
        };
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "properties" => {}
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                found.extend(faults(root, &root["$defs"][name], value, at));
            }
            "const" => need(rule == value),
            "enum" => need(rule.as_array().unwrap().contains(value)),
            "type" => {
                let is = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    "integer" => value.is_u64() || value.is_i64(),
                    "number" => value.is_number(),
                    other => panic!("no type {other}"),
                };
                need(
                    rule.as_array()
                        .map_or_else(|| is(rule), |names| names.iter().any(is)),
                );
            }
            "minimum" => need(
                value
                    .as_f64()
                    .is_none_or(|number| number >= rule.as_f64().unwrap()),
            ),
            "minItems" => need(
                value
                    .as_array()
                    .is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap()),
            ),
            "maxItems" => need(
                value
                    .as_array()
                    .is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap()),
            ),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(faults(root, rule, item, &format!("{at}[{index}]")));
                }
            }
            "required" => {
                let names = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|name| name.as_str().unwrap());
                let has = |name: &str| {
                    value
                        .as_object()
                        .is_none_or(|object| object.contains_key(name))
                };
                need({ names }.all(has));
            }
            "additionalProperties" => {
                let properties = schema["properties"].as_object().unwrap();
                for (name, inner) in value.as_object().into_iter().flatten() {
                    match properties.get(name) {
                        Some(rule) => {
                            found.extend(faults(root, rule, inner, &format!("{at}.{name}")))
                        }
                        None => found.push(format!("{at}: {name} is unknown")),
                    }
                }
            }
            "oneOf" => {
                let fitting = rule.as_array().unwrap().iter();
                let fitting = fitting.filter(|rule| faults(root, rule, value, at).is_empty());
                need(fitting.count() == 1);
            }
            "description" => {}
            other => panic!("the checker doesn't know {other}"),
        }
    }
    found
}

#[test]
fn every_command_meets_its_schema() {
    let edges = "a b\na c\nb c\n";
    for (kind, words, input) in [
        ("analysis", &["7", "8", "--json"][..], ""),
        (
            "analysis",
            &[
                "kayles",
                "1e18",
                "+",
                "staircase",
                "1",
                "2",
                "+",
                "poker-nim",
                "3",
                "--all",
                "--json",
            ],
            "",
        ),
        (
            "simulation",
            &[
                "simulate", "nim", "3", "+", "kayles", "4", "--games", "5", "--json",
            ],
            "",
        ),
        (
            "analysis",
            &["-g", "kayles", "1e18", "5", "--all", "--json"],
            "",
        ),
        (
            "analysis",
            &["-g", "kayles", "3", "4", "--misere", "--all", "--json"],
            "",
        ),
        (
            "analysis",
            &["-g", "poker-nim", "1", "2", "--all", "--json"],
            "",
        ),
        ("analysis", &["-g", "staircase", "0", "2", "--json"], ""),
        ("analysis", &["-g", "silver-dollar", "1", "4", "--json"], ""),
        (
            "analysis",
            &["northcott 2-7 1-3 + fibonacci-nim 20", "--all", "--json"],
            "",
        ),
        (
            "analysis",
            &["-g", "northcott", "2-7", "1-3", "--all", "--json"],
            "",
        ),
        ("analysis", &["-g", "fibonacci-nim", "20", "--json"], ""),
        (
            "analysis",
            &["-g", "moore:2", "1", "2", "--all", "--json"],
            "",
        ),
        (
            "analysis",
            &["-g", "wythoff", "3", "9", "--all", "--json"],
            "",
        ),
        (
            "analysis",
            &["-g", "mock-turtles", "3", "9", "--all", "--json"],
            "",
        ),
        (
            "analysis",
            &["graph", "-", "-p", "a,b", "--all", "--json"],
            edges,
        ),
        ("graph", &["graph", "-", "--json"], edges),
        ("graph", &["graph", "-", "--json", "--misere"], edges),
        ("values", &["values", "30", "--json"], ""),
        ("period", &["period", "kayles", "--json"], ""),
        ("period", &["period", "nim", "--json"], ""),
        ("period", &["period", "take half", "--json"], ""),
        ("period", &["period", "0.6", "--limit", "500", "--json"], ""),
        (
            "lookup",
            &["lookup", "0.07", "--bound", "100", "--json"],
            "",
        ),
        ("lookup", &["lookup", "0.6", "--bound", "100", "--json"], ""),
        (
            "invariants",
            &["invariants", "0.106", "--to", "2^17", "--json"],
            "",
        ),
        (
            "invariants",
            &["invariants", "0.106", "--to", "3000", "--json"],
            "",
        ),
        ("sum", &["sum", "2", "3", "4", "--json"], ""),
        ("mul", &["mul", "2", "3", "4", "--json"], ""),
        ("mul", &["mul", "--divide", "2", "3", "--json"], ""),
        ("mul", &["mul", "--sqrt", "2", "--json"], ""),
        ("mul", &["mul", "--table", "2", "--json"], ""),
        ("mex", &["mex", "0", "1", "3", "--json"], ""),
        ("mex", &["mex", "--json"], ""),
        ("pairs", &["pairs", "5", "-g", "wythoff", "--json"], ""),
        (
            "simulation",
            &["simulate", "kayles", "5", "--games", "3", "--json"],
            "",
        ),
        (
            "simulation",
            &[
                "simulate", "nim", "--games", "3", "--second", "casual", "--json",
            ],
            "",
        ),
        ("games", &["games", "--json"], ""),
        ("lookup", &["lookup", "grundy", "--json"], ""),
        (
            "lookup",
            &["lookup", "0.161", "--bound", "100", "--json"],
            "",
        ),
        (
            "matches",
            &[
                "lookup",
                "--sequence",
                "--json",
                "0",
                "1",
                "2",
                "0",
                "1",
                "2",
                "3",
            ],
            "",
        ),
        (
            "quotient",
            &["quotient", "kayles", "--heaps", "8", "--json"],
            "",
        ),
        ("quotient", &["quotient", "0.123", "--json"], ""),
        ("genus", &["genus", "kayles", "--heaps", "6", "--json"], ""),
        ("genus", &["genus", "kayles", "5", "4", "--json"], ""),
        (
            "invariants",
            &["invariants", "kayles", "--to", "500", "--json"],
            "",
        ),
        (
            "invariants",
            &["invariants", "0.16", "--to", "1e5", "--json"],
            "",
        ),
        ("survey", &["survey", "0.77"], ""),
        ("survey", &["survey", "0.007", "--values", "100"], ""),
        ("analysis", &["--json", "-"], "7 8\n"),
        ("error", &["--json", "-"], "7 x\n"),
    ] {
        check(kind, words, input);
    }
}

/// A file of the certificate that these words write.
fn certificate(folder: &std::path::Path, name: &str, words: &[&str]) -> String {
    let file = folder.join(name).display().to_string();
    stdout(&[words, &["--quiet", "--certificate", &file]].concat());
    file
}

/// The same file with one text in place of another.
fn falsified(file: &str, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{text}");
    let other = format!("{file}.false");
    std::fs::write(&other, text.replacen(from, to, 1)).unwrap();
    other
}

#[test]
fn every_check_of_a_certificate_meets_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let period = certificate(folder.path(), "period", &["period", "kayles"]);
    check("verification", &["verify", &period, "--json"], "");
    let sample = ["verify", &period, "--json", "--sample", "20", "--seed", "1"];
    check("verification", &sample, "");
    let wrong = falsified(&period, "\"period\": 12", "\"period\": 13");
    check("verification", &["verify", &wrong, "--json"], "");
    let quotient = ["quotient", "kayles", "--heaps", "8"];
    let quotient = certificate(folder.path(), "quotient", &quotient);
    let kind = "quotient-verification";
    check(kind, &["verify", &quotient, "--json"], "");
    let wrong = falsified(&quotient, "\"p_portion\":[1", "\"p_portion\":[0");
    check(kind, &["verify", &wrong, "--json"], "");
}

#[test]
fn a_schema_notices_a_missing_a_strange_and_a_false_key() {
    let schema = schema("analysis");
    let right = output(&["7", "8", "--json"], "");
    let spoilt = |spoil: fn(&mut Value)| {
        let mut value = right.clone();
        spoil(&mut value);
        faults(&schema, &schema, &value, "")
    };
    assert!(spoilt(|_| {}).is_empty());
    assert!(!spoilt(|value| drop(value.as_object_mut().unwrap().remove("code"))).is_empty());
    assert!(!spoilt(|value| value["strange"] = 1.into()).is_empty());
    assert!(!spoilt(|value| value["outcome"] = "X".into()).is_empty());
    assert!(!spoilt(|value| value["winning_moves"][0]["kind"] = "add".into()).is_empty());
}

#[test]
fn the_documentation_names_every_schema() {
    let root = env!("CARGO_MANIFEST_DIR");
    let page = std::fs::read_to_string(format!("{root}/docs/json.md")).unwrap();
    for file in std::fs::read_dir(format!("{root}/docs/schema")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(page.contains(&format!("(schema/{name})")), "{name}");
    }
}

#[test]
fn every_line_of_a_recorded_game_meets_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.jsonl").display().to_string();
    let words = ["play", "kayles", "3", "--record", &file, "--quiet"];
    let moves = "1 1\nundo\n2 1\n";
    assert_eq!(answer(&words, moves).0, 0);
    let schema = schema("record");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut events = Vec::new();
    for line in text.lines() {
        assert!(
            line.starts_with(r#"{"schema":1,"kind":"record","event":"#),
            "{line}"
        );
        let value: Value = serde_json::from_str(line).unwrap();
        let faults = faults(&schema, &schema, &value, "");
        assert!(faults.is_empty(), "{line}: {faults:#?}");
        events.push(value["event"].as_str().unwrap().to_owned());
    }
    for event in ["start", "move", "undo", "end"] {
        assert!(events.iter().any(|found| found == event), "{text}");
    }
}
