"""The faults of `bench/faults.py` that need more than an import on its way.

The web killed, the disk of exports full, two versions at once, a backup restored. Each gets the services, a folder and
the number of answers, and returns what it saw.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from tests.services.conftest import free_port
from tests.services.stage import ROOT, Stage, kill, write_answers

WORKER = [
    sys.executable,
    "-m",
    "celery",
    "-A",
    "webapp",
    "worker",
    "--queues",
    "interactive,bulk",
    "--concurrency",
    "1",
]
PROJECT = """
from webapp.records.models import Project
from webapp.review.models import Queue
from webapp.accounts.services import create_token
project, _ = Project.objects.get_or_create(slug="killing", defaults={"name": "Killing", "tier": "fast"})
Queue.objects.get_or_create(project=project, name="Queue")
"""
TOKEN = PROJECT + 'print("TOKEN", create_token(project=project, name="faults")[1])'
DECIDE = """
from django.utils import timezone
from webapp.accounts.models import Membership, User
from webapp.review import services
from webapp.review.models import Queue
queue = Queue.objects.get()
user, _ = User.objects.get_or_create(username="reviewer")
Membership.objects.get_or_create(project=queue.project, user=user, role="reviewer")
n = 0
while claim := services.claim_next_item(queue=queue, reviewer=user, now=timezone.now()):
    services.decide(claim=claim, now=timezone.now(), choice=services.Choice(kind="keep", request_key=f"k{n}"))
    n += 1
