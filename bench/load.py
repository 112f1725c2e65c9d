"""A company's load on PostgreSQL and Redis: pages over a million answers, then fifty reviewers while workers proofread.

    python bench/load.py                                              # 100,000 answers, half a minute of reviewing
    python bench/load.py --data ragtruth_train.jsonl.gz --answers 1000000 --minutes 5
    python bench/load.py --answers 1000000 --minutes 0 --explain      # pages only; plans of statements over 50 ms
    python bench/load.py --answers 1000000 --keep million             # keeps the database, or takes it up again

First 10,000 answers are stored (bench/filling.py), the pages are measured, the rest is stored, the pages are measured
again: the ratio says what size costs, by wall time on a quiet machine, by CPU time on any. Times are those of Django's
test client (everything but the socket) in one process with the database beside it; CPU is that of the web process and
of its database process (helpers that PostgreSQL starts for one statement are not in it). Then real processes start:
gunicorn, two Celery workers and a Redis of their own; the reviewers decide over HTTP while a file of `--feed` fresh
answers is proofread. What reviewers were told is compared with the decisions and with the event log. The database is
new, and dropped at the end unless `--keep` names one.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]
SMALL = 10_000
#: A statement that takes longer is worth a look.
SLOW_MS = 50


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--server", default="postgres://postgres@127.0.0.1:5432/postgres", help="where to make a database"
    )
    parser.add_argument("--data", type=Path, help="an answers/1 file to take shapes from; left out: the case files")
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=30, help="requests of each page")
    parser.add_argument("--minutes", type=float, default=0.5, help="of reviewing; 0 leaves it out")
    parser.add_argument("--think", type=float, default=2.0, help="mean seconds a simulated reviewer reads an answer")
    parser.add_argument("--feed", type=int, default=2000, help="fresh answers proofread meanwhile")
    parser.add_argument("--explain", action="store_true", help="print the plans of slow statements")
    parser.add_argument(
        "--keep", default="", metavar="NAME", help="database to keep; taken up as it is where it exists"
    )
    parser.add_argument("--json", type=Path, help="write the figures there")
    given = parser.parse_args()
    if given.data is not None and not given.data.is_file():
        parser.error(f"{given.data}: no such file")
    small = _small(given) if given.keep else None
    with site(given.server, given.keep) as url:
        figures = run(given, url, small)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return int(
        any(figures.get("crowd", {}).get(name) for name in ("errors", "double", "lost")) or bool(figures["broken"])
    )


def _small(given: argparse.Namespace) -> dict[str, Any]:
    """The figures of a database of its own with few answers, by a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small.json"
        command = [sys.executable, str(Path(__file__).resolve()), "--server", given.server, "--minutes", "0"]
        command += ["--answers", str(SMALL), "--rounds", str(given.rounds), "--json", str(file)]
        command += ["--data", str(given.data)] if given.data else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        figures: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["small"]
        return figures


def run(given: argparse.Namespace, url: str, small: dict[str, Any] | None) -> dict[str, Any]:
    import filling

    from webapp.records.models import Answer

    lines = filling.template_lines(given.data)
    seconds = 0.0
    if not Answer.objects.exists():
        filling.prepare(lines)
        filling.fill(0, min(SMALL, given.answers))
        small = small or measure(given.rounds)
        seconds = filling.fill(min(SMALL, given.answers), given.answers)
    assert small is not None
    figures: dict[str, Any] = {
        "rows": filling.row_counts(),
        "fill_seconds": round(seconds),
        "broken": filling.broken_links(),
    }
    print(", ".join(f"{count:,} {table.split('_')[1]}s" for table, count in figures["rows"].items()))
    print(
        f"last {given.answers - SMALL:,} answers stored in {seconds:.0f} s, {size()}; {figures['broken']} broken links"
    )
    large = measure(given.rounds, explain=given.explain)
    print(f"ms; wall and CPU (web and database); before: {SMALL:,} answers")
    print(
        f"{'page':34} {'p50 before':>10} {'p50':>8} {'ratio':>6} {'p95':>8} {'CPU before':>10} {'CPU':>8} {'ratio':>6}"
    )
    for name, now in large.items():
        was = small[name]
        print(
            f"{name:34} {was['p50']:10.1f} {now['p50']:8.1f} {now['p50'] / was['p50']:6.2f} {now['p95']:8.1f} "
            f"{was['cpu']:10.1f} {now['cpu']:8.1f} {now['cpu'] / was['cpu']:6.2f}"
        )
    figures |= {"small": small, "large": large}
    if given.minutes:
        import crowd

        figures["crowd"] = crowd.review(url, minutes=given.minutes, think=given.think, feed=given.feed, lines=lines)
    return figures


