//! Measuring programs for the constants of `costs.rs` and `tuning.rs` and for the model of `docs/performance.md`; they assert
//! nothing of time:
//! `cargo test --release --lib sparse::measurements -- --ignored --nocapture --test-threads 1`

use super::search_plan::{HelperMarks, SearchPlan};
use super::tests::table;
use super::tuning::STRETCH;
use super::witness_plan::WitnessPlan;
use super::*;
use crate::engine::kernel::LANES;
use crate::engine::{Effort, clock};
use std::time::Duration;

/// Measures the cost of an entry, of a heap and of a look-up.
#[test]
#[ignore = "measures"]
fn costs() {
    const COUNT: usize = 1 << 13;
    const KNOWN: usize = 600_000;
    const TIMES: usize = 64;
    let kernel = Effort::default().kernel;
    println!(
        "ns: game; entries of a search, learning one; a heap in the best order, in natural order;"
    );
    println!("a heap from all options; learning a pair; a heap's look-ups, and as counted");
    for game in ["0.6", "4!.0", "0.142", "0.376"] {
        let (octal, codes) = table(game, kernel, 1, KNOWN);
        let rules = Rules::new(&octal, &codes);
        let begun = clock();
        let ordered = SearchPlan::learn(kernel, &rules, &codes, HelperMarks::None);
        let entries = (ordered.stages())
            .map(|stage| stage.from_span.as_slice().len() + stage.from_table.as_slice().len());
        let entries: usize = entries.sum();
        let learn = (clock() - begun).as_nanos() as usize / entries;
        let in_natural_order = SearchPlan::in_natural_order(kernel, &rules, &codes);
        let mut blind = SearchPlan::in_natural_order(kernel, &rules, &codes);
        blind.planes = 2;
        let find = |plan: &SearchPlan<u8>| {
            let ahead = MarkAhead::new(kernel, &codes, plan, 0);
            let mut span = Span::default();
            let search = Search {
                kernel,
                codes: &codes,
                rules: &rules,
                plan,
                ahead: &ahead,
            };
            let begun = clock();
            for _ in 0..TIMES {
                search.find(&mut span, COUNT).unwrap();
            }
            let time = (clock() - begun).as_nanos() as usize / TIMES;
            (time, span.from_all_options.max(1))
        };
        let (in_order, not) = (find(&ordered).0 / COUNT, find(&in_natural_order).0 / COUNT);
        let (time, from_all_options) = find(&blind);
        let all = time / from_all_options;
        let begun = clock();
        let witnesses = WitnessPlan::learn(kernel, &rules, &codes, 0);
        let pairs = witnesses.depth * rules.breaks.len();
        let pair = (clock() - begun).as_nanos() as usize / pairs;
        let plan = WitnessPlan::none(&codes);
        let verifier = Verifier {
            kernel,
            codes: &codes,
            rules: &rules,
            plan: &plan,
            deeper_pairs: &Mutex::default(),
            report_deeper_than: usize::MAX,
            bands: &Mutex::default(),
        };
        let (begun, mut cost) = (clock(), 0);
        assert_eq!(verifier.verify(KNOWN - COUNT, KNOWN, &mut cost), None);
        let look_ups = (clock() - begun).as_nanos() as usize / COUNT;
        let counted = cost as usize / COUNT;
        println!(
            "{game:6} {entries:5} {learn:5}; {in_order:4} {not:4}; {all:5}; {pair:5}; {look_ups:6} {counted:6}"
        );
    }
}

/// Measures the parts of which the time of any number of threads is made, each on one thread.
#[test]
#[ignore = "measures"]
fn parts_of_the_work() {
    const COUNT: usize = 1 << 16;
    const TIMES: usize = 20;
    let kernel = Effort::default().kernel;
    println!(
        "ns a heap: game, all searched by one; helpers mark what is far and marked, those marks;"
    );
    println!("helpers mark all that is far, those marks; proof");
    for game in ["0.6", "4!.0", "0.374", "0.444", "0.14"] {
        let known = 600_000;
        let (octal, all) = table(game, kernel, 1, known + COUNT);
        let mut codes = all.clone();
        codes.truncate(known);
        let rules = Rules::new(&octal, &codes);
        let wanted = all.cells(known, known + COUNT).unwrap();
        let mut span = Span::default();
        let mut once = |plan: &SearchPlan<u8>, blocks: usize| {
            let ahead = MarkAhead::new(kernel, &codes, plan, blocks);
            ahead.found(STRETCH / LANES, wanted);
            let begun = clock();
            ahead.help_until_found(|| false, || false);
            let marks = clock() - begun;
            let search = Search {
                kernel,
                codes: &codes,
                rules: &rules,
                plan,
                ahead: &ahead,
            };
            let begun = clock();
            search.find(&mut span, COUNT).unwrap();
            let found = clock() - begun;
            assert_eq!(span.found(), wanted);
            [found, marks]
        };
        let a_heap = |time: Duration| time.as_nanos() / (TIMES * COUNT) as u128;
        let mut time = |plan: &SearchPlan<u8>, blocks: usize| {
            let mut sum = [Duration::ZERO; 2];
            for _ in 0..TIMES {
                let times = once(plan, blocks);
                sum = [sum[0] + times[0], sum[1] + times[1]];
            }
            sum.map(a_heap)
        };
        let [one, _] = time(
            &SearchPlan::learn(kernel, &rules, &codes, HelperMarks::None),
            0,
        );
        let [[some_left, some], [near, far]] =
            [HelperMarks::FarMarked, HelperMarks::AllFar].map(|marks| {
                time(
                    &SearchPlan::learn(kernel, &rules, &codes, marks),
                    COUNT / LANES,
                )
            });
        let witnesses = WitnessPlan::learn(kernel, &rules, &all, 0);
        let verifier = Verifier {
            kernel,
            codes: &all,
            rules: &rules,
            plan: &witnesses,
            deeper_pairs: &Mutex::default(),
            report_deeper_than: usize::MAX,
            bands: &Mutex::default(),
        };
        let begun = clock();
        for _ in 0..TIMES {
            assert_eq!(verifier.verify(known, known + COUNT, &mut 0), None);
        }
        let proof = a_heap(clock() - begun);
        println!("{game:6} {one:4}; {some_left:4} {some:4}; {near:4} {far:4}; {proof:4}");
    }
}
