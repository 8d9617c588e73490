use super::*;
use crate::engine::{Effort, clock, definition};
use crate::rng::Rng;
use crate::ruleset::Ruleset;

/// By definition.
fn first_values(ruleset: &Ruleset, last: usize) -> Vec<u16> {
    let values = definition::nim_values(ruleset, last).unwrap();
    values.iter().collect()
}

/// The first heaps know nothing of the highest bits. Begun with a mask that lacks them, the table nearly always ends as if
/// it had had them from the beginning, without a rare heap more.
#[test]
fn a_value_with_a_new_highest_bit_raises_the_mask() {
    let mut raised = 0;
    for game in ["0.16", "0.106", "0.104", "0.167", "0.142", "0.6", "grundy"] {
        let ruleset: Ruleset = game.parse().unwrap();
        let octal = Octal::breaking(&ruleset).unwrap();
        let values = first_values(&ruleset, 6000);
        let breaks: Vec<usize> = octal.breaks.iter().map(|&(b, _)| b).collect();
        let (whole, _) = SparseSpace::discover(&values[3000..], 3000, &breaks).unwrap();
        let rare = (1..values.len()).filter(|&heap| whole.is_rare(values[heap], heap));
        let rare: Vec<usize> = rare.collect();
        for known in [100, 300, 1000] {
            let first = &values[..known];
            let largest = *first.iter().max().unwrap();
            let bits = (largest + 1).next_power_of_two() - 1;
            let Some(split) = whole.with_mask(whole.mask() & bits, whole.code(largest)) else {
                continue;
            };
            let mut codes = PackedTable::new(split, first, octal.reach()).unwrap();
            let mut sparse = Sparse::new(&octal, &codes, Kernel::Portable, 1);
            sparse.rares_then = usize::MAX / 2;
            sparse
                .extend(&mut codes, values.len(), values.len(), |_, _| true)
                .unwrap();
            if codes.split() == whole && split != whole {
                let heaps: Vec<usize> = codes.rares().iter().map(|rare| rare.heap).collect();
                assert_eq!(heaps, rare, "{game} from {known}");
                raised += 1;
            }
            assert!(
                (1..values.len()).all(|heap| codes.value(heap) == values[heap]),
                "{game}"
            );
        }
    }
    assert!(raised >= 5, "{raised}");
}

/// However it is asked for the values, and by how many threads: they are the same, and none is known before it is proved.
#[test]
fn what_is_found_ahead_is_proved_when_it_is_asked_for() {
    const KNOWN: usize = 100_000;
    let kernel = Effort::default().kernel;
    let mut rng = Rng::new(12, 0);
    for game in ["0.106", "0.376"] {
        let ruleset: Ruleset = game.parse().unwrap();
        let octal = Octal::breaking(&ruleset).unwrap();
        let first = first_values(&ruleset, 3000);
        let mut wanted = encode(&octal, &first, 2).unwrap();
        let mut alone = Sparse::new(&octal, &wanted, kernel, 1);
        alone
            .extend(&mut wanted, KNOWN, KNOWN, |_, _| true)
            .unwrap();
        for threads in [1, 2, 3] {
            let mut codes = encode(&octal, &first, 2).unwrap();
            let mut sparse = Sparse::new(&octal, &codes, kernel, threads);
            let mut ahead = 0;
            while codes.len() < KNOWN {
                let to = KNOWN.min(codes.len() + 1 + rng.below(40_000));
                let on_to = to + rng.below(2) * rng.below(100_000);
                let is_proved = |codes: &PackedTable, proven| proven <= codes.len().min(to);
                sparse.extend(&mut codes, to, on_to, is_proved).unwrap();
                assert_eq!(codes.len(), to, "{game}");
                ahead = ahead.max(sparse.found.len());
            }
            assert_eq!(codes.rares(), wanted.rares(), "{game}");
            assert!(codes.bytes() == wanted.bytes(), "{game}");
            assert_eq!(sparse.deepest, alone.deepest, "{game}");
            assert_eq!(ahead > 0, threads > 1 && game == "0.106", "{game}");
        }
    }
}

