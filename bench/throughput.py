"""Answers a second by worker processes, what a task costs beside its work, and whether a worker's memory grows.

    python bench/throughput.py                                             # 400 answers, on one worker and on two
    python bench/throughput.py --data ragtruth_train.jsonl.gz --answers 2000
    python bench/throughput.py --answers 10000 --workers 1                 # memory after 10,000 answers

Every answer of a run is another one as long as the file has them: what a worker remembers must not grow with what it
has read. All answers wait in Redis before the workers start, so the time from first result to last is their own.
Rates are by wall time, so they are worth something on a quiet machine alone; CPU seconds of the workers stand beside.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BENCH = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(BENCH)]
#: Until then a worker reads its models; memory is compared with what it holds afterwards.
WARM = 100
SERVER = "postgres://postgres@127.0.0.1:5432/postgres"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=SERVER)
    parser.add_argument("--data", type=Path, help="an answers/1 file; left out: the case files")
    parser.add_argument("--answers", type=int, default=400, help="of each run")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="processes of each run")
    parser.add_argument("--tier", default="standard", choices=("fast", "standard", "deep"))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()

    import filling
    import load

    with load.site(given.server):
        lines = filling.template_lines(given.data, given.answers)
        project = filling.prepare(lines[:1])
        type(project).objects.update(tier=given.tier)
        runs = [proofread(count, given.answers, lines, run) for run, count in enumerate(given.workers)]
        empty = empty_tasks(max(200, given.answers))
    for run in runs:
        memory = ", ".join(f"{n:,}: {mb:.0f} MB" for n, mb in run["memory_mb"].items())
        print(
            f"{run['workers']} worker(s): {run['answers']} answers in {run['seconds']:.1f} s, {run['per_second']:.1f} "
            f"a second, {1000 * run['cpu_seconds'] / run['answers']:.1f} ms CPU each; largest worker after {memory}"
        )
    print(f"an empty task: {1000 * empty['seconds']:.2f} ms wall, {1000 * empty['cpu_seconds']:.2f} ms CPU")
    if len(runs) > 1:
        print(
            f"{runs[-1]['workers']} against {runs[0]['workers']}: {runs[-1]['per_second'] / runs[0]['per_second']:.2f}"
        )
    if given.json:
        given.json.write_text(json.dumps({"runs": runs, "empty": empty}, indent=1) + "\n")
    return 0


def proofread(workers: int, count: int, lines: list[dict[str, Any]], run: int) -> dict[str, Any]:
    """Queue `count` fresh answers, start the workers, wait for the last; the figures."""
    from django.utils import timezone

    from proofing.exchange.answers import answer_of_record
    from webapp.intake.services import accept_answer
    from webapp.records.models import Answer, Project
    from webapp.review.models import Event

    project = Project.objects.get()
    for number in range(count):
        line = lines[number % len(lines)]
        record = {**line, "answer": f"{line['answer']} [{run}-{number}]"}
        accept_answer(project=project, line=answer_of_record(record), now=timezone.now())
    done = Event.objects.filter(kind="answer.proofread").count()
    last = done + count
    started = [_worker(f"w{n}") for n in range(workers)]
    memory: dict[int, float] = {}
    begun, first = 0.0, 0
    try:
        while True:
            seen = Event.objects.filter(kind="answer.proofread").count()
            if not begun and seen >= done + min(WARM, count // 4):
                begun, first, cpu = time.perf_counter(), seen, _used(started)[0]
            for place in (WARM, count // 2, count):
                if seen - done >= place and place not in memory:
                    memory[place] = _used(started)[1]
            if seen >= last or not Answer.objects.filter(state__in=["received", "proofreading"]).exists():
                break
            time.sleep(0.25)
        seconds, cpu_seconds = time.perf_counter() - begun, _used(started)[0] - cpu
    finally:
        _stop(started)
    return {
        "workers": workers, "answers": seen - first, "seconds": seconds, "per_second": (seen - first) / seconds,
        "cpu_seconds": cpu_seconds, "memory_mb": memory,
    }  # fmt: skip


def empty_tasks(count: int) -> dict[str, float]:
    """Seconds of a task that does nothing, queued and acknowledged like any other."""
    from webapp.celery import app
    from webapp.health import queue_lengths

    for _ in range(count):
        app.send_task("bench.nothing", queue="bulk")
    worker = _worker("empty", "--include", "nothing")
    try:
        while queue_lengths().get("bulk", count) > count * 9 // 10:
            time.sleep(0.02)
        begun, cpu, left = time.perf_counter(), _used([worker])[0], queue_lengths()["bulk"]
        while (now := queue_lengths()["bulk"]) > 0:
            time.sleep(0.02)
        ended, used = time.perf_counter() - begun, _used([worker])[0] - cpu
    finally:
        _stop([worker])
    return {"seconds": ended / (left - now), "cpu_seconds": used / (left - now)}


def _worker(name: str, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "celery", "-A", "webapp", "worker", "--queues", "interactive,bulk"]
    command += ["--concurrency", "1", "-n", f"{name}@%h", "--without-gossip", "--without-mingle", *more]
    environment = {**os.environ, "PYTHONPATH": str(BENCH)}
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def _stop(started: list[subprocess.Popen[bytes]]) -> None:
    for process in started:
        process.terminate()
    for process in started:
        process.wait(timeout=60)


def _used(started: list[subprocess.Popen[bytes]]) -> tuple[float, float]:
    """CPU seconds of the workers and their children together, and megabytes of the largest process (Linux's /proc)."""
    groups = {process.pid for process in started}
    ticks, largest = 0, 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) in groups:  # its process group
                ticks += int(fields[11]) + int(fields[12])
                largest = max(largest, int(fields[21]) * os.sysconf("SC_PAGE_SIZE"))
        except OSError:  # it ended meanwhile
            continue
    return ticks / os.sysconf("SC_CLK_TCK"), largest / 1e6


if __name__ == "__main__":
    sys.exit(main())
