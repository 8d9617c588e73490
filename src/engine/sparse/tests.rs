use super::search_plan::SearchPlan;
use super::witness_plan::WitnessPlan;
use super::*;
use crate::engine::first_values::{encode, first_values};
use crate::engine::sparse_space::SparseSpace;
use crate::engine::table::Table;
use crate::engine::{Effort, definition};
use crate::rng::Rng;
use crate::ruleset::Ruleset;

/// Goes on with the codes of a game, to those of the heaps below `to`, and returns all values.
fn extend<C: Code>(
    game: &Octal,
    codes: &mut PackedTable<C>,
    (kernel, threads): (Kernel, usize),
    to: usize,
) -> Vec<u16> {
    let mut sparse = Sparse::new(game, codes, kernel, threads);
    sparse.extend(codes, to, to, |_, _| true).unwrap();
    let mut values = vec![0; to];
    codes.copy(0, &mut values).unwrap();
    values
}

/// The game and the codes of its heaps below `to`.
pub fn table(game: &str, kernel: Kernel, threads: usize, to: usize) -> (Octal, PackedTable<u8>) {
    let (octal, values) = first_values(game, 3000);
    let mut codes = encode(&octal, &values, 2).unwrap();
    extend(&octal, &mut codes, (kernel, threads), to);
    (octal, codes)
}

/// A better space gives every heap another code, and so other bits: here one that no code had by the space before.
#[test]
fn the_bits_known_are_those_of_the_codes_by_a_better_space() {
    let octal = Octal::breaking(&"0.16".parse().unwrap()).unwrap();
    let mut rng = Rng::new(34, 0);
    // One of the lowest bit and the highest, any of the two bits behind the lowest, and never the one before the highest.
    let values = std::iter::repeat_with(|| [1, 16][rng.below(2)] | (2 * rng.below(4) as u16));
    let values: Vec<u16> = values.take(3000).collect();
    let [highest, both] =
        [0b10000, 0b10001].map(|mask| SparseSpace::by_mask(mask, false, &octal.breaks));
    let mut codes = PackedTable::<u8>::new(highest.unwrap(), &values, octal.most_taken()).unwrap();
    let mut sparse = Sparse::new(&octal, &codes, Kernel::detect(), 1);
    assert_eq!(sparse.known_bits, 0b0111);
    sparse.try_better_space(&mut codes);
    assert_eq!(Some(codes.space()), both);
    assert_eq!(sparse.known_bits, 0b1011);
}

/// The first heaps know nothing of the highest bits. Where a value has the first one of them, the mask takes it up, and that heap
/// is no longer rare.
#[test]
fn a_value_with_a_new_highest_bit_extends_the_mask() {
    let mut extended = 0;
    for game in ["0.16", "0.106", "0.104", "0.167", "0.142", "0.6", "grundy"] {
        let (octal, values) = first_values(game, 6000);
        let (whole, _) = SparseSpace::discover(&values[3000..], 3000, &octal.breaks, 1).unwrap();
        for known in [100, 300, 1000] {
            let first = &values[..known];
            let largest = *first.iter().max().unwrap();
            let bits = (largest + 1).next_power_of_two() - 1;
            let Some(next) = values.iter().position(|&value| value > bits) else {
                continue;
            };
            let Some(space) = whole.with_mask(whole.mask() & bits, whole.code(largest)) else {
                continue;
            };
            let mut codes = PackedTable::<u8>::new(space, first, octal.most_taken()).unwrap();
            extend(&octal, &mut codes, (Kernel::PORTABLE, 1), next + 1);
            let mask = whole.mask() & (2 * bits + 1);
            if space.mask() != mask && codes.space().mask() == mask {
                let rare = (1..=next).filter(|&heap| whole.is_rare(values[heap], heap));
                let heaps = codes.rares().iter().map(|rare| rare.heap);
                assert!(heaps.eq(rare), "{game} from {known}");
                extended += 1;
            }
            assert!(
                (1..=next).all(|heap| codes.value(heap).unwrap() == values[heap]),
                "{game}"
            );
        }
    }
    assert!(extended >= 5, "{extended}");
}

