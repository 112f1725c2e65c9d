"""Fifty reviewers at once: threads that log in, take the next answer, read it for a while and decide, over HTTP.

Real processes serve them: gunicorn and two Celery workers, on the caller's database and broker. Every
confirmed decision is remembered here and looked for in the tables and in the event log afterwards.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[1]
REVIEWERS, WORKERS = 50, 2
#: The item that a page shows, from the address the server asks the browser to write.
ITEM = re.compile(r"/items/([0-9a-f-]{36})/")


@dataclass(slots=True)
class Seen:
    """What one reviewer was told."""

    decided: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)


def review(url: str, *, minutes: float, think: float, feed: int, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Run it and print what happened; the figures."""
    from webapp.review.models import Event

    before = Event.objects.order_by("-id").values_list("id", flat=True).first() or 0
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = _serve(port)
    try:
        _wait_until_ready(port)
        _feed(lines, feed)
        seen = _crowd(port, minutes * 60, think)
        _wait_until_read(feed)
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(timeout=60)
    figures = _figures(seen, minutes * 60) | _ledger(seen, before)
    print(
        f"{REVIEWERS} reviewers for {minutes:g} min, {WORKERS} workers: {figures['decisions']} decisions, "
        f"{figures['per_second']:.1f} a second; p50 {figures['p50_ms']:.0f} ms, p95 {figures['p95_ms']:.0f} ms; errors "
        f"{figures['errors']}, double {figures['double']}, lost {figures['lost']}; {figures['proofread']} answers "
        f"proofread meanwhile, {figures['proofread_twice']} twice, {figures['unread']} unread"
    )
    if figures["errors"]:
        print(dict(sum((one.errors for one in seen), Counter())))
    return figures


def _serve(port: int) -> list[subprocess.Popen[bytes]]:
    log = (Path(os.environ["DATA_DIR"]) / "crowd.log").open("ab")
    web = ["gunicorn", "webapp.wsgi:application", "--bind", f"127.0.0.1:{port}", "--worker-class", "gthread"]
    commands = [[*web, "--workers", "2", "--threads", "8", "--no-control-socket"]]
    commands += [
        ["celery", "-A", "webapp", "worker", "--queues", "interactive,bulk", "--concurrency", "1", "-n", f"w{n}@%h"]
        for n in range(WORKERS)
    ]
    commands.append(["manage.py", "reap"])
    return [
        subprocess.Popen(
            [sys.executable, *(command if command[0] == "manage.py" else ["-m", *command])],
            cwd=ROOT, stdout=log, stderr=log, env={**os.environ, "PROOFMARK_REAPER_SECONDS": "5"},
        )
        for command in commands
    ]  # fmt: skip


def _wait_until_ready(port: int) -> None:
    for _ in range(240):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    raise SystemExit((Path(os.environ["DATA_DIR"]) / "crowd.log").read_text()[-3000:])


def _feed(lines: list[dict[str, Any]], count: int) -> None:
    """Upload a file of answers nobody has seen, as the page does."""
    from django.utils import timezone

    from webapp.intake.services import start_import
    from webapp.records.models import Project

    with tempfile.TemporaryFile() as stream:
        for number in range(count):
            line = dict(lines[number % len(lines)])
            stream.write(json.dumps({**line, "answer": f"{line['answer']} [{number}]"}).encode() + b"\n")
        stream.seek(0)
        project = Project.objects.get(slug="load")
        start_import(project=project, chunks=[stream.read()], filename="feed.jsonl", format="jsonl", now=timezone.now())


