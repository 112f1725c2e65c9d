"""Into the queue: what waits, and in which order."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db.models import F

from webapp.records.models import Answer, Inspection
from webapp.review.models import Event, Item, Queue

DEFAULT_QUEUE = "Reviews"


def put_in_queue(*, answer: Answer, inspection: Inspection, now: datetime, queue: Queue | None = None) -> Item:
    """Let `answer` wait for a reviewer, or renew what waits there. Sent twice, it waits once.

    An item that somebody holds, has flagged or has decided keeps the inspection it was shown with.
    """
    if queue is None:
        queue = answer.project.queues.order_by("pk").first()
    if queue is None:
        queue, _ = Queue.objects.get_or_create(project=answer.project, name=DEFAULT_QUEUE)
    audit = _share_of(queue.pk, "audit", answer.pk) < queue.audit_share
    priority = priority_of(queue=queue, answer=answer, inspection=inspection, audit=audit)
    item, fresh = Item.objects.get_or_create(
        queue=queue,
        answer=answer,
        defaults={
            "inspection": inspection,
            "priority": priority,
            "audit": audit,
            "inclusion_probability": queue.audit_share if audit else 1.0,
            "created_at": now,
        },
    )
    if fresh:
        Event.record("item.queued", item, project=queue.project_id, at=now, answer=str(answer.pk))
    else:
        renewed = Item.objects.filter(pk=item.pk, state=Item.State.WAITING).exclude(inspection=inspection)
        renewed.update(inspection=inspection, priority=priority, version=F("version") + 1)
        item.refresh_from_db()
    return item


def priority_of(*, queue: Queue, answer: Answer, inspection: Inspection, audit: bool = False) -> float:
    """How early an item is shown; higher comes first.

    ``weakest``: the probability that something is unsupported. ``uncertain``: nearness to the model's cut, where a
    label teaches most. ``newest``: when the answer came. ``random``: a fixed place by hash. Audit items take a random
    place in the first two orders, so that they are met all along the way and not only at its end.
    """
    if queue.order == Queue.Order.NEWEST:
        return answer.received_at.timestamp()
    if queue.order == Queue.Order.RANDOM or audit:
        return _share_of(queue.pk, "place", answer.pk)
    if queue.order == Queue.Order.UNCERTAIN:
        cut = float((inspection.report.get("engine") or {}).get("cut") or 0.5)
        return 1.0 - abs(inspection.unsupported_probability - cut)
    return inspection.unsupported_probability


def _share_of(*parts: object) -> float:
    """A number in [0, 1) that looks random and is the same on every machine."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56
