"""Answers on their way from the door to the queue: accepted, proofread in the background, picked up again when lost.

The answer's row is the truth about what is still to do. Messages to workers only say "look at this row": one that
comes twice does nothing, one that is lost is sent again by `requeue_stale`.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from proofing.errors import BadInput
from proofing.exchange.answers import AnswerLine
from proofing.report import Report
from webapp.calibration import services as calibration
from webapp.calibration.inputs import note_inputs
from webapp.celery import Queues
from webapp.corpus.building import WAITS
from webapp.corpus.retrieving import NotReady
from webapp.health import queue_lengths
from webapp.intake import again, engine
from webapp.intake.imports import cancel_import, run_import, start_import
from webapp.intake.models import ApiRequest, ImportBatch
from webapp.intake.outbox import enqueue, enqueue_import
from webapp.lost_work import give_again, silent_since
from webapp.records import rendering
from webapp.records.models import Answer, Healing, Inspection, Mark, Project
from webapp.records.retrieved import keep_retrieved
from webapp.records.services import Received, receive_answer
from webapp.review.models import Event, Queue
from webapp.review.services import put_in_queue

__all__ = [
    "accept_answer",
    "cancel_import",
    "forget_old_requests",
    "proofread_answer",
    "requeue_stale",
    "retry_failed",
    "run_import",
    "start_import",
    "store_inspection",
]

logger = logging.getLogger(__name__)

#: How often an answer is tried before it counts as failed.
ATTEMPTS = 3
#: Why an answer is set aside that ended its worker each time.
DIED = f"The worker died {ATTEMPTS} times while it proofread this answer."
#: How many lost rows one sweep sends again, so that a long backlog does not become a flood of messages.
SWEEP = 500
#: After how many times the stale period a waiting row is sent again even though messages are queued.
PATIENCE = 10
#: How long a response is kept for a request that is sent again.
KEEP_REQUESTS = timedelta(days=7)


def accept_answer(
    *, project: Project, line: AnswerLine, now: datetime, request_key: str | None = None, supersede: bool = False
) -> Received:
    """Store an answer that came by itself and have it proofread soon; see `receive_answer`.

    Raises:
        Conflict: as `receive_answer`.
    """
    received = receive_answer(project=project, line=line, now=now, request_key=request_key, supersede=supersede)
    if received.fresh:
        enqueue(received.answer.pk, Queues.INTERACTIVE)
    return received


# Proofreading -----------------------------------------------------------------------------------------------


def proofread_answer(*, answer_id: UUID | str, now: datetime | None = None) -> Inspection | None:
    """Proofread one received answer and put it into its queue; None when there is nothing (more) to do.

    Only the call that moves the row from `received` to `proofreading` works on it. Its result is stored in one
    transaction; a second result for the same row, from a worker that was thought dead, is dropped.
    """
    moment = now or timezone.now()
    taken = Answer.objects.filter(pk=answer_id, state=Answer.State.RECEIVED).update(
        state=Answer.State.PROOFREADING, attempts=F("attempts") + 1, heartbeat_at=moment, error=""
    )
    if not taken:
        return None
    answer = Answer.objects.select_related("project", "question").get(pk=answer_id)
    try:
        report = engine.inspect_answer(answer)
        stored = _store(answer, report, now)
    except NotReady:
        _put_back(answer, now)
    except BadInput as error:
        _fail(answer, str(error), now)  # trying again would end the same way
    except Exception as error:
        logger.exception("proofreading %s failed (attempt %d)", answer.pk, answer.attempts)
        _try_again(answer, error, now)
    else:
        if stored is not None:
            engine.log_if_flagged(report)
        return stored
    return None


@transaction.atomic
def _store(answer: Answer, report: Report, now: datetime | None) -> Inspection | None:
    moment = now or timezone.now()
    held = Answer.objects.select_for_update().get(pk=answer.pk)
    if held.state not in (Answer.State.RECEIVED, Answer.State.PROOFREADING):
        return None
    version = held.inspections.count() + 1
    inspection = store_inspection(answer=held, report=report, version=version, now=moment)
    Answer.objects.filter(pk=held.pk).update(state=Answer.State.PROOFREAD, heartbeat_at=moment, error="")
    Event.record(
        "answer.proofread", held, project=held.project_id, at=moment, inspection=version, risk=report.risk,
        marks=len(report.marks),
    )  # fmt: skip
    if held.superseded_by_id is None:
        put_in_queue(answer=held, inspection=inspection, now=moment, queue=queue_for(held))
    return inspection


def store_inspection(*, answer: Answer, report: Report, version: int, now: datetime) -> Inspection:
    """Write down a report with its marks and its healing; the caller holds the transaction."""
    data = report.to_dict()
    quality = data["quality"]
    inspection = Inspection.objects.create(
        answer=answer,
        version=version,
        engine_version=str(report.engine.get("version", "")),
        settings=report.settings.to_dict(),
        sha256=report.sha256,
        report=data,
        unsupported_probability=report.unsupported_probability,
        above_cut=report.above_cut,
        floor=report.finding.floor,
        risk=report.risk,
        route=quality["route"],
        final_score=quality["final_score"],
        tokens=rendering.token_stream(report),
        render_version=rendering.RENDER_VERSION,
        created_at=now,
    )
    Mark.objects.bulk_create(
        Mark(
            inspection=inspection, index=index, start=mark.start, end=mark.end, text=mark.text, kind=mark.kind,
            support=mark.support, probability=mark.probability, reason=mark.reason, receipt=mark.receipt.to_dict(),
        )
        for index, mark in enumerate(report.marks)
    )  # fmt: skip
    if version == 1:
        note_inputs(answer=answer, report=report, now=now)
    keep_retrieved(answer=answer, inspection=inspection, report=report)
    healing = data["healing"]
    Healing.objects.create(
        inspection=inspection,
        proposed=healing.get("proposed", []),
        **{name: healing[name] for name in _HEALING_FIELDS},
    )
    return inspection


_HEALING_FIELDS = (
    "strategy", "applied", "text", "proposal", "edits", "alternatives", "initial_risk", "final_risk",
)  # fmt: skip


def queue_for(answer: Answer) -> Queue | None:
    """The queue chosen with the import that brought the answer; None leaves it to the project's first queue."""
    seen = answer.observations.filter(batch__queue__isnull=False).select_related("batch__queue").order_by("id").first()
    return seen.batch.queue if seen and seen.batch else None


