"""Positions: who wins, and by which moves."""

import itertools
import json

import numpy as np
import pytest

from nim_analyser import Game, OutOfReachError, mex, nim_sum

POSITIONS = [[7, 8], [5], [], [0], [3, 4, 5], [20, 20, 20], [1, 1, 1]]


@pytest.mark.parametrize("name", ["couples-are-forever", "kayles", "nim", "0.137", "poker-nim:3", "staircase", "moore:2"])
@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("piles", POSITIONS)
def test_the_answer_is_that_of_the_command(name, misere, piles, program):
    if not piles:
        piles = [0]
    words = ["--misere"] * misere
    said = json.loads(program("-g", name, *piles, "--all", "--json", *words))
    found = Game(name).analyse(piles, misere=misere)
    assert (found.outcome, found.winning) == (said["outcome"], said["winning"])
    assert (found.nim_values, found.nim_sum) == (said["nim_values"], said["nim_sum"])
    moves = list(found.winning_moves)
    assert [(move.text, move.position) for move in moves] == [
        (move["text"], move["position"]) for move in said["winning_moves"]
    ]
    assert str(found) == program("-g", name, *piles, *words).rstrip("\n")
    if moves and not misere:
        assert moves[0].details["kind"] == said["winning_moves"][0]["kind"]


def test_the_working_is_that_of_the_command(program):
    found = Game("couples-are-forever").analyse([7, 8])
    assert program("7", "8", "--explain") == f"{found}\n\n{found.explain()}\n"


def test_moves_come_one_after_another_and_as_often_as_they_are_asked_for():
    found = Game("nim").analyse([2**60, 1])
    assert next(found.winning_moves).text == f"take {2**60 - 1} from pile {2**60}, leaving 1"
    many = Game("kayles").analyse([5000, 4000, 3000])
    one = many.winning_moves
    first = [next(one) for _ in range(100)]
    assert first == [move for move, _ in zip(many.winning_moves, range(100))]
    assert len({move.position.__repr__() for move in first}) == 100


def test_a_sum_of_games_is_analysed_as_the_command_does(program):
    said = json.loads(program("kayles", 5, 6, "+", "nim", 3, 5, "--all", "--json"))
    for game in (Game("kayles + nim"), Game("kayles") + Game("nim")):
        for position in ([[5, 6], [3, 5]], "5 6 + 3 5", np.array([[5, 6], [3, 5]])):
            found = game.analyse(position)
            assert (found.nim_sum, found.nim_values) == (1, [7, 6])
            assert found.position == [[5, 6], [3, 5]]
            assert [move.position for move in found.winning_moves] == [
                move["position"] for move in said["winning_moves"]
            ]
    three = Game("kayles") + Game(options=lambda n: range(n), name="mine") + Game("nim")
    assert three.name == "kayles + mine + nim"
    assert three.analyse([[5], [4], [1]]).nim_sum == 4 ^ 4 ^ 1
    for three in (Game("kayles + nim") + Game("grundy"), Game("kayles") + Game("nim + grundy")):
        assert three.analyse("5 + 3 + 7").nim_sum == three.analyse([[5], [3], [7]]).nim_sum == 4 ^ 3
    graph = Game("kayles + nim") + Game(graph=[("a", "b")])
    assert graph.analyse([[5], [3], ["a"]]).position == [[5], [3], ["a"]]
    with pytest.raises(ValueError, match="2 parts"):
        Game("kayles + nim").analyse([[5]])
    with pytest.raises(ValueError, match="2 parts"):
        Game("kayles + nim").analyse(itertools.repeat([5]))
    with pytest.raises(ValueError, match="part 2, nim"):
        Game("kayles + nim").analyse("5 + x")


def test_many_outcomes_are_those_of_single_positions():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 60, size=(200, 3))
    for name, misere in (("kayles", False), ("nim", True), ("0.137", False), ("nimble", False)):
        game = Game(name)
        found = game.outcomes(rows, misere=misere)
        assert found.dtype == np.bool_ and found.shape == (200,)
        assert list(found) == [game.analyse(row, misere=misere).winning for row in rows]
    kayles = Game("kayles")
    assert list(kayles.outcomes([[10**18, 3], [5, 5]])) == [True, False]
    assert list(kayles.outcomes(np.arange(5, dtype=np.uint8))) == [False, True, True, True, True]
    assert kayles.outcomes([]).shape == (0,)
    assert kayles.outcomes(np.empty((0, 3), dtype=int)).shape == (0,)
    assert list(kayles.outcomes(np.asfortranarray(rows))) == list(kayles.outcomes(rows))


