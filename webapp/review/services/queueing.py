"""Into the queue: what waits, and in which order."""

from __future__ import annotations

import hashlib
import math
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F

from webapp.records import tallies
from webapp.records.models import Answer, Inspection
from webapp.review.models import Event, Item, Queue

DEFAULT_QUEUE = "Reviews"
#: A reviewer's first so many answers of a queue are never audits.
AUDITS_AFTER = 5
#: How far a risk lifts an item towards the front: the share of the way from its probability to 1. The support model
#: weighs a whole answer and may think little of one wrong figure that a rule is sure of (docs/decisions/0009).
LIFT = {"critical": 0.5, "high": 0.25, "medium": 0.1}


def put_in_queue(*, answer: Answer, inspection: Inspection, now: datetime, queue: Queue | None = None) -> Item:
    """Let `answer` wait for a reviewer, or renew what waits of it, in whichever queue. Sent twice, it waits once.

    An item that somebody holds, has flagged or has decided keeps the inspection it was shown with.
    """
    items = list(answer.items.select_related("queue").order_by("created_at", "pk"))
    known = [item for item in items if queue is None or item.queue_id == queue.pk]
    for item in items:
        _renew(item, answer, inspection)
    if known:
        return known[0]
    queue = queue or queue_for(answer)
    if queue is None:
        queue, _ = Queue.objects.get_or_create(project=answer.project, name=DEFAULT_QUEUE)
    audit = is_audit_place(queue=queue, place=tallies.items_in(queue))
    item, fresh = Item.objects.get_or_create(
        queue=queue,
        answer=answer,
        defaults={
            "inspection": inspection,
            "priority": priority_of(queue=queue, answer=answer, inspection=inspection, audit=audit),
            "audit": audit,
            "inclusion_probability": queue.audit_share if audit else 1.0,
            "created_at": now,
        },
    )
    if fresh:
        Event.record("item.queued", item, project=queue.project_id, at=now, answer=str(answer.pk))
    return item


def _renew(item: Item, answer: Answer, inspection: Inspection) -> None:
    priority = priority_of(queue=item.queue, answer=answer, inspection=inspection, audit=item.audit)
    priority += moved_by(item.queue, item.priority)  # what a lead put first stays first
    renewed = Item.objects.filter(pk=item.pk, state=Item.State.WAITING).exclude(inspection=inspection)
    renewed.update(inspection=inspection, priority=priority, version=F("version") + 1)
    item.refresh_from_db(fields=["inspection", "priority", "version", "state"])


def queue_for(answer: Answer) -> Queue | None:
    """The first queue that asks for such answers, else the first that asks for nothing in particular."""
    queues = list(answer.project.queues.order_by("pk"))
    wanting = [queue for queue in queues if queue.filters and takes(queue, answer)]
    return next(iter(wanting), next((queue for queue in queues if not queue.filters), None))


def takes(queue: Queue, answer: Answer) -> bool:
    """Whether the answer is what the queue's filters ask for."""
    own = {"task": answer.task, "model": answer.model_name, "locale": answer.locale}
    return all(own.get(name) == wanted for name, wanted in queue.filters.items())


def priority_of(*, queue: Queue, answer: Answer, inspection: Inspection, audit: bool = False) -> float:
    """How early an item is shown; higher comes first; see `place_in_order`."""
    uncertain = queue.order == Queue.Order.UNCERTAIN  # only then is the report read at all
    return place_in_order(
        queue,
        answer_id=answer.pk,
        received_at=answer.received_at,
        probability=inspection.unsupported_probability,
        risk=inspection.risk,
        cut=(inspection.report.get("engine") or {}).get("cut") if uncertain else None,
        audit=audit,
    )


def place_in_order(
    queue: Queue, *, answer_id: UUID, received_at: datetime, probability: float, risk: str, cut: Any, audit: bool
) -> float:
    """The priority that the queue's order gives to an answer.

    ``weakest``: the probability that something is unsupported, lifted by the risk that the checks found.
    ``uncertain``: nearness to the model's cut, where a label teaches most. ``newest``: when the answer came.
    ``random``: a fixed place by hash. Audit items stand in random order among themselves, and `claim_next_item` deals
    them out; what the machine thinks of them does not count.
    """
    if queue.order == Queue.Order.NEWEST:
        return received_at.timestamp()
    if queue.order == Queue.Order.RANDOM or audit:
        return _share_of(queue.pk, "place", answer_id)
    if queue.order == Queue.Order.UNCERTAIN:
        return 1.0 - abs(probability - float(cut or 0.5))
    return probability + (1.0 - probability) * LIFT.get(risk, 0.0)


#: By how much a lead's "first" and "last" move a priority: past every usual one, and back by the same step.
FAR = 2.0
FAR_IN_TIME = 1e10  # where priorities are times


def step_of(queue: Queue) -> float:
    """How far an item is moved to stand before or behind all others of its queue."""
    return FAR_IN_TIME if queue.order == Queue.Order.NEWEST else FAR


def moved_by(queue: Queue, priority: float) -> float:
    """What a lead added to this priority: 0.0, or the queue's step before or behind all others."""
    step = step_of(queue)
    usual = (0.0, FAR_IN_TIME / 2) if step == FAR_IN_TIME else (0.0, 1.0)
    return 0.0 if usual[0] <= priority <= usual[1] else (step if priority > usual[1] else -step)


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
