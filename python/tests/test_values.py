"""Nim-values of single piles."""

import sys

import numpy as np
import pytest
from conftest import DAWSON, KAYLES, OFFICERS, octal_values

from nim_analyser import Game, OutOfReachError


@pytest.mark.parametrize(("name", "takings"), [("kayles", KAYLES), ("0.137", DAWSON), ("officers", OFFICERS)])
def test_they_are_those_of_a_recomputation_by_numpy(name, takings):
    assert np.array_equal(Game(name).values(1500), octal_values(takings, 1500))


@pytest.mark.parametrize("name", ["couples-are-forever", "grundy", "0.6", "0.3F", "4.[7]", "lasker", "nim", "ruler"])
@pytest.mark.parametrize("last", [0, 1, 255, 300, 5000])
def test_they_are_those_of_the_command(name, last, program, tmp_path):
    if name == "0.3F":
        last = min(last, 300)
    file = tmp_path / "values.npy"
    program("values", last, "-g", name, "-o", file)
    assert np.array_equal(Game(name).values(last), np.load(file))


@pytest.mark.parametrize(("name", "dtype"), [("0.6", "u2"), ("0.106", "u1")])
def test_many_values_of_a_sparse_game_are_those_of_the_command(name, dtype, program, tmp_path):
    file = tmp_path / "values.npy"
    program("values", 300_000, "-g", name, "-o", file)
    values = Game(name).values(300_000)
    assert values.dtype == np.dtype(dtype)
    assert np.array_equal(values, np.load(file))


@pytest.mark.parametrize(
    ("name", "last", "dtype"),
    [("kayles", 10**6, "u1"), ("nim", 255, "u1"), ("nim", 256, "u2"), ("nim", 65_535, "u2"), ("nim", 65_536, "u4")],
)
def test_the_type_is_the_least_that_holds_them(name, last, dtype):
    values = Game(name).values(last)
    assert values.dtype == np.dtype(dtype)
    assert values.shape == (last + 1,)
    assert values.max() <= np.iinfo(values.dtype).max
    if name == "nim":
        assert np.array_equal(values, np.arange(last + 1))


def test_the_own_table_is_looked_at_without_a_copy_and_never_written_to():
    game = Game(options=lambda n: range(n))
    first, second = game.values(200), game.values(100)
    assert np.shares_memory(first, second)
    assert not first.flags.writeable
    with pytest.raises(ValueError):
        first[0] = 1
    # What was given out stays as it was, however the table grows, and when the game is gone.
    kept = game.values(200)
    assert game.values(2000)[2000] == 2000
    del game
    assert np.array_equal(kept, np.arange(201))


def test_a_value_is_exact_however_large_the_pile(program):
    assert Game("kayles").value(10**18) == 1
    assert Game("nim").value(2**64 - 1) == 2**64 - 1
    assert Game("lasker").value(2**64 - 1) == 2**64
    assert [Game("grundy").value(n) for n in range(30)] == list(Game("grundy").values(29))
    assert type(Game("kayles").value(np.uint8(5))) is int


@pytest.mark.parametrize(("pile", "error", "text"), [
    (-1, ValueError, "can't be negative"),
    (2**64, ValueError, "the largest is 2^64-1"),
    pytest.param(10**6000, ValueError, "the largest is 2^64-1", id="6001 digits"),
    (1.5, TypeError, "not the float 1.5"),
    (1.0, TypeError, "float"),
    ("7", TypeError, "str"),
    (None, TypeError, "NoneType"),
    (np.array([1, 2]), TypeError, "whole number"),
])
def test_what_is_no_pile_is_refused(pile, error, text):
    game = Game("kayles")
    for ask in (game.value, game.values, game.rares):
        with pytest.raises(error, match=text.replace("^", r"\^")):
            ask(pile)
    with pytest.raises(error):
        game.analyse([3, pile])
    assert game.value(5) == 4


def test_what_is_out_of_reach_is_said_with_the_programs_words(refusal):
    with pytest.raises(OutOfReachError, match=refusal("-g", "0.6", 10**18)):
        Game("0.6").value(10**18)
    with pytest.raises(MemoryError, match="memory"):
        Game("kayles").values(2**63)
    with pytest.raises(MemoryError, match="memory"):
        Game("kayles").values(sys.maxsize * 2 + 1)
    with pytest.raises((MemoryError, OutOfReachError)):
        Game("0.6", memory=1 << 20).values(10**8)
    # The bytes of the array count, four for each value here.
    nim = Game("nim", memory=1 << 20)
    assert nim.values((1 << 18) - 1).nbytes == 1 << 20
    with pytest.raises(MemoryError, match="1 MiB of memory allowed"):
        nim.values(1 << 18)
    with pytest.raises(OutOfReachError, match="steps="):
        Game(rule="take squares", steps=1000).values(10**5)
    with pytest.raises(ValueError, match=refusal("values", 10, "-g", "wythoff")):
        Game("wythoff").values(10)
