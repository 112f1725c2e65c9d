"""Files of 100,000 rows in and out: rows per second, peak memory, and what a kill -9 in the middle loses.

    python bench/exchange.py [--rows 100000] [--large 1024] [--database postgres://…] [--folder DIR]

Makes a site on a database of its own (SQLite; `--database` names an empty PostgreSQL one), then

* import: a JSON Lines file of that many rows is read by a process of its own, which is killed with SIGKILL when it is
  about half way; the reaper's own call queues it again and a second process goes on;
* export: that many decided answers are written as `reviews/1` and as CSV, each time by a process that is killed in the
  middle and by a second one;
* large: a JSON Lines file of `--large` MiB (rows of 32 KiB) is imported, for its memory.

Afterwards every row must be there once. Proofreading is no part of it: messages to the workers are not sent. Rows per
second are of wall time, seconds of processor time stand beside them; memory is the peak resident size of the process.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))


def prepare(folder: Path, database: str) -> None:
    """Django on the database, with nobody to send messages to."""
    os.environ |= {
        "DATA_DIR": str(folder), "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "PROOFMARK_LOG_LEVEL": "ERROR", "PROOFMARK_UPLOAD_LIMIT_MB": "4096",
    }  # fmt: skip
    import django

    django.setup()
    from webapp.intake import outbox

    outbox._send = lambda *message: None  # type: ignore[assignment]


# What the killed processes do ---------------------------------------------------------------------------------------


def work(kind: str, key: str) -> None:
    """Read one import or write one export, then say what it took."""
    from webapp.calibration.services import run_export
    from webapp.intake.imports import run_import

    run_import(batch_id=key) if kind == "import" else run_export(export_id=key)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"mib": used.ru_maxrss / 1024, "cpu": used.ru_utime + used.ru_stime}))


class Worker:
    """A process that does one import or export."""

    def __init__(self, options: argparse.Namespace, kind: str, key: object) -> None:
        command = [sys.executable, str(HERE), "--folder", str(options.folder), "--database", options.database]
        self.started = time.perf_counter()
        self.process = subprocess.Popen([*command, "--work", kind, str(key)], stdout=subprocess.PIPE, text=True)

    def kill_when(self, reached: Callable[[], bool]) -> bool:
        """Kill it as soon as it has come so far; False where it was done before."""
        while self.process.poll() is None:
            if reached():
                self.process.kill()
                self.process.wait()
                return True
            time.sleep(0.05)
        return False

    def finish(self) -> dict[str, float]:
        out, _ = self.process.communicate()
        assert self.process.returncode == 0, self.process.returncode
        return {**json.loads(out.splitlines()[-1]), "seconds": time.perf_counter() - self.started}


def again() -> None:
    """What the reaper does when a worker has been silent for long."""
    from datetime import timedelta

    from django.conf import settings
    from django.utils import timezone

    from webapp.intake import services

    services.requeue_stale(now=timezone.now() + timedelta(seconds=settings.STALE_AFTER_SECONDS + 1))


# Import ---------------------------------------------------------------------------------------------------------------


def rows(count: int, source: str) -> Iterator[bytes]:
    for n in range(count):
        record = {
            "id": f"r{n}", "external_id": f"row-{n}", "question": f"What is number {n % 1000}?",
            "answer": f"Number {n} is {n * 7} 😀, as the table says.",
            "sources": [{"id": f"table-{n % 1000}", "text": f"Row {n % 1000}. {source}"}],
        }  # fmt: skip
        yield json.dumps(record, ensure_ascii=False).encode() + b"\n"


def started(project: Any, chunks: Iterator[bytes], name: str) -> Any:
    from django.utils import timezone

    from webapp.intake.imports import start_import

    return start_import(project=project, chunks=chunks, filename=name, format="jsonl", now=timezone.now())[0]


def import_rows(options: argparse.Namespace, project: Any) -> None:
    batch = started(project, rows(options.rows, "The table holds sevenfold numbers. " * 8), "rows.jsonl")

    def half() -> bool:
        batch.refresh_from_db()
        return batch.lines_done * 2 >= options.rows

    first = Worker(options, "import", batch.pk)
    killed, before = first.kill_when(half), time.perf_counter() - first.started
    done = batch.lines_done
    again()
    second = Worker(options, "import", batch.pk).finish()
    batch.refresh_from_db()
    rate = (batch.lines_done - done) / second["seconds"]
    print(f"import {options.rows} rows: killed at {done} (after {before:.0f} s)" if killed else "import: never killed")
    print(f"  {rate:.0f} rows/s after the kill ({second['cpu']:.0f} s CPU), peak {second['mib']:.0f} MiB")
    print(f"  {lost_and_doubled(project, batch, options.rows)}", flush=True)


def lost_and_doubled(project: Any, batch: Any, wanted: int) -> str:
    from webapp.records.models import Answer, Observation

    answers = Answer.objects.filter(project=project, external_id__startswith="row-").count()
    seen = Observation.objects.filter(batch=batch)
    lines = seen.values("line").distinct().count()
    found = (answers, seen.count(), lines, batch.imported, batch.state)
    assert found == (wanted, wanted, wanted, wanted, "done"), (*found, batch.repeated, batch.failed, batch.error)
    return f"{answers} answers, {lines} lines seen once each: nothing lost, nothing doubled"


def import_large(options: argparse.Namespace, project: Any) -> None:
    count = options.large * 32
    batch = started(project, rows(count, "Sevenfold numbers stand here. " * 1080), "large.jsonl")
    used = Worker(options, "import", batch.pk).finish()
    batch.refresh_from_db()
    assert batch.state == "done", batch.error
    print(
        f"import of {batch.size / 2**20:.0f} MiB in {batch.lines_done} rows: {used['seconds']:.0f} s "
        f"({used['cpu']:.0f} s CPU), peak {used['mib']:.0f} MiB",
        flush=True,
    )


# Export ---------------------------------------------------------------------------------------------------------------


def decide_all(project: Any) -> None:
    """An inspection, an item and a decision for every answer, as a reviewer who kept all of them would leave it."""
    from django.utils import timezone

    from webapp.accounts.models import User
    from webapp.records.models import Answer, Inspection
    from webapp.review.models import Decision, Item, Queue

    now = timezone.now()
    reviewer, queue = User.objects.create_user("reviewer"), Queue.objects.create(project=project, name="All")
    # All keys first: what is written here changes the table a cursor would be reading.
    waiting = list(Answer.objects.filter(project=project).values_list("pk", flat=True))
    for keys in (waiting[start : start + 2000] for start in range(0, len(waiting), 2000)):
        inspections = Inspection.objects.bulk_create(
            Inspection(
                answer_id=key, engine_version="none", sha256=hashlib.sha256(str(key).encode()).hexdigest(),
                report={"unsupported_probability": 0.5, "marks": [], "healing": {}, "engine": {}},
                unsupported_probability=0.5, above_cut=False, risk="low", route="accept", created_at=now,
            )
            for key in keys
        )  # fmt: skip
        items = Item.objects.bulk_create(
            Item(queue=queue, answer_id=i.answer_id, inspection=i, state="decided", created_at=now) for i in inspections
        )
        Decision.objects.bulk_create(
            Decision(item=item, inspection=item.inspection, reviewer=reviewer, kind="keep", request_key=str(item.pk),
                     decided_at=now)
            for item in items
        )  # fmt: skip


def export_rows(options: argparse.Namespace, project: Any, form: str) -> None:
    from django.utils import timezone

    from webapp.calibration.services import request_export

    export = request_export(project=project, format=form, now=timezone.now())

    def half() -> bool:
        export.refresh_from_db()
        return export.rows * 2 >= options.rows

    killed = Worker(options, "export", export.pk).kill_when(half)
    at = export.rows
    again()
    used = Worker(options, "export", export.pk).finish()
    export.refresh_from_db()
    assert export.state == "done", export.error
    path = options.folder / export.file
    with path.open("rb") as stream:
        assert hashlib.file_digest(stream, "sha256").hexdigest() == export.sha256
    with path.open(encoding="utf-8") as lines:
        keys = [line.split('"external_id":"', 1)[-1].split('"', 1)[0] if form != "csv" else line.split(",", 2)[1]
                for line in lines]  # fmt: skip
    keys = keys[1:] if form == "csv" else keys
    assert len(keys) == len(set(keys)) == options.rows == export.rows, (len(keys), len(set(keys)), export.rows)
    print(f"export {form}: {'killed at ' + str(at) if killed else 'never killed'}, written anew; "
          f"{options.rows / used['seconds']:.0f} rows/s ({used['cpu']:.0f} s CPU), peak {used['mib']:.0f} MiB, "
          f"{len(set(keys))} rows once each, {path.stat().st_size / 2**20:.0f} MiB", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--large", type=int, default=1024, help="MiB; 0 leaves it out")
    parser.add_argument("--database", default="")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        prepare(options.folder, options.database)
        work(*options.work)
        return
    with tempfile.TemporaryDirectory(prefix="proofmark-exchange-", dir=options.folder) as folder:
        options.folder = Path(folder)
        prepare(options.folder, options.database)
        from django.core.management import call_command

        from webapp.records.models import Project

        call_command("migrate", verbosity=0)
        project = Project.objects.create(name="Rows", slug="rows")
        import_rows(options, project)
        decide_all(project)
        for form in ("reviews/1", "csv"):
            export_rows(options, project, form)
        if options.large:
            import_large(options, Project.objects.create(name="Large", slug="large"))


if __name__ == "__main__":
    main()