def _fail(answer: Answer, reason: str, now: datetime | None) -> None:
    moved = Answer.objects.filter(pk=answer.pk, state=Answer.State.PROOFREADING, attempts=answer.attempts).update(
        state=Answer.State.FAILED, error=reason[:2000], heartbeat_at=now or timezone.now()
    )
    if moved:
        Event.record("answer.failed", answer, project=answer.project_id, at=now, reason=reason[:500])


def _put_back(answer: Answer, now: datetime | None) -> None:
    """Let an answer wait for the project's first index, which sends it on; that was no attempt at reading it."""
    Answer.objects.filter(pk=answer.pk, state=Answer.State.PROOFREADING, attempts=answer.attempts).update(
        state=Answer.State.RECEIVED, attempts=F("attempts") - 1, heartbeat_at=now or timezone.now(), error=WAITS
    )


def _try_again(answer: Answer, error: Exception, now: datetime | None) -> None:
    if answer.attempts >= ATTEMPTS:
        _fail(answer, f"Proofreading failed {ATTEMPTS} times; last with {type(error).__name__}: {error}", now)
        return
    back = Answer.objects.filter(pk=answer.pk, state=Answer.State.PROOFREADING, attempts=answer.attempts).update(
        state=Answer.State.RECEIVED, heartbeat_at=now or timezone.now(), error=f"{type(error).__name__}: {error}"[:2000]
    )
    if back:
        enqueue(answer.pk, Queues.INTERACTIVE, countdown=2.0**answer.attempts)


