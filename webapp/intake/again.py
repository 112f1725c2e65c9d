"""Proofreading again: known answers read by the engine as it is now.

Nothing of the past is changed. An answer gets another inspection with the next version; decisions keep the one they
were made on; an item that still waits shows the new one. An item under claim stays as its reviewer sees it, and they
are told that there is a newer reading, which they may take (`webapp.review.services.newer`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from proofing.errors import BadInput
from proofing.report import Report
from webapp.corpus.retrieving import NotReady
from webapp.intake import engine
from webapp.intake.models import Rereading
from webapp.intake.outbox import enqueue_again
from webapp.records.models import Answer, Inspection
from webapp.review.models import Event, Item
from webapp.review.services import put_in_queue

logger = logging.getLogger(__name__)

#: How many rows one query writes.
CHUNK = 500
#: States of answers that have been read before.
KNOWN = (Answer.State.PROOFREAD, Answer.State.DECIDED, Answer.State.FAILED)


def proofread_again(*, answers: Iterable[Answer | UUID | str], actor: Any, now: datetime) -> int:
    """Have known answers read again in the background; how many. One that waits for it already is not asked twice.

    Args:
        answers: answers or their ids, such as a query of them.
    """
    keys = [answer.pk if isinstance(answer, Answer) else answer for answer in answers]
    count = 0
    with transaction.atomic():
        for at in range(0, len(keys), CHUNK):
            part = keys[at : at + CHUNK]
            held = set(Rereading.objects.filter(answer_id__in=part).values_list("answer", flat=True))
            found = Answer.objects.filter(pk__in=part, state__in=KNOWN, superseded_by__isnull=True).exclude(pk__in=held)
            rows = [Rereading(answer=answer, asked_by=actor, asked_at=now, heartbeat_at=now) for answer in found]
            Rereading.objects.bulk_create(rows, ignore_conflicts=True)
            for row in rows:
                Event.record("answer.again", row.answer, project=row.answer.project_id, actor=actor, at=now)
                enqueue_again(row.answer_id)
            count += len(rows)
    return count


def read_again(*, answer_id: UUID | str, now: datetime | None = None) -> Inspection | None:
    """Read one answer again; None when nobody asks for it (any more). Delivered twice, it adds one inspection."""
    moment = now or timezone.now()
    asked = Rereading.objects.filter(answer_id=answer_id).first()
    if asked is None:
        return None
    answer = Answer.objects.select_related("project", "question").get(pk=answer_id)
    try:
        report = engine.inspect_answer(answer)
    except NotReady:  # the first index is being made, and sends this on when it is there
        return None
    except BadInput as error:
        _give_up(asked, answer, str(error), moment)
        return None
    except Exception as error:
        logger.exception("reading %s again failed", answer.pk)
        _give_up(asked, answer, f"{type(error).__name__}: {error}", moment)
        return None
    return _store(asked, answer, report, moment)


def _give_up(asked: Rereading, answer: Answer, reason: str, now: datetime) -> None:
    """What was known of the answer stays as it is."""
    with transaction.atomic():
        if Rereading.objects.filter(pk=asked.pk).delete()[0]:
            Event.record("answer.again_failed", answer, project=answer.project_id, at=now, reason=reason[:500])


@transaction.atomic
def _store(asked: Rereading, answer: Answer, report: Report, now: datetime) -> Inspection | None:
    from webapp.intake.services import store_inspection

    held = Answer.objects.select_for_update().get(pk=answer.pk)
    if not Rereading.objects.filter(pk=asked.pk).delete()[0]:
        return None  # another worker was faster
    newest = held.inspections.order_by("-version").first()
    if newest is not None and newest.sha256 == report.sha256:
        Event.record("answer.unchanged", held, project=held.project_id, at=now, inspection=newest.version)
        return newest
    version = newest.version + 1 if newest else 1
    inspection = store_inspection(answer=held, report=report, version=version, now=now)
    if held.state == Answer.State.FAILED:
        Answer.objects.filter(pk=held.pk, state=Answer.State.FAILED).update(state=Answer.State.PROOFREAD, error="")
    Event.record(
        "answer.proofread", held, project=held.project_id, at=now, inspection=version, risk=report.risk,
        marks=len(report.marks), again=True,
    )  # fmt: skip
    _show(held, inspection, now)
    return inspection


def _show(answer: Answer, inspection: Inspection, now: datetime) -> None:
    """Let waiting items show the new inspection, and tell those who hold one; an answer without an item gets one."""
    if answer.superseded_by_id is None:
        from webapp.intake.services import queue_for

        put_in_queue(answer=answer, inspection=inspection, now=now, queue=queue_for(answer))
    held = Item.objects.filter(answer=answer, state=Item.State.CLAIMED).exclude(inspection=inspection)
    for item in held.select_related("queue"):
        # A new version: whoever decides by the one they read (If-Match) is told that there is another.
        if Item.objects.filter(pk=item.pk, version=item.version).update(version=F("version") + 1):
            Event.record(
                "item.changed", item, project=item.queue.project_id, at=now, inspection=inspection.version,
                holder=str(item.held_by_id),
            )  # fmt: skip


def resend(*, silent: datetime, now: datetime) -> int:
    """Send again what waits to be read again and was lost on the way; how many."""
    sent = 0
    lost = Rereading.objects.filter(heartbeat_at__lt=silent).order_by("heartbeat_at")
    for key in lost.values_list("answer", flat=True)[:CHUNK]:
        with transaction.atomic():
            mine = Rereading.objects.filter(answer=key, heartbeat_at__lt=silent).update(heartbeat_at=now)
            if mine:
                enqueue_again(key)
        sent += mine
    return sent
