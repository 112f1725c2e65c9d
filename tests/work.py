"""How much work a call does, counted and not timed, so that a busy machine changes nothing.

Steps are the calls of functions, Python's own and built-in ones alike. What one built-in call does inside (a regular
expression that backtracks) is no step: for that `within` gives a limit so wide that only a hang meets it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds of processor time: linear work on the texts of these tests takes one or two, a square takes minutes.
HANG = 60.0


def steps(call: Callable[[], object]) -> int:
    """How many functions `call` calls, directly or not."""
    count = 0

    def counting(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        call()
    finally:
        sys.setprofile(before)
    return count


@contextmanager
def within(seconds: float = HANG) -> Iterator[None]:
    """Fails when the block hangs."""
    started = time.process_time()
    yield
    assert time.process_time() - started < seconds
