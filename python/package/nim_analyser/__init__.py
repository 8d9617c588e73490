"""Who wins a position of an impartial game, why, and by which moves.

>>> from nim_analyser import Game
>>> Game("kayles").values(10)
array([0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2], dtype=uint8)

Every value is exact, or the question is refused with an exception:

``ValueError``
    what was asked makes no sense: an unknown game, a bad position, a rule whose game need not end, a false certificate.
``TypeError``
    something of another type stands where a number does.
``MemoryError``
    the answer takes more memory than allowed, or than there is.
``OutOfReachError``
    it takes more work than allowed.
``KeyboardInterrupt``
    the work was stopped by Ctrl-C; what was computed until then is kept.

The words are those of the literature: Sprague 1935, Grundy 1939; Berlekamp, Conway and Guy, *Winning Ways*; Siegel,
*Combinatorial Game Theory*. A nim-value is a Sprague-Grundy value; P is a position won by the previous player, N one won
by the next.
"""

from __future__ import annotations

from nim_analyser._functions import lookup, mex, nim_sum, verify
from nim_analyser._game import Game
from nim_analyser._native import OutOfReachError, __version__
from nim_analyser._results import Analysis, Genus, Lookup, Move, Period, Quotient, Rares

__all__ = [
    "Analysis",
    "Game",
    "Genus",
    "Lookup",
    "Move",
    "OutOfReachError",
    "Period",
    "Quotient",
    "Rares",
    "__version__",
    "lookup",
    "mex",
    "nim_sum",
    "verify",
]
