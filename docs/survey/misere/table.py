#!/usr/bin/env python3
"""Makes docs/misere.md from the survey of misère quotients.

    python3 docs/survey/misere/table.py > docs/misere.md
"""
import json
import os
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from octal_codes import misere_form

FOLDER = os.path.dirname(os.path.abspath(__file__))

TOP = """\
# Misère play

- [How positions are judged](#how-positions-are-judged)
- [Which octal games are solved](#which-octal-games-are-solved)
- [Solved, wild](#solved-wild)
- [Solved, tame](#solved-tame)

## How positions are judged

In misère play whoever makes the last move loses: `--misere`. The nim-sum does not decide in general, and it is used only where a
theorem says that it does. Nim, subtraction and all-but games go by Bouton's rule (Ferguson 1974), and so do *tame* piles, which
behave as piles of Nim. Other positions go by a *misère quotient* that is proved first, or are searched exhaustively. A position
beyond the limits is refused within seconds, with the option that allows more. `--explain` shows which of these decided.

```console
$ nim-analyser kayles 20 20 20 --misere
Initial Piles: [20, 20, 20]
Convention: misère (whoever makes the last move loses)

This is a Losing Position.

$ nim-analyser genus kayles --piles 6
pile  genus       nature
   0  0           nim pile
   1  1           nim pile
   2  2           nim pile
   3  3           nim pile
   4  1           nim pile
   5  4^146       restless
   6  3           nim pile

$ nim-analyser quotient 0.75
Misère quotient of 0.75, all piles: proved
Order 8, P-portion 2
It is wild and regular: in the kernel only the identity is lost, as in normal play.
Elements of the piles: period 2, preperiod 8.
Theorem: elements that repeat to pile 2 n0 + 2 p + t - 1 repeat for ever (Plambeck 2005).

Generators:
  a = pile 1
  b = pile 2
  c = pile 5
Relations: a^2 = 1, bc = ab, c^2 = b^2, b^3 = b
P-portion: a, b^2
Idempotents: 1, b^2
Kernel of order 4, group Z2 x Z2, identity b^2: b, ab, b^2, ab^2

Elements of the piles:
   0  1     a     b     a     b     c     b     c     b     ab^2
  10  b     ab^2  b     ab^2  b     ab^2  b     ab^2  b     ab^2
  20  b     ab^2  b     ab^2  b     ab^2  b     ab^2  b     ab^2
  30  b     ab^2  b
```

The [glossary](glossary.md#misère-play) has the terms.

## Which octal games are solved

All octal codes of up to three digits (`0.a`, `0.ab`, `0.abc`, `4.a`, `4.ab`, `4.abc`), by their misère quotients. Made
from [the survey](survey/misere/README.md) by `python3 docs/survey/misere/table.py > docs/misere.md`. Codes with the same lines
but for the number of piles are often one game, shifted by a pile or two. All orders and periods are proved:
`nim-analyser quotient -g CODE` gives the quotient, and `--certificate FILE` a certificate for `verify`.

- *Solved*: the elements of the piles have a proved period, so a finite table decides every position.
- *At rest*: no period is proved, but the quotient has not grown in the second half of the piles covered. A table of that
  many elements decides every position of these piles.
- *Growing*: it grew in the second half of them. The next pile needs more positions than were allowed. Whether the quotient
  of all piles is finite is not known.

A tame game that is *firm* from some pile on (`firm_from` in the survey) is decided by the nim-values of its piles, for ever.
"""

# Of the growing ones those are shown that are covered as far as this, or have so many elements.
FAR, MANY = 60, 500


def lines():
    for name in ["two", "three"]:
        with open(os.path.join(FOLDER, f"{name}-digits.ndjson"), encoding="utf-8") as file:
            yield from map(json.loads, file)


def kind(line):
    if line["status"] == "all piles":
        return "solved, tame" if line["nature"] == "tame" else "solved, wild"
    return "at rest" if 2 * line["grew_at"] <= line["heaps"] else "growing"


def rows(found, keys):
    """The codes that have the same values of these keys, in the order of the values."""
    same = defaultdict(list)
    for line in found:
        same[tuple(line[key] for key in keys)].append(line["code"])
    return sorted(same.items())


def table(title, heads, found, keys):
    if not found:
        print(f"\n## {title}\n\nNone.")
        return
    print(f"\n## {title}\n\n| codes | {' | '.join(heads)} |\n|{' --- |' * (len(heads) + 1)}")
    for values, codes in rows(found, keys):
        cells = [" ".join(f"`{code}`" for code in codes), *map(str, values)]
        print(f"| {' | '.join(cells)} |")


def check_equal_games(games):
    """Codes of one game that were tried with as many positions must have the same quotient."""
    first = {}
    for game in games:
        keys = ["status", "order", "p_portion", "period", "preperiod", "grew_at", "kernel"]
        keys += [] if game["status"] == "all piles" else ["heaps"]
        found = {key: game.get(key) for key in keys}
        code, one = first.setdefault((misere_form(game["code"]), game["positions"]), (game["code"], found))
        if one != found:
            sys.exit(f"{code} and {game['code']} are one game, and have {one} and {found}")


games = list(lines())
check_equal_games(games)
kinds = ["solved, tame", "solved, wild", "at rest", "growing"]
print(TOP)
print(f"| | codes | {' | '.join(kinds)} |\n|{' --- |' * 6}")
for name, part in [
    ("up to two digits", [game for game in games if len(game["code"]) < 5]),
    ("three digits", [game for game in games if len(game["code"]) == 5]),
]:
    counts = [sum(kind(game) == one for game in part) for one in kinds]
    print(f"| {name} | {len(part)} | {' | '.join(map(str, counts))} |")
of = {one: [game for game in games if kind(game) == one] for one in kinds}
tried = {(game["positions"], game["memory"]) for game in of["at rest"] + of["growing"]}
if len(tried) != 1:
    sys.exit(f"not all open codes were tried with the same bounds: {tried}")
positions, memory = tried.pop()
memory = memory.replace("G", " GiB")
print(f"\nThose at rest or growing were tried with {positions:,} positions and {memory} of memory.")
repeats = ["order", "p_portion", "period", "preperiod"]
heads = ["order", "lost", "period", "preperiod"]
table("Solved, wild", heads, of["solved, wild"], repeats)
table("Solved, tame", heads, of["solved, tame"], repeats)
table("At rest", ["order", "lost", "grew last at pile", "piles covered"], of["at rest"],
      ["order", "p_portion", "grew_at", "heaps"])
far = [game for game in of["growing"] if game["heaps"] >= FAR or game["order"] >= MANY]
table("Growing", ["piles covered", "order"], far, ["heaps", "order"])
print(f"\nThe {len(of['growing']) - len(far)} others end before pile {FAR} with fewer than {MANY} elements; see the survey.")
