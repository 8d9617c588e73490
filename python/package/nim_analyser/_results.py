"""What was found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from nim_analyser import _native, _notebook
from nim_analyser._progress import Progress, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


class Move(NamedTuple):
    """A move."""

    #: The move in words.
    text: str
    #: The position after it.
    position: Any
    #: What it does, as ``nim-analyser --json`` describes it: for a pile ``index``, ``pile``, ``take`` and ``leave``.
    details: dict[str, Any]


class Analysis:
    """An analysed position: who wins, why, and by which moves. ``print`` shows it as the program does."""

    __slots__ = ("_native", "_shown", "nim_sum", "nim_values", "winning")

    #: The nim-value of each pile, where they decide.
    nim_values: Optional[list[int]]
    #: The nim-value of the position, where it decides.
    nim_sum: Optional[int]
    #: Whether the player to move wins.
    winning: bool

    def __init__(self, native: _native.Analysis, shown: Callable[[Any], Any]) -> None:
        self._native = native
        self._shown = shown
        self.winning = native.winning
        self.nim_values = native.nim_values
        self.nim_sum = native.nim_sum

    @property
    def outcome(self) -> str:
        """``"N"`` if the next player wins, ``"P"`` if the previous one does."""
        return "N" if self.winning else "P"

    @property
    def position(self) -> Any:
        """The position: a list of piles or of vertices, for a sum a list of such lists."""
        return self._shown(json.loads(self._native.piles()))

    @property
    def winning_moves(self) -> Iterator[Move]:
        """The winning moves, found one after another as they are asked for; a new iterator each time.

        Raises ``OutOfReachError`` where a move can't be judged.
        """
        if not self.winning:
            return
        found, most = 0, 1
        while True:
            moves = json.loads(self._native.moves(found, most))
            for move in moves:
                position, text = self._shown(move.pop("position")), move.pop("text")
                yield Move(text, position, move)
            if len(moves) < most:
                return
            # Those found are passed over again, so twice as many are asked for each time.
            found, most = found + most, 2 * most

    def explain(self) -> str:
        """The working for a learner: the options of each pile, their nim-values, the mex, and the nim-sum."""
        return "\n".join(self._native.explain())

    def __str__(self) -> str:
        return _STYLE.sub("", self._native.text()).rstrip("\n")

    def __repr__(self) -> str:
        by = "" if self.nim_sum is None else f", nim-sum {self.nim_sum}"
        return f"<Analysis {self.position}: {self.outcome}{by}>"

    def _repr_html_(self) -> str:
        return _notebook.analysis(self)


class _Report:
    """A report of the program: its fields, and its text."""

    __slots__ = ("_text", "data")

    #: All fields, as ``--json`` has them.
    data: dict[str, Any]

    def __init__(self, data: str, text: str) -> None:
        self.data = json.loads(data)
        self._text = _STYLE.sub("", text).rstrip("\n")

    def __str__(self) -> str:
        return self._text


class Lookup(_Report, Mapping[str, Any]):
    """What is known of a game: the fields of ``nim-analyser lookup --json`` as a mapping; ``print`` shows them in words."""

    __slots__ = ()

    def __getitem__(self, field: str) -> Any:
        return self.data[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"<Lookup {self.data.get('game', self.data.get('values'))}>"


class Period(_Report):
    """What a search for a period has found: g(n + period) = g(n) + saltus for every n from the preperiod on."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Period) -> None:
        super().__init__(native.json, native.text)
        self._native = native

    @property
    def game(self) -> str:
        """The game."""
        return str(self.data["game"])

    @property
    def status(self) -> str:
        """``"proved"``, ``"observed"`` or ``"none"``."""
        return str(self.data["status"])

    @property
    def proved(self) -> bool:
        """Whether it holds for ever."""
        return self.status == "proved"

    @property
    def period(self) -> Optional[int]:
        """The least period."""
        return _number(self.data["period"])

    @property
    def preperiod(self) -> Optional[int]:
        """The first n from which on it holds."""
        return _number(self.data["preperiod"])

    @property
    def saltus(self) -> Optional[int]:
        """What each period adds."""
        return _number(self.data["saltus"])

    @property
    def theorem(self) -> Optional[str]:
        """The theorem that proves it; ``data["source"]`` says where that is proved."""
        theorem: Optional[str] = self.data["theorem"]
        return theorem

    def certificate(self, *, progress: Progress = None) -> str:
        """What a sceptic needs to check the proof, as JSON: for a file that `verify` and the program check.

        Raises ``ValueError`` if no period is proved.
        """
        with shown(progress) as callback:
            text = self._native.certificate(callback)
        if text is None:
            raise ValueError("there is no certificate, for no period is proved")
        return text

    def __repr__(self) -> str:
        if self.period is None:
            return f"<Period none of {self.game} to pile {self.data['computed']}>"
        return f"<Period {self.period} of {self.game} from pile {self.preperiod} on, {self.status}>"

    def _repr_html_(self) -> str:
        return _notebook.period(self)


class Quotient(_Report):
    """A proved misère quotient; element 0 is that of the empty sum. ``data`` has what the program's ``--json`` has."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Quotient) -> None:
        super().__init__(native.json, native.text)
        self._native = native

    @property
    def order(self) -> int:
        """How many elements there are."""
        return int(self.data["order"])

    @property
    def heaps(self) -> int:
        """The last pile covered."""
        return int(self.data["heaps"])

    @property
    def elements(self) -> list[int]:
        """The element of each pile from 0 on."""
        return list(self.data["elements"])

    @property
    def p_portion(self) -> list[int]:
        """The elements whose sums are P-positions."""
        return list(self.data["p_portion"])

    def certificate(self, *, progress: Progress = None) -> str:
        """What a sceptic needs to check it, as JSON: for a file that `verify` and the program check."""
        with shown(progress) as callback:
            return self._native.certificate(callback)

    def __repr__(self) -> str:
        return f"<Quotient of order {self.order} of {self.data['game']}, piles to {self.heaps}>"


class Genus(NamedTuple):
    """A genus."""

    #: As the books write it: ``4^146``; ``2`` for a heap of Nim.
    symbol: str
    #: The nim-value.
    nim_value: int
    #: The misère nim-values with no, one, two … heaps of 2 beside it, as far as the first two that differ by 2 for ever.
    misere_nim_values: list[int]
    #: ``nim pile``, ``tame``, ``tame-like``, ``restive``, ``restless`` or ``wild``.
    nature: str


class Rares(NamedTuple):
    """The piles of rare nim-values: those with an even number of ones in common with the mask; where the classes
    alternate, odd piles count for one bit more."""

    #: The piles, ascending, of dtype ``uint64``.
    heaps: NDArray[np.uint64]
    #: The mask.
    mask: int
    #: Whether the class also changes with the parity of the pile.
    alternating: bool


def _number(value: Any) -> Optional[int]:
    return None if value is None else int(value)
