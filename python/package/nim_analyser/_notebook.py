"""What a notebook shows."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nim_analyser._results import Analysis, Period


def _table(rows: list[tuple[str, object]]) -> str:
    cells = (f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in rows)
    return f"<table>{''.join(cells)}</table>"


def analysis(found: Analysis) -> str:
    """An analysed position."""
    rows: list[tuple[str, object]] = [("position", found.position)]
    if found.nim_values is not None:
        rows.append(("nim-values", found.nim_values))
    if found.nim_sum is not None:
        rows.append(("nim-sum", found.nim_sum))
    rows.append(("outcome", "N: the player to move wins" if found.winning else "P: the player to move loses"))
    first = next(found.winning_moves, None)
    if first is not None:
        rows.append(("a winning move", first.text))
    return _table(rows)


def period(found: Period) -> str:
    """A period."""
    names = ("game", "code", "status", "period", "preperiod", "saltus", "theorem", "source", "computed", "missing")
    return _table([(name, found.data[name]) for name in names if found.data.get(name) is not None])


def plot(game: str, values: Any, ax: Any, style: dict[str, Any]) -> Any:
    """Nim-values as dots."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: pip install matplotlib") from error
    if ax is None:
        _, ax = plt.subplots()
    ax.plot(values, **{"linestyle": "", "marker": ".", "markersize": 3, **style})
    ax.set_xlabel("pile")
    ax.set_ylabel("nim-value")
    ax.set_title(game)
    return ax
