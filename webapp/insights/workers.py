"""What the workers are at, for leads: who is there, what waits, what was set aside, what to do when nobody works."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Min
from django.utils.translation import gettext_lazy as _

import proofing
from webapp import workers
from webapp.health import queue_lengths
from webapp.intake.services import DIED
from webapp.records.models import Answer, Project

#: How many answers that were set aside, and how many workers that are gone, are shown.
SHOWN = 10
#: Tasks in words for people.
TASKS = {
    "intake.proofread_answer": _("an answer"),
    "intake.read_again": _("an answer, again"),
    "intake.run_import": _("an import"),
    "calibration.run_export": _("an export"),
    "calibration.run_calibration": _("a calibration run"),
    "review.reorder_queue": _("the order of a queue"),
    "judges.run_judges": _("a round of judges"),
    "webhooks.deliver": _("a webhook"),
}


@dataclass(frozen=True, slots=True)
class InHand:
    """A task in hand, in words."""

    words: str
    since: datetime


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """One worker of the table."""

    name: str
    queues: tuple[str, ...]
    since: datetime | None
    seen: datetime | None
    stopped: datetime | None
    done: int
    failed: int
    running: tuple[InHand, ...]
    processes: int
    memory: int
    version: str
    other_version: bool


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A task queue: how many messages wait in it, and whether a worker takes from it."""

    name: str
    length: int
    served: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """Everything the page says."""

    reachable: bool  # whether the broker answered; without it nothing is known of workers and queues
    there: list[WorkerRow]
    gone: list[WorkerRow]
    queues: list[QueueRow]
    oldest: datetime | None  # when the oldest answer came that waits, of any project
    waiting: int  # answers of this project
    in_hand: int
    failed: int
    isolated: list[Answer]  # of this project: each ended its worker as often as it was tried
    version: str


def operation_of(project: Project) -> Operation:
    """The state of the site's workers, and of what waits for them; five queries and two looks at the broker."""
    known = workers.remembered()
    lengths = queue_lengths()
    rows = [(worker.there, _row(worker)) for worker in known or []]
    there = [row for is_there, row in rows if is_there]
    gone = sorted((row for is_there, row in rows if not is_there), key=_last_seen, reverse=True)
    # A worker of an earlier version does not say what it serves.
    served = {name for row in there for name in (row.queues or tuple(lengths))}
    mine = Answer.objects.filter(project=project).order_by()
    failed = mine.filter(state=Answer.State.FAILED)
    waiting = Answer.objects.filter(state=Answer.State.RECEIVED).order_by()
    return Operation(
        reachable=known is not None and bool(lengths),
        there=there,
        gone=gone[:SHOWN],
        queues=[QueueRow(name, length, name in served) for name, length in lengths.items()],
        oldest=waiting.aggregate(at=Min("received_at"))["at"],
        waiting=mine.filter(state=Answer.State.RECEIVED).count(),
        in_hand=mine.filter(state=Answer.State.PROOFREADING).count(),
        failed=failed.count(),
        isolated=list(failed.filter(error=DIED).select_related("question").order_by("-received_at", "-id")[:SHOWN]),
        version=proofing.__version__,
    )


def _last_seen(row: WorkerRow) -> datetime:
    return row.seen or datetime.fromtimestamp(0, UTC)


def _row(worker: workers.Worker) -> WorkerRow:
    return WorkerRow(
        name=worker.name,
        queues=worker.queues,
        since=_moment(worker.since),
        seen=_moment(worker.seen),
        stopped=_moment(worker.stopped),
        done=max(0, worker.tasks - worker.failed),
        failed=worker.failed,
        running=tuple(InHand(str(TASKS.get(task.task, task.task)), _at(task.since)) for task in worker.running),
        processes=worker.processes,
        memory=worker.memory,
        version=worker.version,
        other_version=bool(worker.version) and worker.version != proofing.__version__,
    )


def _moment(seconds: float) -> datetime | None:
    return _at(seconds) if seconds else None


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
