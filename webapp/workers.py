"""What workers say of themselves through the broker: that they are there, what they did, how long it took.

Tasks run in processes of their own, so figures are kept where all of them can be read: in the broker, as counters that
begin again when it does. Nothing here may fail a task; what cannot be told is not told. Keys are written and read as
they stand here, by a client without Celery's own prefix: that one is put before some commands' keys and not others'.
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

import redis
from celery.signals import task_postrun, task_prerun, worker_ready, worker_shutting_down

import proofing
from webapp.celery import app

logger = logging.getLogger(__name__)

#: A worker says it is there every `BEAT_SECONDS`, under a name that is forgotten after `BEAT_FORGOTTEN` seconds.
BEAT_SECONDS = 3
BEAT_FORGOTTEN = 10
BEAT_KEY = "proofmark:alive:"
#: Counters of all workers: "<task>|<how it ended>" → how many, "<task>|seconds" → how long together.
TASKS_KEY = "proofmark:tasks"
#: What one worker did since it started; forgotten a day after it was last seen.
WORKER_KEY = "proofmark:worker:"
REMEMBERED = 24 * 3600

_stopping = threading.Event()
_began: dict[str, float] = {}


@dataclass(frozen=True, slots=True)
class Running:
    """A task a worker has in hand."""

    task: str
    since: float  # seconds since 1970


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker, as it last spoke of itself; times are seconds since 1970, 0 when it never said."""

    name: str
    since: float
    tasks: int
    failed: int
    last: str
    memory: int  # bytes, the most one of its processes ever held
    seen: float = 0.0
    there: bool = True  # said so in the last `BEAT_FORGOTTEN` seconds
    stopped: float = 0.0  # when it was asked to stop; 0 for one that fell silent
    queues: tuple[str, ...] = ()
    version: str = ""  # of the engine
    processes: int = 0
    running: tuple[Running, ...] = ()


@contextmanager
def _reading() -> Iterator[redis.Redis]:
    # A channel of its own is tried once; the default one again and again, for six seconds.
    with app.connection_for_read() as connection:
        yield redis.Redis(connection_pool=connection.channel().client.connection_pool)


@contextmanager
def _writing() -> Iterator[redis.Redis]:
    with app.pool.acquire(block=True) as connection:
        yield redis.Redis(connection_pool=connection.default_channel.client.connection_pool)


def workers_alive() -> int:
    """How many workers said in the last seconds that they are there."""
    with _reading() as client:
        return len(_names(client, BEAT_KEY))


def workers() -> list[Worker]:
    """The workers that are there, by name, with what they did; empty when the broker cannot be reached."""
    return [worker for worker in remembered() or [] if worker.there]


def remembered() -> list[Worker] | None:
    """Those that are there and those that were, within a day, by name; None when the broker cannot be reached."""
    try:
        with _reading() as client:
            there = _names(client, BEAT_KEY)
            known = there | _names(client, WORKER_KEY)
            return [_worker(client, name, there.get(name), known[name]) for name in sorted(known)]
    except Exception:
        logger.warning("the broker cannot be reached", exc_info=True)
        return None


def _names(client: redis.Redis, start: str) -> dict[str, str]:
    """Name of a worker → its key; workers of an earlier version wrote theirs behind a prefix."""
    keys = [_plain(key) for key in client.scan_iter(match=f"*{start}*", count=1000)]
    return {key.rpartition(start)[2]: key for key in sorted(keys, reverse=True)}


def _worker(client: redis.Redis, name: str, beat_key: str | None, key: str) -> Worker:
    beat = json.loads(client.get(beat_key) or "{}") if beat_key else {}
    did = {_plain(k): _plain(v) for k, v in client.hgetall(WORKER_KEY + name).items()}
    said = json.loads(did.get("said", "{}")) | beat
    return Worker(
        name,
        float(said.get("since", 0)),
        tasks=int(did.get("tasks", 0)),
        failed=int(did.get("failed", 0)),
        last=did.get("last", ""),
        memory=int(did.get("memory", 0)),
        seen=float(said.get("seen", 0)),
        there=beat_key is not None,
        stopped=float(did.get("stopped", 0)),
        queues=tuple(map(str, said.get("queues", ()))),
        version=str(said.get("version", "")),
        processes=int(said.get("processes", 0)),
        running=tuple(Running(str(task), float(since)) for task, since in beat.get("running", ())),
    )


def task_counters() -> dict[tuple[str, str], float]:
    """(task, "done" | "failed" | "seconds") → how much, since the broker began."""
    try:
        with _reading() as client:
            stored = client.hgetall(TASKS_KEY)
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
        with _writing() as client:
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
    about = {
        "since": time.time(),
        "queues": sorted(sender.app.amqp.queues.consume_from),
        "version": proofing.__version__,
        "processes": int(getattr(sender.pool, "num_processes", 0) or 0),
    }
    threading.Thread(target=_beat, args=(sender.hostname, about), daemon=True, name="alive").start()


@worker_shutting_down.connect
def _stop_beating(**_: object) -> None:
    _stopping.set()


def _beat(hostname: str, about: dict[str, Any]) -> None:
    fresh = True
    while True:
        try:
            with app.connection_for_write() as connection:
                client = redis.Redis(connection_pool=connection.default_channel.client.connection_pool)
                _say(client, hostname, about, fresh=fresh)
            fresh = False
        except Exception:
            logger.warning("the broker cannot be reached; will say again that this worker is there", exc_info=True)
        if _stopping.is_set():
            return
        _stopping.wait(BEAT_SECONDS)


def _say(client: redis.Redis, hostname: str, about: dict[str, Any], *, fresh: bool) -> None:
    """One sign of life, or the last one of a worker that was asked to stop."""
    from celery.worker import state as in_hand  # of use in workers alone

    said = json.dumps({**about, "seen": time.time()})
    pipe = client.pipeline()
    if fresh:
        pipe.delete(WORKER_KEY + hostname)  # what an earlier worker of this name did
    pipe.hset(WORKER_KEY + hostname, "said", said)
    if _stopping.is_set():
        pipe.hset(WORKER_KEY + hostname, "stopped", str(time.time()))
        pipe.delete(BEAT_KEY + hostname)
    else:
        running = [[request.name, request.time_start] for request in list(in_hand.active_requests)]
        said = json.dumps({**json.loads(said), "running": [pair for pair in running if pair[1]]})
        pipe.set(BEAT_KEY + hostname, said, ex=BEAT_FORGOTTEN)
    pipe.expire(WORKER_KEY + hostname, REMEMBERED)
    pipe.execute()
