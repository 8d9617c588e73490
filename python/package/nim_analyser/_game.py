"""A game, and what can be asked of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, SupportsIndex, Union

from nim_analyser import _native
from nim_analyser._progress import Progress, shown
from nim_analyser._results import Analysis, Genus, Period, Quotient, Rares

if TYPE_CHECKING:
    # The command starts without it.
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

#: A position: a text as on the command line, a row of piles, a row of vertices, for a sum a row of positions.
Position = Union[str, Iterable[Any]]


class Game:
    """An impartial game.

    ::

        Game("kayles")                             a name (``nim-analyser games`` lists them)
        Game("0.137")                              a take-and-break code
        Game("kayles + nim")                       a sum; also Game("kayles") + Game("nim")
        Game(rule="take 1 or 3")                   a rule in words
        Game(options=lambda n: range(n))           a rule of one's own
        Game(graph=[("a", "b"), ("b", "c")])       a graph without cycles: its arrows, or a networkx.DiGraph

    ``options(n)`` gives the options of a pile of n, one by one: a number is a pile that is left, a row of numbers is several
    piles. All must be smaller than n, so that the game ends: an option that isn't is refused. The function is asked again
    for the same pile now and then, and must answer alike.

    In a graph the vertices may be any hashable things; a list of arrows may hold a vertex by itself, ``("d",)``. A mapping
    of each vertex to those that its arrows go to will do too.

    A game keeps the nim-values that it has computed. It may be used from several threads: they take turns.

    Parameters
    ----------
    name
        A name, a code, a rule, or a sum of such with `` + `` between them; with `options` and `graph` what the game is to
        be called.
    memory
        The most bytes for a table or a search, 8 GiB unless said.
    steps
        The most steps to make a table by, 6e10 unless said: some minutes.
    positions
        The most positions searched in misère play.
    threads
        How many threads compute, one for each core unless said.

    Raises
    ------
    ValueError
        If there is no such game, or the graph has a cycle.
    """

    __slots__ = ("_limits", "_native", "_nodes", "_of")

    #: The vertices of a graph by their names, for each part of the game; None for other games.
    _nodes: list[Optional[dict[str, Hashable]]]
    #: The names of the vertices.
    _of: list[Optional[dict[Hashable, str]]]

    def __init__(
        self,
        name: Optional[str] = None,
        *,
        rule: Optional[str] = None,
        options: Optional[Callable[[int], Iterable[Any]]] = None,
        graph: Any = None,
        memory: Optional[SupportsIndex] = None,
        steps: Optional[SupportsIndex] = None,
        positions: Optional[SupportsIndex] = None,
        threads: Optional[SupportsIndex] = None,
    ) -> None:
        self._limits = limits = (memory, steps, positions, threads)
        ways = [way for way in (rule, options, graph) if way is not None]
        nodes: Optional[dict[str, Hashable]] = None
        if len(ways) > 1 or (rule is not None and name is not None):
            raise ValueError("the game is named twice: by a name, a rule, options or a graph")
        if options is not None:
            self._native = _native.Game.own(name or "own rule", options, limits)
        elif graph is not None:
            nodes, text = _read_graph(graph)
            self._native = _native.Game.graph(name or "graph", text, limits)
        else:
            named = name if rule is None else rule
            if named is None:
                raise ValueError("which game? as in Game(\"kayles\"); `nim-analyser games` lists the names")
            self._native = _native.Game.named(named, limits)
        self._set_nodes([nodes] * self._native.parts)

    def _set_nodes(self, nodes: list[Optional[dict[str, Hashable]]]) -> None:
        self._nodes = nodes
        self._of = [None if own is None else {node: name for name, node in own.items()} for own in nodes]

    def __add__(self, other: Game) -> Game:
        """The sum of two games: a move is made in one of them. A position is a row of positions, one for each game.

        The limits are those of the first.
        """
        if not isinstance(other, Game):
            return NotImplemented
        game = object.__new__(Game)
        game._limits = self._limits
        game._native = _native.Game.sum([self._native, other._native], self._limits)
        game._set_nodes(self._nodes + other._nodes)
        return game

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    @property
    def name(self) -> str:
        """The game's name, with its parameters."""
        return self._native.name

    @property
    def code(self) -> Optional[str]:
        """The take-and-break code that the literature knows the game by, if it has one."""
        return self._native.code

    def _told(self, position: Position) -> Any:
        """A position with vertices by their names."""
        of = self._of
        if isinstance(position, str) or not any(own is not None for own in of):
            return position
        if len(of) == 1 and of[0] is not None:
            return _names(of[0], position)
        return [part if own is None else _names(own, part) for own, part in zip(of, position)]

    def _shown(self, position: Any) -> Any:
        """A position with vertices as they were given."""
        nodes = self._nodes
        if not any(own is not None for own in nodes):
            return position
        if len(nodes) == 1:
            return [nodes[0][name] for name in position] if nodes[0] is not None else position
        return [
            part if own is None else [own[name] for name in part] for own, part in zip(nodes, position)
        ]

    def values(self, last: SupportsIndex, *, progress: Progress = None) -> NDArray[np.unsignedinteger[Any]]:
        """The nim-values g(0), …, g(last) of single piles.

        Returns an array of shape ``(last + 1,)``, so that ``values(n)[n]`` is g(n), of the least unsigned type that holds
        them all. It may look at the game's own table, without a copy, and can't be written to; ``.copy()`` can.

        ``progress`` is called with the values known and those wanted some times a second, or ``True`` for a bar of tqdm.

        >>> Game("grundy").values(8)
        array([0, 0, 0, 1, 0, 2, 1, 0, 2], dtype=uint8)

        Raises ``OutOfReachError`` or ``MemoryError`` where that is too far, ``ValueError`` for a game that has no sequence.
        """
        with shown(progress) as callback:
            return self._native.values(last, callback)

    def value(self, pile: Any, *, progress: Progress = None) -> int:
        """The nim-value of a single pile, however large, where a table or a proved period reaches it; of a vertex.

        >>> Game("kayles").value(10**18)
        1

        Raises ``OutOfReachError`` or ``MemoryError`` where it is out of reach, ``ValueError`` for what is no pile or vertex.
        """
        of = self._of[0]
        if of is not None and len(self._of) == 1:
            pile = _name(of, pile)
        with shown(progress) as callback:
            return self._native.value(pile, callback)

    def analyse(self, position: Position, misere: bool = False, *, progress: Progress = None) -> Analysis:
        """Who wins a position, why, and by which moves.

        >>> analysis = Game("kayles").analyse([5, 6])
        >>> analysis.outcome, analysis.nim_values, analysis.nim_sum
        ('N', [4, 3], 7)
        >>> next(analysis.winning_moves).text
        'take 2 from pile 5, leaving 3'

        With ``misere`` whoever makes the last move loses; then nim-values are given only where they are proved to decide.
        A position has a million piles at most. Normal play goes by the nim-sum (Bouton 1901; Sprague 1935; Grundy 1939),
        misère play by Conway's tame games, misère quotients and searches.

        Raises ``ValueError`` if the game has no such position, ``TypeError`` for what is no position, ``OutOfReachError`` or
        ``MemoryError`` if the answer is out of reach.
        """
        with shown(progress) as callback:
            found = self._native.analyse(self._told(position), misere, callback)
        return Analysis(found, self._shown)

    def outcomes(self, positions: ArrayLike, misere: bool = False, *, progress: Progress = None) -> NDArray[np.bool_]:
        """Whether the player to move wins each of many positions.

        ``positions`` is an array of whole numbers, of the shape ``(count, piles)``: a row is a position, a pile of 0 is none.
        One of the shape ``(count,)`` holds single piles. Returns booleans of the shape ``(count,)``.

        >>> Game("nim").outcomes([[1, 2, 3], [3, 4, 5]])
        array([False,  True])

        Raises ``TypeError`` for another dtype than integers, ``ValueError`` for another shape, a negative number, a graph or
        a sum, ``OutOfReachError`` or ``MemoryError`` where an answer is out of reach.
        """
        import numpy as np

        # A copy: whatever happens to the array meanwhile, what is looked at stays as it is.
        rows = np.array(positions, order="C")
        if rows.dtype.kind not in "ui" and rows.size:
            raise TypeError(f"piles are whole numbers; the array's dtype is {rows.dtype}")
        if rows.ndim == 1:
            rows = rows[:, np.newaxis]
        if rows.ndim != 2:
            raise ValueError(f"positions are rows of an array of two dimensions, not of {rows.ndim}")
        if rows.dtype.kind == "i" and rows.size and rows.min() < 0:
            raise ValueError(f"bad pile `{rows.min()}`: it can't be negative")
        rows = rows.view(np.uint64) if rows.dtype == np.int64 else rows.astype(np.uint64, copy=False)
        with shown(progress) as callback:
            return self._native.outcomes(rows, misere, callback)

    def period(
        self,
        limit: Optional[SupportsIndex] = None,
        seconds: Optional[float] = None,
        *,
        progress: Progress = None,
    ) -> Period:
        """Searches for the least period of the nim-values and proves it.

        The search goes to pile ``limit`` at most and ends after ``seconds``; without both it goes on until a period is
        proved or a limit of the game is reached. The answer says ``proved`` (for ever, by a theorem that it names),
        ``observed`` (as far as computed), or ``none``; ``data["source"]`` names where the theorem is proved, for octal games
        Guy and Smith, *The G-values of various games*, Proc. Cambridge Philos. Soc. 52 (1956).

        >>> Game("kayles").period()
        <Period 12 of kayles from pile 71 on, proved>

        Raises ``OutOfReachError`` or ``MemoryError`` if a limit that is given can't be reached.
        """
        with shown(progress) as callback:
            return Period(self._native.period(limit, seconds, callback))

    def quotient(
        self,
        heaps: Optional[SupportsIndex] = None,
        seconds: Optional[float] = None,
        *,
        progress: Progress = None,
    ) -> Quotient:
        """The misère quotient of the piles 0 to ``heaps``, proved; without ``heaps`` of as many as prove a period.

        Plambeck and Siegel, *Misère quotients for impartial games*, J. Combin. Theory Ser. A 115 (2008).

        Raises ``OutOfReachError`` or ``MemoryError`` if it outgrows what is allowed, or ``seconds`` are over, before pile
        ``heaps``; ``ValueError`` for a game that is none of piles.
        """
        with shown(progress) as callback:
            return Quotient(self._native.quotient(heaps, seconds, callback))

    def genus(self, position: Position, *, progress: Progress = None) -> Genus:
        """The genus symbol of a position: the nim-value, and the misère nim-values with more and more Nim heaps of 2
        beside it (Conway, *On Numbers and Games*, ch. 12).

        >>> Game("kayles").genus([5]).symbol
        '4^146'

        Raises ``OutOfReachError`` if the positions that can follow are too many, ``ValueError`` for a game that is none of
        piles.
        """
        with shown(progress) as callback:
            return Genus(*self._native.genus(self._told(position), callback))

    def rares(self, last: SupportsIndex, *, progress: Progress = None) -> Rares:
        """The piles from 1 to ``last`` with a rare nim-value, where the game has a sparse space (*Winning Ways*, ch. 4).

        Returns ``heaps``, an ascending array of dtype ``uint64`` and shape ``(count,)``, with the ``mask`` and ``alternating``
        that tell rare values from common ones.

        Raises ``ValueError`` for a game without one, ``OutOfReachError`` or ``MemoryError`` where that is too far.
        """
        with shown(progress) as callback:
            return Rares(*self._native.rares(last, callback))

    def plot(self, last: SupportsIndex = 500, *, ax: Any = None, **style: Any) -> Any:
        """Draws the nim-values of the piles 0 to ``last`` with matplotlib, which must be installed, and returns the axes.

        ``ax`` are axes to draw on, ``style`` goes to ``Axes.plot``.

        Raises ``ImportError`` without matplotlib, and what `values` raises.
        """
        from nim_analyser._notebook import plot

        return plot(self.name, self.values(last), ax, style)