@pytest.mark.parametrize(("array", "error", "text"), [
    ([[1.5]], TypeError, "float64"),
    ([["a"]], TypeError, "dtype"),
    ([[True]], TypeError, "bool"),
    ([[-1]], ValueError, "negative"),
    (np.zeros((1, 1, 1), dtype=int), ValueError, "two dimensions"),
    (5, ValueError, "two dimensions"),
    ([[2**64]], TypeError, "object"),
    ([[np.nan]], TypeError, "float64"),
])
def test_arrays_that_are_no_positions_are_refused(array, error, text):
    with pytest.raises(error, match=text):
        Game("kayles").outcomes(array)


@pytest.mark.parametrize("rows", [
    np.arange(24).reshape(4, 6)[::-1, ::2],
    np.broadcast_to(np.array([1, 2, 3]), (4, 3)),
    np.arange(1, 7, dtype=">i4").reshape(2, 3),
    np.arange(1, 7, dtype=">u8").reshape(2, 3),
    np.zeros(49, np.uint8)[1:].view(np.uint64).reshape(2, 3),
], ids=["strides", "one row", "4 bytes, big end first", "8 bytes, big end first", "not aligned"])
def test_an_array_may_lie_in_memory_as_it_likes(rows):
    rows.flags.writeable = False
    assert list(Game("kayles").outcomes(rows)) == [Game("kayles").analyse(row.tolist()).winning for row in rows]


def test_an_array_may_change_while_it_is_looked_at():
    rows = np.full((3 << 20, 2), 5)

    def change(known, wanted):
        rows[:] = 10**9

    game = Game("0.6")
    assert not game.outcomes(rows, progress=change).any()
    assert game.value(5) == Game("0.6").value(5)


def test_the_rows_of_a_graph_or_a_sum_are_refused():
    for game in (Game(graph=[(1, 0)]), Game("kayles + nim"), Game("kayles") + Game("nim")):
        with pytest.raises(ValueError, match="no row of piles"):
            game.outcomes([[1, 0]])


@pytest.mark.parametrize(("position", "error"), [
    ([-1], ValueError), ([2**64], ValueError), ([1.5], TypeError), (["a"], TypeError), ("7 x", ValueError),
    (7, None), (None, TypeError), ([[1, 2]], TypeError), ("", None), (b"5 6", TypeError), ([float("nan")], TypeError),
    (itertools.repeat(1), ValueError), ("5x2000000", ValueError),
])
def test_positions_that_are_none_are_refused(position, error):
    game = Game("kayles")
    if error is None:
        game.analyse(position)
    else:
        with pytest.raises(error):
            game.analyse(position)
    assert game.analyse([7]).nim_sum == 2


def test_games_that_are_none_are_refused_with_the_programs_words(refusal):
    with pytest.raises(ValueError, match=refusal("-g", "kayls", 5)):
        Game("kayls")
    with pytest.raises(ValueError, match=refusal("-g", "0.[3", 5)):
        Game("0.[3")
    for wrong in ({}, {"name": "nim", "rule": "take 1"}, {"rule": "take 1", "options": range}, {"options": 5}):
        with pytest.raises((ValueError, TypeError)):
            Game(**wrong)
    for limit in ("memory", "steps", "positions", "threads"):
        for wrong, error in ((-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("2", TypeError)):
            with pytest.raises(error, match=f"{limit} is a whole number"):
                Game("nim", **{limit: wrong})
    with pytest.raises(ValueError):
        Game("nim", threads=0)
    with pytest.raises(OutOfReachError):
        Game("0.6", positions=10).analyse([40, 41, 42, 43], misere=True)


def test_rules_in_words():
    assert list(Game(rule="take 1 or 3").values(5)) == [0, 1, 0, 1, 0, 1]
    with pytest.raises(ValueError, match="bad rule"):
        Game(rule="take a spoon")


def test_nim_sum_and_mex():
    assert (nim_sum([2, 3, 4]), nim_sum([]), nim_sum(np.array([5, 5, 1]))) == (5, 0, 1)
    assert nim_sum([2**100, 1]) == 2**100 + 1
    assert (mex([0, 1, 3, 4]), mex([]), mex(range(100)), mex(np.array([1, 2]))) == (2, 0, 100, 0)
    for function in (nim_sum, mex):
        with pytest.raises(ValueError):
            function([-1])
        with pytest.raises(TypeError):
            function([1.5])