print("DECIDED", n)
"""
EXPORT = """
from django.utils import timezone
from webapp.calibration.exports import request_export
from webapp.records.models import Project
print("EXPORT", request_export(project=Project.objects.get(), now=timezone.now()).pk)
"""
STATE = """
from webapp.calibration.models import Export
export = Export.objects.get(pk="{}")
print("STATE", export.state, export.rows, export.error)
"""


class Seen(NamedTuple):
    """What a fault ended in: the ledger, since the harm how long, and what else is worth a word."""

    ledger: dict[str, int]
    seconds: float
    happened: str
    imports: int = 1


def through(count: int, imports: int = 1) -> Callable[[dict[str, int]], bool]:
    return lambda seen: seen["proofread"] + seen["failed"] == count and seen["imports done"] == imports


def web_killed(services: Any, folder: Path, count: int) -> Seen:
    """A program posts answers one by one, and each again under its key until it is taken; the web dies half-way."""
    stage = services.stage()
    try:
        token = stage.manage("shell", "--no-imports", "-c", TOKEN).split("TOKEN", 1)[1].strip()
        port, lines = free_port(), write_answers(folder / "answers.jsonl", count).read_text().splitlines()
        gunicorn = [sys.executable, "-m", "gunicorn", "webapp.wsgi:application", "--bind", f"127.0.0.1:{port}"]
        gunicorn += ["--worker-class", "gthread", "--workers", "2", "--threads", "2", "--no-control-socket"]
        web = stage.start("web", *gunicorn)
        for number in range(2):
            stage.worker(f"w{number}")
        stage.reaper()
        harmed: dict[str, float] = {}
        again = 0

        def harm() -> None:
            harmed["at"] = time.monotonic()
            kill(web)
            stage.start("web", *gunicorn)

        for number, line in enumerate(lines):
            if number == count // 2:
                threading.Timer(0.02, harm).start()  # while a request is on its way
            again += _post(f"http://127.0.0.1:{port}/api/v1/answers", json.loads(line), token, f"k-{number}")
        ledger = stage.wait_for(through(count, imports=0), seconds=600)
        return Seen(ledger, time.monotonic() - harmed["at"], f"{again} requests sent again, ", imports=0)
    finally:
        stage.close()


def _post(url: str, record: dict[str, Any], token: str, key: str) -> int:
    """Send an answer until it is taken; how often it had to be sent again. An external id would hide a doubled one."""
    record.pop("id", None)
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": key}
    deadline, again = time.monotonic() + 120, 0
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, json.dumps(record).encode(), sent), timeout=30):
                return again
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code not in (409, 429):
                raise
        except OSError:
            pass
        again += 1
        time.sleep(0.2)
    raise AssertionError(f"{url} did not take an answer within two minutes")


def disk_full(services: Any, folder: Path, count: int) -> Seen:
    """The disk of the exports (a file system of 256 KiB) is full; then room is made. Needs root, to mount one."""
    stage = services.stage()
    exports = Path(stage.environment["DATA_DIR"]) / "exports"
    exports.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,mode=0700", "tmpfs", str(exports)], check=True)
    try:
        stage.worker("only")
        stage.import_file(write_answers(folder / "answers.jsonl", count))
        ledger = stage.wait_for(through(count), seconds=600)
        stage.manage("shell", "--no-imports", "-c", DECIDE)
        with suppress(OSError), (exports / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(b"\0" * 4096)
        state, _, error = _export(stage)
        left = [path.name for path in exports.iterdir() if path.name != "filler"]
        (exports / "filler").unlink()
        begun = time.monotonic()
        then, rows, _ = _export(stage)
        assert (state, left, then, int(rows)) == ("failed", [], "done", count), (state, error, left, then, rows)
        happened = f"export failed and said “{error}”, nothing of it left; with room again done, {rows} rows; "
        return Seen(ledger, time.monotonic() - begun, happened)
    finally:
        stage.close()
        subprocess.run(["umount", "--lazy", str(exports)], check=False)


def _export(stage: Stage) -> tuple[str, str, str]:
    """Have an export made: its state in the end, its rows, its trouble."""
    key = stage.manage("shell", "--no-imports", "-c", EXPORT).split("EXPORT", 1)[1].strip()
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        said = stage.manage("shell", "--no-imports", "-c", STATE.format(key)).split("STATE", 1)[1].split(maxsplit=2)
        if said[0] in ("done", "failed"):
            return said[0], said[1], said[2].strip() if len(said) > 2 else ""
        time.sleep(0.5)
    raise AssertionError(f"the export did not end: {said}")


def two_versions(services: Any, folder: Path, count: int, old: str) -> Seen:
    """The database is migrated by this version; a worker of an earlier one takes answers beside one of this."""
    earlier = folder / "earlier"
    earlier.mkdir()
    packed = subprocess.run(["git", "archive", old, "proofing", "webapp", "templates", "static", "locale", "manage.py"],
                            cwd=ROOT, capture_output=True, check=True).stdout  # fmt: skip
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(earlier, filter="data")
    stage = services.stage()
    try:
        stage.worker("new")
        with (stage.folder / "old.log").open("ab") as log:
            command = [*WORKER, "--hostname", "old@%h"]
            beside = {"cwd": earlier, "env": stage.environment, "stdout": log, "stderr": log, "start_new_session": True}
            stage.processes.append(subprocess.Popen(command, **beside))
        stage.reaper()
        deadline = time.monotonic() + 120
        while not all("ready." in (stage.folder / f"{name}.log").read_text() for name in ("new", "old")):
            assert time.monotonic() < deadline, stage.last_words()
            time.sleep(0.2)
        begun = time.monotonic()
        stage.import_file(write_answers(folder / "answers.jsonl", count))
        ledger = stage.wait_for(through(count), seconds=600)
        seconds = time.monotonic() - begun
        shares = {name: (stage.folder / f"{name}.log").read_text().count("succeeded in") for name in ("old", "new")}
        assert all(shares.values()), f"one of the two did nothing: {shares}"
        return Seen(ledger, seconds, f"{shares['old']} tasks by the old, {shares['new']} by the new worker; ")
    finally:
        stage.close()


def backup_restored(services: Any, folder: Path, count: int) -> Seen:
    """A backup is made mid-import; everything is lost; the backup is restored elsewhere and works on."""
    stage = services.stage()
    other = services.stage("other", "restored", migrate=False)
    try:
        for number in range(2):
            stage.worker(f"w{number}")
        stage.import_file(write_answers(folder / "answers.jsonl", count))
        stage.wait_for(lambda seen: seen["proofread"] >= count // 4, seconds=300)
        for worker in stage.processes:  # frozen with work in hand, so that the backup is of this moment
            os.killpg(worker.pid, signal.SIGSTOP)
        stage.manage("backup", str(folder / "backup"))
        stage.close()
        services.kill_redis()
        services.start_redis(empty=True)
        begun = time.monotonic()
        other.manage("restore", str(folder / "backup"))
        held = other.numbers()["proofread"]
        for number in range(2):
            other.worker(f"w{number}")
        other.reaper()
        ledger = other.wait_for(through(count), seconds=600)
        return Seen(ledger, time.monotonic() - begun, f"{held} were proofread in the backup; ")
    finally:
        stage.close()
        other.close()
