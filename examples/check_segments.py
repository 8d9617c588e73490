#!/usr/bin/env python3
"""Checks a certificate in segments that `nim-analyser period --certificate` wrote, and shares no code with it.

    python3 check_segments.py FILE [FIRST LAST]

checks the segments FIRST to LAST, both included; without them all, and then the period is proved by the window theorem
(src/sequence/period/window.rs). Octal codes only: the digit of t says whether a move that takes t stones may
leave nothing (1), one pile (2), two piles (4; unequal ones if the digit is followed by ! or ?).
"""
import json
import re
import sys


def check(condition, what):
    if not condition:
        sys.exit(f"false: {what}")


def digits_of(code):
    before, after = code.split(".")
    digits = [(0, *d) for d in re.findall(r"([0-7])([!?]?)", before)]
    return digits + [(t, *d) for t, d in enumerate(re.findall(r"([0-7])([!?]?)", after), 1)]


class Game:
    def __init__(self, certificate):
        digits = [(t, int(d), suffix) for t, d, suffix in digits_of(certificate["code"])]
        self.whole = [t for t, d, _ in digits if d & 1]
        self.one = [t for t, d, _ in digits if d & 2]
        self.two = [(t, suffix != "") for t, d, suffix in digits if d & 4]
        self.most = max(t for t, d, _ in digits if d)
        self.mask, self.alternating = certificate["mask"], certificate["alternating"]
        odd = {t % 2 for t, _ in self.two}
        check(not self.alternating or len(odd) == 1, "alternating: the takings must be all even or all odd")
        self.constant = self.alternating and odd == {1}

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


class Window:
    """The first values and some later ones, by heap."""

    def __init__(self, first, begin, values):
        self.first, self.begin, self.values = first, begin, values

    def __getitem__(self, heap):
        return self.values[heap - self.begin] if heap >= self.begin else self.first[heap]


def main(file, *chosen):
    with open(file, encoding="utf-8") as text:
        certificate = json.load(text)
    game, length, width = Game(certificate), certificate["window"], certificate["digits"]
    rares, depth = [tuple(rare) for rare in certificate["rares"]], certificate["depth"]
    windows = []
    for window in certificate["windows"]:
        text = window["values"]
        windows.append((window["before"], [int(text[k:k + width], 16) for k in range(0, len(text), width)]))
    last_rare = max((heap for heap, _ in rares), default=0)
    deep = max(last_rare, depth)
    check(length == deep + game.most, "window")
    check(all(len(values) >= length for _, values in windows), "windows: one is too short")
    check(all(a[0] < b[0] for a, b in zip(windows, windows[1:])), "windows: order")
    check(windows[0][0] > max(2 * deep + game.most, deep + game.most + last_rare, game.most), "windows: the first")

    first, found = [0], []  # by definition, as the classes allow it: a rare value has a witness or is the value
    until = windows[0][0] if not chosen or int(chosen[0]) == 0 else deep + 2
    for heap in range(1, until):
        value = game.next(heap, first, found, heap)
        if not game.common(heap, value):
            found.append((heap, value))
        first.append(value)
    check(found == [rare for rare in rares if rare[0] < until] and last_rare < until, "rares")

    begin, end = (int(chosen[0]), int(chosen[1])) if chosen else (0, len(windows) - 1)
    for number in range(begin, end + 1):
        before, stated = windows[number]
        if number == 0:
            g = Window(first, 0, first)
        else:
            start, values = windows[number - 1]
            g = Window(first, start - len(values), list(values))
            for heap in range(start, before):
                value = game.next(heap, g, rares, depth)
                check(game.common(heap, value), f"segment {number}: pile {heap} is rare or has no witness")
                g.values.append(value)
        check([g[heap] for heap in range(before - len(stated), before)] == stated, f"segment {number}: its last values")
        print(f"segment {number} is right", flush=True)

    if chosen:
        return
    period, start = certificate["period"], certificate["start"]
    windows = dict(windows)
    early, late = windows[start], windows[start + period]
    equal = next((k for k in range(len(early)) if early[-1 - k] != late[-1 - k]), len(early))
    check(len(early) == len(late) and equal >= length, "period")
    check(equal < len(early) or equal == start, "preperiod: not shown")
    check(start - equal == certificate["preperiod"], "preperiod")
    check(not game.alternating or period % 2 == 0, "period: it must be even")
    for prime in (q for q in range(2, period + 1) if period % q == 0 and all(q % r for r in range(2, int(q**0.5) + 1))):
        check(windows[start + period // prime][-length:] != early[-length:], f"period: {period // prime} is one")
    print(f"{certificate['code']}: period {period}, preperiod {start - equal}, proved")


if __name__ == "__main__":
    main(*sys.argv[1:])
