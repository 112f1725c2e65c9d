"""What the desk costs with many answers in the database: the item page, a decision with the next item, the list.

    python bench/desk.py                                   # 100,000 answers in an SQLite file of its own
    python bench/desk.py --database postgres://user@host/name     # a new database beside the named one, dropped again
    python bench/desk.py --answers 2000 --rounds 20 --json

One in fifty answers is long (about 200 words with five sources, proofread by the fast tier); the long ones stand first
in the queue and are the ones measured. Requests go through Django's test client, so the figures hold everything the
server does for a request but the socket: middleware, session, queries, templates. CPU is that of this process (the
database server's own is not in it), wall is everything; medians of `--rounds` requests.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SIZE = 100_000
LONG_EVERY = 50
#: So many are made one by one, the others are copies of them.
BASE = 2000
BATCH = 500


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="postgres://…; left out: SQLite")
    parser.add_argument("--answers", type=int, default=SIZE)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--profile", metavar="FILE", help="write cProfile figures of the measured requests there")
    arguments = parser.parse_args()
    with site(arguments.database):
        fill(arguments.answers)
        settle()
        figures = measure(arguments.rounds, arguments.profile)
    if arguments.json:
        print(json.dumps(figures, indent=2))
    else:
        print(f"{arguments.answers} answers, {figures.pop('database')}; medians of {arguments.rounds} requests")
        for name, row in figures.items():
            print(f"{name:34} {row['cpu_ms']:7.1f} ms CPU {row['wall_ms']:7.1f} ms wall {row['queries']:>8} queries "
                  f"{row['bytes']:>8} bytes")  # fmt: skip
    return 0


def settle() -> None:
    """What a running site does by itself: the reaper folds counts, the database looks at its tables."""
    from django.db import connection

    from webapp.records import tallies

    tallies.settle()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@contextmanager
def site(address: str) -> Iterator[None]:
    """Django set up on an empty database of its own, which is gone afterwards."""
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory(prefix="proofmark-bench-") as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "webapp.settings", "PROOFMARK_LOG_LEVEL": "ERROR"}
        os.environ["DATABASE_URL"] = ""
        with _own_database(address):
            import django
            from django.conf import settings
            from django.core.management import call_command

            django.setup()
            settings.ALLOWED_HOSTS.append("testserver")
            settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
            call_command("migrate", verbosity=0)
            yield
            from django.db import connections

            connections.close_all()


@contextmanager
def _own_database(address: str) -> Iterator[None]:
    if not address:
        yield
        return
    import psycopg

    name = f"bench_desk_{uuid.uuid4().hex[:8]}"
    base, _, _ = address.rpartition("/")
    with psycopg.connect(address, autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')
    os.environ["DATABASE_URL"] = f"{base}/{name}"
    try:
        yield
    finally:
        with psycopg.connect(address, autocommit=True) as admin:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


# Filling --------------------------------------------------------------------------------------------------------------

TOPICS = "return|refund|delivery|warranty|exchange|invoice|storage|renewal|upgrade|cancellation".split("|")


def prose(words: int, draw: random.Random, days: int) -> str:
    """Made-up sentences about terms and periods."""
    sentences: list[str] = []
    while sum(len(sentence.split()) for sentence in sentences) < words:
        topic = draw.choice(TOPICS)
        sentences.append(
            draw.choice(
                [
                    f"The {topic} is settled within {days + draw.randrange(4)} days of the request.",
                    f"For every {topic} the office in Elm Street charges {draw.randrange(10, 90)} euros.",
                    f"A {topic} may be asked for by letter, and the answer comes in {days} days.",
                    f"Nobody has to give a reason for a {topic} before the end of the month.",
                ]
            )
        )
    return " ".join(sentences)


def samples() -> tuple[list[Any], list[Any]]:
    """Reports on some long and some short answers, as (question, sources, report)."""
    import proofing
    from proofing.pipeline import proofread_whole

    draw = random.Random(7)
    settings = proofing.Settings.for_profile("general", tier="fast")

    def sample(words: int, sources: int, size: int) -> Any:
        texts = [(f"terms.pdf#p{n}", prose(size, draw, 14)) for n in range(1, sources + 1)]
        question = f"What are the terms of a {draw.choice(TOPICS)}?"
        return question, texts, proofread_whole(question, texts, prose(words, draw, 30), settings=settings)

    return [sample(200, 5, 120) for _ in range(6)], [sample(35, 1, 120) for _ in range(6)]


def fill(size: int) -> None:
    """One project with `size` answers, each proofread and waiting in one queue, and a reviewer with a lead."""
    from webapp.accounts.models import Membership, User
    from webapp.records.models import Project
    from webapp.review.models import Queue

    project = Project.objects.create(name="Bench", slug="bench")
    Queue.objects.create(project=project, name="Support", audit_share=0.0)
    for name, role in (("reviewer", "reviewer"), ("lead", "lead")):
        user = User.objects.create_user(name, password="a-long-pass-phrase")
        Membership.objects.create(project=project, user=user, role=role)
    long, short = samples()
    for start in range(0, min(size, BASE), BATCH):
        _fill_some(project, range(start, min(size, BASE, start + BATCH)), long, short)
    _copy(size // BASE - 1)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _copy(times: int) -> None:
    """Copy every answer and all that hangs on it so many times, inside the database."""
    from django.db import connection
    from django.db.models import Max

    from webapp.records.models import Answer, AnswerSource, Healing, Inspection, Mark
    from webapp.review.models import Item

    if times < 1:
        return
    sqlite = connection.vendor == "sqlite"
    number = "printf('%%08x', k.n)" if sqlite else "lpad(to_hex(k.n), 8, '0')"

    def key(column: str) -> str:  # the first eight digits of a copy's key are its number
        return f"{number} || substr({column}, 9)" if sqlite else f"({number} || substr({column}::text, 9))::uuid"

    def steps(model: Any, column: str) -> str:
        return f"{column} + k.n * {model.objects.aggregate(top=Max('pk'))['top']}"

    copies: list[tuple[Any, dict[str, str]]] = [
        (Answer, {"id": key("id"), "content_hash": f"substr(content_hash, 1, 50) || {number}"}),
        (AnswerSource, {"id": steps(AnswerSource, "id"), "answer_id": key("answer_id")}),
        (Inspection, {"id": steps(Inspection, "id"), "answer_id": key("answer_id")}),
        (Mark, {"id": steps(Mark, "id"), "inspection_id": steps(Inspection, "inspection_id")}),
        (Healing, {"id": steps(Healing, "id"), "inspection_id": steps(Inspection, "inspection_id")}),
        (Item, {"id": key("id"), "answer_id": key("answer_id"), "inspection_id": steps(Inspection, "inspection_id")}),
    ]
    with connection.cursor() as cursor:
        for model, changed in copies:
            columns = [field.column for field in model._meta.concrete_fields]
            picked = ", ".join(changed.get(column, f'"{column}"') for column in columns)
            names = ", ".join(f'"{column}"' for column in columns)
            table = model._meta.db_table
            cursor.execute(
                f'INSERT INTO "{table}" ({names}) WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k '
                f'WHERE n < %s) SELECT {picked} FROM k, "{table}"',
                [times],
            )


def _fill_some(project: Any, numbers: range, long: list[Any], short: list[Any]) -> None:
    from django.utils import timezone

    from webapp.records import rendering
    from webapp.records.models import Answer, AnswerSource, Healing, Inspection, Mark, Question, Source
    from webapp.review.models import Item

    now, queue = timezone.now(), project.queues.get()
    answers, links, inspections, marks, healings, items = [], [], [], [], [], []
    for number in numbers:
        question, texts, report = (long if number % LONG_EVERY == 0 else short)[number % 6]
        asked, _ = _cached(Question, project=project, text_hash=_hash(question), defaults={"text": question})
        text = f"{report.answer} This is copy number {number}."
        data = report.to_dict()
        answer = Answer(
            project=project, question=asked, text=text, content_hash=_hash(text), state="proofread", received_at=now
        )
        for position, (key, words) in enumerate(texts):
            source, _ = _cached(
                Source, project=project, source_key=key, text_hash=_hash(words), defaults={"text": words}
            )
            links.append(AnswerSource(answer=answer, source=source, position=position))
        inspection = Inspection(
            answer=answer, engine_version="bench", sha256=report.sha256, report=data, above_cut=report.above_cut,
            unsupported_probability=report.unsupported_probability, floor=report.finding.floor, risk=report.risk,
            route=data["quality"]["route"], final_score=data["quality"]["final_score"],
            tokens=rendering.stream_of(text, data), render_version=rendering.RENDER_VERSION, created_at=now,
        )  # fmt: skip
        answers.append(answer)
        inspections.append(inspection)
        healing = data["healing"]
        names = ("strategy", "applied", "text", "proposal", "edits", "alternatives", "initial_risk", "final_risk")
        healings.append(Healing(inspection=inspection, **{name: healing[name] for name in names}))
        marks += [
            Mark(
                inspection=inspection, index=index, start=mark.start, end=mark.end, text=mark.text, kind=mark.kind,
                support=mark.support, probability=mark.probability, reason=mark.reason, receipt=mark.receipt.to_dict(),
            )
            for index, mark in enumerate(report.marks)
        ]  # fmt: skip
        urgent = number % LONG_EVERY == 0
        items.append(
            Item(queue=queue, answer=answer, inspection=inspection, priority=0.9 if urgent else number % 89 / 100)
        )
    for model, rows in ((Answer, answers), (AnswerSource, links), (Inspection, inspections), (Mark, marks),
                        (Healing, healings), (Item, items)):  # fmt: skip
        model.objects.bulk_create(rows, batch_size=500)


_KNOWN: dict[Any, Any] = {}


def _cached(model: Any, **key: Any) -> Any:
    place = (model, key["text_hash"], key.get("source_key"))
    if place not in _KNOWN:
        _KNOWN[place] = model.objects.get_or_create(**key)
    return _KNOWN[place]


def _hash(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()


# Measuring ------------------------------------------------------------------------------------------------------------


def measure(rounds: int, profile: str | None) -> dict[str, Any]:
    """Medians per kind of request."""
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from webapp.accounts.models import User
    from webapp.review.models import Queue

    client = Client()
    client.force_login(User.objects.get(username="reviewer"))
    url = client.post(reverse("review:next", args=[Queue.objects.get().pk]))["Location"]
    shown = ""

    def decide(**more: str) -> Any:
        nonlocal url
        sent = {"kind": "accept_healed", "request_key": uuid.uuid4().hex, **more}
        answer = client.post(f"{url}decide/", sent, headers={"HX-Request": "true"})
        url = answer["HX-Push-Url"]
        return answer

    def look_ahead() -> Any:
        nonlocal shown
        answer = client.get(f"{url}ahead/")
        shown = answer["X-Shown"]
        return answer

    figures: dict[str, Any] = {"database": connection.vendor}
    profiler = _profiler(profile)
    for name, request, before in (
        ("item page", lambda: client.get(url), None),
        ("next item, rendered ahead", look_ahead, None),
        ("decide, next one shown already", lambda: decide(shown=shown), look_ahead),
        ("decide and show the next", decide, None),
        ("list of queues", lambda: client.get(reverse("review:queues")), None),
        ("list of answers", lambda: client.get(reverse("records:answers")), None),
    ):
        figures[name] = _median(request, rounds, before, profiler)
    if profile:
        profiler.dump_stats(profile)
    return figures


def _profiler(profile: str | None) -> Any:
    import cProfile

    return cProfile.Profile() if profile else None


def _median(request: Callable[[], Any], rounds: int, before: Callable[[], Any] | None, profiler: Any) -> dict[str, Any]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    cpu, wall, queries, answer = [], [], set(), None
    for number in range(rounds + 3):
        if before:
            before()
        started = time.process_time(), time.perf_counter()
        if number >= 3 and profiler:
            profiler.enable()
        answer = request()
        if profiler:
            profiler.disable()
        if answer.status_code not in (200, 302):
            raise SystemExit(f"answered {answer.status_code}")
        if number >= 3:  # the first ones compile templates and fill caches
            cpu.append((time.process_time() - started[0]) * 1000)
            wall.append((time.perf_counter() - started[1]) * 1000)
    for _ in range(3):
        if before:
            before()
        with CaptureQueriesContext(connection) as counted:
            request()
        queries.add(len(counted))
    return {
        "cpu_ms": round(statistics.median(cpu), 1),
        "wall_ms": round(statistics.median(wall), 1),
        "queries": "/".join(map(str, sorted(queries))),
        "bytes": len(answer.content) if answer is not None else 0,
    }


if __name__ == "__main__":
    sys.exit(main())
