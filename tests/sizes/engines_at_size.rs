//! The engines at the sizes where they differ: values of 128 and more, wide codes, the pipeline, many threads, late rare
//! heaps. Slow without optimisation: `cargo test --release --test sizes`.
//!
//! An engine that did not run fails its test.

use nim_analyser::engine::table::Table;
use nim_analyser::engine::{Effort, Engine, Kernel, Watch, definition};
use nim_analyser::sequence::Sequence;
use nim_analyser::{Error, Ruleset};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

const THREADS: [usize; 5] = [1, 2, 3, 7, 16];

/// Remembers which ways of computing were told.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Watch for Told {
    fn progress(&self, known: u64, wanted: u64) -> bool {
        assert!(known <= wanted);
        true
    }

    fn using(&self, way: &str) {
        self.0.lock().unwrap().push(way.to_owned());
    }
}

/// Every kernel of the machine; the processors that run the project's CI have two at least.
fn kernels() -> Vec<Kernel> {
    let kernels = Kernel::available();
    assert!(
        kernels.len() > 1
            || cfg!(not(any(target_arch = "x86_64", target_arch = "aarch64")))
            || std::env::var_os("CI").is_none()
    );
    kernels
}

/// The values to `heap`, found by this engine, kernel and number of threads from the values of a table on.
fn filled(
    code: &str,
    table: Table,
    heap: u64,
    engine: Engine,
    (kernel, threads): (Kernel, usize),
    must_run: Engine,
) -> Table {
    let told = Arc::new(Told::default());
    let effort = Effort::default()
        .engine(engine)
        .kernel(kernel)
        .threads(threads)
        .watch(told.clone());
    let mut sequence = Sequence::resume(code.parse().unwrap(), table, effort);
    sequence
        .fill(heap)
        .unwrap_or_else(|error| panic!("{code}: {error}"));
    let told = told.0.lock().unwrap();
    // The sparse engine starts eight threads at most.
    let threads = match must_run {
        Engine::Sparse => threads.min(8),
        _ => threads,
    };
    let way = format!(
        "the {} engine ({}, {threads} thread",
        must_run.name(),
        kernel.name()
    );
    assert!(
        told.iter().any(|told| told.contains(&way)),
        "{code}: not {way}: {told:?}"
    );
    sequence.table().clone()
}

fn same(code: &str, found: &Table, wanted: &Table) {
    let differ = (0..wanted.len()).find(|&heap| found.get(heap) != wanted.get(heap));
    assert_eq!(differ, None, "{code}");
    assert_eq!(found.len(), wanted.len(), "{code}");
}

/// Fletcher's sums of the values g(0) … g(heap), modulo 2^16, as `ogsolve` 0.0.7 prints them.
fn fletcher(table: &Table) -> u32 {
    let (low, high) = table.iter().fold((0u16, 0u16), |(low, high), value| {
        let low = low.wrapping_add(value);
        (low, high.wrapping_add(low))
    });
    u32::from(high) << 16 | u32::from(low)
}

/// Late rare heaps (0.376 has one at 967,648), codes of eight bits (0.6, 0.142), classes by parity (0.142, 0.106,
/// 0.104), codes of two bytes (0.364, 0.367, 0.744, 0.565), no sparse space (0.007), a period (0.77, 0.4): the checksums are
/// those of another program.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn checksums_of_another_program() {
    for (code, heap, checksum, engine) in [
        ("0.6", 1_000_000, 0x28309550, Engine::Sparse),
        ("0.16", 1_000_000, 0x5DD3EF50, Engine::Sparse),
        ("0.142", 1_000_000, 0xF988B6AC, Engine::Sparse),
        ("0.106", 1_000_000, 0xF21F01B0, Engine::Sparse),
        ("0.104", 1_000_000, 0xCC99A917, Engine::Sparse),
        ("0.376", 1_000_000, 0xD858772F, Engine::Sparse),
        ("0.364", 200_000, 0x924F7C9A, Engine::Sparse),
        ("0.367", 200_000, 0x160180BE, Engine::Sparse),
        ("0.744", 200_000, 0x50EFD941, Engine::Sparse),
        ("0.565", 200_000, 0x575EF876, Engine::Sparse),
        ("0.007", 30_000, 0x08D38C2F, Engine::Pairs),
        ("0.77", 30_000, 0x19FCCAEC, Engine::Pairs),
        ("0.4", 30_000, 0xC17E3CE9, Engine::Pairs),
    ] {
        for kernel in kernels() {
            for threads in THREADS {
                let table = filled(
                    code,
                    Table::new(),
                    heap,
                    Engine::Auto,
                    (kernel, threads),
                    engine,
                );
                assert_eq!(
                    fletcher(&table),
                    checksum,
                    "{code} on {}, {threads}",
                    kernel.name()
                );
            }
        }
    }
    let ten_millions = filled(
        "0.16",
        Table::new(),
        10_000_000,
        Engine::Auto,
        (Kernel::detect(), 2),
        Engine::Sparse,
    );
    assert_eq!(fletcher(&ten_millions), 0x495172CA);
    let ten_millions = filled(
        "0.6",
        Table::new(),
        10_000_000,
        Engine::Auto,
        (Kernel::detect(), 2),
        Engine::Sparse,
    );
    assert_eq!(fletcher(&ten_millions), 0x6B0BFD70);
}

