"""Everything up with one command: broker, worker and web server under one supervisor, the demo on the first start.

Order: claim the data folder, check the port, broker, migrations, unfinished work, worker and web, demo, ready. Whatever
is killed at any moment is started again; nothing is lost by it, since unfinished rows are queued again.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from webapp import broker
from webapp.celery import Queues
from webapp.environment import Environment
from webapp.reaper import reap
from webapp.supervisor import Child, Supervisor

READY_WITHIN_SECONDS = 180
TICK_SECONDS = 0.25
#: How long a port may stay taken after an unclean end of the last start (its server is still closing).
UNCLEAN_PORT_SECONDS = 15
#: Two threads of one computation on a busy core are slower than one, six times as measured.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "PYTHONUNBUFFERED": "1",
}


class CannotServe(Exception):
    """The site cannot be started; the text is one line that says why and what to do."""


def serve(environment: Environment, *, say: Callable[[str], None]) -> None:
    """Run the site until SIGINT, SIGTERM or SIGHUP. Raises `CannotServe` (everything started is stopped first)."""
    with claimed(environment.data_dir) as unclean, stop_signals() as signals:
        _wait_for_port(environment, patience=UNCLEAN_PORT_SECONDS if unclean else 0)
        supervisor = Supervisor(log_dir=environment.data_dir / "logs", say=say)
        try:
            _start_everything(environment, supervisor, signals)
            _tend_until_stopped(environment, supervisor, signals)
        finally:
            say("Stopping …")
            supervisor.stop(hard=lambda: signals.count > 1)
    say("Stopped.")


def _start_everything(environment: Environment, supervisor: Supervisor, signals: StopSignals) -> None:
    if environment.embedded_broker:
        _start_broker(environment, supervisor, signals)
    if _migrations_pending():
        supervisor.say("Preparing the database …")
        call_command("migrate", interactive=False, verbosity=0)
    reap()
    supervisor.start(worker_child(environment))
    supervisor.start(web_child(environment))
    if environment.demo and not signals.stop.is_set():
        call_command("load_demo")
    _wait_until_ready(environment, supervisor, signals)


def _tend_until_stopped(environment: Environment, supervisor: Supervisor, signals: StopSignals) -> None:
    next_reaping = time.monotonic() + environment.reaper_seconds
    while not signals.stop.wait(TICK_SECONDS):
        supervisor.tend()
        if time.monotonic() >= next_reaping:
            reap()
            next_reaping = time.monotonic() + environment.reaper_seconds


# The children ---------------------------------------------------------------------------------------------------------


def worker_child(environment: Environment) -> Child:
    """The Celery worker: one process that takes tasks and ``workers`` that do them."""
    command = [sys.executable, "-m", "celery", "-A", "webapp", "worker", "--queues", ",".join(Queues.ALL)]
    command += ["--concurrency", str(environment.workers), "--loglevel", environment.log_level]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return Child(name="worker", command=command, environment=ONE_THREAD, patience=20)


def web_child(environment: Environment) -> Child:
    """Gunicorn with one process of several threads: SQLite has one writer anyway."""
    command = [sys.executable, "-m", "gunicorn", "webapp.wsgi:application", "--bind", _address(environment)]
    command += ["--worker-class", "gthread", "--workers", "1", "--threads", str(environment.web_threads)]
    command += ["--timeout", "60", "--graceful-timeout", "5", "--no-control-socket"]
    return Child(name="web", command=command, environment=ONE_THREAD, patience=10)


def _address(environment: Environment) -> str:
    host = f"[{environment.bind}]" if ":" in environment.bind else environment.bind
    return f"{host}:{environment.port}"


def _start_broker(environment: Environment, supervisor: Supervisor, signals: StopSignals) -> None:
    broker.dismiss_forgotten(environment.broker_socket)
    child = broker.broker_child(environment)
    supervisor.start(child)
    _wait(
        lambda: broker.answers(environment.broker_socket),
        what="The embedded broker",
        seconds=60,
        supervisor=supervisor,
        signals=signals,
    )


def _migrations_pending() -> bool:
    try:
        executor = MigrationExecutor(connection)
    except DatabaseError as error:
        reason = " ".join(str(error).split())
        raise CannotServe(f"The database of DATABASE_URL cannot be used: {reason}") from None
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


# Waiting --------------------------------------------------------------------------------------------------------------


def _wait_until_ready(environment: Environment, supervisor: Supervisor, signals: StopSignals) -> None:
    _wait(
        lambda: is_ready(environment),
        what="The site",
        seconds=READY_WITHIN_SECONDS,
        supervisor=supervisor,
        signals=signals,
    )
    if not signals.stop.is_set():
        supervisor.say(f"Proofmark is ready at http://{_shown_host(environment)}:{environment.port}/")


def _wait(
    condition: Callable[[], bool], *, what: str, seconds: float, supervisor: Supervisor, signals: StopSignals
) -> None:
    """Tick until ``condition()`` or a stop signal; raises `CannotServe` with a child's last words if it never comes."""
    deadline = time.monotonic() + seconds
    while not signals.stop.is_set() and not condition():
        supervisor.tend()
        failing = next((child for child in supervisor.children if child.deaths_in_a_row >= 3), None)
        if failing:
            words = supervisor.last_words(failing)
            raise CannotServe(f"The {failing.name} keeps ending as soon as it starts. Its last words:\n{words}")
        if time.monotonic() > deadline:
            raise CannotServe(f"{what} was not ready after {seconds:.0f} seconds; see {supervisor.log_dir}.")
        signals.stop.wait(TICK_SECONDS / 2)


