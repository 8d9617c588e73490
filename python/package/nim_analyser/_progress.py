"""Progress: a callback of one's own, or a bar of tqdm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional, Union

Callback = Callable[[int, int], object]
Progress = Union[None, bool, Callback]


@contextmanager
def shown(progress: Progress) -> Iterator[Optional[Callback]]:
    """The callback that is meant: none, one's own, or for ``True`` a bar of tqdm, if tqdm is installed."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        if not callable(progress):
            raise TypeError(f"progress is True or a function of what is known and what is wanted, not {progress!r}")
        yield progress
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    # The bar appears with the first call: short work has none.
    bar: Any = None

    def told(known: int, wanted: int) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(initial=known, total=wanted, unit_scale=True)
        bar.total = wanted
        bar.update(known - bar.n)

    try:
        yield told
    finally:
        if bar is not None:
            bar.close()
