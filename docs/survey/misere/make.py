#!/usr/bin/env python3
"""Makes the survey of misère quotients: one JSON object a line for each code, as said in README.md.

    python3 docs/survey/misere/make.py [--memory SIZE] [--piles N] PROGRAM POSITIONS FILE CODE...

`two` stands for all octal codes of up to two digits, `three` for those of three (0.??? and 4.???), and `open` for those of
FILE with no period proved, first those whose quotient rested for the largest part of their piles. Codes that are shown to be one
game by their small piles are computed once. A line is added to FILE, or put in the place of one that covers no more
piles; codes that FILE holds with as many positions or more are left out, so that the work can be stopped and gone on
with. --piles N goes to pile N in those that the positions carried to pile 512, where the program ends by itself.
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from octal_codes import misere_form, standard_form


def codes(word):
    digits = "01234567"
    if word == "two":
        ends = [a for a in digits[1:]] + [a + b for a in digits for b in digits[1:]]
        return [f"{zero}.{end}" for zero in "04" for end in ends]
    if word == "three":
        return [f"{zero}.{a}{b}{c}" for zero in "04" for a in digits for b in digits for c in digits[1:]]
    return [word]


def survey(code, piles):
    asked = [options.program, "quotient", "-g", code, "--positions", options.positions, "--memory", options.memory]
    asked += ["--threads", "1", "--json"] + (["--piles", piles] if piles else [])
    run = subprocess.run(asked, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3):
        raise SystemExit(f"{code}: {run.stderr}")
    line = {"schema": 1, "code": code, "positions": int(options.positions), "memory": options.memory}
    if not run.stdout:
        return {**line, "status": "refused", "why": run.stderr.strip().removeprefix("error: ").split("\n")[0]}
    found = json.loads(run.stdout)
    note = run.stderr.strip().split("\n")[0]
    if note.startswith("help: "):
        note = ""
    status = "all piles" if found["period"] else "out of reach" if note else "piles"
    keys = ["heaps", "order", "nature", "tame", "regular", "normal", "period", "preperiod", "pairs"]
    line.update({"status": status}, **{key: found[key] for key in keys})
    line["p_portion"] = len(found["p_portion"])
    line["kernel"] = found["kernel"]["order"]
    line["grew_at"] = found["growth"][-1]["heap"]
    line["firm_from"] = found.get("firm_from")
    if note:
        line["why"] = note.removeprefix("error: ").removeprefix("note: ")
    return line


def says_more(line, held):
    """Whether a line is to stand in the place of the one held: a proved period, or else as many piles."""
    rank = lambda line: (line["status"] == "all piles", line.get("heaps", -1))
    return held is None or rank(line) >= rank(held)


def save():
    with open(options.file + ".new", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in held.values())
    os.replace(options.file + ".new", options.file)


reader = argparse.ArgumentParser()
reader.add_argument("--memory", default="2G")
reader.add_argument("--piles")
for name in ["program", "positions", "file"]:
    reader.add_argument(name)
reader.add_argument("codes", nargs="+")
options = reader.parse_args()
held = {}
if os.path.exists(options.file):
    with open(options.file, encoding="utf-8") as lines:
        held = {line["code"]: line for line in map(json.loads, lines)}
done = {code for code, line in held.items() if line["positions"] >= int(options.positions)}
open_ones = [line for line in held.values() if line["status"] not in ("all piles", "refused")]
open_ones.sort(key=lambda line: line["grew_at"] / line["heaps"])
named = {"open": [line["code"] for line in open_ones]}
wanted = list(dict.fromkeys(code for word in options.codes for code in named.get(word) or codes(word)))
for code in wanted:
    if code in done:
        continue
    stopped_at_512 = code in held and held[code]["status"] == "piles"
    line = survey(code, options.piles if stopped_at_512 else None)
    # From which pile on all are firm is judged by the code, so only lines without it serve all codes of an equal game.
    form = standard_form if line.get("firm_from") else misere_form
    same = [other for other in wanted if other not in done and form(other) == form(code)]
    for other in same:
        why = {"why": line["why"].replace(code, other)} if "why" in line else {}
        new = {**line, "code": other, **why}
        if says_more(new, held.get(other)):
            held[other] = new
    done.update(same)
    save()
