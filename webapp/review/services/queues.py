"""What leads do with queues: make and change them, pause them, and write their guidelines."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, F, Q

from proofing.errors import BadInput
from webapp.accounts.models import Membership, User
from webapp.records.models import Answer, Project
from webapp.review.models import Decision, Event, GuidelineVersion, Item, Queue
from webapp.review.services.queueing import place_in_order

FILTERS = ("task", "model", "locale")
CHANGEABLE = ("name", "order", "lease", "slots", "blind", "audit_share", "filters")
#: Rows renewed in one transaction, so that reviewers get between them.
CHUNK = 500


class NameTaken(BadInput):
    """The project has a queue of this name."""


@transaction.atomic
def create_queue(
    *, project: Project, name: str, actor: User | None, now: datetime, reviewers: Collection[User] = (), **fields: Any
) -> Queue:
    """A queue with what the project gives to new ones, and `fields` in its place.

    Raises:
        NameTaken: there is a queue of this name.
        BadInput: a field that queues do not have, or somebody who does not review in the project.
    """
    _check(fields)
    usual = {"slots": project.slots, "audit_share": project.audit_share, "blind": project.blind}
    try:
        with transaction.atomic():
            queue = Queue.objects.create(project=project, name=name, **{**usual, **fields})
    except IntegrityError:
        raise NameTaken(f"there is a queue {name!r} already") from None
    _assign(queue, reviewers)
    Event.record("queue.created", queue, project=project, actor=actor, at=now, name=name)
    return queue


@transaction.atomic
def change_queue(
    *, queue: Queue, actor: User, now: datetime, reviewers: Collection[User] | None = None, **fields: Any
) -> set[str]:
    """Change a queue; returns the names of the fields that really changed.

    A new order moves what waits, in the background. Fewer slots let answers that have enough decisions by now count
    as decided; more slots are asked of answers that are not decided yet.

    Raises:
        NameTaken, BadInput: as `create_queue`.
    """
    _check(fields)
    held = Queue.objects.select_for_update().get(pk=queue.pk)
    changed = {name: value for name, value in fields.items() if getattr(held, name) != value}
    said = {name: [_json(getattr(held, name)), _json(value)] for name, value in changed.items()}
    for name, value in changed.items():
        setattr(held, name, value)
        setattr(queue, name, value)
    try:
        with transaction.atomic():
            held.save()
    except IntegrityError:
        raise NameTaken(f"there is a queue {held.name!r} already") from None
    if reviewers is not None and set(held.reviewers.all()) != set(reviewers):
        _assign(held, reviewers)
        said["reviewers"] = [None, sorted(user.pk for user in reviewers)]
    if said:
        Event.record("queue.changed", held, project=held.project_id, actor=actor, at=now, changed=said)
    if "slots" in changed:
        settle_decided(queue=held)
    if "order" in changed:
        from webapp.intake.outbox import enqueue_reorder

        enqueue_reorder(held.pk)
    return set(said)


def _check(fields: dict[str, Any]) -> None:
    unknown = sorted(set(fields) - set(CHANGEABLE))
    if unknown:
        raise BadInput(f"unknown field {unknown[0]!r}: use {', '.join(CHANGEABLE)}")
    if set(fields.get("filters") or {}) - set(FILTERS):
        raise BadInput(f"filters: use {', '.join(FILTERS)}")


def _assign(queue: Queue, reviewers: Collection[User]) -> None:
    from webapp.accounts.access import PEOPLE

    members = Membership.objects.filter(project=queue.project_id, role__in=PEOPLE, user__in=reviewers)
    if members.count() != len(set(reviewers)):
        raise BadInput("only people who review in the project can be assigned")
    queue.reviewers.set(reviewers)


def _json(value: Any) -> Any:
    return value.total_seconds() if isinstance(value, timedelta) else value


@transaction.atomic
def pause_queue(*, queue: Queue, paused: bool, actor: User, now: datetime) -> bool:
    """Stop or go on dealing answers out; who holds one may finish it. False when it was so before."""
    moved = Queue.objects.filter(pk=queue.pk, paused_at__isnull=paused).update(paused_at=now if paused else None)
    if moved:
        kind = "queue.paused" if paused else "queue.resumed"
        Event.record(kind, queue, project=queue.project_id, actor=actor, at=now)
    return bool(moved)


@transaction.atomic
def set_guidelines(*, queue: Queue, text: str, version: int, actor: User, now: datetime) -> GuidelineVersion | None:
    """Give a queue a new wording of its guidelines; None when the text is what it was.

    Args:
        version: the one the writer began from.

    Raises:
        StaleGuidelines: somebody wrote another one meanwhile.
    """
    held = Queue.objects.select_for_update().get(pk=queue.pk)
    if held.guidelines == text:
        return None
    if held.guideline_version != version:
        raise StaleGuidelines(f"version {held.guideline_version} was written meanwhile")
    if not held.guideline_versions.exists():  # what stood there before versions were kept
        GuidelineVersion.objects.create(queue=held, version=held.guideline_version, text=held.guidelines, at=now)
    held.guidelines, held.guideline_version = text, held.guideline_version + 1
    held.save(update_fields=["guidelines", "guideline_version"])
    row = GuidelineVersion.objects.create(queue=held, version=held.guideline_version, text=text, author=actor, at=now)
    Event.record("queue.guidelines", held, project=held.project_id, actor=actor, at=now, version=row.version)
    queue.guidelines, queue.guideline_version = held.guidelines, held.guideline_version
    return row


class StaleGuidelines(BadInput):
    """The guidelines were changed by somebody else since they were opened."""


def settle_decided(*, queue: Queue) -> int:
    """Let waiting answers that have as many decisions as their queue asks for count as decided; how many there were."""
    standing = Q(decisions__undone_at__isnull=True) & ~Q(decisions__kind__in=[Decision.Kind.SKIP, Decision.Kind.FLAG])
    enough = (
        Item.objects.filter(queue=queue, state=Item.State.WAITING)
        .annotate(said=Count("decisions", filter=standing))
        .filter(said__gte=queue.slots)
    )
    rows = list(enough.values_list("pk", "answer"))
    moved = Item.objects.filter(pk__in=[pk for pk, _ in rows], state=Item.State.WAITING)
    count = moved.update(state=Item.State.DECIDED, version=F("version") + 1)
    Answer.objects.filter(pk__in=[answer for _, answer in rows]).update(state=Answer.State.DECIDED)
    return count


def reorder_queue(*, queue_id: int | str) -> int:
    """Give everything that waits in a queue its place in the order it has now; how many rows moved.

    Twice does no harm, and a row that changes meanwhile keeps what it got.
    """
    queue = Queue.objects.filter(pk=queue_id).first()
    if queue is None:
        return 0
    waiting = Item.objects.filter(queue=queue, state=Item.State.WAITING)
    fields = ("pk", "version", "priority", "audit", "answer_id", "answer__received_at")
    found = ("inspection__unsupported_probability", "inspection__risk", "inspection__report__engine__cut")
    rows = waiting.order_by("pk").values_list(*fields, *found).iterator(chunk_size=CHUNK)
    count = 0
    # The rows are read before the first is written: SQLite keeps no cursor open over a write.
    remaining = iter(list(rows))
    while chunk := list(islice(remaining, CHUNK)):
        with transaction.atomic():
            for pk, version, priority, audit, answer_id, received_at, probability, risk, cut in chunk:
                wanted = place_in_order(
                    queue, answer_id=answer_id, received_at=received_at, probability=probability, risk=risk, cut=cut,
                    audit=audit,
                )  # fmt: skip
                if wanted != priority:
                    count += waiting.filter(pk=pk, version=version).update(priority=wanted)
    return count