def size() -> str:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
        return str(cursor.fetchone()[0])


@contextmanager
def site(server: str, keep: str = "") -> Iterator[str]:
    """Django set up on an empty database of its own, or on the one to `keep`; yields its URL."""
    import psycopg

    name = keep or f"bench_load_{uuid.uuid4().hex[:8]}"
    url = f"{server.rpartition('/')[0]}/{name}"
    with tempfile.TemporaryDirectory(prefix="proofmark-load-") as folder, broker(Path(folder)) as redis_url:
        os.environ |= {
            "DATA_DIR": folder, "DATABASE_URL": url, "REDIS_URL": redis_url, "DEMO": "0", "OMP_NUM_THREADS": "1",
            "DJANGO_SETTINGS_MODULE": "webapp.settings", "PROOFMARK_LOG_LEVEL": "ERROR",
        }  # fmt: skip
        with psycopg.connect(server, autocommit=True) as admin:
            if not admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                admin.execute(f'CREATE DATABASE "{name}"')
        try:
            import django
            from django.core.management import call_command

            django.setup()
            from django.conf import settings

            settings.ALLOWED_HOSTS.append("testserver")
            call_command("migrate", verbosity=0)
            yield url
        finally:
            from django.db import connections

            connections.close_all()
            if not keep:
                with psycopg.connect(server, autocommit=True) as admin:
                    admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def broker(folder: Path) -> Iterator[str]:
    """A Redis of its own on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes"]
    process = subprocess.Popen([*command, "--save", ""], stdout=subprocess.DEVNULL)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait()


# Pages ----------------------------------------------------------------------------------------------------------------

#: What is asked for, and by whom. A word in every answer, in none, and of one; filters common and rare.
PAGES = {
    "start page": ("reviewer", "/"),
    "queues (lead)": ("lead", "/queues/"),
    "one queue (lead)": ("lead", "/queues/1/"),
    "answers": ("lead", "/answers/"),
    "answers: two thirds back": ("lead", "/answers/?cursor={deep}"),
    "answers: a common word": ("lead", "/answers/?q=the"),
    "answers: a rare word": ("lead", "/answers/?q=({rare})"),
    "answers: a word of none": ("lead", "/answers/?q=xylophonist"),
    "answers: an external id": ("lead", "/answers/?external_id=load-4321"),
    "answers: a risk": ("lead", "/answers/?risk=critical"),
    "answers: a rare route": ("lead", "/answers/?route=fallback"),
    "answers: decided by": ("lead", "/answers/?reviewer=reviewer07"),
    "answers: waiting": ("lead", "/answers/?review=waiting"),
    "answers: drifted": ("lead", "/answers/?drift=on"),
    "answers: a model": ("lead", "/answers/?model=model-3"),
    "answers: weakest first": ("lead", "/answers/?sort=unsupported"),
    "one answer": ("lead", "/answers/{answer}/"),
    "insights": ("lead", "/insights/"),
    "insights: drift": ("lead", "/insights/drift/"),
    "insights: reviewers": ("lead", "/insights/reviewers/"),
    "insights: agreement": ("lead", "/insights/agreement/"),
    "disagreements": ("lead", "/disagreements/"),
    "put aside": ("lead", "/aside/"),
    "imports": ("lead", "/imports/"),
    "metrics": ("lead", "/metrics"),
}


def measure(rounds: int, *, explain: bool = False) -> dict[str, dict[str, float]]:
    """Milliseconds at the median and at the 95th percentile of each page."""
    from django.test import Client

    from webapp.accounts.models import User
    from webapp.records.models import Answer

    clients = {}
    for role, name in (("lead", "lead"), ("reviewer", "reviewer00")):
        clients[role] = Client()
        clients[role].force_login(User.objects.get(username=name), backend="django.contrib.auth.backends.ModelBackend")
    places = {"deep": _deep_cursor(), "rare": 4321, "answer": Answer.objects.get(external_id="load-4321").pk}
    figures = {}
    for name, (role, path) in PAGES.items():
        url = path.format(**places)
        figures[name] = _timed(lambda url=url, role=role: clients[role].get(url), rounds, explain and name)
    figures |= _desk(clients["reviewer"], rounds, explain)
    return figures


def _deep_cursor() -> str:
    from webapp.records.models import Answer
    from webapp.records.selectors import _cursor

    first, last = (Answer.objects.order_by(order).first() for order in ("received_at", "-received_at"))
    first.received_at += (last.received_at - first.received_at) / 3
    return _cursor("older", "received_at", first)


def _desk(client: Any, rounds: int, explain: bool) -> dict[str, dict[str, float]]:
    """The reviewer's way: the next answer, its decision with the one after it."""
    from webapp.review.models import Claim

    def following() -> Any:
        return client.post("/queues/1/next/", headers={"HX-Request": "true"})

    def put_back() -> None:
        claim = Claim.objects.get(released_at__isnull=True)
        client.post(f"/items/{claim.item_id}/release/")

    def decide() -> Any:
        claim = Claim.objects.get(released_at__isnull=True)
        sent = {"kind": "reject", "request_key": uuid.uuid4().hex}
        return client.post(f"/items/{claim.item_id}/decide/", sent, headers={"HX-Request": "true"})

    figures = {"next answer": _timed(following, rounds, explain and "next answer", after=put_back)}
    following()
    figures["decide, and the next answer"] = _timed(decide, rounds, explain and "decide")
    put_back()
    return figures


