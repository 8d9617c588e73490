"""Rules that are Python functions, and graphs."""

import itertools

import numpy as np
import pytest
from conftest import least_missing

from nim_analyser import Game, OutOfReachError


def kayles(n):
    for taken in (1, 2):
        for left in range((n - taken) // 2 + 1 if n >= taken else 0):
            yield [left, n - taken - left]


def test_a_rule_of_ones_own_is_played_as_it_says():
    game = Game(options=kayles, name="mine")
    assert np.array_equal(game.values(300), Game("kayles").values(300))
    assert game.name == "mine"
    assert game.analyse([5, 6]).nim_sum == 7
    ours = {tuple(sorted(move.position)) for move in game.analyse([5, 6]).winning_moves}
    assert ours == {tuple(sorted(move.position)) for move in Game("kayles").analyse([5, 6]).winning_moves}
    assert game.analyse([3, 4, 5], misere=True).winning == Game("kayles").analyse([3, 4, 5], misere=True).winning
    assert [game.genus([n]).symbol for n in range(9)] == [Game("kayles").genus([n]).symbol for n in range(9)]


def test_options_may_be_numbers_or_rows_of_any_kind():
    rng = np.random.default_rng(7)
    for _ in range(20):
        moves = {n: [rng.integers(0, n, size=rng.integers(1, 4)) for _ in range(3)] for n in range(1, 40)}
        values = [0]
        for n in range(1, 40):
            values.append(least_missing([int(np.bitwise_xor.reduce([values[m] for m in option])) for option in moves[n]]))
        assert list(Game(options=lambda n, moves=moves: moves.get(n, ())).values(39)) == values
    assert list(Game(options=lambda n: {n - 1} if n else ()).values(4)) == [0, 1, 0, 1, 0]


@pytest.mark.parametrize("left", [5, 6, [2, 5], [7]])
def test_a_rule_that_need_not_end_is_refused(left):
    game = Game(options=lambda n: [n - 1] if 0 < n != 5 else ([left] if n else []))
    assert list(game.values(4)) == [0, 1, 0, 1, 0]
    for ask in (game.value, game.values, lambda n: game.analyse([n]), lambda n: game.analyse([n], misere=True)):
        with pytest.raises(ValueError, match="smaller"):
            ask(5)
    assert list(game.values(4)) == [0, 1, 0, 1, 0]
    with pytest.raises(ValueError, match="pile of 0"):
        Game(options=lambda n: [0]).values(3)


class Mine(Exception):
    pass


def test_what_the_function_raises_is_raised_and_nothing_is_believed_of_it():
    failing = True

    def options(n):
        if n == 7 and failing:
            raise Mine(n)
        return range(n)

    game = Game(options=options)
    for ask in (game.value, game.values, lambda n: game.analyse([n, 2]), lambda n: game.analyse([n, n, 3], misere=True)):
        with pytest.raises(Mine, match="7"):
            ask(9)
    assert list(game.values(6)) == list(range(7))
    failing = False
    assert list(game.values(20)) == list(range(21))
    # A generator may raise after some options.
    failing = True
    found = game.analyse([7, 3])
    with pytest.raises(Mine):
        list(found.winning_moves)


@pytest.mark.parametrize(("options", "error"), [
    (lambda n: [-1], ValueError),
    (lambda n: [0.5], TypeError),
    (lambda n: [[0.5]], TypeError),
    (lambda n: [2**64], ValueError),
    (lambda n: 5, TypeError),
    (lambda n: None, TypeError),
    (lambda n: ["a"], TypeError),
    (lambda: [], TypeError),
    (lambda n: itertools.repeat(0) if n else (), ValueError),
    (lambda n: [itertools.repeat(0)] if n else (), ValueError),
    (lambda n: game_of_itself.value(n), RuntimeError),
    (lambda n: (_ for _ in ()).throw(KeyboardInterrupt), KeyboardInterrupt),
])
def test_functions_that_are_no_rules_are_refused(options, error):
    global game_of_itself
    game_of_itself = Game(options=options)
    with pytest.raises(error):
        game_of_itself.values(3)
    with pytest.raises(error):
        game_of_itself.analyse([3])


def test_a_rule_may_ask_another_game():
    nim = Game("nim")
    assert list(Game(options=lambda n: range(nim.value(n))).values(5)) == [0, 1, 2, 3, 4, 5]


def test_a_game_of_a_graph_knows_its_vertices():
    game = Game(graph=[("a", "b"), ("a", "c"), ("b", "c"), (1, "c"), (("x", 2), 1), ["alone"]])
    assert [game.value(node) for node in ("a", "b", "c", 1, ("x", 2), "alone")] == [2, 1, 0, 1, 0, 0]
    found = game.analyse(["a", ("x", 2), 1])
    assert (found.nim_sum, found.position) == (3, ["a", ("x", 2), 1])
    assert next(found.winning_moves).position == ["b", ("x", 2), 1]
    assert game.analyse("a b").nim_sum == 3
    for wrong in (["z"], [2], [[1]], [None]):
        with pytest.raises(ValueError, match="no vertex"):
            game.analyse(wrong)
    # What only prints like a vertex is none.
    for wrong in ("1", "('x', 2)"):
        with pytest.raises(ValueError, match="no vertex"):
            game.value(wrong)
    same = Game(graph=[(1, "1"), ("1", 1.5)])
    assert [same.value(node) for node in (1, "1", 1.5)] == [0, 1, 0]
    # Vertices that look like the names made up for others.
    same = Game(graph=[("1 (2)", "1"), (1, "1 (2)"), ("1 (3)", 1)])
    assert [same.value(node) for node in ("1", "1 (2)", 1, "1 (3)")] == [0, 1, 0, 1]
    assert [Game(graph={2: [1, 0], 1: [0]}).value(node) for node in (0, 1, 2)] == [0, 1, 2]
    both = game + Game("nim")
    found = both.analyse([["a"], [3]])
    assert (found.nim_sum, found.position) == (1, [["a"], [3]])
    assert [move.position for move in found.winning_moves] == [[["a"], [2]]]


def test_a_graph_is_that_of_networkx_and_of_the_command(program):
    networkx = pytest.importorskip("networkx")
    rng = np.random.default_rng(3)
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(30))
    for _ in range(80):
        small, large = sorted(rng.choice(30, 2, replace=False).tolist())
        graph.add_edge(large, small)
    game = Game(graph=graph)
    lines = program("graph", "-", stdin="".join(f"{n}\n" for n in graph) + "".join(
        f"{a} {b}\n" for a, b in graph.edges
    )).splitlines()[1:]
    said = {int(line.split()[0]): int(line.split()[1]) for line in lines}
    assert {node: game.value(node) for node in graph} == said
    for node in graph:
        assert said[node] == least_missing([said[to] for to in graph[node]])
    with pytest.raises(ValueError, match="directions"):
        Game(graph=networkx.Graph([(1, 2)]))


@pytest.mark.parametrize(("graph", "text"), [
    ([(1, 2), (2, 1)], "cycle"), ([(1, 1)], "itself"), ([], "vert"), ([(1, 2, 3)], "two vertices"), ("a b", "not a text"),
])
def test_graphs_that_are_none_of_a_game_are_refused(graph, text):
    with pytest.raises((ValueError, TypeError), match=text):
        Game(graph=graph)


def test_a_long_path_takes_no_recursion():
    game = Game(graph=[(n + 1, n) for n in range(200_000)])
    assert (game.value(200_000), game.value(199_999)) == (0, 1)
    with pytest.raises((MemoryError, OutOfReachError)):
        Game(graph=[(n + 1, n) for n in range(10_000)], memory=1000)