/// However it is asked for the values, and by how many threads: they are the same, and none is known before it is proved.
#[test]
fn what_is_found_ahead_is_proved_when_it_is_asked_for() {
    const KNOWN: usize = 100_000;
    let kernel = Effort::default().kernel;
    let mut rng = Rng::new(12, 0);
    for game in ["0.106", "0.376"] {
        let (octal, first) = first_values(game, 3000);
        let mut wanted = encode::<u8>(&octal, &first, 2).unwrap();
        let mut alone = Sparse::new(&octal, &wanted, kernel, 1);
        alone
            .extend(&mut wanted, KNOWN, KNOWN, |_, _| true)
            .unwrap();
        for threads in [1, 2, 3] {
            let mut codes = encode::<u8>(&octal, &first, 2).unwrap();
            let mut sparse = Sparse::new(&octal, &codes, kernel, threads);
            let mut is_ahead = false;
            while codes.len() < KNOWN {
                let to = KNOWN.min(codes.len() + 1 + rng.below(40_000));
                let on_to = to + rng.below(2) * rng.below(100_000);
                let go_on = |codes: &PackedTable<u8>, proved| {
                    is_ahead |= codes.len() > to;
                    proved <= codes.len().min(to)
                };
                sparse.extend(&mut codes, to, on_to, go_on).unwrap();
                assert_eq!(codes.len(), to, "{game}");
            }
            assert_eq!(codes.rares(), wanted.rares(), "{game}");
            assert!(codes.tail(usize::MAX) == wanted.tail(usize::MAX), "{game}");
            assert_eq!(sparse.depth().deepest, alone.depth().deepest, "{game}");
            assert_eq!(is_ahead, threads > 1 && game == "0.106", "{game}");
        }
    }
}

/// What a kernel keeps of the last codes besides the table, as AVX2 does in bands, changes with the table, whose end is cut off
/// at each new rare heap.
#[test]
fn every_kernel_extends_a_table_in_steps_as_the_portable_one_does_at_once() {
    const TO: usize = 10_000;
    for game in ["4!.0", "0.376", "0.142"] {
        let (octal, values) = first_values(game, 3000);
        let first = encode::<u8>(&octal, &values, 2).unwrap();
        let mut wanted = first.clone();
        extend(&octal, &mut wanted, (Kernel::PORTABLE, 1), TO);
        for kernel in Kernel::available() {
            let mut codes = first.clone();
            let mut sparse = Sparse::new(&octal, &codes, kernel, 1);
            for to in (3500..=TO).step_by(500) {
                sparse.extend(&mut codes, to, to, |_, _| true).unwrap();
            }
            assert!(codes.rares() == wanted.rares(), "{game} {}", kernel.name());
            assert!(
                codes.tail(usize::MAX) == wanted.tail(usize::MAX),
                "{game} {}",
                kernel.name()
            );
        }
    }
}

/// A span keeps its copy of the table's end for the next one, though the table is cut back behind any heap of it, be it the last
/// one, and goes on with a rare heap there.
#[test]
fn a_span_that_keeps_codes_finds_what_a_new_one_finds() {
    let kernel = Effort::default().kernel;
    let mut rng = Rng::new(31, 0);
    for masked in [false, true] {
        let (octal, mut codes) = table("0.376", kernel, 1, 6000);
        if masked {
            codes.use_mask().unwrap();
        }
        let rules = Rules::new(&octal, &codes);
        let mut kept = Span::default();
        for _ in 0..150 {
            let plan = SearchPlan::in_natural_order(kernel, &rules, &codes);
            let search = Search {
                kernel,
                codes: &codes,
                rules: &rules,
                plan: &plan,
                ahead: &MarkAhead::new(kernel, &codes, &plan, 0),
            };
            let count = 1 + rng.below(150);
            let mut new = Span::default();
            let [result, wanted] = [&mut kept, &mut new].map(|span| search.find(span, count));
            assert_eq!(result, wanted, "{masked}");
            assert_eq!(kept.found(), new.found(), "{masked}");
            codes.append(kept.found());
            let cut = rng.below(1 + kept.found().len());
            if let Some(missing) = (codes.len() - cut)
                .checked_sub(1)
                .filter(|_| rng.below(2) == 0)
            {
                let rare = codes.code(missing).unwrap();
                codes.truncate(missing);
                kept.truncate(codes.pad() + missing);
                codes.push_rare(rare);
            }
        }
    }
}

