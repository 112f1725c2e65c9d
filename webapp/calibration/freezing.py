"""Freezing labels as a set, in the background: rows are written and counted by a worker, and then never change."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from proofing.errors import BadInput
from proofing.exchange.reviews import canonical_json
from webapp.calibration import labels
from webapp.calibration.contents import Counting
from webapp.calibration.inputs import inputs_now
from webapp.calibration.models import FittedModel, LabelledRow, LabelledSet, OperatingPoint
from webapp.intake.outbox import enqueue_freeze
from webapp.lost_work import give_again, silent_since
from webapp.records.models import Project
from webapp.review.models import Event

logger = logging.getLogger(__name__)

#: A worker that dies this often on one set is not given it again.
ATTEMPTS = 3


class NameTaken(BadInput):
    """The project has a labelled set of this name."""


class NothingChosen(BadInput):
    """The filters let no decision through."""


class _GivenAway(Exception):
    """Another worker has the set by now."""


@transaction.atomic
def request_set(
    *, project: Project, name: str, now: datetime, filters: Mapping[str, Any] | None = None, user: Any = None
) -> LabelledSet:
    """Have today's labels kept under a name, in the background: later decisions and undos do not change the set.

    Raises:
        NameTaken: there is a set of this name.
        NothingChosen: no decision that stands is chosen; an empty set is of no use to anybody.
        BadInput: an unknown filter or queue, or no name.
    """
    if not labels.decided_items(project, labels.filters_of(project, filters or {})).exists():
        raise NothingChosen("nothing is chosen by this: no decision that stands; widen the filters")
    kept = _begun(project, name, now, filters, user)
    enqueue_freeze(kept.pk)
    return kept


def freeze_set(
    *, project: Project, name: str, now: datetime, filters: Mapping[str, Any] | None = None, user: Any = None
) -> LabelledSet:
    """The same at once, for scripts.

    Raises:
        NameTaken, BadInput: as `request_set`.
        RuntimeError: it failed; the message says why.
    """
    kept = _begun(project, name, now, filters, user)
    run_freeze(set_id=kept.pk, now=now)
    kept.refresh_from_db()
    if kept.state != LabelledSet.State.FROZEN:
        raise RuntimeError(f"the set {kept.name!r} was not frozen: {kept.error}")
    return kept


def _begun(project: Project, name: str, now: datetime, filters: Mapping[str, Any] | None, user: Any) -> LabelledSet:
    chosen = labels.filters_of(project, filters or {})
    name = name.strip()
    if not name:
        raise BadInput("give the set a name")
    try:
        with transaction.atomic():
            kept = LabelledSet.objects.create(
                project=project, name=name, filters=chosen, created_by=user, heartbeat_at=now,
                state=LabelledSet.State.REQUESTED,
            )  # fmt: skip
            Event.record("set.requested", kept, project=project, actor=user, at=now)
    except IntegrityError:
        raise NameTaken(f"there is a labelled set {name!r} already; choose another name") from None
    return kept


def run_freeze(*, set_id: int | str, now: datetime | None = None) -> None:
    """Write the rows of a set and count them. Delivered twice it is done once; after a crash it starts over."""
    moved = LabelledSet.objects.filter(pk=set_id, state=LabelledSet.State.REQUESTED).update(
        state=LabelledSet.State.RUNNING, attempts=F("attempts") + 1, heartbeat_at=timezone.now()
    )
    if not moved:
        return
    kept = LabelledSet.objects.select_related("project", "created_by").get(pk=set_id)
    try:
        _freeze(kept, now)
    except _GivenAway:
        return
    except Exception as error:
        logger.exception("set %s could not be frozen", kept.pk)
        _mine(kept).update(state=LabelledSet.State.FAILED, error=f"{type(error).__name__}: {error}"[:500])


def _mine(kept: LabelledSet) -> QuerySet[LabelledSet]:
    """The row while this worker has it."""
    return LabelledSet.objects.filter(pk=kept.pk, state=LabelledSet.State.RUNNING, attempts=kept.attempts)


def _freeze(kept: LabelledSet, now: datetime | None) -> None:
    """Its hash is the SHA-256 of the file an export of it gives."""
    kept.members.all().delete()  # of a worker that died
    digest = hashlib.sha256()
    counting = Counting()
    rows = positives = explicit = 0
    batch: list[LabelledRow] = []
    for item in labels.labelled_lines(kept.project, kept.filters):
        if item.label is None and not labels.mark_scores(item.line):
            continue
        digest.update(canonical_json(item.line) + b"\n")
        rows += item.label is not None
        positives += item.label == 1
        explicit += item.label is not None and item.explicit
        counting.add(item)
        batch.append(_row(kept, item))
        if len(batch) >= labels.CHUNK:
            _write(kept, batch)
            batch = []
    _write(kept, batch)
    _mark_newest(kept)
    moment = now or timezone.now()
    with transaction.atomic():
        frozen = _mine(kept).update(
            state=LabelledSet.State.FROZEN, sha256=digest.hexdigest(), frozen_at=moment, rows=rows,
            positives=positives, explicit=explicit, contents=counting.to_dict(), inputs=inputs_now(kept.project),
            heartbeat_at=moment, error="",
        )  # fmt: skip
        if frozen:
            Event.record(
                "set.frozen", kept, project=kept.project_id, actor=kept.created_by, at=moment, rows=rows,
                sha256=digest.hexdigest(),
            )  # fmt: skip


@transaction.atomic
def _write(kept: LabelledSet, batch: list[LabelledRow]) -> None:
    """Some rows and a sign of life; nothing where another worker has the set."""
    if not _mine(kept).update(heartbeat_at=timezone.now()):
        raise _GivenAway
    LabelledRow.objects.bulk_create(batch)


def _mark_newest(kept: LabelledSet) -> None:
    """Where an answer stands in several rows (read again in between, or in two queues), the last speaks for it."""
    later = LabelledRow.objects.filter(labelled_set=kept, answer=OuterRef("answer"), pk__gt=OuterRef("pk"))
    keys = list(kept.members.filter(Exists(later)).values_list("pk", flat=True))
    for at in range(0, len(keys), labels.CHUNK):
        LabelledRow.objects.filter(pk__in=keys[at : at + labels.CHUNK]).update(newest=False)


def _row(kept: LabelledSet, item: labels.Labelled) -> LabelledRow:
    return LabelledRow(
        labelled_set=kept,
        decision=item.decision,
        answer_id=item.decision.inspection.answer_id,
        split=item.split,
        label=item.label,
        score=item.score,
        line=item.line,
    )


@transaction.atomic
def delete_set(*, labelled_set: LabelledSet, user: Any, now: datetime) -> None:
    """Forget a set that no operating point and no support model rests on.

    Raises:
        BadInput: a point or a model was fitted on it.
    """
    if OperatingPoint.objects.filter(run__labelled_set=labelled_set).exists():
        raise BadInput("an operating point was fitted on this set; it stays as its record")
    if FittedModel.objects.filter(refit__labelled_set=labelled_set).exists():
        raise BadInput("a support model was fitted on this set; it stays as its record")
    Event.record("set.deleted", labelled_set, project=labelled_set.project_id, actor=user, at=now)
    labelled_set.delete()


def requeue_stale(*, now: datetime) -> int:
    """Give sets of silent workers out again; how many."""
    return give_again(
        LabelledSet.objects.filter(state__in=LabelledSet.UNFINISHED, heartbeat_at__lt=silent_since(now)),
        state=LabelledSet.State.REQUESTED, send=enqueue_freeze, now=now, attempts=ATTEMPTS,
        given_up={"state": LabelledSet.State.FAILED, "error": f"its worker died {ATTEMPTS} times"},
    )  # fmt: skip
