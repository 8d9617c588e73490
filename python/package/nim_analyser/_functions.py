"""Functions that need no game, or any."""

from __future__ import annotations

import json
from collections.abc import Iterable
from operator import index
from os import PathLike, fsdecode
from typing import Any, SupportsIndex, Union

from nim_analyser import _native
from nim_analyser._game import Game
from nim_analyser._progress import Progress, shown
from nim_analyser._results import Lookup


def nim_sum(values: Iterable[SupportsIndex]) -> int:
    """The nim-sum of whole numbers: their sum in binary without carry (Bouton 1901).

    For arrays there is ``numpy.bitwise_xor.reduce``.

    >>> nim_sum([2, 3, 4])
    5

    Raises ``ValueError`` for a negative number and ``TypeError`` for what is no whole number.
    """
    total = 0
    for value in values:
        number = index(value)
        if number < 0:
            raise ValueError(f"a nim-value can't be negative: {number}")
        total ^= number
    return total


def mex(values: Iterable[SupportsIndex]) -> int:
    """The least whole number that is not among ``values`` (minimum excluded value).

    >>> mex([0, 1, 3, 4])
    2

    The nim-value of a position is the mex of those of its options (Sprague 1935, Grundy 1939).

    Raises ``ValueError`` for a number that isn't from 0 to 2**64 - 1, ``TypeError`` for what is no whole number.
    """
    return _native.mex(list(values))


def lookup(
    game: Union[str, Game, Iterable[SupportsIndex]],
    bound: SupportsIndex = 1000,
    progress: Progress = None,
) -> Lookup:
    """What is known of a game, or which games have given nim-values, as ``nim-analyser lookup`` says.

    ``game`` is a name, a code or a `Game`: then the answer has its standard form, the equivalent games (by their nim-values
    to ``bound``), its period, and what others have published of it. Or it is a row of nim-values: then the answer has the
    games with these values, from any of the piles 0 to 4 on.

    >>> lookup([0, 1, 2, 0, 1, 2, 3])["games"][0]["game"]
    '0.37'

    Raises ``ValueError`` if there is no such game, ``OutOfReachError`` if its values are out of reach.
    """
    if isinstance(game, str):
        game = Game(game)
    with shown(progress) as callback:
        if isinstance(game, Game):
            return Lookup(*game._native.lookup(bound, callback))
        return Lookup(*_native.games_with(list(game), callback))


def verify(file: Union[str, PathLike[str]], progress: Progress = None) -> dict[str, Any]:
    """Checks a certificate in a file, of a period or of a misère quotient, by going back to the definitions.

    The file is from `Period.certificate`, `Quotient.certificate`, or the program's ``period --certificate`` and ``quotient
    --certificate``. Values are made by the definition: all of them where that is a matter of seconds, else a sample of
    them, the others by the solver; ``checked`` says which. A certificate in segments is checked in all of them.

    Returns what is right: ``kind``, ``game``, ``period``, ``preperiod`` and so on.

    Raises ``ValueError`` if the file can't be read, is no certificate, or states what isn't so, with the field that is
    wrong.
    """
    path = fsdecode(file)
    try:
        with open(path, "rb") as opened:
            text = opened.read(_native.MOST_BYTES + 1).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"can't read {path}: {error}") from error
    with shown(progress) as callback:
        found: dict[str, Any] = json.loads(_native.verify(text, callback))
    return found
