"""What workers say of themselves through the broker: that they are there, what they did, how long it took.

Tasks run in processes of their own, so figures are kept where all of them can be read: in the broker, as counters that
begin again when it does. Nothing here may fail a task; what cannot be told is not told.
"""

from __future__ import annotations

import json
import logging
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from celery.signals import task_postrun, task_prerun, worker_ready, worker_shutting_down

from webapp.celery import app

logger = logging.getLogger(__name__)

#: A worker says it is there every `BEAT_SECONDS`, under a name that is forgotten after `BEAT_FORGOTTEN` seconds.
BEAT_SECONDS = 3
BEAT_FORGOTTEN = 10
BEAT_KEY = "proofmark:alive:"
#: Counters of all workers: "<task>|<how it ended>" → how many, "<task>|seconds" → how long together.
TASKS_KEY = "proofmark:tasks"
#: What one worker did; forgotten a day after its last task.
WORKER_KEY = "proofmark:worker:"
REMEMBERED = 24 * 3600

_stopping = threading.Event()
_began: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker that said lately that it is there."""

    name: str
    since: float  # seconds since 1970
    tasks: int
    failed: int
    last: str
    memory: int  # bytes, the most it ever held


@contextmanager
def _client() -> Iterator[Any]:
    with app.pool.acquire(block=True) as connection:
        yield connection.default_channel.client


def workers_alive() -> int:
    """How many workers said in the last seconds that they are there."""
    with app.connection_for_read() as broker:
        return sum(1 for _ in broker.default_channel.client.scan_iter(match=f"*{BEAT_KEY}*", count=1000))


def workers() -> list[Worker]:
    """The workers that are there, by name, with what they did; empty when the broker cannot be reached."""
    found = []
    try:
        with app.connection_for_read() as broker:
            client = broker.default_channel.client
            for key in client.scan_iter(match=f"*{BEAT_KEY}*", count=1000):
                name = _plain(key).rpartition(BEAT_KEY)[2]
                beat = json.loads(client.execute_command("GET", key) or "{}")
                did = {_plain(k): _plain(v) for k, v in client.hgetall(WORKER_KEY + name).items()}
                numbers = {field: int(did.get(field, 0)) for field in ("tasks", "failed", "memory")}
                found.append(Worker(name, float(beat.get("since", 0)), last=did.get("last", ""), **numbers))
    except Exception:
        logger.warning("the broker cannot be reached", exc_info=True)
        return []
    return sorted(found, key=lambda worker: worker.name)


def task_counters() -> dict[tuple[str, str], float]:
    """(task, "done" | "failed" | "seconds") → how much, since the broker began."""
    try:
        with app.connection_for_read() as broker:
            stored = broker.default_channel.client.hgetall(TASKS_KEY)
    except Exception:
        return {}
    return {tuple(_plain(key).split("|")): float(value) for key, value in stored.items()}  # type: ignore[misc]


def _plain(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value


# Said by the workers ----------------------------------------------------------------------------------------------


@task_prerun.connect
def _note_begin(task_id: str, **_: object) -> None:
    _began[task_id] = time.monotonic()


@task_postrun.connect
def _tell(task_id: str, task: Any, state: str | None = None, **_: object) -> None:
    """Count a task that ended; in a worker only, since elsewhere tasks run inside of requests and tests."""
    seconds = time.monotonic() - _began.pop(task_id, time.monotonic())
    name = getattr(task.request, "hostname", None)
    if not name or task.request.is_eager:
        return
    ended = "done" if state == "SUCCESS" else "failed"
    try:
        with _client() as client:
            pipe = client.pipeline(transaction=False)
            pipe.hincrby(TASKS_KEY, f"{task.name}|{ended}", 1)
            pipe.hincrbyfloat(TASKS_KEY, f"{task.name}|seconds", seconds)
            pipe.hincrby(WORKER_KEY + name, "tasks", 1)
            pipe.hincrby(WORKER_KEY + name, "failed", int(ended == "failed"))
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            pipe.hset(WORKER_KEY + name, mapping={"last": task.name, "memory": memory})
            pipe.expire(WORKER_KEY + name, REMEMBERED)
            pipe.execute()
    except Exception:
        logger.debug("a task could not be counted", exc_info=True)


@worker_ready.connect
def _start_beating(sender: Any, **_: object) -> None:
    """Say from now on that the worker is there, in a thread of its own: tasks run in other processes."""
    threading.Thread(target=_beat, args=(sender.hostname,), daemon=True, name="alive").start()


@worker_shutting_down.connect
def _stop_beating(**_: object) -> None:
    _stopping.set()


def _beat(hostname: str) -> None:
    said = json.dumps({"since": time.time()})
    while True:
        try:
            with app.connection_for_write() as broker:
                broker.default_channel.client.set(f"{BEAT_KEY}{hostname}", said, ex=BEAT_FORGOTTEN)
        except Exception:
            logger.warning("the broker cannot be reached; will say again that this worker is there", exc_info=True)
        if _stopping.wait(BEAT_SECONDS):
            return
