"""Finds work that was begun and never finished, or never reached a worker, and queues it again.

The rows are the truth: a message may be lost with a broker, a worker may be killed; a row that is not done says so.
"""

from __future__ import annotations

import logging
import threading

from django.db import close_old_connections
from django.utils import timezone

logger = logging.getLogger(__name__)


def reap() -> int:
    """Queue abandoned work again; the number of tasks queued. Trouble is logged, never raised: there is a next time."""
    from webapp.corpus import building, uploads
    from webapp.intake import services
    from webapp.judges import services as judges
    from webapp.records import tallies
    from webapp.records.projects import delete_past_retention
    from webapp.webhooks import services as webhooks

    close_old_connections()
    try:
        count = services.requeue_stale(now=timezone.now())
        services.forget_old_requests(now=timezone.now())
        delete_past_retention(now=timezone.now())
        tallies.settle()
        count += judges.sweep(now=timezone.now())
        count += building.sweep(now=timezone.now()) + uploads.sweep(now=timezone.now())
        count += webhooks.send_due(now=timezone.now())
    except Exception:
        logger.exception("could not look for unfinished work")
        return 0
    if count:
        logger.info("queued %d pieces of unfinished work again", count)
    return count


def reap_until(stopped: threading.Event, *, seconds: float) -> None:
    """Reap now and every ``seconds`` until ``stopped`` is set."""
    while True:
        reap()
        if stopped.wait(seconds):
            return
