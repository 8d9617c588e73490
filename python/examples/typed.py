"""What a type checker says of the module: `mypy --strict` finds no fault here."""

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from nim_analyser import Game, Move, OutOfReachError, lookup, mex, nim_sum, verify

kayles: Game = Game("kayles", memory=1 << 30, threads=2)
values: NDArray[np.unsignedinteger[Any]] = kayles.values(1_000)
far: int = kayles.value(10**18)

analysis = kayles.analyse([5, 6], misere=False)
first: Move = next(analysis.winning_moves)
words: str = f"{analysis.outcome} {analysis.nim_sum} {first.text} {analysis.explain()}"
won: NDArray[np.bool_] = kayles.outcomes(np.array([[1, 2, 3], [4, 5, 6]]))

period = kayles.period(limit=10_000, seconds=1.5, progress=lambda known, wanted: None)
certificate: str = period.certificate()
order: int = kayles.quotient(12).order
symbol: str = kayles.genus([5]).symbol
rares: NDArray[np.uint64] = kayles.rares(300).heaps

mine = Game(options=lambda n: range(n), name="mine") + Game(graph=[("a", "b")])
both: Optional[int] = mine.analyse([[3], ["a"]]).nim_sum
total: int = nim_sum([2, 3, 4]) + mex([0, 1, 3])
code: Any = lookup("0.137")["code"]


def is_right(file: str) -> bool:
    """Whether a certificate is right."""
    try:
        return bool(verify(file)["game"])
    except (ValueError, OutOfReachError):
        return False


if __name__ == "__main__":
    print(words, far, period, order, symbol, rares[-1], both, total, code, won, values[-1], len(certificate))