def _names(of: dict[Hashable, str], nodes: Iterable[Any]) -> list[str]:
    """The names of vertices."""
    return [_name(of, node) for node in nodes]


def _name(of: dict[Hashable, str], node: Any) -> str:
    try:
        return of[node]
    except (KeyError, TypeError):
        raise ValueError(f"the graph has no vertex {node!r}") from None


def _read_graph(graph: Any) -> tuple[dict[str, Hashable], bytes]:
    """The vertices of a graph by names of their own, and the graph as the program reads it."""
    if hasattr(graph, "edges") and hasattr(graph, "nodes"):
        if not graph.is_directed():
            raise ValueError("the graph has no directions; moves are arrows, as in networkx.DiGraph")
        rows = [(node,) for node in graph.nodes] + [(arrow[0], arrow[1]) for arrow in graph.edges]
    elif isinstance(graph, Mapping):
        rows = [(node,) for node in graph] + [(node, to) for node in graph for to in graph[node]]
    elif isinstance(graph, (str, bytes)):
        raise TypeError('a graph is a row of arrows, as [("a", "b")], or a networkx.DiGraph, not a text')
    else:
        rows = [(row,) if isinstance(row, str) else tuple(row) for row in graph]
    names: dict[Hashable, str] = {}
    taken: dict[str, Hashable] = {}
    edges = []
    for row in rows:
        if len(row) not in (1, 2):
            raise ValueError(f"an arrow is two vertices, from and to, not {len(row)}: {row!r}")
        for node in row:
            if node not in names:
                name, number = str(node), len(names)
                while name in taken:
                    name, number = f"{node!r} ({number})", number + 1
                names[node] = name
                taken[name] = node
        if len(row) == 2:
            edges.append([names[row[0]], names[row[1]]])
    text = json.dumps({"vertices": list(taken), "edges": edges}, ensure_ascii=False)
    return taken, text.encode("utf-8", "surrogatepass")