def _crowd(port: int, seconds: float, think: float) -> list[Seen]:
    seen = [Seen() for _ in range(REVIEWERS)]
    cookies = [_session(f"reviewer{n:02}") for n in range(REVIEWERS)]
    until = time.monotonic() + seconds
    threads = [
        threading.Thread(target=_reviewer, args=(port, cookies[n], until, think, n, seen[n])) for n in range(REVIEWERS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen


def _session(name: str) -> str:
    """A log-in without the half second that hashing fifty passwords each takes."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from webapp.accounts.models import User

    user = User.objects.get(username=name)
    store = SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(user.pk), "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def _reviewer(port: int, session: str, until: float, think: float, number: int, seen: Seen) -> None:
    draw = random.Random(number)
    browser = _Browser(port, session)
    time.sleep(draw.random() * think)  # people do not all arrive at once
    item = None
    while time.monotonic() < until:
        try:
            if item is None:
                status, item, _ = browser.post("/queues/1/next/", {})
                if status != 200 or item is None:
                    seen.errors[f"next {status}"] += 1
                    time.sleep(1)
                    continue
            time.sleep(draw.expovariate(1 / think) if think else 0)
            kind = draw.choice(["keep", "reject", "accept_healed"])
            begun = time.perf_counter()
            key = uuid.uuid4().hex
            status, following, _ = browser.post(f"/items/{item}/decide/", {"kind": kind, "request_key": key})
            seen.seconds.append(time.perf_counter() - begun)
            if status == 200:
                seen.decided.append(item)
                item = following
            else:
                seen.errors[f"decide {status}"] += 1
                item = None
        except OSError as error:
            seen.errors[type(error).__name__] += 1
            item = None


class _Browser:
    """One connection with its cookies."""

    def __init__(self, port: int, session: str) -> None:
        self.port = port
        self.token = "a" * 32  # CSRF: cookie and header carry the same
        self.headers = {
            "Cookie": f"proofmark_session={session}; proofmark_csrf={self.token}", "X-CSRFToken": self.token,
            "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded",
        }  # fmt: skip
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def post(self, path: str, data: dict[str, str]) -> tuple[int, str | None, bytes]:
        """Status, the item shown afterwards, and the page. A connection that was closed meanwhile is opened again."""
        try:
            self.connection.request("POST", path, urlencode(data), self.headers)
            response = self.connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self.connection.close()
            self.connection.request("POST", path, urlencode(data), self.headers)
            response = self.connection.getresponse()
        body = response.read()
        shown = ITEM.match(response.headers.get("HX-Push-Url", ""))
        return response.status, shown.group(1) if shown else None, body


def _wait_until_read(count: int, seconds: float = 900) -> None:
    """Let the workers finish, so that what is unread afterwards is lost and not late."""
    from webapp.intake.models import ImportBatch
    from webapp.records.models import Answer

    until = time.monotonic() + seconds
    while time.monotonic() < until:
        unread = Answer.objects.filter(state__in=["received", "proofreading"]).exists()
        if not unread and ImportBatch.objects.filter(state="done").count() == 1:
            return
        time.sleep(1)


def _figures(seen: list[Seen], seconds: float) -> dict[str, Any]:
    times = sorted(second for one in seen for second in one.seconds)
    decisions = sum(len(one.decided) for one in seen)
    return {
        "decisions": decisions,
        "per_second": decisions / seconds,
        "p50_ms": 1000 * times[len(times) // 2],
        "p95_ms": 1000 * times[int(0.95 * len(times))],
        "errors": sum(sum(one.errors.values()) for one in seen),
    }


def _ledger(seen: list[Seen], before: int) -> dict[str, int]:
    """What was confirmed against what stands in the tables and in the event log."""
    from django.db.models import Count

    from webapp.records.models import Answer
    from webapp.review.models import Decision, Event

    confirmed = [item for one in seen for item in one.decided]
    events = Event.objects.filter(id__gt=before, kind="answer.decided")
    logged = Counter(data["item"] for data in events.values_list("data", flat=True))
    standing = Decision.objects.filter(undone_at=None, item__in=set(confirmed)).order_by().values("item")
    held_twice = standing.annotate(n=Count("pk")).filter(n__gt=1).count()
    twice = sum(n > 1 for n in logged.values()) + sum(n > 1 for n in Counter(confirmed).values())
    read = Event.objects.filter(id__gt=before, kind="answer.proofread").values_list("object_id", flat=True)
    return {
        "double": held_twice + twice,
        "lost": len(set(confirmed) - set(logged)) + len(set(confirmed)) - standing.distinct().count(),
        "proofread": len(read),
        "proofread_twice": len(read) - len(set(read)),
        "unread": Answer.objects.exclude(state__in=["proofread", "decided"]).count(),
    }
