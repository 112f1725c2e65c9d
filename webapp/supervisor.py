"""Keeps a handful of child processes running: starts them, starts the dead ones again, stops them in good order.

It knows nothing of Django or of what the children do. One thread, no callbacks: the caller ticks `Supervisor.tend`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

#: A child that lived this long has proved itself; its next death is answered at once.
PROVED_SECONDS = 10.0
#: Waits before the second, third, … start in a row of a child that keeps dying.
BACKOFF_SECONDS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
#: Logs longer than this are put aside (one generation) when their child is first started.
LOG_LIMIT = 5 * 1024 * 1024

PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """One program to keep running, and how it is doing.

    ``patience`` is how many seconds it gets between the polite signal and SIGKILL when everything stops.
    """

    name: str
    command: Sequence[str]
    patience: float = 10.0
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    deaths_in_a_row: int = 0
    start_after: float = 0.0

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """Runs `children`, in their order; stops them in the reverse one. ``say`` gets one line per thing worth telling."""

    def __init__(self, *, log_dir: Path, say: Callable[[str], None]) -> None:
        self.log_dir = log_dir
        self.say = say
        self.children: list[Child] = []
        log_dir.mkdir(parents=True, exist_ok=True)

    def start(self, child: Child) -> None:
        """Start ``child`` and look after it from now on."""
        _put_aside(self._log(child))
        self.children.append(child)
        self._launch(child)

    def tend(self) -> None:
        """Look at every child once, and start the dead ones again (those that die at once after a growing wait)."""
        now = time.monotonic()
        for child in self.children:
            if child.alive:
                continue
            if child.process is not None:
                self._bury(child, child.process, now)
            if now >= child.start_after:
                self._launch(child)

    def stop(self, *, hard: Callable[[], bool] = lambda: False) -> None:
        """Ask each child to stop, last started first, and kill the one that takes longer than its patience.

        ``hard()`` turning true (a second Ctrl+C) kills the rest at once.
        """
        for child in reversed(self.children):
            if child.process is None or not child.alive:
                continue
            child.process.terminate()
            deadline = time.monotonic() + child.patience
            while child.alive and time.monotonic() < deadline and not hard():
                time.sleep(0.05)
            if child.alive:
                self.say(f"{child.name} did not stop in time and was killed")
                _kill_group(child.process)
            child.process.wait()

    def last_words(self, child: Child, lines: int = 15) -> str:
        """The end of a child's log, for a message about why it will not run."""
        try:
            return "\n".join(self._log(child).read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    def _log(self, child: Child) -> Path:
        return self.log_dir / f"{child.name}.log"

    def _launch(self, child: Child) -> None:
        with self._log(child).open("ab") as log:
            child.process = subprocess.Popen(
                child.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **child.environment},
                start_new_session=True,  # Ctrl+C in the terminal reaches the supervisor alone
                preexec_fn=_follow_parent if sys.platform == "linux" else None,  # safe: there is one thread
            )
        child.started_at = time.monotonic()

    def _bury(self, child: Child, process: subprocess.Popen[bytes], now: float) -> None:
        _kill_group(process)  # what a killed program leaves behind must not live on beside the new one
        proved = now - child.started_at >= PROVED_SECONDS
        child.deaths_in_a_row = 1 if proved else child.deaths_in_a_row + 1
        wait = BACKOFF_SECONDS[min(child.deaths_in_a_row, len(BACKOFF_SECONDS)) - 1]
        child.start_after = now + wait
        self.say(f"{child.name} {_how_it_ended(process.returncode)}; starting it again")
        child.process = None


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"ended with exit status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody left
        os.killpg(process.pid, signal.SIGKILL)


def _follow_parent() -> None:
    """Have the kernel end this child when the supervisor itself is killed (Linux only)."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _put_aside(log: Path) -> None:
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_suffix(".log.1"))
