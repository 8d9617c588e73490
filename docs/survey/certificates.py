#!/usr/bin/env python3
"""Makes and verifies a certificate of each long period of the survey, and prints a JSON object a game.

    docs/survey/certificates.py [--beyond N] [--sample S] [--keep FOLDER] [--done LINES] PROGRAM FILE.ndjson.gz...

Taken are the standard forms whose period or preperiod is beyond N (100,000), but 0.106, whose certificate takes hours and is
in docs/records. The certificate is made by `PROGRAM period`
from nothing but the code, must have the period and preperiod of the line, and is checked by `PROGRAM verify`; S of its
segments, evenly spaced, by examples/check_segments.py. It is kept, compressed, only with --keep. Games in LINES, printed
before, are left out. Ends with 1 at the first that isn't right.
"""
import argparse
import gzip
import json
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

CHECK_SEGMENTS = Path(__file__).resolve().parents[2] / "examples" / "check_segments.py"


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr or done.stdout}")
    return done.stdout


def certify(line, folder):
    code, file = line["code"], folder / f"{line['code']}.json"
    # Guy and Smith's theorem needs fewer values than these; the search ends as soon as a theorem holds. With so large a limit it
    # is made in bounded memory, where there are few rare values, and the certificate in segments, which is checked faster.
    limit = str(max(3 * (line["period"] + line["preperiod"]), 10**9))
    run(options.program, "period", "-q", "-g", code, "--limit", limit, "--threads", "1", "--certificate", file)
    said = json.loads(run(options.program, "verify", "-q", "--json", "--threads", "1", file))
    if not said["verified"] or (said["code"], said["period"], said["preperiod"]) != (code, line["period"], line["preperiod"]):
        sys.exit(f"{code}: {said}")
    text = file.read_bytes()
    packed = lzma.compress(text)
    segments = len(json.loads(text).get("windows", []))
    sample = sorted({segments * k // options.sample for k in range(options.sample)} if segments else [])
    for number in sample:
        run(sys.executable, CHECK_SEGMENTS, file, str(number), str(number))
    if options.keep:
        (options.keep / f"{code}.json.xz").write_bytes(packed)
    file.unlink()
    return {**{key: said[key] for key in ("code", "period", "preperiod", "theorem", "verified")}, "bytes": len(text),
            "compressed": len(packed), "segments": segments, "sampled": sample}


reader = argparse.ArgumentParser()
reader.add_argument("--beyond", type=int, default=100_000)
reader.add_argument("--sample", type=int, default=0)
reader.add_argument("--keep", type=Path)
reader.add_argument("--done")
reader.add_argument("program")
reader.add_argument("surveys", nargs="+")
options = reader.parse_args()
done = {"0.106"}
if options.done:
    done |= {json.loads(line)["code"] for line in open(options.done, encoding="utf-8")}
lines = (json.loads(line) for survey in options.surveys for line in gzip.open(survey))
long = {line["code"]: line for line in lines if line["status"] == "proved" and line["code"] == line["standard_form"]
        and max(line["period"], line["preperiod"]) > options.beyond and line["code"] not in done}
if options.keep:
    options.keep.mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as folder:
    for line in sorted(long.values(), key=lambda line: line["period"] + line["preperiod"]):
        print(json.dumps(certify(line, Path(folder))), flush=True)
