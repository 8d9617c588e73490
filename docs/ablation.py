#!/usr/bin/env python3
"""What each refinement of the sparse engine is worth (docs/algorithm.md, section 9), measured by leaving it out.

    docs/ablation.py lines                 sees that each line that is replaced stands just once in its file; takes no time
    docs/ablation.py check PROGRAM         builds a program with all of them left out, which must give the same values as this one
    docs/ablation.py measure KERNEL...     builds a program for each, and prints how much longer it takes

Each refinement is left out by replacing a line in a copy of the sources; a line that doesn't stand there just once is an error.
Time is user time of one thread; of two threads, where their work is shared, it is by the clock: the least of five runs.
"""
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
ENGINE = "src/engine/"
ROUNDS = 5
# Games with so many codes that they are marked in planes, with codes below 64, and with codes below 16.
LARGE, FEW, LEAST = ["0.6", "0.142", "grundy"], ["0.14", "0.444"], ["0.104", "0.054", "0.106"]
# Games with codes of two bytes, in ever more planes.
WIDE = ["0.364", "0.744", "0.564"]
# Games whose first values come from all pairs: many rare heaps, few enough to go by classes, and none; and those of
# several moves that leave the same sums.
MANY, CLASSES, NONE = ["0.206", "0.004"], ["0.146", "0.344"], ["0.764"]
SUMS = ["0.76", "0.764", "0.7246"]
# The last heap, where it isn't 3,000,000.
LAST = {**dict.fromkeys(LEAST, 20_000_000), **dict.fromkeys([*MANY, *SUMS], 100_000), **dict.fromkeys(CLASSES, 300_000),
        "0.143": 4_000_000}
# A period whose certificate is checked, segment by segment.
CERTIFIED, LIMIT = "0.104 (verify)", "300000000"

# What is left out, the games it is for, and for each file that changes what stands there and what is put in its place.
ROWS = [
    ("options of pairs looked up: all marked", MANY, [
        ("pairs.rs", "most_windows(self.kernel, values.len(), self.by_sums())",
         "0 * most_windows(self.kernel, values.len(), self.by_sums())")]),
    ("pairs by sums: by moves", SUMS, [
        ("pairs.rs", "self.rows_by_sums() < by_moves.min(most)", "self.rows_by_sums() + most < by_moves.min(1)")]),
    ("the least open values sought: all of a thousand", [*MANY, *CLASSES], [
        ("pairs/tuning.rs", "kernel.tuning() == Tuning::Avx2", "kernel.tuning() == Tuning::Avx2 && false")]),
    ("four thousand values together: a thousand", NONE, [
        ("pairs/tuning.rs", "windows.next_power_of_two().min(MOST_WINDOWS)", "windows.min(MOST_WINDOWS).min(1)")]),
    ("rare and common values among all pairs: all pairs", CLASSES, [
        ("pairs.rs", "ByClasses::discover(self.game, values, heaps_per_rare(self.kernel))",
         "ByClasses::discover(self.game, values, heaps_per_rare(self.kernel) * values.len())")]),
    ("learning: entries by distance, 500 pairs marked", LARGE, [
        ("sparse/order.rs", "let mut first = Entries::default();",
         "if true { return (0..entries.len().min(500)).collect(); } let mut first = Entries::default();")]),
    ("learning again: each plan learnt once", LARGE, [
        ("sparse/schedule.rs", "learning_cost.max(MIN_LEARNING_COST)", "learning_cost.max(u64::MAX)")]),
    ("testing in slots: all entries marked", LARGE, [
        ("sparse/search_plan.rs", "let all = order.entries.len();",
         "if true { return (Stage::marked(&order.entries), vec![(SLOTS, Stage::new(&[]))]); } let all = order.entries.len();")]),
    ("rows for open codes: each looked up by itself", LARGE, [
        ("sparse/witness_plan.rs", "plan.rows_to = plan.depth / in_row * in_row;", "plan.rows_to = plan.depth / in_row * 0;")]),
    ("the order of rows: rows by distance", LARGE, [
        ("sparse/witness_plan.rs", "counts.max_by_key(|&(_, count)| count)", "counts.min_by_key(|&(place, _)| left[place].0)")]),
    ("rows of larger parts: each code left open looked up by itself", ["0.143"], [
        ("sparse/verify.rs", "if self.may_use_far_rows(first) {", "if self.may_use_far_rows(first) && first == 0 {")]),
    ("bands: marks from the codes themselves", LARGE, [
        ("sparse/search_plan.rs", "if planes > MAX_PLANES_WITHOUT_BANDS {", "if planes > 64 * MAX_PLANES_WITHOUT_BANDS {"),
        ("sparse/witness_plan.rs", "let banded = kernel.reads_bands::<C>();", "let banded = false;")]),
    ("two options a look-up: one", LARGE, [
        ("sparse/witness_plan.rs", "let by_twos = match banded {", "let by_twos = banded && !banded && match banded {")]),
    ("far options marked ahead: the helper only proves", LARGE, [
        ("sparse/learning.rs", "match self.threads {", "match self.threads.min(1) {")]),
    ("the second thread: one", LARGE + ["0.364"], []),
    ("runs of codes of two bytes: each option by itself", WIDE, [
        ("sparse/tuning.rs", "MARKS_IN_RUNS: ByWidth<bool> = ByWidth(false, true)", "MARKS_IN_RUNS: ByWidth<bool> = ByWidth(false, false)")]),
    ("marks of a byte each: planes of two bytes", WIDE, [
        ("kernel/generic/by_bytes.rs", "planes.len() > M::BYTES_PAY_ABOVE", "M::BYTES_PAY_ABOVE == usize::MAX")]),
    ("nibbles: slots", LEAST, [
        ("sparse/search_plan.rs", "self.near_nibbles = if self.planes <= 2 {", "self.near_nibbles = if self.planes < 2 {")]),
    ("a heap's open codes looked up together: each by itself", LEAST, [
        ("sparse/verify.rs", "if is_narrow && covered", "if is_narrow && !is_narrow && covered")]),
    ("segments in lanes: each segment by itself", [CERTIFIED], [
        ("segments_in_lanes.rs", "if codes.is_full() || deep", "if !codes.is_full() || deep")]),
]


