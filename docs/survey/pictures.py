#!/usr/bin/env python3
"""Draws the two pictures of README.md from the lines of games.ndjson.gz and five-digits.ndjson.gz, as SVG by hand.

    docs/survey/pictures.py [FOLDER]

Without FOLDER they are put beside this file.
"""
import gzip
import json
import sys
from math import log10
from pathlib import Path

here = Path(__file__).resolve().parent
into = Path(sys.argv[1]) if len(sys.argv) > 1 else here
WIDTH, HEIGHT, LEFT, BOTTOM = 720, 420, 64, 46


def picture(name, title, x_label, y_label, points):
    """Points (x, y, colour) on logarithmic axes, each drawn once."""
    decades = [max(1, *(int(log10(point[axis])) + 1 for point in points)) for axis in (0, 1)]
    at_x = lambda x: LEFT + log10(x) / decades[0] * (WIDTH - LEFT - 16)
    at_y = lambda y: HEIGHT - BOTTOM - log10(y) / decades[1] * (HEIGHT - BOTTOM - 40)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{WIDTH // 2}" y="20" text-anchor="middle" font-size="15">{title}</text>',
        f'<text x="{WIDTH // 2}" y="{HEIGHT - 8}" text-anchor="middle">{x_label}</text>',
        f'<text transform="translate(14 {HEIGHT // 2}) rotate(-90)" text-anchor="middle">{y_label}</text>',
    ]
    for decade in range(decades[0] + 1):
        x = at_x(10**decade)
        out.append(f'<path d="M{x:.1f} 36V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">10<tspan dy="-4" font-size="9">{decade}</tspan></text>')
    for decade in range(decades[1] + 1):
        y = at_y(10**decade)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - 16}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">10<tspan dy="-4" font-size="9">{decade}</tspan></text>')
    for x, y, colour in sorted({(round(at_x(x), 1), round(at_y(y), 1), colour) for x, y, colour in points}):
        out.append(f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}" fill-opacity=".6"/>')
    (into / name).write_text("\n".join(out) + "\n</svg>\n")


surveys = [here / name for name in ("games.ndjson.gz", "five-digits.ndjson.gz")]
lines = [json.loads(line) for survey in surveys if survey.exists() for line in gzip.open(survey)]
forms = [line for line in lines if line["code"] == line["standard_form"]]
blue, orange = "#0072b2", "#d55e00"
proved = [line for line in forms if line["status"] == "proved"]
picture(
    "periods.svg", f"The proved periods of {len(proved)} standard forms",
    "preperiod + 1", "period",
    [(line["preperiod"] + 1, line["period"], blue) for line in proved],
)
sparse = [line for line in forms if line["rares"] and line["last_rare"]]
picture(
    "rares.svg", "Rare values: solved games (blue) and open ones (orange)",
    "last pile with a rare value", "how many piles have a rare value",
    [(line["last_rare"], line["rares"], blue if line["status"] == "proved" else orange) for line in sparse],
)
