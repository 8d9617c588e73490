"""Octal codes, for the scripts beside this file."""
from functools import lru_cache


def standard_form(code):
    """The digits in standard form, and by how much piles are smaller there (see src/ruleset/standard.rs)."""
    leaves, shift = [int(digit) for digit in code.replace(".", "")], 0
    while not leaves[1] & 1:
        smaller = [0] * (len(leaves) + 2)
        for take, bits in enumerate(leaves):
            for heaps in range(3):
                if bits >> heaps & 1:
                    smaller[take + heaps - 1] |= (2 << heaps) - 1
        leaves, shift = smaller, shift + 1
    while leaves[-1] == 0:
        leaves.pop()
    return tuple(leaves), shift


def misere_form(code):
    """What equal codes have in common under misère play too: two codes with the same form have the same quotients.

    That a digit t allows to take all t stones matters to the heap of t stones alone. So the form of a code is what its digits
    say of moves that leave heaps, with the small heaps themselves in canonical form (Conway, On Numbers and Games, chapter 12).
    """
    leaves, shift = standard_form(code)
    leaves += (0,) * (6 - len(leaves))
    heaps = [frozenset()]
    for size in range(1, len(leaves)):
        options = set()
        for take, bits in enumerate(leaves[:size + 1]):
            left = size - take
            if bits & 1 and left == 0 or bits & 2 and left > 0 and take:
                options.add(heaps[left])
            if bits & 4:
                options |= {canonical(added(heaps[a], heaps[left - a])) for a in range(1, left // 2 + 1)}
        heaps.append(canonical(frozenset(options)))
    return tuple(bits & 6 for bits in leaves), tuple(heaps), shift


@lru_cache(None)
def added(one, other):
    """The options of the sum of two games, each a set of its options."""
    return frozenset({canonical(added(option, other)) for option in one} | {canonical(added(one, option)) for option in other})


@lru_cache(None)
def canonical(options):
    """The simplest game that is equal under misère play to the one with these options, which are in canonical form."""
    for kept in sorted(set().union(*options) | {frozenset()}, key=len):
        reversible = options - kept
        if kept <= options and all(kept in option for option in reversible) and (kept or not reversible or not is_lost(options)):
            return kept
    return frozenset(options)


@lru_cache(None)
def is_lost(options):
    """Whether who is to move loses under misère play: some option is there and none is lost for the other player."""
    return bool(options) and not any(is_lost(option) for option in options)
