use super::*;
use crate::engine::definition;
use crate::ruleset::Ruleset;

/// The first heaps know nothing of the highest bits. Begun with a mask that lacks them, the table nearly always ends as if
/// it had had them from the beginning, without a rare heap more.
#[test]
fn a_value_with_a_new_highest_bit_raises_the_mask() {
    let mut raised = 0;
    for game in ["0.16", "0.106", "0.104", "0.167", "0.142", "0.6", "grundy"] {
        let ruleset: Ruleset = game.parse().unwrap();
        let octal = Octal::breaking(&ruleset).unwrap();
        let values: Vec<u16> = definition::nim_values(&ruleset, 6000)
            .unwrap()
            .iter()
            .collect();
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
                .extend(&mut codes, values.len(), |_, _| true)
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
