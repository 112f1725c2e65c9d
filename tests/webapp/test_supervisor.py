"""The supervisor starts what dies again, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable

import pytest

from webapp.supervisor import Child, Supervisor

FOREVER = "import time; time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)


def child(name: str, code: str, **options: object) -> Child:
    return Child(name=name, command=[sys.executable, "-c", code], **options)


def wait_for(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(tmp_path, said):
    supervisor = Supervisor(log_dir=tmp_path / "logs", say=said.append)
    yield supervisor
    supervisor.stop()


def test_a_killed_child_is_started_again(supervisor, said):
    worker = child("worker", FOREVER)
    supervisor.start(worker)
    first = worker.process.pid
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: not worker.alive)
    supervisor.tend()
    assert worker.alive
    assert worker.process.pid != first
    assert said == ["worker was ended by SIGKILL; starting it again"]


def test_what_a_killed_child_leaves_behind_is_ended_too(supervisor, tmp_path):
    note = tmp_path / "grandchild"
    code = (
        "import pathlib, subprocess, sys, time\n"
        f"p = subprocess.Popen([sys.executable, '-c', {FOREVER!r}])\n"
        f"pathlib.Path({str(note)!r}).write_text(str(p.pid))\n"
        "time.sleep(600)"
    )
    parent = child("parent", code)
    supervisor.start(parent)
    wait_for(lambda: note.exists() and note.read_text() != "")
    grandchild = int(note.read_text())
    os.kill(parent.process.pid, signal.SIGKILL)
    wait_for(lambda: not parent.alive)
    supervisor.tend()
    wait_for(lambda: not _runs(grandchild))


def test_one_that_keeps_dying_waits_longer_each_time(supervisor):
    broken = child("broken", "raise SystemExit(3)")
    supervisor.start(broken)
    waits = []
    for _ in range(4):
        wait_for(lambda: broken.process is not None and not broken.alive)
        before = time.monotonic()
        supervisor.tend()
        waits.append(round(broken.start_after - before, 1))
        broken.start_after = 0.0
        supervisor.tend()
    assert waits == sorted(waits)
    assert waits[0] == 0.0
    assert waits[-1] > 1.0
    assert broken.deaths_in_a_row == 4


def test_stopping_is_polite_first_and_then_final(supervisor, said, tmp_path):
    polite, stubborn = child("polite", FOREVER), child("stubborn", STUBBORN, patience=0.3)
    supervisor.start(polite)
    supervisor.start(stubborn)
    wait_for(lambda: "up" in supervisor.last_words(stubborn))
    supervisor.stop()
    assert not polite.alive
    assert not stubborn.alive
    assert said == ["stubborn did not stop in time and was killed"]


def test_a_child_speaks_into_its_own_log(supervisor):
    talker = child("talker", "print('hello from the child'); raise SystemExit(1)")
    supervisor.start(talker)
    wait_for(lambda: not talker.alive)
    assert supervisor.last_words(talker) == "hello from the child"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent was killed")
def test_children_follow_a_killed_supervisor(tmp_path):
    note = tmp_path / "pid"
    code = (
        "import pathlib, sys, time\n"
        "from webapp.supervisor import Child, Supervisor\n"
        f"s = Supervisor(log_dir=pathlib.Path({str(tmp_path)!r}), say=print)\n"
        f"c = Child(name='c', command=[sys.executable, '-c', {FOREVER!r}])\n"
        f"s.start(c); pathlib.Path({str(note)!r}).write_text(str(c.process.pid)); time.sleep(600)"
    )
    outer = Supervisor(log_dir=tmp_path / "outer", say=print)
    parent = child("supervisor", code)
    outer.start(parent)
    try:
        wait_for(lambda: note.exists() and note.read_text() != "")
        grandchild = int(note.read_text())
        os.kill(parent.process.pid, signal.SIGKILL)
        wait_for(lambda: not _runs(grandchild))
    finally:
        outer.stop()


def _runs(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
