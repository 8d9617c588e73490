"""What the texts promise: the README, the docstrings, the types."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import nim_analyser

HERE = Path(__file__).parent.parent


def test_the_version_is_the_programs(program):
    assert program("--version") == f"nim-analyser {nim_analyser.__version__}\n"


def blocks_of_the_readme():
    return re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)


def test_the_readme_begins_with_three_lines_that_work():
    lines = (HERE / "README.md").read_text().splitlines()
    assert lines[2] == "```python" and lines[6] == "```"
    done = subprocess.run([sys.executable, "-c", "\n".join(lines[3:6])], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("[0 1 2 3 1 4 3 2 1 4 2]\nInitial Piles: [5, 6]\n")


def test_every_block_of_the_readme_runs(tmp_path, monkeypatch):
    pytest.importorskip("networkx")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks_of_the_readme():
        exec(compile(block, "README.md", "exec"), names)


@pytest.mark.parametrize("module", ["", "._game", "._functions", "._results"])
def test_the_docstrings_are_right(module):
    found = importlib.import_module("nim_analyser" + module)
    failed, tried = doctest.testmod(found, extraglobs={"Game": nim_analyser.Game})
    assert failed == 0
    assert tried or module == "._results"


def test_all_that_is_public_says_what_it_is():
    for name in nim_analyser.__all__:
        thing = getattr(nim_analyser, name)
        assert name.startswith("__") or thing.__doc__, name
        if isinstance(thing, type):
            own = [value for key, value in vars(thing).items() if not key.startswith("_")]
            assert all(value.__doc__ for value in own if callable(value) or isinstance(value, property)), name


def test_the_types_are_strict():
    pytest.importorskip("mypy")
    for words in (["mypy", "--strict", "--cache-dir", "/dev/null", str(HERE / "examples" / "typed.py")],
                  ["mypy", "--strict", "--cache-dir", "/dev/null", "-p", "nim_analyser"],
                  ["mypy.stubtest", "nim_analyser._native", "--ignore-missing-stub"]):
        done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, timeout=300, cwd="/")
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([sys.executable, str(HERE / "examples" / "typed.py")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
