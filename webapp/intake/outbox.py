"""Messages to the workers, sent once the rows they speak of are committed."""

from __future__ import annotations

import logging
from importlib import import_module
from uuid import UUID

from django.db import transaction

from webapp.celery import Queues

logger = logging.getLogger(__name__)


def enqueue(answer_id: UUID, queue: str, *, countdown: float = 0) -> None:
    """Tell a worker about an answer."""
    after_commit("intake.proofread_answer", answer_id, queue=queue, countdown=countdown)


def enqueue_import(batch_id: UUID) -> None:
    """Tell a worker about an import."""
    after_commit("intake.run_import", batch_id, queue=Queues.BULK)


def enqueue_export(export_id: UUID) -> None:
    """Tell a worker about an export somebody waits for."""
    after_commit("calibration.run_export", export_id, queue=Queues.INTERACTIVE)


def enqueue_calibration(run_id: int) -> None:
    """Tell a worker about a calibration run somebody waits for."""
    after_commit("calibration.run_calibration", run_id, queue=Queues.INTERACTIVE)


def enqueue_refit(refit_id: int) -> None:
    """Tell a worker about a refit of the support model: it takes minutes, and nobody's answer should wait behind it."""
    after_commit("calibration.run_refit", refit_id, queue=Queues.BULK)


def enqueue_freeze(set_id: int) -> None:
    """Tell a worker about labels that are to be frozen as a set."""
    after_commit("calibration.run_freeze", set_id, queue=Queues.INTERACTIVE)


def enqueue_reorder(queue_id: int) -> None:
    """Tell a worker that a queue has another order now."""
    after_commit("review.reorder_queue", queue_id, queue=Queues.INTERACTIVE)


def enqueue_judge_run(run_id: UUID) -> None:
    """Tell a worker about a round of judges: it takes long, and nobody's answer should wait behind it."""
    after_commit("judges.run_judges", run_id, queue=Queues.BULK)


def enqueue_again(answer_id: UUID) -> None:
    """Tell a worker about a known answer that is to be read again."""
    after_commit("intake.read_again", answer_id, queue=Queues.BULK)


def enqueue_delivery(delivery_id: UUID) -> None:
    """Tell a worker about an event that is to be sent to a webhook. Nobody waits for one."""
    after_commit("webhooks.deliver", delivery_id, queue=Queues.BULK)


def after_commit(task: str, key: UUID | int, *, queue: str, countdown: float = 0) -> None:
    """Tell a worker about a row, by its task ("room.name") and key, once the row is committed."""
    transaction.on_commit(lambda: _send(task, str(key), queue, countdown))


def _send(task: str, key: str, queue: str, countdown: float) -> None:
    """A broker that is down is no error here: the row is committed, and the next sweep finds it."""
    try:
        room, name = task.split(".")
        getattr(import_module(f"webapp.{room}.tasks"), name).apply_async(
            (key,), queue=queue, countdown=countdown or None
        )
    except Exception:
        logger.warning("the broker took no message about %s %s; a sweep will send it again", task, key, exc_info=True)
