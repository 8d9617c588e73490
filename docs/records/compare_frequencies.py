#!/usr/bin/env python3
"""Compares how many piles have each nim-value with the tables of https://github.com/rogalski-wmii-uni-lodz-pl/octal.

    nim-analyser invariants 0.167 --to 2^28 --histogram --json | docs/records/compare_frequencies.py RESULTS

RESULTS is the folder `results` of that repository: a folder a game, in it a file for each power of two, with lines
`value frequency`. Ends with 1 if a table differs, or none is there.
"""
import json
import sys
from pathlib import Path

wrong = 0
for found in map(json.loads, sys.stdin):
    same = []
    for histogram in found["histograms"]:
        table = Path(sys.argv[1]) / found["game"] / str(histogram["to"])
        if table.exists():
            rows = (map(int, row.split()) for row in table.read_text().splitlines())
            theirs = {value: count for value, count in rows if count}
            ours = {value: count for value, count in enumerate(histogram["counts"]) if count}
            if ours == theirs:
                same.append(histogram["to"])
            else:
                print(f"{found['game']}: to pile {histogram['to']} ours are {ours}, theirs {theirs}")
                wrong += 1
    print(f"{found['game']}: {len(same)} tables are the same, the last to pile {max(same, default=None)}")
    wrong += not same
sys.exit(bool(wrong))
