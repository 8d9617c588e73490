"""The command ``nim-analyser``: the program itself, run in this process."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Runs the program with the words of the command line, and ends with its exit code."""
    # What is opened later must not take the place of a stream that the shell has closed.
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    # The program answers signals itself, as if there were no Python around it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from nim_analyser import _native

    # Nothing of Python has to be cleared up, so a second Ctrl-C finds nothing to tear.
    os._exit(_native.run(["nim-analyser", *sys.argv[1:]]))
