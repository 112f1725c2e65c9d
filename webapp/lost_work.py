"""Work whose worker fell silent, or whose message a broker lost, is given out again.

The rows say so themselves: a state that is not an end, and a heartbeat (`heartbeat_at`) that has grown old. Each row
moves by compare-and-set, so several sweeps may run at once and each row is sent once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet


def silent_since(now: datetime, *, at_least: int = 0) -> datetime:
    """A heartbeat before this is that of a lost worker; `at_least` so many seconds are waited."""
    return now - timedelta(seconds=max(settings.STALE_AFTER_SECONDS, at_least))


def give_again(
    lost: QuerySet[Any],
    *,
    state: str,
    send: Callable[[Any], object],
    now: datetime,
    attempts: int = 0,
    given_up: Mapping[str, Any] | None = None,
) -> int:
    """Send rows again; how many.

    Args:
        lost: which ones, by state and heartbeat; asked anew as each one moves.
        state: the state in which they wait for a worker.
        send: puts a row's message into the outbox, by its key.
        attempts: rows that workers began so often are given up instead (0 = none is).
        given_up: columns and values of those.
    """
    if attempts:
        lost.filter(attempts__gte=attempts).update(**(given_up or {}))
        lost = lost.filter(attempts__lt=attempts)
    sent = 0
    for pk in list(lost.values_list("pk", flat=True)):
        with transaction.atomic():
            mine = lost.filter(pk=pk).update(state=state, heartbeat_at=now)
            if mine:
                send(pk)
        sent += mine
    return sent