def build(name, replacements):
    """Builds a program with these replacements and says where it is."""
    copy = TARGET / "ablation" / name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "src", copy / "src")
    for file in ["Cargo.toml", "Cargo.lock", "README.md", "benches", "docs", "examples", "fuzz", "tests"]:
        (copy / file).symlink_to(ROOT / file)
    for file, old, new in replacements:
        path = copy / ENGINE / file
        path.write_text(path.read_text().replace(old, new))
    subprocess.run(["cargo", "build", "--quiet", "--release", "--locked", "--bin", "nim-analyser"], cwd=copy, check=True,
                   env={**os.environ, "CARGO_TARGET_DIR": str(TARGET / "ablation" / "target")})
    return shutil.copy(TARGET / "ablation" / "target" / "release" / "nim-analyser", copy / "program")


def run(program, game, last, *options):
    """The values of a game up to this heap, all or as the options say."""
    command = [program, "values", str(last), "-g", game, *options]
    return subprocess.run(command, check=True, capture_output=True).stdout


def verify(program, game, *options):
    """Checks the certificate of a game, which is made first where there is none: of several runs that is the longest."""
    certificate = TARGET / "ablation" / f"{game}.json"
    if not certificate.exists():
        subprocess.run([program, "period", "-q", "-g", game, "--limit", LIMIT, "--certificate", certificate], check=True,
                       capture_output=True)
    subprocess.run([program, "verify", "-q", certificate, *options], check=True, capture_output=True)


def seconds(program, game, kernel, threads, by_the_clock):
    """How long the values of a game take, or the check of its certificate."""
    last = LAST.get(game, 3_000_000)
    options = "--kernel", kernel, "--threads", str(threads)
    clock, user = time.perf_counter(), os.times().children_user
    if game == CERTIFIED:
        verify(program, game.split()[0], *options)
    else:
        run(program, game, last, "--from", str(last - 10), *options)
    return time.perf_counter() - clock if by_the_clock else os.times().children_user - user


for file, old, _ in (replacement for _, _, replacements in ROWS for replacement in replacements):
    times = (ROOT / ENGINE / file).read_text().count(old)
    if times != 1:
        sys.exit(f"{ENGINE}{file} has {times} times: {old}")
match sys.argv[1:]:
    case ["lines"]:
        pass
    case ["check", program]:
        without = build("all", [replacement for _, _, replacements in ROWS for replacement in replacements])
        games = dict.fromkeys([*LARGE, *FEW, *LEAST, "0.744"], 300_000)
        # Without the refinements these take much longer.
        games |= dict.fromkeys([*CLASSES, "0.206", "0.376", "0.764"], 100_000)
        for game, last in games.items():
            for threads in ["1", "2"]:
                if run(program, game, last, "--threads", threads) != run(without, game, last, "--threads", threads):
                    sys.exit(f"{game} has other values without the refinements")
    case ["measure", *kernels] if kernels:
        whole = build("whole", [])
        print("| left out: in its place | kernel | what it takes more |\n| --- | --- | ---: |")
        for number, (row, games, replacements) in enumerate(ROWS):
            without = build(str(number), replacements) if replacements else whole
            by_the_clock = "helper" in row or "thread" in row
            with_it = whole, 2 if by_the_clock else 1
            left_out = without, 2 if "helper" in row else 1
            for kernel in kernels:
                more = []
                for game in games:
                    times = [[seconds(program, game, kernel, threads, by_the_clock) for program, threads in (with_it, left_out)]
                             for _ in range(ROUNDS)]
                    before, after = map(min, zip(*times))
                    more.append(f"{game}: {100 * (after / before - 1):+.0f} %")
                print(f"| {row} | {kernel} | {', '.join(more)} |", flush=True)
    case _:
        sys.exit(__doc__)