/// Games with many rare heaps and values of up to eleven bits: the checksums of another program.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn many_rare_heaps_with_values_beyond_a_byte() {
    for (code, heap, checksum, largest, engines) in [
        (
            "0.007",
            200_000,
            0xDB360006,
            1048,
            &[Engine::Auto, Engine::Pairs][..],
        ),
        ("0.206", 100_000, 0x4CA37B2C, 741, &[Engine::Auto]),
        ("0.114", 100_000, 0x417CDA1A, 793, &[Engine::Auto]),
    ] {
        for (kernel, &engine) in kernels()
            .into_iter()
            .flat_map(|kernel| engines.iter().map(move |engine| (kernel, engine)))
        {
            let threads = match kernel.name() {
                "portable" => 1,
                _ => 3,
            };
            let found = filled(
                code,
                Table::new(),
                heap,
                engine,
                (kernel, threads),
                Engine::Pairs,
            );
            assert_eq!(
                fletcher(&found),
                checksum,
                "{code}, {engine} on {}",
                kernel.name()
            );
            assert_eq!(found.iter().max(), Some(largest));
        }
    }
}

/// Values beyond 128 and beyond a byte, in wide codes and narrow ones, by definition, by all pairs and by rare heaps.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn the_engines_agree_with_the_definition_and_with_each_other() {
    for (code, by_definition, heap, largest, engines) in [
        (
            "0.6",
            20_000,
            60_000,
            200,
            &[Engine::Sparse, Engine::Pairs][..],
        ),
        (
            "0.142",
            12_000,
            60_000,
            128,
            &[Engine::Sparse, Engine::Pairs],
        ),
        (
            "grundy",
            20_000,
            60_000,
            128,
            &[Engine::Sparse, Engine::Pairs],
        ),
        ("0.376", 8_000, 60_000, 64, &[Engine::Sparse, Engine::Pairs]),
        ("0.4", 4_000, 20_000, 9, &[Engine::Pairs]),
        ("0.007", 12_000, 30_000, 300, &[Engine::Pairs]),
    ] {
        let ruleset: Ruleset = code.parse().unwrap();
        let wanted = definition::nim_values(&ruleset, by_definition).unwrap();
        let mut first: Option<Table> = None;
        for &engine in engines {
            for kernel in kernels() {
                for threads in THREADS {
                    let known = match engine {
                        // A sparse space shows only once some values are known.
                        Engine::Sparse => Engine::Auto,
                        engine => engine,
                    };
                    let found = filled(code, Table::new(), heap, known, (kernel, threads), engine);
                    assert!(
                        found.iter().take(wanted.len()).eq(wanted.iter()),
                        "{code} by {engine}"
                    );
                    same(code, &found, first.get_or_insert_with(|| found.clone()));
                    let most = found.iter().max();
                    assert!(most >= Some(largest), "{code}: {most:?}");
                }
            }
        }
    }
}

