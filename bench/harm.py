"""Ways to harm a worker from within, switched on by `HARM`; `bench/faults.py` starts workers with ``--include harm``.

``poison``: an answer that says POISON kills the process that reads it, as a fault in a library's C code would.
``slow``: an answer that says SLOW takes longer than the time after which work counts as abandoned.
``missing``: the engine finds no model. ``late``/``early``: the worker's clock is an hour off.
"""

from __future__ import annotations

import os
import signal
import time
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from webapp.intake import engine

HARM = os.environ.get("HARM", "")
_inspect, _now = engine.inspect_answer, timezone.now


def inspect(answer: Any) -> Any:
    """`engine.inspect_answer`, harmed."""
    if HARM == "poison" and "POISON" in answer.text:
        os.kill(os.getpid(), signal.SIGKILL)
    if HARM == "slow" and "SLOW" in answer.text:
        time.sleep(12)
    if HARM == "missing":
        raise FileNotFoundError("no such model")
    return _inspect(answer)


def now() -> datetime:
    """`timezone.now`, an hour off."""
    return _now() + {"late": timedelta(hours=-1), "early": timedelta(hours=1)}.get(HARM, timedelta())


engine.inspect_answer = inspect
if HARM in ("late", "early"):
    timezone.now = now
