//! The inner loops, each on every instruction set of this machine: `cargo bench --bench kernels`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use nim_analyser::engine::kernel::{
    Block, Entries, Entry, Kernel, LANES, Lanes, SLOTS, Source, Words,
};
use std::hint::black_box;

const AT: usize = 24_000;
const ENTRIES: u64 = 500;

/// Numbers that look random, the same on every run.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 1u64;
    move |bound| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    }
}

fn kernels(c: &mut Criterion) {
    let mut next = numbers();
    let codes: Vec<u8> = (0..AT + LANES).map(|_| next(140) as u8).collect();
    let source = Source {
        codes: &codes,
        mask: None,
        at: AT,
    };
    let far: Entries = (0..ENTRIES)
        .map(|_| Entry::new(64 + next(20_000), next(140) as u8))
        .collect();
    let near: Entries = (0..20)
        .map(|_| Entry::new(1 + next(63), next(140) as u8))
        .collect();
    let slots: [Lanes; SLOTS] =
        std::array::from_fn(|_| Lanes(std::array::from_fn(|_| next(140) as u8)));
    let values: Vec<u16> = (0..20_000).map(|_| next(800) as u16).collect();
    let words: [Words; SLOTS] =
        std::array::from_fn(|_| Words(std::array::from_fn(|_| next(800) as u16)));

    for kernel in Kernel::available() {
        let mut group = c.benchmark_group(kernel.name());
        group.throughput(Throughput::Elements(ENTRIES * LANES as u64));
        for planes in [2, 8, 18] {
            group.bench_function(format!("scatter into {planes} planes"), |b| {
                let mut marked = vec![Lanes::ZERO; planes];
                b.iter(|| kernel.scatter(black_box(&mut marked), source, &far));
            });
        }
        for width in [2, 4, 8] {
            group.bench_function(format!("kill {width} slots"), |b| {
                let mut slots = slots;
                b.iter(|| kernel.kill(black_box(&mut slots[..width]), source, &far));
            });
        }
        group.throughput(Throughput::Elements(LANES as u64));
        group.bench_function("holes of 18 planes", |b| {
            let mut marked = vec![Lanes::ZERO; 18];
            kernel.scatter(&mut marked, source, &far);
            let mut slots = slots;
            b.iter(|| kernel.holes(black_box(&marked), None, &mut slots));
        });
        group.bench_function("settle a block", |b| {
            let block = |mut codes: Vec<u8>| {
                kernel.settle(
                    &slots[..4],
                    0,
                    Block {
                        codes: &mut codes,
                        mask: None,
                        at: AT,
                    },
                    &near,
                )
            };
            b.iter_batched(|| codes.clone(), block, BatchSize::LargeInput);
        });
        group.throughput(Throughput::Elements(20_000));
        group.bench_function("scan", |b| {
            b.iter(|| kernel.scan(&codes, &[], AT, 1, AT / 2, black_box(255)));
        });
        group.throughput(Throughput::Elements(9_000 * 32));
        group.bench_function("kill 8 slots of words", |b| {
            let mut words = words;
            b.iter(|| kernel.kill_words(black_box(&mut words), &values, 19_000, 100, 9_100));
        });
        group.finish();
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
