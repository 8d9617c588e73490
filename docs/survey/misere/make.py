#!/usr/bin/env python3
"""Makes the survey of misère quotients: one JSON object a line for each code, as said in README.md.

    python3 docs/survey/misere/make.py PROGRAM POSITIONS CODE... > FILE

Codes that FILE holds already may be left out of the list; `two` stands for all octal codes of up to two digits,
`three` for those of three.
"""
import json
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


def survey(program, positions, code):
    asked = [program, "quotient", "-g", code, "--positions", positions, "--memory", "2G", "--json"]
    run = subprocess.run(asked, capture_output=True, text=True, check=False)
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
    if note:
        line["why"] = note.removeprefix("note: ")
    return line


program, positions, *words = sys.argv[1:]
for word in words:
    for code in codes(word):
        print(json.dumps(survey(program, positions, code)), flush=True)
