"""Long work: watched, stopped, shared among threads, forked."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from nim_analyser import Game

unix = pytest.mark.skipif(os.name == "nt", reason="Unix")

LONG = {
    "values by rare heaps": 'Game("0.6").values(10**9)',
    "values by pairs": 'Game("0.07!", steps=10**15).values(10**7)',
    "values by sets": 'Game("{2+}.0", steps=10**15).values(10**5)',
    "values of a rule": 'Game(options=lambda n: range(n), steps=10**15).values(10**6)',
    "values of a rule that sleeps": 'Game(options=lambda n: time.sleep(60)).values(3)',
    "values of a rule in words": 'Game(rule="take squares and may split the rest", steps=10**15).values(10**6)',
    "a period": 'Game("0.6").period()',
    "a misère search": 'Game("0.6", positions=10**9).analyse([45, 46, 47, 48, 49], misere=True)',
    "a quotient": 'Game("0.6", positions=10**12).quotient(200)',
    "a misère search of many piles": 'Game("kayles").analyse([5, 7] * 500_000, misere=True)',
    "the working": 'found = Game("kayles").analyse(range(2**64 - 100, 2**64))\n    while True: found.explain()',
    "a genus": 'Game("0.6", positions=10**9).genus([60, 61, 62, 63])',
    "many outcomes": 'rows = np.full((10**5, 40), 10**15)\n    while True: Game("moore:3").outcomes(rows, misere=True)',
    "many values of a period": 'Game("kayles").values(4 * 10**9)',
    "many outcomes by a table": 'game = Game("kayles")\n    rows = np.full((10**6, 50), 10**15)\n    while True: game.outcomes(rows)',
    "moves": 'list(Game("0.[7]").analyse([10**9 - 1, 5]).winning_moves)',
    "a lookup": 'lookup("0.6", bound=10**9)',
    "a pipe that nobody writes to": 'ends = os.pipe(); verify(f"/dev/fd/{ends[0]}")',
}


@unix
@pytest.mark.parametrize("work", LONG, ids=list(LONG))
def test_ctrl_c_stops_it_and_the_interpreter_goes_on(work):
    # Within a second where the machine is free; minutes without an answer.
    code = f"""
import os, signal, time
import numpy as np
from nim_analyser import Game, lookup, verify
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests with it ignored
print("ready", flush=True)
try:
    {LONG[work]}
except KeyboardInterrupt:
    print("stopped", flush=True)
print(Game("kayles").value(5))
"""
    python = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert python.stdout.readline() == "ready\n"
    time.sleep(1)
    sent = time.monotonic()
    python.send_signal(signal.SIGINT)
    line = python.stdout.readline()
    took = time.monotonic() - sent
    with python:
        rest = python.stdout.read()
    assert (line, rest) == ("stopped\n", "4\n")
    assert took < 10


def test_the_interpreter_is_released_and_threads_take_turns():
    game = Game("0.6")
    counted, found = 0, []
    threads = [threading.Thread(target=lambda: found.append(game.values(2_000_000))) for _ in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        counted += 1
        time.sleep(0)
    assert counted > 1000
    assert len(found) == 3 and all(np.array_equal(found[0], one) for one in found)


def test_progress_is_told_and_what_it_raises_stops_the_work():
    told = []
    game = Game("0.6")
    game.values(3_000_000, progress=lambda known, wanted: told.append((known, wanted)))
    assert told[-1][1] == 3_000_001
    assert [known for known, _ in told] == sorted(known for known, _ in told)

    class Enough(Exception):
        pass

    def stop(known, wanted):
        raise Enough

    with pytest.raises(Enough):
        game.values(10**9, progress=stop)
    with pytest.raises(RuntimeError, match="the game is at work"):
        game.values(10**9, progress=lambda known, wanted: game.value(3))
    with pytest.raises(TypeError):
        game.values(10**9, progress=lambda: None)
    with pytest.raises(TypeError, match="progress"):
        game.values(5, progress=5)
    # What was computed is kept, and is right.
    assert np.array_equal(game.values(5000), Game("0.6", threads=1).values(5000))


def test_progress_by_tqdm(capsys):
    pytest.importorskip("tqdm")
    Game("0.6").values(3_000_000, progress=True)
    assert "it/s" in capsys.readouterr().err
    Game("kayles").values(10, progress=True)
    assert capsys.readouterr().err == ""


def in_child(work):
    """Works in a forked child, and says how that ended."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = work()
        finally:
            os._exit(code)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "it hangs"


@unix
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_fork_in_the_middle_of_work_leaves_both_processes_at_work():
    game, begun = Game("0.6"), threading.Event()
    result = []

    def told(known, wanted):
        begun.set()

    thread = threading.Thread(target=lambda: result.append(game.values(8_000_000, progress=told)))
    thread.start()
    assert begun.wait(30)

    def work():
        try:
            game.value(5)
        except RuntimeError as error:
            return 10 if "forked" in str(error) and Game("0.6").value(5000) == Game("0.6", threads=1).value(5000) else 11
        return 12

    assert in_child(work) == 10
    thread.join()
    assert len(result) == 1 and result[0].shape == (8_000_001,)

    # And a fork between two pieces of work is no matter.
    assert in_child(lambda: int(game.value(5))) == game.value(5)


@unix
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_pool_of_forked_processes_shares_games():
    game = Game("kayles")
    game.value(10)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(value_of_kayles, range(20)) == list(game.values(19))


def value_of_kayles(pile):
    return Game("kayles").value(pile)


@unix
def test_a_rule_may_fork():
    def options(n):
        if n == 3:
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
        return range(n)

    assert list(Game(options=options).values(5)) == [0, 1, 2, 3, 4, 5]


@unix
def test_too_little_memory_is_an_exception(tmp_path):
    code = """
import resource
from nim_analyser import Game
import numpy
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    Game("nim").values(10**9)
except MemoryError as error:
    print("refused")
print(Game("kayles").value(5))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("refused\n4\n", 0), done.stderr
