//! What is out of reach is refused by a bounded amount of work, with what it would take; what isn't is answered.

use crate::common::program::{answer, run};

/// Commands that would take hours, and what their refusal says.
const REFUSED: &[(&str, &[&str])] = &[
    (
        "invariants 0.114 --to 1e9",
        &["pile 1000000000 of 0.114 is out of reach", "--steps "],
    ),
    (
        "values 1e9 0.114 --from 999999990",
        &["pile 1000000000 of 0.114 is out of reach", "--steps "],
    ),
    (
        "oeis 0.114 --limit 1e15",
        &["1.8 PiB (8 GiB allowed)", "within reach"],
    ),
    (
        "-g 0.114 1e18",
        &["1.8 EiB (8 GiB allowed)", "within reach"],
    ),
    (
        "lookup 0.3F --bound 1e5",
        &["pile 100004 of 0.3F is out of reach", "--steps "],
    ),
    (
        "-g 0.{2,3}! 1e5",
        &["pile 100000 of 0.C! is out of reach", "--steps "],
    ),
    (
        "-g mock-turtles 20 30 40 --misere",
        &["a search of 300000 positions", "--positions 3000000 "],
    ),
    (
        "-g ruler 31 --misere --positions 1e4",
        &["a search of 10000 positions", "--positions 100000 "],
    ),
    (
        "genus -g grundy 1000 --positions 1e5",
        &[
            "[1000] takes more than the 100000 positions",
            "--positions 1000000 ",
        ],
    ),
    (
        "genus kayles --piles 600",
        &[
            "takes more than the 250000 positions",
            "--positions 2500000 ",
        ],
    ),
    (
        "--misere --rule primes,half 40000",
        &["too many to list", "240 elements"],
    ),
    (
        "--misere mock-turtles 30 20 15 + ruler 20 30",
        &["a search of 300000 positions", "--positions 3000000 "],
    ),
    (
        "--misere 0.6 60 61 62 + euclid 300 500",
        &["a search of 300000 positions", "--positions 3000000 "],
    ),
    (
        "--misere 0.8 552918",
        &["too many to list", "--positions 3000000 "],
    ),
    (
        "-g {2+}=.0 1e8",
        &["pile 100000000 of {2+}=.0 is out of reach", "--steps "],
    ),
    (
        "quotient nim 1e9",
        &["piles up to 12246 can be looked through"],
    ),
    (
        "genus nim 1e9",
        &["piles up to 12246 can be looked through"],
    ),
    (
        "genus -g 0.16 60 --memory 100K",
        &["[60] takes more than the 100 KiB of memory", "--memory"],
    ),
    (
        "60 61 62 --misere --memory 2M",
        &["all that the memory allowed has room for", "--memory"],
    ),
    (
        "simulate -g kayles 3000 --games 10 --memory 100K",
        &["the positions of a game of ", "100 KiB of memory"],
    ),
    (
        "plot 5e9 -g ruler",
        &["9.4 GiB doesn't fit", "within reach"],
    ),
];

#[test]
fn the_piles_that_a_refusal_names_are_within_reach() {
    for limit in ["--steps 1e7", "--memory 100K"] {
        let (code, _, err) = run(&format!("values {{2+}}.0 5000000 {limit}"));
        let (_, named) = err.split_once("piles up to ").expect(&err);
        let pile: u64 = named.split(' ').next().unwrap().parse().unwrap();
        assert!(code == 3 && pile > 1000, "{err}");
        let (code, _, err) = run(&format!("values {{2+}}.0 {pile} --from {pile} {limit}"));
        assert_eq!(code, 0, "{limit} {pile}: {err}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn what_is_out_of_reach_is_refused_with_what_it_would_take() {
    for (line, parts) in REFUSED {
        let (code, out, err) = run(line);
        assert_eq!(code, 3, "{line}: {err}");
        let report = out.is_empty() || line.starts_with("genus");
        assert!(report && err.starts_with("error: "), "{line}: {out}{err}");
        for part in *parts {
            assert!(err.contains(part), "{line}: {part:?} is not in {err}");
        }
    }
}

/// Commands that took minutes, and what they answer.
const ANSWERED: &[(&str, &str)] = &[
    (
        "lookup ruler",
        "largest value   4096 so far, first at pile 4096",
    ),
    ("lookup mock-turtles", "largest value   9998 so far"),
    ("values 70000 -g 0.364 --from 70000", "70000 | "),
    ("genus -g kayles 30", "30  "),
    ("-g ruler 12 --misere", "Position."),
    (
        "--misere --explain --rule odd 9 1e18",
        "Every move leaves an N-position",
    ),
    (
        "{2+}.0 5633 8522",
        "split pile 8522 into piles of size 1, 1025, 1444 and 6052.",
    ),
    (
        "0.8 701143237900 999999999999999998",
        "into 206174973196, 499999649428381048 and 500000144396645753.",
    ),
    (
        "0.3[7] 1000000000007 1234567890123",
        "take 35544634580 from pile 1234567890123 and split the rest into 99511627768 and 1099511627775.",
    ),
];

#[test]
fn what_is_within_reach_is_answered() {
    for (line, part) in ANSWERED {
        let (code, out, err) = run(line);
        assert_eq!(code, 0, "{line}: {err}");
        assert!(out.contains(part), "{line}: {out}");
    }
}

/// A graph of all edges between two sets of vertices is refused before it is made.
#[test]
fn a_graph_beyond_memory_is_refused_at_its_first_edge() {
    let vertices = |letter: &str| {
        (0..20_000)
            .map(|n| format!("{letter}{n} "))
            .collect::<String>()
    };
    let text = format!(
        "digraph {{ {{ {} }} -> {{ {} }} }}",
        vertices("a"),
        vertices("b")
    );
    let (code, _, err) = answer("graph - --memory 5G", &text);
    assert_eq!(code, 3);
    assert!(
        err.contains("takes at least 6 GiB, more than the 5 GiB of memory allowed"),
        "{err}"
    );
}
