//! The periods that the program proves by default, against those published, and from how few values.

use crate::common::program::{nim_analyser, printed};
use crate::common::solved;
use serde_json::Value;

/// What `period` says of a game.
fn period(game: &str, limit: Option<u64>) -> Value {
    let mut command = nim_analyser(&["period", "--json", "--quiet", "-g", game]);
    if let Some(limit) = limit {
        command.args(["--limit", &limit.to_string()]);
    }
    serde_json::from_str(&printed(&mut command)).unwrap()
}

/// The period, the preperiod, and the last value that the proof rests on, if there is a proof.
fn proof(found: &Value) -> Option<(u64, u64, u64)> {
    (found["status"] == "proved").then(|| {
        let figure = |name: &str| found[name].as_u64().unwrap();
        let last = found["range"][1].as_u64().unwrap();
        (figure("period"), figure("preperiod"), last)
    })
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "half a minute without optimisation: cargo test --release --test sizes proofs"
)]
fn every_published_period_to_ten_million_is_proved_by_default() {
    let mut proved = 0;
    for (code, period_published, preperiod) in solved() {
        if preperiod + period_published > 11_000_000 {
            continue;
        }
        let (found, start, _) = proof(&period(&code, None)).unwrap_or_else(|| panic!("{code}"));
        assert_eq!((found, start), (period_published, preperiod), "{code}");
        proved += 1;
    }
    assert!(proved >= 50, "{proved}");
}

/// Some limits each within which a game is to be proved, the least by the window theorem alone, and what the least proof
/// needs at most: the window theorem no more than Guy and Smith's.
const WITHIN: [(&str, &[u64]); 6] = [
    (
        "0.376",
        &[3_420_000, 4_000_000, 6_000_000, 10_000_000, 60_000_000],
    ),
    ("0.354", &[10_100_000, 30_000_000]),
    ("0.16", &[300_000, 600_000]),
    ("0.56", &[400_000, 700_000]),
    ("0.7726", &[300_000, 600_000]),
    ("0.1745", &[200_000, 400_000]),
];

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "half a minute without optimisation: cargo test --release --test sizes proofs"
)]
fn a_limit_proves_what_the_values_to_it_prove() {
    for (code, limits) in WITHIN {
        let known = solved().into_iter().find(|(solved, ..)| solved == code);
        let mut proofs = Vec::new();
        for &limit in limits {
            let found = proof(&period(code, Some(limit)));
            let (period, preperiod, last) = found.unwrap_or_else(|| panic!("{code} to {limit}"));
            assert!(last <= limit, "{code} to {limit}");
            proofs.push(last);
            if let Some((_, published, start)) = known {
                assert_eq!((period, preperiod), (published, start), "{code} to {limit}");
            }
        }
        // One value less proves nothing.
        let least = proofs[0];
        let (_, _, last) = proof(&period(code, Some(least))).unwrap_or_else(|| panic!("{code}"));
        assert_eq!(last, least, "{code}");
        assert_eq!(proof(&period(code, Some(least - 1))), None, "{code}");
    }
}

#[test]
fn guy_and_smith_prove_by_no_value_more_than_they_need() {
    for (code, published, preperiod) in solved() {
        let found = period(&code, Some(70_000));
        // Windows are compared from pile 65,536 on.
        let Some((period_found, start, last)) = proof(&found).filter(|proof| proof.2 < 1 << 16)
        else {
            assert!(preperiod + published > 30_000, "{code}");
            continue;
        };
        assert_eq!((period_found, start), (published, preperiod), "{code}");
        assert!(proof(&period(&code, Some(last))).is_some(), "{code}");
        assert_eq!(proof(&period(&code, Some(last - 1))), None, "{code}");
    }
}
