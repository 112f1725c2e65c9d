"""A database, a broker and real processes around them, for tests that kill things."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from webapp.environment import VARIABLES

ROOT = Path(__file__).parents[2]

#: Everything is kept apart from what the developer's shell has set, and impatient, so that a test need not wait.
IMPATIENT = {
    "DEMO": "0",
    "PROOFMARK_STALE_SECONDS": "8",
    "PROOFMARK_REAPER_SECONDS": "2",
    "PROOFMARK_VISIBILITY_SECONDS": "10",
    "PROOFMARK_LOG_LEVEL": "INFO",
    "OMP_NUM_THREADS": "1",
    "DJANGO_SETTINGS_MODULE": "webapp.settings",
}

ANSWERS = {
    "answers": "SELECT count(*) FROM records_answer",
    "proofread": "SELECT count(*) FROM records_answer WHERE state = 'proofread'",
    "failed": "SELECT count(*) FROM records_answer WHERE state = 'failed'",
    "observations": "SELECT count(*) FROM records_observation",
    "inspections": "SELECT count(*) FROM records_inspection",
    "answers inspected": "SELECT count(DISTINCT answer_id) FROM records_inspection",
    "healings": "SELECT count(*) FROM records_healing",
    "items": "SELECT count(*) FROM review_item",
    "answers queued": "SELECT count(DISTINCT answer_id) FROM review_item",
    "proofread events": "SELECT count(*) FROM review_event WHERE kind = 'answer.proofread'",
    "imports done": "SELECT count(*) FROM intake_importbatch WHERE state = 'done'",
    "lines": "SELECT coalesce(sum(imported + repeated), 0) FROM intake_importbatch",
}


class Stage:
    """One site's environment: its database, broker and data folder, and the processes started on it."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        known = {variable.name for variable in VARIABLES}
        self.environment = {name: value for name, value in os.environ.items() if name not in known}
        self.environment |= {**IMPATIENT, "DATA_DIR": str(folder / "data"), **settings}
        self.processes: list[subprocess.Popen[bytes]] = []

    # Processes

    def start(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        """Start a program in a process group of its own; its output goes to ``name.log``."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        self.processes.append(process)
        return process

    def worker(self, name: str) -> subprocess.Popen[bytes]:
        """A Celery worker as production runs it, with one process for tasks."""
        options = ["--queues", "interactive,bulk", "--concurrency", "1", "--hostname", f"{name}@%h"]
        return self.start(name, sys.executable, "-m", "celery", "-A", "webapp", "worker", *options)

    def reaper(self) -> subprocess.Popen[bytes]:
        return self.start("reaper", sys.executable, "manage.py", "reap")

    def close(self) -> None:
        for process in self.processes:
            kill(process)

    # What a person or a program would ask of the site

    def manage(self, *arguments: str) -> str:
        """Run ``manage.py`` to its end and return what it printed; its errors are the test's."""
        ended = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def import_file(self, path: Path) -> dict[str, Any]:
        """Import ``path`` into the project ``killing`` (made on first use), as the upload page does."""
        code = (
            "import json; from pathlib import Path; from django.utils import timezone;"
            "from webapp.records.models import Project; from webapp.review.models import Queue;"
            "from webapp.intake.services import start_import;"
            "p, _ = Project.objects.get_or_create(slug='killing', defaults={'name': 'Killing', 'tier': 'fast'});"
            "Queue.objects.get_or_create(project=p, name='Queue');"
            f"data = Path({str(path)!r}).read_bytes();"
            "batch, fresh = start_import(project=p, chunks=[data], filename='a.jsonl', format='jsonl', "
            "now=timezone.now());"
            "print('RESULT', json.dumps({'id': str(batch.pk), 'fresh': fresh}))"
        )
        printed = self.manage("shell", "--no-imports", "-c", code)
        return json.loads(printed.split("RESULT", 1)[1])

    # What is in the database

    def numbers(self) -> dict[str, int]:
        """The ledger: every count a lost or doubled answer would change."""
        names = list(ANSWERS)
        row = self._row("SELECT " + ", ".join(f"({ANSWERS[name]})" for name in names))
        return dict(zip(names, map(int, row), strict=True))

    def _row(self, query: str) -> Sequence[Any]:
        url = self.environment.get("DATABASE_URL", "")
        if not url:
            path = Path(self.environment["DATA_DIR"]) / "proofmark.sqlite3"
            with closing(sqlite3.connect(path, timeout=30)) as connection:
                return connection.execute(query).fetchone()
        import psycopg

        with psycopg.connect(url) as connection:
            return connection.execute(query).fetchone()

    def wait_for(self, condition: Callable[[dict[str, int]], bool], *, seconds: float) -> dict[str, int]:
        """Look at the ledger until ``condition`` holds; fails with the last ledger seen."""
        deadline = time.monotonic() + seconds
        while not condition(numbers := self.numbers()):
            assert time.monotonic() < deadline, f"not after {seconds} s: {numbers}\n{self.last_words()}"
            time.sleep(0.2)
        return numbers

    def last_words(self) -> str:
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"== {log.name}\n" + "\n".join(log.read_text().splitlines()[-15:]) for log in logs)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and everything it started, with no chance to tidy up."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def nothing_lost_nothing_doubled(count: int) -> dict[str, int]:
    """What the ledger must say once ``count`` different answers of one file have gone through."""
    once = dict.fromkeys(ANSWERS, count)
    return {**once, "failed": 0, "imports done": 1}


def write_answers(path: Path, count: int) -> Path:
    """A file of ``count`` small answers, no two alike, every third one with a wrong number."""
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            kept = number + 2 if number % 3 == 0 else number + 1
            line = {
                "id": f"a-{number}",
                "question": f"How long is parcel {number} kept?",
                "sources": [{"id": f"depot-{number}", "text": f"Parcel {number} is kept for {number + 1} days."}],
                "answer": f"Parcel {number} is kept for {kept} days.",
            }
            stream.write(json.dumps(line) + "\n")
    return path