/// The 1,274th rare heap of Grundy's game, far behind the others; by the definition its value is 256, as all smaller
/// ones and no 256 are among the values of its pairs.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn a_rare_heap_far_out() {
    let heap = 7_250_049;
    let ways = (Kernel::detect(), 2);
    let grundy = filled(
        "grundy",
        Table::new(),
        heap as u64 + 1,
        Engine::Auto,
        ways,
        Engine::Sparse,
    );
    let mut values = vec![0; heap];
    grundy.copy_range(0, &mut values);
    let mut seen = [false; 1024];
    for small in 1..heap.div_ceil(2) {
        seen[usize::from(values[small] ^ values[heap - small])] = true;
    }
    assert_eq!(seen.iter().position(|seen| !seen), Some(256));
    assert_eq!(grundy.get(heap), Some(256));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn single_values() {
    let ways = (Kernel::detect(), 2);
    let six = filled(
        "0.6",
        Table::new(),
        2_000_000,
        Engine::Auto,
        ways,
        Engine::Sparse,
    );
    assert_eq!(
        (six.get(300_000), six.get(2_000_000)),
        (Some(222), Some(20))
    );
    let ways = (Kernel::detect(), 1);
    let couples = filled(
        "couples-are-forever",
        Table::new(),
        300_001,
        Engine::Auto,
        ways,
        Engine::Sparse,
    );
    assert_eq!(couples.get(300_001), Some(222));
}

/// Games whose sparse space shows within the first 1500 heaps.
const SPARSE: [&str; 7] = [
    "0.6",
    "0.16",
    "0.106",
    "0.104",
    "0.376",
    "grundy",
    "couples-are-forever",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// A table in which some late heaps have values that no rule gives them: they may be rare, and others become rare by
    /// them. What follows has its value by the definition all the same.
    #[test]
    #[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
    fn planted_late_rare_heaps(
        code in prop::sample::select(SPARSE.to_vec()),
        known in 1_500usize..4_000,
        planted in prop::collection::vec((0usize..1_000, 0u16..64), 0..5),
        more in 1usize..4_000,
        kernel in 0usize..3,
        threads in prop::sample::select(THREADS.to_vec()),
    ) {
        let ruleset: Ruleset = code.parse().unwrap();
        let mut values: Vec<u16> = definition::nim_values(&ruleset, known).unwrap().iter().collect();
        for (back, value) in planted {
            values[known - back] = value;
        }
        let mut wanted = Table::from(values.clone());
        let heap = (known + more) as u64;
        definition::fill(&ruleset, &mut wanted, heap, |_| Ok(())).unwrap();
        let kernels = kernels();
        let ways = (kernels[kernel % kernels.len()], threads);
        let found = filled(code, Table::from(values), heap, Engine::Sparse, ways, Engine::Sparse);
        let differ = (0..wanted.len()).find(|&heap| found.get(heap) != wanted.get(heap));
        prop_assert_eq!(differ, None);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow but in the release profile")]
fn values_that_show_a_sparse_space_late_go_on_in_a_window() {
    // Too many of the first 65,536 values of the one are rare, and of all of the other.
    let [mut late, mut never] = ["0.206", "0.4"].map(|game| Sequence::new(game.parse().unwrap()));
    assert!(late.keep_window().is_err());
    // All to the second are out of reach, and nothing is left for them.
    late.leave_table(150_000, 100_000_000).unwrap();
    assert!(!late.is_in_window() && late.computed() < 150_000);
    // Many of the last ones are rare, so the table stays unless a window is asked for.
    late.leave_table(150_000, 200_000).unwrap();
    assert!(!late.is_in_window() && late.computed() > 150_000);
    late.keep_window().unwrap();
    let mut table = Sequence::new("0.206".parse().unwrap());
    table.fill(200_000).unwrap();
    let mut next = 0;
    late.compute(200_000, 0, &mut |heap, values| {
        assert_eq!(heap, next);
        for &value in values {
            assert_eq!(table.values().get(next), Some(value), "{next}");
            next += 1;
        }
        Ok::<_, Error>(())
    })
    .unwrap();
    assert_eq!((next, late.largest()), (200_001, table.largest()));
    never.leave_table(150_000, 200_000).unwrap();
    assert!(!never.is_in_window() && never.computed() > 150_000);
}
