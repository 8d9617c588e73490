"""Periods, certificates, quotients, genera, rare values, lookups: as the command has them."""

import json

import numpy as np
import pytest

from nim_analyser import Game, OutOfReachError, lookup, verify


def without_head(text):
    said = json.loads(text)
    return {field: value for field, value in said.items() if field not in ("schema", "kind")}


@pytest.mark.parametrize("words", [
    ["kayles"], ["0.137"], ["all-but:2,3,7"], ["nim"], ["0.156"], ["0.6", "--limit", 3000], ["0.106", "--limit", 200_000],
    ["grundy", "--limit", 80_000],
])
def test_a_period_is_that_of_the_command(words, program):
    name, *limit = words
    found = Game(name).period(limit=limit[1] if limit else None)
    said = without_head(program("period", *words, "--json"))
    assert {field: found.data[field] for field in said} == said
    assert str(found) == program("period", *words).rstrip("\n")
    assert (found.status, found.period, found.saltus) == (said["status"], said["period"], said["saltus"])
    assert found.proved == (said["status"] == "proved")
    assert (found.preperiod, found.theorem, found.game) == (said["preperiod"], said["theorem"], said["game"])


def test_a_proved_period_is_that_of_the_values():
    found = Game("kayles").period()
    values = Game(options=lambda n: [[a, n - t - a] for t in (1, 2) for a in range(n - t + 1)]).values(400)
    assert np.array_equal(values[found.preperiod + found.period :], values[found.preperiod : -found.period])
    assert values[found.preperiod - 1 + found.period] != values[found.preperiod - 1]


def test_a_search_ends_in_time():
    found = Game("0.6").period(seconds=0.3)
    assert found.status in ("none", "observed") and found.period is None
    assert found.data["computed"] > 1000
    for wrong in (-1, float("nan"), float("inf"), 1e300):
        with pytest.raises(ValueError):
            Game("kayles").period(seconds=wrong)


def test_certificates_are_the_commands_own_and_checked(program, tmp_path):
    ours, theirs = tmp_path / "ours.json", tmp_path / "theirs.json"
    ours.write_text(Game("kayles").period().certificate())
    program("period", "kayles", "--certificate", theirs)
    assert ours.read_text() == theirs.read_text()
    right = verify(ours)
    assert (right["game"], right["period"], right["preperiod"], right["checked"]) == ("kayles", 12, 71, "all")
    assert "is right" in program("verify", ours)
    ours.write_text(ours.read_text().replace('"period": 12', '"period": 24'))
    with pytest.raises(ValueError, match="period is 24"):
        verify(str(ours))
    for text, fault in (("{}", "not a certificate"), ("", "not a certificate"), ("\xff", "not a certificate")):
        ours.write_text(text)
        with pytest.raises(ValueError, match=fault):
            verify(ours)
    ours.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="can't read"):
        verify(ours)
    with pytest.raises(ValueError, match="can't read"):
        verify(tmp_path / "missing")
    with pytest.raises(ValueError, match="no period is proved"):
        Game("0.6").period(limit=1000).certificate()


def test_a_quotient_is_that_of_the_command(program, tmp_path):
    for name, heaps in (("kayles", 12), ("0.75", None)):
        found = Game(name).quotient(heaps)
        words = ["quotient", "-g", name] + (["--heaps", heaps] if heaps else [])
        assert found.data == json.loads(program(*words, "--json"))
        assert str(found) == program(*words).rstrip("\n")
        ours, theirs = tmp_path / "ours.json", tmp_path / "theirs.json"
        ours.write_text(found.certificate())
        program(*words, "--certificate", theirs)
        assert ours.read_text() == theirs.read_text()
        assert verify(ours)["order"] == found.order == len(found.data["names"])
    assert found.elements[0] == 0 and 0 not in found.p_portion
    # That of fewer piles is another one, whatever the game has learnt.
    game = Game("kayles")
    assert [game.quotient(heaps).order for heaps in (12, 2, 1, 12)] == [24, 6, 2, 24]
    game.analyse([5, 6], misere=True)
    assert game.quotient(1).heaps == 1
    with pytest.raises(OutOfReachError, match="misère quotient of grundy ends before pile"):
        Game("grundy", positions=2000).quotient(200)


def test_genera_are_those_of_the_command(program, refusal):
    said = json.loads(program("genus", "-g", "kayles", "--heaps", 20, "--json"))["genera"]
    for genus in said:
        found = Game("kayles").genus(genus["piles"])
        assert found == (genus["genus"], genus["nim_value"], genus["misere_nim_values"], genus["nature"])
    with pytest.raises(ValueError, match=refusal("genus", "-g", "wythoff", 1, 2)):
        Game("wythoff").genus([1, 2])


@pytest.mark.parametrize(("name", "last"), [("0.6", 20_000), ("kayles", 300), ("grundy", 40_000)])
def test_rare_values_are_those_of_the_command(name, last, program):
    found = Game(name).rares(last)
    said = json.loads(program("invariants", name, "--to", last, "--json"))
    assert (found.mask, found.alternating, len(found.heaps)) == (said["mask"], said["alternating"], said["rare"])
    assert found.heaps[-1] == said["last_rare"]
    values = Game(name).values(last)[1:]
    ones = sum((values & found.mask) >> bit & 1 for bit in range(16))
    assert np.array_equal(found.heaps, np.flatnonzero(ones % 2 == 0) + 1)
    with pytest.raises(ValueError, match="to pile 100 "):
        Game("nim").rares(100)


def test_a_lookup_is_that_of_the_command(program):
    found = lookup("0.161", bound=600)
    assert found.data == json.loads(program("lookup", "0.161", "--bound", 600, "--json"))
    assert str(found) == program("lookup", "0.161", "--bound", 600).rstrip("\n")
    assert dict(found) == found.data and found["standard_form"]["code"] == "0.161"
    row = lookup([0, 1, 2, 0, 1, 2, 3])
    assert row.data == json.loads(program("lookup", *"0120123", "--sequence", "--json"))
    assert lookup(Game("kayles"))["solved"]["period"] == 12
    with pytest.raises(ValueError):
        lookup([-1])
    with pytest.raises(ValueError):
        lookup("wythoff")