/// Codes of two bytes give the values that codes of a byte do, and those of the definition, with every kernel and any number of
/// threads, from the first value on or from where they take over from bytes.
#[test]
fn wide_codes_give_the_same_values() {
    const TO: usize = 5000;
    let mut compared = 0;
    for game in [
        "0.6", "0.142", "0.16", "0.106", "grundy", "4!.0", "0.376", "0.75",
    ] {
        let (octal, first) = first_values(game, 3000);
        let Some(begun) = encode::<u8>(&octal, &first, 2) else {
            continue;
        };
        let wanted = extend(&octal, &mut begun.clone(), (Kernel::PORTABLE, 1), TO);
        let mut masked = begun.clone();
        masked.use_mask().unwrap();
        let wide = encode::<u16>(&octal, &first, 2).unwrap();
        let begun = [wide, begun.widened().unwrap(), masked.widened().unwrap()];
        for (kernel, threads) in Kernel::available()
            .into_iter()
            .zip([1, 2, 3, 7].into_iter().cycle())
        {
            for begun in &begun {
                let mut codes = begun.clone();
                let mut sparse = Sparse::new(&octal, &codes, kernel, threads);
                for to in [3500, 4300, TO] {
                    sparse.extend(&mut codes, to, TO, |_, _| true).unwrap();
                }
                let mut found = vec![0; TO];
                codes.copy(0, &mut found).unwrap();
                assert!(found == wanted, "{game} {} {threads}", kernel.name());
                compared += 1;
            }
        }
    }
    assert!(compared >= 12 * Kernel::available().len(), "{compared}");
}

/// Random games whose codes pass a byte, against the definition.
#[test]
fn codes_beyond_a_byte_are_those_of_the_definition() {
    const KNOWN: usize = 1500;
    const TO: usize = 3000;
    let mut rng = Rng::new(5, 0);
    let mut compared = 0;
    let mut codes = vec!["0.364".to_owned(), "0.367".to_owned(), "0.745".to_owned()];
    codes.extend((0..12).map(|_| {
        let digits: String = (0..3 + rng.below(3))
            .map(|_| char::from(b'0' + rng.below(8) as u8))
            .collect();
        format!("0.{digits}7")
    }));
    for code in codes {
        let (octal, wanted) = first_values(&code, TO - 1);
        let Some(begun) = encode::<u16>(&octal, &wanted[..KNOWN], 4) else {
            continue;
        };
        for kernel in Kernel::available() {
            let mut codes = begun.clone();
            let found = extend(&octal, &mut codes, (kernel, 1 + compared % 3), TO);
            assert!(found == wanted, "{code} {}", kernel.name());
            compared += usize::from(codes.bits(1..TO).unwrap() > 255);
        }
    }
    assert!(compared >= Kernel::available().len(), "{compared}");
}

/// Goes on with some codes of a game, which stand for these values, by so many heaps; all values are those of the definition.
/// Returns how many of the new heaps are rare.
fn goes_on_as_defined<C: Code>(
    game: &str,
    (mut codes, values): (PackedTable<C>, Vec<u16>),
    (kernel, threads): (Kernel, usize),
    more: usize,
) -> usize {
    let ruleset: Ruleset = game.parse().unwrap();
    let octal = Octal::breaking(&ruleset).unwrap();
    let (known, to) = (values.len(), values.len() + more);
    let mut wanted = Table::from(values);
    definition::fill(&ruleset, &mut wanted, to as u64 - 1, |_| Ok(())).unwrap();
    let found = extend(&octal, &mut codes, (kernel, threads), to);
    let differ = (0..to).find(|&heap| found[heap] != wanted.value(heap));
    assert_eq!(differ, None, "{game} {}", kernel.name());
    codes.rares_from(known)
}

