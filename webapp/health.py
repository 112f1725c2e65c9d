"""What operators watch: is the process alive, is the site ready, how much is waiting."""

from __future__ import annotations

import hmac
import logging

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from webapp import workers
from webapp.celery import Queues, app
from webapp.workers import workers_alive

logger = logging.getLogger(__name__)

#: States of answers that somebody waits for or has to look at: few, and found by an index of their own.
UNFINISHED = ("received", "proofreading", "failed")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while this process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when database (migrated), broker and at least one worker are there; else 503 with what is missing."""
    parts = {"database": _database(), "broker": _broker(), "worker": "missing"}
    if parts["broker"] == "ok" and workers_alive() > 0:
        parts["worker"] = "ok"
    ready = all(state == "ok" for state in parts.values())
    return JsonResponse({"ready": ready, **parts}, status=200 if ready else 503)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Counts in the text format of Prometheus. Closed to other machines unless a token is set and sent."""
    if not _may_read_metrics(request):
        return HttpResponse(status=403)
    lines = [line for name, label, counts in _gauges() for line in _gauge_lines(name, label, counts)] + _worker_lines()
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_read_metrics(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        wanted = f"Bearer {settings.METRICS_TOKEN}"
        return hmac.compare_digest(request.headers.get("Authorization", "").encode(), wanted.encode())
    return request.META.get("REMOTE_ADDR") in {"127.0.0.1", "::1"} and "X-Forwarded-For" not in request.headers


def _database() -> str:
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Exception:
        logger.warning("the database cannot be reached", exc_info=True)
        return "unreachable"
    return "not migrated" if pending else "ok"


def _broker() -> str:
    try:
        with app.connection_for_read() as broker:
            broker.channel().client.ping()
    except Exception:
        logger.warning("the broker cannot be reached", exc_info=True)
        return "unreachable"
    return "ok"


def queue_lengths() -> dict[str, int]:
    """How many messages wait in each queue; empty when the broker cannot be reached."""
    try:
        with app.connection_for_read() as broker:
            return {queue: int(broker.channel().client.llen(queue)) for queue in Queues.ALL}
    except Exception:
        return {}


def _gauges() -> list[tuple[str, str, dict[str, float]]]:
    """What is counted: each costs the same at a million answers as at ten thousand (`records.tallies`, indexes)."""
    from webapp.intake.models import ImportBatch
    from webapp.records import tallies
    from webapp.records.models import Answer
    from webapp.review.models import Item

    unfinished = Answer.objects.filter(state__in=UNFINISHED).order_by()
    answers: dict[str, float] = dict.fromkeys(UNFINISHED, 0.0) | dict(
        unfinished.values_list("state").annotate(Count("pk"))
    )
    oldest = Answer.objects.filter(state=Answer.State.RECEIVED).aggregate(at=Min("received_at"))["at"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0.0
    imports = ImportBatch.objects.order_by().values_list("state").annotate(Count("pk"))
    return [
        ("proofmark_answers", "state", answers),
        ("proofmark_answers_read", "risk", tallies.totals_of_all("risk")),
        ("proofmark_oldest_answer_seconds", "", {"": max(0.0, age)}),
        ("proofmark_items", "state", dict.fromkeys(Item.State.values, 0) | tallies.totals_of_all("item")),
        ("proofmark_decisions", "kind", tallies.totals_of_all("decision")),
        ("proofmark_imports", "state", dict(imports)),
        ("proofmark_queue_length", "queue", dict(queue_lengths())),
    ]


def _gauge_lines(name: str, label: str, counts: dict[str, float]) -> list[str]:
    def place(key: str) -> str:
        return f'{{{label}="{key}"}}' if label else ""

    return [f"# TYPE {name} gauge", *(f"{name}{place(key)} {value:g}" for key, value in sorted(counts.items()))]


def _worker_lines() -> list[str]:
    """What tasks took and how they ended, as counters, and the memory of each worker."""
    counters, there = workers.task_counters(), workers.workers()
    return [
        "# TYPE proofmark_tasks_total counter",
        *(
            f'proofmark_tasks_total{{task="{t}",ended="{e}"}} {n:g}'
            for (t, e), n in sorted(counters.items())
            if e != "seconds"
        ),
        "# TYPE proofmark_task_seconds_total counter",
        *(
            f'proofmark_task_seconds_total{{task="{t}"}} {n:g}'
            for (t, e), n in sorted(counters.items())
            if e == "seconds"
        ),
        *_gauge_lines("proofmark_workers", "", {"": len(there)}),
        *_gauge_lines("proofmark_worker_memory_bytes", "worker", {worker.name: worker.memory for worker in there}),
    ]