def retry_failed(*, answer: Answer, actor: object, now: datetime) -> bool:
    """Give a failed answer three new attempts; False when it is not failed (any more)."""
    moved = Answer.objects.filter(pk=answer.pk, state=Answer.State.FAILED).update(
        state=Answer.State.RECEIVED, attempts=0, error="", heartbeat_at=now
    )
    if moved:
        Event.record("answer.retried", answer, project=answer.project_id, actor=actor, at=now)
        enqueue(answer.pk, Queues.INTERACTIVE)
    return bool(moved)


# Finding what was lost --------------------------------------------------------------------------------------


def requeue_stale(*, now: datetime) -> int:
    """Send again what was lost: work whose worker fell silent, and rows whose message the broker forgot.

    Returns how many rows were sent. Safe to run in several processes at once: each row moves by compare-and-set.
    """
    silent = silent_since(now)
    forgotten = _forgotten_before(silent, now)
    own = _revive_abandoned(silent, now) + _resend_waiting(forgotten, now) + _revive_imports(silent, forgotten, now)
    if forgotten is not None:
        own += again.resend(silent=forgotten, now=now)
    return own + calibration.requeue_stale(now=now)


def _forgotten_before(silent: datetime, now: datetime) -> datetime | None:
    """Since when a row must have waited for its message to count as lost; None: no row does.

    While messages are queued, a waiting row is most likely just behind others, and sending it again would only make
    the line longer. A broker that is away or has a long line gets nothing more; one with a short line gets what has
    waited very long.
    """
    lengths = queue_lengths()
    queued = sum(lengths.values())
    if not lengths or queued >= SWEEP:
        return None
    return silent if queued == 0 else now - PATIENCE * timedelta(seconds=settings.STALE_AFTER_SECONDS)


def _revive_abandoned(silent: datetime, now: datetime) -> int:
    sent = 0
    abandoned = Answer.objects.filter(state=Answer.State.PROOFREADING, heartbeat_at__lt=silent)
    for answer in abandoned.order_by("heartbeat_at")[:SWEEP]:
        if answer.attempts >= ATTEMPTS:
            _fail(answer, DIED, now)
            continue
        with transaction.atomic():
            back = Answer.objects.filter(
                pk=answer.pk, state=Answer.State.PROOFREADING, attempts=answer.attempts, heartbeat_at__lt=silent
            ).update(state=Answer.State.RECEIVED, heartbeat_at=now)
            if back:
                enqueue(answer.pk, Queues.BULK)
        sent += back
    return sent


def _resend_waiting(forgotten: datetime | None, now: datetime) -> int:
    if forgotten is None:
        return 0
    received = Answer.State.RECEIVED
    waiting = Answer.objects.filter(state=received, heartbeat_at__lt=forgotten)
    few = waiting.filter(pk__in=list(waiting.order_by("heartbeat_at").values_list("pk", flat=True)[:SWEEP]))
    return give_again(few, state=received, send=lambda pk: enqueue(pk, Queues.BULK), now=now)


def _revive_imports(silent: datetime, forgotten: datetime | None, now: datetime) -> int:
    lost = Q(state=ImportBatch.State.RUNNING, heartbeat_at__lt=silent)
    if forgotten is not None:
        lost |= Q(state=ImportBatch.State.RECEIVED, heartbeat_at__lt=forgotten)
    batches = ImportBatch.objects.filter(lost)
    return give_again(batches, state=ImportBatch.State.RECEIVED, send=enqueue_import, now=now)


def forget_old_requests(*, now: datetime) -> int:
    """Forget stored responses of requests that nobody will send again, and export files whose time is over."""
    calibration.expire_exports(now=now)
    return ApiRequest.objects.filter(created_at__lt=now - KEEP_REQUESTS).delete()[0]