def is_ready(environment: Environment) -> bool:
    """Whether ``/readyz`` answers 200."""
    host = next((name.lstrip(".") for name in environment.allowed_hosts if name != "*"), "localhost")
    url = f"http://{_shown_host(environment)}:{environment.port}/readyz"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"Host": host}), timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _shown_host(environment: Environment) -> str:
    """Where a person on this machine reaches the site."""
    if environment.bind in {"0.0.0.0", "::", ""}:  # noqa: S104
        return "127.0.0.1"
    return _address(environment).rsplit(":", 1)[0]


def _wait_for_port(environment: Environment, *, patience: float) -> None:
    deadline = time.monotonic() + patience
    while not _port_free(environment):
        if time.monotonic() >= deadline:
            raise CannotServe(
                f"Port {environment.port} is taken by another program. "
                f"Stop that one, or choose another port: make run PORT={environment.port + 1}"
            )
        time.sleep(0.2)


def _port_free(environment: Environment) -> bool:
    family = socket.AF_INET6 if ":" in environment.bind else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((environment.bind, environment.port))
        except PermissionError:
            raise CannotServe(f"Port {environment.port} may not be opened by this user.") from None
        except OSError:
            return False
    return True


# One start per data folder, and its stop ------------------------------------------------------------------------------


class StopSignals:
    """Counts the signals that ask to stop; the first one sets `stop`."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.count = 0

    def receive(self, *_: object) -> None:
        self.count += 1
        self.stop.set()


@contextmanager
def stop_signals() -> Iterator[StopSignals]:
    """Turn SIGINT, SIGTERM and SIGHUP into a flag for the time of the block."""
    signals = StopSignals()
    watched = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, signals.receive) for number in watched}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def pid_file(data_dir: Path) -> Path:
    return data_dir / "serve.pid"


@contextmanager
def claimed(data_dir: Path) -> Iterator[bool]:
    """Hold ``data_dir`` for this process; yields whether the last start ended without stopping properly.

    The lock goes with the process, however it ends, so a left-over file never blocks a start.
    """
    path = pid_file(data_dir)
    with path.open("a+") as file:
        if not _lock(file):
            file.seek(0)
            raise CannotServe(
                f"Proofmark already runs on {data_dir} (process {file.read().strip()}). Stop it with: make stop"
            )
        file.seek(0)
        unclean = bool(file.read().strip())
        _write(file, str(os.getpid()))
        yield unclean
        _write(file, "")


def stop_running(data_dir: Path, *, patience: float = 60) -> bool:
    """Stop the site that runs on ``data_dir`` and wait; False when none runs. Raises `CannotServe` if it stays."""
    path = pid_file(data_dir)
    if not path.exists():
        return False
    with path.open("a+") as file:
        if _lock(file):
            return False
        file.seek(0)
        os.kill(int(file.read()), signal.SIGTERM)
        deadline = time.monotonic() + patience
        while not _lock(file):
            if time.monotonic() > deadline:
                raise CannotServe(f"Proofmark on {data_dir} did not stop within {patience:.0f} seconds.")
            time.sleep(0.1)
    return True


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _write(file: IO[str], text: str) -> None:
    file.seek(0)
    file.truncate()
    file.write(text)
    file.flush()
