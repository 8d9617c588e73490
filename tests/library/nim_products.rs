//! Nim multiplication against its definition, and the laws of a field.

use nim_analyser::grundy::{nim_inverse, nim_product, nim_quotient, nim_sqrt};
use proptest::prelude::*;

/// The products of all numbers below a bound, each the mex that Conway defines it by.
fn by_definition(bound: usize) -> Vec<Vec<u64>> {
    let mut table = vec![vec![0; bound]; bound];
    for a in 0..bound {
        for b in 0..bound {
            let mut met = std::collections::HashSet::new();
            for smaller in 0..a {
                for other in 0..b {
                    met.insert(table[smaller][b] ^ table[a][other] ^ table[smaller][other]);
                }
            }
            table[a][b] = (0..).find(|value| !met.contains(value)).unwrap();
        }
    }
    table
}

#[test]
fn small_products_are_those_of_the_definition() {
    for (a, row) in by_definition(32).into_iter().enumerate() {
        for (b, product) in row.into_iter().enumerate() {
            assert_eq!(nim_product(a as u64, b as u64), product, "{a} and {b}");
        }
    }
}

#[test]
fn products_with_fermat_powers_are_those_of_the_theorem() {
    for exponent in [1, 2, 4, 8, 16, 32] {
        let fermat = 1u64 << exponent;
        assert_eq!(nim_product(fermat, fermat), fermat ^ fermat >> 1);
        for smaller in [1, fermat / 2, fermat - 1] {
            assert_eq!(nim_product(fermat, smaller), fermat * smaller);
        }
    }
    assert_eq!((nim_inverse(0), nim_quotient(5, 0)), (None, None));
    assert_eq!((nim_inverse(1), nim_sqrt(0), nim_sqrt(1)), (Some(1), 0, 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_numbers_are_a_field(a in any::<u64>(), b in any::<u64>(), c in any::<u64>(), bits in 1u32..64) {
        // Small numbers too, which are fields of their own.
        let [a, b, c] = [a, b, c].map(|number| number >> (64 - bits));
        prop_assert_eq!(nim_product(a, b), nim_product(b, a));
        prop_assert_eq!(nim_product(nim_product(a, b), c), nim_product(a, nim_product(b, c)));
        prop_assert_eq!(nim_product(a, b ^ c), nim_product(a, b) ^ nim_product(a, c));
        prop_assert_eq!(nim_product(a, 1), a);
        prop_assert_eq!(nim_product(a, b) == 0, a == 0 || b == 0);
        if b > 0 {
            prop_assert_eq!(nim_product(nim_quotient(a, b).unwrap(), b), a);
        }
        let root = nim_sqrt(a);
        prop_assert_eq!(nim_product(root, root), a);
    }
}
