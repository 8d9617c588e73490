"""Octal codes, for the scripts beside this file."""


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
