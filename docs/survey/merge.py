#!/usr/bin/env python3
"""Makes one file of the lines of several surveys: of each game the line that says most.

    merge.py LINES.ndjson... > games.ndjson

A line says more if its period is proved, or else if more values were computed. Surveys of open games are run in their
standard form; the lines of the other codes follow from those by the shift, as `survey` itself makes them.
"""
import json
import sys

from octal_codes import standard_form


def better(a, b):
    rank = lambda line: (line["status"] == "proved", line["values"])
    return a if rank(a) >= rank(b) else b


def odd_breaks(code):
    """Whether the moves that leave two heaps take an odd number of stones: then heap 0 of an alternating game is common."""
    before, after = code.split(".")
    takings = [taken for taken, digit in enumerate(before + after) if int(digit, 8) & 4]
    return takings[0] % 2 == 1


def dead_rares(form, shift):
    """How many of the heaps that a standard form doesn't have are rare."""
    if not form["alternating"]:
        return shift
    return sum(1 for back in range(1, shift + 1) if (back % 2 == 1) == odd_breaks(form["code"]))


def shifted(code, form):
    """The line of a game, from that of its standard form."""
    _, shift = standard_form(code)
    new = dict(form, code=code)
    for key in ("preperiod", "last_exception", "last_rare", "max_at", "values"):
        if form[key] is not None:
            new[key] = form[key] + shift
    if form["rares"] is not None:
        new["rares"] = form["rares"] + dead_rares(form, shift)
    return new


def main():
    best = {}
    for name in sys.argv[1:]:
        for line in map(json.loads, open(name)):
            code = line["code"]
            best[code] = better(best[code], line) if code in best else line
    for code, line in best.items():
        form = best.get(line["standard_form"])
        # With a preperiod of 0 the shift would need a look at the values.
        if form and code != form["code"] and better(form, line) is form and line["status"] != "proved" and form["preperiod"] != 0:
            best[code] = shifted(code, form)
    for code in sorted(best, key=lambda code: (len(code), code)):
        print(json.dumps(best[code], separators=(",", ":")))


main()