def _timed(
    ask: Callable[[], Any], rounds: int, explain: str | bool, after: Callable[[], None] = lambda: None
) -> dict[str, float]:
    from django.core.cache import cache

    times = []
    cpu = _cpu()
    for _ in range(rounds + 1):
        cache.clear()  # counts that are kept for some seconds are counted anew each time
        begun = time.perf_counter()
        response = ask()
        times.append(1000 * (time.perf_counter() - begun))
        assert response.status_code == 200, (response.status_code, response.content[:500])
        after()
    used = 1000 * (_cpu() - cpu) / (rounds + 1)
    times = sorted(times[1:])  # the first one warms up
    if explain:
        _explain(ask, str(explain))
    return {"p50": statistics.median(times), "p95": times[int(0.95 * len(times))], "cpu": used}


def _cpu() -> float:
    """CPU seconds of this process and of its database server process (Linux's /proc; both are on this machine)."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        fields = Path(f"/proc/{cursor.fetchone()[0]}/stat").read_text().rpartition(")")[2].split()
    return time.process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _explain(ask: Callable[[], Any], name: str) -> None:
    """Print each statement of one request that takes long, with its plan."""
    from django.db import connection

    slow: list[tuple[float, str, Any]] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            slow.append((1000 * (time.perf_counter() - begun), sql, params))

    with connection.execute_wrapper(watch):
        ask()
    for took, sql, params in [row for row in slow if row[0] > SLOW_MS]:
        print(f"\n-- {name}: {took:.0f} ms\n{sql[:1500]}")
        if sql.lstrip().startswith("SELECT"):
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN (ANALYZE, BUFFERS) " + sql, params)
                print("\n".join(row[0] for row in cursor.fetchall())[:4000])


if __name__ == "__main__":
    sys.exit(main())