/// A table of two-byte codes in which some late heaps have values that no rule gives them: they may be rare, and others become
/// rare by them. What follows has its value by the definition all the same.
#[test]
fn planted_late_rare_heaps_of_two_bytes() {
    let mut rng = Rng::new(32, 0);
    let (mut planted_rares, mut later_rares) = (0, 0);
    for game in ["0.364", "0.744", "0.567", "0.367"] {
        for kernel in Kernel::available() {
            let known = 2000 + rng.below(500);
            let (octal, mut values) = first_values(game, known - 1);
            let rares = encode::<u16>(&octal, &values, 3).unwrap().rares().len();
            for _ in 0..1 + rng.below(4) {
                values[known - 1 - rng.below(300)] = rng.below(700) as u16;
            }
            let codes = encode::<u16>(&octal, &values, 3).unwrap();
            planted_rares += codes.rares().len() - rares.min(codes.rares().len());
            let threads = [1, 2, 3, 7][rng.below(4)];
            later_rares += goes_on_as_defined(game, (codes, values), (kernel, threads), 1000);
        }
    }
    assert!(
        planted_rares.min(later_rares) >= Kernel::available().len(),
        "{planted_rares}, {later_rares}"
    );
}

/// Tables of byte codes in which one heap has a code so large that no bit is left for a flag, while those of the others are so
/// few that they are looked up together, and late heaps are rare: what follows has its value by the definition.
#[test]
fn few_codes_beside_a_large_one_are_proved_with_the_mask() {
    let mut rng = Rng::new(33, 0);
    let (mut masked, mut later_rares) = (0, 0);
    for game in [
        "0.14", "0.16", "0.106", "0.104", "0.77", "0.07", "0.35", "0.142", "0.6", "0.15",
    ] {
        for kernel in Kernel::available() {
            let known = 2000 + rng.below(500);
            let (octal, mut values) = first_values(game, known - 1);
            for _ in 0..1 + rng.below(4) {
                values[known - 1 - rng.below(300)] = rng.below(24) as u16;
            }
            values[rng.below(known)] = 256 + rng.below(200) as u16;
            let Some(codes) = encode::<u8>(&octal, &values, 3) else {
                continue;
            };
            let threads = [1, 2, 3, 7][rng.below(4)];
            masked += usize::from(codes.is_full());
            later_rares += goes_on_as_defined(game, (codes, values), (kernel, threads), 1500);
        }
    }
    assert!(
        masked.min(later_rares) >= 2 * Kernel::available().len(),
        "{masked}, {later_rares}"
    );
}

/// Rows of large parts are asked only where pairs as deep were needed before, and only of heaps that are kept: the deeper pairs
/// that are reported, and what is proved, are the same as without any plan.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn far_rows_hide_no_deeper_pair() {
    const KNOWN: usize = 400_000;
    for game in ["0.6", "0.142", "0.172", "grundy"] {
        let (octal, codes) = table(game, Effort::default().kernel, 1, KNOWN);
        let sparse = Sparse::new(&octal, &codes, Effort::default().kernel, 1);
        let rules = sparse.rules();
        for kernel in Kernel::available() {
            let plan = WitnessPlan::learn(kernel, rules, &codes, KNOWN / 8);
            assert!((plan.depth + 1..=KNOWN / 8).contains(&plan.far_depth));
            let none = WitnessPlan::none(&codes);
            let verified = |codes: &PackedTable<u8>, plan, report_deeper_than| {
                let deeper_pairs = Mutex::default();
                let verifier = Verifier {
                    kernel,
                    codes,
                    rules,
                    plan,
                    deeper_pairs: &deeper_pairs,
                    report_deeper_than,
                    bands: &Mutex::default(),
                };
                let missing = verifier.verify(KNOWN - 1000, KNOWN, &mut 0);
                let mut pairs = deeper_pairs.into_inner().unwrap();
                pairs.sort_unstable_by_key(|pair| (pair.heap, pair.part));
                (missing, pairs)
            };
            for deep in [plan.depth, plan.far_depth - 1, plan.far_depth] {
                let wanted = verified(&codes, &none, deep);
                assert_eq!(wanted.0, None, "{game} {}", kernel.name());
                let found = verified(&codes, &plan, deep);
                assert_eq!(found, wanted, "{game} {}", kernel.name());
            }
            // What lies so far back is forgotten.
            let mut last = codes.clone();
            last.forget(300_000, 2 * plan.depth);
            assert!(last.room(KNOWN - 1000) < plan.far_depth, "{game}");
            let wanted = verified(&last, &none, KNOWN);
            assert_eq!(verified(&last, &plan, KNOWN), wanted, "{game}");
        }
    }
}
