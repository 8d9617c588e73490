#!/usr/bin/env python3
"""Checks a certificate in segments that `nim-analyser period --certificate` wrote, and shares no code with it.

    python3 check_segments.py FILE [FIRST LAST]
    python3 check_segments.py FILE RESULTS
    python3 check_segments.py --many < LIST

checks the segments FIRST to LAST, both included; without them all, and so the period is proved by the window theorem
(src/sequence/period/window.rs). RESULTS are lines of `nim-analyser verify --json FILE`: they are put together and believed about
the segments that they say are right. A line of LIST is what the other forms take; for each a line says `right` or `false` and what is.
Octal codes only: the digit of t says whether a move that takes t stones may leave nothing (1), one pile (2), two piles (4; unequal
ones if the digit is followed by ! or ?).
"""
import hashlib
import json
import re
import sys

KIND = "windows of a sparse space"
FIELDS = ("kind", "program", "game", "code", "period", "preperiod", "start", "window", "depth", "mask", "alternating",
          "rares", "digits", "windows")
CODE = re.compile(r"(?:[04][!?]?)?\.(?:[0-7][!?]?)+")
MOST = 2**48  # a period, a start; 2**20 rare piles or windows


class False_(Exception):
    """The certificate is false, or none."""


def check(condition, what):
    if not condition:
        raise False_(what)


def once(pairs):
    check(len(dict(pairs)) == len(pairs), "a field stands twice")
    return dict(pairs)


def check_numbers(c):
    def within(name, number, least, most):
        check(type(number) is int and least <= number <= most, f"{name} is {number}, not from {least} to {most}")

    check(type(c) is dict and set(c) == set(FIELDS), "fields")
    check(c["kind"] == KIND, "kind")
    check(type(c["code"]) is str and CODE.fullmatch(c["code"]), "code: octal codes only")
    check(type(c["game"]) is str and (c["game"] == c["code"] or not CODE.fullmatch(c["game"])), "game")
    check(type(c["alternating"]) is bool, "alternating")
    within("period", c["period"], 1, MOST)
    within("start", c["start"], 1, MOST)
    within("preperiod", c["preperiod"], 0, c["start"])
    within("window", c["window"], 1, c["start"])
    within("depth", c["depth"], 0, c["window"])
    within("mask", c["mask"], 1, 65535)
    within("digits", c["digits"], 1, 4)
    check(type(c["rares"]) is list and len(c["rares"]) <= 2**20, "rares")
    for rare in c["rares"]:
        check(type(rare) is list and len(rare) == 2, "rares")
        within("a rare pile", rare[0], 1, c["window"])
        within("a rare value", rare[1], 0, 65535)
    check(type(c["windows"]) is list and 0 < len(c["windows"]) <= 2**20, "windows")
    for window in c["windows"]:
        check(type(window) is dict and set(window) == {"before", "values"}, "windows")
        within("a window's pile", window["before"], 1, c["start"] + c["period"])
        text = window["values"]
        check(type(text) is str and re.fullmatch("[0-9a-fA-F]*", text) and len(text) % c["digits"] == 0, "values")


