"""Into the queue: what waits, and in which order."""

from __future__ import annotations

import hashlib
import math
from datetime import datetime

from django.db.models import F

from webapp.records.models import Answer, Inspection
from webapp.review.models import Event, Item, Queue

DEFAULT_QUEUE = "Reviews"
#: A reviewer's first so many answers of a queue are never audits.
AUDITS_AFTER = 5
#: How far a risk lifts an item towards the front: the share of the way from its probability to 1. The support model
#: weighs a whole answer and may think little of one wrong figure that a rule is sure of (docs/decisions/0009).
LIFT = {"critical": 0.5, "high": 0.25, "medium": 0.1}


def put_in_queue(*, answer: Answer, inspection: Inspection, now: datetime, queue: Queue | None = None) -> Item:
    """Let `answer` wait for a reviewer, or renew what waits there. Sent twice, it waits once.

    An item that somebody holds, has flagged or has decided keeps the inspection it was shown with.
    """
    if queue is None:
        queue = answer.project.queues.order_by("pk").first()
    if queue is None:
        queue, _ = Queue.objects.get_or_create(project=answer.project, name=DEFAULT_QUEUE)
    audit = is_audit_place(queue=queue, place=queue.items.count())
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

    ``weakest``: the probability that something is unsupported, lifted by the risk that the checks found.
    ``uncertain``: nearness to the model's cut, where a label teaches most. ``newest``: when the answer came.
    ``random``: a fixed place by hash. Audit items stand in random order among themselves, and `claim_next_item` deals
    them out; what the machine thinks of them does not count.
    """
    if queue.order == Queue.Order.NEWEST:
        return answer.received_at.timestamp()
    if queue.order == Queue.Order.RANDOM or audit:
        return _share_of(queue.pk, "place", answer.pk)
    if queue.order == Queue.Order.UNCERTAIN:
        cut = float((inspection.report.get("engine") or {}).get("cut") or 0.5)
        return 1.0 - abs(inspection.unsupported_probability - cut)
    probability = inspection.unsupported_probability
    return probability + (1.0 - probability) * LIFT.get(inspection.risk, 0.0)


def is_audit_place(*, queue: Queue, place: int) -> bool:
    """Whether the answer that comes into a queue as number `place` (from 0) is one to audit.

    Of every ``1 / audit_share`` answers in a row one is drawn, by hash: each has the same chance, a queue never holds
    more than its share, and no rhythm in the answers (six models asked in turn) can meet one in the draws.
    """
    share = queue.audit_share
    blocks = {math.floor(place * share), math.floor((place + 1) * share)}
    return share > 0 and any(_drawn(share, block, queue.pk, "audit") == place for block in sorted(blocks))


def audits_due(*, queue: Queue, seen: int, reviewer: int) -> int:
    """How many audit items a reviewer should have met among the first `seen` of a queue, and the one that comes next.

    The first `AUDITS_AFTER` are never audits: who is new sees how marks work before being asked to do without.
    """
    blocks = range(math.ceil((seen + 1) * queue.audit_share))
    drawn = {_drawn(queue.audit_share, block, queue.pk, "turn", reviewer) for block in blocks}
    return sum(AUDITS_AFTER <= place <= seen for place in drawn)


def _drawn(share: float, block: int, *key: object) -> int:
    """The place drawn from a block of ``1 / share`` places."""
    return math.floor((block + _share_of(*key, block)) / share)


def _share_of(*parts: object) -> float:
    """A number in [0, 1) that looks random and is the same on every machine."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56
