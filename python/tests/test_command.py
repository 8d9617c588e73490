"""The command: the program itself, in a Python process."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import INSTALLED, PROGRAM


def run(*words, **more):
    return subprocess.run([INSTALLED, *words], capture_output=True, text=True, timeout=120, **more)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["7", "8"], 0),
        (["5", "--exit-code"], 1),
        (["--version"], 0),
        ([], 0),
        (["values", "--help"], 0),
        (["seven"], 2),
        (["7", "--wrong"], 2),
        (["-g", "kayls", "5"], 2),
        (["-g", "0.6", "1e18"], 3),
        (["period", "kayles", "--json"], 0),
        (["games", "--json"], 0),
    ],
)
def test_it_answers_as_the_program_does(words, code):
    done = run(*words)
    assert done.returncode == code, done.stderr
    if PROGRAM != INSTALLED:
        other = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stdout, done.stderr) == (other.returncode, other.stdout, other.stderr)


def test_it_prints_the_answer_that_scripts_compare():
    assert run("7", "8").stdout.startswith("Initial Piles: [7, 8]\ng-values: [g(7)=2, g(8)=3]\nNim-Sum (2 ^ 3): 1\n")


def test_it_reads_a_pipe_and_ends_quietly_when_a_pipe_is_closed():
    assert run("-", input="7 8\n5\n").stdout.splitlines()[1] == "[5] is losing (nim-sum 0)"
    values = subprocess.Popen([INSTALLED, "values", "2000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    values.stdout.readline()
    values.stdout.close()
    assert (values.wait(60), values.stderr.read()) == (0, b"")
    values.stderr.close()


def test_a_closed_standard_output_takes_nothing_in_its_place(tmp_path):
    file, other = tmp_path / "kayles.json", tmp_path / "other.json"
    words = f'"{INSTALLED}" period kayles --certificate "{file}" >&-'
    assert subprocess.run(["sh", "-c", words], timeout=60).returncode == 0
    assert run("period", "kayles", "--certificate", str(other)).returncode == 0
    assert file.read_text() == other.read_text()


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_130(number):
    work = subprocess.Popen([INSTALLED, "period", "0.6"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    work.send_signal(number)
    _, said = work.communicate(timeout=60)
    assert work.returncode == 130
    assert "Traceback" not in said


def test_it_starts_without_numpy():
    code = "import sys, nim_analyser._command; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n"
