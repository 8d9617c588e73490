#!/usr/bin/env python3
"""Makes the survey of misère quotients: one JSON object a line for each code, as said in README.md.

    python3 docs/survey/misere/make.py PROGRAM POSITIONS FILE CODE...

`two` stands for all octal codes of up to two digits, `three` for those of three. Games with the same standard form and
the same shift of piles are computed once. Lines are added to FILE; codes that it holds with as many positions or more
are left out, so that the work can be stopped and gone on with.
"""
import json
import os
import subprocess
import sys


def codes(word):
    digits = "01234567"
    if word == "two":
        ends = [a for a in digits[1:]] + [a + b for a in digits for b in digits[1:]]
        return [f"{zero}.{end}" for zero in "04" for end in ends]
    if word == "three":
        return [f"0.{a}{b}{c}" for a in digits for b in digits for c in digits[1:]]
    return [word]


def standard_form(code):
    """The digits in standard form, and by how much piles are smaller there (see src/ruleset/standard.rs)."""
    leaves, shift = [int(digit) for digit in code.replace(".", "")], 0
    while not leaves[1] & 1:
        smaller = [0] * (len(leaves) + 2)
        for take, bits in enumerate(leaves):
            for heaps in range(3):
                if bits >> heaps & 1:
                    smaller[take + heaps - 1] |= (2 << heaps) - 1
        leaves, shift = smaller, shift + 1
    while leaves[-1] == 0:
        leaves.pop()
    return tuple(leaves), shift


def survey(program, positions, code):
    asked = [program, "quotient", "-g", code, "--positions", positions, "--memory", "2G", "--threads", "1", "--json"]
    run = subprocess.run(asked, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3):
        sys.exit(f"{code}: {run.stderr}")
    line = {"schema": 1, "code": code, "positions": int(positions)}
    if not run.stdout:
        return {**line, "status": "refused", "why": run.stderr.strip().removeprefix("error: ").split("\n")[0]}
    found = json.loads(run.stdout)
    note = run.stderr.strip().split("\n")[0]
    status = "all piles" if found["period"] else "out of reach" if note else "piles"
    keys = ["heaps", "order", "nature", "tame", "regular", "normal", "period", "preperiod", "pairs"]
    line.update({"status": status}, **{key: found[key] for key in keys})
    line["p_portion"] = len(found["p_portion"])
    line["kernel"] = found["kernel"]["order"]
    line["grew_at"] = found["growth"][-1]["heap"]
    line["firm_from"] = found.get("firm_from")
    if note:
        line["why"] = note.removeprefix("note: ")
    return line


program, positions, file, *words = sys.argv[1:]
held = set()
if os.path.exists(file):
    with open(file, encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if line["positions"] >= int(positions):
                held.add(line["code"])
wanted = list(dict.fromkeys(code for word in words for code in codes(word)))
for code in wanted:
    if code in held:
        continue
    line = survey(program, positions, code)
    same = [other for other in wanted if other not in held and standard_form(other) == standard_form(code)]
    with open(file, "a", encoding="utf-8") as out:
        for other in same:
            why = {"why": line["why"].replace(code, other)} if "why" in line else {}
            out.write(json.dumps({**line, "code": other, **why}) + "\n")
    held.update(same)
