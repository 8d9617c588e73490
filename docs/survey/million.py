#!/usr/bin/env python3
"""What the first million nim-values take of each open game of up to three digits.

    docs/survey/million.py target/release/nim-analyser LINES.ndjson >> docs/survey/million.ndjson

One line for a family of equal games, computed in their standard form and called by that if it has up to three digits, or else
by their shortest code: `clock` and `user` are seconds of the whole process on two threads, `megabytes` the most
memory it held. The survey's own lines are appended to LINES.ndjson, for `merge.py`. Games that million.ndjson has are left out.
GNU time measures.
"""
import gzip
import json
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
program, lines = sys.argv[1:]


def open_families():
    """The standard form of each open game of up to three digits, with the shortest code that has it."""
    with gzip.open(here / "games.ndjson.gz", "rt") as file:
        games = [json.loads(line) for line in file]
    short = [game for game in games if game["status"] != "proved" and len(game["code"]) <= 5]
    short.sort(key=lambda game: (game["code"] != game["standard_form"], len(game["code"]), game["code"]), reverse=True)
    return sorted((game["code"], form) for form, game in {game["standard_form"]: game for game in short}.items())


def measured(code, form):
    done = subprocess.run(["time", "-f", "%e %U %M", program, "survey", form, "--values", "1e6", "--threads", "2", "-q",
                           "--resume", lines], capture_output=True, text=True, check=True)
    clock, user, kilobytes = done.stderr.split()[-3:]
    return {"code": code, "clock": float(clock), "user": float(user), "megabytes": round(int(kilobytes) / 1000)}


table = here / "million.ndjson"
done = {json.loads(line)["code"] for line in table.read_text().splitlines()} if table.exists() else set()
for code, form in open_families():
    if code not in done:
        print(json.dumps(measured(code, form)), flush=True)
