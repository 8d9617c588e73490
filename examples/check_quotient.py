#!/usr/bin/env python3
"""Checks a certificate of a misère quotient, made by `nim-analyser quotient -g CODE --certificate FILE`.

It shares nothing with the program: the rule is read from the code (digits to F, `!` for unequal parts, a repeating
tail in brackets), and all that the certificate states is worked out anew. By induction over positions, the sums whose
element is in the P-portion P are the lost ones in misère play if
  1. no pile h, option h' and element x have both x*h and x*h' in P;
  2. no sum h1 + ... + hk outside P (k > 0) leaves every pile stuck: beside the others, of product c, neither c*h nor
     any c*h' is in P. Taken up one by one, such piles lead from a pair (1, x) to (x, 1) by steps
     (p, h*s) -> (p*h, s) with p*s in U(h); all pairs that can be reached are gone through.
The elements are no more than needed if no two have the same products in P. The period is for ever by Plambeck's
theorem, if the elements repeat to pile 2 n0 + 2 p + t - 1, where a move takes t at most.
"""
import json
import re
import sys


MOST_PILES = 50_000


def fail(reason):
    sys.exit(f"the certificate is false: {reason}")


def rule(code):
    """The digit and the mark for each number of stones taken, and the most that can be taken, if there is a bound."""
    whole, _, rest = code.partition(".")
    head, _, tail = rest.rstrip("]").partition("[")
    digits = lambda text: [(int(d, 16), mark) for d, mark in re.findall(r"([0-9A-F])(!?)", text)]
    start, tail = digits(whole) + digits(head), digits(tail)
    digit_of = lambda take: start[take] if take < len(start) else tail[(take - len(start)) % len(tail)]
    return digit_of, None if tail else len(start) - 1


def partitions(total, parts, least, distinct):
    if parts == 1:
        return [[total]] if total >= least else []
    return [[first] + rest for first in range(least, total // parts + 1)
            for rest in partitions(total - first, parts - 1, first + distinct, distinct)]


def option_elements(rules, pile, elements, product):
    """The elements of the sums that a move in a pile can leave."""
    digit_of, most = rules
    left = set()
    for take in range(pile + 1 if most is None else min(pile, most) + 1):
        digit, mark = digit_of(take)
        rest = pile - take
        if digit & 1 and rest == 0 and take > 0:
            left.add(0)
        for parts in range(1, 4):
            if not digit >> parts & 1 or rest < parts or (take == 0 and parts == 1):
                continue
            if parts == 2 and not mark:
                half = rest // 2
                pairs = set(zip(elements[1:half + 1], reversed(elements[rest - half:rest])))
                left.update(product[a][b] for a, b in pairs)
                continue
            for option in partitions(rest, parts, 1, mark == "!"):
                value = 0
                for part in option:
                    value = product[value][elements[part]]
                left.add(value)
    return left


def check(file):
    c = json.load(open(file, encoding="utf-8"))
    code = r"[0-9A-F]!?\.[0-9A-F!]*(\[[0-9A-F!]+\])?"
    if c.get("kind") != "misere-quotient" or not re.fullmatch(code, c["code"] or ""):
        sys.exit("no certificate of a misère quotient that this checker can read")
    order, actions, elements, lost = c["order"], c["actions"], c["elements"], set(c["p_portion"])
    generators = range(len(c["generators"]))
    if len(actions) != order or len(elements) != c["heaps"] + 1 or not all(0 <= e < order for e in elements):
        fail("order, heaps")
    # The generators commute and make all elements, each of an earlier one: so words may stand for elements.
    made = {0: None}
    for e in range(order):
        for a in generators:
            if any(actions[actions[e][a]][b] != actions[actions[e][b]][a] for b in generators):
                fail("the generators don't commute")
            if e in made:
                made.setdefault(actions[e][a], (e, a))
    if sorted(made) != list(range(order)) or any(made[e][0] >= e for e in made if e):
        fail("not all elements are made")
    product = []
    for x in range(order):
        row = [x]
        for e in range(1, order):
            row.append(actions[row[made[e][0]]][made[e][1]])
        product.append(row)
    if any(elements[heap] != actions[0][g] for g, heap in enumerate(c["generators"])):
        fail("generators")
    if len(elements) > MOST_PILES:
        sys.exit(f"{len(elements)} piles have too many options for this checker; up to {MOST_PILES} would do")
    # What each pile and its options are.
    rules, stuck = rule(c["code"]), {}
    winning = [{x for x in range(order) if product[e][x] in lost} for e in range(order)]
    if len({frozenset(mask) for mask in winning}) != order:
        fail("two elements are alike")
    for pile, e in enumerate(elements):
        left = option_elements(rules, pile, elements, product)
        if not left and (e != 0 or 0 in lost):
            fail(f"pile {pile} has no move, and is not as nothing")
        won = set().union(*(winning[value] for value in left))
        if won & winning[e]:
            fail(f"pile {pile} and an option of it are both lost beside the same")
        if left:
            stuck.setdefault(e, set()).update(set(range(order)) - won - winning[e])
    # Beside c a pile of element e = f g needs no step of its own if piles of f and g have none to win by either: they
    # lead from (p, e*s) over (p*f, g*s) to (p*e, s).
    for e in sorted(stuck, reverse=True):
        for f, g in ((f, g) for f in sorted(stuck) if f != e and stuck[e] for g in stuck):
            if product[f][g] == e and g != e:
                stuck[e] = {c for c in stuck[e] if product[c][g] not in stuck[f] or product[c][f] not in stuck[g]}
        if not stuck[e]:
            del stuck[e]
    # The pairs of the proof.
    quotients = {e: [[] for _ in range(order)] for e in stuck}
    for e, t, s in ((e, product[e][s], s) for e in stuck for s in range(order)):
        quotients[e][t].append(s)
    pairs = [(0, x) for x in range(order) if x not in lost]
    seen = set(pairs)
    for taken, rest in pairs:
        for e in quotients:
            for after in quotients[e][rest]:
                if product[taken][after] in stuck[e]:
                    pair = (product[taken][e], after)
                    if after == 0:
                        fail(f"sums of element {pair[0]} are not lost, and some have no move to a lost one")
                    if pair not in seen:
                        seen.add(pair)
                        pairs.append(pair)
    if len(pairs) != c["pairs"]:
        fail(f"{len(pairs)} pairs, not {c['pairs']}")
    if c["period"] is not None:
        n0, p, t = c["preperiod"], c["period"], len([d for d in re.sub(r"[!.]", "", c["code"])]) - 1
        end = 2 * n0 + 2 * p + t
        if "[" in c["code"] or n0 < 1 or p < 1 or end > len(elements):
            fail("the period is not proved by so few piles")
        if any(elements[n] != elements[n + p] for n in range(n0, len(elements) - p)):
            fail("the elements don't repeat")
    print(f"right: {c['game']}, piles to {c['heaps']}, order {order}, P-portion {len(lost)}, {len(pairs)} pairs")


if len(sys.argv) != 2:
    sys.exit("usage: check_quotient.py CERTIFICATE")
check(sys.argv[1])