/// What proofs keep in bands is of the table, whose end is cut off at each new rare heap.
#[test]
fn what_is_kept_in_bands_is_of_the_table() {
    let kernel = Effort::default().kernel;
    let mut compared = 0;
    for game in ["4!.0", "0.376", "0.142"] {
        let ruleset: Ruleset = game.parse().unwrap();
        let octal = Octal::breaking(&ruleset).unwrap();
        let mut codes = encode(&octal, &first_values(&ruleset, 3000), 2).unwrap();
        let mut sparse = Sparse::new(&octal, &codes, kernel, 1);
        for to in (20_000..60_000).step_by(500) {
            sparse.extend(&mut codes, to, to, |_, _| true).unwrap();
            for kept in sparse.bands.get_mut().unwrap() {
                let end = kept.next().min(codes.pad() + codes.len());
                kept.truncate(end);
                let (first, parts) = kept.parts();
                let mut fresh = Bands::default();
                fresh.begin(first, check::ROOM);
                let place = first.min(end)..end;
                let mask = codes.mask().get(place.clone());
                kernel.part(&mut fresh, &codes.bytes()[place], mask);
                if first < end {
                    assert_eq!(parts, fresh.parts().1, "{game} {to}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared > 0, kernel.reads_bands());
}

/// What `plan.rs`, `costs.rs` and `verify.rs` count, measured:
/// `cargo test --release --lib sparse::tests -- --ignored --nocapture`
#[test]
#[ignore = "measures"]
fn costs() {
    const COUNT: usize = 1 << 13;
    const KNOWN: usize = 600_000;
    const TIMES: usize = 64;
    let kernel = Effort::default().kernel;
    println!("ns: game; entries to find and learning one; a heap in order and not;");
    println!(
        "a heap from all options; learning a pair to prove; a heap's look-ups, and as counted"
    );
    for game in ["0.6", "4!.0", "0.142", "0.376"] {
        let ruleset: Ruleset = game.parse().unwrap();
        let octal = Octal::breaking(&ruleset).unwrap();
        let values = first_values(&ruleset, 3000);
        let mut codes = encode(&octal, &values, 2).unwrap();
        let mut sparse = Sparse::new(&octal, &codes, kernel, 1);
        sparse
            .extend(&mut codes, KNOWN, KNOWN, |_, _| true)
            .unwrap();
        let rules = Rules::new(&octal, &codes);
        let begun = clock();
        let ordered = Find::new(kernel, &rules, &codes, plan::Sharing::None);
        let stages = ordered.stages.iter();
        let entries = stages.map(|stage| stage.local.as_slice().len() + stage.far.as_slice().len());
        let entries: usize = entries.sum();
        let learn = (clock() - begun).as_nanos() as usize / entries;
        let unordered = Find::unordered(kernel, &rules, &codes);
        let mut blind = Find::unordered(kernel, &rules, &codes);
        (blind.planes, blind.sextets) = (2, None);
        let find = |plan: &Find| {
            let ahead = Ahead::new(kernel, &codes, plan, 0);
            let mut span = Span::default();
            let finder = Finder {
                kernel,
                codes: &codes,
                rules: &rules,
                plan,
                ahead: &ahead,
            };
            let begun = clock();
            for _ in 0..TIMES {
                finder.find(&mut span, COUNT).unwrap();
            }
            let time = (clock() - begun).as_nanos() as usize / TIMES;
            (time, span.recomputed.max(1))
        };
        let (in_order, not) = (find(&ordered).0 / COUNT, find(&unordered).0 / COUNT);
        let (time, recomputed) = find(&blind);
        let all = time / recomputed;
        let begun = clock();
        let check = Check::new(kernel, &rules, &codes);
        let pairs = check.depth * rules.breaks.len();
        let pair = (clock() - begun).as_nanos() as usize / pairs;
        let plan = Check::none(&codes);
        let deeper = Mutex::default();
        let verifier = Verifier {
            kernel,
            codes: &codes,
            rules: &rules,
            plan: &plan,
            deeper: &deeper,
            than: usize::MAX,
            bands: &Mutex::default(),
        };
        let (begun, mut wasted) = (clock(), 0);
        assert_eq!(verifier.verify(KNOWN - COUNT, KNOWN, &mut wasted), None);
        let look_ups = (clock() - begun).as_nanos() as usize / COUNT;
        let counted = wasted as usize / COUNT;
        println!(
            "{game:6} {entries:5} {learn:5}; {in_order:4} {not:4}; {all:5}; {pair:5}; {look_ups:6} {counted:6}"
        );
    }
}
