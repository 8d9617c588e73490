"""What the tests share: the command, and games as they were defined by those who never saw a program."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

#: The command that was installed with the module.
INSTALLED = str(Path(sys.executable).parent / "nim-analyser")

#: The program to compare with: the one that Cargo built, where there is one.
PROGRAM = os.environ.get("NIM_ANALYSER", INSTALLED)


@pytest.fixture
def program():
    """Runs the program and gives its standard output."""

    def run(*words, stdin=None):
        done = subprocess.run([PROGRAM, *map(str, words)], input=stdin, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def refusal():
    """Runs the program where it refuses, and gives the first line of what it says, as a pattern."""

    def run(*words, stdin=None):
        done = subprocess.run([PROGRAM, *map(str, words)], input=stdin, capture_output=True, text=True, timeout=300)
        assert done.returncode in (2, 3), done.stdout
        return re.escape(done.stderr.splitlines()[0].removeprefix("error: "))

    return run


def least_missing(values):
    """The mex, by numpy."""
    return int(np.setdiff1d(np.arange(len(values) + 1), values)[0])


def octal_values(takings, last):
    """The nim-values of an octal game by its definition: `takings[t]` says how many heaps may be left after taking t."""
    g = np.zeros(last + 1, dtype=np.int64)
    for n in range(1, last + 1):
        options = [np.empty(0, dtype=np.int64)]
        for taken, left in takings.items():
            rest = n - taken
            if rest < 0:
                continue
            if 0 in left and rest == 0:
                options.append(np.array([0]))
            if 1 in left and rest > 0:
                options.append(g[rest : rest + 1])
            if 2 in left and rest > 1:
                options.append(g[1:rest] ^ g[rest - 1 : 0 : -1])
        g[n] = least_missing(np.concatenate(options))
    return g


KAYLES = {1: (0, 1, 2), 2: (0, 1, 2)}
DAWSON = {1: (0,), 2: (0, 1), 3: (0, 1, 2)}
OFFICERS = {1: (1, 2)}