class Game:
    """The rule, and the first values by definition, as the classes allow it: a rare value has a witness or is the value."""

    def __init__(self, code, mask, alternating):
        before, after = code.split(".")
        digits = [(0, *d) for d in re.findall(r"([0-7])([!?]?)", before)]
        digits += [(t, *d) for t, d in enumerate(re.findall(r"([0-7])([!?]?)", after), 1)]
        digits = [(t, int(d), suffix) for t, d, suffix in digits]
        self.whole = {t for t, d, _ in digits if d & 1}
        self.one = [t for t, d, _ in digits if d & 2]
        self.two = [(t, suffix != "") for t, d, suffix in digits if d & 4]
        self.most = max([t for t, d, _ in digits if d], default=0)
        check(self.two, "code: no move leaves two piles")
        self.mask, self.alternating = mask, alternating
        odd = {t % 2 for t, _ in self.two}
        check(not alternating or len(odd) == 1, "alternating: the takings must be all even or all odd")
        self.constant = alternating and odd == {1}
        self.first, self.rares = [0], []
        self.walks = {}

    def common(self, heap, value):
        """Adds up: an option of two piles has the sum of their classes. Heap 0 is no pile."""
        return (bin(value & self.mask).count("1") + self.alternating * heap + self.constant) % 2 == 1

    def next(self, heap, g, rares, depth):
        """The value of a heap by those before it, g[k] for k < heap, with witnesses no deeper than so."""
        options = {0} if heap in self.whole else set()
        options |= {g[heap - t] for t in self.one if t < heap}
        for t, unequal in self.two:
            for r, value in rares:
                if 0 < heap - t - r and not (unequal and heap - t == 2 * r):
                    options.add(value ^ g[heap - t - r])
        # All common-class options are there, and those of two rare piles; the others have two common piles.
        value, missing = 0, set()
        while value in options or not self.common(heap, value):
            if value not in options:
                missing.add(value)
            value += 1
        for i in range(1, min(heap // 2, depth) + 1):
            if not missing:
                break
            for t, unequal in self.two:
                if heap - t - i >= i and not (unequal and heap - t == 2 * i):
                    missing.discard(g[i] ^ g[heap - t - i])
        return min(missing, default=value)

    def fill(self, until):
        for heap in range(len(self.first), until):
            value = self.next(heap, self.first, self.rares, heap)
            if not self.common(heap, value):
                self.rares.append((heap, value))
            self.first.append(value)


class Walk:
    """The values from one window on, with the first values, by heap."""

    def __init__(self, first, before, values):
        self.first, self.begin, self.values, self.next = first, before - len(values), list(values), before

    def __getitem__(self, heap):
        return self.values[heap - self.begin] if heap >= self.begin else self.first[heap]

    def go_on(self, game, to, rares, depth):
        for heap in range(self.next, to):
            value = game.next(heap, self, rares, depth)
            check(game.common(heap, value), f"pile {heap} is rare or has no witness")
            self.values.append(value)
            self.next = heap + 1


def primes(number):
    prime = 2
    while prime * prime <= number:
        if number % prime == 0:
            yield prime
            while number % prime == 0:
                number //= prime
        prime += 1
    if number > 1:
        yield number


def check_period(c, game, windows):
    """By the windows alone."""
    period, start, length, windows = c["period"], c["start"], c["window"], dict(windows)
    needed = [start, start + period] + [start + period // prime for prime in primes(period)]
    check(all(before in windows for before in needed), "windows: one is missing")
    early, late = windows[start], windows[start + period]
    equal = next((k for k in range(len(early)) if k >= len(late) or early[-1 - k] != late[-1 - k]), len(early))
    check(len(early) == len(late) and equal >= length, "period")
    check(equal < len(early) or equal == start, "preperiod: not shown")
    check(start - equal == c["preperiod"], "preperiod")
    check(not game.alternating or period % 2 == 0, "period: it must be even")
    for before in needed[2:]:
        check(windows[before][-length:] != early[-length:], f"period: {before - start} is one")


def check_file(file, chosen, games, say):
    with open(file, encoding="utf-8") as text:
        c = json.load(text, object_pairs_hook=once)
    check_numbers(c)
    kind = (c["code"], c["mask"], c["alternating"])
    if kind not in games:
        games[kind] = Game(*kind)
    game, length, width = games[kind], c["window"], c["digits"]
    rares, depth = [tuple(rare) for rare in c["rares"]], c["depth"]
    windows = []
    for window in c["windows"]:
        text = window["values"]
        windows.append((window["before"], [int(text[k:k + width], 16) for k in range(0, len(text), width)]))
    last_rare = max((heap for heap, _ in rares), default=0)
    deep = max(last_rare, depth)
    check(length == deep + game.most, "window")
    check(all(length <= len(values) <= before for before, values in windows), "windows: one is too short, or too long")
    check(all(a[0] < b[0] for a, b in zip(windows, windows[1:])), "windows: order")
    check(windows[-1][0] == c["start"] + c["period"], "windows: the last")
    check(windows[0][0] > max(2 * deep + game.most, deep + game.most + last_rare, game.most), "windows: the first")
    check_period(c, game, windows)

    begin, end = chosen or (0, len(windows) - 1)
    until = windows[0][0] if begin == 0 else deep + 2
    game.fill(until)
    check([rare for rare in game.rares if rare[0] < until] == [rare for rare in rares if rare[0] < until], "rares")
    check(last_rare < until, "rares")
    for number in range(begin, end + 1):
        before, stated = windows[number]
        own = before - len(stated)
        # The last window that reaches back as far, or the first values.
        bases = [k for k in range(number) if windows[k][0] - len(windows[k][1]) <= own]
        if number == 0 or not bases:
            from_ = windows[0][0]
            game.fill(from_)
            key, values = (from_, None), game.first[:from_]
        else:
            from_, values = windows[bases[-1]]
            common = (game.common(heap, value) for heap, value in enumerate(values, from_ - len(values)) if heap > last_rare)
            check(all(common), f"segment {number}: a rare value before pile {from_}")
            key = (from_, tuple(values))
        key += (tuple(rares), depth)
        if key not in game.walks:
            game.walks[key] = Walk(game.first, from_, values)
        g = game.walks[key]
        g.go_on(game, before, rares, depth)
        check(g.values[own - g.begin:before - g.begin] == stated, f"segment {number}: its last values")
        say(f"segment {number} is right")
    if not chosen:
        say(f"{c['code']}: period {c['period']}, preperiod {c['preperiod']}, proved")


def join(file, results, say):
    """Checks what RESULTS say against the certificate, and that no segment is left out."""
    with open(file, "rb") as bytes_:
        text = bytes_.read()
    c = json.loads(text, object_pairs_hook=once)
    check_numbers(c)
    count = len(c["windows"])
    own = {"schema": 1, "kind": "segments-verification", "game": c["game"], "code": c["code"], "period": c["period"],
           "preperiod": c["preperiod"], "theorem": "sparse space, equal windows", "segments": count, "wrong": None,
           "certificate": "sha256:" + hashlib.sha256(text).hexdigest()}
    found = set()
    with open(results, "rb") as lines:
        for line in filter(None, map(bytes.strip, lines)):
            said = json.loads(line, object_pairs_hook=once)
            check(type(said) is dict, "a line is no result")
            verified, again = said.pop("verified", None), said.pop("checked_again", None)
            right = said.pop("right", None)
            check(said == own and all(type(said[name]) is type(own[name]) for name in own), "a line says something else")
            check(type(right) is list and all(type(part) is list and len(part) == 2 for part in right), "right: no list of segments")
            ends = [end for part in right for end in part]
            check(all(type(end) is int and 0 <= end < count for end in ends), "right: no such segment")
            check(all(first <= last for first, last in right), "right: first and last")
            check(all(a[1] < b[0] for a, b in zip(right, right[1:])), "right: order")
            segments = {number for first, last in right for number in range(first, last + 1)}
            check(type(verified) is bool and verified == (len(segments) == count), "verified")
            check(again is None or type(again) is int and 0 <= again <= count and verified, "checked_again")
            found |= segments
    check(len(found) == count, f"{count - len(found)} segments are left out")
    say(f"{c['code']}: all {count} segments are right, say the results")


def fault(file, chosen, games, say):
    """What is false, or nothing."""
    try:
        if len(chosen) == 1:
            join(file, *chosen, say)
        else:
            check_file(file, tuple(map(int, chosen)), games, say)
    except False_ as what:
        return str(what)
    except (ValueError, RecursionError) as error:  # no JSON, or no text
        return f"no certificate: {error}"
    return None


def main(*arguments):
    if arguments == ("--many",):
        games = {}
        for line in sys.stdin:
            file, *chosen = line.split()
            what = fault(file, chosen, games, lambda _: None)
            print("right" if what is None else f"false: {what}", flush=True)
        return
    numbers = arguments[1:] if len(arguments) == 3 else ()
    if len(arguments) not in (1, 2, 3) or arguments[0].startswith("-") or not all(number.isdigit() for number in numbers):
        sys.exit(__doc__)
    file, *chosen = arguments
    what = fault(file, chosen, {}, lambda line: print(line, flush=True))
    if what is not None:
        sys.exit(f"false: {what}")


if __name__ == "__main__":
    main(*sys.argv[1:])
