"""What operators watch: is the process alive, is the site ready, how much is waiting."""

from __future__ import annotations

import hmac
import logging
import threading
from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from webapp.celery import Queues, app

logger = logging.getLogger(__name__)

#: A worker says it is there every `BEAT_SECONDS`, under a name that is forgotten after `BEAT_FORGOTTEN` seconds.
BEAT_SECONDS = 3
BEAT_FORGOTTEN = 10
BEAT_KEY = "proofmark:alive:"

_stopping = threading.Event()


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
    lines = [line for name, label, counts in _gauges() for line in _gauge_lines(name, label, counts)]
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
            broker.default_channel.client.ping()
    except Exception:
        logger.warning("the broker cannot be reached", exc_info=True)
        return "unreachable"
    return "ok"


def workers_alive() -> int:
    """How many workers said in the last seconds that they are there."""
    with app.connection_for_read() as broker:
        return sum(1 for _ in broker.default_channel.client.scan_iter(match=f"*{BEAT_KEY}*", count=1000))


def queue_lengths() -> dict[str, int]:
    """How many messages wait in each queue; empty when the broker cannot be reached."""
    try:
        with app.connection_for_read() as broker:
            return {queue: int(broker.default_channel.client.llen(queue)) for queue in Queues.ALL}
    except Exception:
        return {}


def _gauges() -> list[tuple[str, str, dict[str, int]]]:
    from django.db.models import Count

    from webapp.intake.models import ImportBatch
    from webapp.records.models import Answer
    from webapp.review.models import Item

    def by_state(model: Any) -> dict[str, int]:
        return dict(model.objects.order_by().values_list("state").annotate(Count("pk")))

    return [
        ("proofmark_answers", "state", by_state(Answer)),
        ("proofmark_items", "state", by_state(Item)),
        ("proofmark_imports", "state", by_state(ImportBatch)),
        ("proofmark_queue_length", "queue", queue_lengths()),
    ]


def _gauge_lines(name: str, label: str, counts: dict[str, int]) -> list[str]:
    return [f"# TYPE {name} gauge", *(f'{name}{{{label}="{key}"}} {value}' for key, value in sorted(counts.items()))]


@worker_ready.connect
def _start_beating(sender: Any, **_: object) -> None:
    """Say from now on that the worker is there, in a thread of its own: tasks run in other processes."""
    threading.Thread(target=_beat, args=(sender.hostname,), daemon=True, name="alive").start()


@worker_shutting_down.connect
def _stop_beating(**_: object) -> None:
    _stopping.set()


def _beat(hostname: str) -> None:
    while True:
        try:
            with app.connection_for_write() as broker:
                broker.default_channel.client.set(f"{BEAT_KEY}{hostname}", "1", ex=BEAT_FORGOTTEN)
        except Exception:
            logger.warning("the broker cannot be reached; will say again that this worker is there", exc_info=True)
        if _stopping.wait(BEAT_SECONDS):
            return
